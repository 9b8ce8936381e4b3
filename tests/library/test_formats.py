import json
import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer as HuggingFace
from tokenizers import decoders, models, pre_tokenizers
from tokenizers.pre_tokenizers import ByteLevel

from bpe_lib import Tokenizer, files, formats
from bpe_lib.formats import reading
from oracles import CL100K, GPT2_FOLDER, PROSE, SPECIAL_SETS, brute_force_train, run_python, single, texts

END = "<|endoftext|>"
VOCAB, MERGES = brute_force_train(PROSE, 500, [END])
BYTES = dict(enumerate(single(bytes(range(256)))))

pytestmark = pytest.mark.filterwarnings("ignore:saved without tokenizer.json")
needs_gpt2 = pytest.mark.skipif(not (GPT2_FOLDER / "vocab.json").exists(), reason="GPT-2's files are not there")


def same(one, other):
    return all(
        getattr(one, name) == getattr(other, name)
        for name in ("vocab", "merges", "special_tokens", "pattern", "ignore_merges")
    )


def saved_and_loaded(tokenizer, folder):
    tokenizer.save(folder)
    return Tokenizer.load(folder)


# --- printable characters ---


def test_printable_characters_are_those_of_hugging_face():
    assert set(formats.CHARACTER_OF.values()) == set(ByteLevel.alphabet())
    assert len(set(formats.CHARACTER_OF.values())) == 256
    assert [formats.CHARACTER_OF[byte] for byte in b"A \n\r\x00\xff\xad\xe9"] == list("AĠĊčĀÿŃé")


@given(st.binary(max_size=20))
def test_printable_there_and_back(data):
    spelling = formats.to_printable(data)
    assert formats.from_printable(spelling) == data
    assert not any(character.isspace() for character in spelling)


def test_a_character_that_stands_for_no_byte_is_an_error():
    with pytest.raises(ValueError, match="'中' in 'a中' is not one of the 256 characters that stand for bytes"):
        formats.from_printable("a中")


# --- save and load ---


@pytest.mark.parametrize("tokens", SPECIAL_SETS)
def test_special_tokens_of_any_script_come_back(tokens, tmp_path):
    tokenizer = Tokenizer(VOCAB, MERGES, tokens, pattern=CL100K)
    loaded = saved_and_loaded(tokenizer, tmp_path)
    assert same(loaded, tokenizer)
    text = PROSE + "".join(tokens) * 2
    assert loaded.encode(text) == tokenizer.encode(text)


WEIRD = [b"\n", b"\r", b" ", b"\r\n", "\u2028".encode(), b"#", b"#version", b"\0", b"\xff", b"\x85", b"\xa0", b"\xad"]


@pytest.mark.parametrize("left", WEIRD)
@pytest.mark.parametrize("right", WEIRD)
def test_merges_of_weird_bytes_come_back(left, right, tmp_path):
    tokens = [*single(bytes(range(256)))]
    merges = []
    for token in (left, right, left + right):
        for end in range(2, len(token) + 1):
            if token[:end] not in tokens:
                tokens.append(token[:end])
                merges.append((token[: end - 1], token[end - 1 : end]))
    merges += [] if (left, right) in merges else [(left, right)]
    tokenizer = Tokenizer(dict(enumerate(tokens)), merges, ["#version: 0.2\n"])
    assert same(saved_and_loaded(tokenizer, tmp_path), tokenizer)


@given(
    st.dictionaries(st.integers(0, 1000), st.binary(min_size=1, max_size=4), max_size=12),
    st.lists(st.text(min_size=1, max_size=3), max_size=4, unique=True),
    st.booleans(),
)
@example({0: b"a"}, ["é"], False)
@example({256: b"\xc3\xa9x"}, ["Ã©x"], True)
@example({300: b"\xe9"}, ["é"], True)
@example({3: b"ab", 2: b"ab", 1: b"ab"}, ["ab"], True)
def test_any_vocabulary_comes_back(tmp_path, vocab, special_tokens, with_bytes):
    vocab = (BYTES | {id_ + 256: token for id_, token in vocab.items()}) if with_bytes else vocab
    tokenizer = Tokenizer(vocab, [], special_tokens)
    assert same(saved_and_loaded(tokenizer, tmp_path), tokenizer)


def test_a_special_token_spelled_like_a_bytes_printable_form(tmp_path):
    tokenizer = Tokenizer(BYTES, [], ["é"])
    loaded = saved_and_loaded(tokenizer, tmp_path)
    assert loaded.vocab[256] == "é".encode()
    assert loaded.vocab[0xE9] == b"\xe9"
    assert loaded.encode("né") == [ord("n"), 256]


def test_a_special_token_spelled_like_the_printable_form_of_a_merge(tmp_path):
    vocab, merges = BYTES | {256: b" t", 257: "Ġt".encode()}, [(b" ", b"t")]
    tokenizer = Tokenizer(vocab, merges, ["Ġt"])
    loaded = saved_and_loaded(tokenizer, tmp_path)
    assert same(loaded, tokenizer)
    assert loaded.encode(" tĠt") == [256, 257]


def test_equal_bytes_made_by_two_merges_come_back(tmp_path):
    merges = [(b"a", b"b"), (b"ab", b"c"), (b"b", b"c"), (b"a", b"bc")]
    tokenizer = Tokenizer(BYTES | {256 + i: left + right for i, (left, right) in enumerate(merges)}, merges)
    loaded = saved_and_loaded(tokenizer, tmp_path)
    assert same(loaded, tokenizer)
    assert loaded.vocab[257] == loaded.vocab[259] == b"abc"


def test_a_special_token_that_a_merge_makes_too(tmp_path):
    vocab = BYTES | {256: b"the", 257: b"th", 258: b"the"}
    tokenizer = Tokenizer(vocab, [(b"t", b"h"), (b"th", b"e")], ["the"])
    loaded = saved_and_loaded(tokenizer, tmp_path)
    assert same(loaded, tokenizer)
    assert (loaded.encode("the"), loaded.encode_ordinary("the")) == ([256], [258])


@pytest.mark.parametrize("name", ["a folder", "nested/é/中 folder", "with.dot", "#1"])
def test_folders_are_made_whatever_their_name(name, tmp_path):
    tokenizer = Tokenizer(VOCAB, MERGES, [END])
    assert same(saved_and_loaded(tokenizer, tmp_path / name), tokenizer)
    assert same(Tokenizer.load(str(tmp_path / name)), tokenizer)


def test_saving_again_replaces_the_files_and_leaves_no_others(tmp_path):
    Tokenizer(VOCAB, MERGES, [END]).save(tmp_path)
    smaller = Tokenizer(BYTES, [], ["<e>"])
    assert same(saved_and_loaded(smaller, tmp_path), smaller)
    assert sorted(os.listdir(tmp_path)) == ["bpe_lib.json", "merges.txt", "tokenizer.json", "vocab.json"]


def test_an_empty_tokenizer_comes_back(tmp_path):
    assert same(saved_and_loaded(Tokenizer({}, []), tmp_path), Tokenizer({}, []))


@pytest.mark.parametrize("locale", ["C", "en_US.ISO-8859-1"])
def test_saved_and_loaded_under_any_locale(locale, tmp_path):
    tokenizer = Tokenizer(VOCAB, MERGES, ["é", "<|終|>", "\u2028"])
    tokenizer.save(tmp_path / "a")
    code = (
        "import sys; from bpe_lib import Tokenizer; tokenizer = Tokenizer.load(sys.argv[1] + '/a')\n"
        "tokenizer.save(sys.argv[1] + '/b'); print(ascii(tokenizer.special_tokens), sorted(tokenizer.vocab.items()))"
    )
    printed = run_python(code, tmp_path, LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert printed.strip() == f"{tokenizer.special_tokens!a} {sorted(tokenizer.vocab.items())}"
    assert same(Tokenizer.load(tmp_path / "b"), tokenizer)
    for name in os.listdir(tmp_path / "a"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


# --- the format is GPT-2's ---


def test_the_files_are_spelled_as_gpt2s(tmp_path):
    vocab = BYTES | {256: b" t", 257: END.encode(), 258: b" t\n"}
    Tokenizer(vocab, [(b" ", b"t"), (b" t", b"\n")], [END]).save(tmp_path)
    spelled = json.loads((tmp_path / "vocab.json").read_bytes())
    assert (spelled["Ġt"], spelled[END], spelled["ĠtĊ"], spelled["a"]) == (256, 257, 258, 97)
    assert (tmp_path / "merges.txt").read_bytes().decode().split("\n") == ["#version: 0.2", "Ġ t", "Ġt Ċ", ""]


@given(texts(max_size=40).map(lambda text: "".join(c for c in text if c.isascii() or c in PROSE)))
def test_hugging_face_loads_our_files_and_gives_our_ids(tmp_path, text):
    ours = Tokenizer(VOCAB, MERGES, [END])
    if not (tmp_path / "vocab.json").exists():
        ours.save(tmp_path)
    model = models.BPE.from_file(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt"))
    theirs = HuggingFace(model)
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.decoder = decoders.ByteLevel()
    theirs.add_special_tokens([END])
    for some in (text, text + END + text):
        assert theirs.encode(some).ids == ours.encode(some)
        assert theirs.decode(ours.encode(some), skip_special_tokens=False) == some


@needs_gpt2
@pytest.mark.parametrize("version", [False, True])
@pytest.mark.parametrize("end_of_line", ["\n", "\r\n"])
def test_gpt2s_own_files_load(version, end_of_line, tmp_path):
    lines = (GPT2_FOLDER / "merges.txt").read_bytes().decode().split("\n")
    lines = lines[1:] if lines[0].startswith("#version") else lines
    text = end_of_line.join((["#version: 0.2"] if version else []) + lines)
    (tmp_path / "merges.txt").write_bytes(text.encode())
    tokenizer = Tokenizer.from_files(GPT2_FOLDER / "vocab.json", tmp_path / "merges.txt", [END])
    assert len(tokenizer.merges) == 50_000
    assert tokenizer.merges[:3] == [(b" ", b"t"), (b" ", b"a"), (b"h", b"e")]
    assert tokenizer.encode(" Hello world" + END) == [18435, 995, 50256]


@needs_gpt2
def test_gpt2_comes_back(tmp_path):
    gpt2 = Tokenizer.from_files(GPT2_FOLDER / "vocab.json", GPT2_FOLDER / "merges.txt", [END])
    assert same(saved_and_loaded(gpt2, tmp_path), gpt2)
    assert json.loads((tmp_path / "vocab.json").read_bytes()) == json.loads((GPT2_FOLDER / "vocab.json").read_bytes())


def write_files(folder, vocab, merges):
    (folder / "vocab.json").write_bytes(vocab if isinstance(vocab, bytes) else json.dumps(vocab).encode())
    (folder / "merges.txt").write_bytes(merges if isinstance(merges, bytes) else merges.encode())
    return folder / "vocab.json", folder / "merges.txt"


def test_special_tokens_that_the_files_lack_get_new_ids(tmp_path):
    files = write_files(tmp_path, {"a": 0, "b": 5, "ab": 7}, "a b")
    assert Tokenizer.from_files(*files, ["<e>"]).encode("ab<e>") == [7, 8]


def test_a_special_token_written_as_it_is(tmp_path):
    files = write_files(tmp_path, {"a": 0, "<é>": 1, "<|終|>": 2, "é": 3}, "")
    tokenizer = Tokenizer.from_files(*files, ["<é>", "<|終|>"])
    assert tokenizer.vocab == {0: b"a", 1: "<é>".encode(), 2: "<|終|>".encode(), 3: b"\xe9"}


# --- bad files ---


@pytest.mark.parametrize(
    ("vocab", "merges", "message"),
    [
        (b"{", "", r"vocab\.json is not JSON: "),
        (["a"], "", r"vocab\.json holds a list, and should hold an object"),
        ({"a": "0"}, "", r"vocab\.json: 'a' has id '0'; each token needs a whole number of its own, 0 or more"),
        ({"a": -1}, "", r"'a' has id -1; each token needs a whole number"),
        ({"a": 1.5}, "", r"'a' has id 1\.5; each token needs a whole number"),
        ({"a": True}, "", r"'a' has id True; each token needs a whole number"),
        ({"a": 1, "b": 1}, "", r"'b' has id 1; each token needs a whole number of its own"),
        (b'{"a\xff": 1}', "", r"vocab\.json: byte 3 is not valid UTF-8"),
        ({"a": 1 << 32}, "", r"vocab\.json: id 4294967296 is above 2\*\*32 - 1"),
        (b'{"a\\ud83d": 1}', "", r"vocab\.json: .* surrogates not allowed"),
        ({"a": 0}, "a", r"merges\.txt, line 1: 'a' is not two tokens with one space between them"),
        ({"a": 0}, "#version: 0.2\na b\na b c", r"merges\.txt, line 3: 'a b c' is not two tokens"),
        ({"a": 0}, "a  b", r"line 1: 'a  b' is not two tokens"),
        ({"a": 0}, "a b\n中 a", r"merges\.txt, line 2: '中' in '中' is not one of the 256 characters"),
        ({"a": 0}, b"a b\n\xff", r"merges\.txt: byte 4 is not valid UTF-8"),
        ({"a": 0, "b": 1}, "a b", r"vocab\.json: merge 0, b'a' \+ b'b', needs b'ab', which the vocabulary lacks"),
    ],
)
def test_files_that_are_wrong_say_where(vocab, merges, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        Tokenizer.from_files(*write_files(tmp_path, vocab, merges))


def test_missing_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"bpe_lib\.json"):
        Tokenizer.load(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"nowhere"):
        Tokenizer.from_files(tmp_path / "nowhere.json", tmp_path / "nowhere.txt")


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"special_tokens": [], "pattern": "a"},
        {"special_tokens": 3, "pattern": "a", "other_ids": {}},
        {"special_tokens": "ab", "pattern": "a", "other_ids": {}},
        {"special_tokens": [3], "pattern": "a", "other_ids": {}},
        {"special_tokens": [], "pattern": "(" * 9999 + ")" * 9999, "other_ids": {}},
    ],
)
def test_an_extra_file_that_is_wrong(extra, tmp_path):
    Tokenizer(BYTES, []).save(tmp_path)
    (tmp_path / "bpe_lib.json").write_text(json.dumps(extra))
    with pytest.raises(ValueError, match=r"bpe_lib\.json is not what Tokenizer\.save writes"):
        Tokenizer.load(tmp_path)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [("", "the pattern is empty"), (r"(?:(?:\w|[\s\S])+)+\b\B|[\s\S]", "takes over"), ("(?R)", "it is not used")],
)
def test_a_pattern_that_no_text_can_be_cut_by_is_refused(pattern, message, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SECONDS", 0.1)
    Tokenizer(BYTES, []).save(tmp_path)
    (tmp_path / "bpe_lib.json").write_text(json.dumps({"special_tokens": [], "pattern": pattern, "other_ids": {}}))
    with pytest.raises(ValueError, match=rf"bpe_lib\.json is not what Tokenizer\.save writes.*{message}"):
        Tokenizer.load(tmp_path)


def test_half_a_character_in_the_extra_file_is_refused_and_two_halves_are_one(tmp_path):
    Tokenizer(BYTES, []).save(tmp_path)
    for token, message in (("\ud83d", r"bpe_lib\.json: .* surrogates not allowed"), ("\ud83d\ude43", None)):
        extra = json.dumps({"special_tokens": [token], "pattern": ".", "other_ids": {}})
        (tmp_path / "bpe_lib.json").write_text(extra)
        if message:
            with pytest.raises(ValueError, match=message):
                Tokenizer.load(tmp_path)
    assert Tokenizer.load(tmp_path).special_tokens == ["🙃"]


def test_a_folder_with_a_merge_that_makes_no_token_is_named(tmp_path):
    Tokenizer(VOCAB, MERGES).save(tmp_path / "mine")
    (tmp_path / "mine" / "merges.txt").write_text("q q\n")
    with pytest.raises(ValueError, match=r"mine: merge 0, b'q' \+ b'q', needs b'qq'"):
        Tokenizer.load(tmp_path / "mine")


def test_a_disk_that_fills_up_leaves_the_old_file(tmp_path, monkeypatch):
    tokenizer = Tokenizer(VOCAB, MERGES, [END])
    tokenizer.save(tmp_path)

    def full(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(files.os, "replace", full)
    with pytest.raises(OSError, match="no space left"):
        Tokenizer(BYTES, []).save(tmp_path)
    monkeypatch.undo()
    assert same(Tokenizer.load(tmp_path), tokenizer)
