"""The exercises of notebook 08."""

import os
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import bpe_lib
from bpe_course.compare import a, short
from bpe_course.exercise import Args, Complaint, exercise
from bpe_course.exercises.nb04_naive_merging import smallest_wins, trainer
from bpe_course.harness import breaks, returning
from bpe_course.samples import END
from bpe_lib import GPT2_PATTERN, count_pretokens, pretokenize, train_indexed, train_naive
from bpe_lib.fast.pieces import cut_places
from bpe_lib.patterns import CL100K_PATTERN
from bpe_lib.vocabulary import build_vocab, num_merges


@exercise(
    minutes=8,
    difficulty=3,
    collected=False,
    hints=(
        "Print GPT-4's pattern, and take each cut in turn: is there a branch that runs over it? Two have one.",
        r"Read `[^\r\n\p{L}\p{N}]?+\p{L}++`: what may stand in front of the letters? And in ` "
        r"?[^\s\p{L}\p{N}]++[\r\n]*+`, what may follow the signs?",
    ),
)
def break_pieces() -> str:
    """Return a text on which counting before splitting gives other pre-tokens than GPT-4's regex alone.

    The text is cut into pieces first: where letters end, where digits end, between a sign (but no apostrophe) and a
    letter or digit behind it, and before whitespace that follows anything else. Beyond ASCII only the last cut is made.
    GPT-2's pre-tokens never cross such a cut; those of `cl100k_base` can.

    >>> isinstance(break_pieces(), str)
    True
    """
    return "!\n"


def cut_into_pieces(text: str) -> list[str]:
    """Return the pieces that the library cuts a text into before it counts."""
    data = text.encode()
    return [data[start:end].decode() for start, end in pairwise(cut_places(data).tolist())] if data else []


def split_pieces(text: str, pattern: str = CL100K_PATTERN) -> list[str]:
    """Return the pre-tokens of each piece of the text."""
    return [pretoken for piece in cut_into_pieces(text) for pretoken in pretokenize(piece, pattern)]


def why_not_told_apart(text: str) -> str:
    """Return where a text is cut, to a reader who expected other cuts."""
    pieces = cut_into_pieces(text)
    cuts = f"The library cuts it into {short(pieces, 120)}." if len(pieces) > 1 else "The library makes no cut in it."
    return cuts if text.isascii() else f"{cuts} Beyond ASCII only whitespace is a cut."


def check_text(value: object) -> str:
    """Return what is wrong with the reader's text, or an empty string."""
    if not isinstance(value, str):
        return f"You return {value!r}, {a(type(value).__name__)}. The exercise asks for a text."
    assert split_pieces(value, GPT2_PATTERN) == pretokenize(value)
    return ""


break_pieces.harness(
    breaks(
        lambda text: pretokenize(text, CL100K_PATTERN),
        split_pieces,
        check_text,
        "counting before splitting",
        why_not_told_apart,
    )
)

break_pieces.slip("Words and single spaces are cut alike by both regexes. Try signs.", returning("the cat sat"))

break_pieces.slip("An empty text has no pre-tokens at all.", returning(""))

break_pieces.slip("You return bytes. The exercise asks for a text.", returning(b"!\n"))

break_pieces.slip(
    "A sign with a space behind it is safe: no branch of that regex goes on with a space. What else can stand behind a "
    "sign?",
    returning("so! it"),
)

break_pieces.accept(returning("wait...\n\nwhat"), returning("a;\r\nb"), returning("(a"), returning("see(b"))


@exercise(
    minutes=4,
    difficulty=1,
    hints=(
        "`sorted` takes a `key`. What should tokens be sorted by?",
        "`reverse=True`, then the first n.",
    ),
)
def longest_tokens(vocab: dict[int, bytes], n: int) -> list[bytes]:
    """Return the n longest tokens by number of bytes, the longest first; fewer if there are fewer.

    >>> longest_tokens({0: b"a", 1: b"the", 2: b"of"}, 2)
    [b'the', b'of']
    """
    return sorted(vocab.values(), key=len, reverse=True)[:n]


longest_tokens.cases(
    ({0: b"a", 1: b"the", 2: b"of"}, 2),
    ({0: b"a", 1: b"zz", 2: "牛".encode(), 3: b"by"}, 1),
    ({0: b"abc", 1: b"z", 2: b"yy"}, 2),
    ({0: b"a"}, 3),
    ({0: b"a", 1: b"bb"}, 0),
    ({}, 1),
    ({0: b"\xf0\x9f", 1: b"abc", 2: b"e"}, 3),
)


@longest_tokens.random
def random_vocab(chance: Random) -> Args:
    """Return a few distinct tokens."""
    tokens = {chance.choice(["a", "b", "é", "牛"]) * chance.randint(1, 4) for _ in range(chance.randint(1, 8))}
    return dict(enumerate(sorted(token.encode() for token in tokens))), chance.randint(0, 5)


@longest_tokens.normal
def normal_longest(result: Any, vocab: dict, n: int) -> Any:
    """Return the same for all choices among tokens of equal length."""
    if not isinstance(result, (list, tuple)) or not all(isinstance(token, bytes) for token in result):
        return result
    if len(set(result)) < len(result) or not set(result) <= set(vocab.values()):
        return result
    right = longest_tokens(vocab, n)
    return right if list(map(len, result)) == list(map(len, right)) else result


@longest_tokens.slip("You return the shortest tokens. `sorted` begins with the least.")
def shortest(vocab, n):
    return sorted(vocab.values(), key=len)[:n]


@longest_tokens.slip("You have the right tokens in the wrong order: the longest come first.")
def shortest_of_the_longest(vocab, n):
    return longest_tokens(vocab, n)[::-1]


@longest_tokens.same_slip
def last_of_ascending(vocab, n):
    return sorted(vocab.values(), key=len)[-n:]


@longest_tokens.same_slip
def last_of_ascending_or_none(vocab, n):
    return sorted(vocab.values(), key=len)[-n:] if n else []


@longest_tokens.slip("Where n is 0, `[-n:]` is `[0:]`, and that is all tokens. Begin with the longest.")
def all_where_n_is_0(vocab, n):
    return sorted(vocab.values(), key=len)[-n:][::-1]


@longest_tokens.slip("You sort by the bytes themselves, as in a dictionary. Sort by length.")
def alphabetical(vocab, n):
    return sorted(vocab.values(), reverse=True)[:n]


@longest_tokens.slip("You measure characters. `牛` is one character and three bytes; bytes count here.")
def by_characters(vocab, n):
    return sorted(vocab.values(), key=lambda token: len(token.decode(errors="replace")), reverse=True)[:n]


@longest_tokens.slip("You take the highest ids. A token that was learned late need not be long.")
def last_ids(vocab, n):
    return [vocab[id_] for id_ in sorted(vocab, reverse=True)[:n]]


@longest_tokens.slip("You return ids. The contract asks for the tokens themselves.")
def ids_of_longest(vocab, n):
    return sorted(vocab, key=lambda id_: len(vocab[id_]), reverse=True)[:n]


@longest_tokens.slip("You return text. Tokens are bytes, and some are no valid UTF-8.")
def as_text(vocab, n):
    return [token.decode(errors="replace") for token in longest_tokens(vocab, n)]


@longest_tokens.slip("You return lengths. Whose are they?")
def lengths_only(vocab, n):
    return [len(token) for token in longest_tokens(vocab, n)]


@longest_tokens.slip("You return all tokens. Only n of them are asked for.")
def all_of_them(vocab, n):
    return longest_tokens(vocab, len(vocab))


@longest_tokens.slip("You return one token at the most. n of them are asked for.")
def one_only(vocab, n):
    return longest_tokens(vocab, min(n, 1))


@longest_tokens.accept
def by_max(vocab, n):
    left = list(vocab.values())
    found = []
    while left and len(found) < n:
        found.append(max(left, key=lambda token: (len(token), token)))
        left.remove(found[-1])
    return found


TRAIN_IMPORTS = """from pathlib import Path

from bpe_lib import count_pretokens, train_indexed
from bpe_lib.vocabulary import build_vocab, num_merges"""


@exercise(
    minutes=20,
    difficulty=2,
    imports=TRAIN_IMPORTS,
    show="train_bpe(a file with {0}, {1}, {2})",
    library=bpe_lib.train_bpe,
    hints=(
        "Four steps: read the file, count pre-tokens, learn merges, build the vocabulary. You have written each.",
        "Read bytes and decode them: text mode would turn CRLF into a newline.",
        "How many merges? `num_merges(vocab_size, special_tokens)`.",
    ),
)
def train_bpe(
    path: str, vocab_size: int, special_tokens: list[str]
) -> tuple[dict[int, bytes], list[tuple[bytes, bytes]]]:
    """Return vocabulary and merges learned from a text file: your own functions put together.

    A file that is not valid UTF-8 raises an error.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "text.txt")
    ...     _ = path.write_bytes(b"low low lower<|end|>low")
    ...     vocab, merges = train_bpe(str(path), 260, ["<|end|>"])
    >>> merges
    [(b'o', b'w'), (b'l', b'ow'), (b' ', b'low')]
    """
    text = Path(path).read_bytes().decode()
    words = count_pretokens(text, special_tokens)
    merges = train_indexed(words, num_merges(vocab_size, special_tokens))
    return build_vocab(merges, special_tokens), merges


train_bpe.cases(
    ("low low lower<|endoftext|>low", 260, [END]),
    ("", 257, [END]),
    ("hi<|endoftext|>" * 8 + "xy xy", 265, [END]),
    ("a<|endoftext|>b ab", 262, [END]),
    ("one\r\ntwo\r\none\r\n", 262, []),
    ("low lower newest widest", 270, []),
    ("xy ab", 257, []),
    ("é é", 258, [END, "<pad>"][:1]),
    ("ab ab ab abc", 264, [END, "<pad>"]),
    ("a  \n", 260, []),
    (b"low \xff low", 258, []),
)


@train_bpe.random
def random_text_file(chance: Random) -> Args:
    """Return the content of a file and what to train."""
    parts = ["low", " low", "er", " new", "est", "é", " ", "\r\n", END, END]
    specials = chance.choice([[], [END], [END, "<pad>"]])
    return "".join(chance.choices(parts, k=chance.randint(0, 12))), 256 + len(specials) + chance.randint(0, 6), specials


train_bpe.valid(lambda text, size, tokens: size >= 256 + len(tokens) and all(len(token) > 3 for token in tokens))

BYTES = build_vocab([], [])


class AllBytes:
    """Stands for the entries 0 to 255 of a vocabulary, if they are as they should be."""

    def __repr__(self) -> str:
        return "256 bytes"


FIRST_IDS = {"0 to 255": AllBytes()}
"""Shown in place of 256 entries."""


@train_bpe.harness
def call_train_bpe(function: Callable, content: str | bytes, vocab_size: int, special_tokens: list[str]) -> Any:
    """Call the reader's function on a file, and look at the shape of the result; bytes are invalid UTF-8."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "text.txt")
        Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())
        try:
            result = function(path, vocab_size, special_tokens)
        except ValueError:
            if isinstance(content, str):
                raise
            return "a ValueError, such as UnicodeDecodeError, is raised"
    if isinstance(result, (tuple, list)) and len(result) == 2:
        vocab, merges = result
        if isinstance(vocab, dict) and isinstance(merges, (tuple, list)):
            shown = {id_: token for id_, token in vocab.items() if id_ not in BYTES or token != BYTES[id_]}
            return shown | (FIRST_IDS if len(shown) == len(vocab) - len(BYTES) else {}), merges
    if isinstance(result, dict) or (isinstance(result, (tuple, list)) and len(result) != 2):
        raise Complaint("Return two things: the vocabulary, a dict, and the list of merges.")
    return result


def made_of(
    count: Callable = count_pretokens,
    train: Callable = train_indexed,
    many: Callable = num_merges,
    build: Callable = build_vocab,
    read: Callable = lambda path: Path(path).read_bytes().decode(),
) -> Callable:
    """Return a train_bpe that is made of other parts."""

    def train_with(path, vocab_size, special_tokens):
        merges = train(count(read(path), special_tokens), many(vocab_size, special_tokens))
        return build(merges, special_tokens), merges

    return train_with


def specials_counted(text, special_tokens):
    return count_pretokens(text, [])


train_bpe.slip(
    "The special token is counted as text, so you learn pieces of it such as `|>`. Split it off first: it is a "
    "boundary.",
    made_of(count=specials_counted),
)


def specials_deleted(text, special_tokens):
    for token in special_tokens:
        text = text.replace(token, "")
    return count_pretokens(text, [])


train_bpe.slip(
    "You delete the special token, and two documents grow together. Split, don't delete.",
    made_of(count=specials_deleted),
)


def counted_by_split(text, special_tokens):
    words = {}
    for document in text.split(special_tokens[0]) if special_tokens else [text]:
        for pretoken in document.split():
            word = tuple(bytes([byte]) for byte in pretoken.encode())
            words[word] = words.get(word, 0) + 1
    return words


train_bpe.slip(
    "You split with `str.split`, so no token holds a space, and the text can't be given back. Pre-tokenize.",
    made_of(count=counted_by_split),
)


def without_frequencies(text, special_tokens):
    return dict.fromkeys(count_pretokens(text, special_tokens), 1)


train_bpe.slip("You forget how often each pre-token occurs.", made_of(count=without_frequencies))


def merges_without_specials(vocab_size, special_tokens):
    return vocab_size - 256


train_bpe.slip(
    "You learn as many merges as if there were no special tokens. `vocab_size` counts them, too.",
    made_of(many=merges_without_specials),
)


def as_many_as_vocab(vocab_size, special_tokens):
    return vocab_size


train_bpe.slip(
    "`vocab_size` counts all tokens: 256 bytes and the special tokens are among them.", made_of(many=as_many_as_vocab)
)


def specials_last(merges, special_tokens):
    tokens = [*build_vocab(merges, []).values(), *map(str.encode, special_tokens)]
    return dict(enumerate(tokens))


train_bpe.slip(
    "Your special tokens come last. The order is bytes, special tokens, merges.", made_of(build=specials_last)
)


def no_specials(merges, special_tokens):
    return build_vocab(merges, [])


train_bpe.slip("Your vocabulary lacks the special tokens. They follow the bytes.", made_of(build=no_specials))


def read_as_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


train_bpe.slip(
    "You open the file in text mode, and Python turns CRLF into a newline. Read bytes, and decode them.",
    made_of(read=read_as_text),
)


def bad_bytes_ignored(path):
    return Path(path).read_bytes().decode(errors="ignore")


def bad_bytes_replaced(path):
    return Path(path).read_bytes().decode(errors="replace")


train_bpe.slip(
    "This file is no valid UTF-8, and you train on it all the same, without a word about the bytes that can't be read. "
    "Let `decode` raise its error.",
    made_of(read=bad_bytes_ignored),
    made_of(read=bad_bytes_replaced),
)


def stripped(path):
    return Path(path).read_bytes().decode().strip()


train_bpe.slip("You strip the text. Whitespace at its edges is text, too.", made_of(read=stripped))


@train_bpe.slip("Your results are the wrong way round: first the vocabulary, then the merges.")
def merges_first(path, vocab_size, special_tokens):
    return train_bpe(path, vocab_size, special_tokens)[::-1]


@train_bpe.slip("Return two things: the vocabulary, a dict, and the list of merges.")
def vocab_alone(path, vocab_size, special_tokens):
    return train_bpe(path, vocab_size, special_tokens)[0]


@train_bpe.same_slip
def merges_alone(path, vocab_size, special_tokens):
    return train_bpe(path, vocab_size, special_tokens)[1]


train_bpe.slip(
    "Ties go to the greatest pair, compared as a tuple of bytes; you take the smallest.",
    made_of(train=trainer(best=smallest_wins)),
)

train_bpe.accept(made_of(), made_of(train=train_naive))
