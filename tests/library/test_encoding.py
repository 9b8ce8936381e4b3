from hypothesis import given
from hypothesis import strategies as st

from bpe_lib.encoding import encode_pretoken

ALPHABET = list(range(3))


def ranks_of(pairs):
    """Number tokens 0, 1, 2 and one more for each merge of two tokens that are there."""
    return {pair: (rank, 3 + rank) for rank, pair in enumerate(pairs)}


def replayed(ids, ranks):
    for pair, (_, product) in sorted(ranks.items(), key=lambda item: item[1]):
        new, at = [], 0
        while at < len(ids):
            if tuple(ids[at : at + 2]) == pair:
                new.append(product)
                at += 2
            else:
                new.append(ids[at])
                at += 1
        ids = new
    return ids


@st.composite
def merges(draw):
    """Pairs of ids, each of tokens that exist when it is learned."""
    pairs = []
    for i in range(draw(st.integers(0, 12))):
        pair = draw(st.tuples(st.integers(0, 2 + i), st.integers(0, 2 + i)))
        pairs.append(pair if pair not in pairs else (2 + i, 2 + i))
    return list(dict.fromkeys(pairs))


@given(st.lists(st.sampled_from(ALPHABET), max_size=40), merges())
def test_equals_replaying_the_merges_in_learned_order(ids, pairs):
    ranks = ranks_of(pairs)
    assert encode_pretoken(ids, ranks) == replayed(ids, ranks)


def test_lowest_rank_first_not_left_to_right():
    t, h, e, he, th = range(5)
    assert encode_pretoken([t, h, e], {(h, e): (0, he), (t, h): (1, th)}) == [t, he]
    assert encode_pretoken([t, h, e], {(h, e): (1, he), (t, h): (0, th)}) == [th, e]


def test_equal_pairs_from_left_to_right():
    assert encode_pretoken([0, 0, 0], {(0, 0): (0, 1)}) == [1, 0]


def test_a_rank_is_not_an_id():
    """Ids of products may fall while ranks rise."""
    assert encode_pretoken([7, 8, 9], {(8, 9): (0, 6), (7, 8): (1, 5), (7, 6): (2, 4)}) == [4]


def test_nothing_to_merge():
    assert encode_pretoken([], {(0, 0): (0, 1)}) == []
    assert encode_pretoken([0], {(0, 0): (0, 1)}) == [0]
    assert encode_pretoken([0, 1, 2], {}) == [0, 1, 2]


def test_the_ids_given_are_not_changed():
    ids = [0, 0, 0]
    encode_pretoken(ids, {(0, 0): (0, 1)})
    assert ids == [0, 0, 0]


def test_merges_of_all_sizes_in_a_long_run():
    ranks = {(2**i, 2**i): (i, 2 ** (i + 1)) for i in range(10)}
    ids = encode_pretoken([1] * 100_003, ranks)
    assert ids == [1024] * 97 + [512, 128, 32, 2, 1]
    assert sum(ids) == 100_003
