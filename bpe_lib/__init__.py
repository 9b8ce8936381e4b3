"""Byte-level BPE: train a tokenizer, encode and decode, in small modules that the notebooks build one by one.

Data flows one way, and each step is a module:

    text → chunks          `chunking`: where a file may be cut                     `patterns` has the rule
    chunks → pre-tokens    `pretokenization`: special tokens, GPT-2's pattern
    pre-tokens → counts    `parallel`: one table for each chunk, then one sum      `fast.pieces`: for less work
    counts → merges        `naive`: says what is right; `indexed`: does it         `fast.row`: for less work
    merges → vocabulary    `vocabulary`: which id stands for which bytes
    vocabulary → ids       `encoding`: one pre-token; `tokenizer`: texts           `fast.bulk`, `fast.stream`

`training` puts the first half together, `datasets` the whole for files of text, `formats` has the files of other
libraries, and `command_line` what `python -m bpe_lib` does.

>>> import bpe_lib
>>> bpe_lib.pretokenize("the cat")
['the', ' cat']
"""

from bpe_lib.chunking import find_chunk_boundaries
from bpe_lib.datasets import encode_file
from bpe_lib.indexed import train_indexed
from bpe_lib.naive import best_pair, count_pairs, merge_pair, train_naive
from bpe_lib.patterns import PATTERNS
from bpe_lib.pretokenization import GPT2_PATTERN, count_pretokens, pretokenize, split_on_special_tokens
from bpe_lib.tokenizer import Tokenizer
from bpe_lib.training import train_bpe

__all__ = [  # noqa: RUF022  in the order of the steps
    "find_chunk_boundaries",
    "GPT2_PATTERN",
    "PATTERNS",
    "split_on_special_tokens",
    "pretokenize",
    "count_pretokens",
    "count_pairs",
    "best_pair",
    "merge_pair",
    "train_naive",
    "train_indexed",
    "train_bpe",
    "Tokenizer",
    "encode_file",
]
