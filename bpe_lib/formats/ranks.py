"""From tiktoken's ranks back to merges.

Ranks name no merges: any two neighbours merge that joined are a token. But one pair alone ever makes a given token: the
last two parts when its own bytes are merged. For as long as no merge has crossed the edges of a stretch of text, what
happens inside it does not depend on what lies around it. So that pair is the merge, and the others never occur.
"""

from collections.abc import Mapping
from itertools import groupby

import numpy as np

from bpe_lib.fast.rounds import RankTable, merge_in_rounds
from bpe_lib.naive import Pair


def recover_merges(ranks: Mapping[bytes, int]) -> tuple[list[Pair], list[bytes]]:
    """Return the merges that ranks stand for, in order, and the tokens that no merge makes.

    Each token's bytes are merged until two tokens are left: these two make it. What merges inside a token is shorter
    than that token, so all tokens of one length are worked out at the same time, the shortest first.

    >>> recover_merges({b"a": 0, b"b": 1, b"ab": 2, b"abab": 3, b"cd": 4})
    ([(b'a', b'b'), (b'ab', b'ab')], [b'cd'])
    """
    byte_ids = np.array([ranks.get(bytes([byte]), -1) for byte in range(256)])
    halves: dict[int, tuple[int, int]] = {}
    table = RankTable()
    for length, group in groupby(sorted(filter(None, ranks), key=len), key=len):
        if length > 1:
            tokens = list(group)
            made = np.array([ranks[token] for token in tokens])
            left, right = last_two(byte_ids[np.frombuffer(b"".join(tokens), np.uint8)], length, table)
            known = (left >= 0) & (right >= 0)
            table.add(left[known], right[known], made[known], made[known])
            halves.update(zip(made[known].tolist(), zip(left[known].tolist(), right[known].tolist())))
    token_of = {rank: token for token, rank in ranks.items()}
    merges = [(token_of[left], token_of[right]) for _, (left, right) in sorted(halves.items())]
    unmade = [token for rank, token in sorted(token_of.items()) if len(token) > 1 and rank not in halves]
    return merges, unmade


def last_two(ids: np.ndarray, length: int, table: RankTable) -> tuple[np.ndarray, np.ndarray]:
    """Return the two tokens that each word of `length` bytes ends up as, -1 for those that end up as more.

    Args:
        ids: the ids of the bytes of all words, one after another; -1 for a byte that has none.
    """
    lengths = np.full(len(ids) // length, length)
    merged, counts = merge_in_rounds(ids, lengths, table.ranks(ids, np.append(ids[1:], -1)), table)
    ends = np.cumsum(counts)
    return tuple(np.where(counts == 2, merged[ends - i], -1) for i in (2, 1))
