"""Indexed training with a heap, pop by pop, for the heap inspector to draw."""

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace, nsmallest

from bpe_course.widgets.boxes import places_of
from bpe_lib.indexed import build_pair_index, count_changes, heap_entry
from bpe_lib.naive import Pair, count_pairs, merge_pair
from bpe_lib.pretokenization import Word

ENTRIES, WORDS = 8, 8
"""How many entries and words are shown at most."""


@dataclass(frozen=True)
class Entry:
    """An entry of the heap: a pair, the count that it was pushed with, and today's count."""

    pair: Pair
    promised: int
    today: int

    @property
    def state(self) -> str:
        """What the entry is worth: "fresh", "stale" or "dead"."""
        return "dead" if not self.today else "fresh" if self.promised == self.today else "stale"


@dataclass(frozen=True)
class IndexedWord:
    """A word, its position in the list, and whether the index names it for a pair."""

    position: int
    word: Word
    frequency: int
    named: bool


@dataclass(frozen=True)
class Pop:
    """The trainer before one entry is taken off the heap, and what follows from it.

    Attributes:
        number: entries taken off before.
        merges: what is learned so far.
        entries: the first ones, in the order in which they would come to the top; none if the heap is empty.
        entry_count: how many there are.
        back: the place, from 1, to which a stale entry goes back; else 0.
        pushed: the entries that the merge pushes, if the top entry wins.
        words: those that are shown; of many, those that the index names for the pair on the top.
        word_count: how many there are.
        named_count: how many words the index names for it.
        held_count: how many of these still hold it.
    """

    number: int
    merges: tuple[Pair, ...]
    entries: tuple[Entry, ...]
    entry_count: int
    back: int
    pushed: tuple[Entry, ...]
    words: tuple[IndexedWord, ...]
    word_count: int
    named_count: int
    held_count: int


class Training:
    """Indexed training with a heap, one pop at a time."""

    def __init__(self, words: Mapping[Word, int]) -> None:
        self.words, self.frequencies = list(words), list(words.values())
        self.counts, self.index = count_pairs(words), build_pair_index(self.words)
        self.heap = [heap_entry(pair, count) for pair, count in self.counts.items()]
        heapify(self.heap)
        self.number, self.merges = 0, []

    def pop(self) -> Pop:
        """Do what `pop_best` does with the entry on the top; if it wins, merge. Return how it was before."""
        entries = tuple(self.entry(item) for item in nsmallest(ENTRIES, self.heap))
        pair, size, merges = (entries[0].pair if entries else None), len(self.heap), tuple(self.merges)
        words, named, held = self.look_up(pair)
        back, pushed = self.settle(entries[0]) if entries else (0, ())
        self.number += 1
        return Pop(self.number - 1, merges, entries, size, back, pushed, words, len(self.words), named, held)

    def entry(self, item: tuple) -> Entry:
        """Return an item of the heap with today's count."""
        return Entry(item[-1], -item[0], self.counts.get(item[-1], 0))

    def look_up(self, pair: Pair | None) -> tuple[tuple[IndexedWord, ...], int, int]:
        """Return the words to show for a pair, how many the index names, and how many of these hold it."""
        named = self.index.get(pair, set())
        shown = range(len(self.words)) if len(self.words) <= WORDS else sorted(named)[:WORDS]
        words = tuple(IndexedWord(i, self.words[i], self.frequencies[i], i in named) for i in shown)
        return words, len(named), sum(bool(places_of(self.words[i], pair)) for i in named)

    def settle(self, top: Entry) -> tuple[int, tuple[Entry, ...]]:
        """Take the entry on the top off; return the place to which it goes back, and what a merge pushes."""
        if top.state == "stale":
            item = heap_entry(top.pair, top.today)
            heapreplace(self.heap, item)
            return 1 + sum(other < item for other in self.heap), ()
        heappop(self.heap)
        return 0, self.merge(top.pair) if top.state == "fresh" else ()

    def merge(self, pair: Pair) -> tuple[Entry, ...]:
        """Merge a pair in the words that the index names; return the entries pushed for counts that rose."""
        self.merges.append(pair)
        risen: dict[Pair, None] = {}
        for i in sorted(self.index.pop(pair)):
            old, new = self.words[i], merge_pair(self.words[i], pair)
            self.words[i] = new
            for changed, by in count_changes(old, new, self.frequencies[i]).items():
                self.counts[changed] = self.counts.get(changed, 0) + by
                risen |= {changed: None} if by > 0 else {}
            for held in zip(new, new[1:]):
                self.index.setdefault(held, set()).add(i)
        items = [heap_entry(changed, self.counts[changed]) for changed in risen if self.counts[changed]]
        for item in items:
            heappush(self.heap, item)
        return tuple(self.entry(item) for item in sorted(items))


def heap_pops(words: Mapping[Word, int], num_merges: int) -> list[Pop]:
    """Return the states of training with a heap, one before each pop, and the one that ends it.

    Args:
        words: each word as a tuple of tokens, and how often it occurs.
        num_merges: at most this many merges.

    >>> pops = heap_pops({(b"a", b"b", b"c"): 2, (b"b", b"c"): 7}, 9)
    >>> [(pop.entries[0].pair, pop.entries[0].state) for pop in pops[:-1]]
    [((b'b', b'c'), 'fresh'), ((b'a', b'bc'), 'fresh'), ((b'a', b'b'), 'dead')]
    """
    training = Training(words)
    pops = []
    while training.heap and len(training.merges) < num_merges:
        pops.append(training.pop())
    return [*pops, training.pop()]
