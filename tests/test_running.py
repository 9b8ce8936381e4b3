"""How the tests run: one file at once, folders in parallel, and notebooks as they ship though a reader changed them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from notebook_tools import paths
from running import SLOWEST, place_in_order
from shipped import ROOT, changes, current_change, report, shipped_text, why_skipped

needs_git = pytest.mark.skipif(not shutil.which("git"), reason="git is missing")


def run_pytest(*words: str, folder: Path = ROOT, **environment: str) -> str:
    """Run pytest in a folder, as a reader does, and return what it prints; it must succeed."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "CI"))}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=folder, env={**ours, **environment}, capture_output=True, timeout=240)
    printed = done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")
    assert done.returncode == 0, printed
    return printed


def test_one_file_runs_at_once_and_takes_a_debugger():
    printed = run_pytest("tests/library/test_files.py", "--pdb")
    assert "nbval" not in printed and "workers" not in printed
    assert " passed" in printed


def test_a_folder_runs_in_parallel():
    printed = run_pytest("tests/support", "-k", "words_of")
    assert "files at a time" in printed and "workers [" in printed
    assert "1 passed" in printed


def test_what_is_asked_for_wins():
    printed = run_pytest("tests/support", "-k", "words_of", "-n0", "-x")
    assert "workers" not in printed
    assert "1 passed" in printed


@pytest.mark.skipif(sys.platform == "win32", reason="no such shell there")
@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_in_the_background_interrupts_are_heeded(workers):
    """A shell lets what runs as `pytest &` ignore Ctrl-C, and every process inherits that."""
    test = "test_an_interrupt_of_a_process_that_works_alone[to the one process]"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-q",
        workers,
        f"tests/library/test_command_line.py::{test}",
    ]
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ignoring = ["sh", "-c", 'trap "" INT; "$@" & wait $!', "sh", *command]
    done = subprocess.run(ignoring, cwd=ROOT, env=ours, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_a_notebook_runs_with_nbval():
    cells = nbformat.reads(shipped_text(paths()[0]), as_version=4).cells
    printed = run_pytest(f"notebooks/{paths()[0].name}", "--collect-only", "-q")
    count = sum(cell.cell_type == "code" for cell in cells)
    assert f"{count} tests collected" in printed


def test_the_slowest_files_come_first():
    files = ["bpe_lib/naive.py::a", "tests/library/test_tokenizer.py::b", "tests/notebooks/test_browser.py::c"]
    assert sorted(files, key=place_in_order) == files[::-1]
    assert [start for start in SLOWEST if not any(ROOT.glob(f"{start}*"))] == []


# What a reader does.


def solve(node: dict, half: int = 1) -> None:
    """Solve every second exercise, or all, in the reader's own way; what a cell shows changes with it."""
    exercises = [cell for cell in node["cells"] if cell["metadata"].get("bpe", {}).get("exercise")]
    for cell in exercises[::half]:
        cell["source"] = [line.replace("raise NotImplementedError", "return 42") for line in cell["source"]]
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": ["42\n"]}]


def save(node: dict) -> None:
    """Save as Jupyter does after a run."""
    node["metadata"]["language_info"] = {"name": "python", "version": "3.12.1", "mimetype": "text/x-python"}
    for number, cell in enumerate(cell for cell in node["cells"] if cell["cell_type"] == "code"):
        cell["execution_count"] = number + 100


def add_a_cell(node: dict) -> None:
    """Try something in a cell of one's own, and save."""
    mine = {"id": "5ad3b1c2", "cell_type": "code", "metadata": {}, "execution_count": 7, "source": ["1 / 0"]}
    node["cells"].insert(3, mine | {"outputs": []})
    save(node)


def guess(node: dict) -> None:
    """Make the predictions of a notebook."""
    for cell in node["cells"]:
        cell["source"] = [line.replace(", None)", ", 3)") for line in cell["source"]]


READER = {
    "00": (solve, "bytes_per_token is solved"),
    "01": (guess, "a prediction is made"),
    "02": (save, "saved after a run"),
    "03": (add_a_cell, "saved after a run"),
    "04": (lambda node: [solve(node, 2), save(node)], "count_pairs is solved"),
}
"""What a reader does to a notebook, and how that is named."""


def shipped(number: str) -> str:
    """Return a notebook's JSON as it ships."""
    (path,) = (path for path in paths() if path.name.startswith(number))
    return shipped_text(path) or pytest.skip(why_skipped(path))


@pytest.mark.parametrize("number", READER)
def test_what_a_reader_did_is_seen(number):
    node = json.loads(shipped(number))
    change, name = READER[number]
    change(node)
    assert changes(json.dumps(node)) == name


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
def test_what_ships_is_nobodys(path):
    assert changes(shipped(path.stem)) == ""


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"cells": [{}]}', '{"cells": [], "metadata": 3}'])
def test_what_is_no_notebook_is_damaged(text):
    assert changes(text) == "damaged"


def test_what_is_no_file_is_deleted_and_what_is_no_text_is_damaged(tmp_path):
    (tmp_path / "a.ipynb").write_bytes(b"\xff")
    assert [current_change(tmp_path / name) for name in ("a.ipynb", "b.ipynb")] == ["damaged", "deleted"]


def test_continuous_integration_sees_what_stands_there(monkeypatch, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text("{}")
    monkeypatch.delenv("CI", raising=False)
    assert report([path]) == ["notebooks you have changed, not tested: a (damaged)"]
    monkeypatch.setenv("CI", "true")
    assert (shipped_text(path), report([path])) == ("{}", [])


@pytest.fixture
def half_way(tmp_path) -> Path:
    """A copy of the project as it ships, with a space in its name."""
    home = tmp_path / "half way"
    skipped = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "*.ipynb", "benchmarks")
    for name in ("bpe_lib", "notebooks", "tests"):
        shutil.copytree(ROOT / name, home / name, ignore=skipped)
    for path in paths():
        (home / "notebooks" / path.name).write_text(shipped(path.stem), encoding="utf-8", newline="\n")
    shutil.copy(ROOT / "pyproject.toml", home)
    return home


def read_half(home: Path) -> None:
    """Do to the notebooks of a copy what readers do."""
    notebooks = sorted((home / "notebooks").glob("*.ipynb"))
    for path, (change, _) in zip(notebooks, READER.values()):
        node = json.loads(path.read_text(encoding="utf-8"))
        change(node)
        path.write_text(json.dumps(node), encoding="utf-8")
    notebooks[5].unlink()
    notebooks[6].write_text("{", encoding="utf-8")
    shutil.copy(notebooks[0], home / "notebooks" / "Untitled.ipynb")


TOUCHY = "out_of_sight or was_run or is_valid or not_attempted or declarations or of_the_table or beside_the or Cell"
"""The tests that a reader's work would upset."""


def run_touchy_tests(home: Path) -> str:
    """Run those tests in a copy in which a reader is at work, and return what is printed."""
    words = ["tests/notebooks/test_notebook_lint.py", "tests/notebooks/test_notebooks.py"]
    return run_pytest(*words, "notebooks/00_start_here.ipynb", "-k", TOUCHY, "-rs", folder=home)


@needs_git
def test_the_notebooks_of_a_reader_are_tested_as_committed(half_way):
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *words], cwd=half_way, check=True)
    read_half(half_way)
    printed = run_touchy_tests(half_way)
    assert "tested as last committed: 00_start_here (bytes_per_token is solved), 01" in printed
    assert "06_parallelism (damaged)" in printed
    assert "2 skipped" in printed and "05_inverted_index_merging.ipynb, Untitled.ipynb" in printed


def test_the_notebooks_of_a_reader_are_left_alone_where_no_others_are(half_way):
    read_half(half_way)
    printed = run_touchy_tests(half_way)
    assert "not tested: 00_start_here (bytes_per_token is solved), 01" in printed
    assert "04_naive_merging.ipynb is yours (count_pairs is solved), and there is no commit of it" in printed
