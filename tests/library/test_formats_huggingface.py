"""tokenizer.json, against Hugging Face's own `tokenizers`."""

import json
import os
import unicodedata

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as HuggingFace

from bpe_lib import Tokenizer, files, patterns
from bpe_lib.formats import reading
from oracles import CL100K, GPT2_FOLDER, O200K, PATTERNS, PROSE, SPECIAL_SETS, brute_force_train, settled, single, texts

pytestmark = pytest.mark.filterwarnings("ignore:saved without tokenizer.json")
END = "<|endoftext|>"
BYTES = dict(enumerate(single(bytes(range(256)))))
TRAINED = {name: brute_force_train(PROSE, 400, [END], pattern) for name, pattern in PATTERNS.items()}
VOCAB, MERGES = TRAINED["gpt2"]
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")

needs_gpt2 = pytest.mark.skipif(not (GPT2_FOLDER / "vocab.json").exists(), reason="GPT-2's files are not there")


def exported(tokenizer, folder) -> HuggingFace:
    tokenizer.to_tokenizer_json(folder / "tokenizer.json")
    return HuggingFace.from_file(str(folder / "tokenizer.json"))


def theirs(vocab=VOCAB, merges=MERGES, pattern=None, added=(END,), **model) -> HuggingFace:
    """A tokenizer as `tokenizers` builds it; special tokens are left out of the model and added behind it."""
    spell = dict(zip(range(256), sorted_alphabet()))
    said = {token: "".join(map(spell.__getitem__, token)) for token in vocab.values()}
    ordinary = [token for _, token in sorted(vocab.items()) if token.decode(errors="replace") not in added]
    ids = {said[token]: id_ for id_, token in enumerate(ordinary)}
    built = HuggingFace(models.BPE(ids, [(said[left], said[right]) for left, right in merges], **model))
    built.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    if pattern:
        split = pre_tokenizers.Split(Regex(pattern), "isolated")
        level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        built.pre_tokenizer = pre_tokenizers.Sequence([split, level])
    built.decoder = decoders.ByteLevel()
    built.add_tokens([AddedToken(t, normalized=False, special=True) if isinstance(t, str) else t for t in added])
    return built


def sorted_alphabet() -> list[str]:
    """The printable character of each byte, worked out by letting `tokenizers` spell text that has the byte."""
    spell = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    found = {}
    for character in map(chr, [*range(0x80), *range(0x80, 0x800), *range(0x1000, 0x10000, 0x1000), 0xFFFD]):
        if not 0xD800 <= ord(character) < 0xE000:
            found |= zip(character.encode(), spell.pre_tokenize_str(character)[0][0])
    found |= zip(
        "𐀀\U00040000\U00080000\U000c0000\U00100000".encode(),
        spell.pre_tokenize_str("𐀀\U00040000\U00080000\U000c0000\U00100000")[0][0],
    )
    rest = iter(sorted(set(pre_tokenizers.ByteLevel.alphabet()) - set(found.values())))
    return [found[byte] if byte in found else next(rest) for byte in range(256)]


def written(hugging_face, folder):
    hugging_face.save(str(folder / "theirs.json"))
    return folder / "theirs.json"


def ids_of(hugging_face, text):
    return hugging_face.encode(text, add_special_tokens=False).ids


# --- out ---


@pytest.mark.parametrize("name", PATTERNS)
@given(texts(END, END[:4]).map(settled))
def test_tokenizers_loads_what_we_write_and_gives_our_ids(tmp_path, name, text):
    ours = Tokenizer(*TRAINED[name], [END], pattern=patterns.GPT2_PATTERN if name == "gpt2" else PATTERNS[name])
    if name not in LOADED:
        LOADED[name] = exported(ours, tmp_path)
    assert ids_of(LOADED[name], text) == ours.encode(text)
    assert LOADED[name].decode(ours.encode(text), skip_special_tokens=False) == text


LOADED = {}


@pytest.mark.parametrize("name", patterns.PATTERNS)
@given(texts().map(settled))
def test_tokenizers_cuts_text_by_the_named_patterns_as_we_do(tmp_path, name, text):
    ours = Tokenizer(*TRAINED["cl100k_base"], [], pattern=patterns.PATTERNS[name])
    if name not in CUTTING:
        CUTTING[name] = exported(ours, tmp_path)
    assert ids_of(CUTTING[name], text) == ours.encode(text)


CUTTING = {}


def test_save_writes_it_too(tmp_path):
    ours = Tokenizer(VOCAB, MERGES, [END])
    ours.save(tmp_path)
    loaded = HuggingFace.from_file(str(tmp_path / "tokenizer.json"))
    assert ids_of(loaded, PROSE + END) == ours.encode(PROSE + END)
    assert Tokenizer.from_tokenizer_json(tmp_path / "tokenizer.json").definition == ours.definition


@st.composite
def tokenizers_of_any_bytes(draw):
    """Random merges of any bytes, ids in any order, special tokens in any script, one of several patterns."""
    tokens = single(bytes(range(256)))
    merges = []
    some = st.one_of(st.sampled_from(b"ab \n\xc3\xa9\xff\x00"), st.integers(0, 255))
    for _ in range(draw(st.integers(0, 25))):
        new = st.integers(256, max(256, len(tokens) - 1))
        pair = tuple(tokens[min(draw(st.one_of(some, new)), len(tokens) - 1)] for _ in range(2))
        if pair[0] + pair[1] not in tokens:
            tokens.append(pair[0] + pair[1])
            merges.append(pair)
    special = draw(
        st.one_of(st.sampled_from(SPECIAL_SETS), st.lists(st.text(min_size=1, max_size=4), unique=True, max_size=4))
    )
    assume(all(token.encode() not in tokens[256:] for token in special))
    if draw(st.booleans()):  # as training numbers them
        tokens[256:256] = [token.encode() for token in special if len(token.encode()) > 1]
        ids = list(range(len(tokens)))
    else:
        ids = draw(st.permutations(range(len(tokens))))
    pattern = draw(st.sampled_from([patterns.GPT2_PATTERN, CL100K, O200K]))
    return Tokenizer(dict(zip(ids, tokens)), merges, special, pattern=pattern, ignore_merges=draw(st.booleans()))


@given(tokenizers_of_any_bytes(), st.data())
@example(Tokenizer(BYTES, [], ["é"]), None)
@example(Tokenizer(BYTES | {256: b"abc"}, [], [], ignore_merges=True), None)
def test_any_tokenizer_there_and_back_gives_the_same_ids_or_an_error(tmp_path, ours, data):
    chunks = [token.decode(errors="ignore") for token in list(ours.vocab.values()) if len(token) > 1]
    text = settled(data.draw(texts(*ours.special_tokens, *chunks, max_size=12))) if data else "né abc abcd"
    try:
        loaded = exported(ours, tmp_path)
    except ValueError as error:
        assert "tokenizer.json can't hold the special token" in str(error)
        assert clashes(ours)
        return
    assert not clashes(ours)
    back = Tokenizer.from_tokenizer_json(tmp_path / "tokenizer.json")
    assert ids_of(loaded, text) == ours.encode(text) == back.encode(text)
    assert back.vocab == ours.vocab
    again = Tokenizer.from_tokenizer_json(written(loaded, tmp_path))
    assert again.encode(text) == ours.encode(text)


@given(tokenizers_of_any_bytes(), st.data())
def test_any_tokenizer_comes_back_from_its_folder(tmp_path, ours, data):
    chunks = [token.decode(errors="ignore") for token in ours.vocab.values() if len(token) > 1]
    text = data.draw(texts(*ours.special_tokens, *chunks, max_size=12))
    ours.save(tmp_path)
    loaded = Tokenizer.load(tmp_path)
    assert loaded.definition == ours.definition
    assert loaded.encode(text) == ours.encode(text)
    if not json.loads((tmp_path / "bpe_lib.json").read_text("utf-8"))["other_ids"]:
        two = Tokenizer.from_files(tmp_path / "vocab.json", tmp_path / "merges.txt", ours.special_tokens)
        assert (two.vocab, two.merges) == (ours.vocab, ours.merges)


def clashes(ours) -> bool:
    """Whether a special token is spelled like the printable form of other bytes that the tokenizer may use."""
    alphabet = dict(zip(sorted_alphabet(), range(256)))
    used = set(ours.vocab.values()) - {token.encode() for token in ours.special_tokens}
    for token in ours.special_tokens:
        if len(token.encode()) == 1 and ord(token) not in range(0x21, 0x7F):
            return True
        if set(token) <= set(alphabet):
            meant = bytes(alphabet[character] for character in token)
            if meant != token.encode() and (meant in used or ours.ignore_merges):
                return True
    return False


@pytest.mark.parametrize(
    ("special", "more", "message"),
    [
        ("é", {}, r"can't hold the special token 'é': b'\\xe9' is spelled like that there"),
        ("Ġt", {300: b" t"}, r"can't hold the special token 'Ġt': b' t' is spelled like that there"),
        ("\n", {}, r"can't hold the special token '\\n', which is an ordinary token too \(id 10\), spelled 'Ċ' there"),
        ("<e>", {300: b"x" * 3, 301: b"x" * 3}, r"can't hold two ids for the same bytes: b'xxx' has 300 and 301"),
    ],
)
def test_what_the_format_cannot_say_is_an_error_and_overwrites_nothing(special, more, message, tmp_path):
    ours = Tokenizer(BYTES | more, [], [special])
    (tmp_path / "tokenizer.json").write_text("old")
    with pytest.raises(ValueError, match=message):
        ours.to_tokenizer_json(tmp_path / "tokenizer.json")
    assert os.listdir(tmp_path) == ["tokenizer.json"]
    assert (tmp_path / "tokenizer.json").read_text() == "old"
    with pytest.warns(UserWarning, match=message):
        ours.save(tmp_path)
    assert not (tmp_path / "tokenizer.json").exists()  # it would be another tokenizer's
    assert Tokenizer.load(tmp_path).definition == ours.definition


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"\h+|[\s\S]", r"tokenizers reads the pattern .* differently"),
        (r"(?V1)[a-z--b]+|[\s\S]", r"tokenizers reads the pattern .* differently|tokenizers can't read the pattern"),
        (r"\s++$|[^\n]+$|[\s\S]", r"tokenizers reads the pattern .* differently"),
        (r"(?|(a)|b)|[\s\S]", r"tokenizers can't read the pattern"),
    ],
)
def test_a_pattern_that_tokenizers_reads_otherwise_is_an_error(pattern, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        Tokenizer(BYTES, [], pattern=pattern).to_tokenizer_json(tmp_path / "tokenizer.json")


# --- in ---


@pytest.mark.parametrize(
    ("pattern", "options"),
    [(None, {}), (LLAMA3, {"ignore_merges": True}), (QWEN, {}), (O200K, {}), (LLAMA3, {"unk_token": "<unk>"})],
    ids=["gpt2", "llama3", "qwen", "o200k", "unk"],
)
@given(texts(END, END[:4], "<tool>").map(settled))
def test_files_of_the_kinds_in_use_give_their_ids(tmp_path, pattern, options, text):
    key = (pattern, *options)
    if key not in READ:
        tool = AddedToken("<tool>", normalized=False, special=False)
        vocab = VOCAB | {max(VOCAB) + 1: b"naughty whole"[:7], max(VOCAB) + 2: " Wolken muß".encode()}
        built = theirs(vocab, MERGES, pattern, [END, tool], **options)
        begin = [(END, built.token_to_id(END))]
        built.post_processor = processors.TemplateProcessing(single=f"{END} $A", special_tokens=begin)
        READ[key] = built, Tokenizer.from_tokenizer_json(written(built, tmp_path))
    built, ours = READ[key]
    assert ours.encode(text) == ids_of(built, text)
    assert ours.decode(ours.encode(text)) == text
    assert ours.ignore_merges is bool(options.get("ignore_merges"))


READ = {}


def test_ignore_merges_takes_a_whole_pretoken(tmp_path):
    built = theirs(BYTES | {256: b" naughty"}, [], LLAMA3, [], ignore_merges=True)
    ours = Tokenizer.from_tokenizer_json(written(built, tmp_path))
    assert ours.encode("a naughty naughtyx") == [97, 256, *b" naughtyx"] == ids_of(built, "a naughty naughtyx")


def test_merges_written_as_one_string_and_twice(tmp_path):
    built = theirs(BYTES | {256: b"ab", 257: b"bc"}, [(b"a", b"b"), (b"b", b"c")], added=[])
    content = json.loads(built.to_str())
    content["model"]["merges"] = ["a b", "b c", "a b"]  # the last one counts there
    (tmp_path / "t.json").write_text(json.dumps(content))
    ours = Tokenizer.from_tokenizer_json(tmp_path / "t.json")
    assert ours.encode("abc") == HuggingFace.from_file(str(tmp_path / "t.json")).encode("abc").ids == [97, 257]


def test_a_normal_form_can_be_ignored_when_the_text_has_it(tmp_path):
    built = theirs(pattern=QWEN)
    built.normalizer = normalizers.NFC()
    path = written(built, tmp_path)
    with pytest.raises(ValueError, match=r"has the normalizer NFC, .*pass ignore_normalizer=True"):
        Tokenizer.from_tokenizer_json(path)
    ours = Tokenizer.from_tokenizer_json(path, ignore_normalizer=True)
    text = "e\u0301 cafe\u0301 " + PROSE
    assert ours.encode(unicodedata.normalize("NFC", text)) == ids_of(built, text)
    built.normalizer = normalizers.Lowercase()
    with pytest.raises(ValueError, match=r"has the normalizer Lowercase, which changes the text$"):
        Tokenizer.from_tokenizer_json(written(built, tmp_path), ignore_normalizer=True)
    built.normalizer = normalizers.Sequence([])
    assert Tokenizer.from_tokenizer_json(written(built, tmp_path)).encode(text) == ids_of(built, text)


@needs_gpt2
def test_gpt2_there_and_back(tmp_path):
    gpt2 = Tokenizer.from_files(GPT2_FOLDER / "vocab.json", GPT2_FOLDER / "merges.txt", [END])
    loaded = exported(gpt2, tmp_path)
    assert ids_of(loaded, PROSE + END) == gpt2.encode(PROSE + END)
    assert Tokenizer.from_tokenizer_json(tmp_path / "tokenizer.json").definition == gpt2.definition


# --- bad files ---

SPLIT = {"type": "Split", "pattern": {"Regex": QWEN}, "behavior": "Isolated", "invert": False}
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
ADDED = {"id": 450, "content": "<t>", "special": True, "normalized": False}
ADDED |= {"single_word": False, "lstrip": False, "rstrip": False}


def sequence(*steps):
    return {"pre_tokenizer": {"type": "Sequence", "pretokenizers": list(steps)}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": None}, r"there is no model in it: it is not a tokenizer\.json"),
        ({"model": {"type": "WordPiece", "vocab": {}}}, "its model is WordPiece, and only BPE can be read"),
        ({"model.byte_fallback": True}, "its model has byte_fallback True"),
        ({"model.dropout": 0.1}, r"its model has dropout 0\.1"),
        ({"model.continuing_subword_prefix": "##"}, "its model has continuing_subword_prefix '##'"),
        ({"model.end_of_word_suffix": "</w>"}, "its model has end_of_word_suffix '</w>'"),
        ({"normalizer": {"type": "Lowercase"}}, "it has the normalizer Lowercase"),
        ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]}}, "has the normalizer Sequence"),
        ({"truncation": {"max_length": 9, "strategy": "LongestFirst", "stride": 0}}, "it has truncation"),
        ({"padding": {"strategy": "BatchLongest"}}, "it has padding"),
        ({"decoder": {"type": "WordPiece"}}, "its decoder is WordPiece, and only ByteLevel"),
        ({"pre_tokenizer": None}, "its pre-tokenizer is None"),
        ({"pre_tokenizer": {"type": "Metaspace", "replacement": "▁"}}, "its pre-tokenizer is Metaspace"),
        (sequence(SPLIT, SPLIT, LEVEL), r"its pre-tokenizer is Split \+ Split \+ ByteLevel"),
        (sequence(SPLIT, LEVEL | {"use_regex": True}), "ByteLevel has use_regex after a Split"),
        (sequence(SPLIT, LEVEL | {"add_prefix_space": True}), "ByteLevel has add_prefix_space"),
        (sequence(SPLIT | {"behavior": "Removed"}, LEVEL), "Split has behavior Removed"),
        (sequence(SPLIT | {"pattern": {"String": " "}}, LEVEL), "has the pattern {'String': ' '}, which is no Regex"),
        (sequence(SPLIT | {"pattern": {"Regex": "("}}, LEVEL), "regex` can't read the pattern '\\('|can't read it"),
        (sequence(SPLIT | {"pattern": {"Regex": r"\p{N}{1,3}+|\D"}}, LEVEL), "tokenizers reads the pattern"),
        ({"added_tokens": [ADDED | {"lstrip": True}]}, "its added token '<t>' has lstrip"),
        ({"added_tokens": [ADDED | {"single_word": True}]}, "its added token '<t>' has single_word"),
        (
            {"added_tokens": [ADDED, ADDED | {"id": 451, "content": "t>x", "normalized": True}]},
            "'<t>' and 't>x' overlap",
        ),
        ({"added_tokens": [ADDED | {"content": "é"}]}, "its added token 'é' has id 233, which b'.xe9' has too"),
        ({"added_tokens": 3}, "this is not how the format is built"),
        ({"model.vocab": {"a": 0, "b": 0}}, "'b' has id 0; each token needs a whole number of its own"),
        ({"model.vocab": {"a": "0"}}, "'a' has id '0'; each token needs a whole number"),
        ({"model.vocab": {"▁the": 0}, "model.merges": []}, "'▁' in '▁the' is not one of the 256 characters"),
        (
            {"model.vocab": {"a": 0}, "model.merges": [], "model.unk_token": "a"},
            "unk_token 'a' and no token for byte 0x00",
        ),
        ({"model.merges": [["a"]]}, r"merge 0, \['a'\], is not two tokens|can't read it"),
        ({"model.merges": [["a", "✗"]]}, "'✗' in '✗' is not one of the 256|can't read it"),
        ({"model.merges": "ab"}, "merge 0, 'a', is not two tokens|can't read it"),
        ({"model.merges": None}, "this is not how the format is built|can't read it"),
    ],
)
def test_what_cannot_be_represented_is_named(changes, message, tmp_path):
    content = json.loads(theirs(added=[]).to_str())
    for key, value in changes.items():
        *path, last = key.split(".")
        place = content
        for name in path:
            place = place[name]
        place[last] = value
    path = tmp_path / "a folder.json"
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=rf"a folder\.json.*({message})"):
        Tokenizer.from_tokenizer_json(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not JSON"),
        (b'{"model": {"type": "BPE", "vocab": {"a": 0', "is not JSON"),
        (b"[" * 100_000, "is nested too deeply|is not JSON"),
        (b"[]", "holds a list, and should hold an object"),
        (b'{"model": {"vocab": {"a": 0, "a": 1}}}', "'a' is given twice"),
        (b'{"model": {"vocab": {"a": 1' + b"0" * 5000 + b"}}}", "limit"),
        (b"\x80\x04\x95", "byte 0 is not valid UTF-8"),
        (b"version https://git-lfs.github.com/spec/v1\n", "is not JSON"),
        (
            b'{"model": {"type": "BPE", "vocab": {}, "merges": []}, "pre_tokenizer": "x"}',
            "this is not how the format is built",
        ),
    ],
)
def test_files_that_are_broken_or_foreign(content, message, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"tokenizer\.json.*({message})"):
        Tokenizer.from_tokenizer_json(path)


@pytest.mark.parametrize("cut", [10, 1000, 5000, -1, -20])
def test_a_file_cut_short(cut, tmp_path):
    Tokenizer(VOCAB, MERGES, [END]).to_tokenizer_json(tmp_path / "tokenizer.json")
    data = (tmp_path / "tokenizer.json").read_bytes()
    (tmp_path / "tokenizer.json").write_bytes(data[:cut])
    with pytest.raises(ValueError, match=r"tokenizer\.json is not JSON"):
        Tokenizer.from_tokenizer_json(tmp_path / "tokenizer.json")


@pytest.mark.parametrize("name", ["tokenizer.json", "vocab.json", "merges.txt", "bpe_lib.json"])
def test_a_file_too_large_for_a_tokenizer_is_not_read(name, tmp_path):
    """Ten million entries take more than the limit. The file is sparse."""
    Tokenizer(VOCAB, MERGES, [END]).save(tmp_path)
    os.truncate(tmp_path / name, 10_000_000 * len('"a":1234567,') + files.MAX_BYTES)
    with pytest.raises(ValueError, match=rf"{name} has over 100,000,000 bytes, far more than a tokenizer takes"):
        Tokenizer.from_tokenizer_json(tmp_path / name) if name == "tokenizer.json" else Tokenizer.load(tmp_path)


@pytest.mark.parametrize("slow", [r"(?:(?:\w|[\s\S])+)+\b\B|[\s\S]", "(?R)"])
def test_a_pattern_that_takes_forever_is_refused(slow, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SECONDS", 0.1)
    content = json.loads(theirs(added=[]).to_str())
    content |= sequence(SPLIT | {"pattern": {"Regex": slow}}, LEVEL)
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    message = r"tokenizer\.json: the pattern .* takes over 0\.1 seconds, or .* for \d+ characters: it is not used"
    with pytest.raises(ValueError, match=message):
        Tokenizer.from_tokenizer_json(tmp_path / "tokenizer.json")


def test_the_file_is_read_once(tmp_path, monkeypatch):
    read, original = [], files.read_bytes
    monkeypatch.setattr(files, "read_bytes", lambda path: read.append(path) or original(path))
    Tokenizer(VOCAB, MERGES, [END]).to_tokenizer_json(tmp_path / "tokenizer.json")
    Tokenizer.from_tokenizer_json(tmp_path / "tokenizer.json")
    assert read == [tmp_path / "tokenizer.json"]


def test_thousands_of_added_tokens_of_both_kinds_are_refused(tmp_path):
    added = [AddedToken(f"<{kind}{i}>", normalized=kind == "n") for kind in "on" for i in range(2000)]
    (tmp_path / "many.json").write_text(theirs(added=added).to_str(), encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"many\.json: it has 2000 added tokens that are not .* 2000 that are, too many"
    ):
        Tokenizer.from_tokenizer_json(tmp_path / "many.json")


def test_paths_into_nowhere(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Tokenizer.from_tokenizer_json(tmp_path / "nowhere.json")
    with pytest.raises(IsADirectoryError):
        Tokenizer.from_tokenizer_json(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere' to write to: make it first"):
        Tokenizer(BYTES, []).to_tokenizer_json(tmp_path / "nowhere" / "tokenizer.json")
    with pytest.raises(IsADirectoryError, match="is a folder: give the name of a file"):
        Tokenizer(BYTES, []).to_tokenizer_json(tmp_path)
    assert os.listdir(tmp_path) == []
