"""What the naive trainer holds between two merges, for the merge stepper to draw."""

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import nlargest

from bpe_lib.naive import Pair, best_pair, count_pairs, merge_everywhere
from bpe_lib.pretokenization import Word

BARS, GONE, WORDS = 12, 4, 8
"""How many pairs, among them pairs that the last merge took away, and how many words are shown at most."""


@dataclass(frozen=True)
class Bar:
    """A pair and its count: today's, 0 for one that is gone, and before the last merge (None: before the first)."""

    pair: Pair
    count: int
    before: int | None


@dataclass(frozen=True)
class MergeStep:
    """The trainer between two merges, when it has counted and chosen.

    Attributes:
        number: merges so far.
        last: the number of the last step.
        made: the last merge, or None at first.
        chosen: the next merge, or None where no pair is left.
        ties: other pairs with the same count, the greatest first.
        bars: the pairs with the highest counts, in the order in which they would be chosen; below them, pairs that
            the last merge took away.
        pair_count: how many pairs there are today.
        scale: the count that gets the longest bar: of a few words the highest of all steps, of many that of this one.
        words: the words shown and their frequencies; of many, those that the next merge changes come first.
        word_count: how many words there are.
        visited: all words that hold the chosen pair, joined to plain bytes.
    """

    number: int
    last: int
    made: Pair | None
    chosen: Pair | None
    ties: tuple[Pair, ...]
    bars: tuple[Bar, ...]
    pair_count: int
    scale: int
    words: tuple[tuple[Word, int], ...]
    word_count: int
    visited: tuple[bytes, ...]


def merge_steps(words: Mapping[Word, int], num_merges: int) -> list[MergeStep]:
    """Return the states of naive training: before the first merge, and after each one.

    Args:
        words: each word as a tuple of tokens, and how often it occurs.
        num_merges: at most this many merges; fewer where no pair is left.

    >>> steps = merge_steps({(b"l", b"o", b"w"): 5, (b"l", b"o", b"t"): 2}, 9)
    >>> [(step.chosen, step.bars[0].count) for step in steps[:-1]]
    [((b'l', b'o'), 7), ((b'lo', b'w'), 5), ((b'lo', b't'), 2)]
    """
    history = [(words, count_pairs(words), None)]
    while len(history) <= num_merges and history[-1][1]:
        words, counts, _ = history[-1]
        merge = best_pair(counts)
        words = merge_everywhere(words, merge)
        history.append((words, count_pairs(words), merge))
    scale = max(history[0][1].values(), default=1) if len(words) <= WORDS else 0
    counts_before = [{}, *(counts for _, counts, _ in history)]
    return [
        _step((i, len(history) - 1, scale), words, counts, before, made)
        for i, ((words, counts, made), before) in enumerate(zip(history, counts_before))
    ]


def _step(
    place: tuple[int, int, int],
    words: Mapping[Word, int],
    counts: Mapping[Pair, int],
    before: Mapping[Pair, int],
    made: Pair | None,
) -> MergeStep:
    """Return one state; `place` is its number, the last number and the scale."""
    number, last, scale = place
    chosen = best_pair(counts) if counts else None
    ties = sorted((p for p, n in counts.items() if chosen and n == counts[chosen] and p != chosen), reverse=True)
    gone = nlargest(GONE, before.keys() - counts.keys(), key=lambda pair: (before[pair], pair))
    first = nlargest(BARS - len(gone), counts, key=lambda pair: (counts[pair], pair))
    bars = tuple(Bar(pair, counts.get(pair, 0), before.get(pair, 0) if before else None) for pair in [*first, *gone])
    visited = [word for word in words if chosen in zip(word, word[1:])]
    shown = list(words) if len(words) <= WORDS else [*visited, *(w for w in words if w not in set(visited))][:WORDS]
    return MergeStep(
        number,
        last,
        made,
        chosen,
        tuple(ties),
        bars,
        len(counts),
        scale or (bars[0].count if first else 1),
        tuple((word, words[word]) for word in shown),
        len(words),
        tuple(map(b"".join, visited)),
    )
