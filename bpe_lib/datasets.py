"""From a file of text to a file of ids, ready for a training loop."""

import os
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import closing
from itertools import chain, pairwise, repeat
from typing import BinaryIO

import numpy as np

from bpe_lib.chunking import cut_file
from bpe_lib.files import AnyPath, check_another, check_errors, read_range, replacing, valid_utf8
from bpe_lib.parallel import WORTH_A_PROCESS, Task
from bpe_lib.tokenizer import Tokenizer
from bpe_lib.training import bar
from bpe_lib.workers import WORKER_DIED, check_workers, own_workers

TASK = 1 << 22
"""Bytes of text that one task encodes, roughly."""


def encode_file(
    path: AnyPath,
    tokenizer: Tokenizer,
    out: AnyPath,
    num_processes: int | None = None,
    *,
    errors: str = "strict",
    progress: bool = False,
) -> int:
    """Encode a text file into a `.npy` file of ids, with all cores and in bounded memory; return the number of ids.

    The ids are those of `tokenizer.encode` of the whole text, as `uint16` if every id fits, else as `uint32`.
    `numpy.load(out, mmap_mode="r")` reads them without loading them. The file appears once it is complete.

    Args:
        path: a text file in UTF-8.
        tokenizer: encodes the text, special tokens included.
        out: where to write the ids; the name should end in `.npy`.
        num_processes: how many processes encode; None takes one for each core.
        errors: "strict" to refuse invalid UTF-8, "replace" to read U+FFFD instead.
        progress: whether to show a progress bar.

    Raises:
        OSError: a file can't be read or written; what was at `out` before stays as it was.
        ValueError: the text is not UTF-8, or an argument is bad.
        RuntimeError: a worker process died.
    """
    check_another(path, out)
    dtype = np.dtype(np.uint16 if max(tokenizer.vocab, default=0) < 1 << 16 else np.uint32)
    with closing(encode_in_parts(path, tokenizer, num_processes, errors=errors, progress=progress)) as parts:
        return write_ids(parts, dtype, out)


def encode_in_parts(
    path: AnyPath,
    tokenizer: Tokenizer,
    num_processes: int | None = None,
    *,
    errors: str = "strict",
    progress: bool = False,
) -> Generator[np.ndarray, None, None]:
    """Yield the ids of a text file in order, one array after another; arguments and errors as for `encode_file`."""
    check_errors(errors, tokenizer.special_tokens)
    workers = check_workers(num_processes)
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        cuts = cut_file(file, 0, size, TASK, tokenizer.special_tokens, tokenizer.pattern)
        tasks: Iterator[Task] = ((os.fspath(path), start, end) for start, end in pairwise(cuts))
        workers = min(workers, max(size // TASK, 1))
        in_process = workers == 1 or size < WORTH_A_PROCESS
        here = ((task, encode_task(task, tokenizer, errors)) for task in tasks)
        parts = here if in_process else encode_there(tasks, tokenizer, errors, workers)
        with bar(progress, size, "B", "encoding") as encoded, closing(parts):
            for task, ids in parts:
                yield ids
                encoded.update(task[2] - task[1])


def encode_task(task: Task, tokenizer: Tokenizer, errors: str) -> np.ndarray:
    """Return the ids of one part of a file, in as few bits as will do."""
    path, start, end = task
    with open(path, "rb") as file:
        data = valid_utf8(read_range(file, start, end), errors, path, start)
    blocks = (block.astype(np.min_scalar_type(block.max())) for block in tokenizer.encode_blocks(data.decode()))
    return np.concatenate([np.zeros(0, np.uint16), *blocks])


def encode_there(
    tasks: Iterable[Task], tokenizer: Tokenizer, errors: str, workers: int
) -> Generator[tuple[Task, np.ndarray], None, None]:
    """Yield each task and its ids, in order, worked out by other processes that are never far ahead."""
    ahead: deque[tuple[Task, Future]] = deque()
    with own_workers(workers, keep_tokenizer, tokenizer) as pool:
        try:
            for task in chain(tasks, repeat(None, 2 * workers)):
                if task:
                    ahead.append((task, pool.submit(encode_with_kept, task, errors)))
                if ahead and (not task or len(ahead) > 2 * workers):
                    done, future = ahead.popleft()
                    yield done, future.result()
        except BrokenExecutor as error:
            raise RuntimeError(WORKER_DIED) from error


kept: Tokenizer
"""In a worker, the tokenizer that it keeps."""


def keep_tokenizer(tokenizer: Tokenizer) -> None:
    """Keep the tokenizer in a worker, so that it is sent once and remembers pieces from task to task."""
    global kept
    kept = tokenizer


def encode_with_kept(task: Task, errors: str) -> np.ndarray:
    """Encode a task with the tokenizer that this worker keeps."""
    return encode_task(task, kept, errors)


def write_ids(parts: Iterable[np.ndarray], dtype: np.dtype, out: AnyPath) -> int:
    """Write arrays of ids, one after another, as one `.npy` file, and return how many ids there are.

    The header stands first and holds the number of ids, which is known last: it is written twice, in equal length.
    """
    count = 0
    with replacing(out, keep_finished=True) as file:
        write_header(file, dtype, 0)
        for part in parts:
            file.write(part.astype(dtype).data)
            count += len(part)
        file.seek(0)
        write_header(file, dtype, count)
    return count


def write_header(file: BinaryIO, dtype: np.dtype, count: int) -> None:
    """Write the header of a `.npy` file with a one-dimensional array of `count` numbers."""
    header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (count,)}
    np.lib.format.write_array_header_1_0(file, header)
