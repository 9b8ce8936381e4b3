"""What the reader has done so far: a small file beside the notebooks, and the board that shows it."""

import contextlib
import json
import os
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bpe_lib.lessons.exercise import Exercise
from bpe_lib.lessons.exercises import EXERCISES, NOTEBOOKS
from bpe_lib.lessons.result import box

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


@dataclass(frozen=True)
class Board:
    """How far the reader is: for each notebook, its exercises and which of them are done."""

    done: frozenset[str]

    def rows(self) -> list[tuple[str, list[Exercise], int]]:
        """Return, for each notebook with exercises, its name, its exercises and the minutes that are left."""
        rows = []
        for number, name in NOTEBOOKS.items():
            exercises = [exercise for exercise in EXERCISES.values() if exercise.notebook == number]
            if exercises:
                left = sum(exercise.minutes for exercise in exercises if exercise.id not in self.done)
                rows.append((f"{number} {name}", exercises, left))
        return rows

    def next_step(self) -> str:
        """Return a sentence on what to do next."""
        for name, exercises, _ in self.rows():
            for exercise in exercises:
                if exercise.id not in self.done:
                    return f"Next: {exercise.id} in {name} ({exercise.minutes} min)."
        return "All exercises are done."

    def __repr__(self) -> str:
        lines = [
            f"{name:32} {''.join(self.sign(e) for e in exercises):8} {self.count(exercises):>6}  {minutes(left)}"
            for name, exercises, left in self.rows()
        ]
        return "\n".join([*lines, self.next_step()])

    def _repr_html_(self) -> str:
        cell = "color:#1a1a1a;font-size:inherit;text-align:left;padding:.2em .8em .2em 0;border:0"
        body = "".join(
            f'<tr style="background:transparent"><td style="{cell}">{escape(name)}</td>'
            f'<td style="{cell}">{"".join(map(self.tile, exercises))}</td>'
            f'<td style="{cell}">{self.count(exercises)}</td><td style="{cell}">{minutes(left)}</td></tr>'
            for name, exercises, left in self.rows()
        )
        head = "".join(
            f'<th scope="col" style="{cell};font-weight:600">{title}</th>'
            for title in ("notebook", "exercises", "done", "left")
        )
        table = f'<table style="border:0"><tr style="background:transparent">{head}</tr>{body}</table>'
        return box("#56606b", f"{table}<div>{escape(self.next_step())}</div>", "progress")

    def sign(self, exercise: Exercise) -> str:
        """Return the sign for an exercise: done or not."""
        return "■" if exercise.id in self.done else "□"

    def tile(self, exercise: Exercise) -> str:
        """Return the sign of an exercise as HTML that tells its name."""
        word = "done" if exercise.id in self.done else "open"
        colour = "#006b4f" if exercise.id in self.done else "#56606b"
        return (
            f'<span role="img" title="{exercise.id}: {word}" aria-label="{exercise.id}: {word}" '
            f'style="color:{colour};font-size:120%;margin-right:.15em">{self.sign(exercise)}</span>'
        )

    def count(self, exercises: list[Exercise]) -> str:
        """Return how many of these exercises are done, of how many."""
        return f"{sum(exercise.id in self.done for exercise in exercises)}/{len(exercises)}"


def minutes(left: int) -> str:
    """Return the minutes that are left in words."""
    return f"{left} min" if left else "done"


def progress() -> Board:
    """Return the board: per notebook the exercises done, the minutes left, and the next step."""
    return Board(frozenset(passed()))
