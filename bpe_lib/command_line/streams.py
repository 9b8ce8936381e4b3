"""Where the commands read from and write to: files, standard input and output, ids as arrays and as text."""

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

from bpe_lib.files import check_another, replacing
from bpe_lib.training import bar

AT_A_TIME = 1 << 20
"""How many ids of an array, or bytes of a text with ids, are decoded together."""
MOST_DIGITS = 20
"""How long an id may be; those of 32 bits take 10 digits."""


def open_streams() -> None:
    """Give standard streams that are closed (`>&-` in a shell) a place to read nothing from and write to.

    Without a buffer (`python -u`, many containers) a write may leave out a part in silence: give standard output one.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(bare := getattr(sys.stdout, "buffer", None), io.RawIOBase):
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(bare), sys.stdout.encoding, sys.stdout.errors)


def say(message: str) -> None:
    """Print a line about the work done, for a person at a terminal; nothing is printed into logs and pipes."""
    if sys.stderr.isatty():
        print(message, file=sys.stderr)


def check_folder(name: str) -> None:
    """Raise an error, before any work is done, unless a folder of this name is there or can be made."""
    path = Path(name)
    there = next((above for above in (path, *path.parents) if above.exists()), Path())
    if not there.is_dir():
        raise NotADirectoryError(f"{str(there)!r} is a file: give the name of a folder")
    if not os.access(there, os.W_OK):
        raise PermissionError(f"the folder {str(there)!r} can't be written to")


@contextmanager
def file_of(name: str) -> Iterator[str]:
    """Give the path of an input file; what comes from standard input, `-`, is kept in one for the while."""
    if name != "-":
        yield name
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "standard input")
        with open(path, "wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield path


@contextmanager
def destination(name: str, source: str) -> Iterator[BinaryIO]:
    """Open an output: a file that appears once it is complete, or standard output for `-`.

    Raises:
        OSError: the file can't be written.
        ValueError: it is `source`, which is still to be read.
    """
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    check_another(source, name)
    with replacing(name) as file:
        yield file


def ids_of_array(name: str) -> Iterator[list[int]]:
    """Yield the ids in a `.npy` file, some at a time.

    Raises:
        OSError: the file can't be read.
        ValueError: it is no one-dimensional array of whole numbers. Pickled objects are never read.
    """
    try:
        ids = np.lib.format.open_memmap(name, mode="r")  # unlike np.load, for this one format only
    except OSError:
        raise
    except Exception as error:  # numpy has no list of what it raises for a bad header
        raise ValueError(f"{name} is not a .npy file of ids: {error}") from error
    if ids.ndim != 1 or ids.dtype.kind not in "ui":
        raise ValueError(f"{name} holds an array of {ids.dtype} with {ids.ndim} axes, and ids are one row of integers")
    with bar(sys.stderr.isatty(), ids.nbytes, "B", "decoding") as decoded:
        for start in range(0, len(ids), AT_A_TIME):
            part = ids[start : start + AT_A_TIME]
            yield part.tolist()
            decoded.update(part.nbytes)


def ids_of_text(name: str) -> Iterator[list[int]]:
    """Yield the ids in a text, numbers with whitespace between them, some at a time.

    Raises:
        OSError: the file can't be read.
        ValueError: something in it is no number.
    """
    file = sys.stdin.buffer if name == "-" else open(name, "rb")  # noqa: SIM115
    size = 0 if name == "-" else os.path.getsize(name)
    with file, bar(sys.stderr.isatty() and size > 0, size, "B", "decoding") as decoded:
        rest = b""
        while data := file.read(AT_A_TIME):
            words = (rest + data).split()
            rest = words.pop() if words and not data[-1:].isspace() else b""
            yield list(map(whole_number, words))
            if len(rest) > MOST_DIGITS:  # a file without whitespace is never held as a whole
                whole_number(rest)
            decoded.update(len(data))
        yield [whole_number(rest)] if rest else []


def whole_number(word: bytes) -> int:
    """Return an id that is written in digits.

    >>> whole_number(b"257")
    257
    """
    if not word.isdigit() or len(word) > MOST_DIGITS:
        raise ValueError(f"{word[:40].decode(errors='replace')!r} is not an id: ids are whole numbers")
    return int(word)
