"""The tokenizer playground: its cuts against training to each size, its panel, and the widget."""

import itertools
import re

import pytest

import bpe_lib
from bpe_course import corpora, show_sizes, tokenizer_playground
from bpe_course.widgets.sizes import MOST_CHARACTERS, cut_short, sizes
from bpe_course.widgets.tokenizer import MOST_TOKENS
from bpe_lib import Tokenizer
from widget_tools import words_of

END = "<|endoftext|>"
TEXT = "The old lighthouse keeper laughed. Zoë waved 🙃"


def train(size: int) -> Tokenizer:
    return Tokenizer(*bpe_lib.train_bpe(corpora.path("stories"), size, [END]), [END])


@pytest.fixture(scope="module")
def stories() -> Tokenizer:
    return train(1000)


@pytest.mark.parametrize("size", [257, 258, 320, 999])
def test_a_cut_tokenizer_is_the_one_trained_to_that_size(stories, size):
    small, trained = cut_short(stories, size), train(size)
    assert (small.vocab, small.merges) == (trained.vocab, trained.merges)
    assert small.encode(TEXT + END) == trained.encode(TEXT + END)


@pytest.mark.parametrize("text", [TEXT, "unhappily  she whispered:\n12,340 unbelievable\u00fc"])
def test_from_size_to_size_tokens_only_join(stories, text):
    """As notebook 08 says: each token of a larger vocabulary is one or more whole tokens of a smaller one."""
    before = set(range(len(text.encode()) + 1))
    for size in sizes(stories):
        small = cut_short(stories, size)
        ends = set(itertools.accumulate(len(small.vocab[id_]) for id_ in small.encode(text))) | {0}
        assert ends < before or size == 257
        before = ends


@pytest.mark.parametrize(("size", "merges"), [(0, 0), (256, 0), (1000, 743), (5000, 743)])
def test_outside_what_is_possible_a_cut_is_the_nearest_size(stories, size, merges):
    assert len(cut_short(stories, size).merges) == merges


def test_a_cut_keeps_the_ids_of_special_tokens_that_come_last():
    words = {(b"a", b"b"): 3, (b"c", b"d"): 2}
    merges = bpe_lib.train_naive(words, 2)
    vocab = {**{i: bytes([i]) for i in range(256)}, 256: b"ab", 257: b"cd"}
    small = cut_short(Tokenizer(vocab, merges, [END]), 258)
    assert small.vocab.keys() == {*range(257), 258} and small.encode("ab" + END) == [256, 258]


def test_sizes_begin_without_merges_and_end_with_all(stories):
    assert sizes(stories) == [257, 320, 512, 1000]
    assert sizes(cut_short(stories, 257)) == [257]


def test_the_panel_counts_as_the_tokenizer_does(stories):
    html = words_of(show_sizes({"stories": stories}, TEXT, 512).html)
    small = cut_short(stories, 512)
    count = len(small.encode(TEXT))
    assert f"stories, 512 ids in the vocabulary: {count} tokens for {len(TEXT.encode())} bytes" in html
    assert f"▶ 512 {count} {len(TEXT.encode()) / count:.2f}" in html
    for size in (257, 320, 1000):
        assert re.search(rf"(?<!▶) {size:,} {len(cut_short(stories, size).encode(TEXT))} ", html)


@pytest.mark.parametrize(("wanted", "size"), [(300, 257), (5, 257), (999, 512), (50_000, 1000)])
def test_a_size_that_is_not_in_the_table_is_named(stories, wanted, size):
    said = f"stories is not cut to {wanted:,} ids here: {size:,} are shown."
    panel = show_sizes({"stories": stories}, TEXT, wanted)
    assert said in words_of(panel.html) and said in panel.text and f"with {size:,} ids" in panel.label
    assert "is not cut" not in show_sizes({"stories": stories}, TEXT, size).text


def test_below_the_tokens_stand_ids_or_bytes(stories):
    ids = words_of(show_sizes({"stories": stories}, "é", 257).html)
    data = words_of(show_sizes({"stories": stories}, "é", 257, "bytes").html)
    assert "‹c3›195‹a9›169" in ids.replace(" ", "")
    assert "‹c3›c3‹a9›a9" in data.replace(" ", "")


def test_picture_and_text_say_the_same(stories):
    panel = show_sizes({"stories": stories}, TEXT, 320)
    html = words_of(panel.html)
    assert panel.text.startswith(panel.label)
    for size in sizes(stories):
        count = len(cut_short(stories, size).encode(TEXT))
        assert re.search(rf"{'▶' if size == 320 else ' '} +{size:,} ids +{count} tokens", panel.text)
        assert f"{size:,} {count} " in html


def test_a_special_token_in_the_text_is_not_obeyed_and_that_is_said(stories):
    panel = show_sizes({"stories": stories}, f"a{END}b", 1000)
    assert END in panel.text and "encode_ordinary does not obey it" in words_of(panel.html)
    special = stories.encode(END)
    assert len(special) == 1 and f" {special[0]} " not in panel.text.split("tokens:")[1].split("\n")[0] + " "
    assert "obey" not in show_sizes({"stories": stories}, "ab", 1000).text


def test_of_many_tokens_the_first_are_drawn(stories):
    panel = show_sizes({"stories": stories}, "x" * (MOST_TOKENS + 7), 257)
    assert "… and 7 more" in words_of(panel.html) and f"{MOST_TOKENS + 7} tokens" in panel.text


@pytest.mark.parametrize("text", ["", "a" * (MOST_CHARACTERS + 1), "\ud800"])
def test_what_can_not_be_shown_is_an_error(stories, text):
    with pytest.raises(ValueError):
        show_sizes({"stories": stories}, text, 1000)


def test_what_the_reader_types_is_escaped(stories):
    html = show_sizes({"<script>": stories}, '<script>alert("x")</script>', 257)._repr_html_()
    assert "<script" not in html and "&lt;" in html


def parts(widget):
    """Return the controls and the panel of a playground."""
    controls, shown = widget.children
    return *(control for line in controls.children for control in line.children), shown


def test_the_knob_changes_the_tokens(stories):
    text, name, below, smaller, larger, size, shown = parts(tokenizer_playground({"stories": stories}, TEXT, 512))
    before = words_of(shown.value)
    assert size.value == 512 and "512 ids in the vocabulary" in before
    larger.click()
    assert size.value == 1000 and "1,000 ids in the vocabulary" in words_of(shown.value)
    larger.click()
    assert size.value == 1000
    smaller.click()
    assert words_of(shown.value) == before
    size.value = 257
    assert "257 ids in the vocabulary" in words_of(shown.value)
    text.value = "other"
    assert "for 5 bytes" in words_of(shown.value)
    below.value = "bytes"
    assert "o6ft74h68e65r72" in words_of(shown.value)
    assert all(control.description for control in (size, name, below, text, smaller, larger))


def test_each_step_of_the_knob_shows_another_size_of_the_largest_tokenizer(stories):
    both = {"small": cut_short(stories, 400), "large": stories}  # 400 is a size that the larger one is not cut to
    _, name, _, smaller, _, size, shown = parts(tokenizer_playground(both, TEXT, 1000))
    name.value = "large"
    seen = []
    for _ in range(4):
        seen.append((size.value, words_of(shown.value).partition(" ids")[0]))
        smaller.click()
    assert seen == [(number, f"large, {number:,}") for number in (1000, 512, 320, 257)]


def test_tokenizers_of_other_sizes_show_the_nearest(stories):
    large = {"stories": stories, "few": cut_short(stories, 320)}
    _, name, _, _, _, size, shown = parts(tokenizer_playground(large, TEXT))
    assert size.value == 1000
    name.value = "few"
    assert "few, 320 ids in the vocabulary" in words_of(shown.value)
    assert "few is not cut to 1,000 ids here: 320 are shown." in words_of(shown.value)


def test_the_widget_explains_what_is_wrong_and_goes_on(stories):
    text, *_, shown = parts(tokenizer_playground({"stories": stories}, TEXT))
    text.value = ""
    assert "✗ Type a text" in words_of(shown.value)
    text.value = "<script>"
    assert "<script" not in shown.value and "&lt;" in shown.value


def test_merges_of_equal_bytes_have_an_id_each():
    vocab = dict(enumerate([b"a", b"aa", b"aaa", b"aaa"]))
    tokenizer = Tokenizer(vocab, [(b"a", b"a"), (b"aa", b"a"), (b"a", b"aa")])
    assert [len(cut_short(tokenizer, size).vocab) for size in (1, 2, 3, 4)] == [1, 2, 3, 4]
