"""How a tokenizer gets into files and other libraries, and out of them."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

from bpe_lib.files import replacing
from bpe_lib.formats import folder, gpt2, huggingface, huggingface_reader, tiktoken_format
from bpe_lib.formats.definition import Definition
from bpe_lib.pretokenization import GPT2_PATTERN, list_special_tokens

if TYPE_CHECKING:
    import tiktoken


class TokenizerFiles:
    """The part of `bpe_lib.Tokenizer` that reads and writes formats; all it needs to know is the definition."""

    definition: Definition
    """All that makes this tokenizer."""

    @classmethod
    def from_definition(cls, definition: Definition, source: str | os.PathLike[str] | None = None) -> Self:
        """Return the tokenizer that is made of this.

        Args:
            source: the file or folder that it comes from, for the messages of errors.
        """
        vocab, merges, special_tokens, pattern, ignore_merges = definition
        try:
            return cls(vocab, merges, special_tokens, pattern=pattern, ignore_merges=ignore_merges)
        except ValueError as error:
            if source is None:
                raise
            raise ValueError(f"{os.fspath(source)}: {error}") from error

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tokenizer's files into a folder, which is made if need be.

        These are `vocab.json` and `merges.txt` in GPT-2's format, `bpe_lib.json` with what these can't say, and
        `tokenizer.json` for Hugging Face's libraries. There is a warning instead of the last where it can't be written
        (see `to_tokenizer_json`).

        Raises:
            OSError: a file can't be written; all that were there before stay as they were. Or one of them can't be
                replaced since another program has it open (on Windows): then some are new and some old.
        """
        folder.save(path, self.definition)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return the tokenizer that `save` wrote into a folder.

        Raises:
            OSError: a file is missing or can't be read.
            ValueError: a file is not what `save` writes.
        """
        return cls.from_definition(folder.load(path), path)

    def to_tokenizer_json(self, path: str | os.PathLike[str]) -> None:
        """Write a `tokenizer.json`, which `tokenizers` and `transformers` read, giving the same ids.

        Raises:
            OSError: the file can't be written; one that was there before stays as it was.
            ValueError: the format can't say it, such as a special token that is spelled like another token there.
        """
        text = huggingface.tokenizer_json(self.definition)
        with replacing(path) as file:
            file.write(text.encode())

    @classmethod
    def from_tokenizer_json(cls, path: str | os.PathLike[str], *, ignore_normalizer: bool = False) -> Self:
        """Return the tokenizer of a byte-level `tokenizer.json`, such as GPT-2's, Llama 3's or Qwen's.

        The ids are those of `tokenizers` with `add_special_tokens=False`; all added tokens are special tokens here.

        Args:
            ignore_normalizer: read a file that brings text into a Unicode normal form first, as Qwen's do; the ids are
                the same for text that is in that form already.

        Raises:
            OSError: the file is missing or can't be read.
            ValueError: it is no `tokenizer.json`, or holds what byte-level BPE can't say; the message names it.
        """
        definition = huggingface_reader.read_tokenizer_json(path, ignore_normalizer=ignore_normalizer)
        return cls.from_definition(definition, path)

    def to_tiktoken(self, name: str = "bpe_lib") -> "tiktoken.Encoding":
        """Return tiktoken's `Encoding` that gives the same ids.

        Raises:
            ValueError: tiktoken can't say it, such as merges in another order than their ids.
        """
        return tiktoken_format.to_encoding(self.definition, name)

    @classmethod
    def from_tiktoken(
        cls,
        encoding_or_file: "tiktoken.Encoding | str | os.PathLike[str]",
        *,
        pattern: str | None = None,
        special_tokens: Mapping[str, int] | None = None,
    ) -> Self:
        """Return the tokenizer of a tiktoken `Encoding`, or of a file of ranks such as `cl100k_base.tiktoken`.

        Args:
            pattern: for a file, how to cut text; `bpe_lib.PATTERNS` has some by name.
            special_tokens: for a file, the id of each special token.

        Raises:
            OSError: the file is missing or can't be read.
            ValueError: the ranks are bad, or a file comes without a pattern.
        """
        return cls.from_definition(tiktoken_format.read(encoding_or_file, pattern, special_tokens))

    @classmethod
    def from_files(
        cls,
        vocab_filepath: str | os.PathLike[str],
        merges_filepath: str | os.PathLike[str],
        special_tokens: Sequence[str] | None = None,
    ) -> Self:
        """Return a tokenizer from two files in GPT-2's format.

        Raises:
            OSError: a file is missing or can't be read.
            ValueError: a file is not in that format.
        """
        merges = gpt2.read_merges(merges_filepath)
        special_tokens = list_special_tokens(special_tokens or [])
        vocab = gpt2.read_vocab(vocab_filepath, merges, special_tokens)
        return cls.from_definition(Definition(vocab, merges, special_tokens, GPT2_PATTERN), vocab_filepath)
