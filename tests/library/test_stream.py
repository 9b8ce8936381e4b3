import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_lib import Tokenizer
from bpe_lib.fast.stream import BLOCK, cut_stream, last_cut
from oracles import (
    CL100K,
    GPT2,
    O200K,
    PROSE,
    SPECIAL_SETS,
    brute_force_train,
    cuttings,
    pretokens_of,
    split_plainly,
    texts_with_special_tokens,
)

END = "<|endoftext|>"
VOCAB, MERGES = brute_force_train(PROSE, 500, [END])


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer(VOCAB, MERGES, [END])


def in_order(text, tokens, pattern=GPT2):
    """Special tokens and pre-tokens as they follow each other."""
    return [
        part
        for is_special, stretch in split_plainly(text, tokens)
        for part in ([stretch.encode()] if is_special else pretokens_of(stretch, [], pattern))
    ]


text_tokens_chunks = texts_with_special_tokens().flatmap(
    lambda both: st.tuples(st.just(both[0]), st.just(both[1]), cuttings(both[0]) | st.just(list(both[0])))
)


@given(text_tokens_chunks)
@example(("I'll", [], ["I'l", "l"]))
@example(("a\n  b", [], ["a\n", "  b"]))
@example(("a<e>x<e>b", ["<e>", "<e>x<e>"], ["a<e>x", "<e>b"]))
@example(("a<e>x<e", ["<e>", "<e>x<e>"], ["a<e>", "x<e"]))
@example(("---a", ["--"], ["-", "-", "-a"]))
def test_parts_are_the_text_and_can_be_read_one_by_one(case):
    text, tokens, chunks = case
    parts = list(cut_stream(chunks, tokens))
    assert "".join(parts) == text
    assert [token for part in parts for token in in_order(part, tokens)] == in_order(text, tokens)


@given(text_tokens_chunks, st.sampled_from([CL100K, O200K]))
def test_parts_under_other_patterns(case, pattern):
    text, tokens, chunks = case
    parts = list(cut_stream(chunks, tokens, pattern))
    assert "".join(parts) == text
    assert [token for part in parts for token in in_order(part, tokens, pattern)] == in_order(text, tokens, pattern)


@given(text_tokens_chunks)
def test_ids_of_a_stream_are_those_of_the_joined_text(case):
    text, tokens, chunks = case
    tokenizer = Tokenizer(VOCAB, MERGES, tokens)
    assert list(tokenizer.encode_iterable(chunks)) == tokenizer.encode(text)


@given(text_tokens_chunks, st.sampled_from([CL100K, O200K]))
def test_ids_of_a_stream_under_other_patterns(case, pattern):
    text, tokens, chunks = case
    tokenizer = Tokenizer(VOCAB, MERGES, tokens, pattern=pattern)
    assert list(tokenizer.encode_iterable(chunks)) == tokenizer.encode(text)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50, 100_000])
def test_prose_in_chunks_of_every_size(size, tokenizer):
    text = (PROSE + END) * 5
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    assert list(tokenizer.encode_iterable(chunks)) == tokenizer.encode(text)


@pytest.mark.parametrize("tokens", SPECIAL_SETS)
def test_a_whole_text_longer_than_a_block(tokens):
    """Cuts at the edge of a block are as good as any other."""
    tokenizer = Tokenizer(VOCAB, MERGES, tokens)
    text = "".join(tokens) + PROSE + "'ll   \n\n " + "".join(tokens[::-1])
    text = text * (3 * BLOCK // len(text) + 2)
    assert list(tokenizer.encode_iterable([text])) == tokenizer.encode(text)


def test_chunks_may_be_lines_of_a_file_or_single_characters(tokenizer, text_file):
    with open(text_file(PROSE), encoding="utf-8", newline="") as file:
        assert list(tokenizer.encode_iterable(file)) == tokenizer.encode(PROSE)
    assert list(tokenizer.encode_iterable(PROSE)) == tokenizer.encode(PROSE)


@pytest.mark.parametrize("chunks", [[], [""], ["", "", ""]])
def test_an_empty_stream_has_no_ids(chunks, tokenizer):
    assert list(tokenizer.encode_iterable(chunks)) == []


# --- lazy ---


def counting(chunks, taken):
    for chunk in chunks:
        taken.append(chunk)
        yield chunk


def test_nothing_is_read_before_the_first_id_is_asked_for(tokenizer):
    taken = []
    ids = tokenizer.encode_iterable(counting(["a b", " c d"], taken))
    assert taken == []
    next(ids)
    assert len(taken) <= 2


def test_reads_only_as_far_as_the_next_id_needs(tokenizer):
    taken = []
    ids = tokenizer.encode_iterable(counting(("the cat " for _ in range(10_000)), taken))
    next(ids)
    assert len(taken) <= 2
    for _ in range(100):
        next(ids)
    assert len(taken) <= 110


def test_an_endless_stream(tokenizer):
    def endless():
        while True:
            yield "the cat sat, "

    ids = tokenizer.encode_iterable(endless())
    assert tokenizer.decode([next(ids) for _ in range(5_000)]).startswith("the cat sat, the cat sat, ")


def test_two_streams_at_once(tokenizer):
    first, second = tokenizer.encode_iterable(PROSE), tokenizer.encode_iterable(PROSE[::-1])
    pairs = [(next(first), next(second)) for _ in range(200)]
    assert [a for a, _ in pairs] == tokenizer.encode(PROSE)[:200]
    assert [b for _, b in pairs] == tokenizer.encode(PROSE[::-1])[:200]


# --- memory ---


def repeating(size):
    for _ in range(size // 100):
        yield "the cat sat on the mat, and the dog sat on the log. " * 2


def hardly_repeating(size):
    for i in range(size // 40):
        yield f"word{i * 7919:x} w{i * 104729:o}nd, {i * i}\n"


def chinese_in_lines(size):
    for at in range(0, size, 400):
        yield "".join(chr(0x4E00 + (at * k) % 20_000) for k in range(1, 400)) + "\n"


def chinese_with_stops(size):
    for at in range(0, size, 200):
        yield "".join(chr(0x4E00 + (at * k) % 20_000) for k in range(1, 200)) + "。"


def one_letter_in_lines(size):
    for at in range(0, size, 4_000):
        yield "x" * (4_000 + at // 4_000 % 7) + "\n"


def documents_of_dashes(size):
    for _ in range(size // 100):
        yield "-" * 100


STREAMS = {
    "repeating": (repeating, 2_000_000, [END], GPT2),
    "hardly repeating": (hardly_repeating, 120_000, [END], GPT2),
    "hardly repeating, no special tokens": (hardly_repeating, 120_000, [], GPT2),
    "chinese in lines": (chinese_in_lines, 100_000, [END], GPT2),
    "chinese without any whitespace": (chinese_with_stops, 100_000, [], GPT2),
    "one letter in lines": (one_letter_in_lines, 500_000, [], GPT2),
    "a special token on and on": (documents_of_dashes, 500_000, ["--"], GPT2),
    "short documents, another pattern": (repeating, 500_000, ["mat"], CL100K),
}


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_needs_less_than_a_megabyte(name):
    make, size, special_tokens, pattern = STREAMS[name]
    more = {} if pattern == GPT2 else {"pattern": pattern}
    tokenizer = Tokenizer(VOCAB, MERGES, special_tokens, **more)
    tokenizer.encode("warm up")
    tracemalloc.start()
    try:
        number = sum(1 for _ in tokenizer.encode_iterable(make(size)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert number > size // 10
    assert peak < 1_000_000


# --- where to cut ---


@given(texts_with_special_tokens(), st.text(max_size=5))
@example(("xa ", ["a b"]), "")
@example(("x<e", ["<e>"]), "")
def test_a_cut_is_good_whatever_follows(text_and_tokens, more):
    text, tokens = text_and_tokens
    cut = last_cut(text, tokens)
    for rest in ["", more, *(token[at:] for token in tokens for at in range(len(token)))]:
        whole = in_order(text + rest, tokens)
        assert in_order(text[:cut], tokens) + in_order(text[cut:] + rest, tokens) == whole


def test_what_could_grow_into_a_special_token_is_held_back():
    assert list(cut_stream(["see <e>the <", "end> x"], ["<e>", "<end>"]))[-1].startswith("<end>")
