"""Hugging Face's `tokenizer.json`: the whole of a tokenizer in one file, of which byte-level BPE needs a part.

Tokens are spelled as in GPT-2's files. Special tokens are spelled as they are, so one that is spelled like another
token's printable form can't be said.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from bpe_lib.files import AnyPath, replacing
from bpe_lib.formats.definition import Definition, assign_ids, check_distinct, tokens_of_text
from bpe_lib.formats.gpt2 import BYTE_OF, from_printable, to_printable
from bpe_lib.formats.reading import check_reading
from bpe_lib.patterns import usual_spelling
from bpe_lib.pretokenization import GPT2_PATTERN, compile_pattern

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
EVERYTHING = r"[\s\S]+"
"""A pattern that cuts nothing."""
POSSESSIVE = re.compile(r"((?:\\p\{\^?\w+\}|\\.|\[(?:\\.|[^\]\\])+\])\{\d+(?:,\d*)?\})\+", re.IGNORECASE)
"""An interval that gives nothing back, as in `\\p{N}{1,3}+`: `tokenizers` takes the plus for one repetition more."""


def write(path: AnyPath, definition: Definition) -> None:
    """Write a `tokenizer.json`; see `Tokenizer.to_tokenizer_json`."""
    text = tokenizer_json(definition)
    with replacing(path) as file:
        file.write(text.encode())


def tokenizer_json(definition: Definition) -> str:
    """Return the text of the `tokenizer.json` that gives the same ids.

    Raises:
        ValueError: the format can't say it; the message names what.
    """
    check_distinct(definition, "tokenizer.json")
    special_ids, _ = assign_ids(definition.vocab, definition.special_tokens)
    added = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    merges = dict.fromkeys(definition.merges)  # of two equal merges the first counts here, and the last one there
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": id_, "content": token, **added} for token, id_ in sorted(special_ids.items(), key=lambda x: x[1])
        ],
        "normalizer": None,
        "pre_tokenizer": pre_tokenizer(definition.pattern),
        "post_processor": None,
        "decoder": {**BYTE_LEVEL, "use_regex": True},
        "model": {
            "type": "BPE",
            **dict.fromkeys(["dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix"]),
            **dict.fromkeys(["fuse_unk", "byte_fallback"], False),
            "ignore_merges": definition.ignore_merges,
            "vocab": spell(definition, special_ids),
            "merges": [f"{to_printable(left)} {to_printable(right)}" for left, right in merges],
        },
    }
    return json.dumps(content, ensure_ascii=False)  # without indent, which is four times as slow


def spell(definition: Definition, special_ids: Mapping[str, int]) -> dict[str, int]:
    """Return the id of each spelling.

    Raises:
        ValueError: a special token is spelled like another token's printable form, or would need two spellings.
    """
    literal = {id_: token for token, id_ in special_ids.items()}
    in_text = tokens_of_text(definition)
    spelled: dict[str, int] = {}
    for id_ in sorted(definition.vocab):
        token = definition.vocab[id_]
        spelling = literal.get(id_, to_printable(token))
        if id_ in literal and in_text.get(token) == id_ and spelling != to_printable(token):
            other = f"an ordinary token too (id {id_}), spelled {to_printable(token)!r} there"
            raise ValueError(f"tokenizer.json can't hold the special token {spelling!r}, which is {other}")
        is_printable = definition.ignore_merges and id_ in literal and BYTE_OF.keys() >= set(spelling)
        if spelled.setdefault(spelling, id_) != id_ or (is_printable and from_printable(spelling) != token):
            other = f"{from_printable(spelling)!r} is spelled like that there"
            raise ValueError(f"tokenizer.json can't hold the special token {spelling!r}: {other}")
    return spelled


def pre_tokenizer(pattern: str) -> dict:
    """Return what cuts text by a pattern and then spells its bytes as printable characters.

    Raises:
        ValueError: `tokenizers` reads the pattern differently.
    """
    if usual_spelling(pattern) == GPT2_PATTERN:
        return {**BYTE_LEVEL, "use_regex": True}
    theirs = POSSESSIVE.sub(r"(?>\1)", pattern)
    check_pattern(pattern, theirs)
    split = {"type": "Split", "pattern": {"Regex": theirs}, "behavior": "Isolated", "invert": False}
    return {"type": "Sequence", "pretokenizers": [split, {**BYTE_LEVEL, "use_regex": False}]}


@lru_cache(maxsize=32)
def check_pattern(pattern: str, theirs: str) -> None:
    """Raise a ValueError unless `tokenizers` cuts by `theirs` as we cut by `pattern`."""
    from tokenizers import Regex, pre_tokenizers

    def cut(text: str) -> list[str]:
        split = pre_tokenizers.Split(Regex(theirs), "isolated")
        return [piece for piece, _ in split.pre_tokenize_str(text)]

    check_reading(pattern, cut, "tokenizers")


def read_pattern(pre_tokenizer: Mapping[str, Any] | None) -> str:
    """Return the pattern of a pre-tokenizer: ByteLevel, alone or after a Split.

    >>> read_pattern({"type": "ByteLevel", "add_prefix_space": False}) == GPT2_PATTERN
    True
    """
    steps = [pre_tokenizer] if pre_tokenizer else []
    if pre_tokenizer and pre_tokenizer["type"] == "Sequence":
        steps = pre_tokenizer["pretokenizers"]
    kinds = [step["type"] for step in steps]
    if kinds not in (["ByteLevel"], ["Split", "ByteLevel"]):
        raise ValueError(
            f"its pre-tokenizer is {' + '.join(kinds) or None}; ByteLevel, or Split + ByteLevel, can be read"
        )
    byte_level, split = steps[-1], steps[0]
    if byte_level.get("add_prefix_space", True):
        raise ValueError("its pre-tokenizer ByteLevel has add_prefix_space, which changes the text")
    cuts_too = byte_level.get("use_regex", True)
    if len(steps) == 1:
        return GPT2_PATTERN if cuts_too else EVERYTHING
    if cuts_too:
        raise ValueError("its pre-tokenizer ByteLevel has use_regex after a Split, and text is cut by one pattern only")
    if split["behavior"] != "Isolated" or split.get("invert"):
        raise ValueError(f"its pre-tokenizer Split has behavior {split['behavior']} (invert {split.get('invert')})")
    return read_regex(split["pattern"])


def read_regex(pattern: Mapping[str, str]) -> str:
    """Return the pattern of a Split, if the package `regex` reads it as `tokenizers` does."""
    if "Regex" not in pattern:
        raise ValueError(f"its pre-tokenizer Split has the pattern {dict(pattern)}, which is no Regex")
    theirs = pattern["Regex"]
    compile_pattern(theirs)
    check_pattern(theirs, theirs)
    return usual_spelling(theirs)
