"""Inverted-index merging: the trainer that touches only what a merge changes.

Three ideas, each of them a lesson:

1. *An index* from each pair to the places where it stands: a merge visits those places and no others.
2. *Changes of counts*: at each place two old pairs go and two new ones come, whatever the rest of the text holds.
3. *A heap with lazy deletion*: a pair's entry may be out of date, but it never promises too little, so it is enough to
   look at it again when it comes to the top, and to push it back with today's count if it is stale.

`build_pair_index` and `count_changes` show the first two on words one by one; `bpe_lib.fast.row` does the same on all
words in one row, which is quicker.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush, heapreplace
from itertools import islice, pairwise

from bpe_lib.fast.row import IdPair, Row, Words, garbage_collection_paused
from bpe_lib.naive import Pair
from bpe_lib.pretokenization import Word


def build_pair_index(words: Sequence[Word]) -> dict[Pair, set[int]]:
    """Return, for each pair, the positions in the list of the words that hold it.

    >>> build_pair_index([(b"a", b"b"), (b"a", b"b", b"a")])
    {(b'a', b'b'): {0, 1}, (b'b', b'a'): {1}}
    """
    index: dict[Pair, set[int]] = defaultdict(set)
    for position, word in enumerate(words):
        for pair in pairwise(word):
            index[pair].add(position)
    return dict(index)


def count_changes(old: Word, new: Word, frequency: int) -> dict[Pair, int]:
    """Return by how much the count of each pair changes when `old` becomes `new` in a word with this frequency.

    >>> count_changes((b"y", b"e", b"s"), (b"y", b"es"), 8)
    {(b'y', b'es'): 8, (b'y', b'e'): -8, (b'e', b's'): -8}
    """
    changes = Counter(pairwise(new))
    changes.subtract(pairwise(old))
    return {pair: change * frequency for pair, change in changes.items() if change}


def train_indexed(words: Words, num_merges: int) -> list[Pair]:
    """Return the merges of `train_naive`, in the same order, for a small part of its work.

    Args:
        words: each word as a tuple of tokens, or as `bytes`, which stand for the tuple of its single bytes; and how
            often it occurs.
        num_merges: at most this many merges; fewer come back where no pair is left.

    >>> train_indexed({b"low": 5, b"lower": 2, b"widest": 3, b"newest": 6}, 4)
    [(b's', b't'), (b'e', b'st'), (b'o', b'w'), (b'l', b'ow')]
    """
    with garbage_collection_paused():
        return list(islice(learn_merges(Row(words)), max(num_merges, 0)))


def learn_merges(row: Row) -> Iterator[Pair]:
    """Yield one merge after another until no pair is left; each changes the row."""
    keys = list(map(descending, row.tokens))

    def entry(pair: IdPair) -> tuple[int, str, str, IdPair]:
        return -row.counts[pair], keys[pair[0]], keys[pair[1]], pair

    heap = [entry(pair) for pair in row.counts]
    heapify(heap)
    while True:
        try:
            pair = pop_best(heap, row.counts)
        except IndexError:
            return
        yield row.tokens[pair[0]], row.tokens[pair[1]]
        new_pairs = row.merge(pair)
        keys.extend(map(descending, row.tokens[len(keys) :]))
        for new_pair in new_pairs:
            heappush(heap, entry(new_pair))


def descending(token: bytes) -> str:
    """Return a string that sorts before another one exactly if `token` sorts *after* the other token.

    A heap hands out its least entry; ties go to the greatest pair. Each byte is turned upside down, and an end mark
    above all of them makes a token sort after its own continuations.

    >>> sorted([b"a", b"ab", b"b"], key=descending)
    [b'b', b'ab', b'a']
    """
    return token.translate(UPSIDE_DOWN).decode("latin-1") + "\u0100"


UPSIDE_DOWN = bytes(range(255, -1, -1))


def heap_entry(pair: Pair, count: int) -> tuple[int, str, str, Pair]:
    """Return an entry for `pop_best`: the least entry has the highest count and, of several, the greatest pair.

    >>> min(heap_entry((b"a", b"b"), 2), heap_entry((b"x", b"y"), 2), heap_entry((b"z", b"z"), 1))[-1]
    (b'x', b'y')
    """
    return -count, descending(pair[0]), descending(pair[1]), pair


def pop_best(heap: list[tuple], pair_counts: Mapping) -> tuple:
    """Take the best live pair off the heap and return it; push stale entries back with today's count.

    Args:
        heap: entries `(-count, key, key, pair)` as `heap_entry` makes them. Each live pair has one with at least
            today's count.
        pair_counts: today's counts; a pair that is missing or has count 0 is dead.

    Raises:
        IndexError: no live pair is left.

    >>> pop_best([heap_entry((b"a", b"b"), 9), heap_entry((b"c", b"d"), 5)], {(b"a", b"b"): 3, (b"c", b"d"): 5})
    (b'c', b'd')
    """
    while True:
        negative, first, second, pair = heap[0]
        count = pair_counts.get(pair, 0)
        if count == -negative and count > 0:
            heappop(heap)
            return pair
        if count > 0:
            heapreplace(heap, (-count, first, second, pair))
        else:
            heappop(heap)
