"""What public tests of Stanford's CS336, assignment 1, ask of a tokenizer, in words of our own.

They call `train_bpe(path, vocab_size, special_tokens, num_processes=2)`, build a tokenizer from its result or by
`Tokenizer.from_files(...)`, compare ids with tiktoken's, and stream a file with little memory.
"""

import json
import sys

import pytest

from bpe_lib import Tokenizer, train_bpe
from oracles import GPT2_FOLDER, PROSE, SEED_TEXT, brute_force_train, run_python, tiktoken_encoding

END = "<|endoftext|>"
ENGLISH = "".join(
    f"Once upon a time, there was a {thing} that couldn't {verb}. \"Don't worry,\" said Lily's {friend}.\n\n{END}\n"
    for thing in ["cat", "red ball", "little bird", "café", "tree"]
    for verb in ["jump", "run away", "sing", "see 100 stars"]
    for friend in ["mom", "friend Tom", "best friend"]
)
TEXTS = {
    "nothing": "",
    "a letter": "s",
    "an emoji": "🙃",
    "ascii": "Hello, how are you?",
    "unicode": "Héllò hôw are ü? 🙃",
    "two special tokens": f"Héllò hôw {END}{END} are ü? 🙃{END}",
    "prose": PROSE,
    "stories": ENGLISH,
    "newlines": "\n\n  a \n\n\n b\t\n",
    "special tokens and newlines": f"{END}\n\n{END}\n\n\n a {END} ",
}

needs_gpt2 = pytest.mark.skipif(not (GPT2_FOLDER / "vocab.json").exists(), reason="GPT-2's files are not there")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "stories.txt"
    path.write_bytes(ENGLISH.encode())
    return train_bpe(path, 500, [END], num_processes=2)


def test_merges_and_vocabulary_are_the_reference_trainers(trained):
    vocab, merges = brute_force_train(ENGLISH, 500, [END])
    assert trained[1] == merges
    assert set(trained[0].keys()) == set(vocab.keys())
    assert set(trained[0].values()) == set(vocab.values())


def test_no_token_holds_a_piece_of_the_special_token(trained):
    tokens = [token for token in trained[0].values() if token != END.encode()]
    assert not any(b"<|" in token or b"|>" in token for token in tokens)


def test_a_special_token_that_never_occurs_is_still_in_the_vocabulary(tmp_path):
    (tmp_path / "text.txt").write_text(SEED_TEXT)
    vocab, _ = train_bpe(tmp_path / "text.txt", 300, [END, "<|pad|>"], num_processes=2)
    assert END.encode() in vocab.values()
    assert b"<|pad|>" in vocab.values()
    assert len(vocab) == 300


@pytest.mark.parametrize("name", TEXTS)
def test_text_comes_back(name, trained):
    tokenizer = Tokenizer(*trained, [END])
    assert tokenizer.decode(tokenizer.encode(TEXTS[name])) == TEXTS[name]
    assert list(tokenizer.encode_iterable(iter(TEXTS[name].splitlines(keepends=True)))) == tokenizer.encode(TEXTS[name])


@needs_gpt2
@pytest.mark.parametrize("name", TEXTS)
def test_gpt2s_ids_are_tiktokens(name, gpt2):
    tokenizer, theirs = gpt2
    ids = tokenizer.encode(TEXTS[name])
    assert ids == theirs.encode(TEXTS[name], allowed_special={END})
    assert list(tokenizer.encode_iterable([TEXTS[name]])) == ids
    assert tokenizer.decode(ids) == TEXTS[name]


@pytest.fixture(scope="module")
def gpt2():
    tokenizer = Tokenizer.from_files(GPT2_FOLDER / "vocab.json", GPT2_FOLDER / "merges.txt", special_tokens=[END])
    return tokenizer, tiktoken_encoding(tokenizer.vocab, [END])


@needs_gpt2
def test_overlapping_special_tokens():
    tokenizer = Tokenizer.from_files(GPT2_FOLDER / "vocab.json", GPT2_FOLDER / "merges.txt", [END, END + END])
    text = f"Hello, how {END}{END} are you?{END}"
    tokens = [tokenizer.decode([id_]) for id_ in tokenizer.encode(text)]
    assert tokens.count(END) == 1
    assert tokens.count(END + END) == 1
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_without_special_tokens_theirs_are_text(trained):
    tokenizer = Tokenizer(*trained)
    assert len(tokenizer.encode(END)) > 1
    assert tokenizer.decode(tokenizer.encode(END)) == END


def test_from_files_with_files_written_as_gpt2s(trained, tmp_path):
    Tokenizer(*trained, [END]).save(tmp_path)
    tokenizer = Tokenizer.from_files(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"), [END])
    assert tokenizer.vocab == trained[0]
    assert tokenizer.encode(ENGLISH) == Tokenizer(*trained, [END]).encode(ENGLISH)
    assert json.loads((tmp_path / "vocab.json").read_text(encoding="utf-8"))[END] == 256


@needs_gpt2
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits memory like this")
def test_streaming_a_file_with_a_megabyte_to_spare(tmp_path):
    """Their limit: what the process holds now and one megabyte more, for a file of five."""
    path = tmp_path / "stories.txt"
    path.write_bytes(ENGLISH.encode() * (2_000_000 // len(ENGLISH)))
    code = """
import os, resource, sys, psutil
from bpe_lib import Tokenizer
folder, path = sys.argv[1:]
tokenizer = Tokenizer.from_files(folder + "/vocab.json", folder + "/merges.txt", ["<|endoftext|>"])
with open(path, encoding="utf-8") as file:
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().rss + 1_000_000, -1))
    number = sum(1 for _ in tokenizer.encode_iterable(file))
    resource.setrlimit(resource.RLIMIT_AS, before)
print(number)
"""
    printed = run_python(code, str(GPT2_FOLDER), path)
    assert int(printed) > 100_000
