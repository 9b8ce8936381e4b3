"""GPT-2's files for vocabulary and merges: `vocab.json` and `merges.txt`.

GPT-2 writes each byte as one printable character (Radford et al. 2019), so that any token is a word without spaces:
printable characters of Latin-1 stand for themselves, the other bytes for U+0100 and on; a space is written `Ġ`.
"""

from collections.abc import Collection, Iterable, Sequence

from bpe_lib.files import AnyPath, read_json, read_utf8
from bpe_lib.formats.definition import Definition
from bpe_lib.naive import Pair
from bpe_lib.pretokenization import GPT2_PATTERN

PLAIN = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
CHARACTER_OF = {byte: chr(byte) for byte in PLAIN}
CHARACTER_OF |= {byte: chr(256 + i) for i, byte in enumerate(sorted({*range(256)} - {*PLAIN}))}
"""GPT-2's printable character for each byte."""
BYTE_OF = {character: byte for byte, character in CHARACTER_OF.items()}
LATIN_1_OF = dict.fromkeys(range(256), "\ufffd") | {ord(character): chr(byte) for character, byte in BYTE_OF.items()}
"""For `str.translate`: characters that stand for bytes become those of Latin-1, and no others do."""


def to_printable(token: bytes) -> str:
    """Return a token as GPT-2's files write it.

    >>> to_printable(b" the\\n")
    'ĠtheĊ'
    """
    return token.decode("latin-1").translate(CHARACTER_OF)


def from_printable(text: str) -> bytes:
    """Return the token that GPT-2's files write like this.

    Raises:
        ValueError: a character stands for no byte.
    """
    try:
        return text.translate(LATIN_1_OF).encode("latin-1")
    except UnicodeEncodeError as error:
        wrong = text[error.start]
        raise ValueError(f"{wrong!r} in {text!r} is not one of the 256 characters that stand for bytes") from None


def read(vocab_path: AnyPath, merges_path: AnyPath, special_tokens: Sequence[str]) -> Definition:
    """Return what makes the tokenizer in GPT-2's two files; errors as for `read_vocab` and `read_merges`."""
    merges = read_merges(merges_path)
    return Definition(read_vocab(vocab_path, merges, special_tokens), merges, special_tokens, GPT2_PATTERN)


def read_vocab(path: AnyPath, merges: Sequence[Pair], special_tokens: Collection[str]) -> dict[int, bytes]:
    """Return the vocabulary from a `vocab.json`.

    An entry that is spelled like one of `special_tokens` is that token, unless it is a byte or a merge makes it. An
    entry with characters that stand for no byte is taken literally too.

    Raises:
        OSError: the file is missing or can't be read.
        ValueError: the file is no `vocab.json`.
    """
    content = read_json(path)
    built = built_spellings(merges)
    vocab: dict[int, bytes] = {}
    for spelling, id_ in content.items():
        if not isinstance(id_, int) or isinstance(id_, bool) or id_ < 0 or id_ in vocab:
            raise ValueError(
                f"{path}: {spelling!r} has id {id_!r}; each token needs a whole number of its own, 0 or more"
            )
        vocab[id_] = read_token(spelling, built, special_tokens)
    return vocab


def built_spellings(merges: Iterable[Pair]) -> set[str]:
    """Return the printable forms of all bytes and of what the merges make."""
    return {to_printable(left + right) for left, right in merges} | set(BYTE_OF)


def read_token(spelling: str, built: Collection[str], special_tokens: Collection[str]) -> bytes:
    """Return the token that an entry of `vocab.json` stands for; see `read_vocab`."""
    literal = spelling not in built and (spelling in special_tokens or not BYTE_OF.keys() >= set(spelling))
    return spelling.encode() if literal else from_printable(spelling)


def read_merges(path: AnyPath) -> list[Pair]:
    """Return the merges from a `merges.txt`, with or without its `#version` line.

    Raises:
        OSError: the file is missing or can't be read.
        ValueError: a line is not two tokens with a space between them.
    """
    lines = read_utf8(path).split("\n")
    first = 1 if lines[0].startswith("#version") else 0
    merges = []
    for number, line in enumerate(lines[first:], start=first + 1):
        left, _, right = line.rstrip("\r").partition(" ")
        if not left and not right:
            continue
        if not (left and right) or " " in right:
            raise ValueError(f"{path}, line {number}: {line!r} is not two tokens with one space between them")
        try:
            merges.append((from_printable(left), from_printable(right)))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
    return merges
