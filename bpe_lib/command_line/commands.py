"""What the commands of `python -m bpe_lib` do."""

import os
import sys
from contextlib import closing
from itertools import product
from pathlib import Path

from bpe_lib.command_line.streams import check_folder, destination, file_of, ids_of_array, ids_of_text, say
from bpe_lib.datasets import encode_file, encode_in_parts
from bpe_lib.files import check_another
from bpe_lib.formats.folder import EXTRA_FILE, FILES, MERGES_FILE, VOCAB_FILE, WHOLE_FILE
from bpe_lib.formats.reading import check_usable
from bpe_lib.patterns import PATTERNS
from bpe_lib.tokenizer import Tokenizer
from bpe_lib.training import train_bpe
from bpe_lib.visible import in_colour, visible

SAMPLE = "The best test isn't the longest: it's 42 lines, tokenized.\n  naïve café, Привет, 你好 🙃"


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
    check_folder(output)
    for file, name in product(files, FILES):
        check_another(file, os.path.join(output, name))
    pattern, shown = PATTERNS.get(pattern, pattern), sys.stderr.isatty()
    check_usable(pattern)
    vocab, merges = train_bpe(
        files, vocab_size, special_tokens, processes, pattern=pattern, errors=errors, progress=shown
    )
    Tokenizer(vocab, merges, special_tokens, pattern=pattern).save(output)
    if len(vocab) < vocab_size:
        print(f"warning: no pair is left: {len(vocab):,} ids of {vocab_size:,}", file=sys.stderr)
    say(f"{len(vocab):,} ids, {len(merges):,} of them merges, in {output}")


def encode(tokenizer: str, file: str, output: str, processes: int | None, errors: str) -> None:
    """Turn text into ids, as a numpy array on disk or as text; special tokens in the text become their own ids."""
    loaded, progress = open_tokenizer(tokenizer), sys.stderr.isatty()
    with file_of(file) as path:
        if output.endswith(".npy"):
            count = encode_file(path, loaded, output, processes, errors=errors, progress=progress)
            say(f"{count:,} ids for {os.path.getsize(path):,} bytes, in {output}")
            return
        parts = encode_in_parts(path, loaded, processes, errors=errors, progress=progress)
        with closing(parts), destination(output, path) as out:
            between = b""
            for ids in parts:
                out.write(between + " ".join(map(str, ids.tolist())).encode())
                between = b" "
            out.write(b"\n")


def decode(tokenizer: str, file: str, output: str) -> None:
    """Turn ids, from a numpy array on disk or from text, into the text that they stand for, byte for byte."""
    loaded = open_tokenizer(tokenizer)
    source = ids_of_array(file) if file.endswith(".npy") else ids_of_text(file)
    with destination(output, file) as out:
        for ids in source:
            out.write(loaded.decode_bytes(ids))


def info(tokenizer: str, text: str, longest: int) -> None:
    """Say what a tokenizer holds: sizes, special tokens, the longest tokens, and a sample text cut into tokens."""
    if longest < 0:
        raise ValueError(f"--longest is {longest}: give 0 or more")
    loaded = open_tokenizer(tokenizer)
    tokens = sorted(loaded.vocab.items(), key=lambda item: len(item[1]), reverse=True)
    special = ", ".join(f"{visible(token.encode())} ({id_})" for token, id_ in loaded.special_ids.items())
    ids, size = loaded.encode_ordinary(text), len(text.encode())
    lines = [
        f"ids             {len(loaded.vocab):,}, from {min(loaded.vocab, default=0)} to {max(loaded.vocab, default=0)}",
        f"merges          {len(loaded.merges):,}",
        f"special tokens  {special or 'none'}",
        f"bytes an entry  {sum(len(token) for _, token in tokens) / max(len(tokens), 1):.2f} on average",
        f"pattern         {loaded.pattern if loaded.pattern.isprintable() else ascii(loaded.pattern)}",
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
