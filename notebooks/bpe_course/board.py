"""The board: what the reader has done, how long the rest takes, and what comes next."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from bpe_course.exercise import Exercise
from bpe_course.exercises import EXERCISES
from bpe_course.notebooks import NOTEBOOKS, TABLE
from bpe_course.result import with_code
from bpe_course.widgets.panel import FAINT, LINE, TEXT

DONE, NEXT = "#006b4f", "#e69f00"
KEY = f'<div style="color:{FAINT};font-size:88%;margin-top:.5em">✓ done &emsp; □ open &emsp; ▶ next</div>'
BAR = 10
"""Signs in the bar of a notebook in a terminal."""


@dataclass(frozen=True)
class Board:
    """How far the reader is: for each notebook, its exercises and which of them are done."""

    done: frozenset[str]

    def rows(self) -> list[tuple[str, list[Exercise], int]]:
        """Return, for each notebook with exercises, its name, its exercises and the minutes that are left."""
        rows = []
        for notebook in TABLE:
            exercises = [exercise for exercise in EXERCISES.values() if exercise.notebook == notebook.number]
            if exercises:
                rows.append((notebook.label, exercises, self.left(exercises)))
        return rows

    def exercises(self) -> list[Exercise]:
        """Return all exercises, in the order of the notebooks."""
        return [exercise for _, exercises, _ in self.rows() for exercise in exercises]

    def left(self, exercises: list[Exercise]) -> int:
        """Return how many minutes those of some exercises take that are not done."""
        return sum(exercise.minutes for exercise in exercises if exercise.id not in self.done)

    def next_exercise(self) -> Exercise | None:
        """Return the first exercise that is open, in the order of the notebooks."""
        return next((exercise for exercise in self.exercises() if exercise.id not in self.done), None)

    def next_step(self) -> str:
        """Return a sentence on what to do next."""
        exercise = self.next_exercise()
        if exercise is None:
            return "All exercises are done."
        return f"Next: {exercise.id} in {NOTEBOOKS[exercise.notebook].label} ({exercise.minutes} min)."

    def total(self) -> str:
        """Return how many exercises are done, and the hours that the others take."""
        exercises = self.exercises()
        count = sum(exercise.id in self.done for exercise in exercises)
        left = self.left(exercises)
        return f"{count} of {len(exercises)} exercises done" + (f", {hours(left)} left" if left else "")

    def __repr__(self) -> str:
        following, lines = self.next_exercise(), [self.total(), ""]
        width = max(len(name) for name, _, _ in self.rows())
        for name, exercises, left in self.rows():
            arrow = "▶" if following in exercises else " "
            signs = "".join(self.sign(exercise) for exercise in exercises)
            full = round(BAR * (1 - left / minutes_of(exercises)))
            bar = "█" * full + "░" * (BAR - full)
            lines.append(f"{arrow} {name:{width}} {signs:8} {self.count(exercises):>4}  {bar}  {minutes(left)}")
        return "\n".join([*lines, "", self.next_step()])

    def _repr_html_(self) -> str:
        rows = "".join(self.row_html(*row) for row in self.rows())
        style = (
            f"background:#ffffff;color:{TEXT};border:1px solid {LINE};border-radius:6px;padding:1em 1.2em;"
            "margin:.3em 0;max-width:66em;line-height:1.4"
        )
        return (
            f'<div role="status" aria-label="progress: {escape(self.total())}" style="{style}">{self.total_html()}'
            f'<div role="list" style="margin:.9em 0;border-bottom:1px solid {LINE}">{rows}</div>'
            f"{self.next_html()}{KEY}</div>"
        )

    def total_html(self) -> str:
        """Return the headline with a bar over all exercises."""
        everything = self.exercises()
        done, _, left = self.total().partition(", ")
        line = f'<b style="font-size:125%">{done}</b><span style="font-size:110%">{"&emsp;" * bool(left)}{left}</span>'
        return f'<div style="margin-bottom:.3em">{line}</div>{bar_html(everything, self.left(everything), "100%")}'

    def row_html(self, name: str, exercises: list[Exercise], left: int) -> str:
        """Return a notebook as a row: its name, its minutes, its exercises; these below, where the page is narrow."""
        here = self.next_exercise() in exercises
        style = f"border-top:1px solid {LINE};padding:.4em .4em .2em;display:flex;flex-wrap:wrap;gap:.1em 1em"
        background = "#fff8e6" if here else "transparent"
        width = f"{9 * minutes_of(exercises) / max(minutes_of(some) for _, some, _ in self.rows()):.2f}em"
        return (
            f'<div role="listitem" style="{style};background:{background}">'
            f'<div style="flex:0 0 15em;font-weight:{"bold" if here else "normal"}">'
            f"{link(exercises[0].notebook, name)}</div>"
            f'<div style="flex:0 0 10em;font-size:92%">{bar_html(exercises, left, width)}'
            f"{self.count(exercises)} &ensp; {minutes(left)}</div>"
            f'<div style="flex:1 1 24em">{"".join(map(self.tile, exercises))}</div></div>'
        )

    def next_html(self) -> str:
        """Return the next step as a line with a link."""
        exercise = self.next_exercise()
        if exercise is None:
            return f'<b style="color:{DONE}">✓ {self.next_step()}</b>'
        place = link(exercise.notebook, NOTEBOOKS[exercise.notebook].label)
        return (
            f'<div style="border-left:6px solid {NEXT};padding:.2em .8em">▶ <b>Next: '
            f'<code style="color:{TEXT};background:transparent">{escape(exercise.id)}</code></b> in {place} '
            f"({exercise.minutes} min). {with_code(exercise.text)}</div>"
        )

    def sign(self, exercise: Exercise) -> str:
        """Return the sign for an exercise: done or not."""
        return "■" if exercise.id in self.done else "□"

    def tile(self, exercise: Exercise) -> str:
        """Return an exercise as a tile with its sign and name."""
        is_done, is_next = exercise.id in self.done, exercise == self.next_exercise()
        word = "done" if is_done else "open, next" if is_next else "open"
        sign = "✓" if is_done else "▶" if is_next else "□"
        looks = {
            "done": (DONE, "#ffffff", DONE),
            "open, next": ("#fff3bf", TEXT, TEXT),
            "open": ("#ffffff", TEXT, LINE),
        }
        background, colour, edge = looks[word]
        look = f"background:{background};color:{colour};border:2px solid {edge}"
        title = f"{exercise.id}: {word}"
        return (
            f'<span role="img" title="{title}, {exercise.minutes} min" aria-label="{title}" '
            f'style="{look};display:inline-block;border-radius:4px;padding:0 .45em;margin:0 .3em .25em 0;'
            f'font-family:monospace;font-size:88%;white-space:nowrap">{sign} {exercise.id}</span>'
        )

    def count(self, exercises: list[Exercise]) -> str:
        """Return how many of these exercises are done, of how many."""
        return f"{sum(exercise.id in self.done for exercise in exercises)}/{len(exercises)}"


def minutes_of(exercises: list[Exercise]) -> int:
    """Return how many minutes some exercises take."""
    return sum(exercise.minutes for exercise in exercises)


def bar_html(exercises: list[Exercise], left: int, width: str) -> str:
    """Return the minutes of some exercises as a bar, filled as far as they are done."""
    share = 100 * (1 - left / minutes_of(exercises))
    return (
        f'<div aria-hidden="true" style="width:{width};height:.75em;margin:.3em 0 .15em;background:#ffffff;'
        f'border:1px solid {FAINT};border-radius:3px;box-sizing:border-box;overflow:hidden">'
        f'<div style="width:{share:.0f}%;height:100%;background:{DONE}"></div></div>'
    )


def link(number: str, name: str) -> str:
    """Return a notebook's name, as a link if its file is in the current folder."""
    file = NOTEBOOKS[number].file
    if not Path(file).exists():
        return escape(name)
    return f'<a href="{escape(file)}" style="color:#005a8f;text-decoration:underline">{escape(name)}</a>'


def minutes(left: int) -> str:
    """Return the minutes that are left in words."""
    return f"{left} min left" if left else "done"


def hours(left: int) -> str:
    """Return minutes in hours and minutes.

    >>> hours(59), hours(60), hours(386)
    ('59 min', '1 h', '6 h 26 min')
    """
    parts = [f"{left // 60} h"] * (left >= 60) + [f"{left % 60} min"] * (left % 60 > 0)
    return " ".join(parts)
