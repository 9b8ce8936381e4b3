"""From merges to a vocabulary: which id stands for which bytes."""

from collections.abc import Iterable, Mapping, Sequence
from operator import index

from bpe_lib.naive import Pair
from bpe_lib.pretokenization import check_special_tokens, list_special_tokens


def tokens_of_their_own(special_tokens: Sequence[str]) -> list[bytes]:
    """Return the special tokens that need an id: all but those that are a single byte, which have that byte's id.

    >>> tokens_of_their_own(["<|end|>", "#"])
    [b'<|end|>']
    """
    return [token for token in map(str.encode, special_tokens) if len(token) > 1]


def num_merges(vocab_size: int, special_tokens: Sequence[str]) -> int:
    """Return how many merges a vocabulary of `vocab_size` ids has room for, beside 256 bytes and the special tokens.

    Raises:
        ValueError: `vocab_size` has no room for the bytes and special tokens or is over 2**32, or a special token is
            bad.

    >>> num_merges(260, ["<|endoftext|>"])
    3
    """
    base = 256 + len(tokens_of_their_own(check_special_tokens(special_tokens)))
    if index(vocab_size) < base:
        need = f"256 bytes with {base - 256} special tokens need {base}: give at least {base}"
        raise ValueError(f"vocab_size is {vocab_size}, and {need}")
    if vocab_size > 1 << 32:
        raise ValueError(f"vocab_size is {vocab_size}, and ids fit into 32 bits: give at most {1 << 32:,}")
    return vocab_size - base


def build_vocab(merges: Iterable[Pair], special_tokens: Sequence[str]) -> dict[int, bytes]:
    """Return the vocabulary: ids 0 to 255 are the bytes, then come the special tokens, then one id for each merge.

    >>> vocab = build_vocab([(b"h", b"e")], ["<|end|>"])
    >>> vocab[104], vocab[256], vocab[257]
    (b'h', b'<|end|>', b'he')
    """
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += tokens_of_their_own(special_tokens)
    tokens += [left + right for left, right in merges]
    return dict(enumerate(tokens))


def add_special_tokens(vocab: Mapping[int, bytes], special_tokens: Iterable[str]) -> dict[int, bytes]:
    """Return a new vocabulary in which each special token has an id; those missing get the ids above the highest.

    A special token given twice counts once; the caller's vocabulary is not changed.

    Raises:
        TypeError: special_tokens is a single string, or holds something else than strings.
        ValueError: a special token is empty.

    >>> add_special_tokens({0: b"a", 7: b"b"}, ["<|end|>", "a"])
    {0: b'a', 7: b'b', 8: b'<|end|>'}
    """
    extended = {int(id_): token for id_, token in vocab.items()}
    known = set(extended.values())
    missing = [token.encode() for token in dict.fromkeys(list_special_tokens(special_tokens))]
    missing = [token for token in missing if token not in known]
    return extended | dict(enumerate(missing, start=max(extended, default=-1) + 1))
