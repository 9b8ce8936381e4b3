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
    tokens = sorted(filter(None, ranks), key=ranks.__getitem__)
    number = {token: i for i, token in enumerate(tokens)}
    byte_numbers = np.array([number.get(bytes([byte]), -1) for byte in range(256)])
    halves = np.full((len(tokens), 2), -1)
    table = RankTable()
    for length, group in groupby(sorted(tokens, key=len), key=len):
        if length > 1:
            same = list(group)
            made = np.array([number[token] for token in same])
            halves[made] = last_two(byte_numbers[np.frombuffer(b"".join(same), np.uint8)], length, table)
            made = made[halves[made].min(1) >= 0]
            table.add(halves[made, 0], halves[made, 1], made, made)
    pairs = halves.tolist()
    merges = [(tokens[left], tokens[right]) for left, right in pairs if min(left, right) >= 0]
    return merges, [token for token, pair in zip(tokens, pairs) if min(pair) < 0 and len(token) > 1]


def last_two(numbers: np.ndarray, length: int, table: RankTable) -> np.ndarray:
    """Return the two tokens that each word of `length` bytes ends up as, a row each; −1 where it ends up as more.

    Args:
        numbers: the bytes of all words, one after another, as numbers of tokens; −1 for a byte that is no token.
    """
    lengths = np.full(len(numbers) // length, length)
    merged, counts = merge_in_rounds(numbers, lengths, table.ranks(numbers, np.append(numbers[1:], -1)), table)
    ends = np.cumsum(counts)
    return np.where(counts == 2, [merged[ends - 2], merged[ends - 1]], -1).T
