"""Counting work instead of measuring time: tokens that note how often they are looked up in a dict or set."""

from collections.abc import Iterator, Mapping
from copy import copy

from bpe_lib.naive import Pair
from bpe_lib.pretokenization import Word


class Tally:
    """How often the tokens of one run were hashed, and how often compared.

    Attributes:
        lookups: pairs looked up in a dict or set, two tokens for each.
        comparisons: tokens compared with others, as `merge_pair` does all along a word.
    """

    def __init__(self) -> None:
        self.lookups = self.comparisons = 0


class CountingToken(bytes):
    """A token that is `bytes`, and tells a tally whenever it is hashed (looked up, counted) or compared."""

    tally: Tally

    def __new__(cls, data: bytes, tally: Tally) -> "CountingToken":
        """Return a token that reports to this tally."""
        token = super().__new__(cls, data)
        token.tally = tally
        return token

    def __hash__(self) -> int:
        self.tally.lookups += 1
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        self.tally.comparisons += 1
        return bytes.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __add__(self, other: bytes) -> "CountingToken":
        return CountingToken(bytes.__add__(self, other), self.tally)


def counting_words(words: Mapping[Word, int], tally: Tally) -> dict[Word, int]:
    """Return the words with tokens that report to a tally."""
    tokens = {token: CountingToken(token, tally) for word in words for token in word}
    return {tuple(tokens[token] for token in word): frequency for word, frequency in words.items()}


def measure(train, words: Mapping[Word, int], num_merges: int) -> tuple[Tally, list[Pair]]:
    """Return what work a trainer needs, and the merges it learns, as plain bytes."""
    tally = Tally()
    given = counting_words(words, tally)
    tally.lookups = tally.comparisons = 0
    merges = train(given, num_merges)
    needed = copy(tally)
    return needed, [(bytes(left), bytes(right)) for left, right in merges]


class ManyWords(dict):
    """Words of a case too large to be written out."""

    def __repr__(self) -> str:
        return f"words_of_a_larger_text_of_{len(self)}_words"

    def open(self) -> dict[Word, int]:
        """Return the words as a plain dict."""
        return dict(self)

    def smaller(self) -> Iterator["ManyWords"]:
        """Yield nothing: the case is there because it is large."""
        yield from ()
