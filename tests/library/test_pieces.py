from collections import Counter
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_lib import pretokenize, train_bpe
from bpe_lib.fast import pieces
from bpe_lib.fast.pieces import PieceCounter
from oracles import (
    CL100K,
    FRAGMENTS,
    NO_WHITESPACE,
    O200K,
    REGEX_WHITESPACE,
    brute_force_train,
    counts_of,
    texts,
    texts_with_special_tokens,
)


def counted(*blocks, special_tokens=()):
    counter = PieceCounter(list(special_tokens))
    for block in blocks:
        counter.add(block.encode())
    return counter.pretokens()


def in_pieces(text):
    places = pieces.cut_places(text.encode()).tolist()
    return [text.encode()[start:end] for start, end in zip(places, places[1:])]


@given(texts())
def test_counts_equal_the_pattern(text):
    assert counted(text) == counts_of(text)


@given(texts_with_special_tokens())
def test_counts_with_special_tokens_equal_the_oracle(text_and_tokens):
    text, tokens = text_and_tokens
    assert counted(text, special_tokens=tokens) == counts_of(text, tokens)


@given(texts())
@example("a \x1c b")
def test_every_cut_is_an_edge_between_pretokens(text):
    edges, at = {0}, 0
    for pretoken in pretokenize(text):
        at += len(pretoken.encode())
        edges.add(at)
    if text:
        assert set(pieces.cut_places(text.encode()).tolist()) <= edges


@given(texts())
def test_pieces_split_one_by_one_are_the_pretokens_of_the_text(text):
    if text:
        assert [p for piece in in_pieces(text) for p in pretokenize(piece.decode())] == pretokenize(text)


KINDS = ["a", "s", "'", "1", "!", "é", "\u0301", "中", "²", "\x1c", "\u200b", "\0"]


@pytest.mark.parametrize("space", REGEX_WHITESPACE, ids=ascii)
def test_all_short_texts_around_every_whitespace(space):
    for before, between, after in product([*KINDS, "", space, " "], ["", space, " "], [*KINDS, "'s", "'ll", " "]):
        text = f"x{before}{space}{between}{after}s"
        assert counted(text) == counts_of(text), ascii(text)


@pytest.mark.parametrize("character", [*NO_WHITESPACE, *map(chr, range(32)), "\x7f", "\x80", "\x9f"], ids=ascii)
def test_control_characters(character):
    for text in [f"a{character}b", f"a {character} b", f"1{character}{character}2", f"!{character}'s", character]:
        assert counted(text) == counts_of(text)


@pytest.mark.parametrize("length", range(1, 18))
@pytest.mark.parametrize("letter", ["a", "1", "!", " ", "\0", "é", "\n", "中"])
def test_pieces_of_every_length(letter, length):
    """Up to 8 bytes are counted as a number, more as bytes."""
    run = letter * length
    text = f"{run} {run}x{run} x{run}\n{run}"
    assert counted(text) == counts_of(text)


def test_nul_bytes_are_not_mistaken_for_the_end_of_a_short_piece():
    assert counted("a\0 a\0\0 a") == Counter({b"a": 1, b"\0": 1, b" a": 2, b"\0\0": 1})


@pytest.mark.parametrize("before", ["I", "I ", "9", "!", "é", " ", "I'", ""])
@pytest.mark.parametrize("contraction", ["'s", "'d", "'m", "'t", "'ll", "'ve", "'re", "'S", "'lx", "'r", "’s", "''s"])
def test_contractions_around_cuts(before, contraction):
    for after in ["", "ally", " x", "1", "'s", "!", "\u0301", "é"]:
        text = before + contraction + after
        assert counted(text) == counts_of(text), text


@given(st.lists(texts(max_size=8), max_size=5))
def test_counts_of_blocks_add_up(blocks):
    assert counted(*blocks) == sum((counts_of(block) for block in blocks), Counter())


def test_nothing_to_count():
    assert counted() == counted("") == counted("<e><e>", special_tokens=["<e>"]) == Counter()


def test_asking_twice_gives_the_same_counts():
    counter = PieceCounter()
    counter.add(b"the cat, the extraordinary cat")
    assert counter.pretokens() == counter.pretokens() == counts_of("the cat, the extraordinary cat")


def test_counting_goes_on_after_an_answer():
    counter = PieceCounter()
    counter.add(b"the cat")
    counter.pretokens()
    counter.add(b"the extraordinary cat")
    assert counter.pretokens() == counts_of("the cat") + counts_of("the extraordinary cat")


def test_many_long_pieces_do_not_pile_up(monkeypatch):
    monkeypatch.setattr(pieces, "MANY", 10)
    counter = PieceCounter()
    blocks = [" ".join(f"extraordinary{i}{j}" for j in range(7)) for i in range(20)]
    for block in blocks:
        counter.add(block.encode())
        assert len(counter._long) <= 10 + 7
    assert counter.pretokens() == sum((counts_of(block) for block in blocks), Counter())


def test_the_fragments_hold_what_they_should():
    """The texts above are only as good as what they are made of."""
    together = "".join(FRAGMENTS)
    assert set(REGEX_WHITESPACE) <= set(together)
    assert {len(fragment.encode()) for fragment in FRAGMENTS} >= {1, 2, 3, 4, 7, 8, 9, 10}


# --- the shortcut holds for GPT-2's pattern alone ---


@pytest.mark.parametrize(("name", "pattern"), [("cl100k_base", CL100K), ("o200k_base", O200K)])
def test_pieces_would_be_wrong_for_other_patterns_and_are_not_used(name, pattern, text_file):
    text = "a!\nb 12345 -x'S (y)\n\n z"
    split_apart = [pretoken for piece in in_pieces(text) for pretoken in pretokenize(piece.decode(), pattern)]
    assert split_apart != pretokenize(text, pattern)
    right = brute_force_train(text, 290, [], pattern)
    assert train_bpe(text_file(text), 290, [], 1, pattern=pattern) == right
    assert right != brute_force_train(text, 290, [])


def test_an_answer_stays_as_it_is_when_counting_goes_on():
    counter = PieceCounter()
    counter.add(b"the cat")
    answer = counter.pretokens()
    counter.add(b"the dog")
    counter.pretokens()
    assert answer == counts_of("the cat")
    answer["the cat"] = 9
    assert counter.pretokens() == counts_of("the cat") + counts_of("the dog")
