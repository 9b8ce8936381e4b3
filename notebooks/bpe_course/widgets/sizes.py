"""A tokenizer cut to smaller sizes, and what each size makes of a text: the states that the playground shows."""

from collections import Counter
from dataclasses import dataclass

from bpe_lib.tokenizer import Tokenizer

ROUND = (320, 512, *(1000 * 2**doublings for doublings in range(9)))
"""Sizes to choose from."""
MOST_CHARACTERS = 5_000
"""How long a text may be, so that each key and each step is answered at once."""


def sizes(tokenizer: Tokenizer) -> list[int]:
    """Return the sizes to which a vocabulary can be cut: no merge, some round numbers, all of it.

    >>> sizes(Tokenizer(dict(enumerate([b"a", b"b", b"ab"])), [(b"a", b"b")]))
    [2, 3]
    """
    least, most = len(tokenizer.vocab) - len(tokenizer.merges), len(tokenizer.vocab)
    return sorted({least, *(size for size in ROUND if least < size < most), most})


def cut_short(tokenizer: Tokenizer, size: int) -> Tokenizer:
    """Return the tokenizer that training to a smaller size would have given: it has the first merges only.

    Args:
        tokenizer: with one id for each merge.
        size: ids to keep, bytes and special tokens among them; outside what is possible, the nearest that is.

    >>> ab = Tokenizer(dict(enumerate([b"a", b"b", b"ab", b"abb"])), [(b"a", b"b"), (b"ab", b"b")])
    >>> cut_short(ab, 3).vocab
    {0: b'a', 1: b'b', 2: b'ab'}
    """
    count = max(size - len(tokenizer.vocab) + len(tokenizer.merges), 0)
    gone = Counter(left + right for left, right in tokenizer.merges[count:])
    vocab = {}
    for id_ in sorted(tokenizer.vocab, reverse=True):  # of equal tokens the one that was made last goes first
        token = tokenizer.vocab[id_]
        if gone[token]:
            gone[token] -= 1
        else:
            vocab[id_] = token
    definition = tokenizer.definition._replace(vocab=dict(sorted(vocab.items())), merges=tokenizer.merges[:count])
    return Tokenizer.from_definition(definition)


@dataclass(frozen=True)
class Cut:
    """A text under one vocabulary.

    Attributes:
        size: ids in the vocabulary.
        ids: of the text's tokens.
        tokens: their bytes.
    """

    size: int
    ids: tuple[int, ...]
    tokens: tuple[bytes, ...]

    @property
    def bytes_per_token(self) -> float:
        """Bytes of the text for each of its tokens."""
        return sum(map(len, self.tokens)) / len(self.tokens)


class Sizes:
    """A tokenizer with a name, at all its sizes.

    Args:
        name: by which the reader knows it.
        tokenizer: the full one.
    """

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        self.name, self.full, self.sizes = name, tokenizer, sizes(tokenizer)
        self.at = {size: cut_short(tokenizer, size) for size in self.sizes}

    def cuts(self, text: str) -> list[Cut]:
        """Return a text under each size. Special tokens in it are read as plain characters.

        Raises:
            ValueError: the text is empty or too long, or holds what can't be encoded.
        """
        if not 0 < len(text) <= MOST_CHARACTERS:
            raise ValueError(f"Type a text of at most {MOST_CHARACTERS:,} characters; this one has {len(text):,}.")
        rows = ((size, tokenizer.encode_ordinary(text)) for size, tokenizer in self.at.items())
        return [Cut(size, tuple(ids), tuple(self.full.vocab[id_] for id_ in ids)) for size, ids in rows]

    def nearest(self, size: int) -> int:
        """Return the largest of the sizes that is not above the one wanted, or the least."""
        return max((own for own in self.sizes if own <= size), default=self.sizes[0])
