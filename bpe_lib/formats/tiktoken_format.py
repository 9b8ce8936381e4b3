"""tiktoken's encodings and files of ranks: a token's rank is its id, and says when the pair that makes it merges."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from bpe_lib.files import AnyPath, read_bytes
from bpe_lib.formats.definition import Definition, assign_ids, check_distinct, tokens_of_text
from bpe_lib.formats.ranks import recover_merges
from bpe_lib.formats.reading import check_reading
from bpe_lib.patterns import usual_spelling
from bpe_lib.pretokenization import compile_pattern, pretokenize

if TYPE_CHECKING:
    import tiktoken


def to_encoding(definition: Definition, name: str) -> "tiktoken.Encoding":
    """Return tiktoken's `Encoding` that gives the same ids.

    Raises:
        ValueError: tiktoken can't say it; the message names what.
    """
    import tiktoken

    check_distinct(definition, "tiktoken")
    check_prefixes(definition.special_tokens)
    ranks = tokens_of_text(definition)
    check_bytes(ranks, "tiktoken")
    check_merges(definition, ranks)
    check_pattern(definition.pattern)
    special_ids, _ = assign_ids(definition.vocab, definition.special_tokens)
    return tiktoken.Encoding(name, pat_str=definition.pattern, mergeable_ranks=ranks, special_tokens=special_ids)


def check_prefixes(special_tokens: Iterable[str]) -> None:
    """Raise a ValueError if a special token begins another: which of the two tiktoken takes is left to chance."""
    for token, longer in pairwise(sorted(special_tokens)):
        if longer.startswith(token):
            raise ValueError(f"tiktoken can't tell the special token {token!r} from {longer!r}, which begins like it")


def check_bytes(ranks: Mapping[bytes, int], owner: str) -> None:
    """Raise a ValueError unless every byte is a token."""
    for byte in range(256):
        if bytes([byte]) not in ranks:
            raise ValueError(f"{owner} needs a token for each of the 256 bytes, and {bytes([byte])!r} has none")


def check_merges(definition: Definition, ranks: Mapping[bytes, int]) -> None:
    """Raise a ValueError unless the ranks lead to the same merges in the same order."""
    merges, unmade = recover_merges(ranks)
    if unmade and not definition.ignore_merges:
        raise ValueError(
            f"tiktoken would use the token {unmade[0]!r} (id {ranks[unmade[0]]}), which no merge makes: leave it out"
        )
    wanted = set(merges)
    ours = [pair for pair in dict.fromkeys(definition.merges) if pair in wanted]
    for own, theirs in zip(ours, merges):
        if own != theirs:
            way_out = "number the tokens in the order of their merges"
            raise ValueError(f"tiktoken merges in the order of ids, and would merge {theirs} before {own}: {way_out}")
    if len(ours) < len(merges):
        missing = next(pair for pair in merges if pair not in set(ours))
        raise ValueError(f"tiktoken would merge {missing}, which is none of the merges, since the two make a token")


@lru_cache(maxsize=32)
def check_pattern(pattern: str) -> None:
    """Raise a ValueError unless tiktoken cuts text by the pattern as we do."""
    check_reading(pattern, lambda text: cut_by_tiktoken(text, pattern), "tiktoken")


def cut_by_tiktoken(text: str, pattern: str) -> list[str]:
    """Return the pre-tokens that tiktoken cuts a text into, if they are ours; else what it takes for tokens."""
    import tiktoken

    tokens = [bytes([byte]) for byte in range(256)]
    tokens += {pretoken.encode(): None for pretoken in pretokenize(text, pattern) if len(pretoken.encode()) > 1}
    ranks = {token: id_ for id_, token in enumerate(tokens)}
    probe = tiktoken.Encoding("probe", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return [tokens[id_].decode(errors="replace") for id_ in probe.encode_ordinary(text)]


def read(
    encoding_or_file: "tiktoken.Encoding | AnyPath",
    pattern: str | None,
    special_tokens: Mapping[str, int] | None,
) -> Definition:
    """Return what makes the tokenizer of an encoding or of a file of ranks; see `Tokenizer.from_tiktoken`."""
    if isinstance(encoding_or_file, (str, os.PathLike)):
        if pattern is None:
            raise ValueError(
                "a file of ranks does not say how text is cut: pass pattern=, such as bpe_lib.PATTERNS['cl100k_base']"
            )
        return read_ranks(encoding_or_file, pattern, special_tokens or {})
    if pattern is not None or special_tokens is not None:
        raise ValueError("an Encoding has its own pattern and special tokens: pass it alone")
    return read_encoding(encoding_or_file)


def read_encoding(encoding: "tiktoken.Encoding") -> Definition:
    """Return what makes the tokenizer that gives an encoding's ids.

    Raises:
        ValueError: two special tokens begin alike, ranks are not distinct, or a byte has none.
    """
    return define(encoding._mergeable_ranks, encoding._special_tokens, encoding._pat_str, str(encoding))


def read_ranks(path: AnyPath, pattern: str, special_tokens: Mapping[str, int]) -> Definition:
    """Return what makes the tokenizer of a file of ranks.

    Args:
        pattern: cuts text into pre-tokens; the file does not say how.
        special_tokens: the id of each; the file does not hold them.

    Raises:
        OSError: the file is missing or can't be read.
        ValueError: a line is no rank, or ranks are missing or given twice.
    """
    from tiktoken.load import load_tiktoken_bpe

    content = read_bytes(path)
    # tiktoken keeps a copy of what it read from a path before. The hash makes sure that it is this file's content.
    ranks = load_tiktoken_bpe(os.path.abspath(path), hashlib.sha256(content).hexdigest())
    if len(ranks) != sum(map(bool, content.splitlines())):
        raise ValueError(f"{path}: a token is given twice")
    definition = define(ranks, special_tokens, pattern, str(path))
    hole = next((i for i, rank in enumerate(sorted({*ranks.values(), *special_tokens.values()})) if rank != i), None)
    if hole is not None and hole < max(ranks.values()):
        raise ValueError(f"{path}: no token has rank {hole}, though there are higher ones: the file is not whole")
    return definition


def define(ranks: Mapping[bytes, int], special_tokens: Mapping[str, int], pattern: str, source: str) -> Definition:
    """Return what makes the tokenizer of some ranks."""
    compile_pattern(pattern)
    check_prefixes(special_tokens)
    check_bytes(ranks, source)
    vocab: dict[int, bytes] = {}
    for token, rank in ranks.items():
        if not token or rank < 0 or vocab.setdefault(rank, token) != token:
            raise ValueError(f"{source}: {token!r} has rank {rank}; each token needs a rank of its own, 0 or more")
    for text, id_ in special_tokens.items():
        if vocab.setdefault(id_, text.encode()) != text.encode():
            raise ValueError(f"{source}: the special token {text!r} has id {id_}, which is the rank of {vocab[id_]!r}")
    if assign_ids(vocab, special_tokens)[0] != dict(special_tokens):
        raise ValueError(f"{source}: a special token is spelled like an ordinary token of lower rank")
    merges, unmade = recover_merges(ranks)
    return Definition(vocab, merges, list(special_tokens), usual_spelling(pattern), bool(unmade))
