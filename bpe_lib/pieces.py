"""Count before you split: GPT-2's pre-tokens counted without running its pattern over the whole text.

In GPT-2's pattern

* a letter is followed, inside a pre-token, by nothing but letters,
* a digit by nothing but digits,
* and anything but whitespace never by whitespace.

So a pre-token ends wherever one of these rules would be broken, and the text may be cut there first. That gives
*pieces*, each of one or a few pre-tokens. Cutting and counting pieces is quick, and the pattern then has to look at
each distinct piece only once. Nothing to the right of such a cut can change what is matched on its left: the pattern
looks ahead only from whitespace (`\\s+(?!\\S)`), and a piece never ends in whitespace unless the text does.

The rules are GPT-2's. In `cl100k_base`, say, `!\\n` is one pre-token, which the third rule would cut in two.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from bpe_lib.pretokenization import WHITESPACE, pretokenize, special_token_pattern

EDGE = b"\xff"
"""Written over special tokens: a byte that UTF-8 never uses."""

LETTER, DIGIT, MARK, SPACE, BEYOND_ASCII, EDGE_KIND = range(6)
SHORT = 8
"""A piece of up to this many bytes is counted as one 64-bit number."""
MANY = 1 << 18
"""Distinct long pieces that may wait for the pattern; a text of few repetitions would fill memory with them."""


def kinds_of_bytes() -> np.ndarray:
    """Return a table of 256 kinds, one for each byte."""
    kinds = np.full(256, MARK, np.uint8)
    kinds[128:] = BEYOND_ASCII
    for byte in range(128):
        character = chr(byte)
        if character.isalpha():
            kinds[byte] = LETTER
        elif character.isdigit():
            kinds[byte] = DIGIT
        elif character in WHITESPACE:
            kinds[byte] = SPACE
    kinds[EDGE[0]] = EDGE_KIND
    return kinds


KINDS = kinds_of_bytes()
WIDE_WHITESPACE = re.compile(b"|".join(re.escape(c.encode()) for c in WHITESPACE if ord(c) > 127))
FILLED = np.array([(1 << 64) - (1 << 8 * length) for length in range(SHORT + 1)], "<u8")


def cut_places(data: bytes) -> np.ndarray:
    """Return the offsets at which `data` (UTF-8, with `EDGE` for special tokens) is cut into pieces, ends included.

    >>> cut_places(b"it's  7:30").tolist()
    [0, 2, 4, 7, 10]
    """
    kinds = KINDS[np.frombuffer(data, np.uint8)]
    if not data.isascii():
        for match in WIDE_WHITESPACE.finditer(data):
            kinds[match.start() : match.end()] = SPACE
    before, after = kinds[:-1], kinds[1:]
    cut = (before == LETTER) & (after != LETTER) & (after != BEYOND_ASCII)
    cut |= (before == DIGIT) & (after != DIGIT) & (after != BEYOND_ASCII)
    cut |= (before != SPACE) & (after == SPACE)
    cut |= (before == EDGE_KIND) | (after == EDGE_KIND)
    return np.concatenate(([0], np.flatnonzero(cut) + 1, [len(data)]))


class PieceCounter:
    """Counts GPT-2's pre-tokens in blocks of text, by counting pieces first.

    >>> counter = PieceCounter(["<|end|>"])
    >>> counter.add(b"hi hi<|end|>hi")
    >>> counter.pretokens()
    Counter({b'hi': 2, b' hi': 1})
    """

    def __init__(self, special_tokens: Sequence[str] = ()) -> None:
        self._special = re.compile(special_token_pattern(special_tokens).encode()) if special_tokens else None
        self._short: list[tuple[np.ndarray, np.ndarray]] = []
        self._long: Counter[bytes] = Counter()
        self._pretokens: Counter[str] = Counter()

    def add(self, data: bytes) -> None:
        """Count a block of valid UTF-8 that begins and ends where the text may be cut."""
        if self._special:
            data = self._special.sub(EDGE, data)
        if not data:
            return
        places = cut_places(data)
        starts, lengths = places[:-1], np.diff(places)
        short = lengths <= SHORT
        every_8_bytes = np.ndarray((len(data),), "<u8", data + EDGE * SHORT, strides=(1,))
        numbers = every_8_bytes[starts[short]] | FILLED[lengths[short]]
        self._short.append(np.unique(numbers, return_counts=True))
        longs, ends = starts[~short].tolist(), places[1:][~short].tolist()
        self._long.update([data[start:end] for start, end in zip(longs, ends)])
        if len(self._long) > MANY:
            self._split(self._long)
            self._long.clear()

    def pretokens(self) -> Counter[bytes]:
        """Return how often each pre-token occurred in all blocks so far."""
        self._split(self._long)
        self._split(self._short_pieces())
        self._long.clear()
        self._short.clear()
        return Counter({pretoken.encode(): count for pretoken, count in self._pretokens.items()})

    def _short_pieces(self) -> dict[bytes, int]:
        if not self._short:
            return {}
        numbers = np.concatenate([numbers for numbers, _ in self._short])
        counts = np.concatenate([counts for _, counts in self._short])
        distinct, position = np.unique(numbers, return_inverse=True)
        totals = np.zeros(len(distinct), np.int64)
        np.add.at(totals, position, counts)
        raw = distinct.astype("<u8").tobytes()
        pieces = [raw[i : i + SHORT].rstrip(EDGE) for i in range(0, len(raw), SHORT)]
        return dict(zip(pieces, totals.tolist()))

    def _split(self, pieces: dict[bytes, int]) -> None:
        counts = self._pretokens
        for piece, count in pieces.items():
            if piece != EDGE:
                for pretoken in pretokenize(piece.decode()):
                    counts[pretoken] += count
