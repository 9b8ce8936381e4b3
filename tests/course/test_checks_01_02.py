"""What the checks of notebooks 01 and 02 say to answers that no slip makes, and what they let pass."""

import pytest

from bpe_course import check, predict, reveal
from bpe_course.exercises.nb02_chunk_boundaries import even_boundaries, find_token, no_overlap


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.delenv("BPE_STRICT", raising=False)


def boundaries_by(search, window, collect=sorted):
    def find_chunk_boundaries(file, desired_num_chunks, split_special_token):
        size = file.seek(0, 2)
        found = [
            search(file, start, split_special_token, window)
            for start in even_boundaries(size, desired_num_chunks)[1:-1]
        ]
        return collect({0, size, *(at if at >= 0 else size for at in found)})

    return find_chunk_boundaries


@pytest.mark.parametrize("window", [100, 1000, 1024, 2048, 4096, 8192, 10_000, 65_536])
def test_a_search_without_overlap_does_not_pass(window):
    result = check("find_chunk_boundaries", boundaries_by(no_overlap, window))
    assert result.status == "not yet" and "straddle" in result.message


@pytest.mark.parametrize("window", [64, 4096, 65_536])
def test_any_sensible_window_passes(window):
    assert check("find_chunk_boundaries", boundaries_by(find_token, window)).status == "passed"


@pytest.mark.parametrize("window", [10**9, 1 << 20])
def test_a_window_as_large_as_the_file_is_reading_it_whole(window):
    assert "whole file" in check("find_chunk_boundaries", boundaries_by(find_token, window)).message


def test_a_list_of_a_set_is_not_sorted():
    assert "sorted" in check("find_chunk_boundaries", boundaries_by(find_token, 4096, list)).message


def rereads_the_end(file, start, token, window):
    file.seek(start)
    while True:
        here = file.tell()
        data = file.read(window)
        if not data:
            return -1
        if token in data:
            return here + data.find(token)
        file.seek(here + len(data) - len(token) + 1)


def never_ends(file, start, token, window):
    file.seek(start)
    kept = b""
    while True:
        kept += file.read(window)
        if token in kept:
            return start + kept.find(token)
        dropped = max(len(kept) - len(token) + 1, 0)
        kept, start = kept[dropped:], start + dropped


def keeps_a_list(file, start, token, window):
    file.seek(start)
    parts = []
    while data := file.read(window):
        parts.append(data)
    position = b"".join(parts).find(token)
    return start + position if position >= 0 else -1


@pytest.mark.parametrize(
    ("answer", "words"),
    [(rereads_the_end, "zero or negative"), (never_ends, "returns `b''`"), (keeps_a_list, "keep all")],
)
def test_searches_that_go_wrong_are_told_why(answer, words):
    assert words in check("find_token", answer).message


def test_a_shown_call_says_where_the_file_stood():
    result = check(
        "find_token", lambda file, start, token, window: file.tell() or find_token(file, start, token, window)
    )
    assert "\nfile.seek(" in dict(result.details)["call"]


def test_accents_are_told_apart_in_a_shown_call():
    from unicodedata import normalize

    result = check("utf8_bytes", lambda text: list(normalize("NFC", text).encode()))
    assert r"e\u0301" in dict(result.details)["call"]


def test_an_offset_is_named_with_its_byte():
    result = check("character_starts", lambda data: [i for i, byte in enumerate(data) if byte < 100 or byte >= 192])
    assert "offset 0" in result.message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"aaaaaa<|e|>bbbbb", "own bytes"),
        (b"ab<|e|>", "bytes 0 to 7"),
        (b"a" * 17 + b"<|e|>", "bytes 16 to 23"),
        (b"abcde<|e|>------<|e|>", "another one"),
        (bytearray(b"abcdef<|e|>"), "bytearray"),
    ],
)
def test_break_window_says_what_does_not_do(data, words):
    assert words in check("break_window", lambda: data).message


def test_a_guess_of_another_form_does_not_count():
    assert "isn't counted" in repr(predict("00-round-trip", "perhaps"))
    assert "No guess yet" in repr(reveal("00-round-trip"))
    assert "isn't counted" in repr(predict("02-even", "at the tokens"))
    assert "isn't counted" not in repr(predict("02-even", (0, 1)))
    predict("02-even", None)
