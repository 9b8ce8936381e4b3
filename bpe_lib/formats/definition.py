"""What makes a tokenizer, and which id each token has: what its files must say."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bpe_lib.naive import Pair


class Definition(NamedTuple):
    """All that makes a tokenizer.

    Attributes:
        vocab: the bytes of each id.
        merges: pairs of tokens in the order in which they were learned.
        special_tokens: strings that become one id each.
        pattern: cuts text into pre-tokens.
        ignore_merges: whether a pre-token that is a token becomes that token even where no merges build it.
    """

    vocab: Mapping[int, bytes]
    merges: Sequence[Pair]
    special_tokens: Sequence[str]
    pattern: str
    ignore_merges: bool = False


def assign_ids(vocab: Mapping[int, bytes], special_tokens: Iterable[str]) -> tuple[dict[str, int], dict[bytes, int]]:
    """Return the id of each special token, and the id that each token has in ordinary text.

    Of several ids with the same bytes, a special token has the lowest; ordinary text gets the lowest of the others.

    >>> assign_ids({0: b"a", 1: b"b", 2: b"b"}, ["b"])
    ({'b': 1}, {b'a': 0, b'b': 2})
    """
    ids: dict[bytes, list[int]] = {}
    for id_ in sorted(vocab):
        ids.setdefault(vocab[id_], []).append(id_)
    special_ids = {token: ids[token.encode()][0] for token in special_tokens}
    taken = set(special_ids.values())
    ordinary = {token: next((id_ for id_ in same if id_ not in taken), same[0]) for token, same in ids.items()}
    return special_ids, ordinary


def tokens_of_text(definition: Definition) -> dict[bytes, int]:
    """Return the id of each token that ordinary text may become: all but those that are special and nothing else.

    A special token is something else too if it is a single byte, or a merge needs or builds it.

    >>> tokens_of_text(Definition({0: b"a", 1: b"<e>"}, [], ["<e>"], "."))
    {b'a': 0}
    """
    special_ids, ordinary = assign_ids(definition.vocab, definition.special_tokens)
    needed = {token for left, right in definition.merges for token in (left, right, left + right)}
    special = set(special_ids.values())
    return {token: id_ for token, id_ in ordinary.items() if id_ not in special or len(token) == 1 or token in needed}


def check_distinct(definition: Definition, format_name: str) -> None:
    """Raise a ValueError where two ids have the same bytes and neither is a special token's.

    Such a vocabulary never comes from training, and other libraries' files can't hold it.
    """
    special = set(assign_ids(definition.vocab, definition.special_tokens)[0].values())
    seen: dict[bytes, int] = {}
    for id_, token in definition.vocab.items():
        if id_ not in special and seen.setdefault(token, id_) != id_:
            raise ValueError(
                f"{format_name} can't hold two ids for the same bytes: {token!r} has {seen[token]} and {id_}"
            )
