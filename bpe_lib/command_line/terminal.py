"""Tokens on a terminal, where nothing in a token may be taken for a command to the terminal."""

from collections.abc import Iterable

from bpe_lib.visible import visible

BACKGROUNDS = (153, 229, 158, 223, 218)
"""Light colours of the terminal's 256, on which black is easy to read."""


def in_colour(tokens: Iterable[bytes], colours: bool) -> str:
    """Return tokens in a row with a sign between them, so that colour is never all that tells them apart.

    >>> in_colour([b"the", b" cat"], colours=False)
    'the·␣cat'
    """
    shown = list(map(visible, tokens))
    if colours:
        shown = [f"\x1b[30;48;5;{BACKGROUNDS[i % len(BACKGROUNDS)]}m{token}\x1b[0m" for i, token in enumerate(shown)]
    return "·".join(shown)
