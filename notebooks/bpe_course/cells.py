"""Cells for the notebooks: exercise, check and hints, made from the declaration."""

import hashlib
import re
from typing import TYPE_CHECKING, Any

from bpe_course.exercise import Exercise, solution_source, stub_source
from bpe_course.exercises import EXERCISES
from bpe_course.hints import difficulty_words, hints_markdown

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = [
    "check_cell",
    "code_cell",
    "exercise_cell",
    "exercise_cells",
    "hints_cell",
    "markdown_cell",
    "setup_cell",
    "stub",
]

SETUP = """
# Does nothing where the course is installed. In Colab, give it the project's ZIP file.
import importlib.util
import sys

if not importlib.util.find_spec("bpe_course"):
    if "google.colab" not in sys.modules:
        raise ModuleNotFoundError(f"{sys.executable} doesn't have the course: see the project's README")
    from google.colab import files

    get_ipython().run_line_magic("pip", f'install -q "{next(iter(files.upload()))}"')
""".strip()
"""The first code of each notebook, for readers who opened it alone."""


def v4() -> Any:
    """Return nbformat's module for today's format. Loading it takes seconds, and no reader's cell needs it."""
    from nbformat import v4

    return v4


def cell_id(kind: str, name: str) -> str:
    """Return a fixed id for a cell: letters, digits, `-`, at most 64."""
    return re.sub(r"[^a-zA-Z0-9-]", "-", f"{kind}-{name}")[:64]


def code_cell(source: str, name: str = "", **metadata: object) -> "NotebookNode":
    """Return a code cell with a fixed id, made from `name` or else from its source."""
    name = name or hashlib.sha256(source.encode()).hexdigest()[:10]
    return v4().new_code_cell(source, id=cell_id("code", name), metadata=metadata)


def markdown_cell(source: str, name: str = "", **metadata: object) -> "NotebookNode":
    """Return a Markdown cell with a fixed id, made from `name` or else from its source."""
    name = name or hashlib.sha256(source.encode()).hexdigest()[:10]
    return v4().new_markdown_cell(source, id=cell_id("text", name), metadata=metadata)


def setup_cell() -> "NotebookNode":
    """Return the first code cell of each notebook: it installs the course, or says what is missing."""
    return v4().new_code_cell(SETUP, id="code-setup", metadata={"bpe": {"setup": True}})


def stub(exercise_id: str) -> str:
    """Return the source of an exercise's cell: imports, signature, docstring, `raise NotImplementedError`."""
    return stub_source(EXERCISES[exercise_id])


def exercise_cell(exercise_id: str) -> "NotebookNode":
    """Return the cell that the reader fills in."""
    metadata = {"tags": ["exercise"], "bpe": {"exercise": exercise_id}}
    return v4().new_code_cell(stub(exercise_id), id=cell_id("exercise", exercise_id), metadata=metadata)


def check_cell(exercise_id: str) -> "NotebookNode":
    """Return the cell that checks the reader's function; it can't be edited or deleted by accident."""
    metadata = {"editable": False, "deletable": False, "tags": ["check"], "bpe": {"check": exercise_id}}
    source = f'check("{exercise_id}", {exercise_id})'
    return v4().new_code_cell(source, id=cell_id("check", exercise_id), metadata=metadata)


def hints_cell(exercise_id: str) -> "NotebookNode":
    """Return the Markdown cell with folded hints and the way to the solution."""
    metadata = {"bpe": {"hints": exercise_id}}
    return v4().new_markdown_cell(hints_markdown(exercise_id), id=cell_id("hints", exercise_id), metadata=metadata)


def exercise_cells(exercise_id: str) -> "list[NotebookNode]":
    """Return the three cells of an exercise in their order: exercise, check, hints."""
    return [exercise_cell(exercise_id), check_cell(exercise_id), hints_cell(exercise_id)]


def describe(exercise: Exercise) -> str:
    """Return minutes and difficulty in a line."""
    return f"{exercise.minutes} min · {difficulty_words(exercise.difficulty)}"


def solved(exercise_id: str) -> str:
    """Return the source of a solved cell."""
    return solution_source(EXERCISES[exercise_id])
