"""What the reader has done so far: a small file beside the notebooks."""

import contextlib
import json
import os
from pathlib import Path

from bpe_course.board import Board
from bpe_course.exercises import EXERCISES
from bpe_lib.files import replacing

FILE = ".bpe_progress.json"


def state_path() -> Path:
    """Return where progress is kept: `.bpe_progress.json` in the current folder, or where `BPE_PROGRESS` says."""
    return Path(os.environ.get("BPE_PROGRESS") or FILE)


def passed() -> set[str]:
    """Return the ids of the exercises that were passed; a missing or damaged file counts as none."""
    try:
        return read_passed()
    except (OSError, ValueError):
        return set()


def read_passed() -> set[str]:
    """Return what the file holds.

    Raises:
        OSError: the file is missing or can't be read.
        ValueError: it is not what `remember` writes.
    """
    try:
        content = json.loads(state_path().read_text("utf-8"))
        return {id_ for id_ in content["passed"] if id_ in EXERCISES}
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{state_path()} holds no progress") from error


def remember(exercise_id: str) -> None:
    """Note that an exercise was passed; where nothing can be written, nothing happens.

    A file that can't be understood is kept beside the new one, with `.bad` behind its name.
    """
    with contextlib.suppress(OSError):
        done = set()
        try:
            done = read_passed()
        except FileNotFoundError:
            pass
        except ValueError:
            os.replace(state_path(), f"{state_path()}.bad")
        if exercise_id not in done:
            with replacing(state_path()) as file:
                file.write(json.dumps({"passed": sorted({*done, exercise_id})}, indent=1).encode())


def progress() -> Board:
    """Return the board: per notebook the exercises done, the minutes left, and the next step."""
    return Board(frozenset(passed()))
