"""Naive merging: the slow trainer that says what is right.

Count every pair of neighbouring tokens, take the most frequent, merge it everywhere, and count again from nothing
(Gage 1994; for words, Sennrich et al. 2016). Everything faster in this package is tested against this module.
"""

from collections import defaultdict
from collections.abc import Mapping

from bpe_lib.pretokenization import Word

Pair = tuple[bytes, bytes]
"""Two neighbouring tokens; a merge is a pair that was joined."""


def count_pairs(words: Mapping[Word, int]) -> dict[Pair, int]:
    """Return how often each pair of neighbouring tokens occurs.

    Every adjacent position counts, overlapping ones too, times the frequency of its word.

    >>> count_pairs({(b"a", b"a", b"a"): 1, (b"a", b"b"): 5})
    {(b'a', b'a'): 2, (b'a', b'b'): 5}
    """
    counts: dict[Pair, int] = defaultdict(int)
    for word, frequency in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] += frequency
    return dict(counts)


def best_pair(pair_counts: Mapping[Pair, int]) -> Pair:
    """Return the pair with the highest count; of several, the greatest, compared as a tuple of bytes.

    Raises:
        ValueError: there is no pair.

    >>> best_pair({(b"a", b"b"): 2, (b"x", b"y"): 2, (b"z", b"z"): 1})
    (b'x', b'y')
    """
    if not pair_counts:
        raise ValueError("there is no pair to choose from: pair_counts is empty")
    return max(pair_counts, key=lambda pair: (pair_counts[pair], pair))


def merge_pair(word: Word, pair: Pair) -> Word:
    """Return the word with every occurrence of the pair joined, from left to right, without overlap.

    >>> merge_pair((b"b", b"a", b"n", b"a", b"n", b"a"), (b"a", b"n"))
    (b'b', b'an', b'an', b'a')
    >>> merge_pair((b"a", b"a", b"a"), (b"a", b"a"))
    (b'aa', b'a')
    """
    merged = []
    position = 0
    while position < len(word):
        if word[position : position + 2] == pair:
            merged.append(pair[0] + pair[1])
            position += 2
        else:
            merged.append(word[position])
            position += 1
    return tuple(merged)


def train_naive(words: Mapping[Word, int], num_merges: int) -> list[Pair]:
    """Return up to `num_merges` merges in the order in which they are learned, recounting everything for each one.

    Fewer come back where no pair is left. A pair that occurs once still merges. `words` is not changed.

    Args:
        words: each word as a tuple of tokens (at first, of single bytes), and how often it occurs.
        num_merges: at most this many merges.

    >>> train_naive({(b"l", b"o", b"w"): 5, (b"l", b"o", b"t"): 2}, 2)
    [(b'l', b'o'), (b'lo', b'w')]
    """
    merges: list[Pair] = []
    while len(merges) < num_merges and (pair_counts := count_pairs(words)):
        pair = best_pair(pair_counts)
        merges.append(pair)
        words = merge_everywhere(words, pair)
    return merges


def merge_everywhere(words: Mapping[Word, int], pair: Pair) -> dict[Word, int]:
    """Return the words with the pair merged in each; words that become equal are counted together.

    >>> merge_everywhere({(b"a", b"b"): 2, (b"b",): 1}, (b"a", b"b"))
    {(b'ab',): 2, (b'b',): 1}
    """
    merged: dict[Word, int] = defaultdict(int)
    for word, frequency in words.items():
        merged[merge_pair(word, pair)] += frequency
    return dict(merged)
