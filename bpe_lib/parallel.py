"""Counting in parallel: every chunk on its own, then one addition.

Counts of chunks that were cut at safe places add up to the count of the whole, in any order. That is all there is to
it: a worker gets a path and two offsets, reads its own part of the file, and sends back one table.
"""

import os
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise

from bpe_lib.chunking import cut_file
from bpe_lib.fast.pieces import PieceCounter
from bpe_lib.files import read_range, valid_utf8
from bpe_lib.patterns import cut_rule
from bpe_lib.pretokenization import GPT2_PATTERN, iterate_pretokens, split_on_special_tokens
from bpe_lib.workers import WORKER_DIED, own_workers

BLOCK = 1 << 20
"""Bytes that a worker reads and counts at a time."""
TASK = 1 << 26
"""Bytes of one worker's task at the most, roughly."""
WORTH_A_PROCESS = 1 << 23
"""Bytes from which on starting processes takes less time than it saves."""


@dataclass(frozen=True)
class Counting:
    """What a worker must know to count: sent along with each task, so it holds nothing but plain values."""

    special_tokens: tuple[str, ...] = ()
    pattern: str = GPT2_PATTERN
    errors: str = "strict"


Task = tuple[str, int, int]
"""A path and the offsets between which to count, in bytes."""


def count_task(task: Task, counting: Counting) -> Counter[bytes]:
    """Return how often each pre-token occurs in one part of a file.

    Args:
        task: path, start and end; both ends are places where the file may be cut.

    Raises:
        ValueError: the bytes are not valid UTF-8 and `errors` is "strict", or the pattern leaves text unmatched.
    """
    path, start, end = task
    rule = cut_rule(counting.pattern)
    counter = PieceCounter(counting.special_tokens, rule) if rule else PlainCounter(counting)
    with open(path, "rb") as file:
        cuts = cut_file(file, start, end, BLOCK, counting.special_tokens, counting.pattern)
        for block_start, block_end in pairwise(cuts):
            data = read_range(file, block_start, block_end)
            counter.add(valid_utf8(data, counting.errors, path, block_start))
    return counter.pretokens()


class PlainCounter:
    """Counts pre-tokens by running the pattern over all of the text, as any pattern allows."""

    def __init__(self, counting: Counting) -> None:
        self._counting = counting
        self._pretokens: Counter[str] = Counter()

    def add(self, data: bytes) -> None:
        """Count a block of valid UTF-8."""
        for document in split_on_special_tokens(data.decode(), self._counting.special_tokens):
            self._pretokens.update(iterate_pretokens(document, self._counting.pattern))

    def pretokens(self) -> Counter[bytes]:
        """Return how often each pre-token occurred in all blocks so far."""
        return Counter({pretoken.encode(): count for pretoken, count in self._pretokens.items()})


def plan_tasks(paths: Sequence[str], workers: int, counting: Counting) -> list[Task]:
    """Return the tasks that cover each file once: about equally large, at least one for each worker."""
    tasks = []
    for path in paths:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            parts = -(-size // (TASK * workers)) * workers
            step = max(-(-size // max(parts, 1)), BLOCK)
            cuts = cut_file(file, 0, size, step, counting.special_tokens, counting.pattern)
            tasks += [(path, start, end) for start, end in pairwise(cuts)]
    return tasks


def count_files(
    paths: Sequence[str], counting: Counting, num_processes: int, executor: Executor | None = None
) -> Generator[tuple[int, Counter[bytes]], None, None]:
    """Yield, for one task after another as each is done, its size in bytes and its counts.

    Args:
        num_processes: at most this many processes count; one, or a small input, starts none.
        executor: count on this executor instead; its workers must reach the files by the same paths.

    Raises:
        RuntimeError: a worker process died.
    """
    tasks = plan_tasks(paths, num_processes, counting)
    if executor is None and (num_processes == 1 or sum(end - start for _, start, end in tasks) < WORTH_A_PROCESS):
        yield from ((task[2] - task[1], count_task(task, counting)) for task in tasks)
        return
    with nullcontext(executor) if executor is not None else own_workers(min(num_processes, len(tasks))) as pool:
        futures: dict[Future, int] = {}
        try:
            for task in tasks:
                futures[pool.submit(count_task, task, counting)] = task[2] - task[1]
            for future in as_completed(futures):
                yield futures.pop(future), future.result()
        except BrokenExecutor as error:
            raise RuntimeError(WORKER_DIED) from error
        finally:
            for future in futures:
                future.cancel()


def add_counts(parts: Iterable[dict]) -> Counter:
    """Return the sum of tables of counts; the tables are not changed.

    >>> add_counts([{"the": 2}, {"the": 3, "cat": 1}])
    Counter({'the': 5, 'cat': 1})
    """
    total: Counter = Counter()
    for part in parts:
        total.update(part)
    return total
