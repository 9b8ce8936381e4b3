"""Solved copies of the notebooks: each exercise cell gets the solution in place of its source."""

from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from bpe_course.exercise import solution_source
from bpe_course.exercises import EXERCISES

FOLDER = Path("notebooks")


def exercise_of(cell: NotebookNode) -> str:
    """Return the id of the exercise that a cell sets, or an empty string."""
    return cell.metadata.get("bpe", {}).get("exercise", "") if cell.cell_type == "code" else ""


def solve_notebook(notebook: NotebookNode) -> list[str]:
    """Fill the solutions in, drop all outputs, and return the ids of the exercises that were solved.

    Raises:
        ValueError: a cell sets an exercise that is not declared.
    """
    solved = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if exercise_id := exercise_of(cell):
            if exercise_id not in EXERCISES:
                raise ValueError(f"cell {cell.get('id')} sets the exercise {exercise_id!r}, which is not declared")
            cell.source = solution_source(EXERCISES[exercise_id])
            solved.append(exercise_id)
    return solved


def find_notebooks(paths: Sequence[Path]) -> list[Path]:
    """Return the notebooks among these files and in these folders, sorted by name.

    Raises:
        FileNotFoundError: a file or folder is not there.
    """
    found = []
    for path in paths or [FOLDER]:
        if not path.exists():
            kind = "notebook" if path.suffix == ".ipynb" else "folder"
            raise FileNotFoundError(f"there is no {kind} '{path}' (looked from {Path.cwd()})")
        found += sorted(path.glob("*.ipynb")) if path.is_dir() else [path]
    return found


def solve(out: Path, paths: Sequence[Path] = ()) -> list[Path]:
    """Write solved copies of notebooks into a folder, and return where they are.

    Args:
        out: the folder; it is made if need be.
        paths: notebooks, or folders of them; none for `notebooks/`.

    Raises:
        ValueError: a notebook would be written over itself.
    """
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for path in find_notebooks(paths):
        target = out / path.name
        if target.resolve() == path.resolve():
            raise ValueError(f"{path} would be written over itself: give another folder")
        notebook = nbformat.read(path, as_version=4)
        solve_notebook(notebook)
        nbformat.write(notebook, target)
        written.append(target)
    return written
