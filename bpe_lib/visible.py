"""Tokens as text in which everything can be seen, and nothing is taken for a command to a terminal."""

from collections.abc import Iterable

SIGNS = str.maketrans({" ": "␣", "\n": "⏎", "\r": "␍", "\t": "⇥"})


def visible(token: bytes) -> str:
    """Return a token as text of printable characters; stray bytes are written in hexadecimal digits.

    What a terminal or a browser would obey (escape codes, signs that turn the line round) is only shown.

    >>> visible(b" the\\n"), visible(b"\\xc3"), visible(b"\\x1b[31m")
    ('␣the⏎', '‹c3›', '‹1b›[31m')
    """
    text = token.decode(errors="surrogateescape").translate(SIGNS)
    return text if text.isprintable() else "".join(map(visible_character, text))


def visible_character(character: str) -> str:
    """Return a character, or the digits of one that can't be seen."""
    return character if character.isprintable() else f"‹{character.encode(errors='surrogateescape').hex()}›"


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
