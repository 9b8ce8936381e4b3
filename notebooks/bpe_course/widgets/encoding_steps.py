"""The states of encoding one pre-token, which the encode stepper shows."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from bpe_lib.encoding import rank_merges
from bpe_lib.fast.row import IdPair
from bpe_lib.formats.definition import assign_ids
from bpe_lib.pretokenization import GPT2_PATTERN, pretokenize
from bpe_lib.tokenizer import Tokenizer

MOST_BYTES = 24
"""Bytes of a pre-token for which there is room."""


@dataclass(frozen=True)
class EncodeStep:
    """A pre-token between two merges.

    Attributes:
        ids: of its tokens.
        ranks: of each pair of neighbours; None where no merge joins them.
        lowest: which pair merges next, as a place in `ranks`; None at the end.
        made: which token the last merge made, as a place in `ids`; None at first.
        merged: the ranks of the merges so far.
    """

    ids: tuple[int, ...]
    ranks: tuple[int | None, ...]
    lowest: int | None
    made: int | None
    merged: tuple[int, ...]


def encode_steps(ids: Sequence[int], ranks: Mapping[IdPair, tuple[int, int]]) -> list[EncodeStep]:
    """Return the states of encoding a pre-token: before the first merge, and after each one.

    Args:
        ids: the ids of the pre-token's bytes.
        ranks: as for `bpe_lib.encoding.encode_pretoken`, which arrives at the same ids.

    >>> th_e = {(1, 2): (0, 4), (0, 1): (1, 3)}  # ids 0 t, 1 h, 2 e; "h e" was learned before "t h"
    >>> [(step.ids, step.ranks, step.lowest) for step in encode_steps([0, 1, 2], th_e)]
    [((0, 1, 2), (1, 0), 1), ((0, 4), (None,), None)]
    """
    row, made, merged = tuple(ids), None, ()
    steps = []
    while True:
        found = tuple(ranks[pair][0] if pair in ranks else None for pair in zip(row, row[1:]))
        lowest = min((i for i, rank in enumerate(found) if rank is not None), key=found.__getitem__, default=None)
        steps.append(EncodeStep(row, found, lowest, made, merged))
        if lowest is None:
            return steps
        product = ranks[row[lowest], row[lowest + 1]][1]
        row, made = (*row[:lowest], product, *row[lowest + 2 :]), lowest
        merged = (*merged, found[lowest])


def longest_first(pretoken: bytes, tokens: Container[bytes]) -> list[bytes]:
    """Return the tokens that one gets from the left by always taking the longest that fits, which is not BPE.

    Args:
        pretoken: the bytes to cut.
        tokens: the vocabulary; bytes always fit.

    >>> longest_first(b"the", {b"t", b"h", b"e", b"th", b"he"})
    [b'th', b'e']
    """
    found, start = [], 0
    while start < len(pretoken):
        ends = range(len(pretoken), start + 1, -1)
        end = next((end for end in ends if pretoken[start:end] in tokens), start + 1)
        found.append(pretoken[start:end])
        start = end
    return found


class Stepper:
    """A tokenizer with a name, ready to show how it encodes pre-tokens.

    Args:
        name: by which the reader knows it.
        tokenizer: encodes.

    Raises:
        ValueError: the tokenizer cuts text by another pattern than GPT-2's, or does not go by its merges alone.
    """

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        if tokenizer.pattern != GPT2_PATTERN or tokenizer.ignore_merges:
            raise ValueError(f"{name} is not shown: take a tokenizer with GPT-2's pattern that goes by merges alone")
        special = {token.encode() for token in tokenizer.special_tokens}
        self.name, self.vocab = name, tokenizer.vocab
        _, self.ids = assign_ids(tokenizer.vocab, tokenizer.special_tokens)
        self.ranks = rank_merges(tokenizer.merges, self.ids)
        self.ordinary = self.ids.keys() - special

    def steps(self, pretoken: bytes) -> list[EncodeStep]:
        """Return the states of encoding a pre-token.

        Raises:
            ValueError: the vocabulary lacks one of its bytes.
        """
        for byte in pretoken:
            if bytes([byte]) not in self.ids:
                raise ValueError(f"The vocabulary of {self.name} has no token for the byte {bytes([byte])!r}.")
        return encode_steps([self.ids[bytes([byte])] for byte in pretoken], self.ranks)

    def tokens(self, step: EncodeStep) -> list[bytes]:
        """Return the tokens of a state."""
        return [self.vocab[id_] for id_ in step.ids]


def first_pretoken(text: str) -> tuple[bytes, int]:
    """Return the first pre-token of a text, and how many follow.

    Raises:
        ValueError: there is none, or it is too long to be shown.

    >>> first_pretoken(" the cat")
    (b' the', 1)
    """
    pretokens = pretokenize(text)
    if not pretokens:
        raise ValueError("Type a word; one that does not begin a text has a space before it.")
    first = pretokens[0].encode()
    if len(first) > MOST_BYTES:
        raise ValueError(
            f"This pre-token has {len(first)} bytes, and there is room for {MOST_BYTES}: take a shorter one."
        )
    return first, len(pretokens) - 1


def last_step(steppers: Sequence[Stepper], text: str) -> int:
    """Return how many merges the slowest of some tokenizers makes, and 1 at least, since a slider needs two ends."""
    try:
        pretoken, _ = first_pretoken(text)
        return max(1, *(len(stepper.steps(pretoken)) - 1 for stepper in steppers))
    except ValueError:
        return 1
