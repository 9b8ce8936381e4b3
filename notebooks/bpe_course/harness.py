"""Parts for exercises that need more than a plain call: files that count, and "break it" turned round."""

import io
from collections.abc import Callable, Iterator
from typing import Any

from bpe_course.compare import same, short
from bpe_course.exercise import Complaint
from bpe_course.shrink import fewer_items


class Data:
    """The content of a file, as an argument of a case: each call gets a fresh file that counts what is read."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def __repr__(self) -> str:
        return f"io.BytesIO({self.content!r})"

    def open(self) -> "CountingFile":
        """Return a file with this content, opened for reading."""
        return CountingFile(self.content)

    def smaller(self) -> Iterator["Data"]:
        """Yield files with less in them."""
        yield from map(Data, fewer_items(self.content))


class CountingFile(io.BytesIO):
    """A binary file that remembers how many bytes were read, how many at once, and how often without a limit."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.total = self.largest = self.unlimited = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """Read, and count."""
        data = super().read(size)
        asked = len(self.getbuffer()) if size is None or size < 0 else size
        self.total += len(data)
        self.unlimited += size is None or size < 0
        self.largest = max(self.largest, min(asked, len(self.getbuffer())))
        return data

    def readinto(self, buffer: Any, /) -> int:
        """Read into a buffer, and count."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def getvalue(self) -> bytes:
        """Refuse: a real file has no such method."""
        raise Complaint("A real file has no getvalue(): go through it with seek() and read().")


TOLD_APART = "the input tells them apart"
"""What a "break it" exercise compares with: there is no one right result to show."""


def breaks(
    right: Callable,
    wrong: Callable,
    validate: Callable[[Any], str],
    pass_by_name: str = "",
    why: Callable[[Any], str] = lambda value: "",
) -> Callable:
    """Return the harness of a "break it" exercise: the reader's function returns an input on which `wrong` fails.

    Args:
        right: gets the input and returns the right result.
        wrong: the given slip.
        validate: gets the input and returns what is wrong with it, to the reader, or an empty string.
        pass_by_name: what the given slip is called in the complaint.
        why: gets an input that does not tell the two apart, and returns a sentence on the reason, or an empty string.
    """

    def harness(function: Callable) -> str:
        value = function()
        problem = "Your function returns None. Is there a return statement?" if value is None else validate(value)
        if problem:
            raise Complaint(problem, value)
        good, bad = outcome(right, value), outcome(wrong, value)
        if same(good, bad):
            raise Complaint(
                f"{short(value)} does not tell them apart: {pass_by_name or 'the wrong way'} gives {short(bad, 120)}, "
                f"and so does the right way. {why(value)}".rstrip(),
                value,
            )
        return TOLD_APART

    return harness


def returning(value: Any) -> Callable[[], Any]:
    """Return a function that returns this value: an answer to a "break it" exercise."""

    def function() -> Any:
        return value

    return function


def outcome(function: Callable, value: Any) -> Any:
    """Return the result, or the name of the error that is raised."""
    try:
        return function(value)
    except Exception as error:
        return f"raises {type(error).__name__}"
