"""The notebooks run: solved, with every check passing and every claim of the prose true; and as shipped.

The run as shipped is nbval's (`--nbval` in pyproject.toml); what is tested here is what those outputs say.
"""

import copy
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from bpe_course import EXERCISES, NOTEBOOKS, check_cell, exercise_cells, solution_source
from bpe_course.notebooks import readme_table
from bpe_course.refresh import MAKERS, write_generated
from notebook_tools import (
    ENVIRONMENT,
    FOLDER,
    ROOT,
    about,
    claim_code,
    exercises_of,
    load,
    paths,
    run,
    statuses,
    with_claims,
)
from shipped import as_they_stand, shipped_path

every_notebook = pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)


def entries(folder: Path) -> set[str]:
    """Return all that is in a folder, save what a reader or Jupyter keeps beside notebooks."""
    kept = (".ipynb_checkpoints", ".bpe_progress.json")
    names = (entry.relative_to(folder) for entry in folder.rglob("*"))
    return {str(name) for name in names if not set(name.parts) & set(kept)}


@pytest.fixture(scope="session")
def solved_folder(tmp_path_factory) -> Path:
    """A folder with solved copies of all notebooks, made as a teacher makes them. Its path holds a space."""
    folder = tmp_path_factory.mktemp("solved") / "my course"
    shipped = [str(shipped_path(path)) for path in paths() if shipped_path(path)]
    command = [sys.executable, "-m", "bpe_course", "solve", str(folder), *shipped]
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    done = subprocess.run(command, capture_output=True, text=True, cwd=elsewhere, env=ENVIRONMENT)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@every_notebook
def test_a_solved_notebook_passes_every_check_and_its_claims_are_true(path, solved_folder, tmp_path):
    load(path)  # skips what a reader has changed, if there is no copy as shipped
    before, shipped = entries(solved_folder), entries(FOLDER)
    progress = tmp_path / "progress.json"
    solved = nbformat.read(solved_folder / path.name, as_version=4)
    done = run(solved, solved_folder, BPE_STRICT="1", BPE_PROGRESS=str(progress))
    exercises = exercises_of(path.stem)
    assert statuses(done) == dict.fromkeys(exercises, "passed")
    assert json.loads(progress.read_text("utf-8"))["passed"] == sorted(exercises)
    assert entries(solved_folder) == before, "a run left something beside the notebooks"
    assert entries(FOLDER) == shipped


def test_the_notebooks_are_those_of_the_table():
    assert list(NOTEBOOKS) == [f"{number:02}" for number in range(len(NOTEBOOKS))]
    if not as_they_stand() and not all(path.exists() for path in paths()):
        pytest.skip("a notebook of the course is not in your folder")
    assert [path.name for path in paths() if not path.exists()] == []


def test_nothing_else_is_beside_the_notebooks():
    there = {name for name in entries(FOLDER) if Path(name).parts[0] != "bpe_course"}
    course = {notebook.file for notebook in NOTEBOOKS.values()}
    if not as_they_stand() and there != course:
        pytest.skip(f"your folder has more, or fewer, notebooks than the course: {', '.join(sorted(there ^ course))}")
    assert there == course


def test_the_table_of_the_readme_is_that_of_the_course():
    assert readme_table() in (ROOT / "README.md").read_text("utf-8"), f"README.md should hold\n{readme_table()}"


@pytest.mark.parametrize("module", [module for notebook in NOTEBOOKS.values() for module in notebook.modules])
def test_the_modules_with_the_finished_code_are_there(module):
    assert importlib.util.find_spec(f"bpe_lib.{module}")


@every_notebook
def test_stored_checks_say_not_attempted(path):
    assert statuses(load(path).node) == dict.fromkeys(exercises_of(path.stem), "not attempted")


@every_notebook
def test_exercises_are_those_of_the_course_and_agree_with_their_declarations(path):
    found = [(about(cell, kind), kind) for cell in load(path).cells for kind in MAKERS if about(cell, kind)]
    assert found == [(exercise, kind) for exercise in exercises_of(path.stem) for kind in MAKERS]
    stale = write_generated(copy.deepcopy(load(path).node))
    assert stale == [], f"not fresh; write them anew: python -m bpe_course refresh notebooks/{path.name}"


def test_every_exercise_that_was_promised_is_there_in_its_notebook_and_order():
    promised = json.loads((ROOT / "tests" / "course" / "inventory.json").read_text("utf-8"))["exercises"]
    assert [id_ for id_ in EXERCISES if id_ in promised] == list(promised)
    assert {id_: EXERCISES[id_].notebook for id_ in promised} == {
        id_: declared["notebook"] for id_, declared in promised.items()
    }
    assert {exercise.notebook for exercise in EXERCISES.values()} <= set(NOTEBOOKS)


# The tools above, tried on notebooks that must fail.


def small_notebook(*cells: NotebookNode) -> NotebookNode:
    """Return a notebook of an import cell and some more."""
    return new_notebook(cells=[new_code_cell("from bpe_course import check\nlength = 3"), *cells])


def claiming(claim: str, **options: str) -> NotebookNode:
    """Return a Markdown cell that claims something."""
    return new_markdown_cell("So it is.", metadata={"bpe": {"claims": [claim]}}, **options)


def test_a_false_claim_makes_the_run_fail_at_its_point_of_the_notebook(tmp_path):
    true, later = claiming("assert length == 3"), new_code_cell("length = 4")
    with pytest.raises(CellExecutionError) as error:
        run(small_notebook(true, later, claiming("assert length == 3", id="liar")), tmp_path)
    assert "claimed in cell liar" in str(error.value)
    assert re.sub(r"\x1b\[[\d;]*m", "", str(error.value)).rstrip().endswith("AssertionError: 4")


@pytest.mark.parametrize(
    "claim",
    [
        "length == 3",
        "length = 3",
        "assert length; length",
        "assert True",
        "assert (length, 3)",
        "",
        3,
        "assert lambda: 0",
    ],
)
def test_a_claim_that_is_no_assertion_or_cannot_fail_is_refused(claim):
    with pytest.raises(ValueError, match="claim"):
        with_claims(small_notebook(claiming(claim)))


def test_claims_that_are_no_list_are_refused():
    with pytest.raises(ValueError, match="must be a list"):
        with_claims(small_notebook(new_markdown_cell("", metadata={"bpe": {"claims": "assert length"}})))


def test_a_claim_keeps_its_meaning():
    assert claim_code("assert all(x > 1 for x in xs)") == "assert all((x > 1 for x in xs))"
    assert claim_code("assert a == b, 'why'") == "assert a == b, 'why'"


def test_a_strict_run_fails_at_a_check_that_does_not_pass(tmp_path):
    with pytest.raises(CellExecutionError, match="not attempted"):
        run(small_notebook(*exercise_cells("utf8_bytes")), tmp_path, BPE_STRICT="1")


def test_a_run_tells_how_each_check_ended_and_what_it_left_behind(tmp_path):
    node = small_notebook(*exercise_cells("utf8_bytes"), *exercise_cells("decode_tokens"))
    node.cells[1].source = solution_source(EXERCISES["utf8_bytes"])
    done = run(node, tmp_path, BPE_STRICT="", BPE_PROGRESS="left.json")
    assert statuses(done) == {"utf8_bytes": "passed", "decode_tokens": "not attempted"}
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints" / "a.ipynb").touch()
    assert entries(tmp_path) == {"left.json"}


def test_a_check_without_output_has_no_status():
    assert statuses(small_notebook(check_cell("utf8_bytes"))) == {"utf8_bytes": "shows no status"}
