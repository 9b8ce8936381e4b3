import gc
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_lib import train_indexed, train_naive
from bpe_lib.fast import row
from bpe_lib.indexed import descending, heap_entry, pop_best
from oracles import HANDOUT, HANDOUT_MERGES, brute_force_merges, counts_of, single, texts


def plain_words(counts):
    return [single(word) for word, count in counts.items() for _ in range(count)]


def test_handout():
    assert train_indexed(HANDOUT, 100) == HANDOUT_MERGES


def test_words_may_be_tuples_of_tokens_or_bytes():
    as_tuples = {tuple(single(word)): count for word, count in HANDOUT.items()}
    mixed = {(word if len(word) > 5 else tuple(single(word))): count for word, count in HANDOUT.items()}
    assert train_indexed(as_tuples, 12) == train_indexed(mixed, 12) == HANDOUT_MERGES


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ({b"mn": 2, b"ab": 2, b"xy": 2}, [(b"x", b"y"), (b"m", b"n"), (b"a", b"b")]),
        ({b"baaa": 1}, [(b"a", b"a"), (b"b", b"aa"), (b"baa", b"a")]),
        ({b"aaac": 1}, [(b"a", b"a"), (b"aa", b"a"), (b"aaa", b"c")]),
        ({b" a": 1, b"bc": 1}, [(b"b", b"c"), (b" ", b"a")]),
        ({b"aaaa": 1, b"bc": 2}, [(b"a", b"a"), (b"b", b"c"), (b"aa", b"aa")]),
        ({b"eded": 3, b"xy": 2}, [(b"e", b"d"), (b"ed", b"ed"), (b"x", b"y")]),
        ({b"caaa": 2, b"aca": 1}, [(b"a", b"a"), (b"c", b"aa"), (b"caa", b"a"), (b"c", b"a"), (b"a", b"ca")]),
    ],
)
def test_slips_that_a_trainer_could_make(words, right):
    assert train_indexed(words, 100) == right == brute_force_merges(plain_words(words), 100)


@pytest.mark.parametrize("words", [{}, {b"": 3}, {b"a": 5}, {(b"a",): 1}, {(): 1}])
def test_words_without_pairs_give_no_merges(words):
    assert train_indexed(words, 5) == []


@pytest.mark.parametrize("wanted", [-3, 0])
def test_no_merges_wanted(wanted):
    assert train_indexed({b"ab": 1}, wanted) == []


def test_words_are_not_changed():
    words = dict(HANDOUT)
    train_indexed(words, 12)
    assert words == HANDOUT


small_words = st.dictionaries(st.binary(max_size=10) | st.text("ab", max_size=14).map(str.encode), st.integers(1, 9))


@given(small_words, st.integers(0, 40))
@example({b"ab" * 9: 3, b"ba" * 5: 1, b"aab": 2}, 40)
def test_equals_the_brute_force_trainer(words, num_merges):
    assert train_indexed(words, num_merges) == brute_force_merges(plain_words(words), num_merges)


@given(small_words, st.integers(0, 40))
@example({b"abab": 1, b"xabab": 1, b"ababx": 2}, 40)
@example({b"ab" * 9: 3, b"ba" * 5: 1, b"aab": 2}, 40)
def test_many_places_at_once_equal_one_by_one(words, num_merges):
    with patch.object(row, "MANY", 1):
        assert train_indexed(words, num_merges) == brute_force_merges(plain_words(words), num_merges)


@given(texts(), st.integers(0, 60))
def test_equals_the_brute_force_trainer_on_texts(text, num_merges):
    counts = counts_of(text)
    assert train_indexed(counts, num_merges) == brute_force_merges(plain_words(counts), num_merges)


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 50)), min_size=1, max_size=8))
def test_runs_of_one_letter(runs):
    """Overlapping pairs, and long tokens that two different merges could make."""
    words = {b"a" * length: count for length, count in runs}
    assert train_indexed(words, 50) == brute_force_merges(plain_words(words), 50)


tokens = st.sampled_from([b"a", b"b", b"c", b"ab", b"bc", b"abc", b"ca"])


@given(st.dictionaries(st.lists(tokens, max_size=6).map(tuple), st.integers(1, 5), max_size=6))
def test_tokens_of_equal_bytes_are_one_however_they_arose(words):
    assert train_indexed(words, 30) == train_naive(words, 30)
    listed = [list(word) for word, count in words.items() for _ in range(count)]
    assert train_indexed(words, 30) == brute_force_merges(listed, 30)


def test_counts_that_64_bits_may_not_hold_are_refused():
    with pytest.raises(ValueError, match="fewer than"):
        train_indexed({b"ab" * 12: 2**60, b"xy": 5}, 6)
    with pytest.raises(ValueError, match="fewer than"):
        train_indexed({b"ab": 2**63}, 6)
    assert train_indexed({b"ab": 2**61, b"xy": 5}, 6) == [(b"a", b"b"), (b"x", b"y")]


@pytest.mark.parametrize("at_once", [1, 1000])
def test_large_counts_stay_exact(at_once):
    many = 2**53
    with patch.object(row, "MANY", at_once):
        assert train_indexed({b"abx": many, b"aby": 1, b"cdx": many, b"cdy": 2}, 3)[:2] == [(b"c", b"d"), (b"a", b"b")]


def test_the_order_of_the_words_does_not_matter():
    assert train_indexed(dict(reversed(HANDOUT.items())), 12) == HANDOUT_MERGES


@given(st.lists(st.tuples(st.binary(max_size=4), st.binary(max_size=4), st.integers(1, 3)), min_size=1))
def test_least_heap_entry_has_the_highest_count_then_the_greatest_pair(rows):
    counts = {(left, right): count for left, right, count in rows}
    right = max(counts, key=lambda pair: (counts[pair], pair))
    assert min(heap_entry(pair, count) for pair, count in counts.items())[-1] == right


@given(st.lists(st.binary(max_size=5)))
def test_descending_turns_the_order_of_bytes_round(some):
    assert sorted(some, key=descending) == sorted(some, reverse=True)


def test_a_stale_entry_is_pushed_back_with_todays_count():
    ab, cd = (b"a", b"b"), (b"c", b"d")
    heap = [heap_entry(ab, 9), heap_entry(cd, 5)]
    today = {ab: 3, cd: 5}
    assert pop_best(heap, today) == cd
    assert pop_best(heap, today) == ab
    with pytest.raises(IndexError):
        pop_best(heap, today)


def test_dead_pairs_are_dropped():
    with pytest.raises(IndexError):
        pop_best([heap_entry((b"a", b"b"), 2)], {(b"a", b"b"): 0})


def test_garbage_collection_is_on_again_afterwards():
    train_indexed(HANDOUT, 3)
    assert gc.isenabled()
    gc.disable()
    try:
        train_indexed(HANDOUT, 3)
        assert not gc.isenabled()
    finally:
        gc.enable()
