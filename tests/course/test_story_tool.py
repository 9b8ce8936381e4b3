"""`python -m stories FILE`, with which maintainers write the stories anew."""

import os
import subprocess
import sys

import pytest

from bpe_course import corpora
from notebook_tools import ROOT


@pytest.fixture
def stories(tmp_path):
    """A function that runs the command in an empty folder, and returns it when it is done."""

    def run(*arguments):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests" / "benchmarks")}
        command = [sys.executable, "-m", "stories", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)

    return run


def test_it_writes_the_stories_that_ship(stories, tmp_path):
    done = stories("new stories.txt")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "new stories.txt").read_bytes() == corpora.path("stories").read_bytes()


def test_it_writes_over_no_file(stories, tmp_path):
    (tmp_path / "mine.txt").write_bytes(b"mine")
    done = stories("mine.txt")
    assert done.returncode == 2 and "there is a file 'mine.txt' already" in done.stderr
    assert (tmp_path / "mine.txt").read_bytes() == b"mine"


def test_it_wants_a_file_and_leaves_the_shipped_one_alone(stories, tmp_path):
    before = corpora.path("stories").stat().st_mtime_ns
    done = stories()
    assert done.returncode == 2 and "file" in done.stderr and list(tmp_path.iterdir()) == []
    assert corpora.path("stories").stat().st_mtime_ns == before
