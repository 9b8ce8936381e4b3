"""Tokenizers in files and in other libraries: GPT-2's two files, Hugging Face's `tokenizer.json`, tiktoken's ranks.

`bpe_lib.Tokenizer` has a method for each. Here are the functions behind them, in one module for each format: all take
or return a `Definition`, which is everything that makes a tokenizer.

>>> to_printable(b" the"), from_printable("Ġthe")
('Ġthe', b' the')
"""

from bpe_lib.formats.definition import Definition
from bpe_lib.formats.folder import load, save
from bpe_lib.formats.gpt2 import (
    BYTE_OF,
    CHARACTER_OF,
    from_printable,
    printable_bytes,
    read_merges,
    read_vocab,
    to_printable,
)
from bpe_lib.formats.huggingface import tokenizer_json
from bpe_lib.formats.huggingface_reader import read_tokenizer_json
from bpe_lib.formats.ranks import recover_merges
from bpe_lib.formats.tiktoken_format import read_encoding, read_ranks, to_encoding

__all__ = [
    "BYTE_OF",
    "CHARACTER_OF",
    "Definition",
    "from_printable",
    "load",
    "printable_bytes",
    "read_encoding",
    "read_merges",
    "read_ranks",
    "read_tokenizer_json",
    "read_vocab",
    "recover_merges",
    "save",
    "to_encoding",
    "to_printable",
    "tokenizer_json",
]
