"""The ladder: the same merges, one idea faster at each rung, timed as counting and merging.

Every rung trains on the same file and must learn the same merges; `climb` says so if one does not.

| Rung | Counting | Merging |
|---|---|---|
| naive recount | the pattern over the text; every occurrence is a word | recount all words at each merge |
| unique pre-tokens | the pattern over the text; a table of counts | recount the table at each merge |
| inverted index | as before | visit only the words that hold the pair; look at all counts for the best |
| heap | as before | take the best from a heap with lazy deletion; all words stand in one row, linked |
| processes | the pattern over chunks, in processes | as before |
| count before you split | count pieces, in processes too, and run the pattern on distinct ones | as before |
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from bpe_lib.files import read_range
from bpe_lib.indexed import build_pair_index, count_changes, train_indexed
from bpe_lib.naive import Pair, best_pair, count_pairs, merge_pair, train_naive
from bpe_lib.parallel import Counting, Task, add_counts, count_files, plan_tasks
from bpe_lib.pretokenization import Word, count_pretokens, iterate_pretokens, single_bytes, split_on_special_tokens
from bpe_lib.workers import check_workers

SPECIAL_TOKENS = ("<|endoftext|>",)


@dataclass(frozen=True)
class Rung:
    """What one rung took.

    Attributes:
        name: one of `RUNGS`.
        counting: seconds from the file to the table.
        merging: seconds from the table to the merges.
        merges: what it learned.
    """

    name: str
    counting: float
    merging: float
    merges: list[Pair]

    @property
    def total(self) -> float:
        """Seconds for both parts."""
        return self.counting + self.merging


def climb(
    path: str | os.PathLike[str], num_merges: int, names: Sequence[str] | None = None, workers: int | None = None
) -> Iterator[Rung]:
    """Yield one rung after another, timed on a file.

    Args:
        path: a text file in UTF-8, with documents closed by `<|endoftext|>`.
        num_merges: how many merges to learn.
        names: which of `RUNGS` to time, in this order; None for all. The first ones are slow: on a megabyte of text,
            the naive recount takes seconds for one merge.
        workers: processes of the last two rungs; None takes one for each core.

    Raises:
        RuntimeError: a rung learned other merges than the one before.
    """
    learned: list[Pair] | None = None
    for name in names or RUNGS:
        count, merge = RUNGS[name]
        start = time.perf_counter()
        table = count(os.fspath(path), check_workers(workers))
        counted = time.perf_counter()
        merges = merge(table, num_merges)
        end = time.perf_counter()
        if learned not in (None, merges):
            raise RuntimeError(f"{name} learned other merges than the rung before it")
        learned = merges
        yield Rung(name, counted - start, end - counted, merges)


def read(path: str) -> str:
    """Return the text of a file, line ends as they are."""
    return Path(path).read_bytes().decode()


def list_occurrences(path: str, workers: int) -> list[Word]:
    """Return every occurrence of every pre-token as a word."""
    stretches = split_on_special_tokens(read(path), SPECIAL_TOKENS)
    return [single_bytes(pretoken.encode()) for stretch in stretches for pretoken in iterate_pretokens(stretch)]


def count_table(path: str, workers: int) -> dict[Word, int]:
    """Return the table of pre-tokens, by the pattern over the whole text."""
    return count_pretokens(read(path), SPECIAL_TOKENS)


def count_part(task: Task) -> dict[Word, int]:
    """Return the table of one part of a file."""
    path, start, end = task
    with open(path, "rb") as file:
        return count_pretokens(read_range(file, start, end).decode(), SPECIAL_TOKENS)


def count_in_processes(path: str, workers: int) -> dict[Word, int]:
    """Return the table, the pattern running over parts of the text in processes."""
    tasks = plan_tasks([path], workers, Counting(SPECIAL_TOKENS))
    with ProcessPoolExecutor(workers) as pool:
        return add_counts(pool.map(count_part, tasks))


def count_by_pieces(path: str, workers: int) -> Counter[bytes]:
    """Return the table, from pieces that were counted in processes."""
    with ProcessPoolExecutor(workers) as pool:
        return add_counts(part for _, part in count_files([path], Counting(SPECIAL_TOKENS), workers, pool))


def merge_by_recounting_occurrences(words: list[Word], num_merges: int) -> list[Pair]:
    """Return the merges, every occurrence of a word being visited at every merge."""
    merges: list[Pair] = []
    while len(merges) < num_merges:
        counts: Counter[Pair] = Counter()
        for word in words:
            counts.update(zip(word, word[1:]))
        if not counts:
            break
        merges.append(best_pair(counts))
        words = list(map(merge_pair, words, repeat(merges[-1])))
    return merges


def merge_with_index(words: dict[Word, int], num_merges: int) -> list[Pair]:
    """Return the merges, visiting only words that hold the pair or once did, and looking at all counts for the best."""
    tokens, frequencies = list(words), list(words.values())
    counts, index = count_pairs(words), build_pair_index(tokens)
    merges: list[Pair] = []
    while len(merges) < num_merges and counts:
        pair = best_pair(counts)
        merges.append(pair)
        for position in index.pop(pair):
            old, tokens[position] = tokens[position], merge_pair(tokens[position], pair)
            for changed, change in count_changes(old, tokens[position], frequencies[position]).items():
                counts[changed] = counts.get(changed, 0) + change
                if change > 0:
                    index.setdefault(changed, set()).add(position)
                if not counts[changed]:
                    del counts[changed]
    return merges


RUNGS: dict[str, tuple[Callable, Callable]] = {
    "naive recount": (list_occurrences, merge_by_recounting_occurrences),
    "unique pre-tokens": (count_table, train_naive),
    "inverted index": (count_table, merge_with_index),
    "heap": (count_table, train_indexed),
    "processes": (count_in_processes, train_indexed),
    "count before you split": (count_by_pieces, train_indexed),
}
"""How each rung counts and merges."""
