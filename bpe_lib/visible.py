"""Tokens as text in which everything can be seen."""

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
