"""Encoding one pre-token: replay the merges, the earliest learned first."""

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

IdPair = tuple[int, int]


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
    tokens: list[int | None] = [*ids, None]
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
        tokens[left], tokens[right] = merged, None
        following[left], preceding[after] = after, left
        if before >= 0 and (pair := (tokens[before], merged)) in ranks:
            heappush(heap, (*ranks[pair], before))
        if (pair := (merged, tokens[after])) in ranks:
            heappush(heap, (*ranks[pair], left))
    return [token for token in tokens if token is not None]


STALE = (-1, -1)
