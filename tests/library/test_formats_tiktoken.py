"""tiktoken's encodings and files of ranks, against tiktoken."""

import base64
import itertools
import pickle

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from test_formats_huggingface import TRAINED, tokenizers_of_any_bytes

from bpe_lib import GPT2_PATTERN, Tokenizer, patterns
from bpe_lib.formats.ranks import recover_merges
from oracles import GPT2_FOLDER, PROSE, brute_force_train, settled, single, texts, tiktoken_encoding

END = "<|endoftext|>"
BYTES = dict(enumerate(single(bytes(range(256)))))
RANKS = {token: id_ for id_, token in BYTES.items()}

needs_gpt2 = pytest.mark.skipif(not (GPT2_FOLDER / "vocab.json").exists(), reason="GPT-2's files are not there")


def write_ranks(path, ranks):
    lines = [base64.b64encode(token) + b" %d" % rank for token, rank in ranks.items()]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


# --- merges from ranks ---


@pytest.mark.parametrize("name", TRAINED)
def test_merges_are_recovered_from_ranks(name):
    vocab, merges = TRAINED[name]
    ranks = {token: id_ for id_, token in vocab.items() if token != END.encode()}
    assert recover_merges(ranks) == (merges, [])


@given(st.lists(st.text("ab", min_size=2, max_size=5).map(str.encode), unique=True, max_size=12), st.data())
def test_any_ranks_give_tiktokens_ids(tokens, data):
    """Tokens that nothing makes, or that are made of tokens of higher rank, are used by tiktoken in its own way."""
    encoding = tiktoken_encoding(BYTES | {256 + i: token for i, token in enumerate(tokens)}, [], r"\s+|\S+")
    ours = Tokenizer.from_tiktoken(encoding)
    for text in data.draw(st.lists(st.text("ab ", max_size=14), min_size=5, max_size=5)):
        assert ours.encode(text) == encoding.encode(text)


def test_all_short_texts_under_a_few_odd_ranks():
    for tokens in ([b"aaa", b"aa"], [b"bb", b"abb", b"ab"], [b"aba", b"ba", b"ab", b"baab"], [b"abab"]):
        encoding = tiktoken_encoding(BYTES | {256 + i: token for i, token in enumerate(tokens)}, [], ".+")
        ours = Tokenizer.from_tiktoken(encoding)
        for length in range(1, 9):
            for letters in itertools.product("ab", repeat=length):
                assert ours.encode("".join(letters)) == encoding.encode("".join(letters))


# --- out and in ---


@pytest.mark.parametrize("name", TRAINED)
@given(texts(END, END[:4]).map(settled))
def test_our_encoding_gives_our_ids(name, text):
    ours, encoding = PAIRS[name]
    assert encoding.encode(text, allowed_special="all") == ours.encode(text)
    assert encoding.encode_ordinary(text) == ours.encode_ordinary(text)
    assert encoding.decode(ours.encode(text)) == text


def pair(name):
    pattern = GPT2_PATTERN if name == "gpt2" else patterns.PATTERNS[name]
    ours = Tokenizer(*TRAINED[name], [END], pattern=pattern)
    return ours, ours.to_tiktoken(name)


PAIRS = {name: pair(name) for name in TRAINED}


@pytest.mark.parametrize("name", TRAINED)
def test_there_and_back(name, tmp_path):
    ours, encoding = PAIRS[name]
    assert Tokenizer.from_tiktoken(encoding).definition == ours.definition
    path = write_ranks(tmp_path / "some.tiktoken", encoding._mergeable_ranks)
    loaded = Tokenizer.from_tiktoken(path, pattern=ours.pattern, special_tokens={END: 256})
    assert loaded.definition == ours.definition
    assert encoding.name == name


@given(tokenizers_of_any_bytes(), st.data())
def test_any_tokenizer_gives_the_same_ids_or_an_error(tmp_path, ours, data):
    chunks = [token.decode(errors="ignore") for token in ours.vocab.values() if len(token) > 1]
    text = settled(data.draw(texts(*ours.special_tokens, *chunks, max_size=10)))
    try:
        encoding = ours.to_tiktoken()
    except ValueError as error:
        assert str(error).startswith("tiktoken ")
        return
    assert encoding.encode(text, allowed_special="all") == ours.encode(text)
    assert encoding.encode_ordinary(text) == ours.encode_ordinary(text)
    back = Tokenizer.from_tiktoken(encoding)
    assert back.vocab == ours.vocab
    assert back.encode(text) == ours.encode(text)
    path = write_ranks(tmp_path / "some.tiktoken", encoding._mergeable_ranks)
    loaded = Tokenizer.from_tiktoken(path, pattern=ours.pattern, special_tokens=encoding._special_tokens)
    assert loaded.definition == back.definition


@given(st.text(min_size=1, max_size=60), st.lists(st.text(min_size=2, max_size=5), max_size=3, unique=True), st.data())
def test_what_is_trained_can_always_be_said(text, special, data):
    special = [token for token in special if not any(token != other and other.startswith(token) for other in special)]
    ours = Tokenizer(*brute_force_train(text * 2, 275 + len(special), special), special)
    some = settled(data.draw(texts(text, *special, max_size=8)))
    assert ours.to_tiktoken().encode(some, allowed_special="all") == ours.encode(some)


@needs_gpt2
def test_gpt2_there_and_back(tmp_path):
    gpt2 = Tokenizer.from_files(GPT2_FOLDER / "vocab.json", GPT2_FOLDER / "merges.txt", [END])
    encoding = gpt2.to_tiktoken("gpt2")
    assert encoding.encode(PROSE + END, allowed_special={END}) == gpt2.encode(PROSE + END)
    original = tiktoken.Encoding(
        "gpt2",
        pat_str=r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s""",
        mergeable_ranks=encoding._mergeable_ranks,
        special_tokens={END: 50256},
    )
    assert Tokenizer.from_tiktoken(original).definition == gpt2.definition


def test_single_bytes_and_merged_tokens_as_special_tokens():
    ours = Tokenizer(BYTES | {256: b"the", 257: b"th", 258: b"the"}, [(b"t", b"h"), (b"th", b"e")], ["#", "the"])
    encoding = ours.to_tiktoken()
    assert encoding.encode("#the", allowed_special="all") == ours.encode("#the") == [35, 256]
    assert encoding.encode_ordinary("#the") == ours.encode_ordinary("#the") == [35, 258]
    assert Tokenizer.from_tiktoken(encoding).encode("#the") == [35, 256]


@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [
        (Tokenizer({97: b"a"}, []), r"tiktoken needs a token for each of the 256 bytes, and b'\\x00' has none"),
        (Tokenizer(BYTES | {256: b"xyz"}, []), r"would use the token b'xyz' \(id 256\), which no merge makes"),
        (Tokenizer(BYTES | {256: b"xy", 257: b"xy"}, []), "can't hold two ids for the same bytes: b'xy'"),
        (
            Tokenizer(BYTES | {257: b"ab", 256: b"cd"}, [(b"a", b"b"), (b"c", b"d")]),
            r"merges in the order of ids, and would merge \(b'c', b'd'\) before \(b'a', b'b'\)",
        ),
        (
            Tokenizer(BYTES | {256: b"xy", 257: b"xyz"}, [(b"x", b"y")], ignore_merges=True),
            r"tiktoken would merge \(b'xy', b'z'\), which is none of the merges",
        ),
        (Tokenizer(BYTES, [], ["<e>", "<e>x"]), "can't tell the special token '<e>' from '<e>x'"),
        (Tokenizer(BYTES, [], pattern=r"(?|(a)|b)|(?s:.)"), "tiktoken can't read the pattern"),
        (
            Tokenizer(BYTES, [], pattern=r"\A(?:\s|\S)*(?:\s|\S)*(?:\s|\S)*(?=\x00)(?!\x00)|[\s\S]"),
            "tiktoken can't read the pattern .*Backtrack",  # its panic is no Exception
        ),
        (Tokenizer(BYTES, [], pattern=r"[ab](?r:c)|.|\s"), "tiktoken (can't read|reads) the pattern"),
    ],
)
def test_what_tiktoken_cannot_say_is_an_error(tokenizer, message):
    with pytest.raises(ValueError, match=message):
        tokenizer.to_tiktoken()


# --- bad ranks ---


def without(token):
    return {other: rank for other, rank in RANKS.items() if other != token}


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        (RANKS | {b"ab": 257}, r"no token has rank 256, though there are higher ones: the file is not whole"),
        (RANKS | {b"ab": 255}, r"b'ab' has rank 255; each token needs a rank of its own"),
        (RANKS | {b"ab": -1}, r"b'ab' has rank -1; each token needs a rank of its own, 0 or more"),
        (without(b"q") | {b"ab": RANKS[b"q"]}, r"needs a token for each of the 256 bytes, and b'q' has none"),
        (RANKS | {b"ab": 10**12}, "no token has rank 256"),
    ],
)
def test_ranks_that_are_wrong(ranks, message, tmp_path):
    path = write_ranks(tmp_path / "some.tiktoken", ranks)
    with pytest.raises(ValueError, match=rf"some\.tiktoken.*{message}"):
        Tokenizer.from_tiktoken(path, pattern=GPT2_PATTERN)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (b"YWI=", "Error parsing line b'YWI='"),
        (b"YWI= two", "Error parsing line"),
        (b"YWI 256", "Error parsing line"),
        (b"YWI= 256 257", "Error parsing line"),
        (pickle.dumps({b"ab": 256}), "Error parsing line"),
        (b"YQ== 97", "a token is given twice"),
        (b"YQ== 256", "a token is given twice"),
    ],
)
def test_lines_that_are_wrong(more, message, tmp_path):
    path = write_ranks(tmp_path / "some.tiktoken", RANKS)
    path.write_bytes(path.read_bytes() + more)
    with pytest.raises(ValueError, match=message):
        Tokenizer.from_tiktoken(path, pattern=GPT2_PATTERN)


def test_a_file_that_changed_is_read_again(tmp_path):
    """tiktoken keeps what it read from a path, and would give it back."""
    path = write_ranks(tmp_path / "some.tiktoken", RANKS | {b"ab": 256})
    assert Tokenizer.from_tiktoken(path, pattern=GPT2_PATTERN).encode("abc") == [256, 99]
    write_ranks(path, RANKS | {b"bc": 256})
    assert Tokenizer.from_tiktoken(path, pattern=GPT2_PATTERN).encode("abc") == [97, 256]


def test_arguments_that_are_wrong(tmp_path):
    path = write_ranks(tmp_path / "some.tiktoken", RANKS)
    with pytest.raises(ValueError, match=r"does not say how text is cut: pass pattern=.*PATTERNS"):
        Tokenizer.from_tiktoken(path)
    with pytest.raises(ValueError, match="an Encoding has its own pattern and special tokens: pass it alone"):
        Tokenizer.from_tiktoken(PAIRS["gpt2"][1], pattern=GPT2_PATTERN)
    with pytest.raises(ValueError, match=r"the package `regex` can't read the pattern '\('"):
        Tokenizer.from_tiktoken(path, pattern="(")
    with pytest.raises(ValueError, match="special token '<e>' has id 97, which is the rank of b'a'"):
        Tokenizer.from_tiktoken(path, pattern=GPT2_PATTERN, special_tokens={"<e>": 97})
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Tokenizer.from_tiktoken(tmp_path / "nowhere", pattern=GPT2_PATTERN)
