"""What was collected from a reader's notebooks: whose functions they are, and the module made of them."""

from dataclasses import dataclass, field
from textwrap import fill

from bpe_course.exercises import EXERCISES

HEADING = '"""My own byte-level BPE, collected from the notebooks.\n\n{lists}\n"""'


@dataclass
class Collection:
    """A module in the making.

    Attributes:
        mine: ids of the reader's functions that passed.
        filled: ids of those that were filled in with the course's solution.
        failed: ids of those among them that the reader wrote, and that did not pass.
        source: the module's source.
        borrowed: for some of the reader's functions, those filled in that they call.
    """

    mine: list[str] = field(default_factory=list)
    filled: list[str] = field(default_factory=list)
    source: str = ""
    borrowed: dict[str, list[str]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def lists(self) -> str:
        """Return what is whose: a function of the reader's may call the course's."""
        lines = [f"yours: {', '.join(map(self.with_borrowed, self.mine)) or 'none yet'}"]
        if self.failed:
            verb = "stands" if len(self.failed) == 1 else "stand"
            lines.append(f"did not pass: {', '.join(self.failed)} (the course's {verb} in)")
        return "\n".join([*lines, *self.never_attempted()])

    def never_attempted(self) -> list[str]:
        """Return lines on what was filled in without an attempt of the reader's, one for each notebook."""
        ids = [exercise_id for exercise_id in self.filled if exercise_id not in self.failed]
        if not ids or not (self.mine or self.failed):
            return [f"filled in: {f'all {len(ids)}' if ids else 'none'}"]
        notebooks: dict[str, list[str]] = {}
        for exercise_id in ids:
            notebooks.setdefault(EXERCISES[exercise_id].notebook, []).append(exercise_id)
        return ["filled in:", *(f"  {number}: {', '.join(names)}" for number, names in notebooks.items())]

    def with_borrowed(self, exercise_id: str) -> str:
        """Return the id of a function of the reader's, with those of the course that it calls."""
        others = self.borrowed.get(exercise_id)
        return f"{exercise_id} (on top of the course's {' and '.join(others)})" if others else exercise_id

    def heading(self) -> str:
        """Return the docstring of the module."""
        lists = "\n".join(fill(line, 100, subsequent_indent="    ") for line in self.lists().split("\n"))
        return HEADING.format(lists=lists)

    def __repr__(self) -> str:
        return f"{self.lists()}\n(from your notebooks as they were last saved: save them first)"
