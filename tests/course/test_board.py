"""The progress board: what it shows of what is done, what is left and what comes next."""

import re

import pytest

from bpe_course import EXERCISES
from bpe_course.board import Board, hours
from bpe_course.notebooks import TABLE
from notebook_tools import FOLDER, exercises_of, paths
from widget_tools import words_of

ORDER = list(EXERCISES)
"""All exercises in the order of the notebooks."""


def board(count: int) -> Board:
    """Return the board of a reader who has done so many exercises, in order."""
    return Board(frozenset(ORDER[:count]))


@pytest.mark.parametrize("count", [0, 1, 5, len(ORDER) - 1])
def test_the_next_exercise_is_the_first_open_one_and_is_marked_once(count):
    html = board(count)._repr_html_()
    assert re.findall(r'aria-label="(\w+): open, next"', html) == [ORDER[count]]
    assert re.findall(r"▶ (\w+)</span>", html) == [ORDER[count]]
    assert f"▶ Next: {ORDER[count]} in " in words_of(html)
    assert f"Next: {ORDER[count]} in " in repr(board(count))
    [marked] = [line for line in repr(board(count)).split("\n") if line.startswith("▶")]
    assert EXERCISES[ORDER[count]].notebook in marked


@pytest.mark.parametrize("count", [0, 3, len(ORDER)])
def test_each_exercise_has_a_tile_with_sign_and_word(count):
    html = board(count)._repr_html_()
    for i, id_ in enumerate(ORDER):
        word, sign = ("done", "✓") if i < count else ("open, next", "▶") if i == count else ("open", "□")
        assert re.search(rf'aria-label="{id_}: {word}" style="[^"]*">{sign} {id_}</span>', html)
    assert html.count('role="img"') == len(ORDER)


def test_a_gap_is_the_next_step_whatever_is_done_behind_it():
    some = Board(frozenset(ORDER) - {"count_pairs", "encode"})
    assert some.next_exercise().id == "count_pairs" and repr(some).count("□") == 2


def test_minutes_add_up():
    for count in (0, 7, len(ORDER) - 1):
        left = sum(EXERCISES[id_].minutes for id_ in ORDER[count:])
        text = f"{count} of {len(ORDER)} exercises done, {hours(left)} left"
        assert text in repr(board(count)) and f"progress: {text}" in board(count)._repr_html_()
        rows = re.findall(r"[█░]  (\d+) min left$", repr(board(count)), re.M)
        assert sum(map(int, rows)) == left


def test_bars_are_as_full_as_minutes_are_done():
    only = Board(frozenset({"utf8_bytes"}))
    exercises = [EXERCISES[id_] for id_ in exercises_of("01")]
    share = EXERCISES["utf8_bytes"].minutes / sum(exercise.minutes for exercise in exercises)
    html = only._repr_html_()
    shares = [int(width) for width in re.findall(r'<div style="width:(\d+)%;height:100%', html)]
    assert len(shares) == 1 + len(TABLE) and shares[2] == round(100 * share) and shares[1] == 0
    line = next(line for line in repr(only).split("\n") if "01 Text" in line)
    assert line.count("█") == round(10 * share) and line.count("█") + line.count("░") == 10


def test_all_done():
    text, html = repr(board(len(ORDER))), board(len(ORDER))._repr_html_()
    assert "All exercises are done." in text and "✓ All exercises are done." in words_of(html)
    assert "min left" not in text + html and "▶" not in text and "□" not in text


def test_names_are_links_where_the_notebooks_are(monkeypatch, tmp_path):
    monkeypatch.chdir(FOLDER)
    links = re.findall(r'<a href="([^"]*)"', board(0)._repr_html_())
    assert links == [*(path.name for path in paths() if path.exists()), "00_start_here.ipynb"]
    monkeypatch.chdir(tmp_path)
    assert "<a " not in board(0)._repr_html_()
