from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_lib import best_pair, count_pairs, merge_pair, train_naive
from oracles import HANDOUT, HANDOUT_MERGES, brute_force_merges, counts_of, joined, single, texts


def words_of(counts):
    return {tuple(single(word)): count for word, count in counts.items()}


def letters(text):
    return tuple(single(text.encode()))


def test_every_adjacent_position_counts_even_overlapping():
    assert count_pairs({letters("aaaaaa"): 1}) == {(b"a", b"a"): 5}


def test_a_pair_counts_as_often_as_its_word():
    assert count_pairs({letters("hi"): 3, letters("ahi"): 4}) == {(b"h", b"i"): 7, (b"a", b"h"): 4}


def test_words_of_one_token_hold_no_pair():
    assert count_pairs({letters("a"): 9, (): 2}) == {}


def test_counting_does_not_change_the_words():
    words = words_of(HANDOUT)
    count_pairs(words)
    train_naive(words, 12)
    assert words == words_of(HANDOUT)


@pytest.mark.parametrize(
    ("counts", "right"),
    [
        ({("m", "n"): 2, ("a", "b"): 2, ("x", "y"): 2}, ("x", "y")),
        ({("a", "b"): 3, ("x", "y"): 2}, ("a", "b")),
        ({("b", "aa"): 1, ("aa", "a"): 1}, ("b", "aa")),
        ({("aa", "a"): 1, ("a", "c"): 1}, ("aa", "a")),
        ({(" ", "a"): 1, ("b", "c"): 1}, ("b", "c")),
        ({("a", "b"): 1, ("a", "ba"): 1}, ("a", "ba")),
    ],
)
def test_ties_go_to_the_greatest_pair_of_bytes(counts, right):
    as_bytes = {(left.encode(), second.encode()): count for (left, second), count in counts.items()}
    assert best_pair(as_bytes) == (right[0].encode(), right[1].encode())


def test_ties_compare_bytes_without_sign():
    assert best_pair({(b"\x7f", b"a"): 1, (b"\xff", b"a"): 1}) == (b"\xff", b"a")


def test_no_pair_to_choose_from_is_an_error():
    with pytest.raises(ValueError, match="no pair to choose from"):
        best_pair({})


@pytest.mark.parametrize(
    ("word", "pair", "right"),
    [
        ("aaa", "aa", ["aa", "a"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("abab", "ab", ["ab", "ab"]),
        ("ba", "ab", ["b", "a"]),
        ("", "ab", []),
        ("xaab", "ab", ["x", "a", "ab"]),
    ],
)
def test_merging_joins_every_occurrence_from_left_to_right(word, pair, right):
    assert merge_pair(letters(word), letters(pair)) == tuple(token.encode() for token in right)


@given(st.text("ab", max_size=12), st.sampled_from(["aa", "ab", "ba", "bb"]))
def test_merging_equals_the_oracle(word, pair):
    assert merge_pair(letters(word), letters(pair)) == tuple(joined(single(word.encode()), letters(pair)))


def test_handout():
    assert train_naive(words_of(HANDOUT), 100) == HANDOUT_MERGES


def test_newest_after_six_merges():
    word = letters("newest")
    for pair in train_naive(words_of(HANDOUT), 6):
        word = merge_pair(word, pair)
    assert word == (b"ne", b"west")


def test_new_neighbour_counts_after_a_merge():
    assert train_naive(words_of({b"eded": 3, b"xy": 2}), 2) == [(b"e", b"d"), (b"ed", b"ed")]


@pytest.mark.parametrize("wanted", [-1, 0])
def test_no_merges_wanted(wanted):
    assert train_naive({letters("ab"): 1}, wanted) == []


def test_fewer_merges_where_no_pair_is_left_and_a_single_pair_still_merges():
    assert train_naive({letters("ab"): 1}, 9) == [(b"a", b"b")]


@given(st.one_of(texts(), st.text("ab ", max_size=40)), st.integers(0, 30))
def test_equals_the_brute_force_trainer(text, num_merges):
    counts: Counter = counts_of(text)
    words = [single(word) for word in counts.elements()]
    assert train_naive(words_of(counts), num_merges) == brute_force_merges(words, num_merges)
