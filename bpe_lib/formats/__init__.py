"""Tokenizers in files and in other libraries: GPT-2's two files, Hugging Face's `tokenizer.json`, tiktoken's ranks.

`bpe_lib.Tokenizer` has a method for each. Here are the functions behind them, in one module for each format: all take
or return a `Definition`, which is everything that makes a tokenizer.

>>> to_printable(b" the"), from_printable("Ġthe")
('Ġthe', b' the')
"""

from bpe_lib.formats.definition import Definition
from bpe_lib.formats.gpt2 import CHARACTER_OF, from_printable, to_printable

__all__ = ["CHARACTER_OF", "Definition", "from_printable", "to_printable"]
