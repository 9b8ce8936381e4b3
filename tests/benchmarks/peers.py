"""One run of one trainer or encoder, in a process of its own: `python peers.py JOB NAME TEXT SIZE RESULT`.

A job writes what it made, so that results can be compared, and how long its work took without imports and set-up.
"""

import json
import os
import pickle
import sys
import time
from pathlib import Path

from bpe_lib import GPT2_PATTERN, Tokenizer, count_pretokens, encode_file, train_bpe, train_naive
from bpe_lib.corpora import END_OF_TEXT
from bpe_lib.vocabulary import build_vocab


def read_documents(path: str) -> list[str]:
    return Path(path).read_bytes().decode().split(END_OF_TEXT)


def train_ours(path: str, size: int) -> list[bytes]:
    vocab, _ = train_bpe(path, size, [END_OF_TEXT])
    return list(vocab.values())


def train_tokenizers(path: str, size: int) -> list[bytes]:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    from bpe_lib.formats import from_printable

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    options = {"vocab_size": size, "special_tokens": [END_OF_TEXT], "initial_alphabet": alphabet}
    tokenizer.train([path], trainers.BpeTrainer(show_progress=False, **options))
    return [from_printable(token) for token in tokenizer.get_vocab()]


def train_rustbpe(path: str, size: int) -> list[bytes]:
    import rustbpe

    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator(iter(read_documents(path)), size - 1, pattern=GPT2_PATTERN)
    return [bytes(token) for token, _ in tokenizer.get_mergeable_ranks()]


def train_bpeasy(path: str, size: int) -> list[bytes]:
    import bpeasy

    return list(bpeasy.train_bpe(iter(read_documents(path)), GPT2_PATTERN, 128, size - 1))


def train_gigatoken(path: str, size: int) -> list[bytes]:
    import gigatoken

    vocab, _ = gigatoken.train_bpe(Path(path), size, [END_OF_TEXT], separator=END_OF_TEXT.encode())
    return list(vocab.values())


def train_naively(path: str, size: int) -> list[bytes]:
    """Train as minbpe does: a recount of all words at every merge."""
    table = count_pretokens(Path(path).read_bytes().decode(), [END_OF_TEXT])
    return list(build_vocab(train_naive(table, size - 257), [END_OF_TEXT]).values())


TRAINERS = {
    "bpe_lib": train_ours,
    "tokenizers": train_tokenizers,
    "rustbpe": train_rustbpe,
    "bpeasy": train_bpeasy,
    "gigatoken": train_gigatoken,
    "naive": train_naively,
}


def our_tokenizer(folder: str) -> Tokenizer:
    return Tokenizer.load(folder)


def tiktoken_encoding(folder: str):
    """Return tiktoken's encoding with our ranks; special tokens stand behind."""
    import tiktoken

    tokenizer = our_tokenizer(folder)
    ranks = {token: id_ for id_, token in tokenizer.vocab.items() if token != END_OF_TEXT.encode()}
    special = {END_OF_TEXT: tokenizer.encode(END_OF_TEXT)[0]}
    return tiktoken.Encoding("ours", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens=special)


def encode_ours(text: str, folder: str) -> tuple[list[float], list[int]]:
    tokenizer = our_tokenizer(folder)
    return timed_twice(lambda: tokenizer.encode(text))


def encode_tiktoken(text: str, folder: str) -> tuple[list[float], list[int]]:
    encoding = tiktoken_encoding(folder)
    return timed_twice(lambda: encoding.encode(text, allowed_special="all"))


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
    tokenizer = our_tokenizer(folder)
    start = time.perf_counter()
    encode_file(path, tokenizer, out)
    return time.perf_counter() - start


def file_tiktoken(path: str, folder: str, out: str) -> float:
    import numpy as np

    encoding = tiktoken_encoding(folder)
    end = encoding.encode_single_token(END_OF_TEXT)
    start = time.perf_counter()
    parts = encoding.encode_ordinary_batch(read_documents(path), num_threads=os.cpu_count())
    joined = np.concatenate([np.array([*part, end], np.uint16) for part in parts])[:-1]
    np.save(out, joined)
    return time.perf_counter() - start


FILES = {"bpe_lib": file_ours, "tiktoken": file_tiktoken}


def main(job: str, name: str, path: str, argument: str, result: str) -> None:
    """Do one job and write what it gave."""
    if job == "train":
        start = time.perf_counter()
        tokens = TRAINERS[name](path, int(argument))
        seconds = [time.perf_counter() - start]
        made = sorted(tokens)
    elif job == "encode":
        seconds, made = ENCODERS[name](Path(path).read_bytes().decode(), argument)
    else:
        seconds, made = [FILES[name](path, argument, result + ".npy")], None
    Path(result).write_bytes(pickle.dumps(made))
    print(json.dumps(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
