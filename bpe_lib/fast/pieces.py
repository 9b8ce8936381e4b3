"""Counting before splitting: the counts of `count_pretokens`, without running the pattern over the whole text.

The text is cut wherever its pattern allows (see `bpe_lib.patterns`). That gives *pieces*, each of one or a few
pre-tokens. Cutting and counting pieces is quick, and the pattern then has to look at each distinct piece only once.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from bpe_lib.fast.arrays import run_starts
from bpe_lib.patterns import EDGE, GPT2_CUTS, CutRule
from bpe_lib.pretokenization import special_token_pattern

SHORT = 8
"""A piece of up to this many bytes is counted as one 64-bit number."""
MANY = 1 << 17
"""Distinct pieces from which on long ones go through the pattern and short ones are added up."""
FILLED = np.array([(1 << 64) - (1 << 8 * length) for length in range(SHORT + 1)], "<u8")


def cut_places(data: bytes, rule: CutRule = GPT2_CUTS) -> np.ndarray:
    """Return the offsets at which `data` (UTF-8, with `EDGE` for special tokens) is cut into pieces, ends included.

    >>> cut_places(b"it's  7:30").tolist()
    [0, 2, 4, 7, 8, 10]
    """
    return np.concatenate(([0], rule.cut_places(data), [len(data)]))


def cut_pieces(data: bytes, rule: CutRule = GPT2_CUTS) -> tuple[np.ndarray, np.ndarray, list[bytes]]:
    """Return which pieces are short (a mask), the short ones as 64-bit numbers, and the others as bytes, in order.

    >>> short, numbers, others = cut_pieces(b"a tokenizer")
    >>> short.tolist(), pieces_of_numbers(numbers), others
    ([True, False], [b'a'], [b' tokenizer'])
    """
    places = cut_places(data, rule)
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


class PieceCounter:
    """Counts pre-tokens in blocks of text, by counting pieces first.

    Args:
        special_tokens: left out of the counts.
        rule: where text may be cut under the pattern.

    >>> counter = PieceCounter(["<|end|>"])
    >>> counter.add(b"hi hi<|end|>hi")
    >>> counter.pretokens()
    Counter({b'hi': 2, b' hi': 1})
    """

    def __init__(self, special_tokens: Sequence[str] = (), rule: CutRule = GPT2_CUTS) -> None:
        self._rule = rule
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
        _, numbers, others = cut_pieces(data, self._rule)
        self._short.add(numbers)
        self._long.update(others)
        if len(self._long) > MANY:
            self._split(self._long)
            self._long.clear()

    def pretokens(self) -> Counter[bytes]:
        """Return how often each pre-token occurred in all blocks so far."""
        self._split(self._long)
        numbers, counts = self._short.totals()
        self._split(dict(zip(pieces_of_numbers(numbers), counts.tolist())))
        self._long, self._short = Counter(), NumberCounter()
        return self._pretokens.copy()

    def _split(self, pieces: Mapping[bytes, int]) -> None:
        pretokens, split = self._pretokens, self._rule.pretokens
        for piece, count in pieces.items():
            for pretoken in split(piece):
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
