"""Indexing words: `build_pair_index`, `count_changes` and `merge_pair` for all of them at once, in one row of ids.

The words stand one after another as token ids, with a separator between them. A merge joins a token with its right
neighbour in place, as in a linked list, so no word is ever copied; it visits the places of its pair and no others, and
at each of them two old pairs go and two new ones come. Few places are visited one by one; for many, NumPy does each
step at all of them at once, in the same memory.
"""

import gc
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from operator import mul

import numpy as np

from bpe_lib.fast.arrays import as_array, run_starts
from bpe_lib.pretokenization import Word

SEPARATOR = -1
"""Stands in the row before, between and after the words."""
GONE = -2
"""Stands in the row where a token was joined to the one on its left."""

MANY = 64
"""Places of a pair from which on arrays are faster than a loop."""

IdPair = tuple[int, int]

Words = Mapping[Word, int] | Mapping[bytes, int]
"""Words with their counts; `bytes` stand for the tuple of their single bytes."""

Group = tuple[int, array, int]
"""A token (or another key), places that have it in common, and their weight together."""


class Row:
    """All words in one row of token ids, with the count and the places of every pair.

    Attributes:
        tokens: the bytes of each token id.
        counts: how often each pair of ids occurs today.
        places: for each pair, positions of its left half: all where it stands today, and some where it stood once.
    """

    def __init__(self, words: Words) -> None:
        self.tokens: list[bytes] = [bytes([byte]) for byte in range(256)]
        self.id_of = {token: id_ for id_, token in enumerate(self.tokens)}
        check_counts(words)
        ids, lengths = self._number(words)
        self._lay_out(ids, lengths, np.fromiter(words.values(), np.int64, len(words)))
        self._index_pairs()

    def _number(self, words: Words) -> tuple[np.ndarray, np.ndarray]:
        """Return the token ids of all words, one after another, and the number of tokens of each word."""
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        data = [word for word in words if isinstance(word, bytes)]
        if len(data) == len(words):
            return np.frombuffer(b"".join(data), np.uint8), lengths
        ids = [token if isinstance(token, int) else self.id_for(token) for word in words for token in word]
        return np.array(ids, np.int32), lengths

    def id_for(self, token: bytes) -> int:
        """Return the id of a token, a new one if the token is new. Equal bytes are one token, however they arose."""
        if token not in self.id_of:
            self.id_of[token] = len(self.tokens)
            self.tokens.append(token)
        return self.id_of[token]

    def _lay_out(self, ids: np.ndarray, lengths: np.ndarray, frequencies: np.ndarray) -> None:
        """Write the words into the row, with a separator before each and one at the end."""
        size = len(ids) + len(lengths) + 1
        ends = np.cumsum(lengths + 1)
        is_token = np.ones(size, bool)
        is_token[0] = is_token[ends] = False
        token = np.full(size, SEPARATOR, np.int32)
        token[is_token] = ids
        self._token = as_array("i", token)
        self._weight = as_array("q", np.repeat(np.append(frequencies, 0), np.append(lengths + 1, 1)))
        self._next = as_array("i", np.arange(1, size + 1, dtype=np.int32))
        self._previous = as_array("i", np.arange(-1, size - 1, dtype=np.int32))
        self._token_array = np.frombuffer(self._token, np.int32)  # the same memory, for work on many places at once
        self._next_array = np.frombuffer(self._next, np.int32)
        self._previous_array = np.frombuffer(self._previous, np.int32)
        self._weight_array = np.frombuffer(self._weight, np.int64)

    def _index_pairs(self) -> None:
        """Find every pair in the row: its count and its places, from left to right."""
        token = self._token_array
        left = np.flatnonzero((token[:-1] != SEPARATOR) & (token[1:] != SEPARATOR)).astype(np.int32)
        base = len(self.tokens)
        key_type = np.min_scalar_type(base**2 - 1)  # 16 bits for single bytes, which sort fastest
        keys = token[left].astype(key_type) * key_type.type(base) + token[left + 1].astype(key_type)
        groups = self._group(keys, left)
        pairs = [divmod(key, base) for key, _, _ in groups]
        self.counts: dict[IdPair, int] = {pair: weight for pair, (_, _, weight) in zip(pairs, groups)}
        self.places = {pair: places for pair, (_, places, _) in zip(pairs, groups)}

    def merge(self, pair: IdPair) -> list[IdPair]:
        """Join the pair wherever it stands, from left to right, and return the pairs that this makes."""
        left, right = pair
        new = self.id_for(self.tokens[left] + self.tokens[right])
        places = self.places.pop(pair)
        join = self._join_at_once if len(places) >= MANY and left != right else self._join_one_by_one
        before, after = join(pair, new, places)
        del self.counts[pair]
        made = [self._exchange((right, token), (new, token), at, n) for token, at, n in after if token != SEPARATOR]
        made += [self._exchange((token, left), (token, new), at, n) for token, at, n in before if token != SEPARATOR]
        return made

    def _join_one_by_one(self, pair: IdPair, new: int, places: array) -> tuple[list[Group], list[Group]]:
        """Write `new` over each occurrence of the pair; return the places of pairs with the token before and after.

        Both are grouped by that neighbouring token. A place whose tokens have changed since it was written down is
        passed over, which also keeps `aaa` from merging twice.
        """
        left, right = pair
        token, next_, previous = self._token, self._next, self._previous
        before: dict[int, list[int]] = defaultdict(list)
        after: dict[int, list[int]] = defaultdict(list)
        for here in places:
            if token[here] != left or token[there := next_[here]] != right:
                continue
            ahead, behind = next_[there], previous[here]
            after[token[ahead]].append(here)
            before[token[behind]].append(behind)
            token[here], token[there] = new, GONE
            next_[here], previous[ahead] = ahead, here
        return self._weigh(before), self._weigh(after)

    def _join_at_once(self, pair: IdPair, new: int, places: array) -> tuple[list[Group], list[Group]]:
        """Do what `_join_one_by_one` does for many places with few operations on arrays; never with `aa`."""
        left, right = pair
        token, next_, previous = self._token_array, self._next_array, self._previous_array
        here = np.frombuffer(places, np.int32)
        here = here[token[here] == left]
        there = next_[here]
        is_pair = token[there] == right
        here, there = here[is_pair], there[is_pair]
        ahead = next_[there]
        after = self._group(token[ahead], here)
        token[here], token[there] = new, GONE
        next_[here], previous[ahead] = ahead, here
        behind = previous[here]  # in `abab` the second finds what the first has become
        return self._group(token[behind], behind), after

    def _weigh(self, groups: dict[int, list[int]]) -> list[Group]:
        """Return the groups with their weights."""
        weight_at = self._weight.__getitem__
        return [(key, array("i", places), sum(map(weight_at, places))) for key, places in groups.items()]

    def _group(self, keys: np.ndarray, places: np.ndarray) -> list[Group]:
        """Return places grouped by key, with their weights."""
        order = np.argsort(keys, kind="stable")
        keys, places = keys[order], places[order]
        starts = run_starts(keys)
        weights = np.add.reduceat(self._weight_array[places], starts).tolist()
        ends = [*starts[1:].tolist(), len(places)]
        all_places = as_array("i", places)
        rows = zip(keys[starts].tolist(), starts.tolist(), ends, weights)
        return [(key, all_places[start:end], weight) for key, start, end, weight in rows]

    def _exchange(self, old: IdPair, new: IdPair, places: array, weight: int) -> IdPair:
        """Move the weight of `places` from one pair to another, note where the new one stands, and return it."""
        counts = self.counts
        if old in counts:
            counts[old] -= weight
        if new in counts:
            counts[new] += weight
            places = array("i", sorted({*places, *self.places[new]}))
        else:
            counts[new] = weight
        self.places[new] = places
        return new


def check_counts(words: Words) -> None:
    """Raise a ValueError if the counts of pairs might not fit into 64 bits, in which they are added."""
    total = sum(map(mul, map(len, words), words.values()))
    if total >= 1 << 63:
        raise ValueError(f"the words have {total:,} tokens in all, counts included: there must be fewer than 2**63")


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
