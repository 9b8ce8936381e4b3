"""What the commands of `python -m bpe_lib` do."""

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

from bpe_lib.datasets import encode_file, encode_in_parts
from bpe_lib.files import replacing
from bpe_lib.folder import EXTRA_FILE, MERGES_FILE, VOCAB_FILE, WHOLE_FILE
from bpe_lib.patterns import PATTERNS
from bpe_lib.terminal import in_colour, visible
from bpe_lib.tokenizer import Tokenizer
from bpe_lib.training import bar, train_bpe

SAMPLE = "The best test isn't the longest: it's 42 lines, tokenized.\n  naïve café, Привет, 你好 🙃"
IDS_AT_A_TIME = 1 << 20
"""How many ids are decoded together."""


def train(
    files: list[str],
    vocab_size: int,
    special_tokens: list[str],
    pattern: str,
    output: str,
    processes: int | None,
    errors: str,
) -> None:
    """Learn a tokenizer from text files and save it as a folder, whose tokenizer.json other libraries read too."""
    pattern = PATTERNS.get(pattern, pattern)
    if Path(output).exists() and not Path(output).is_dir():
        raise NotADirectoryError(f"{output!r} is a file: give the name of a folder")
    vocab, merges = train_bpe(
        files, vocab_size, special_tokens, processes, pattern=pattern, errors=errors, progress=sys.stderr.isatty()
    )
    Tokenizer(vocab, merges, special_tokens, pattern=pattern).save(output)
    print(f"{len(vocab):,} ids, {len(merges):,} of them merges, in {output}", file=sys.stderr)


def encode(tokenizer: str, file: str, output: str, processes: int | None, errors: str) -> None:
    """Turn text into ids, as a numpy array on disk or as text."""
    loaded, progress = open_tokenizer(tokenizer), sys.stderr.isatty()
    with file_of(file) as path:
        if output.endswith(".npy"):
            count = encode_file(path, loaded, output, processes, errors=errors, progress=progress)
            print(f"{count:,} ids for {os.path.getsize(path):,} bytes, in {output}", file=sys.stderr)
            return
        parts = encode_in_parts(path, loaded, processes, errors=errors, progress=progress)
        with closing(parts), destination(output) as out:
            between = b""
            for ids in parts:
                out.write(between + " ".join(map(str, ids.tolist())).encode())
                between = b" "
            out.write(b"\n")


def decode(tokenizer: str, file: str, output: str) -> None:
    """Turn ids, from a numpy array on disk or from text, into the text that they stand for, byte for byte."""
    loaded = open_tokenizer(tokenizer)
    source = ids_of_array(file) if file.endswith(".npy") else ids_of_text(file)
    with destination(output) as out:
        for ids in source:
            out.write(loaded.decode_bytes(ids))


def info(tokenizer: str, text: str, longest: int) -> None:
    """Say what a tokenizer holds: sizes, special tokens, the longest tokens, and a sample text cut into tokens."""
    loaded = open_tokenizer(tokenizer)
    tokens = sorted(loaded.vocab.items(), key=lambda item: len(item[1]), reverse=True)
    special = ", ".join(f"{visible(token.encode())} ({id_})" for token, id_ in loaded.special_ids.items())
    ids, size = loaded.encode_ordinary(text), len(text.encode())
    lines = [
        f"ids             {len(loaded.vocab):,}, from {min(loaded.vocab, default=0)} to {max(loaded.vocab, default=0)}",
        f"merges          {len(loaded.merges):,}",
        f"special tokens  {special or 'none'}",
        f"bytes a token   {sum(len(token) for _, token in tokens) / max(len(tokens), 1):.2f} on average",
        f"pattern         {loaded.pattern}",
        "longest tokens  " + "\n                ".join(f"{visible(t)} ({id_})" for id_, t in tokens[:longest]),
        "",
        in_colour([loaded.vocab[id_] for id_ in ids], sys.stdout.isatty() and "NO_COLOR" not in os.environ),
        f"{len(ids)} tokens for {size} bytes: {size / max(len(ids), 1):.2f} bytes a token",
    ]
    sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode())


def open_tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer in a folder or a `tokenizer.json`.

    Raises:
        OSError: nothing is there.
        ValueError: there are no files of a tokenizer, or they are bad.
    """
    path = Path(name)
    if path.is_file() or not path.exists():
        return Tokenizer.from_tokenizer_json(path)
    if (path / EXTRA_FILE).exists():
        return Tokenizer.load(path)
    if (path / WHOLE_FILE).exists():
        return Tokenizer.from_tokenizer_json(path / WHOLE_FILE)
    if (path / VOCAB_FILE).exists():
        return Tokenizer.from_files(path / VOCAB_FILE, path / MERGES_FILE)
    raise FileNotFoundError(f"the folder {name!r} holds no {EXTRA_FILE}, {WHOLE_FILE} or {VOCAB_FILE}")


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
def destination(name: str) -> Iterator[BinaryIO]:
    """Open an output: a file that appears once it is complete, or standard output for `-`."""
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with replacing(name) as file:
        yield file


def ids_of_array(name: str) -> Iterator[list[int]]:
    """Yield the ids in a `.npy` file, some at a time.

    Raises:
        OSError: the file can't be read.
        ValueError: it is no one-dimensional array of whole numbers. Pickled objects are never read.
    """
    ids = np.lib.format.open_memmap(name, mode="r")  # unlike np.load, for this one format only
    if ids.ndim != 1 or ids.dtype.kind not in "ui":
        raise ValueError(f"{name} holds an array of {ids.dtype} with {ids.ndim} axes, and ids are one row of integers")
    with bar(sys.stderr.isatty(), ids.nbytes, "B", "decoding") as decoded:
        for start in range(0, len(ids), IDS_AT_A_TIME):
            part = ids[start : start + IDS_AT_A_TIME]
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
        while data := file.read(io.DEFAULT_BUFFER_SIZE * 128):
            words = (rest + data).split()
            rest = words.pop() if words and not data[-1:].isspace() else b""
            yield list(map(whole_number, words))
            decoded.update(len(data))
        yield [whole_number(rest)] if rest else []


def whole_number(word: bytes) -> int:
    """Return an id that is written in digits."""
    if not word.isdigit() or len(word) > 20:
        raise ValueError(f"{word[:40].decode(errors='replace')!r} is not an id: ids are whole numbers")
    return int(word)
