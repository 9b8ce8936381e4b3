"""Every rung of the ladder learns the brute-force trainer's merges."""

import pytest

from bpe_course import ladder
from bpe_lib import count_pretokens, train_naive

TEXT = "the cat's hat,  the bat\nsat on the mat<|endoftext|>é 牛 the end aaaa aaa<|endoftext|>" * 3


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "a file.txt"
    file.write_text(TEXT, encoding="utf-8", newline="")
    return file


@pytest.mark.parametrize("name", ladder.RUNGS)
def test_a_rung_learns_the_naive_trainers_merges(path, name):
    (rung,) = ladder.climb(path, 40, [name], workers=2)
    assert rung.merges == train_naive(count_pretokens(TEXT, ["<|endoftext|>"]), 40)
    assert rung.total == rung.counting + rung.merging > 0


def test_all_rungs_come_in_order_when_none_is_named(path):
    assert [rung.name for rung in ladder.climb(path, 2, workers=1)] == list(ladder.RUNGS)


def test_a_rung_that_learns_other_merges_is_an_error(path, monkeypatch):
    monkeypatch.setitem(ladder.RUNGS, "heap", (ladder.count_table, lambda words, count: [(b"x", b"y")]))
    with pytest.raises(RuntimeError, match="heap learned other merges"):
        list(ladder.climb(path, 3, ["unique pre-tokens", "heap"]))
