"""One run of one trainer or encoder, in a process of its own: `python peers.py JOB NAME TEXT SIZE RESULT`.

A job writes what it made, so that results can be compared, and how long its work took. Each imports what it needs and
no more, so that memory is that of the library; imports take milliseconds of a trainer's time.
"""

import json
import os
import pickle
import sys
import time
from collections.abc import Iterator
from pathlib import Path

END = "<|endoftext|>"
PATTERN = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""


def documents(path: str) -> Iterator[str]:
    """Yield the documents of a text, a block of it being in memory at a time."""
    kept = b""
    with open(path, "rb") as file:
        while block := file.read(1 << 22):
            *whole, kept = (kept + block).split(END.encode())
            yield from (document.decode() for document in whole)
    yield kept.decode()


def train_ours(path: str, size: int) -> list[bytes]:
    from bpe_lib import train_bpe

    vocab, _ = train_bpe(path, size, [END])
    return list(vocab.values())


def train_tokenizers(path: str, size: int) -> list[bytes]:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from tokenizers.trainers import BpeTrainer

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    options = {"vocab_size": size, "special_tokens": [END], "initial_alphabet": alphabet}
    tokenizer.train_from_iterator(documents(path), BpeTrainer(show_progress=False, **options))
    return list(tokenizer.get_vocab())


def train_rustbpe(path: str, size: int) -> list[bytes]:
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(documents(path), size - 1, pattern=PATTERN)
    return [bytes(token) for token, _ in tokenizer.get_mergeable_ranks()] + [END.encode()]


def train_bpeasy(path: str, size: int) -> list[bytes]:
    import bpeasy

    return [*bpeasy.train_bpe(documents(path), PATTERN, 128, size - 1), END.encode()]


def train_gigatoken(path: str, size: int) -> list[bytes]:
    import gigatoken

    vocab, _ = gigatoken.train_bpe(Path(path), size, [END], separator=END.encode())
    return list(vocab.values())


def train_naively(path: str, size: int) -> list[bytes]:
    """Train with a recount of all different words at every merge."""
    from bpe_lib import count_pretokens, train_naive
    from bpe_lib.vocabulary import build_vocab

    table = count_pretokens(Path(path).read_bytes().decode(), [END])
    return list(build_vocab(train_naive(table, size - 257), [END]).values())


TRAINERS = {
    "bpe_lib": train_ours,
    "tokenizers": train_tokenizers,
    "rustbpe": train_rustbpe,
    "bpeasy": train_bpeasy,
    "gigatoken": train_gigatoken,
    "naive": train_naively,
}


def our_tokenizer(folder: str):
    from bpe_lib import Tokenizer

    return Tokenizer.load(folder)


def tiktoken_encoding(folder: str):
    """Return tiktoken's encoding with our ranks; special tokens stand behind."""
    import tiktoken

    tokenizer = our_tokenizer(folder)
    ranks = {token: id_ for id_, token in tokenizer.vocab.items() if token != END.encode()}
    special = {END: tokenizer.encode(END)[0]}
    return tiktoken.Encoding("ours", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens=special)


def encode_ours(text: str, folder: str) -> tuple[list[float], list[int]]:
    tokenizer = our_tokenizer(folder)
    return timed_twice(lambda: tokenizer.encode(text))


def encode_tiktoken(text: str, folder: str) -> tuple[list[float], list[int]]:
    encoding = tiktoken_encoding(folder)
    return timed_twice(lambda: encoding.encode(text, allowed_special="all"))


def stay_on_one_core() -> None:
    """Keep this process to one core, where the system lets it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def timed_twice(work) -> tuple[list[float], list[int]]:
    """Return the seconds of the first and of the second call, and the result."""
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        ids = work()
        seconds.append(time.perf_counter() - start)
    return seconds, ids


ENCODERS = {"bpe_lib": encode_ours, "tiktoken": encode_tiktoken}


def file_ours(path: str, folder: str, out: str) -> float:
    from bpe_lib import encode_file

    tokenizer = our_tokenizer(folder)
    start = time.perf_counter()
    encode_file(path, tokenizer, out)
    return time.perf_counter() - start


def file_tiktoken(path: str, folder: str, out: str) -> float:
    import numpy as np

    encoding = tiktoken_encoding(folder)
    end = encoding.encode_single_token(END)
    start = time.perf_counter()
    parts = encoding.encode_ordinary_batch(list(documents(path)), num_threads=os.cpu_count())
    joined = np.concatenate([np.array([*part, end], np.uint16) for part in parts])[:-1]
    np.save(out, joined)
    return time.perf_counter() - start


FILES = {"bpe_lib": file_ours, "tiktoken": file_tiktoken}


def main(job: str, name: str, path: str, argument: str, result: str) -> None:
    """Do one job and write what it gave."""
    if job == "train":
        start = time.perf_counter()
        made = TRAINERS[name](path, int(argument))
        seconds = [time.perf_counter() - start]
    elif job == "encode":
        stay_on_one_core()
        seconds, made = ENCODERS[name](Path(path).read_bytes().decode(), argument)
    else:
        seconds, made = [FILES[name](path, argument, result + ".npy")], None
    Path(result).write_bytes(pickle.dumps(made))
    print(json.dumps(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
