"""Encoding long texts: the ids of `encode_pretoken`, with every distinct piece once and all new ones at one time.

A text is cut into pieces (see `bpe_lib.fast.pieces`), most of which have been seen before. The ids of a piece are
remembered as a stretch of one long array, so that encoding known text is nothing but copying stretches. The pre-tokens
of new pieces are merged together: round by round, each makes its merge of lowest rank.
"""

import re
import threading
from collections.abc import Iterator, Mapping
from itertools import islice

import numpy as np

from bpe_lib.encoding import encode_pretoken
from bpe_lib.fast.pieces import FILLED, cut_pieces, pieces_of_numbers
from bpe_lib.fast.rounds import RankTable, merge_in_rounds
from bpe_lib.fast.row import IdPair
from bpe_lib.patterns import EDGE, CutRule
from bpe_lib.pretokenization import special_token_pattern

BLOCK = 1 << 22
"""Bytes that are encoded at a time."""
IDS_OF_A_PIECE = 20
"""What remembered pieces may have on average; in Chinese, say, a piece is a sentence."""
LONG_PRETOKEN = 64
"""Bytes from which on a pre-token is merged on its own, since rounds would be many."""
SLOT_BITS = 19
NO_PIECE = FILLED[0]
"""The number of no piece, and of `EDGE`, which stands for a special token."""


class BulkEncoder:
    """Encodes long texts under a pattern that may be cut.

    Args:
        byte_ids: the id of each of the 256 bytes.
        ranks: rank and product of each pair of ids that merges.
        special_ids: the id of each special token.
        rule: where text may be cut under the pattern.
        cache_size: how many pieces are remembered at the most.

    One encoder may serve several threads; they take turns, a block of text at a time.
    """

    def __init__(
        self,
        byte_ids: list[int],
        ranks: Mapping[IdPair, tuple[int, int]],
        special_ids: Mapping[str, int],
        rule: CutRule,
        cache_size: int,
    ) -> None:
        self._byte_ids = np.array(byte_ids, np.int64)
        self._ranks = ranks
        self._table = RankTable(ranks)
        left, right = np.divmod(np.arange(1 << 16), 256)
        self._byte_ranks = self._table.ranks(self._byte_ids[left], self._byte_ids[right]).reshape(256, 256)
        self._special_ids = {token.encode(): id_ for token, id_ in special_ids.items()}
        self._special = re.compile(special_token_pattern(list(special_ids)).encode()) if special_ids else None
        self._rule, self._cache_size = rule, cache_size
        self._lock = threading.Lock()
        self._forget()

    def _forget(self) -> None:
        """Start anew, knowing only the piece that stands for a special token: entry 0, of one id to be filled in."""
        self.known: dict[bytes, int] = {b"": 0}
        self._stretches = np.array([0]), np.array([1]), np.array([0])
        self._slot_numbers = np.full(1 << SLOT_BITS, NO_PIECE, "<u8")
        self._slot_entries = np.zeros(1 << SLOT_BITS, np.int64)

    def encode(self, data: bytes, with_special_tokens: bool) -> Iterator[np.ndarray]:
        """Yield the ids of a text in UTF-8, a block at a time.

        Args:
            with_special_tokens: whether what is spelled like a special token becomes its id.
        """
        special_ids: Iterator[int] = iter(())
        if with_special_tokens and self._special:
            special_ids = (self._special_ids[token] for token in self._special.findall(data))
            data = self._special.sub(EDGE, data)
        start = 0
        while start < len(data):
            end = self._rule.first_cut(data, start + BLOCK) or len(data)
            with self._lock:
                ids = self._encode_block(data[start:end], special_ids)
                if len(self.known) > self._cache_size or len(self._stretches[2]) > IDS_OF_A_PIECE * self._cache_size:
                    self._forget()
            yield ids
            start = end

    def _encode_block(self, data: bytes, special_ids: Iterator[int]) -> np.ndarray:
        """Return the ids of a block that begins and ends where the text may be cut."""
        short, numbers, others = cut_pieces(data, self._rule)
        entries = np.empty(len(short), np.int64)
        entries[short] = self._entries_of_numbers(numbers)
        entries[~short] = self._entries(others)
        starts, lengths, known_ids = self._stretches
        lengths = lengths[entries]
        ids = copy_stretches(known_ids, starts[entries], lengths)
        special = entries == 0
        ids[np.cumsum(lengths)[special] - 1] = list(islice(special_ids, int(special.sum())))
        return ids

    def _entries_of_numbers(self, numbers: np.ndarray) -> np.ndarray:
        """Return the entries of short pieces, most of them from a table with one place for each hash value."""
        slots = hash_numbers(numbers)
        entries = self._slot_entries[slots]
        missed = np.flatnonzero(self._slot_numbers[slots] != numbers)
        distinct, position = np.unique(numbers[missed], return_inverse=True)
        found = self._entries(pieces_of_numbers(distinct))
        entries[missed] = found[position]
        slots = hash_numbers(distinct)
        free = self._slot_numbers[slots] == NO_PIECE
        self._slot_entries[slots[free]] = found[free]
        self._slot_numbers[slots[free]] = distinct[free]  # last: an interrupt leaves no number without entry
        return entries

    def _entries(self, pieces: list[bytes]) -> np.ndarray:
        """Return the entry of each piece; new pieces get one."""
        new = [piece for piece in dict.fromkeys(pieces) if piece not in self.known]
        if new:
            self._learn(new)
        return np.fromiter(map(self.known.__getitem__, pieces), np.int64, len(pieces))

    def _learn(self, new: list[bytes]) -> None:
        """Remember the ids of new pieces."""
        pretokens: list[bytes] = []
        firsts: list[int] = []
        for piece in new:
            firsts.append(len(pretokens))
            pretokens.extend(self._rule.pretokens(piece))
        distinct = {pretoken: number for number, pretoken in enumerate(dict.fromkeys(pretokens))}
        numbers = list(map(distinct.__getitem__, pretokens))
        ids, starts, lengths = self._merge(list(distinct))
        starts, lengths = starts[numbers], lengths[numbers]
        known_starts, known_lengths, known_ids = self._stretches
        new_lengths = np.add.reduceat(lengths, firsts)
        new_starts = len(known_ids) + np.cumsum(new_lengths) - new_lengths
        new_ids = copy_stretches(ids, starts, lengths)
        all_starts, all_lengths = np.append(known_starts, new_starts), np.append(known_lengths, new_lengths)
        self._stretches = all_starts, all_lengths, np.append(known_ids, new_ids)
        first = len(known_starts)  # not len(self.known): an interrupt before the next line leaves stretches unused
        self.known.update(zip(new, range(first, first + len(new))))

    def _merge(self, pretokens: list[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the ids of all pre-tokens in one array, and where each begins in it and how many it has."""
        sizes = np.fromiter(map(len, pretokens), np.int64, len(pretokens))
        usual, long = np.flatnonzero(sizes <= LONG_PRETOKEN), np.flatnonzero(sizes > LONG_PRETOKEN)
        data = np.frombuffer(b"".join([pretokens[i] for i in usual]), np.uint8)
        ids = self._byte_ids[data]
        first_ranks = self._byte_ranks[data, np.append(data[1:], data[:1])]
        ids, lengths = merge_in_rounds(ids, sizes[usual], first_ranks, self._table)
        parts = [ids]
        for i in long:
            byte_ids = self._byte_ids[np.frombuffer(pretokens[i], np.uint8)].tolist()
            parts.append(np.array(encode_pretoken(byte_ids, self._ranks), np.int64))
        sizes[usual], sizes[long] = lengths, [len(part) for part in parts[1:]]
        order = np.concatenate((usual, long))
        starts = np.empty(len(sizes), np.int64)
        starts[order] = np.cumsum(sizes[order]) - sizes[order]
        return np.concatenate(parts), starts, sizes


def hash_numbers(numbers: np.ndarray) -> np.ndarray:
    """Return a slot for each number (Knuth's multiplicative hashing, by the golden ratio)."""
    return (numbers * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - SLOT_BITS)


def copy_stretches(source: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return stretches of an array, one after another.

    >>> copy_stretches(np.array([10, 11, 12, 13]), np.array([2, 0]), np.array([2, 1])).tolist()
    [12, 13, 10]
    """
    ends = np.cumsum(lengths)
    return source[np.repeat(starts - ends + lengths, lengths) + np.arange(ends[-1] if len(ends) else 0)]
