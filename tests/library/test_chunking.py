import io
from collections import Counter
from itertools import pairwise, product

import pytest
import regex
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bpe_lib import chunking, find_chunk_boundaries, pretokenize
from bpe_lib.chunking import cut_file, find_token, special_token_spans
from bpe_lib.files import read_range
from oracles import (
    CL100K,
    NO_WHITESPACE,
    O200K,
    REGEX_WHITESPACE,
    SPECIAL_SETS,
    counts_of,
    split_plainly,
    texts,
    texts_with_special_tokens,
)

END = b"<|endoftext|>"


# --- find_chunk_boundaries ---


@given(st.lists(st.sampled_from([b"<e>", b"<", b"e>", b"ab", b"\n", "é".encode()]), max_size=40), st.integers(1, 12))
def test_even_cuts_move_to_the_start_of_the_next_token(parts, wanted):
    data = b"".join(parts)
    step = len(data) // wanted
    right = {0, len(data)}
    for i in range(1, wanted):
        right.add(data.find(b"<e>", i * step) if b"<e>" in data[i * step :] else len(data))
    assert find_chunk_boundaries(io.BytesIO(data), wanted, b"<e>") == sorted(right)


@pytest.mark.parametrize("wanted", [1, 2, 3, 100])
def test_a_file_without_the_token_is_one_chunk(wanted):
    assert find_chunk_boundaries(io.BytesIO(b"no such token here" * 50), wanted, END) == [0, 900]


def test_more_chunks_than_bytes():
    assert find_chunk_boundaries(io.BytesIO(b"a<e>b"), 50, b"<e>") == [0, 1, 5]


def test_chunks_of_an_empty_file():
    assert find_chunk_boundaries(io.BytesIO(b""), 4, END) in ([0], [0, 0])


def test_where_the_file_stands_does_not_matter():
    file = io.BytesIO(b"aaaa<e>bbbb<e>cccc")
    right = find_chunk_boundaries(file, 2, b"<e>")
    file.seek(13)
    assert find_chunk_boundaries(file, 2, b"<e>") == right == [0, 11, 18]


def test_cuts_at_its_one_token_only():
    assert find_chunk_boundaries(io.BytesIO(b"aaaa <b> aaaa<e>a <b> a"), 2, b"<e>") == [0, 13, 23]


def test_a_real_file(text_file):
    data = b"".join(b"document %d" % i + END for i in range(1000))
    with open(text_file(data), "rb") as file:
        cuts = find_chunk_boundaries(file, 8, END)
    assert len(cuts) == 9
    assert (cuts[0], cuts[-1]) == (0, len(data))
    assert all(data[cut:].startswith(END) for cut in cuts[1:-1])


@pytest.mark.parametrize("window", range(1, 20))
def test_a_token_that_straddles_two_reads_is_found(window):
    assert find_token(io.BytesIO(b"aaaaaa<|e|>bbbbb"), 0, b"<|e|>", window) == 6
    assert find_token(io.BytesIO(b"aaaaaa<|e|>bbbbb"), 7, b"<|e|>", window) == -1


@given(st.binary(max_size=40), st.binary(min_size=1, max_size=4), st.integers(0, 40), st.integers(1, 9))
@example(b"ababac", b"abac", 0, 3)
def test_finding_a_token_equals_bytes_find(data, token, start, window):
    start = min(start, len(data))
    assert find_token(io.BytesIO(data), start, token, window) == data.find(token, start)


def test_reads_no_more_than_a_window_at_a_time():
    class Watched(io.BytesIO):
        asked = 0

        def read(self, size=-1):
            Watched.asked = max(Watched.asked, size if size >= 0 else 1 << 60)
            return super().read(size)

    find_chunk_boundaries(Watched(b"a" * 1_000_000), 4, END)
    assert 0 < Watched.asked <= chunking.WINDOW


def test_a_token_that_is_no_bytes_is_an_error():
    with pytest.raises(TypeError, match=r"split_special_token is bytes, such as b'<\|endoftext\|>', not '<e>'"):
        find_chunk_boundaries(io.BytesIO(b"a"), 1, "<e>")


def test_an_empty_token_is_an_error():
    with pytest.raises(ValueError, match="split_special_token is empty: give the special token that stands between"):
        find_chunk_boundaries(io.BytesIO(b"a"), 1, b"")


@pytest.mark.parametrize("wanted", [0, -1])
def test_fewer_than_one_chunk_is_an_error(wanted):
    with pytest.raises(ValueError, match=f"desired_num_chunks is {wanted}: ask for 1 chunk or more"):
        find_chunk_boundaries(io.BytesIO(b"a"), wanted, b"<e>")


# --- the seam ---

WITHOUT_RULE = r"\p{N}{1,3}|\P{N}"
"""A pattern of which nothing is known."""

ORDINARY = ["a", "s", "'", "1", "!", "é", "\u0301", "中", "²", "🙃", "\0", *NO_WHITESPACE[:5]]


@pytest.mark.parametrize("space", REGEX_WHITESPACE, ids=ascii)
def test_seam_lemma(space):
    """No pre-token runs from a non-space into whitespace, whatever stands around; so both sides count alone."""
    for left, before, after, right in product(["", "'", " ", space, "a"], ORDINARY, [*ORDINARY, " ", "\n"], ["s"]):
        head, tail = left + before, space + after + right
        pretokens = pretokenize(head + tail)
        assert not any(regex.search(r"\S\s", pretoken) for pretoken in pretokens)
        assert pretokenize(head) + pretokenize(tail) == pretokens, ascii(head + tail)


@given(texts(), st.data())
def test_seam_lemma_on_texts(text, data):
    seams = [match.start() for match in regex.finditer(r"(?<=\S)(?=\s)", text)]
    assume(seams)
    cut = data.draw(st.sampled_from(seams))
    assert pretokenize(text[:cut]) + pretokenize(text[cut:]) == pretokenize(text)


def test_inside_whitespace_is_no_seam():
    assert pretokenize("a\n\n b") != pretokenize("a\n") + pretokenize("\n b")


@pytest.mark.parametrize("pattern", [CL100K, O200K])
def test_other_patterns_have_no_seam(pattern):
    assert pretokenize("a!\nb", pattern) != pretokenize("a!", pattern) + pretokenize("\nb", pattern)


# --- cut_file ---


def cuts_of(data, step, special_tokens=(), pattern=None, start=0, end=None):
    more = {} if pattern is None else {"pattern": pattern}
    end = len(data) if end is None else end
    return list(cut_file(io.BytesIO(data), start, end, step, list(special_tokens), **more))


def is_sorted_cover(cuts, data):
    return cuts[0] == 0 and cuts[-1] == len(data) and all(a < b for a, b in pairwise(cuts))


@given(texts_with_special_tokens(), st.integers(1, 30), st.sampled_from([1, 3, 16, 1 << 16]))
@example(("a---b", ["--"]), 2, 1)
@example(("a<e>x<e>b c", ["<e>", "<e>x<e>"]), 3, 1 << 16)
def test_counts_of_the_parts_add_up(text_and_tokens, step, window):
    text, tokens = text_and_tokens
    data = text.encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunking, "WINDOW", window)
        cuts = cuts_of(data, step, tokens)
    assert is_sorted_cover(cuts, data) or not data
    parts = [data[a:b].decode() for a, b in pairwise(cuts)]
    assert sum((counts_of(part, tokens) for part in parts), Counter()) == counts_of(text, tokens)


@given(texts_with_special_tokens(), st.integers(1, 30), st.sampled_from([CL100K, O200K]))
def test_counts_of_the_parts_add_up_for_other_patterns(text_and_tokens, step, pattern):
    text, tokens = text_and_tokens
    data = text.encode()
    parts = [data[a:b].decode() for a, b in pairwise(cuts_of(data, step, tokens, pattern))]
    assert sum((counts_of(part, tokens, pattern) for part in parts), Counter()) == counts_of(text, tokens, pattern)


@given(texts_with_special_tokens(), st.integers(1, 40), st.integers(1, 15))
def test_cutting_a_part_again_is_as_safe(text_and_tokens, step, finer):
    """A worker cuts its task into blocks, and what stands before the task may matter."""
    text, tokens = text_and_tokens
    data = text.encode()
    counts = Counter()
    for start, end in pairwise(cuts_of(data, step, tokens)):
        for a, b in pairwise(cuts_of(data, finer, tokens, start=start, end=end)):
            counts += counts_of(data[a:b].decode(), tokens)
    assert counts == counts_of(text, tokens)


@given(texts_with_special_tokens(), st.integers(1, 30))
def test_no_cut_inside_a_special_token(text_and_tokens, step):
    text, tokens = text_and_tokens
    data, inside, at = text.encode(), set(), 0
    for is_special, part in split_plainly(text, tokens):
        length = len(part.encode())
        inside |= set(range(at + 1, at + length)) if is_special else set()
        at += length
    assert not inside & set(cuts_of(data, step, tokens))


@given(texts_with_special_tokens(), st.integers(1, 30), st.sampled_from([WITHOUT_RULE, r"\s+|\S+"]))
def test_other_patterns_are_cut_at_special_tokens_alone(text_and_tokens, step, pattern):
    text, tokens = text_and_tokens
    data, starts, at = text.encode(), set(), 0
    for is_special, part in split_plainly(text, tokens):
        starts |= {at} if is_special else set()
        at += len(part.encode())
    assert set(cuts_of(data, step, tokens, pattern)) <= starts | {0, len(data)}


def test_a_shorter_token_inside_a_longer_one_is_no_cut():
    assert cuts_of(b"aaaa<e>x<e>bbbb", 5, ["<e>", "<e>x<e>"]) == [0, 11, 15]
    assert cuts_of(b"aaaa---bbbb", 5, ["--"]) == [0, 7, 11]


def test_a_long_stretch_without_special_tokens_is_cut_too():
    data = b"the cat sat on the mat and " * 40_000
    cuts = cuts_of(data, 10_000)
    assert all(10_000 <= b - a < 10_100 for a, b in pairwise(cuts[:-1]))
    assert len(cuts) > 100


def test_a_long_stretch_between_special_tokens_is_cut_too():
    data = END + b"the cat sat on the mat and " * 4_000 + END
    assert len(cuts_of(data, 10_000, ["<|endoftext|>"])) > 10


def test_documents_are_cut_at_special_tokens_where_there_is_no_space():
    data = ("你好世界" * 100 + "<|endoftext|>").encode() * 50
    cuts = cuts_of(data, 3_000, ["<|endoftext|>"])
    assert len(cuts) > 10
    assert all(data[cut:].startswith(END) for cut in cuts[1:-1])


def test_never_inside_a_character():
    data = "é中🙃 ".encode() * 100
    for a, b in pairwise(cuts_of(data, 7)):
        data[a:b].decode()


@pytest.mark.parametrize("space", REGEX_WHITESPACE, ids=ascii)
def test_cuts_are_safe_around_every_whitespace(space):
    for before, after in product(["a", " ", "\x1c", space], ["a", "", "\n", "\u200b"]):
        text = f"xx{before}{space}{after}b 'll {space}{before}s"
        for step in range(1, len(text.encode())):
            parts = [text.encode()[a:b].decode() for a, b in pairwise(cuts_of(text.encode(), step))]
            assert sum(map(counts_of, parts), Counter()) == counts_of(text)


@pytest.mark.parametrize("special_tokens", [[], ["<e>"]])
def test_a_stretch_that_cant_be_cut_is_an_error_that_names_its_offset(monkeypatch, special_tokens):
    monkeypatch.setattr(chunking, "MAX_CHUNK", 1000)
    data = b"the cat " + b"x" * 500 + b" " + b"y" * 3000 + b" end"
    with pytest.raises(ValueError, match=r"bytes from offset 508 can't be cut.*Put a special token between documents"):
        cuts_of(data, 100, special_tokens)


def test_a_long_document_under_another_pattern_is_an_error_too(monkeypatch):
    monkeypatch.setattr(chunking, "MAX_CHUNK", 1000)
    data = b"short<e>" + b"the cat " * 300
    with pytest.raises(ValueError, match=r"bytes from offset 5 can't be cut"):
        cuts_of(data, 5, ["<e>"], WITHOUT_RULE)


def test_the_error_names_the_file(monkeypatch, text_file):
    monkeypatch.setattr(chunking, "MAX_CHUNK", 1000)
    with open(text_file("x" * 3000, "one line.txt"), "rb") as file, pytest.raises(ValueError, match=r"one line\.txt"):
        list(cut_file(file, 0, 3000, 100, []))


def test_looking_for_cuts_takes_little_memory():
    import tracemalloc

    class Letters(io.RawIOBase):
        """A file of 10 MB in one line, without the 10 MB."""

        at = 0

        def seek(self, offset, whence=0):
            self.at = offset
            return offset

        def read(self, size=-1):
            size = max(min(size, 10_000_000 - self.at), 0)
            self.at += size
            return b"x" * size

    tracemalloc.start()
    try:
        assert list(cut_file(Letters(), 0, 10_000_000, 1 << 20, [])) == [0, 10_000_000]
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_an_empty_range_has_no_parts():
    assert cuts_of(b"", 10) == [0]


# --- helpers ---


@given(texts_with_special_tokens())
def test_spans_cover_what_is_spelled_like_a_special_token(text_and_tokens):
    text, tokens = text_and_tokens
    covered = set()
    for start, end in special_token_spans(text, tokens):
        covered |= set(range(start, end))
    spelled = set()
    for at in range(len(text)):
        for token in tokens:
            spelled |= set(range(at, at + len(token))) if text.startswith(token, at) else set()
    assert covered == spelled


@pytest.mark.parametrize("special_tokens", SPECIAL_SETS)
def test_spans_of_bytes_are_those_of_text(special_tokens):
    text = "".join(special_tokens) * 2 + "né 你好世界" + "".join(special_tokens[::-1])
    in_bytes = [(len(text[:a].encode()), len(text[:b].encode())) for a, b in special_token_spans(text, special_tokens)]
    assert special_token_spans(text.encode(), special_tokens) == in_bytes


def test_a_file_that_shrinks_is_an_error():
    with pytest.raises(OSError, match="became shorter while it was read: leave it alone until the end"):
        read_range(io.BytesIO(b"abc"), 1, 9)
