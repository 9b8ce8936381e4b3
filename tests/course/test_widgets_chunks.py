"""The strip of chunks: its state against a walk over the bytes, its words and its drawing against the state."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_course import chunk_slider, show_chunks
from bpe_course.widgets.chunk_states import chunk, token_starts
from bpe_course.widgets.chunks import notes

LINE = "I love AI<|endoftext|>Python is great<|endoftext|>"
MARK = b"<e>"
files = st.lists(st.sampled_from([b"a", b"bc", b"<", b"e>", MARK, MARK, "é".encode()]), max_size=30).map(b"".join)


def walk(data: bytes) -> list[int]:
    """All places where a token begins, found byte by byte."""
    return [i for i in range(len(data)) if data[i : i + len(MARK)] == MARK]


@given(files)
def test_tokens_are_found_where_they_begin(data):
    assert token_starts(data, MARK) == walk(data)


@given(files, st.integers(1, 12))
def test_each_cut_moves_to_the_next_token_or_to_the_end(data, desired):
    chunking = chunk(data, desired, MARK)
    starts = walk(data)
    assert [cut.even for cut in chunking.cuts] == [i * (len(data) // desired) for i in range(1, desired)]
    for cut in chunking.cuts:
        assert cut.boundary == min([start for start in starts if start >= cut.even], default=len(data))
        covering = [start for start in starts if start < cut.even < start + 3]
        assert [cut.inside] == (covering or [None])
    assert set(chunking.boundaries) == {0, len(data), *(cut.boundary for cut in chunking.cuts)}
    assert sum(chunking.sizes) == len(data)
    assert sum(len(numbers) for _, numbers in chunking.arrivals()) == desired - 1


@given(files, st.integers(1, 12))
def test_a_perfect_share_is_one_and_nothing_is_better(data, desired):
    imbalance = chunk(data, desired, MARK).imbalance
    assert imbalance >= 0.999
    if data and desired == 1:
        assert imbalance == 1


def test_the_words_name_what_happens():
    said = notes(chunk(LINE.encode(), 3, b"<|endoftext|>"))
    assert said == [
        "Wanted: 3, got: 2. The longest chunk has 37 bytes, 2.22 times the even share of 17.",
        "Cuts 1 and 2 meet at 37.",
        "Cut 1 falls inside a token: 16 lies behind its start, 9, so the cut moves on to 37.",
    ]
    assert "Cuts 1, 2 and 3 find no token and move to the end of the file, 8." in notes(chunk(b"aaaaaaaa", 4, MARK))
    assert "Cut 1 finds no token and moves to the end of the file, 8." in notes(chunk(b"aaaaaaaa", 2, MARK))


def plain(html: str) -> str:
    """What one reads of HTML."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@pytest.mark.parametrize("desired", range(1, 13))
def test_picture_and_text_say_the_same(desired):
    panel = show_chunks(LINE * 3, desired)
    chunking = chunk((LINE * 3).encode(), desired, b"<|endoftext|>")
    for note in notes(chunking):
        assert note in plain(panel.html) and note in panel.text and note in panel.label
    rows = [row.replace(",", "").split() for row in panel.text.splitlines()]
    for number, cut in enumerate(chunking.cuts, start=1):
        assert [str(number), str(cut.even), str(cut.boundary)] in [row[:3] for row in rows]
        assert f"even cut {number} at {cut.even} moves to {cut.boundary}" in panel.html
        mark = f"{number}!" if cut.inside is not None else f"{number}"
        assert f">{mark}</strong><br>" in panel.html
    for number, size in enumerate(chunking.sizes, start=1):
        assert [str(number), str(size)] in [row[:2] for row in rows]
    assert plain(panel.html).count("idle") == desired - len(chunking.sizes)


@pytest.mark.parametrize("desired", range(1, 13))
def test_boxes_fill_the_width_to_scale(desired):
    panel = show_chunks(LINE * 3, desired)
    row = re.search(r'<div aria-hidden="true".*?</div>', panel.html)[0]
    widths = list(map(float, re.findall(r"width:([\d.]+)%;(?=background)", row)))
    assert sum(widths) == pytest.approx(100, abs=0.1)
    marks = [width for width in widths if width == pytest.approx(100 * 13 / 150, abs=0.01)]
    whole = 6 - sum(cut.inside is not None for cut in chunk((LINE * 3).encode(), desired, b"<|endoftext|>").cuts)
    assert len(marks) >= whole


@pytest.mark.parametrize("desired", range(2, 13))
def test_a_story_is_labelled_once_however_it_is_cut(desired):
    html = show_chunks(LINE * 3, desired).html
    labels = re.findall(r'overflow:hidden">([^<]+)</span>', re.search(r'<div aria-hidden="true".*?</div>', html)[0])
    assert labels == ["I love AI", "Python is great"] * 3


def test_a_file_can_hold_anything():
    html = show_chunks("<script>alert(1)</script>\"'&" * 4, 5)._repr_html_()
    assert "<script" not in html and "&lt;script&gt;" in html
    assert show_chunks(b"\xff\xc3", 3).text and show_chunks("", 3).text and show_chunks("é", 4).text


def test_a_number_below_one_is_refused():
    with pytest.raises(ValueError, match="desired_num_chunks is 0"):
        show_chunks(LINE, 0)


def test_columns_have_one_scale_for_all_numbers():
    def tallest(desired):
        html = show_chunks(LINE * 6, desired, most=12).html
        columns = re.findall(r'<span style="flex:1 1 0.*?</strong></span>', html)
        return max(sum(map(float, re.findall(r"height:([\d.]+)px;(?=background)", column))) for column in columns)

    files = [chunk((LINE * 6).encode(), n, b"<|endoftext|>") for n in (2, 12)]
    ratio = max(files[0].sizes) / max(files[1].sizes)
    assert tallest(2) / tallest(12) == pytest.approx(ratio, rel=0.02) and ratio > 1.2


def test_the_slider_moves_the_strip():
    widget = chunk_slider(LINE, desired=3, most=6)
    (fewer, more, slider), shown = widget.children[0].children, widget.children[1]
    before = shown.value
    assert slider.description == "Chunks wanted" and "Cuts 1 and 2 meet at 37." in before
    fewer.click()
    assert slider.value == 2 and shown.value != before and "Wanted: 2, got: 2." in shown.value
    fewer.click()
    assert slider.value == 2
    more.click()
    assert shown.value == before
    heights = set()
    for number in range(2, 7):
        slider.value = number
        assert f"Wanted: {number}, got" in shown.value
        heights.add(re.search(r"min-height:([\d.]+)em", shown.value)[1])
    assert len(heights) == 1, "the page jumps"
