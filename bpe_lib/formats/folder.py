"""The folder that holds a tokenizer: GPT-2's two files, one for what these can't say, and Hugging Face's."""

import json
import warnings
from pathlib import Path

from bpe_lib.files import AnyPath, read_json, write_together
from bpe_lib.formats.definition import Definition
from bpe_lib.formats.gpt2 import built_spellings, from_printable, read_merges, read_token, read_vocab, to_printable
from bpe_lib.formats.huggingface import tokenizer_json
from bpe_lib.formats.reading import check_usable
from bpe_lib.pretokenization import list_special_tokens

VOCAB_FILE, MERGES_FILE, EXTRA_FILE, WHOLE_FILE = "vocab.json", "merges.txt", "bpe_lib.json", "tokenizer.json"
FILES = (VOCAB_FILE, MERGES_FILE, EXTRA_FILE, WHOLE_FILE)


def save(folder: AnyPath, definition: Definition) -> None:
    """Write the files of a tokenizer into a folder, which is made if need be; see `write_together`.

    `vocab.json` spells special tokens as they are and all other tokens in printable characters. Entries whose spelling
    is taken already, or would be read as another token, go into `bpe_lib.json`, which has the last word.

    `tokenizer.json`, for other libraries, can't say everything. Where it can't, there is a warning and no such file.

    Raises:
        OSError: a file can't be written or replaced.
    """
    spelled, apart = spell(definition)
    extra: dict[str, object] = {"special_tokens": list(definition.special_tokens), "pattern": definition.pattern}
    extra["other_ids"] = apart
    if definition.ignore_merges:
        extra["ignore_merges"] = True
    lines = ["#version: 0.2", *(f"{to_printable(left)} {to_printable(right)}" for left, right in definition.merges)]
    try:
        whole = tokenizer_json(definition)
    except ValueError as error:
        warnings.warn(f"saved without {WHOLE_FILE}, which other libraries read: {error}", stacklevel=3)
        whole = None
    texts = {
        VOCAB_FILE: json.dumps(spelled, ensure_ascii=False),
        MERGES_FILE: "\n".join(lines) + "\n",
        EXTRA_FILE: json.dumps(extra, ensure_ascii=False, indent=1),
        WHOLE_FILE: whole,
    }
    write_together(folder, texts)


def spell(definition: Definition) -> tuple[dict[str, int], dict[str, str]]:
    """Return what `vocab.json` holds, and the printable form of each id for which it has no place."""
    special_tokens = definition.special_tokens
    literal = {token.encode(): token for token in special_tokens if len(token.encode()) > 1}
    built = built_spellings(definition.merges)
    spelled: dict[str, int] = {}
    apart: dict[str, str] = {}
    for id_, token in sorted(definition.vocab.items(), key=lambda item: item[1] in literal):
        spelling = literal.get(token) or to_printable(token)
        if spelled.setdefault(spelling, id_) != id_ or read_token(spelling, built, special_tokens) != token:
            apart[str(id_)] = to_printable(token)
    return dict(sorted(spelled.items(), key=lambda item: item[1])), apart


def load(folder: AnyPath) -> Definition:
    """Return what makes the tokenizer in a folder that `save` wrote.

    Raises:
        OSError: a file is missing or can't be read.
        ValueError: a file is not what `save` writes.
    """
    path = Path(folder)
    extra = read_json(path / EXTRA_FILE)
    try:
        special_tokens, pattern = list_special_tokens(extra["special_tokens"]), extra["pattern"]
        others = {int(id_): from_printable(token) for id_, token in extra["other_ids"].items()}
        check_usable(pattern)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path / EXTRA_FILE} is not what Tokenizer.save writes: {error!r}") from error
    merges = read_merges(path / MERGES_FILE)
    vocab = read_vocab(path / VOCAB_FILE, merges, special_tokens) | others
    return Definition(vocab, merges, special_tokens, pattern, extra.get("ignore_merges") is True)
