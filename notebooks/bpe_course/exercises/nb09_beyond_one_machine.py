"""The exercise of notebook 09."""

import os
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from bpe_course.exercise import Args, Complaint, exercise


@exercise(
    minutes=10,
    difficulty=2,
    imports="import os",
    show="from pathlib import Path\npaths = []\nfor i, size in enumerate({0}):\n    paths.append(f'file{{i}}')\n"
    "    _ = Path(paths[-1]).write_bytes((b'\\r\\n' * size)[:size])\nsplit_work(paths, {1})",
    hints=(
        "`os.path.getsize(path)` tells a file's size without reading it.",
        "`range(0, size, max_bytes)` gives where ranges begin. Where does the last one end?",
    ),
)
def split_work(paths: list[str], max_bytes: int) -> list[tuple[str, int, int]]:
    """Return ranges (path, start, end) that cover each file once, in order, each of at most `max_bytes` bytes.

    There are as few ranges as that allows, and an empty file has none. No file is read.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "text.txt")
    ...     _ = path.write_bytes(b"0123456789")
    ...     [(start, end) for _, start, end in split_work([str(path)], 4)]
    [(0, 4), (4, 8), (8, 10)]
    """
    ranges = []
    for path in paths:
        size = os.path.getsize(path)
        for start in range(0, size, max_bytes):
            ranges.append((path, start, min(start + max_bytes, size)))
    return ranges


split_work.cases(
    ([10], 4),
    ([], 4),
    ([0], 4),
    ([3, 5], 4),
    ([8], 4),
    ([1, 0, 2], 1),
    ([5], 9),
    ([200_000], 150_000),
)


@split_work.random
def random_sizes(chance: Random) -> Args:
    """Return sizes of files, and how large a range may be."""
    return [chance.randint(0, 9) for _ in range(chance.randint(0, 3))], chance.randint(1, 6)


split_work.valid(lambda sizes, max_bytes: max_bytes > 0)


def named(part: Any) -> Any:
    """Return a range with the file's name in place of its path."""
    if isinstance(part, (list, tuple)) and part and isinstance(part[0], (str, os.PathLike)):
        return (os.path.basename(part[0]), *part[1:])
    return part


def covers(ranges: list, sizes: list[int], max_bytes: int) -> bool:
    """Tell whether the ranges cover all files once and in order."""
    if not all(isinstance(part, tuple) and len(part) == 3 for part in ranges):
        return False
    place = [(f"file{number}", offset) for number, size in enumerate(sizes) for offset in range(size)]
    covered = [(name, offset) for name, start, end in ranges for offset in range(start, end)]
    few = len(ranges) == sum(-(-size // max_bytes) for size in sizes)
    return few and place == covered and all(0 < end - start <= max_bytes for _, start, end in ranges)


READ = 100_000
"""Bytes of memory that show, on larger files, that their content was read."""
READS = (
    "You read a file of {:,} bytes to learn how long it is. A file may be larger than memory, and reading takes time: "
    "`os.path.getsize(path)` asks the file system."
)


def at_its_peak(function: Callable, paths: list[str], max_bytes: int) -> tuple[Any, int]:
    """Return the reader's ranges, and for a large file how many bytes of memory they took at the most."""
    largest = max(map(os.path.getsize, paths), default=0)
    if largest <= READ or tracemalloc.is_tracing():
        return function(paths, max_bytes), 0
    tracemalloc.start()
    try:
        return function(paths, max_bytes), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@split_work.harness
def call_split_work(function: Callable, sizes: list[int], max_bytes: int) -> Any:
    """Call the reader's function on files of these sizes; return the ranges with plain names of the files."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"file{number}") for number in range(len(sizes))]
        for path, size in zip(paths, sizes):
            Path(path).write_bytes((b"\r\n" * (size // 2 + 1))[:size])
        ranges, memory = at_its_peak(function, paths, max_bytes)
        if not isinstance(ranges, (list, tuple)):
            return ranges
        ranges = [named(part) for part in ranges]
        if not covers(ranges, sizes, max_bytes):
            return ranges
        if memory > READ:
            raise Complaint(READS.format(max(sizes)), ranges)
        return [named(part) for part in split_work(paths, max_bytes)]


@split_work.slip("Your last range ends behind the end of its file. It ends at the size.")
def beyond_the_end(paths, max_bytes):
    return [(path, start, start + max_bytes) for path, start, _ in split_work(paths, max_bytes)]


@split_work.slip("What is left at the end of a file is missing: the last range may be shorter.")
def rest_forgotten(paths, max_bytes):
    return [(path, start, end) for path, start, end in split_work(paths, max_bytes) if end - start == max_bytes]


@split_work.slip("You give out whole files. A range holds `max_bytes` bytes at the most.")
def whole_files(paths, max_bytes):
    return [(path, 0, os.path.getsize(path)) for path in paths if os.path.getsize(path)]


@split_work.slip("An empty file has no ranges: there is nothing to do for anyone.")
def empty_ranges(paths, max_bytes):
    return [
        (path, start, min(start + max_bytes, os.path.getsize(path)))
        for path in paths
        for start in range(0, max(os.path.getsize(path), 1), max_bytes)
    ]


@split_work.slip("You end with a range of no bytes where the size is a multiple of `max_bytes`.")
def range_at_the_end(paths, max_bytes):
    return [
        (path, start, min(start + max_bytes, os.path.getsize(path)))
        for path in paths
        for start in range(0, os.path.getsize(path) + 1, max_bytes)
    ]


@split_work.slip("You return the length of each range. The third item is where it ends.")
def lengths(paths, max_bytes):
    return [(path, start, end - start) for path, start, end in split_work(paths, max_bytes)]


@split_work.slip(
    "You write `max_bytes`, a length, where the range ends. It ends at `start + max_bytes`, or at the end of the file."
)
def length_for_end(paths, max_bytes):
    return [(path, start, max_bytes) for path, start, _ in split_work(paths, max_bytes)]


@split_work.slip(
    "You make more ranges than needed. Each is a task that some worker must fetch: fill each with `max_bytes` bytes, "
    "all but the last one of a file."
)
def single_bytes(paths, max_bytes):
    return [(path, at, at + 1) for path in paths for at in range(os.path.getsize(path))]


@split_work.slip(
    r"You open the file as text and count characters: `\r\n` counts as one there, `é` too. Ranges are bytes, and "
    "`os.path.getsize(path)` tells how many there are."
)
def length_of_text(paths, max_bytes):
    ranges = []
    for path in paths:
        size = len(Path(path).read_text(encoding="utf-8"))
        ranges += [(path, start, min(start + max_bytes, size)) for start in range(0, size, max_bytes)]
    return ranges


@split_work.slip(READS.format(200_000))
def length_of_content(paths, max_bytes):
    ranges = []
    for path in paths:
        size = len(Path(path).read_bytes())
        ranges += [(path, start, min(start + max_bytes, size)) for start in range(0, size, max_bytes)]
    return ranges


@split_work.slip("Your ranges end one byte too early: `end` is where the next one begins.")
def last_byte_included(paths, max_bytes):
    return [(path, start, end - 1) for path, start, end in split_work(paths, max_bytes)]


@split_work.slip("Your ranges overlap, so bytes are counted twice.")
def overlapping(paths, max_bytes):
    return [(path, max(start - 1, 0), end) for path, start, end in split_work(paths, max_bytes)]


@split_work.slip("You split the first file only. All of them are work.")
def first_file(paths, max_bytes):
    return split_work(paths[:1], max_bytes)


@split_work.slip("Your offsets run on from file to file. Each file begins at 0.")
def offsets_run_on(paths, max_bytes):
    ranges, before = [], 0
    for path in paths:
        ranges += [(path, before + start, before + end) for _, start, end in split_work([path], max_bytes)]
        before += os.path.getsize(path)
    return ranges


@split_work.slip("The path is missing. A worker must know which file to read.")
def without_path(paths, max_bytes):
    return [(start, end) for _, start, end in split_work(paths, max_bytes)]


@split_work.accept
def evenly(paths, max_bytes):
    ranges = []
    for path in paths:
        size = os.path.getsize(path)
        parts = -(-size // max_bytes)
        cuts = [i * size // parts for i in range(parts)] + [size] if parts else []
        ranges += [(path, start, end) for start, end in zip(cuts, cuts[1:])]
    return ranges
