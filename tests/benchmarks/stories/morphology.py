"""English words put together from their parts, with the spelling that this takes, and taken apart again.

A word is written as its morphemes, `("un", "happy", "er")`; `spell` gives `unhappier`.
"""

SUFFIXES = ("s", "ed", "ing", "er", "est", "ly", "ness", "ful", "less", "y")
PREFIXES = ("un", "re")
_VOWELS = frozenset("aeiou")
_DOUBLED_THOUGH_LONG = ("admit", "unzip", "unpin", "rewrap", "unwrap", "unplug", "regret", "label", "travel")
_O_TAKES_ES = ("potato", "tomato", "echo", "hero")

Morphemes = tuple[str, ...]


def spell(morphemes: Morphemes, irregular: dict[Morphemes, str] | None = None) -> str:
    """Join morphemes into a word as it is spelled.

    Args:
        morphemes: prefixes, a stem (or the two of a compound) and suffixes out of `SUFFIXES`, in their order.
        irregular: spellings that the rules don't give, as `{("leaf", "s"): "leaves"}`.

    Example:
        >>> spell(("hop", "ing")), spell(("un", "happy", "er")), spell(("snow", "man"))
        ('hopping', 'unhappier', 'snowman')
    """
    return "".join(split_spelling(morphemes, irregular))


def split_spelling(morphemes: Morphemes, irregular: dict[Morphemes, str] | None = None) -> Morphemes:
    """Cut a word as it is spelled at the borders of its morphemes; the parts joined are the word.

    An irregular form can't be cut and comes back whole. Arguments as for `spell`.

    Example:
        >>> split_spelling(("hop", "ing")), split_spelling(("story", "s")), split_spelling(("happy", "ness"))
        (('hopp', 'ing'), ('stori', 'es'), ('happi', 'ness'))
    """
    if irregular and morphemes in irregular:
        return (irregular[morphemes],)
    parts: list[str] = []
    for position, morpheme in enumerate(morphemes):
        if position and morpheme in SUFFIXES:
            word = "".join(parts)
            changed, ending = _attach(word, morpheme)
            parts[-1] = changed[len(word) - len(parts[-1]) :]
            parts.append(ending)
        else:
            parts.append(morpheme)
    return tuple(parts)


def _attach(word: str, suffix: str) -> tuple[str, str]:
    """Return the word as it changes before the suffix, and the suffix as it is then spelled."""
    if suffix == "s":
        return _before_s(word)
    if suffix == "ly" and word.endswith("le") and word[-3] not in _VOWELS:
        return word[:-2], "ly"  # gentle, gently
    if suffix in ("ed", "ing", "er", "est", "y"):
        return _before_vowel(word, suffix), suffix
    return (word[:-1] + "i" if _ends_in_consonant_y(word) and len(word) > 3 else word), suffix


def _before_s(word: str) -> tuple[str, str]:
    """Spell the plural, or the third person."""
    if _ends_in_consonant_y(word):
        return word[:-1] + "i", "es"
    if word.endswith(("s", "x", "z", "ch", "sh")) or word in _O_TAKES_ES:
        return word, "es"
    return word, "s"


def _before_vowel(word: str, suffix: str) -> str:
    """Drop a silent e, turn y into i or ie into y, or double the last consonant."""
    if suffix == "ing" and word.endswith("ie"):
        return word[:-2] + "y"  # tie, tying
    if word.endswith("e") and (suffix not in ("ing", "y") or not word.endswith(("ee", "oe", "ye"))):
        return word[:-1]
    if _ends_in_consonant_y(word) and suffix != "ing":
        return word[:-1] + "i"
    return word + word[-1] if _doubles(word) else word


def _ends_in_consonant_y(word: str) -> bool:
    return len(word) > 1 and word[-1] == "y" and word[-2] not in _VOWELS


def _doubles(word: str) -> bool:
    """Say whether the last consonant doubles: one vowel letter before it, in a word of one syllable."""
    if len(word) < 3 or word[-1] in "aeiouwxy" or word[-2] not in _VOWELS:
        return False
    if word[-3] in _VOWELS and not word.startswith(("qu", "squ")):
        return False
    vowels = sum(letter in "aeiouy" for letter in word) - word.startswith(("qu", "squ", "y"))
    return vowels == 1 or word in _DOUBLED_THOUGH_LONG
