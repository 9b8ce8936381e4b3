"""Reading Hugging Face's `tokenizer.json`, as far as byte-level BPE goes; anything else in it is named and refused."""

import os
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from bpe_lib.files import AnyPath, parse_json, read_utf8
from bpe_lib.formats.definition import Definition, assign_ids
from bpe_lib.formats.gpt2 import BYTE_OF, from_printable
from bpe_lib.formats.huggingface import read_pattern
from bpe_lib.formats.reading import value_errors
from bpe_lib.naive import Pair

if TYPE_CHECKING:
    from tokenizers import AddedToken

MOST_COMPARED = 3 * 10**8
"""Characters of one kind of added tokens times those of the other, at the most, and 10 more for each token: to compare
these takes about 3 seconds."""
UNICODE_FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def read_tokenizer_json(path: AnyPath, *, ignore_normalizer: bool = False) -> Definition:
    """Return what makes the tokenizer in a `tokenizer.json`.

    Its ids are those of `tokenizers.Tokenizer.from_file(path).encode(text, add_special_tokens=False)`. All added tokens
    become special tokens. What a post-processor adds, a token for the beginning of the text perhaps, is left out.

    Args:
        ignore_normalizer: read a file that brings text into a Unicode normal form first, as Qwen's do with NFC; the
            ids are the same for text that is in that form already (`unicodedata.normalize("NFC", text)`).

    Raises:
        OSError: the file is missing or can't be read.
        ValueError: it is no `tokenizer.json`, or holds what byte-level BPE can't say; the message names it.
    """
    text = read_utf8(path)
    content = parse_json(text, path)
    try:
        refuse(content, ignore_normalizer)
        model = content["model"]
        pattern = read_pattern(content.get("pre_tokenizer"))
        merges = read_merge_list(model["merges"])
        added = {token["content"] for token in content.get("added_tokens") or []}
        vocab = read_spellings(model["vocab"], merges, added)
        special_ids = add_tokens(vocab, read_added_tokens(text))
        refuse_unknown(model, vocab)
        return Definition(vocab, merges, list(special_ids), pattern, bool(model.get("ignore_merges")))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        wrong = error if isinstance(error, ValueError) else f"this is not how the format is built: {error!r}"
        raise ValueError(f"{os.fspath(path)}: {wrong}") from error


def refuse(content: Mapping[str, Any], ignore_normalizer: bool) -> None:
    """Raise a ValueError that names the first thing in the file that byte-level BPE can't say."""
    model = content.get("model")
    if not isinstance(model, dict):
        raise ValueError("there is no model in it: it is not a tokenizer.json")
    if model.get("type", "BPE") != "BPE":
        raise ValueError(f"its model is {model['type']}, and only BPE can be read")
    for name in ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback"):
        if model.get(name):
            raise ValueError(f"its model has {name} {model[name]!r}, which byte-level BPE has not")
    for name in ("truncation", "padding"):
        if content.get(name):
            raise ValueError(f"it has {name}, which changes the ids: switch it off with `tokenizers` (no_{name}())")
    refuse_normalizer(content.get("normalizer"), ignore_normalizer)
    decoder = content.get("decoder")
    if decoder and decoder["type"] != "ByteLevel":
        raise ValueError(f"its decoder is {decoder['type']}, and only ByteLevel can be read")


def refuse_normalizer(normalizer: Mapping[str, Any] | None, ignored: bool) -> None:
    """Raise a ValueError if there is a normalizer, unless it is a Unicode normal form and may be ignored."""
    empty = normalizer and normalizer["type"] == "Sequence" and not normalizer["normalizers"]
    if not normalizer or empty or (ignored and normalizer["type"] in UNICODE_FORMS):
        return
    kind = normalizer["type"]
    form = f'unicodedata.normalize("{kind}", text)'
    way_out = f". If your text is in that form already ({form}), pass ignore_normalizer=True"
    raise ValueError(f"it has the normalizer {kind}, which changes the text{way_out if kind in UNICODE_FORMS else ''}")


def read_added_tokens(text: str) -> "dict[int, AddedToken]":
    """Return the added tokens by id, as `tokenizers` reads them from the text of the file.

    Raises:
        ValueError: `tokenizers` can't read it, or a token claims more than its own characters.
    """
    from tokenizers import Tokenizer

    with value_errors("`tokenizers` can't read it"):
        added = Tokenizer.from_str(text).get_added_tokens_decoder()
    for token in added.values():
        for name in ("lstrip", "rstrip", "single_word"):
            if getattr(token, name):
                raise ValueError(f"its added token {token.content!r} has {name}, which byte-level BPE has not")
    first = [token.content for token in added.values() if not token.normalized]
    then = [token.content for token in added.values() if token.normalized]
    if pair := overlapping(first, then):
        raise ValueError(f"its added tokens {pair[0]!r} and {pair[1]!r} overlap, and only the second is normalized")
    return added


def read_merge_list(listed: Iterable[str | list[str]]) -> list[Pair]:
    """Return the merges, written as `"a b"` or as `["a", "b"]`. Of two equal ones the last counts."""
    merges: dict[Pair, None] = {}
    for number, merge in enumerate(listed):
        halves = merge.split(" ") if isinstance(merge, str) else merge
        if len(halves) != 2 or not all(halves):
            raise ValueError(f"merge {number}, {merge!r}, is not two tokens")
        pair = from_printable(halves[0]), from_printable(halves[1])
        merges.pop(pair, None)
        merges[pair] = None
    return list(merges)


def read_spellings(content: Mapping[str, Any], merges: Iterable[Pair], added: Collection[str]) -> dict[int, bytes]:
    """Return the vocabulary from the model's spellings and ids.

    An entry that is spelled like an added token is that token, unless it is a byte or a merge needs it.
    """
    in_text = {token for left, right in merges for token in (left, right, left + right)}
    vocab: dict[int, bytes] = {}
    for spelling, id_ in content.items():
        if not isinstance(id_, int) or isinstance(id_, bool) or id_ < 0 or id_ in vocab:
            raise ValueError(f"{spelling!r} has id {id_!r}; each token needs a whole number of its own, 0 or more")
        printable = BYTE_OF.keys() >= set(spelling)
        literal = spelling in added and not (printable and (len(spelling) == 1 or from_printable(spelling) in in_text))
        vocab[id_] = spelling.encode() if literal else from_printable(spelling)
    return vocab


def add_tokens(vocab: dict[int, bytes], added: "Mapping[int, AddedToken]") -> dict[str, int]:
    """Put the added tokens into the vocabulary and return the id of each."""
    for id_, token in added.items():
        if vocab.setdefault(id_, token.content.encode()) != token.content.encode():
            raise ValueError(f"its added token {token.content!r} has id {id_}, which {vocab[id_]!r} has too")
    special_ids = {token.content: id_ for id_, token in added.items()}
    if assign_ids(vocab, special_ids)[0] != special_ids:
        raise ValueError("one of its added tokens is spelled like an ordinary token with a lower id")
    return special_ids


def refuse_unknown(model: Mapping[str, Any], vocab: Mapping[int, bytes]) -> None:
    """Raise a ValueError if there is a token for the unknown and a byte may be unknown."""
    known = set(vocab.values())
    lacking = [byte for byte in range(256) if bytes([byte]) not in known]
    if lacking and model.get("unk_token"):
        raise ValueError(f"its model has the unk_token {model['unk_token']!r} and no token for byte {lacking[0]:#04x}")


def overlapping(some: Collection[str], others: Collection[str]) -> tuple[str, str] | None:
    """Return a token of the first and one of the second that could claim the same text, or None.

    Raises:
        ValueError: there are too many to compare each with each.
    """
    if sum(len(token) + 10 for token in some) * sum(len(token) + 10 for token in others) > MOST_COMPARED:
        kinds = f"{len(some)} added tokens that are not normalized and {len(others)} that are"
        raise ValueError(f"it has {kinds}, too many to make sure that none overlap")
    return next(((one, other) for one in some for other in others if overlap(one, other)), None)


def overlap(one: str, other: str) -> bool:
    """Return whether the two could claim the same text.

    >>> overlap("<e>", "><"), overlap("<e>", "<f>")
    (True, False)
    """
    shorter = range(1, min(len(one), len(other)) + 1)
    return one in other or other in one or any(one[-n:] == other[:n] or other[-n:] == one[:n] for n in shorter)
