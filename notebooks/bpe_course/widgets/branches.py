"""Which branch of a pattern takes what: any text, cut by any pattern, within a time limit."""

import time
from dataclasses import dataclass

import regex

from bpe_course.widgets.patterns import compile_branches, compile_quietly, split_branches
from bpe_lib.pretokenization import check_repeats

SECONDS = 0.25
"""How long one pattern may take for a text: processor time, as the package `regex` counts it."""
MOST = 120
"""How many stretches are shown."""
LONGEST = 2_000
"""Characters of a pattern at the most."""


@dataclass(frozen=True)
class Stretch:
    """A pre-token, or a stretch that no branch matches.

    Attributes:
        start: offset in characters.
        text: what it holds.
        branch: the number of the branch that took it, from 1; 0 for lost text; None where it can't be told.
    """

    start: int
    text: str
    branch: int | None

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class Cutting:
    """A text, as a pattern cuts it.

    Attributes:
        pattern: the pattern.
        stretches: pre-tokens and lost stretches, in order.
        stopped: why the rest is missing, if it is.
        fault: what is wrong with the pattern, and at which of its characters.
        branches: of the pattern, in order.
    """

    pattern: str
    stretches: tuple[Stretch, ...] = ()
    stopped: str = ""
    fault: tuple[str, int | None] | None = None
    branches: tuple[str, ...] = ()

    @property
    def end(self) -> int:
        """The offset up to which the text was cut."""
        return self.stretches[-1].end if self.stretches else 0

    def taken(self, branch: int | None) -> int:
        """Return how many stretches a branch took."""
        return sum(stretch.branch == branch for stretch in self.stretches)


class Deadline:
    """A moment after which there is no time left.

    Args:
        seconds: how long from now.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds, self.end = seconds, time.process_time() + seconds

    def left(self) -> float:
        """Return the seconds that are left.

        Raises:
            TimeoutError: none are.
        """
        left = self.end - time.process_time()
        if left <= 0:
            raise TimeoutError
        return left


def branch_of(match: regex.Match, branches: list[regex.Pattern | None], deadline: Deadline) -> int | None:
    """Return the number of the branch that a match of the whole pattern is owed to, or None if that can't be told."""
    for number, branch in enumerate(branches, start=1):
        alone = branch and branch.match(match.string, match.start(), timeout=deadline.left())
        if alone:
            return number if alone.end() == match.end() else None
    return None


def cut(pattern: str, text: str, seconds: float = SECONDS, most: int = MOST) -> Cutting:
    """Return a text as a pattern cuts it, with the branch that took each stretch; it never raises.

    Args:
        pattern: for the package `regex`; it may be wrong, leave text out, or take for ever.
        text: any text.
        seconds: how long it may take.
        most: after so many stretches it stops.

    >>> [(stretch.text, stretch.branch) for stretch in cut("a+|b", "aab!").stretches]
    [('aa', 1), ('b', 2), ('!', 0)]
    """
    deadline = Deadline(seconds)
    try:
        check_size(pattern)
        compiled, branches = compile_quietly(pattern), compile_branches(pattern)
    except regex.error as error:
        return Cutting(pattern, fault=(error.msg, error.pos))
    except ValueError as error:
        return Cutting(pattern, fault=(str(error), None))
    except (OverflowError, RecursionError):
        return Cutting(pattern, fault=("it is nested too deeply or holds too large a number", None))
    stretches, stopped = match_all(compiled, branches, text, deadline, most)
    return Cutting(pattern, tuple(stretches), stopped, branches=tuple(split_branches(pattern)))


def check_size(pattern: str) -> None:
    """Raise a ValueError if it would take long to compile a pattern, or much memory."""
    check_repeats(pattern)
    if len(pattern) > LONGEST:
        raise ValueError(f"it has {len(pattern):,} characters: write at most {LONGEST:,}")


def match_all(
    compiled: regex.Pattern, branches: list[regex.Pattern | None], text: str, deadline: Deadline, most: int
) -> tuple[list[Stretch], str]:
    """Return the stretches of a text, and why they don't reach its end, if so."""
    stretches: list[Stretch] = []
    at = 0
    try:
        for match in compiled.finditer(text, timeout=deadline.left()):
            deadline.left()
            if match.start() == match.end():
                continue
            if len(stretches) >= most:
                return stretches, f"Only the first {len(stretches)} pre-tokens are shown."
            if match.start() > at:
                stretches.append(Stretch(at, text[at : match.start()], 0))
            stretches.append(Stretch(match.start(), match[0], branch_of(match, branches, deadline)))
            at = match.end()
    except TimeoutError:
        return stretches, (
            f"Stopped at character {at:,}: not done after {deadline.seconds:g} seconds. That happens where nested "
            "repeats can share a text among them in so many ways that trying them all takes for ever."
        )
    if at < len(text):
        stretches.append(Stretch(at, text[at:], 0))
    return stretches, "" if at or not text else "The pattern matches nothing here, not one character."


def different(one: Cutting, other: Cutting) -> set[int]:
    """Return which stretches of a cutting, by number from 0, the other doesn't have, as far as both reach.

    >>> different(cut("a|b", "aba"), cut("ab|a", "aba"))
    {0, 1}
    """
    if one.fault or other.fault:
        return set()
    there = {(stretch.start, stretch.text, stretch.branch == 0) for stretch in other.stretches}
    return {
        i
        for i, stretch in enumerate(one.stretches)
        if stretch.end <= other.end and (stretch.start, stretch.text, stretch.branch == 0) not in there
    }
