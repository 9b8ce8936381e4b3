"""Files for vocabulary and merges: GPT-2's `vocab.json` and `merges.txt`, and a third for what these can't say.

GPT-2 writes each byte as one printable character (Radford et al. 2019), so that any token is a word without spaces:
printable characters of Latin-1 stand for themselves, the other bytes for U+0100 and on; a space is written `Ġ`.
"""

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bpe_lib.naive import Pair

VOCAB_FILE, MERGES_FILE, EXTRA_FILE = "vocab.json", "merges.txt", "bpe_lib.json"


def printable_bytes() -> dict[int, str]:
    """Return GPT-2's printable character for each byte.

    >>> printable_bytes()[ord("A")], printable_bytes()[ord(" ")]
    ('A', 'Ġ')
    """
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(256 + i) for i, byte in enumerate(others)}


CHARACTER_OF = printable_bytes()
BYTE_OF = {character: byte for byte, character in CHARACTER_OF.items()}


def to_printable(token: bytes) -> str:
    """Return a token as GPT-2's files write it.

    >>> to_printable(b" the\\n")
    'ĠtheĊ'
    """
    return "".join(map(CHARACTER_OF.__getitem__, token))


def from_printable(text: str) -> bytes:
    """Return the token that GPT-2's files write like this.

    Raises:
        ValueError: a character stands for no byte.
    """
    try:
        return bytes(map(BYTE_OF.__getitem__, text))
    except KeyError as error:
        raise ValueError(
            f"{error.args[0]!r} in {text!r} is not one of the 256 characters that stand for bytes"
        ) from None


def save(
    folder: str | os.PathLike[str],
    vocab: Mapping[int, bytes],
    merges: Sequence[Pair],
    special_tokens: Sequence[str],
    pattern: str,
) -> None:
    """Write the three files into a folder, which is made if need be.

    `vocab.json` spells special tokens as they are and all other tokens in printable characters. Entries whose spelling
    is taken already, or would be read as another token, go into `bpe_lib.json`, which has the last word.
    """
    literal = {token.encode(): token for token in special_tokens if len(token.encode()) > 1}
    built = built_spellings(merges)
    spelled: dict[str, int] = {}
    apart: dict[str, str] = {}
    for id_, token in sorted(vocab.items(), key=lambda item: item[1] in literal):
        spelling = literal.get(token) or to_printable(token)
        if spelled.setdefault(spelling, id_) != id_ or read_token(spelling, built, special_tokens) != token:
            apart[str(id_)] = to_printable(token)
    spelled = dict(sorted(spelled.items(), key=lambda item: item[1]))
    extra = {"special_tokens": list(special_tokens), "pattern": pattern, "other_ids": apart}
    lines = ["#version: 0.2", *(f"{to_printable(left)} {to_printable(right)}" for left, right in merges)]
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    write_text(path / VOCAB_FILE, json.dumps(spelled, ensure_ascii=False))
    write_text(path / MERGES_FILE, "\n".join(lines) + "\n")
    write_text(path / EXTRA_FILE, json.dumps(extra, ensure_ascii=False, indent=1))


def write_text(path: Path, text: str) -> None:
    """Write a file beside the one at `path` and put it in its place, so that no half-written file is ever there."""
    beside = path.with_name(path.name + ".part")
    beside.write_bytes(text.encode())
    os.replace(beside, path)


def load(folder: str | os.PathLike[str]) -> tuple[dict[int, bytes], list[Pair], list[str], str]:
    """Return vocabulary, merges, special tokens and pattern from a folder that `save` wrote.

    Raises:
        OSError: a file is missing or can't be read.
        ValueError: a file is not what `save` writes.
    """
    path = Path(folder)
    extra = read_json(path / EXTRA_FILE)
    try:
        special_tokens, pattern = list(extra["special_tokens"]), extra["pattern"]
        others = {int(id_): from_printable(token) for id_, token in extra["other_ids"].items()}
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path / EXTRA_FILE} is not what Tokenizer.save writes: {error!r}") from error
    merges = read_merges(path / MERGES_FILE)
    return read_vocab(path / VOCAB_FILE, merges, special_tokens) | others, merges, special_tokens, pattern


def read_vocab(
    path: str | os.PathLike[str], merges: Sequence[Pair], special_tokens: Collection[str]
) -> dict[int, bytes]:
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


def read_merges(path: str | os.PathLike[str]) -> list[Pair]:
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


def read_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the JSON object in a file.

    Raises:
        OSError: the file is missing or can't be read.
        ValueError: it does not hold a JSON object.
    """
    try:
        content = json.loads(read_utf8(path))
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path} holds a {type(content).__name__}, and should hold an object")
    return content


def read_utf8(path: str | os.PathLike[str]) -> str:
    """Return the text of a file, whatever the locale, its line ends left as they are."""
    try:
        return Path(path).read_bytes().decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: byte {error.start} is not valid UTF-8 ({error.reason})") from error
