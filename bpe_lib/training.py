"""From files to a vocabulary: everything put together."""

import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import closing
from itertools import islice

from tqdm.auto import tqdm

from bpe_lib.fast.row import Row, garbage_collection_paused
from bpe_lib.files import AnyPath, check_errors, missing
from bpe_lib.indexed import learn_merges
from bpe_lib.naive import Pair
from bpe_lib.parallel import Counting, count_files
from bpe_lib.pretokenization import GPT2_PATTERN, check_special_tokens, compile_pattern
from bpe_lib.vocabulary import build_vocab, num_merges
from bpe_lib.workers import check_workers


def train_bpe(
    input_path: AnyPath | Sequence[AnyPath],
    vocab_size: int,
    special_tokens: Sequence[str],
    num_processes: int | None = None,
    *,
    pattern: str = GPT2_PATTERN,
    executor: Executor | None = None,
    errors: str = "strict",
    progress: bool = False,
) -> tuple[dict[int, bytes], list[Pair]]:
    """Train a byte-level BPE tokenizer; return its vocabulary and its merges in the order in which they were learned.

    The result depends on the text, `vocab_size`, `special_tokens` and `pattern`, never on the number of processes.

    Args:
        input_path: a text file in UTF-8, or several.
        vocab_size: how many ids to give out at most: 256 bytes, then the special tokens, then merges. There are fewer
            where the text runs out of pairs.
        special_tokens: strings that are boundaries in the text. They are not counted, and no merge crosses one.
        num_processes: how many processes count; None takes one for each core.
        pattern: cuts text into pre-tokens; a pattern of the package `regex` whose matches cover the text.
        executor: count on this `concurrent.futures.Executor`, a cluster's perhaps, instead of own processes.
        errors: "strict" to refuse invalid UTF-8, "replace" to read U+FFFD instead.
        progress: whether to show progress bars.

    Raises:
        OSError: a file is missing or can't be read.
        ValueError: an argument or a file is bad; the message says how it would be right.
        RuntimeError: a worker process died.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "text.txt")
    ...     _ = path.write_text("low low lower<|end|>low", encoding="utf-8")
    ...     vocab, merges = train_bpe(path, 260, ["<|end|>"])
    >>> merges
    [(b'o', b'w'), (b'l', b'ow'), (b' ', b'low')]
    """
    special_tokens = check_special_tokens(special_tokens)
    wanted = num_merges(vocab_size, special_tokens)
    paths = check_paths(input_path)
    workers = check_workers(num_processes)
    compile_pattern(pattern)
    check_errors(errors, special_tokens)
    counting = Counting(tuple(special_tokens), pattern, errors)
    row = Row(count_all(paths, counting, workers, executor, progress))
    with bar(progress, wanted, " merges", "merging") as merged, garbage_collection_paused():
        merges = []
        for merge in islice(learn_merges(row), wanted):
            merges.append(merge)
            merged.update()
    return build_vocab(merges, special_tokens), merges


def count_all(
    paths: Sequence[str], counting: Counting, workers: int, executor: Executor | None, progress: bool
) -> Counter[bytes]:
    """Return how often each pre-token occurs in all files together."""
    counts: Counter[bytes] = Counter()
    total = sum(map(os.path.getsize, paths))
    with (
        bar(progress, total, "B", "counting") as counted,
        closing(count_files(paths, counting, workers, executor)) as parts,
    ):
        for size, part in parts:
            counts.update(part)
            counted.update(size)
    return counts


def bar(shown: bool, total: int, unit: str, doing: str) -> tqdm:
    """Return a progress bar that goes away when it is done."""
    return tqdm(total=total, unit=unit, unit_scale=True, desc=doing, leave=False, disable=not shown)


def check_paths(input_path: AnyPath | Sequence[AnyPath]) -> list[str]:
    """Return the paths as absolute strings, which other processes understand, each of a file that is there.

    Raises:
        ValueError: no path is given.
        FileNotFoundError, IsADirectoryError: a path leads to no file.
    """
    paths = [input_path] if isinstance(input_path, (str, os.PathLike)) else list(input_path)
    if not paths:
        raise ValueError("input_path is an empty list: give at least one file")
    for path in paths:
        if os.path.isdir(path):
            raise IsADirectoryError(f"{os.fspath(path)!r} is a folder: give the files in it, as a list")
        if not os.path.exists(path):
            raise FileNotFoundError(missing(path))
    return [os.path.abspath(path) for path in paths]
