"""Encoding pre-tokens: `encode_pretoken` for many at once; in each round, every one makes its merge of lowest rank."""

from collections.abc import Mapping

import numpy as np

from bpe_lib.fast.row import IdPair

NO_MERGE = 1 << 62
"""The rank of a pair that does not merge."""


class RankTable:
    """Ranks and products of many pairs at a time, by binary search.

    >>> table = RankTable()
    >>> table.add(np.array([104]), np.array([101]), np.array([0]), np.array([256]))
    >>> table.ranks(np.array([104, 101]), np.array([101, 104])).tolist() == [0, NO_MERGE]
    True
    """

    def __init__(self, ranks: Mapping[IdPair, tuple[int, int]] | None = None) -> None:
        self._keys, self._ranks = np.array([-1]), np.array([NO_MERGE])
        self.products = np.zeros(0, np.int64)
        """The id that the merge of each rank makes."""
        if ranks:
            self.add(*np.array([*ranks], np.int64).T, *np.array([*ranks.values()], np.int64).T)

    def add(self, left: np.ndarray, right: np.ndarray, ranks: np.ndarray, products: np.ndarray) -> None:
        """Add pairs with their ranks and products."""
        keys = np.append(self._keys, left << 32 | right)
        order = np.argsort(keys, kind="stable")  # quick where most are in order already
        self._keys, self._ranks = keys[order], np.append(self._ranks, ranks)[order]
        missing = max(int(ranks.max(initial=-1)) + 1 - len(self.products), 0)
        self.products = np.append(self.products, np.zeros(missing, np.int64))
        self.products[ranks] = products

    def ranks(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the rank of each pair, `NO_MERGE` for those that don't merge."""
        keys = left << 32 | right
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[found] == keys, self._ranks[found], NO_MERGE)


def merge_in_rounds(
    tokens: np.ndarray, lengths: np.ndarray, rank: np.ndarray, table: RankTable
) -> tuple[np.ndarray, np.ndarray]:
    """Merge many words at once; return their ids, one word after another, and the number of ids of each.

    Args:
        tokens: the ids of the bytes of all words, one after another.
        lengths: how many of them belong to each word; none is 0.
        rank: the rank of each token with the next one, within words and across.
    """
    word = np.repeat(np.arange(len(lengths)), lengths)
    rank[np.cumsum(lengths) - 1] = NO_MERGE
    done: list[tuple[np.ndarray, np.ndarray]] = [(word[:0], tokens[:0])]
    while len(tokens):
        firsts = np.flatnonzero(np.diff(word, prepend=-1))
        best = np.repeat(np.minimum.reduceat(rank, firsts), np.diff(firsts, append=len(tokens)))
        live = best < NO_MERGE
        done.append((word[~live], tokens[~live]))
        word, tokens, rank, best = word[live], tokens[live], rank[live], best[live]
        left = np.flatnonzero(rank == best)
        left = left[np.diff(word[left], prepend=-1) > 0]  # the first of equal pairs in each word
        tokens[left] = table.products[rank[left]]
        kept = np.ones(len(tokens), bool)
        kept[left + 1] = False
        word, tokens, rank = word[kept], tokens[kept], rank[kept]
        left -= np.arange(len(left))  # every word before lost one token
        for changed in (left, left[left > 0] - 1):
            rank[changed] = pair_ranks(tokens, word, changed, table)
    words, ids = (np.concatenate(arrays) for arrays in zip(*done))
    return ids[np.argsort(words, kind="stable")], np.bincount(words, minlength=len(lengths))


def pair_ranks(tokens: np.ndarray, word: np.ndarray, left: np.ndarray, table: RankTable) -> np.ndarray:
    """Return the ranks of the pairs whose left halves stand at these positions."""
    right = np.minimum(left + 1, len(tokens) - 1)
    within_word = (word[left] == word[right]) & (left != right)
    return np.where(within_word, table.ranks(tokens[left], tokens[right]), NO_MERGE)
