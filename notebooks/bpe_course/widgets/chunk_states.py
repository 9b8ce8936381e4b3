"""Even cuts of a file, where they move, and the chunks that come of it."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from bpe_lib.chunking import find_chunk_boundaries, find_token


@dataclass(frozen=True)
class Cut:
    """An even cut, and where it moves.

    Attributes:
        even: offset in bytes where it falls if all chunks are to be of one length.
        boundary: offset of the next special token, or of the end of the file.
        inside: where the special token begins inside which it falls, or None.
    """

    even: int
    boundary: int
    inside: int | None


@dataclass(frozen=True)
class Chunking:
    """A file, cut into chunks.

    Attributes:
        data: the file.
        token: the special token.
        desired: how many chunks were asked for.
        cuts: the even cuts, in order.
        boundaries: where the chunks begin, and the end.
    """

    data: bytes
    token: bytes
    desired: int
    cuts: tuple[Cut, ...]
    boundaries: tuple[int, ...]

    @property
    def sizes(self) -> list[int]:
        """The bytes of each chunk."""
        return [end - start for start, end in zip(self.boundaries, self.boundaries[1:])]

    @property
    def share(self) -> float:
        """The bytes that each chunk would have if all were equal."""
        return len(self.data) / self.desired

    @property
    def imbalance(self) -> float:
        """How many times the even share the longest chunk has: the time of the slowest worker."""
        return max(self.sizes, default=0) / self.share if self.data else 1.0

    def arrivals(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each offset where cuts arrive, with the numbers of these cuts, which begin at 1."""
        numbered = enumerate(self.cuts, start=1)
        for boundary, group in groupby(numbered, key=lambda pair: pair[1].boundary):
            yield boundary, [number for number, _ in group]


def token_starts(data: bytes, token: bytes) -> list[int]:
    """Return where special tokens begin.

    >>> token_starts(b"a<e>b<e>", b"<e>")
    [1, 5]
    """
    parts = data.split(token)[:-1]
    return [sum(map(len, parts[: i + 1])) + i * len(token) for i in range(len(parts))]


def chunk(data: bytes, desired: int, token: bytes) -> Chunking:
    """Return where the even cuts of a file fall, and where they move.

    Args:
        data: a small file.
        desired: how many chunks are asked for.
        token: the special token.

    Raises:
        ValueError: fewer than one chunk is asked for, or the token is empty.

    >>> chunk(b"aaa<e>bbbb<e>", 4, b"<e>").cuts[1]
    Cut(even=6, boundary=10, inside=None)
    """
    file = io.BytesIO(data)
    boundaries = find_chunk_boundaries(file, desired, token)
    starts, cuts = token_starts(data, token), []
    for even in (i * (len(data) // desired) for i in range(1, desired)):
        found = find_token(file, even, token)
        inside = next((start for start in starts if start < even < start + len(token)), None)
        cuts.append(Cut(even, found if found >= 0 else len(data), inside))
    return Chunking(data, token, desired, tuple(cuts), tuple(boundaries))
