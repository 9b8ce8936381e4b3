"""Indexed trainers of which a part is wrong: notebook 05 shows some, and the checks know them all."""

from collections.abc import Callable
from heapq import heapify, heappop, heappush

from bpe_lib.indexed import build_pair_index, count_changes, heap_entry
from bpe_lib.naive import best_pair, count_pairs, merge_pair


def indexed(
    best: Callable = best_pair,
    changes: Callable = count_changes,
    extend: bool = True,
    merge: Callable = merge_pair,
    store: bool = True,
    drop: bool = False,
) -> Callable:
    """Return a trainer with an index that is made of other parts.

    Args:
        best: chooses a pair from counts.
        changes: tells what a visit changes.
        extend: the index learns the pairs of new words.
        merge: makes the new word.
        store: the new word takes the place of the old one.
        drop: the chosen pair leaves the counts, whatever the changes say.
    """

    def train(words, num_merges):
        tokens, frequencies = list(words), list(words.values())
        counts, index = count_pairs(words), build_pair_index(tokens)
        merges = []
        while len(merges) < num_merges and any(count > 0 for count in counts.values()):
            pair = best({pair: count for pair, count in counts.items() if count > 0})
            merges.append(pair)
            for position in sorted(index.get(pair, ())):
                old, new = tokens[position], merge(tokens[position], pair)
                tokens[position] = new if store else old
                for changed, change in changes(old, new, frequencies[position]).items():
                    counts[changed] = counts.get(changed, 0) + change
                for made in zip(new, new[1:]) if extend else ():
                    index.setdefault(made, set()).add(position)
            if drop:
                counts.pop(pair, None)
        return merges

    return train


def with_heap(throw_away: bool = False, thrown: list | None = None) -> Callable:
    """Return a trainer with a heap, which throws stale entries away or pushes them back.

    Args:
        throw_away: a stale entry is thrown away.
        thrown: a list for the pairs that were thrown away, though they still occurred.
    """

    def train(words, num_merges):
        tokens, frequencies = list(words), list(words.values())
        counts, index = count_pairs(words), build_pair_index(tokens)
        heap = [heap_entry(pair, count) for pair, count in counts.items()]
        heapify(heap)
        merges = []
        while heap and len(merges) < num_merges:
            entry = heappop(heap)
            pair = entry[-1]
            if counts.get(pair, 0) != -entry[0]:
                if counts.get(pair, 0) > 0 and not throw_away:
                    heappush(heap, heap_entry(pair, counts[pair]))
                elif counts.get(pair, 0) > 0 and thrown is not None:
                    thrown.append(pair)
                continue
            merges.append(pair)
            grown = set()
            for position in sorted(index.pop(pair)):
                old = tokens[position]
                new = tokens[position] = merge_pair(old, pair)
                for changed, change in count_changes(old, new, frequencies[position]).items():
                    counts[changed] = counts.get(changed, 0) + change
                    if change > 0:
                        grown.add(changed)
                for made in zip(new, new[1:]):
                    index.setdefault(made, set()).add(position)
            counts = {pair: count for pair, count in counts.items() if count > 0}
            for changed in sorted(grown & counts.keys()):
                heappush(heap, heap_entry(changed, counts[changed]))
        return merges

    return train
