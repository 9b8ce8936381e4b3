"""All words in one row: where pairs stand, how often they occur, and what a merge changes of that.

The words stand one after another as token ids, with a separator between them. A merge joins a token with its right
neighbour in place, as in a linked list, so no word is ever copied; it visits the places of its pair and no others, and
at each of them two old pairs go and two new ones come.
"""

from array import array
from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from bpe_lib.pretokenization import Word

SEPARATOR = -1
"""Stands in the row before, between and after the words."""
GONE = -2
"""Stands in the row where a token was joined to the one on its left."""

IdPair = tuple[int, int]


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
        self._next = array("i", range(1, size + 1))
        self._previous = array("i", range(-1, size - 1))

    def _index_pairs(self) -> None:
        """Find every pair in the row: its count and its places, from left to right."""
        token = np.frombuffer(self._token, np.int32)
        left = np.flatnonzero((token[:-1] != SEPARATOR) & (token[1:] != SEPARATOR)).astype(np.int32)
        base = len(self.tokens)
        key_type = np.min_scalar_type(base**2 - 1)  # 16 bits for single bytes, which sort fastest
        keys = token[left].astype(key_type) * key_type.type(base) + token[left + 1].astype(key_type)
        order = np.argsort(keys, kind="stable")
        keys, left = keys[order], left[order]
        starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
        weights = np.frombuffer(self._weight, np.int64)[left]
        totals = np.add.reduceat(weights, starts) if len(starts) else weights
        pairs = [divmod(key, base) for key in keys[starts].tolist()]
        self.counts: dict[IdPair, int] = dict(zip(pairs, totals.tolist()))
        places = as_array("i", left)
        ends = [*starts[1:].tolist(), len(left)]
        self.places = {pair: places[start:end] for pair, start, end in zip(pairs, starts.tolist(), ends)}

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


def as_array(code: str, numbers: np.ndarray) -> array:
    """Return numbers as an `array`, whose single items Python reads much faster than those of NumPy's."""
    copied = array(code)
    copied.frombytes(numbers.data.cast("B"))
    return copied
