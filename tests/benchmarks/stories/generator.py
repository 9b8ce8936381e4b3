"""The `stories` corpus: small tales made by a generator from the lexicon and the templates beside this module."""

import re
from collections.abc import Iterator

from bpe_course.corpora import END_OF_TEXT
from stories.chance import Chance
from stories.lexicon import lexicon
from stories.telling import Telling
from stories.templates import templates

STORIES_SEED = 1994
STORIES_SIZE = 300_000
WITHOUT_NEWLINE = 30
VERY_LONG = 60
_PARTS_OF_LONG = 30
_A = re.compile(r"\b([Aa]) (?=(?!uni|use|one\b|once\b|eu)[aeiou]|hour\b|honest)", re.IGNORECASE)
_SENTENCE = re.compile(r"(^|[.!?] |\n)([a-z])")
_WORD = re.compile(r"[^\W\d_]+")


def generate_stories(size: int = STORIES_SIZE, seed: int = STORIES_SEED) -> Iterator[str]:
    """Tell stories, each closed by `<|endoftext|>`, until they are `size` bytes or a little more.

    The same seed gives the same stories on every system, and a larger size only more of them. With the defaults they
    are `bpe_course.corpora.text("stories")`.

    Args:
        size: bytes of UTF-8; 0 gives none.
        seed: any integer.

    Example:
        >>> [story.endswith("<|endoftext|>") for story in generate_stories(size=1)]
        [True]
    """
    chance = Chance(seed)
    told, number = 0, 0
    while told < size:
        story = _one_story(chance, number) + END_OF_TEXT
        told += len(story.encode("utf-8"))
        number += 1
        yield story


def _one_story(chance: Chance, number: int) -> str:
    """Tell a story: one has no newline at its end, one is very long."""
    if number == VERY_LONG:
        tales = [_tale(chance) for _ in range(_PARTS_OF_LONG)]
        story = "\n\n* * *\n\n".join(["This is the longest story in the book.", *tales])
    else:
        story = _tale(chance)
    return _typeset(chance, story + ("" if number == WITHOUT_NEWLINE else "\n"))


def _tale(chance: Chance) -> str:
    """Tell a tale without any of the words that are held out."""
    held_out = frozenset((*lexicon().held_out, *lexicon().held_out_compounds))
    while True:
        plot = chance.deal("plots", templates().plots)
        tale = _SENTENCE.sub(lambda match: match[1] + match[2].upper(), Telling(plot, chance).tell())
        if held_out.isdisjoint(_WORD.findall(tale.lower())):
            return _A.sub(r"\1n ", tale)


def _typeset(chance: Chance, story: str) -> str:
    """Give some stories curly quotes, two spaces between sentences, or the line ends of Windows."""
    if not chance.below(8):
        story = re.sub(r'"([^"]*)"', "“\\1”", story).replace("'", "’")
    if not chance.below(20):
        story = re.sub(r"([.!?]) ", r"\1  ", story)
    if not chance.below(30):
        story = story.replace("\n", "\r\n")
    return story
