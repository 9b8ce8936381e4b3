"""The finished tokenizer: text to ids and back."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Self

import numpy as np

from bpe_lib.encoding import PretokenCache, encode_pretoken, rank_merges
from bpe_lib.fast.bulk import BulkEncoder
from bpe_lib.fast.stream import cut_stream
from bpe_lib.files import AnyPath
from bpe_lib.formats import folder, gpt2, huggingface, huggingface_reader, tiktoken_format
from bpe_lib.formats.definition import Definition, assign_ids, tokens_of_text
from bpe_lib.naive import Pair
from bpe_lib.patterns import cut_rule
from bpe_lib.pretokenization import (
    GPT2_PATTERN,
    compile_pattern,
    list_special_tokens,
    pretokenize,
    special_token_pattern,
)
from bpe_lib.vocabulary import add_special_tokens

if TYPE_CHECKING:
    import tiktoken

CACHE_SIZE = 50_000
"""Pre-tokens of short texts whose ids are remembered between calls, at the most."""
BULK_CACHE_SIZE = 200_000
"""The same for the pieces of long texts."""
STREAM_CACHE_SIZE = 1_000
"""The same for one stream, which needs little memory of its own."""
LONG_TEXT = 1 << 15
"""Characters from which on it takes less time to encode all new pieces of a text together."""


class Tokenizer:
    """A byte-level BPE tokenizer.

    Args:
        vocab: the bytes of each id.
        merges: the merges in the order in which they were learned.
        special_tokens: strings that `encode` turns into one id each. Those that the vocabulary lacks get the ids above
            the highest, in the order given.
        pattern: cuts text into pre-tokens; the one the merges were learned with.
        ignore_merges: whether a pre-token that the vocabulary holds whole becomes that token even where the merges do
            not build it, as in tiktoken and in Llama 3.

    Raises:
        ValueError: an id is below 0 or takes more than 32 bits, a merge has a half or a product that is not in the
            vocabulary, a special token is empty, or the pattern is invalid.

    Text from outside (a user's message, a web page) may hold the spelling of a special token, and `encode` would obey
    it. Encode such text with `encode_ordinary`.

    >>> vocab = dict(enumerate([b" ", b"a", b"c", b"e", b"h", b"t", b"th", b" c", b" a", b"the", b" at"]))
    >>> merges = [(b"t", b"h"), (b" ", b"c"), (b" ", b"a"), (b"th", b"e"), (b" a", b"t")]
    >>> tokenizer = Tokenizer(vocab, merges)
    >>> tokenizer.encode("the cat ate")
    [9, 7, 1, 5, 10, 3]
    >>> tokenizer.decode([9, 7, 1, 5])
    'the cat'
    """

    def __init__(
        self,
        vocab: Mapping[int, bytes],
        merges: Iterable[Pair],
        special_tokens: Sequence[str] | None = None,
        *,
        pattern: str = GPT2_PATTERN,
        ignore_merges: bool = False,
    ) -> None:
        compile_pattern(pattern)
        check_ids(vocab)
        self._rule = cut_rule(pattern)
        self.pattern, self.ignore_merges = pattern, ignore_merges
        self.special_tokens = list(dict.fromkeys(list_special_tokens(special_tokens or [])))
        self.vocab = add_special_tokens(vocab, self.special_tokens)
        self.merges = [(left, right) for left, right in merges]
        self._special_ids, self._ids = assign_ids(self.vocab, self.special_tokens)
        self._ranks = rank_merges(self.merges, self._ids)
        self._special = re.compile(f"({special_token_pattern(self.special_tokens)})") if self.special_tokens else None
        self._whole = tokens_of_text(self.definition) if ignore_merges else {}
        self._cache = PretokenCache(self._encode_pretoken, CACHE_SIZE)

    @property
    def special_ids(self) -> dict[str, int]:
        """The id of each special token."""
        return dict(self._special_ids)

    @property
    def definition(self) -> Definition:
        """All that makes this tokenizer, as its files hold it."""
        return Definition(self.vocab, self.merges, self.special_tokens, self.pattern, self.ignore_merges)

    @classmethod
    def from_definition(cls, definition: Definition, source: AnyPath | None = None) -> Self:
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

    def __reduce__(self) -> tuple:
        return Tokenizer.from_definition, (self.definition,)  # without what this process remembers

    def __repr__(self) -> str:
        return f"Tokenizer({len(self.vocab):,} ids, {len(self.merges):,} merges, special tokens {self.special_tokens})"

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text; what is spelled like a special token becomes that token's id.

        Raises:
            UnicodeEncodeError: the text holds a lone surrogate.
            ValueError: the vocabulary lacks a byte that the text needs.
        """
        if len(text) >= LONG_TEXT and self._bulk:
            return flat(self._bulk.encode(text.encode(), with_special_tokens=True))
        return self._encode(text, self._cache)

    def encode_blocks(self, text: str) -> Iterator[np.ndarray]:
        """Yield the ids of `encode(text)` as one array of int64 after another.

        Under a pattern that may be cut, such as GPT-2's, each holds a few megabytes of text; under others there is one.

        >>> [ids.tolist() for ids in Tokenizer({97: b"a"}, []).encode_blocks("aa")]
        [[97, 97]]
        """
        if self._bulk:
            yield from self._bulk.encode(text.encode(), with_special_tokens=True)
        else:
            yield np.array(self._encode(text, self._cache), np.int64)

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the ids of a text in which special tokens are read as plain text: safe for text from outside.

        >>> tokenizer = Tokenizer({60: b"<", 62: b">", 101: b"e"}, [], ["<e>"])
        >>> tokenizer.encode("<e>"), tokenizer.encode_ordinary("<e>")
        ([102], [60, 101, 62])
        """
        if len(text) >= LONG_TEXT and self._bulk:
            return flat(self._bulk.encode(text.encode(), with_special_tokens=False))
        return self._encode_ordinary(text, self._cache)

    def encode_iterable(self, chunks: Iterable[str]) -> Iterator[int]:
        """Yield the ids of `encode("".join(chunks))`, reading only as far as the next id needs.

        However the text is cut, the ids are the same. Memory does not grow with the stream: what is held back is the
        text since the last place where it may be cut. If nothing is known of the pattern, that is a special token.

        >>> tokenizer = Tokenizer({60: b"<", 62: b">", 101: b"e"}, [], ["<e>"])
        >>> list(tokenizer.encode_iterable(["e<", "e", ">"]))
        [101, 102]
        """
        cache = PretokenCache(self._encode_pretoken, STREAM_CACHE_SIZE)
        for text in cut_stream(chunks, self.special_tokens, self.pattern):
            yield from self._encode(text, cache)

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of some ids; bytes that are not valid UTF-8 become U+FFFD.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
        return self.decode_bytes(ids).decode(errors="replace")

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes of some ids, all of them, whether they are valid UTF-8 or not.

        Raises:
            ValueError: an id is not in the vocabulary.
        """
        try:
            return b"".join([self.vocab[id_] for id_ in ids])
        except KeyError as error:
            raise ValueError(f"id {error.args[0]!r} is not in the vocabulary of {len(self.vocab):,} ids") from None

    def save(self, path: AnyPath) -> None:
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
    def load(cls, path: AnyPath) -> Self:
        """Return the tokenizer that `save` wrote into a folder.

        Raises:
            OSError: a file is missing or can't be read.
            ValueError: a file is not what `save` writes.
        """
        return cls.from_definition(folder.load(path), path)

    def to_tokenizer_json(self, path: AnyPath) -> None:
        """Write a `tokenizer.json`, which `tokenizers` and `transformers` read, giving the same ids.

        Raises:
            OSError: the file can't be written; one that was there before stays as it was.
            ValueError: the format can't say it, such as a special token that is spelled like another token there.
        """
        huggingface.write(path, self.definition)

    @classmethod
    def from_tokenizer_json(cls, path: AnyPath, *, ignore_normalizer: bool = False) -> Self:
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
        encoding_or_file: "tiktoken.Encoding | AnyPath",
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
        vocab_filepath: AnyPath,
        merges_filepath: AnyPath,
        special_tokens: Sequence[str] | None = None,
    ) -> Self:
        """Return a tokenizer from two files in GPT-2's format.

        Raises:
            OSError: a file is missing or can't be read.
            ValueError: a file is not in that format.
        """
        definition = gpt2.read(vocab_filepath, merges_filepath, list_special_tokens(special_tokens or []))
        return cls.from_definition(definition, vocab_filepath)

    @cached_property
    def _bulk(self) -> BulkEncoder | None:
        """What encodes long texts, if the pattern may be cut and the vocabulary has all bytes."""
        byte_ids = [self._ids[byte] for byte in map(bytes, zip(range(256))) if byte in self._ids]
        if self._rule is None or self.ignore_merges or len(byte_ids) < 256:
            return None
        return BulkEncoder(byte_ids, self._ranks, self._special_ids, self._rule, BULK_CACHE_SIZE)

    def _encode(self, text: str, cache: PretokenCache) -> list[int]:
        if not self._special:
            return self._encode_ordinary(text, cache)
        ids: list[int] = []
        for stretch in self._special.split(text):
            if stretch in self._special_ids:
                ids.append(self._special_ids[stretch])
            elif stretch:
                ids += self._encode_ordinary(stretch, cache)
        return ids

    def _encode_ordinary(self, text: str, cache: PretokenCache) -> list[int]:
        rule = self._rule
        cut = rule.pretokens(text.encode()) if rule else map(str.encode, pretokenize(text, self.pattern))
        return list(chain.from_iterable(map(cache.__getitem__, cut)))

    def _encode_pretoken(self, pretoken: bytes) -> list[int]:
        whole = self._whole.get(pretoken)
        return encode_pretoken(self._byte_ids(pretoken), self._ranks) if whole is None else [whole]

    def _byte_ids(self, data: bytes) -> list[int]:
        try:
            return [self._ids[data[i : i + 1]] for i in range(len(data))]
        except KeyError as error:
            raise ValueError(f"the vocabulary has no token for byte {error.args[0]!r}, which the text needs") from None


def check_ids(vocab: Mapping[int, bytes]) -> None:
    """Raise a ValueError unless every id fits into 32 bits."""
    for id_ in (min(vocab, default=0), max(vocab, default=0)):
        if not 0 <= id_ < 1 << 32:
            raise ValueError(f"id {id_} is {'below 0' if id_ < 0 else 'above 2**32 - 1'}: ids take 32 bits at the most")


def flat(blocks: Iterable[np.ndarray]) -> list[int]:
    """Return the numbers of several arrays as one list."""
    return list(chain.from_iterable(block.tolist() for block in blocks))
