"""Inverted-index merging: the trainer that touches only what a merge changes.

Three ideas, each of them a lesson:

1. *An index* from each pair to the places where it stands: a merge visits those places and no others.
2. *Changes of counts*: at each place two old pairs go and two new ones come, whatever the rest of the text holds.
3. *A heap with lazy deletion*: a count only ever falls between two entries of its pair, so an entry is checked when
   it comes to the top, and pushed back with today's count if it is stale.

All words stand in one long row of token ids with a separator between them. A merge joins a token with its right
neighbour in place, as in a linked list, so no word is ever copied.
"""

import gc
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from heapq import heapify, heappop, heappush, heapreplace
from itertools import islice

import numpy as np

from bpe_lib.naive import Pair
from bpe_lib.pretokenization import Word

SEPARATOR = -1
"""Stands in the row before, between and after the words."""
GONE = -2
"""Stands in the row where a token was joined to the one on its left."""

IdPair = tuple[int, int]


def train_indexed(words: Mapping[Word | bytes, int], num_merges: int) -> list[Pair]:
    """Return the merges of `train_naive`, in the same order, for a small part of its work.

    Args:
        words: each word as a tuple of tokens, or as `bytes`, which stand for the tuple of its single bytes; and how
            often it occurs.
        num_merges: at most this many merges; fewer come back where no pair is left.

    >>> train_indexed({b"low": 5, b"lower": 2, b"widest": 3, b"newest": 6}, 4)
    [(b's', b't'), (b'e', b'st'), (b'o', b'w'), (b'l', b'ow')]
    """
    with garbage_collection_paused():
        return list(islice(learn_merges(Row(words)), max(num_merges, 0)))


def learn_merges(row: "Row") -> Iterator[Pair]:
    """Yield one merge after another until no pair is left; each changes the row."""
    heap = [row.heap_entry(pair) for pair in row.counts]
    heapify(heap)
    while heap:
        try:
            pair = pop_best(heap, row.counts)
        except IndexError:
            return
        yield row.tokens[pair[0]], row.tokens[pair[1]]
        for new_pair in row.merge(pair):
            heappush(heap, row.heap_entry(new_pair))


def descending(token: bytes) -> str:
    """Return a string that sorts before another one exactly if `token` sorts *after* the other token.

    A heap hands out its least entry; ties go to the greatest pair. Each byte is turned upside down, and an end mark
    above all of them makes a token sort after its own continuations.

    >>> sorted([b"a", b"ab", b"b"], key=descending)
    [b'b', b'ab', b'a']
    """
    return token.translate(UPSIDE_DOWN).decode("latin-1") + "\u0100"


UPSIDE_DOWN = bytes(range(255, -1, -1))


def heap_entry(pair: Pair, count: int) -> tuple[int, str, str, Pair]:
    """Return an entry for `pop_best`: the least entry has the highest count and, of several, the greatest pair.

    >>> min(heap_entry((b"a", b"b"), 2), heap_entry((b"x", b"y"), 2), heap_entry((b"z", b"z"), 1))[-1]
    (b'x', b'y')
    """
    return -count, descending(pair[0]), descending(pair[1]), pair


def pop_best(heap: list[tuple], pair_counts: Mapping) -> tuple:
    """Take the best live pair off the heap and return it; push stale entries back with today's count.

    Args:
        heap: entries `(-count, key, key, pair)` as `heap_entry` makes them. Each live pair has one with at least
            today's count.
        pair_counts: today's counts; a pair that is missing or has count 0 is dead.

    Raises:
        IndexError: no live pair is left.

    >>> pop_best([heap_entry((b"a", b"b"), 9), heap_entry((b"c", b"d"), 5)], {(b"a", b"b"): 3, (b"c", b"d"): 5})
    (b'c', b'd')
    """
    while True:
        negative, first, second, pair = heap[0]
        count = pair_counts.get(pair, 0)
        if count == -negative and count > 0:
            heappop(heap)
            return pair
        if count > 0:
            heapreplace(heap, (-count, first, second, pair))
        else:
            heappop(heap)


class Row:
    """All words in one row of token ids, with the count and the places of every pair.

    Attributes:
        tokens: the bytes of each token id.
        counts: how often each pair of ids occurs today.
        places: for each pair, positions of its left half: all where it stands today, and some where it stood once.
    """

    def __init__(self, words: Mapping[Word | bytes, int]) -> None:
        self.tokens: list[bytes] = [bytes([byte]) for byte in range(256)]
        self.id_of = {token: id_ for id_, token in enumerate(self.tokens)}
        self.sort_keys = [descending(token) for token in self.tokens]
        ids, lengths = self._number(words)
        self._lay_out(ids, lengths, np.fromiter(words.values(), np.int64, len(words)))
        self._index_pairs()

    def _number(self, words: Mapping[Word | bytes, int]) -> tuple[np.ndarray, np.ndarray]:
        """Return the token ids of all words, one after another, and the number of tokens of each word."""
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        if all(isinstance(word, bytes) for word in words):
            return np.frombuffer(b"".join(words), np.uint8), lengths
        ids = [token if isinstance(token, int) else self.id_for(token) for word in words for token in word]
        return np.array(ids, np.int32), lengths

    def id_for(self, token: bytes) -> int:
        """Return the id of a token, a new one if the token is new. Equal bytes are one token, however they arose."""
        if token not in self.id_of:
            self.id_of[token] = len(self.tokens)
            self.tokens.append(token)
            self.sort_keys.append(descending(token))
        return self.id_of[token]

    def _lay_out(self, ids: np.ndarray, lengths: np.ndarray, frequencies: np.ndarray) -> None:
        """Write the words into the row, with a separator before each and one at the end."""
        size = len(ids) + len(lengths) + 1
        ends = np.cumsum(lengths + 1)
        is_token = np.ones(size, bool)
        is_token[0] = is_token[ends] = False
        token = np.full(size, SEPARATOR, np.int32)
        token[is_token] = ids
        self._token = array("i", token.tobytes())
        self._weight = array("q", np.repeat(np.append(frequencies, 0), np.append(lengths + 1, 1)).tobytes())
        self._next = array("i", np.arange(1, size + 1, dtype=np.int32).tobytes())
        self._previous = array("i", np.arange(-1, size - 1, dtype=np.int32).tobytes())

    def _index_pairs(self) -> None:
        """Find every pair in the row: its count and its places, from left to right."""
        token = np.frombuffer(self._token, np.int32)
        left = np.flatnonzero((token[:-1] != SEPARATOR) & (token[1:] != SEPARATOR)).astype(np.int32)
        base = len(self.tokens)
        keys = token[left].astype(np.int64) * base + token[left + 1]
        order = np.argsort(keys.astype(np.min_scalar_type(base**2 - 1)), kind="stable")
        keys, left = keys[order], left[order]
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        weights = np.frombuffer(self._weight, np.int64)[left]
        totals = np.add.reduceat(weights, starts) if len(starts) else weights
        pairs = [divmod(key, base) for key in keys[starts].tolist()]
        self.counts: dict[IdPair, int] = dict(zip(pairs, totals.tolist()))
        places = array("i", left.tobytes())
        ends = [*starts[1:].tolist(), len(left)]
        self.places = {pair: places[start:end] for pair, start, end in zip(pairs, starts.tolist(), ends)}

    def heap_entry(self, pair: IdPair) -> tuple[int, str, str, IdPair]:
        """Return the entry of a pair with today's count; see the function `heap_entry`."""
        return -self.counts[pair], self.sort_keys[pair[0]], self.sort_keys[pair[1]], pair

    def merge(self, pair: IdPair) -> list[IdPair]:
        """Join the pair wherever it stands, from left to right, and return the pairs that this makes."""
        left, right = pair
        new = self.id_for(self.tokens[left] + self.tokens[right])
        before, after = self._join(pair, new)
        del self.counts[pair]
        made = []
        for neighbour, places in after.items():
            made.append(self._exchange((right, neighbour), (new, neighbour), places))
        for neighbour, places in before.items():
            made.append(self._exchange((neighbour, left), (neighbour, new), places))
        return made

    def _join(self, pair: IdPair, new: int) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Write `new` over each occurrence of the pair; return the places of pairs with the token before and after.

        Each is keyed by that neighbouring token. A place whose tokens have changed since it was written down is
        passed over, which also keeps `aaa` from merging twice.
        """
        left, right = pair
        token, next_, previous = self._token, self._next, self._previous
        before: dict[int, list[int]] = defaultdict(list)
        after: dict[int, list[int]] = defaultdict(list)
        for here in self.places.pop(pair):
            if token[here] != left or token[there := next_[here]] != right:
                continue
            ahead, behind = next_[there], previous[here]
            after[token[ahead]].append(here)
            before[token[behind]].append(behind)
            token[here], token[there] = new, GONE
            next_[here], previous[ahead] = ahead, here
        before.pop(SEPARATOR, None)
        after.pop(SEPARATOR, None)
        return before, after

    def _exchange(self, old: IdPair, new: IdPair, places: list[int]) -> IdPair:
        """Move the weight of `places` from one pair to another, note where the new one stands, and return it."""
        weight = sum(map(self._weight.__getitem__, places))
        if old in self.counts:
            self.counts[old] -= weight
        self.counts[new] = self.counts.get(new, 0) + weight
        if new in self.places:
            places = sorted({*places, *self.places[new]})
        self.places[new] = array("i", places)
        return new


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Keep the collector of reference cycles from searching millions of small tuples that hold none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
