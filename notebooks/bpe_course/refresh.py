"""Notebooks written anew: their generated cells from the declarations, their outputs from a run, and nothing else.

What is generated are the cells of an exercise, whose `metadata.bpe` says so: the stub, the check, the hints; and the
first code cell. A cell that holds only `exercise_cells("merge_pair")` is replaced by the three of that exercise, one
that holds only `setup_cell()` by the first code cell.

What an output may differ in from machine to machine stays as it is stored: the outputs of cells that are tagged
`nbval-ignore-output`, and whatever `NOISE` names. To have such an output anew, clear it and refresh.

A folded output answers a prediction. Its cell ships as if it had not been run; see `put_away`.
"""

from __future__ import annotations

import ast
import copy
import json
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bpe_course.cells import check_cell, exercise_cell, exercise_cells, hints_cell, setup_cell
from bpe_course.exercises import EXERCISES
from bpe_lib.files import replacing

if TYPE_CHECKING:
    from nbformat import NotebookNode

MAKERS: dict[str, Callable[[str], NotebookNode]] = {
    "exercise": exercise_cell,
    "check": check_cell,
    "hints": hints_cell,
}
"""What `metadata.bpe` says of a generated cell, and what makes it."""

NEW_EXERCISE = re.compile(r'\s*exercise_cells\((["\'])(\w+)\1\)\s*')

NOISE = {
    "pictures": (r"base64,[A-Za-z0-9+/=\s]+", "base64,PICTURE"),
    "colours of code": (r'<span style="(?:color|border|font-\w+): [^"]*">([^<]*)</span>', r"\1"),
}
"""What may differ between two runs of a cell, as in nbval's settings: a pattern, and what replaces it."""

WIDGET = "application/vnd.jupyter.widget-view+json"
COLOUR = re.compile(r"\x1b\[[\d;]*m")
"""A terminal's signs for colours."""
SECONDS = 300
"""How long a cell may take."""


def refresh(path: Path, write: bool = True, everything: bool = False, discard: bool = False) -> list[str]:
    """Write a notebook anew, and return the ids of its cells that were not fresh.

    Args:
        path: the notebook.
        write: False to leave the file as it is.
        everything: replace pictures and what depends on the machine, too.
        discard: put stubs in place of answers.

    Raises:
        FileNotFoundError: the notebook is not there.
        ValueError: a cell raises, sets an exercise that is not declared, or holds an answer and `discard` is False.
            The file is then as it was.
    """
    import nbformat

    before = nbformat.read(path, as_version=4)
    try:
        after = fresh(before, path.parent, everything, discard)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    content = (nbformat.writes(after) + "\n").encode()
    if content == path.read_bytes():
        return []
    if write:
        with replacing(path) as file:
            file.write(content)
    return differing(before, after) or ["format"]


def fresh(notebook: NotebookNode, folder: Path, everything: bool = False, discard: bool = False) -> NotebookNode:
    """Return a notebook with its generated cells and its outputs made anew; it runs in a folder, as shipped."""
    if not discard:
        refuse_answers(notebook)
    made = copy.deepcopy(notebook)
    write_generated(made)
    done = run_as_shipped(made, folder)
    stored = {cell.id: cell for cell in notebook.cells}
    for cell, ran in zip(made.cells, done.cells):
        if cell.cell_type == "code":
            old = stored.get(cell.id)
            cell.execution_count, cell.outputs = ran.execution_count, outputs_of(ran)
            if old and not everything and may_stay(shown(old), cell):
                cell.outputs = renumbered(shown(old).outputs, cell.execution_count)
            put_away(cell)
    return made


def is_folded(cell: NotebookNode) -> bool:
    """Tell whether a cell's output is folded: it answers a prediction."""
    return cell.cell_type == "code" and bool(cell.metadata.get("jupyter", {}).get("outputs_hidden"))


def put_away(cell: NotebookNode) -> None:
    """Take a folded output out of sight: JupyterLab shows the first line of one, or its HTML as text.

    It is kept in `metadata.bpe.folded`, so that the tests compare it as any other. A cell with neither outputs nor
    execution count has not been run, as far as a reader sees.
    """
    if is_folded(cell):
        if "nbval-ignore-output" not in cell.metadata.get("tags", []):
            cell.metadata.setdefault("bpe", {})["folded"] = renumbered(cell.outputs, None)
        cell.outputs, cell.execution_count = [], None
    elif "folded" in cell.metadata.get("bpe", {}):
        del cell.metadata.bpe["folded"]


def shown(cell: NotebookNode) -> NotebookNode:
    """Return a cell with the output that it ships without, or else the cell itself."""
    folded = cell.metadata.get("bpe", {}).get("folded")
    if folded is None:
        return cell
    cell = copy.deepcopy(cell)
    cell.outputs, cell.execution_count = cell.metadata.bpe.pop("folded"), 0  # nbval wants to hear that it was run
    return cell


def write_generated(notebook: NotebookNode) -> list[str]:
    """Write the generated cells of a notebook anew from their declarations, and return the ids of those that changed.

    Raises:
        ValueError: a cell belongs to an exercise that is not declared.
    """
    changed, cells = [], []
    for cell in notebook.cells:
        made = generated(cell)
        for new in made:
            if new is not cell and is_other(new, cell):
                changed.append(new.id)
        cells += made
    notebook.cells = cells
    return changed


def is_other(new: NotebookNode, cell: NotebookNode) -> bool:
    """Tell whether two cells differ in what is generated."""
    return (new.id, new.source, new.metadata) != (cell.id, cell.source, cell.metadata)


def generated(cell: NotebookNode) -> list[NotebookNode]:
    """Return what stands in place of a cell: what its declaration makes, with its outputs, or else the cell itself."""
    new = NEW_EXERCISE.fullmatch(cell.source) if cell.cell_type == "code" else None
    if new:
        return exercise_cells(declared(new[2], cell))
    if "setup" in cell.metadata.get("bpe", {}) or cell.source.strip() == "setup_cell()":
        return [with_outputs(setup_cell(), cell)]
    for kind, make in MAKERS.items():
        if exercise_id := cell.metadata.get("bpe", {}).get(kind):
            return [with_outputs(make(declared(exercise_id, cell)), cell)]
    return [cell]


def with_outputs(made: NotebookNode, cell: NotebookNode) -> NotebookNode:
    """Return a cell that was made, with the outputs of the one that it replaces."""
    for key in {"outputs", "execution_count"} & set(cell):
        made[key] = cell[key]
    return made


def declared(exercise_id: str, cell: NotebookNode) -> str:
    """Return the id of an exercise.

    Raises:
        ValueError: it is not declared.
    """
    if exercise_id not in EXERCISES:
        raise ValueError(f"cell {cell.get('id')} belongs to the exercise {exercise_id!r}, which is not declared")
    return exercise_id


def refuse_answers(notebook: NotebookNode) -> None:
    """Raise ValueError if an exercise's cell holds more than a stub, whichever edition of it: somebody's work."""
    ids = [cell.metadata.get("bpe", {}).get("exercise") for cell in notebook.cells if not is_stub(cell.source)]
    answered = ", ".join(filter(None, ids))
    if answered:
        raise ValueError(f"holds answers ({answered}), which --discard-answers would replace by stubs")


def is_stub(source: str) -> bool:
    """Tell whether a source ends in a function that does no more than raise `NotImplementedError`.

    >>> is_stub("def f():\\n    'Do it.'\\n    raise NotImplementedError"), is_stub("def f():\\n    return 1")
    (True, False)
    """
    try:
        function = ast.parse(source).body[-1]
    except (SyntaxError, IndexError):
        return False
    if not isinstance(function, ast.FunctionDef):
        return False
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return [ast.unparse(statement) for statement in body] == ["raise NotImplementedError"]


def run_as_shipped(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """Return a copy of a notebook, run from top to bottom by this Python as by a reader who has done nothing yet.

    Raises:
        ValueError: a cell raised or took too long; the message names it.
    """
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    begun: list[str] = []
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BPE_")}
    with tempfile.TemporaryDirectory() as nowhere:
        environment["BPE_PROGRESS"] = str(Path(nowhere, "progress.json"))
        try:
            return execute(notebook, folder, environment, lambda cell, **_: begun.append(cell.id))
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            where = f"cell {begun[-1]}" if begun else "the kernel"
            raise ValueError(f"{where} failed: {COLOUR.sub('', str(error))}") from error


def execute(
    notebook: NotebookNode, folder: Path, environment: dict[str, str], begin: Callable[..., None] | None = None
) -> NotebookNode:
    """Return a copy of a notebook, run in a folder by a kernel of this Python, whatever kernel it names.

    Args:
        notebook: what to run.
        folder: where its kernel stands.
        environment: all of the kernel's environment variables.
        begin: called before each code cell, with `cell=` it.

    Raises:
        CellExecutionError: a cell raised.
        CellTimeoutError: a cell took more than `SECONDS`.
        DeadKernelError: the kernel ended.
    """
    import ipykernel.kernelspec
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    class ThisPython(KernelSpecManager):
        def get_kernel_spec(self, _name: str) -> KernelSpec:
            return KernelSpec(**ipykernel.kernelspec.get_kernel_dict(["--log-level=ERROR"]))

    done = copy.deepcopy(notebook)
    manager = AsyncKernelManager(kernel_spec_manager=ThisPython())
    options = {"timeout": SECONDS, "record_timing": False, "coalesce_streams": True, "store_widget_state": False}
    client = NotebookClient(done, km=manager, resources={"metadata": {"path": str(folder)}}, **options)
    client.on_cell_execute = begin
    client.execute(env=environment, cleanup_kc=True)
    return done


def outputs_of(cell: NotebookNode) -> list[NotebookNode]:
    """Return the outputs of a cell that was run, without views of widgets, which show nothing in a page."""
    for output in cell.outputs:
        output.get("data", {}).pop(WIDGET, None)
    return cell.outputs


def may_stay(old: NotebookNode, new: NotebookNode) -> bool:
    """Tell whether the stored outputs of a cell are as good as new ones: they differ in nothing that is compared."""
    if "nbval-ignore-output" in new.metadata.get("tags", []):
        return bool(old.outputs)
    return quiet(old.outputs) == quiet(new.outputs)


def quiet(outputs: list[NotebookNode]) -> str:
    """Return outputs as text, without what may differ between two runs."""
    parts = []
    for output in renumbered(outputs, None):
        values = output.get("data") or {"text": output.get("text", "")}
        for pattern, replacement in NOISE.values():
            values = {k: re.sub(pattern, replacement, v) if isinstance(v, str) else v for k, v in values.items()}
        parts.append([output.output_type, output.get("name"), values])
    return json.dumps(parts, sort_keys=True)


def renumbered(outputs: list[NotebookNode], count: int | None) -> list[NotebookNode]:
    """Return a copy of outputs that say to belong to the execution with this number."""
    outputs = copy.deepcopy(outputs)
    for output in outputs:
        if "execution_count" in output:
            output.execution_count = count
    return outputs


def differing(before: NotebookNode, after: NotebookNode) -> list[str]:
    """Return the ids of cells of a notebook that are new or not as they were."""
    stored = {cell.get("id"): cell for cell in before.cells}
    return [cell.id for cell in after.cells if cell != stored.get(cell.id)]
