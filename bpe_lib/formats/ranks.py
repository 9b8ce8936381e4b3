"""From tiktoken's ranks back to merges.

Ranks name no merges: any two neighbours merge that joined are a token. But one pair alone ever makes a given token: the
last two parts when its own bytes are merged. For as long as no merge has crossed the edges of a stretch of text, what
happens inside it does not depend on what lies around it. So that pair is the merge, and the others never occur.
"""

from collections.abc import Mapping

from bpe_lib.encoding import encode_pretoken
from bpe_lib.naive import Pair


def recover_merges(ranks: Mapping[bytes, int]) -> tuple[list[Pair], list[bytes]]:
    """Return the merges that ranks stand for, in order, and the tokens that no merge makes.

    Each token's bytes are merged until two tokens are left: these two make it.

    >>> recover_merges({b"a": 0, b"b": 1, b"ab": 2, b"abab": 3, b"cd": 4})
    ([(b'a', b'b'), (b'ab', b'ab')], [b'cd'])
    """
    tokens = {rank: token for token, rank in ranks.items()}
    joined = JoinedRanks(ranks, tokens)
    merges, unmade = [], []
    for rank in sorted(tokens):
        token = tokens[rank]
        if len(token) < 2:
            continue
        byte_ids = [ranks.get(token[i : i + 1], -1 - i) for i in range(len(token))]
        joined.excluded = rank
        halves = byte_ids if len(token) == 2 else encode_pretoken(byte_ids, joined)
        if len(halves) == 2 and min(halves) >= 0:
            merges.append((tokens[halves[0]], tokens[halves[1]]))
        else:
            unmade.append(token)
    return merges, unmade


class JoinedRanks(dict):
    """Rank and product of any pair of tokens that joined are a token, worked out when first asked for."""

    def __init__(self, ranks: Mapping[bytes, int], tokens: Mapping[int, bytes]) -> None:
        self._ranks, self._tokens = ranks, tokens
        self.excluded = -1
        """The one token that is not made."""

    def __missing__(self, pair: tuple[int, int]) -> tuple[int, int]:
        left, right = (self._tokens.get(id_) for id_ in pair)
        rank = -1 if left is None or right is None else self._ranks.get(left + right, -1)
        self[pair] = rank, rank
        return rank, rank

    def __contains__(self, pair: object) -> bool:
        rank = self[pair][0]
        return rank >= 0 and rank != self.excluded

    def get(self, pair: tuple[int, int], default: tuple[int, int]) -> tuple[int, int]:  # type: ignore[override]
        """Return rank and product of a pair, or `default`."""
        return self[pair] if pair in self else default  # noqa: SIM401  this is how get does it
