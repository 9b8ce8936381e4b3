"""What the reader has done so far: a small file beside the notebooks."""

import contextlib
import json
import os
from pathlib import Path

from bpe_lib.lessons.board import Board
from bpe_lib.lessons.exercises import EXERCISES

FILE = ".bpe_progress.json"


def state_path() -> Path:
    """Return where progress is kept: `.bpe_progress.json` in the current folder, or where `BPE_PROGRESS` says."""
    return Path(os.environ.get("BPE_PROGRESS") or FILE)


def passed() -> set[str]:
    """Return the ids of the exercises that were passed; a missing or damaged file counts as none."""
    try:
        content = json.loads(state_path().read_text("utf-8"))
        return {id_ for id_ in content["passed"] if id_ in EXERCISES}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def remember(exercise_id: str) -> None:
    """Note that an exercise was passed; where nothing can be written, nothing happens."""
    done = passed()
    if exercise_id in done:
        return
    with contextlib.suppress(OSError):
        state_path().write_text(json.dumps({"passed": sorted({*done, exercise_id})}, indent=1), "utf-8")


def progress() -> Board:
    """Return the board: per notebook the exercises done, the minutes left, and the next step."""
    return Board(frozenset(passed()))
