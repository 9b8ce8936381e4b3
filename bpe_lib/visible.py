"""Tokens as text in which everything can be seen."""

SIGNS = {" ": "␣", "\n": "⏎", "\r": "␍", "\t": "⇥"}


def visible(token: bytes) -> str:
    """Return a token as text of printable characters; stray bytes are written in hexadecimal digits.

    What a terminal or a browser would obey (escape codes, signs that turn the line round) is only shown.

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
