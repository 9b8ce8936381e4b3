"""Count before you split: GPT-2's pre-tokens counted without running its pattern over the whole text.

Inside a pre-token of GPT-2's pattern,

* a letter is followed by nothing but letters, and a digit by nothing but digits;
* a mark (anything else but whitespace) is never followed by a letter or digit, unless it is an apostrophe;
* and nothing but whitespace is followed by whitespace.

So a pre-token ends wherever one of these rules would be broken, and the text may be cut there first. That gives
*pieces*, each of one or a few pre-tokens. Cutting and counting pieces is quick, and the pattern then has to look at
each distinct piece only once. Nothing to the right of such a cut can change what is matched on its left: the pattern
looks ahead only from whitespace (`\\s+(?!\\S)`), and a piece never ends in whitespace unless the document does.

The rules are GPT-2's. In `cl100k_base`, say, `!\\n` is one pre-token, which the third rule would cut in two.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, groupby

import numpy as np

from bpe_lib.fast.arrays import run_starts
from bpe_lib.pretokenization import GPT2_PATTERN, WHITESPACE, compile_pattern, special_token_pattern

EDGE = b"\xff"
"""Written over special tokens: a byte that UTF-8 never uses."""

LETTER, DIGIT, APOSTROPHE, MARK, SPACE, BEYOND_ASCII, EDGE_KIND = range(7)
SHORT = 8
"""A piece of up to this many bytes is counted as one 64-bit number."""
MANY = 1 << 17
"""Distinct pieces from which on long ones go through the pattern and short ones are added up."""


def kind_of_byte(byte: int) -> int:
    """Return what a byte is to GPT-2's pattern, as far as one byte tells."""
    if byte >= 128:
        return EDGE_KIND if byte == EDGE[0] else BEYOND_ASCII
    character = chr(byte)
    if character in WHITESPACE:
        return SPACE
    if character == "'":
        return APOSTROPHE
    return LETTER if character.isalpha() else DIGIT if character.isdigit() else MARK


def is_cut(before: int, after: int) -> bool:
    """Return whether a pre-token always ends between two bytes of these kinds."""
    if EDGE_KIND in (before, after):
        return True
    if after == SPACE:
        return before != SPACE
    if before in (LETTER, DIGIT):
        return after not in (before, BEYOND_ASCII)
    return before == MARK and after in (LETTER, DIGIT)


KINDS = bytes(map(kind_of_byte, range(256)))
CUTS = bytes(is_cut(pair_of_kinds >> 3, pair_of_kinds & 7) for pair_of_kinds in range(256))
WIDE_WHITESPACE = [
    re.compile(re.escape(first) + b"(?:" + b"|".join(re.escape(character[1:]) for character in group) + b")")
    for first, group in groupby(sorted(c.encode() for c in WHITESPACE if ord(c) > 127), key=lambda c: c[:1])
]
"""Whitespace beyond ASCII, a pattern for each first byte: four searches for one byte are quicker than one for four."""
FIND_PRETOKENS = compile_pattern(GPT2_PATTERN).findall
FILLED = np.array([(1 << 64) - (1 << 8 * length) for length in range(SHORT + 1)], "<u8")


def cut_places(data: bytes) -> np.ndarray:
    """Return the offsets at which `data` (UTF-8, with `EDGE` for special tokens) is cut into pieces, ends included.

    >>> cut_places(b"it's  7:30").tolist()
    [0, 2, 4, 7, 8, 10]
    """
    kinds = bytearray(data.translate(KINDS))
    if not data.isascii():
        for match in chain.from_iterable(pattern.finditer(data) for pattern in WIDE_WHITESPACE):
            kinds[match.start() : match.end()] = bytes([SPACE]) * len(match[0])
    kind = np.frombuffer(kinds, np.uint8)
    pairs_of_kinds = (kind[:-1] << 3 | kind[1:]).tobytes()
    cut = np.frombuffer(pairs_of_kinds.translate(CUTS), bool)
    return np.concatenate(([0], np.flatnonzero(cut) + 1, [len(data)]))


def cut_pieces(data: bytes) -> tuple[np.ndarray, np.ndarray, list[bytes]]:
    """Return which pieces are short (a mask), the short ones as 64-bit numbers, and the others as bytes, in order.

    >>> short, numbers, others = cut_pieces(b"a tokenizer")
    >>> short.tolist(), pieces_of_numbers(numbers), others
    ([True, False], [b'a'], [b' tokenizer'])
    """
    places = cut_places(data)
    starts, ends = places[:-1], places[1:]
    short = ends - starts <= SHORT
    every_8_bytes = np.ndarray((len(data),), "<u8", data + EDGE * SHORT, strides=(1,))
    numbers = every_8_bytes[starts[short]] | FILLED[(ends - starts)[short]]
    others = [data[start:end] for start, end in zip(starts[~short].tolist(), ends[~short].tolist())]
    return short, numbers, others


def pieces_of_numbers(numbers: np.ndarray) -> list[bytes]:
    """Return the short pieces that these numbers stand for; `EDGE` comes back as `b""`."""
    raw = numbers.tobytes()
    return [raw[i : i + SHORT].rstrip(EDGE) for i in range(0, len(raw), SHORT)]


def split_piece(piece: bytes) -> Iterable[bytes]:
    """Return the pre-tokens of a piece.

    >>> list(split_piece(b" tokenizer")), list(split_piece(b"it'"))
    ([b' tokenizer'], [b'it', b"'"])
    """
    if piece.removeprefix(b" ").isalpha():  # a word in ASCII: nothing to split
        return (piece,)
    return map(str.encode, FIND_PRETOKENS(piece.decode()))


class PieceCounter:
    """Counts GPT-2's pre-tokens in blocks of text, by counting pieces first.

    >>> counter = PieceCounter(["<|end|>"])
    >>> counter.add(b"hi hi<|end|>hi")
    >>> counter.pretokens()
    Counter({b'hi': 2, b' hi': 1})
    """

    def __init__(self, special_tokens: Sequence[str] = ()) -> None:
        self._special = re.compile(special_token_pattern(special_tokens).encode()) if special_tokens else None
        self._short = NumberCounter()
        self._long: Counter[bytes] = Counter()
        self._pretokens: Counter[bytes] = Counter()

    def add(self, data: bytes) -> None:
        """Count a block of valid UTF-8 that begins and ends where the text may be cut."""
        if self._special:
            data = self._special.sub(EDGE, data)
        if not data:
            return
        _, numbers, others = cut_pieces(data)
        self._short.add(numbers)
        self._long.update(others)
        if len(self._long) > MANY:
            self._split(self._long)
            self._long.clear()

    def pretokens(self) -> Counter[bytes]:
        """Return how often each pre-token occurred in all blocks."""
        self._split(self._long)
        numbers, counts = self._short.totals()
        self._split(dict(zip(pieces_of_numbers(numbers), counts.tolist())))
        self._long, self._short = Counter(), NumberCounter()
        return self._pretokens

    def _split(self, pieces: dict[bytes, int]) -> None:
        pretokens = self._pretokens
        for piece, count in pieces.items():
            for pretoken in split_piece(piece):
                pretokens[pretoken] = pretokens.get(pretoken, 0) + count


class NumberCounter:
    """Counts 64-bit numbers, of which many come again and again.

    >>> counter = NumberCounter()
    >>> counter.add(np.array([7, 9, 7], "<u8"))
    >>> [array.tolist() for array in counter.totals()]
    [[7, 9], [2, 1]]
    """

    def __init__(self) -> None:
        self._parts: list[tuple[np.ndarray, np.ndarray]] = []
        self._waiting = 0

    def add(self, numbers: np.ndarray) -> None:
        """Count some more numbers."""
        self._parts.append(np.unique(numbers, return_counts=True))
        self._waiting += len(self._parts[-1][0])
        if self._waiting > max(MANY, len(self._parts[0][0])):
            self._parts = [self.totals()]
            self._waiting = 0

    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the distinct numbers and how often each came."""
        numbers = np.concatenate([np.empty(0, "<u8"), *(numbers for numbers, _ in self._parts)])
        counts = np.concatenate([np.empty(0, np.int64), *(counts for _, counts in self._parts)])
        order = np.argsort(numbers)
        numbers, counts = numbers[order], counts[order]
        starts = run_starts(numbers)
        return numbers[starts], np.add.reduceat(counts, starts)
