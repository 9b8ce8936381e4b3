"""The encode stepper: its states against the library's encoder, its panel, and the widget."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bpe_lib
from bpe_course import corpora, encode_stepper, show_encoding
from bpe_course.widgets.encoding_steps import Stepper, encode_steps, first_pretoken, longest_first
from bpe_lib import Tokenizer
from bpe_lib.encoding import encode_pretoken
from widget_tools import words_of

BYTES = {i: bytes([i]) for i in range(256)}


def tokenizer_of(*merges: tuple[bytes, bytes]) -> Tokenizer:
    return Tokenizer({**BYTES, **{256 + i: left + right for i, (left, right) in enumerate(merges)}}, merges)


TH, HE = tokenizer_of((b"t", b"h"), (b"h", b"e")), tokenizer_of((b"h", b"e"), (b"t", b"h"))
BOTH = {"th first": TH, "he first": HE}


@pytest.fixture(scope="module")
def stories() -> Tokenizer:
    return Tokenizer(*bpe_lib.train_bpe(corpora.path("stories"), 1000, ["<|endoftext|>"]), ["<|endoftext|>"])


@st.composite
def rows_and_ranks(draw):
    """Return a row of ids, and a table of ranks as odd as any: ranks need not ascend with what they build on."""
    ids = draw(st.lists(st.integers(0, 2), max_size=14))
    pairs = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), unique=True, max_size=12))
    ranks = draw(st.permutations(range(len(pairs))))
    return ids, {pair: (rank, 3 + rank % 4) for pair, rank in zip(pairs, ranks)}


@given(rows_and_ranks())
def test_the_last_state_is_what_encode_pretoken_gives(given):
    ids, ranks = given
    steps = encode_steps(ids, ranks)
    assert list(steps[-1].ids) == encode_pretoken(ids, ranks)
    assert len(steps) == len(ids) - len(steps[-1].ids) + 1


@given(rows_and_ranks())
def test_each_state_merges_its_lowest_pair_and_no_other(given):
    ids, ranks = given
    steps = encode_steps(ids, ranks)
    for before, after in zip(steps, steps[1:]):
        at = before.lowest
        assert before.ranks[at] == min(rank for rank in before.ranks if rank is not None)
        assert before.ranks[at] not in before.ranks[:at]
        assert after.ids == (*before.ids[:at], ranks[before.ids[at : at + 2]][1], *before.ids[at + 2 :])
        assert after.made == at and after.merged == (*before.merged, before.ranks[at])


@given(st.text(alphabet="abehirst ëé🙃'", min_size=1, max_size=12))
def test_words_end_as_the_tokenizer_encodes_them(stories, text):
    pretoken, _ = first_pretoken(text)
    step = Stepper("stories", stories).steps(pretoken)[-1]
    assert list(step.ids) == stories.encode_ordinary(pretoken.decode())


def test_longest_first_is_the_longest_of_all_that_fit():
    tokens = {b"a", b"b", b"c", b"ab", b"abc", b"bc", b"cab"}
    assert longest_first(b"abcab", tokens) == [b"abc", b"ab"]
    assert longest_first(b"bcabz", tokens) == [b"bc", b"ab", b"z"]
    assert longest_first(b"", tokens) == []


def test_ranks_decide_what_two_tokenizers_of_the_same_tokens_make():
    panel = show_encoding(BOTH, "the")
    assert words_of(panel.html).count("Done") == 2
    text = panel.text.split("\n")
    assert "  th – e" in text and "  t – he" in text
    assert "would give: th·e (the same)" in panel.text and "would give: th·e (as many tokens, but others)" in panel.text


@pytest.mark.parametrize(
    ("merges", "said"),
    [
        ([(b"b", b"c"), (b"a", b"b"), (b"c", b"d")], "ab·cd (2 tokens, not 3)"),
        ([(b"b", b"c"), (b"bc", b"d"), (b"a", b"b")], "ab·c·d (3 tokens, not 2)"),
        ([(b"a", b"b"), (b"ab", b"c"), (b"abc", b"d")], "abcd (the same)"),
    ],
)
def test_at_the_end_it_counts_what_longest_first_would_need(merges, said):
    tokenizer = {"one": tokenizer_of(*merges)}
    assert f"would give: {said}" in words_of(show_encoding(tokenizer, "abcd").html)
    assert "(" not in show_encoding(tokenizer, "abcd", 0).text.split("would give")[1]


def test_the_looks_of_boxes_are_explained():
    html = words_of(show_encoding(BOTH, "the", 1).html)
    for words in ("made last", "merged next", "both", "as wide as its bytes"):
        assert words in html


def test_the_panel_says_which_rank_is_lowest():
    html = words_of(show_encoding(BOTH, "the", 0).html)
    assert "▲ Rank 0 is the lowest: t + h merge next." in html
    assert "▲ Rank 0 is the lowest: h + e merge next." in html
    assert "Done" not in html


def test_picture_and_text_say_the_same():
    for step in (0, 1):
        panel = show_encoding(BOTH, "the", step)
        html = words_of(panel.html)
        for line in panel.text.split("\n"):
            if not re.match(r"  (t|th) ", line):
                assert line.strip().removesuffix(".") in html or "Between tokens" in line
        assert panel.label.startswith(f"The pre-token the after {step} merge")


def test_tokens_keep_the_place_of_their_bytes():
    """Each row of a table is as wide as the bytes and the gaps between them, whatever has merged."""
    for step in range(4):
        html = show_encoding({"one": tokenizer_of((b"a", b"b"), (b"ab", b"c"))}, "abcabd", step).html
        rows = re.findall(r"<tr.*?</tr>", html)
        widths = [sum(map(int, re.findall(r'colspan="(\d+)"', row))) for row in rows]
        assert widths == [11, 11] and html.count("<col ") == 11


def test_only_the_first_pretoken_is_shown_and_the_others_are_counted():
    panel = show_encoding(BOTH, "the cat, the hat")
    assert "The text has 4 more" in words_of(panel.html)
    assert "The pre-token the after" in panel.text


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "Type a word"), ("a" * 25, "25 bytes"), ("ü" * 13, "26 bytes")],
)
def test_what_can_not_be_shown_is_explained(text, message):
    with pytest.raises(ValueError, match=message):
        show_encoding(BOTH, text)


def test_a_byte_that_the_vocabulary_lacks_is_named():
    small = Tokenizer({0: b"t", 1: b"h", 2: b"th"}, [(b"t", b"h")])
    with pytest.raises(ValueError, match="small has no token for the byte b'e'"):
        show_encoding({"small": small}, "the")


@pytest.mark.parametrize("text", ["<script>", "<b>&amp;", '"><img'])
def test_what_the_reader_types_is_escaped(text):
    html = show_encoding({"<script>": TH}, text)._repr_html_()
    assert "<script" not in html and "<img" not in html and "<b>&amp;amp" not in html
    assert "&lt;" in html


def parts(widget):
    """Return the field, the buttons, the slider and the panel of a stepper."""
    controls, shown = widget.children
    return *(control for line in controls.children for control in line.children), shown


def test_the_widget_steps_forward_back_and_jumps(stories):
    field, back, forward, place, shown = parts(encode_stepper({"stories": stories}, " moonlight"))
    first = shown.value
    assert place.max == len(Stepper("", stories).steps(b" moonlight")) - 1
    forward.click()
    assert place.value == 1 and shown.value != first and "after 1 merge" in words_of(shown.value)
    back.click()
    assert shown.value == first
    place.value = place.max
    assert "✓ Done" in words_of(shown.value)
    forward.click()
    assert place.value == place.max
    assert field.description and place.description


def test_a_new_word_begins_with_its_bytes_and_has_its_own_number_of_steps(stories):
    field, _, forward, place, shown = parts(encode_stepper({"stories": stories}, " moonlight"))
    place.value = place.max
    field.value = "q"
    assert (place.max, place.value) == (1, 0) and "0 of 0 merges" in words_of(shown.value)
    field.value = " moonlight"
    assert place.value == 0 and place.max > 3 and "✓ Done" not in words_of(shown.value)
    place.value = 3
    field.value = " sunlight"
    assert place.value == 0 and "␣sunlight, 9 bytes, after 0 merges" in words_of(shown.value)
    forward.click()
    assert "after 1 merge" in words_of(shown.value)


def test_the_widget_explains_what_is_wrong_and_goes_on(stories):
    field, *_, shown = parts(encode_stepper({"stories": stories}, "a"))
    field.value = ""
    assert "✗ Type a word" in words_of(shown.value)
    field.value = "<script>"
    assert "<script" not in shown.value and "&lt;" in shown.value


def test_a_special_token_with_the_bytes_of_a_merge_has_its_own_id():
    vocab = {**{byte: bytes([byte]) for byte in range(256)}, 256: b"he", 257: b"he"}
    tokenizer = Tokenizer(vocab, [(b"h", b"e")], ["he"])
    assert list(Stepper("it", tokenizer).steps(b"he")[-1].ids) == tokenizer.encode_ordinary("he") == [257]


@pytest.mark.parametrize("options", [{"pattern": r"[\s\S]"}, {"ignore_merges": True}])
def test_tokenizers_that_work_in_another_way_are_not_shown(options):
    with pytest.raises(ValueError, match="take a tokenizer with GPT-2's pattern"):
        show_encoding({"it": Tokenizer({97: b"a"}, [], **options)}, "a")
