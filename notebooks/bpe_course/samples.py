"""Small random texts and words for the cases of exercises; and words as `check` shows them."""

from random import Random

END = "<|endoftext|>"
"""The special token of the course."""
SCRIPTS = ("abcde", "é e\u0301ñ", "牛日本", "🙃👩", " \n", "'.,!", "012")


def random_text(chance: Random, shortest: int, longest: int) -> str:
    """Return a text of several scripts."""
    length = chance.randint(shortest, longest)
    return "".join(chance.choice(chance.choice(SCRIPTS)) for _ in range(length))


def spell(text: str) -> tuple[bytes, ...]:
    """Return a word of the tokens that are separated by `·`, or else of single bytes.

    >>> spell("low"), spell("l·ow"), spell("␣l·ow")
    ((b'l', b'o', b'w'), (b'l', b'ow'), (b' l', b'ow'))
    """
    data = text.replace("␣", " ")
    if "·" in data:
        return tuple(token.encode() for token in data.split("·"))
    return tuple(bytes([byte]) for byte in data.encode())


def words(**counts: int) -> dict[tuple[bytes, ...], int]:
    """Return words of single bytes with their counts.

    >>> words(hi=2)
    {(b'h', b'i'): 2}
    """
    return {spell(text): count for text, count in counts.items()}


HANDOUT = words(low=5, lower=2, widest=3, newest=6)
"""The four words of the CS336 handout."""

WHITESPACE = "".join(chr(code) for code in (*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)))
WHITESPACE += "\u2028\u2029\u202f\u205f\u3000"
"""The 25 characters that Unicode holds to be whitespace, as `\\s` of the package `regex` does."""
BITING = (
    "Hello",
    "a\0b",
    "a\r\nb\rc",
    "\ufeffa\ufeff",
    "cafe\u0301 caf\u00e9",
    "½ x²! 1½",
    "🙃 👩 a🙃 🙃b",
    f"a{WHITESPACE}b",
)
"""Texts that functions change without being asked: each of them holds what some habit loses or rewrites."""

SEED_SENTENCES = (
    "The quick brown fox jumps over the lazy dog.",
    "Python is a great programming language.",
    "Deep learning requires lots of data.",
    "The best test is the best.",
)
"""The four documents that the course began with."""


def random_word(chance: Random, letters: str = "abc", longest: int = 6, merged: float = 0.3) -> tuple[bytes, ...]:
    """Return a word midway through training: single bytes, and some tokens of several bytes."""
    tokens: list[bytes] = []
    for _ in range(chance.randint(1, longest)):
        for byte in chance.choice(letters).encode():
            if tokens and chance.random() < merged:
                tokens[-1] += bytes([byte])
            else:
                tokens.append(bytes([byte]))
    return tuple(tokens)


def random_words(chance: Random, letters: str = "abc", most: int = 5, merged: float = 0.0) -> dict:
    """Return a few words with counts."""
    return {random_word(chance, letters, merged=merged): chance.randint(1, 4) for _ in range(chance.randint(1, most))}
