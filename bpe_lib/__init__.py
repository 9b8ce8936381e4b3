"""Byte-level BPE: train a tokenizer, encode and decode, in small modules that the notebooks build one by one.

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

__all__ = [
    "GPT2_PATTERN",
    "PATTERNS",
    "Tokenizer",
    "best_pair",
    "count_pairs",
    "count_pretokens",
    "encode_file",
    "find_chunk_boundaries",
    "merge_pair",
    "pretokenize",
    "split_on_special_tokens",
    "train_bpe",
    "train_indexed",
    "train_naive",
]
