"""The words of the stories, read from `lexicon.txt`, and how each is put together."""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from stories.morphology import Morphemes, spell, split_spelling

LEXICON = Path(__file__).with_name("lexicon.txt")
FORMS = {"nouns": ("s",), "verbs": ("s", "ed", "ing"), "adjectives": ("er", "est", "ly", "ness")}
STARRED = re.compile(r"\*([\w+]+)")


@dataclass
class Lexicon:
    """Words by list; a deed is a phrase with a starred verb, such as `*wash the {dish.s}`."""

    words: dict[str, list[Morphemes]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    deeds: dict[str, list[str]] = field(default_factory=dict)
    irregular: dict[Morphemes, str] = field(default_factory=dict)
    held_out: tuple[str, ...] = ()
    held_out_compounds: tuple[str, ...] = ()

    def verbs(self) -> list[Morphemes]:
        """List the verbs of all deeds, each once, in the order of the file."""
        phrases = [phrase for deeds in self.deeds.values() for phrase in deeds]
        return list(dict.fromkeys(split_word(verb) for phrase in phrases for verb in STARRED.findall(phrase)))


def split_word(entry: str) -> Morphemes:
    """Read a word of the lexicon: `un+tie` is `("un", "tie")`."""
    return tuple(entry.split("+"))


@cache
def lexicon() -> Lexicon:
    """Read the lexicon; it is read once and not to be changed.

    Example:
        >>> ("bake", "er") in lexicon().words["worker"]
        True
    """
    result = Lexicon()
    for (name, kind), lines in _sections(LEXICON.read_text(encoding="utf-8")).items():
        if name == "irregular":
            result.irregular = {split_word(word): form for word, form in map(str.split, lines)}
        elif name == "held-out":
            result.held_out = tuple(" ".join(lines).split())
        elif name == "held-out-compounds":
            result.held_out_compounds = tuple(" ".join(lines).split())
        elif any("*" in line for line in lines):
            result.deeds[name] = lines
        else:
            result.kinds[name] = kind
            result.words[name] = [split_word(word) for word in " ".join(lines).split()]
    return result


def _sections(text: str) -> dict[tuple[str, str], list[str]]:
    """Read `[name] kind` and the lines below it; `#` starts a comment."""
    sections: dict[tuple[str, str], list[str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            name, _, kind = line[1:].partition("]")
            sections[name, kind.strip()] = lines = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return sections


@cache
def _table() -> dict[str, Morphemes]:
    """Map every word that the lexicon can form to its morphemes; names are no words."""
    words = lexicon()
    lists = [(words.verbs(), "verbs")]
    lists += [(entries, words.kinds[name]) for name, entries in words.words.items() if words.kinds[name] != "names"]
    analyses = [entry for entries, _ in lists for entry in entries]
    analyses += [(*entry, form) for entries, kind in lists for entry in entries for form in FORMS.get(kind, ())]
    table: dict[str, Morphemes] = {}
    for analysis in analyses:
        word = spell(analysis, words.irregular)
        if word.isalpha():
            table.setdefault(word, analysis)
    return table


def segmentation(word: str) -> Morphemes:
    """Return the morphemes of a word of the stories, each as it is spelled alone.

    Args:
        word: a word in lower case that the lexicon of the stories can form, whether or not a story has it.

    Raises:
        KeyError: the lexicon has no such word.

    Example:
        >>> segmentation("hopping"), segmentation("baker"), segmentation("snowman")
        (('hop', 'ing'), ('bake', 'er'), ('snow', 'man'))
    """
    try:
        return _table()[word]
    except KeyError:
        raise KeyError(f"{word!r} is no word of the stories' lexicon; segmentations() has them all") from None


def surface_segmentation(word: str) -> Morphemes:
    """Cut a word at the borders of its morphemes, as it is spelled; joined, the parts are the word.

    Arguments and errors as for `segmentation`. An irregular form comes back whole.

    Example:
        >>> surface_segmentation("hopping"), surface_segmentation("unkindness")
        (('hopp', 'ing'), ('un', 'kind', 'ness'))
    """
    return split_spelling(segmentation(word), lexicon().irregular)


def segmentations() -> dict[str, Morphemes]:
    """Return all words that the lexicon can form, with their morphemes.

    Example:
        >>> segmentations()["happier"]
        ('happy', 'er')
    """
    return dict(_table())
