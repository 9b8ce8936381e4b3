"""Counting work instead of measuring time: tokens that note how often they are looked up in a dict or set."""

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

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


class WatchedCounts(dict):
    """A table of counts that notes how many of its pairs are looked up; going through it looks all of them up.

    >>> counts = WatchedCounts({"a": 1, "b": 2})
    >>> counts.get("a", 0), sum(counts.values()), counts.looked_up
    (1, 3, 3)
    """

    looked_up = 0

    def __getitem__(self, pair: Pair) -> int:
        self.looked_up += 1
        return super().__getitem__(pair)

    def __contains__(self, pair: object) -> bool:
        self.looked_up += 1
        return super().__contains__(pair)

    def get(self, pair: Pair, default: Any = None) -> Any:
        """Look one pair up."""
        self.looked_up += 1
        return super().get(pair, default)

    def __iter__(self) -> Iterator[Pair]:
        self.looked_up += len(self)
        return super().__iter__()

    def keys(self) -> Any:
        """Look all pairs up."""
        self.looked_up += len(self)
        return super().keys()

    def values(self) -> Any:
        """Look all pairs up."""
        self.looked_up += len(self)
        return super().values()

    def items(self) -> Any:
        """Look all pairs up."""
        self.looked_up += len(self)
        return super().items()


class WatchedEntry(tuple):
    """An entry of a heap that is a tuple, and tells a tally whenever it is compared for order."""

    tally: Tally

    def __new__(cls, entry: tuple, tally: Tally) -> "WatchedEntry":
        """Return an entry that reports to this tally."""
        watched = super().__new__(cls, entry)
        watched.tally = tally
        return watched

    def __lt__(self, other: tuple) -> bool:
        self.tally.comparisons += 1
        return tuple.__lt__(self, other)

    def __gt__(self, other: tuple) -> bool:
        self.tally.comparisons += 1
        return tuple.__gt__(self, other)


class Many:
    """What is too large to be written out as an argument of a case: shown is the code that makes it.

    It goes along with a dict or list.
    """

    def __init__(self, code: str) -> None:
        super().__init__(eval(code))
        self.code = code

    def __repr__(self) -> str:
        return self.code

    def open(self) -> Any:
        """Return it as a plain dict or list, which may be changed."""
        return next(kind for kind in (dict, list) if isinstance(self, kind))(self)

    def smaller(self) -> Iterator["Many"]:
        """Yield nothing: the case is there because it is large."""
        yield from ()


class ManyWords(Many, dict):
    """Words with their counts."""


class ManyEntries(Many, list):
    """Pairs with the counts under which they stand on a heap."""


class ManyCounts(Many, dict):
    """Pairs with today's counts."""
