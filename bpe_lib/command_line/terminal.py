"""Tokens on a terminal, where nothing in a token may be taken for a command to the terminal."""

from collections.abc import Iterable

SIGNS = {" ": "␣", "\n": "⏎", "\r": "␍", "\t": "⇥"}
BACKGROUNDS = (153, 229, 158, 223, 218)
"""Light colours of the terminal's 256, on which black is easy to read."""


def visible(token: bytes) -> str:
    """Return a token as text of printable characters; stray bytes are written in hexadecimal digits.

    >>> visible(b" the\\n"), visible(b"\\xc3"), visible(b"\\x1b[31m")
    ('␣the⏎', '‹c3›', '‹1b›[31m')
    """
    return "".join(map(visible_character, token.decode(errors="surrogateescape")))


def visible_character(character: str) -> str:
    """Return a character that can be seen in the place of one that perhaps can't."""
    if character in SIGNS:
        return SIGNS[character]
    if character.isprintable():
        return character
    return f"‹{character.encode(errors='surrogateescape').hex()}›"


def in_colour(tokens: Iterable[bytes], colours: bool) -> str:
    """Return tokens in a row with a sign between them, so that colour is never all that tells them apart.

    >>> in_colour([b"the", b" cat"], colours=False)
    'the·␣cat'
    """
    shown = list(map(visible, tokens))
    if colours:
        shown = [f"\x1b[30;48;5;{BACKGROUNDS[i % len(BACKGROUNDS)]}m{token}\x1b[0m" for i, token in enumerate(shown)]
    return "·".join(shown)
