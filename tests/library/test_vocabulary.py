import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_lib.vocabulary import add_special_tokens, build_vocab, num_merges

BYTES = {byte: bytes([byte]) for byte in range(256)}


def test_bytes_then_special_tokens_in_their_order_then_merges():
    vocab = build_vocab([(b"h", b"e"), (b"he", b"y")], ["<b>", "<a>"])
    assert vocab == BYTES | {256: b"<b>", 257: b"<a>", 258: b"he", 259: b"hey"}
    assert list(vocab) == list(range(260))


def test_a_single_byte_as_special_token_keeps_its_id():
    assert build_vocab([(b"h", b"e")], ["#", "<a>", "\n"]) == BYTES | {256: b"<a>", 257: b"he"}


def test_one_character_of_two_bytes_is_a_token_of_its_own():
    assert build_vocab([], ["é"])[256] == "é".encode()


def test_merges_of_equal_bytes_have_an_id_each():
    vocab = build_vocab([(b"b", b"c"), (b"a", b"bc"), (b"a", b"b"), (b"ab", b"c")], [])
    assert (vocab[257], vocab[259]) == (b"abc", b"abc")


@pytest.mark.parametrize(
    ("size", "tokens", "right"),
    [
        (256, [], 0),
        (257, ["<e>"], 0),
        (260, ["<e>"], 3),
        (260, ["<e>", "#"], 3),
        (256, ["#"], 0),
        (300, ["a", "b"], 44),
    ],
)
def test_merges_are_what_the_bytes_and_special_tokens_leave(size, tokens, right):
    assert num_merges(size, tokens) == right


@pytest.mark.parametrize(
    ("size", "tokens", "least"), [(255, [], 256), (256, ["<e>"], 257), (0, ["#"], 256), (-5, [], 256)]
)
def test_too_small_a_vocabulary_is_an_error_that_says_how_many(size, tokens, least):
    with pytest.raises(ValueError, match=rf"vocab_size is {size}.*give at least {least}$"):
        num_merges(size, tokens)


def test_missing_special_tokens_get_ids_above_the_highest():
    vocab = {0: b"a", 7: b"b", 3: b"c"}
    assert add_special_tokens(vocab, ["<y>", "b", "<x>"]) == {0: b"a", 7: b"b", 3: b"c", 8: b"<y>", 9: b"<x>"}
    assert vocab == {0: b"a", 7: b"b", 3: b"c"}


def test_special_tokens_of_an_empty_vocabulary():
    assert add_special_tokens({}, ["<e>"]) == {0: b"<e>"}


@given(
    st.dictionaries(st.integers(0, 500), st.binary(min_size=1, max_size=3)), st.lists(st.text(min_size=1, max_size=3))
)
def test_no_token_is_overwritten_and_each_special_token_has_an_id(vocab, tokens):
    extended = add_special_tokens(vocab, tokens)
    assert {id_: extended[id_] for id_ in vocab} == vocab
    new = [extended[id_] for id_ in sorted(set(extended) - set(vocab))]
    assert new == [token.encode() for token in dict.fromkeys(tokens) if token.encode() not in vocab.values()]
    assert all(id_ > max(vocab, default=-1) for id_ in set(extended) - set(vocab))


def test_an_empty_special_token_is_an_error():
    with pytest.raises(ValueError, match="a special token is empty"):
        add_special_tokens({}, [""])
