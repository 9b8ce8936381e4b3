"""Encoding one pre-token: replay the merges, the earliest learned first; and remember what came out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush

from bpe_lib.fast.row import IdPair
from bpe_lib.naive import Pair

BYTES_OF_A_PRETOKEN = 400
"""What a remembered pre-token may take on average."""


def encode_pretoken(ids: Sequence[int], ranks: Mapping[IdPair, tuple[int, int]]) -> list[int]:
    """Return the ids of a pre-token after merging, lowest rank first and equal pairs from left to right.

    A heap holds the pairs that can merge, and tokens are linked to their neighbours, so n tokens take O(n log n) time.

    Args:
        ids: the ids of the pre-token's bytes.
        ranks: for each pair of ids that merges, its rank and the id that it becomes.

    >>> th_e = {(1, 2): (0, 4), (0, 1): (1, 3)}  # ids 0 t, 1 h, 2 e; "h e" was learned before "t h"
    >>> encode_pretoken([0, 1, 2], th_e)
    [0, 4]
    """
    tokens = [*ids, GONE]
    following = list(range(1, len(tokens) + 1))
    preceding = list(range(-1, len(tokens) - 1))
    heap = [(*ranks[pair], left) for left, pair in enumerate(zip(ids, ids[1:])) if pair in ranks]
    heapify(heap)
    while heap:
        rank, merged, left = heappop(heap)
        right = following[left]
        if ranks.get((tokens[left], tokens[right]), STALE)[0] != rank:
            continue
        before, after = preceding[left], following[right]
        tokens[left], tokens[right] = merged, GONE
        following[left], preceding[after] = after, left
        if before >= 0 and (pair := (tokens[before], merged)) in ranks:
            heappush(heap, (*ranks[pair], before))
        if (pair := (merged, tokens[after])) in ranks:
            heappush(heap, (*ranks[pair], left))
    return [token for token in tokens if token != GONE]


GONE = -1 << 62
"""No token: what has merged into its left neighbour, or the end."""
STALE = (-1, -1)


def rank_merges(merges: Iterable[Pair], ids: Mapping[bytes, int]) -> dict[IdPair, tuple[int, int]]:
    """Return rank and product of each merge, all in ids; of two equal merges the first counts.

    Raises:
        ValueError: a half of a merge is empty, or a half or the product is not in the vocabulary.
    """
    ranks: dict[IdPair, tuple[int, int]] = {}
    for rank, (left, right) in enumerate(merges):
        if not (left and right):
            raise ValueError(f"merge {rank}, {left!r} + {right!r}, has an empty half")
        for token in (left, right, left + right):
            if token not in ids:
                raise ValueError(f"merge {rank}, {left!r} + {right!r}, needs {token!r}, which the vocabulary lacks")
        ranks.setdefault((ids[left], ids[right]), (rank, ids[left + right]))
    return ranks


class PretokenCache(dict[bytes, Sequence[int]]):
    """The ids of pre-tokens: looked up, or worked out and remembered.

    Everything is forgotten once there are over `size` pre-tokens, or fewer long ones of the same weight.
    """

    def __init__(self, encode: Callable[[bytes], Sequence[int]], size: int) -> None:
        self._encode, self._size = encode, size
        self._room = size * BYTES_OF_A_PRETOKEN

    def __missing__(self, pretoken: bytes) -> Sequence[int]:
        ids = self._encode(pretoken)
        cost = 200 + len(pretoken) + 8 * len(ids)
        if cost > self._room or len(self) >= self._size:
            self.clear()
            self._room = self._size * BYTES_OF_A_PRETOKEN
        if cost <= self._room:
            self._room -= cost
            self[pretoken] = ids
        return ids
