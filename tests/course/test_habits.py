"""What checks say to habits that any exercise may meet: state between calls, print for return, return in a loop."""

import pytest

from bpe_course import check


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.delenv("BPE_STRICT", raising=False)


def with_default(words, counts={}):  # noqa: B006
    for word, frequency in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + frequency
    return dict(counts)


TABLE = {}


def with_table(words):
    for word, frequency in words.items():
        for pair in zip(word, word[1:]):
            TABLE[pair] = TABLE.get(pair, 0) + frequency
    return dict(TABLE)


@pytest.mark.parametrize("answer", [with_default, with_table])
def test_state_is_shown_by_two_calls(answer):
    result = check("count_pairs", answer)
    assert result.status == "not yet" and "remembers earlier calls" in result.message
    rows = dict(result.details)
    assert "(b'a', b'b'): 5" in rows["first, you return"] and "(b'a', b'b'): 10" in rows["then you return"]


def test_printing_is_not_returning():
    result = check("utf8_bytes", lambda text: print(list(text.encode())))
    assert "`return` hands it back" in result.message


def returns_at_once(words):
    counts = {}
    for word, frequency in words.items():
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + frequency
        return counts
    return counts


def test_a_return_inside_the_loop_is_named():
    assert "inside your loop" in check("count_pairs", returns_at_once).message


def test_bytes_of_a_number_are_zeros():
    def encode_pretoken(pretoken, ranks):
        return [bytes(number) for number in pretoken]

    assert "`bytes([3])`" in check("encode_pretoken", encode_pretoken).message


def test_a_generator_is_told_to_be_a_tuple():
    def merge_pair(word, pair):
        yield from word

    assert "asks for a tuple" in check("merge_pair", merge_pair).message
