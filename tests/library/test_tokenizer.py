import pickle
import random
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_lib import Tokenizer, encoding, tokenizer
from bpe_lib.fast import bulk
from oracles import (
    CL100K,
    GPT2_FOLDER,
    O200K,
    PATTERNS,
    PROSE,
    SPECIAL_SETS,
    brute_force_encode,
    brute_force_train,
    settled,
    single,
    texts,
    texts_with_special_tokens,
    tiktoken_encoding,
)

END = "<|endoftext|>"
TRAINED = {
    name: brute_force_train(PROSE + "aaaa bbbb ^^^^ \n\n\n\n" * 9, 450, [END], PATTERNS[name]) for name in PATTERNS
}
VOCAB, MERGES = TRAINED["gpt2"]
BYTES = dict(enumerate(single(bytes(range(256)))))

needs_gpt2 = pytest.mark.skipif(not (GPT2_FOLDER / "vocab.json").exists(), reason="GPT-2's files are not there")


@pytest.fixture(scope="module")
def ours():
    return Tokenizer(VOCAB, MERGES, [END])


@pytest.fixture(scope="module")
def gpt2():
    return Tokenizer.from_files(GPT2_FOLDER / "vocab.json", GPT2_FOLDER / "merges.txt", [END])


@pytest.fixture(params=["short texts", "long texts"])
def either_path(request, monkeypatch):
    """Long texts may take another way through the encoder; let short ones take it too."""
    if request.param == "long texts":
        monkeypatch.setattr(tokenizer, "LONG_TEXT", 0)


# --- encode ---


def test_the_cat_ate():
    vocab = dict(enumerate([b" ", b"a", b"c", b"e", b"h", b"t", b"th", b" c", b" a", b"the", b" at"]))
    merges = [(b"t", b"h"), (b" ", b"c"), (b" ", b"a"), (b"th", b"e"), (b" a", b"t")]
    cat = Tokenizer(vocab, merges)
    assert cat.encode("the cat ate") == [9, 7, 1, 5, 10, 3]
    assert cat.decode([9, 7, 1, 5, 10, 3]) == "the cat ate"


@pytest.mark.parametrize(
    ("merges", "text", "right"),
    [
        ([("h", "e"), ("t", "h")], "the", ["t", "he"]),
        ([("t", "h"), ("h", "e")], "the", ["th", "e"]),
        ([("a", "a")], "aaa", ["aa", "a"]),
        ([("a", "b")], "abab", ["ab", "ab"]),
        ([("a", "b"), ("ab", "ab")], "ababab", ["abab", "ab"]),
        ([("b", "c"), ("a", "b")], "ab bc", ["ab", " ", "bc"]),
        ([("\n", " ")], "a\n b", ["a", "\n", " ", "b"]),
    ],
)
def test_lowest_rank_first_from_left_to_right_inside_pretokens(merges, text, right, either_path):
    pairs = [(left.encode(), second.encode()) for left, second in merges]
    vocab = BYTES | {256 + i: left + second for i, (left, second) in enumerate(pairs)}
    small = Tokenizer(vocab, pairs)
    assert [vocab[id_].decode() for id_ in small.encode(text)] == right


def test_entries_that_no_merge_builds_are_not_used(either_path):
    vocab = BYTES | {256: b"abc", 257: b"ab", 258: b"hello"}
    assert Tokenizer(vocab, [(b"a", b"b")]).encode("abchello") == [257, *b"chello"]


@given(texts_with_special_tokens(max_size=15), st.sampled_from(sorted(PATTERNS)))
@example(("a---b", ["--"]), "gpt2")
@example(("<e>x<e><e>", ["<e>", "<e>x<e>"]), "gpt2")
def test_equals_replaying_the_merges(either_path, text_and_tokens, name):
    text, tokens = text_and_tokens
    vocab, merges = TRAINED[name]
    some = Tokenizer(vocab, merges, tokens, **({} if name == "gpt2" else {"pattern": PATTERNS[name]}))
    ids = some.encode(text)
    assert ids == brute_force_encode(text, some.vocab, merges, tokens, PATTERNS[name])
    assert all(type(id_) is int for id_ in ids)
    assert some.encode_ordinary(text) == brute_force_encode(text, vocab, merges, [], PATTERNS[name])
    assert some.decode(ids) == text == some.decode(some.encode_ordinary(text))


@pytest.mark.parametrize("name", PATTERNS)
@given(texts(END, END[:4]).map(settled))
def test_equals_tiktoken_with_our_ranks(either_path, name, text):
    vocab, merges = TRAINED[name]
    some = Tokenizer(vocab, merges, [END], **({} if name == "gpt2" else {"pattern": PATTERNS[name]}))
    theirs = ENCODINGS[name]
    assert some.encode(text) == theirs.encode(text, allowed_special={END})
    assert some.encode_ordinary(text) == theirs.encode_ordinary(text)


ENCODINGS = {name: tiktoken_encoding(TRAINED[name][0], [END], PATTERNS[name]) for name in PATTERNS}


@needs_gpt2
@given(texts(END, END[:4]).map(settled))
def test_equals_tiktoken_with_gpt2s_ranks(either_path, gpt2, text):
    theirs = tiktoken_gpt2(gpt2)
    assert gpt2.encode(text) == theirs.encode(text, allowed_special={END})
    assert gpt2.encode_ordinary(text) == theirs.encode_ordinary(text)


def tiktoken_gpt2(gpt2, kept={}):  # noqa: B006  made once
    """tiktoken with GPT-2's ranks: single bytes first in its order, which is the order of ids."""
    if not kept:
        kept[0] = tiktoken_encoding(gpt2.vocab, [END])
    return kept[0]


@needs_gpt2
def test_gpt2s_own_ids(gpt2):
    """Ids that OpenAI published or that can be read off vocab.json."""
    assert gpt2.encode("Hello world<|endoftext|>") == [15496, 995, 50256]
    assert len(gpt2.vocab) == 50257
    assert len(gpt2.merges) == 50000


LETTERS = random.Random(7)
LONG = {
    "letter": "a" * 100_000,
    "caret": "^" * 100_000,
    "newline": "\n" * 100_000,
    "e acute": "é" * 100_000,
    "space": " " * 100_000,
    "ab": "ab" * 100_000,
    "random word": "".join(LETTERS.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(60_000)),
    "spaces and a word": " " * 100_000 + "a",
    "apostrophes": "'" * 100_000,
    "digits": "7" * 100_000,
}


@pytest.mark.parametrize("name", LONG)
def test_long_inputs(name, ours):
    text = LONG[name]
    right = ENCODINGS["gpt2"].encode_ordinary(text)
    assert ours.encode(text) == right
    assert ours.encode_ordinary(text) == right
    assert list(ours.encode_iterable([text[:777], text[777:]])) == right


@pytest.mark.parametrize("name", [CL100K, O200K])
def test_long_inputs_under_other_patterns(name):
    which = "cl100k_base" if name == CL100K else "o200k_base"
    vocab, merges = TRAINED[which]
    text = "a" * 50_000 + " " + "^" * 50_000 + "ab" * 10_000
    assert Tokenizer(vocab, merges, pattern=name).encode(text) == ENCODINGS[which].encode_ordinary(text)


def test_an_empty_text_has_no_ids(ours, either_path):
    assert ours.encode("") == ours.encode_ordinary("") == []


def test_a_text_of_more_than_a_megabyte(ours):
    text = (PROSE + END) * 1500
    assert ours.encode(text) == ENCODINGS["gpt2"].encode(text, allowed_special={END})


@given(texts_with_special_tokens(max_size=40), st.integers(1, 60), st.integers(2, 80), st.sampled_from([1, 7, 250_000]))
def test_long_texts_in_blocks_of_every_size(text_and_tokens, block, long_pretoken, cache_size):
    text, tokens = text_and_tokens
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk, "BLOCK", block)
        patch.setattr(bulk, "LONG_PRETOKEN", long_pretoken)
        patch.setattr(tokenizer, "CACHE_SIZE", cache_size)
        short = Tokenizer(VOCAB, MERGES, tokens)
        ids, ordinary = short.encode(text), short.encode_ordinary(text)
        patch.setattr(tokenizer, "LONG_TEXT", 0)
        long = Tokenizer(VOCAB, MERGES, tokens)
        for _ in range(2):
            assert long.encode(text) == ids
            assert long.encode_ordinary(text) == ordinary


def test_encoding_twice_gives_the_same_ids(ours, either_path):
    first = ours.encode(PROSE)
    first_copy = list(first)
    first.clear()
    assert ours.encode(PROSE) == first_copy


def test_ids_with_gaps_and_in_any_order(either_path):
    vocab = {1000 - byte * 3: bytes([byte]) for byte in range(256)} | {5: b"ab", 4: b"abab"}
    assert Tokenizer(vocab, [(b"a", b"b"), (b"ab", b"ab")]).encode("ababab") == [4, 5]


def test_merges_listed_after_those_they_build_on(either_path):
    vocab = BYTES | {256: b"abc", 257: b"ab"}
    merges = [(b"ab", b"c"), (b"a", b"b")]
    assert Tokenizer(vocab, merges).encode("abc ab") == brute_force_encode_by_rank("abc ab", vocab, merges)


def brute_force_encode_by_rank(text, vocab, merges):
    """Lowest rank first, looked for anew after each merge."""
    id_of = {token: id_ for id_, token in vocab.items()}
    ids = []
    for pretoken in [text.split(" ")[0].encode(), *(b" " + word.encode() for word in text.split(" ")[1:])]:
        tokens = single(pretoken)
        while found := [pair for pair in merges if pair in list(zip(tokens, tokens[1:]))]:
            at = list(zip(tokens, tokens[1:])).index(found[0])
            tokens[at : at + 2] = [tokens[at] + tokens[at + 1]]
        ids += [id_of[token] for token in tokens]
    return ids


def test_equal_bytes_made_by_two_merges(either_path):
    """Either pair merges; the lower id stands for both, and both decode."""
    merges = [(b"a", b"b"), (b"ab", b"c"), (b"b", b"c"), (b"a", b"bc"), (b"x", b"abc")]
    vocab = BYTES | {256 + i: left + right for i, (left, right) in enumerate(merges)}
    some = Tokenizer(vocab, merges)
    assert vocab[257] == vocab[259] == b"abc"
    assert some.encode("abc") == [257]
    assert some.encode("xabc") == [260]
    assert some.decode([257, 259]) == "abcabc"


# --- special tokens ---


@pytest.mark.parametrize(
    ("text", "tokens", "right"),
    [
        ("a<e>b", ["<e>"], ["a", "<e>", "b"]),
        ("a<e>x<e>b", ["<e>", "<e>x<e>"], ["a", "<e>x<e>", "b"]),
        ("a<e>x<e", ["<e>", "<e>x<e>"], ["a", "<e>", "x", "<", "e"]),
        ("---", ["--"], ["--", "-"]),
        ("a | b", ["|"], ["a", " ", "|", " ", "b"]),
        ("<e><e>", ["<e>"], ["<e>", "<e>"]),
        ("né", ["é"], ["n", "é"]),
        ("x 🙃 y", ["🙃 "], ["x", " ", "🙃 ", "y"]),
    ],
)
def test_special_tokens_are_found_literally_the_longest_first(text, tokens, right, either_path):
    some = Tokenizer(BYTES, [], tokens)
    assert [some.vocab[id_].decode() for id_ in some.encode(text)] == right


def test_encode_ordinary_reads_special_tokens_as_text(ours, either_path):
    id_ = ours.encode(END)[0]
    assert ours.encode(END) == [id_]
    assert id_ not in ours.encode_ordinary(f"a{END}b{END}")
    assert ours.decode(ours.encode_ordinary(f"a{END}b")) == f"a{END}b"


def test_the_docs_warn_of_text_from_outside():
    assert "encode_ordinary" in Tokenizer.__doc__
    assert "text from outside" in Tokenizer.encode_ordinary.__doc__


def test_missing_special_tokens_get_ids_above_the_highest_in_the_order_given():
    vocab = {3: b"a", 10: b"b"}
    some = Tokenizer(vocab, [], ["<z>", "b", "<y>", "<z>"])
    assert some.vocab == {3: b"a", 10: b"b", 11: b"<z>", 12: b"<y>"}
    assert some.special_tokens == ["<z>", "b", "<y>"]
    assert some.encode("a<y>b<z>") == [3, 12, 10, 11]


def test_the_callers_vocabulary_and_lists_are_not_changed():
    vocab, merges, tokens = {3: b"a", 10: b"b", 11: b"ab"}, [(b"a", b"b")], ["<z>"]
    some = Tokenizer(vocab, merges, tokens)
    some.encode("abab<z>")
    assert (vocab, merges, tokens) == ({3: b"a", 10: b"b", 11: b"ab"}, [(b"a", b"b")], ["<z>"])


def test_later_changes_of_the_callers_vocabulary_do_no_harm():
    vocab, tokens = {3: b"a"}, ["<z>"]
    some = Tokenizer(vocab, [], tokens)
    vocab.clear()
    tokens.clear()
    assert some.encode("a<z>") == [3, 4]


def test_a_special_token_that_is_an_ordinary_token_too(either_path):
    """Trained with `the` as special token, and a merge that makes `the` from text it was not cut out of."""
    vocab = BYTES | {256: b"the", 257: b"th", 258: b"the"}
    some = Tokenizer(vocab, [(b"t", b"h"), (b"th", b"e")], ["the"])
    assert some.encode("the") == [256]
    assert some.encode_ordinary("the") == [258]


def test_a_single_byte_as_special_token_keeps_its_id(either_path):
    some = Tokenizer(BYTES | {256: b"a#"}, [(b"a", b"#")], ["#"])
    assert some.encode("a#") == [97, 35]
    assert some.encode_ordinary("a!#") == [97, 33, 35]


@pytest.mark.parametrize("tokens", SPECIAL_SETS)
def test_attributes(tokens):
    some = Tokenizer(VOCAB, [list(pair) for pair in MERGES], tokens, pattern=CL100K)
    assert some.merges == MERGES
    assert some.special_tokens == tokens
    assert some.pattern == CL100K
    assert set(VOCAB.items()) <= set(some.vocab.items())


# --- decode ---


def test_decode_joins_bytes_first(ours):
    assert ours.decode("🙃".encode()) == "🙃"
    assert ours.decode([0xF0, 0x9F, 0x99]) + ours.decode([0x83]) == "\ufffd\ufffd"
    assert ours.decode([0xFF]) == "\ufffd"


@given(st.lists(st.integers(0, len(VOCAB) - 1), max_size=30))
def test_decode_equals_the_codec_and_decode_bytes_loses_nothing(ids):
    some = Tokenizer(VOCAB, MERGES, [END])
    data = b"".join(VOCAB[id_] for id_ in ids)
    assert some.decode_bytes(ids) == data
    assert some.decode(ids) == data.decode("utf-8", errors="replace")


def test_decode_takes_any_iterable_and_numpys_numbers(ours):
    import numpy as np

    ids = ours.encode(PROSE)
    assert ours.decode(iter(ids)) == ours.decode(tuple(ids)) == ours.decode(np.array(ids, np.uint16)) == PROSE
    assert ours.decode([]) == ""


@pytest.mark.parametrize("id_", [-1, 100_000, "7"])
def test_an_unknown_id_is_an_error_that_names_it(id_, ours):
    for decode in (ours.decode, ours.decode_bytes):
        with pytest.raises(ValueError, match=rf"id {id_!r} is not in the vocabulary of {len(VOCAB):,} ids"):
            decode([65, id_])


# --- vocabularies ---


def test_a_small_vocabulary_and_a_byte_that_it_lacks(either_path):
    some = Tokenizer({0: b"a", 1: b"b", 2: b"ab"}, [(b"a", b"b")])
    assert some.encode("abba") == [2, 1, 0]
    with pytest.raises(ValueError, match="no token for byte b'c', which the text needs"):
        some.encode("abc")
    with pytest.raises(ValueError, match=r"no token for byte b'\\xc3'"):
        some.encode_ordinary("é")
    assert some.encode("abba") == [2, 1, 0]


def test_an_empty_vocabulary_encodes_nothing_but_special_tokens():
    some = Tokenizer({}, [], ["<e>"])
    assert some.encode("<e><e>") == [0, 0]


@pytest.mark.parametrize(
    ("vocab", "lacks"), [({0: b"a", 1: b"b"}, "b'ab'"), ({0: b"a", 2: b"ab"}, "b'b'"), ({1: b"b"}, "b'a'")]
)
def test_a_merge_that_the_vocabulary_cant_hold_is_an_error_at_once(vocab, lacks):
    with pytest.raises(ValueError, match=rf"merge 0, b'a' \+ b'b', needs {lacks}, which the vocabulary lacks"):
        Tokenizer(vocab, [(b"a", b"b")])


def test_an_empty_special_token_is_an_error():
    with pytest.raises(ValueError, match="a special token is empty"):
        Tokenizer(BYTES, [], ["<e>", ""])


def test_one_string_for_the_list_of_special_tokens_is_an_error():
    with pytest.raises(TypeError, match=r"special_tokens is a list of strings, such as \['<e>'\], not one string"):
        Tokenizer(BYTES, [], "<e>")


def test_an_invalid_pattern_is_an_error():
    with pytest.raises(ValueError, match="package `regex` can't read the pattern"):
        Tokenizer(BYTES, [], pattern="(a")


def test_text_that_the_pattern_leaves_unmatched_is_an_error():
    with pytest.raises(ValueError, match=r"does not match '!' at character 2, and text must not be lost"):
        Tokenizer(BYTES, [], pattern=r"\w+").encode("ab!")


@pytest.mark.parametrize("text", ["\ud800", "ab \udfff", "a\ud83d b"])
def test_a_lone_surrogate_is_an_error(text, ours, either_path):
    for encode in (ours.encode, ours.encode_ordinary, lambda text: list(ours.encode_iterable([text]))):
        with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
            encode(text)


# --- memory and copies ---


@pytest.mark.parametrize("tokens", [[], [END]])
def test_what_is_remembered_between_calls_is_bounded(tokens, monkeypatch):
    monkeypatch.setattr(tokenizer, "CACHE_SIZE", 100)
    some = Tokenizer(VOCAB, MERGES, tokens)
    text = " ".join(f"w{i}" for i in range(500))
    some.encode(text)
    tracemalloc.start()
    try:
        for encode in (some.encode, some.encode_ordinary):
            for start in range(0, 5_000, 500):
                encode(" ".join(f"v{i}" for i in range(start, start + 500)))
        left = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert left < 100_000


def test_at_most_250_000_pieces_are_remembered():
    assert tokenizer.CACHE_SIZE + tokenizer.BULK_CACHE_SIZE <= 250_000


def test_a_tokenizer_can_be_sent_to_another_process(ours):
    copy = pickle.loads(pickle.dumps(ours))
    assert copy.encode(PROSE + END) == ours.encode(PROSE + END)


def test_what_it_prints_says_what_it_is(ours):
    assert repr(ours) == f"Tokenizer({len(VOCAB):,} ids, {len(MERGES):,} merges, special tokens ['<|endoftext|>'])"


def test_an_id_below_zero_is_an_error():
    with pytest.raises(ValueError, match="id -1 is below 0"):
        Tokenizer({-1: b"a", 0: b"b"}, [])


def test_special_tokens_may_come_from_a_generator_and_not_from_a_set():
    tokenizer_ = Tokenizer({97: b"a"}, [], (token for token in ["<e>", "<f>"]))
    assert tokenizer_.encode("<f>a<e>") == [99, 97, 98]
    with pytest.raises(TypeError, match="a set, which has no order"):
        Tokenizer({97: b"a"}, [], {"<e>", "<f>"})


def test_ids_over_32_bits_and_empty_halves_of_merges_are_errors():
    with pytest.raises(ValueError, match="above 2\\*\\*32 - 1"):
        Tokenizer({1 << 32: b"a"}, [])
    with pytest.raises(ValueError, match="has an empty half"):
        Tokenizer({0: b"", 97: b"a"}, [(b"", b"a")])


def test_threads_may_share_a_tokenizer(ours):
    texts = [" ".join(f"{word}{i}" for word in PROSE.split()) * 40 for i in range(12)]
    assert all(len(text) > tokenizer.LONG_TEXT for text in texts)
    wanted = [pickle.loads(pickle.dumps(ours)).encode(text) for text in texts]
    shared = pickle.loads(pickle.dumps(ours))
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(shared.encode, texts)) == wanted
    assert [shared.encode(text) for text in texts] == wanted


def test_long_texts_after_everything_was_forgotten(ours, monkeypatch):
    monkeypatch.setattr(tokenizer, "BULK_CACHE_SIZE", 3)
    monkeypatch.setattr(tokenizer, "LONG_TEXT", 0)
    monkeypatch.setattr(bulk, "BLOCK", 40)
    monkeypatch.setattr(bulk, "SLOT_BITS", 2)
    forgetful = pickle.loads(pickle.dumps(ours))
    text = (PROSE + END) * 2 + "other words " * 5
    ids = forgetful.encode(text)
    monkeypatch.setattr(tokenizer, "LONG_TEXT", 1 << 30)
    assert ids == ours.encode(text)


def test_a_long_text_leaves_a_bounded_number_of_pieces_behind(ours, monkeypatch):
    monkeypatch.setattr(tokenizer, "BULK_CACHE_SIZE", 100)
    some = pickle.loads(pickle.dumps(ours))
    some.encode(" ".join(f"w{i}" for i in range(tokenizer.LONG_TEXT)))
    assert len(some._bulk.known) <= 100


def test_a_pretoken_larger_than_all_that_may_be_remembered_is_not_remembered():
    calls = []
    cache = encoding.PretokenCache(lambda pretoken: calls.append(pretoken) or (0,) * len(pretoken), 2)
    assert cache[b"a" * 1000] == (0,) * 1000 == cache[b"a" * 1000]
    assert len(calls) == 2
    assert len(cache) == 0
