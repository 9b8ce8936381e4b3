"""Patterns from outside: whether one can be used, and whether another library reads it as the package `regex` does."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import zip_longest

from bpe_lib.pretokenization import compile_pattern, pretokenize

PROBE = (
    "It's DON'T we'Ll l'l 'a  it’s abcdef ghABCDEfGhIjK 1 12 123 1234567 a1b2c3 12ab \t\t x\n\n y \n\n  z\r\n\r\n"
    "(a) [b]{c,d}!? ...\n//\n#$%&*+-_=~^|\\<> -- ---a é e\u0301 ÀÉ ñandú straße ЖЗИ привет αβΓ שלום مرحبا हिन्दी ไทย "
    "中文字 かなカナ 한국어 "
    "²½Ⅷ٣٤\u00a0\u3000\u2028x\x0b\x0c\x85y\x1cz\u200b🙃🙃👩\u200d👧 ,a,,b;c  \n  \n\n\t d'S'T e'RE  "
)
"""What most patterns in use treat differently, in characters that every library's Unicode knows."""

ENDS = sorted({len(PROBE), *(i for i in range(1, len(PROBE)) if PROBE[i - 1].isspace())})
"""Where the probe is cut off too: patterns may treat whitespace at the end in a way of its own."""

SECONDS = 2
"""How long a pattern may take for the probe. Those in use take a thousandth of a second."""


@contextmanager
def value_errors(message: str) -> Iterator[None]:
    """Turn what goes wrong in a library into a ValueError; if it is written in Rust, its panics are no `Exception`."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError)):
            raise
        raise ValueError(f"{message}: {error}") from error


def check_reading(pattern: str, cut: Callable[[str], list[str]], library: str) -> None:
    """Raise unless a library cuts a text of many kinds as we do.

    Args:
        pattern: a pattern of the package `regex`.
        cut: returns the pre-tokens of a text as the library cuts it.
        library: its name, for the message.

    Raises:
        ValueError: it can't read the pattern, or reads it differently; or the pattern takes too long.
    """
    for end in ENDS:
        text = PROBE[:end]
        check_speed(text, pattern)
        with value_errors(f"{library} can't read the pattern {pattern!r}"):
            theirs = cut(text)
        for one, other in zip_longest(pretokenize(text, pattern), theirs):
            if one != other:
                finds = f"where the package `regex` finds {one!r} it finds {other!r}"
                raise ValueError(f"{library} reads the pattern {pattern!r} differently: {finds}")


def check_usable(pattern: str) -> None:
    """Raise unless a pattern that comes from outside can cut texts.

    Raises:
        ValueError: it is empty, the package `regex` can't read it, or it takes far too long.
    """
    if not pattern:
        raise ValueError("the pattern is empty and would match nothing: give one whose matches cover every text")
    check_speed(PROBE, pattern)


def check_speed(text: str, pattern: str) -> None:
    """Raise a ValueError if a pattern takes far too much: `(a+)+$` may try every way to match, `(?R)` never ends."""
    try:
        compile_pattern(pattern).findall(text, timeout=SECONDS)
    except (TimeoutError, MemoryError):
        limit = f"over {SECONDS} seconds, or more memory than is allowed, for {len(text)} characters"
        raise ValueError(f"the pattern {pattern!r} takes {limit}: it is not used") from None
