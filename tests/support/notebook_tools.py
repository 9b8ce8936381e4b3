"""What the tests of the notebooks share: reading notebooks, running them, names in their code.

nbformat and Jupyter's clients take seconds to import; the functions that need them do so themselves.
"""

from __future__ import annotations

import ast
import os
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bpe_course import EXERCISES, NOTEBOOKS
from shipped import FOLDER, ROOT, shipped_text, why_skipped

if TYPE_CHECKING:
    from nbformat import NotebookNode

    from bpe_course.notebooks import Notebook

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(FOLDER), os.environ.get("PYTHONPATH", "")])}
"""In which kernels and commands run: with the library of this checkout, installed or not."""


def exercises_of(name: str) -> tuple[str, ...]:
    """Return the ids of the exercises that are declared for a notebook, in order; its number begins its name."""
    return tuple(exercise.id for exercise in EXERCISES.values() if exercise.notebook == name[:2])


@dataclass(frozen=True)
class Book:
    """A notebook and what a rule needs to know about it.

    Attributes:
        name: its file, without `.ipynb`.
        node: the notebook.
        files: names that a relative link may lead to.
    """

    name: str
    node: NotebookNode
    files: frozenset[str] = field(default_factory=frozenset)

    @property
    def plan(self) -> Notebook:
        """What the course plans for it."""
        return NOTEBOOKS[self.name[:2]]

    @property
    def cells(self) -> list[NotebookNode]:
        """All cells."""
        return self.node.cells

    @property
    def code(self) -> list[NotebookNode]:
        """The code cells."""
        return [cell for cell in self.cells if cell.cell_type == "code"]

    @property
    def markdown(self) -> list[NotebookNode]:
        """The Markdown cells."""
        return [cell for cell in self.cells if cell.cell_type == "markdown"]

    @property
    def opening(self) -> str:
        """The Markdown before the first code cell."""
        first = next((i for i, cell in enumerate(self.cells) if cell.cell_type == "code"), len(self.cells))
        return "\n\n".join(cell.source for cell in self.cells[:first])


def paths() -> list[Path]:
    """Return where the notebooks of the course are. Others in their folder are a reader's."""
    return [FOLDER / notebook.file for notebook in NOTEBOOKS.values()]


@cache
def load(path: Path) -> Book:
    """Return a notebook as it ships; skip the test if that is not to be had, for a reader has changed it.

    Links may lead to what is there and to all of the course.
    """
    import nbformat

    if not shipped_text(path):
        pytest.skip(why_skipped(path))
    course = {notebook.file for notebook in NOTEBOOKS.values()}
    there = {entry.name for entry in FOLDER.iterdir()}
    return Book(path.stem, nbformat.reads(shipped_text(path), as_version=4), frozenset(course | there))


def about(cell: NotebookNode, key: str) -> object:
    """Return what `metadata.bpe` of a cell says under a key, such as "exercise", "check", "hints" or "claims"."""
    return cell.metadata.get("bpe", {}).get(key)


def tags(cell: NotebookNode) -> list[str]:
    """Return a cell's tags."""
    return cell.metadata.get("tags", [])


def output_texts(cell: NotebookNode) -> list[str]:
    """Return what a code cell shows as plain text: streams, and the text of each displayed value."""
    outputs = cell.get("outputs", [])
    return [out.get("text", "") or out.get("data", {}).get("text/plain", "") for out in outputs]


def statuses(node: NotebookNode) -> dict[str, str]:
    """Return, for each check cell of a notebook in order, the status that it shows, such as "not attempted"."""
    found = {}
    for cell in node.cells:
        exercise = about(cell, "check")
        if exercise:
            shown = re.findall(rf"^\S {exercise}: (\w[\w ]*)\.", "\n".join(output_texts(cell)), re.M)
            found[exercise] = shown[0] if len(shown) == 1 else f"shows {shown or 'no status'}"
    return found


def claim_code(claim: object) -> str:
    """Return the code that checks a claim, with the value that it got in the message.

    >>> claim_code("assert len(b'ab') == 2")
    "assert len(b'ab') == 2, repr(len(b'ab'))"

    Raises:
        ValueError: the claim is not one `assert`, or it claims nothing.
    """
    body = ast.parse(claim).body if isinstance(claim, str) else []
    if len(body) != 1 or not isinstance(body[0], ast.Assert):
        raise ValueError(f"a claim must be one assert statement: {claim!r}")
    statement = body[0]
    if isinstance(statement.test, (ast.Constant, ast.Tuple, ast.Lambda)):
        raise ValueError(f"this claim can't fail: {claim!r}")
    if statement.msg is None and isinstance(statement.test, ast.Compare):
        statement.msg = ast.Call(ast.Name("repr"), [statement.test.left], [])
    return ast.unparse(statement)


def claims(cell: NotebookNode) -> list[str]:
    """Return the code that checks the claims of a cell."""
    found = about(cell, "claims") or []
    if not isinstance(found, list):
        raise ValueError(f"the claims of cell {cell.id} must be a list, not {type(found).__name__}")
    return [claim_code(claim) for claim in found]


def with_claims(node: NotebookNode) -> NotebookNode:
    """Return a copy of a notebook with a code cell for each claim, below the cell that claims it."""
    import nbformat

    copy = nbformat.v4.new_notebook(metadata=node.metadata)
    for cell in node.cells:
        copy.cells.append(nbformat.from_dict(cell))
        for code in claims(cell):
            comment = f"# claimed in cell {cell.id}"
            copy.cells.append(nbformat.v4.new_code_cell(f"{comment}\n{code}"))
    return copy


def run(node: NotebookNode, folder: Path, **environment: str) -> NotebookNode:
    """Run a notebook and its claims in a new kernel, in a folder; return it with its outputs.

    Raises:
        CellExecutionError: a cell raised, or a claim is false.
        ValueError: a claim isn't an assertion.
    """
    from bpe_course.refresh import execute

    return execute(with_claims(node), folder, {**ENVIRONMENT, **environment})


def prose(cell: NotebookNode) -> str:
    """Return the running text of a Markdown cell, and its headings.

    No tables, code blocks and pictures, nothing folded, no hints of an exercise; of links, what is seen.
    """
    if cell.cell_type != "markdown" or about(cell, "hints"):
        return ""
    text = re.sub(r"<details>.*?</details>", "", without_code_blocks(cell.source), flags=re.S)
    text = re.sub(r"^\s*\|.*$", "", text, flags=re.M)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)|</?[a-zA-Z][^>]*>", "", text)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def without_code_blocks(source: str) -> str:
    """Return Markdown without its fenced blocks."""
    return re.sub(r"^(```+|~~~+).*?^\1\s*$", "", source, flags=re.M | re.S)


def count_words(text: str) -> int:
    """Return how many words a text has: stretches without spaces that hold a letter or a digit.

    >>> count_words("Each `a b` · has **two** bytes")
    6
    """
    return sum(bool(re.search(r"\w", stretch)) for stretch in text.split())


def headings(book: Book) -> list[tuple[NotebookNode, int, str]]:
    """Return cell, level and text of all headings."""
    return [
        (cell, len(marks), text)
        for cell in book.markdown
        for marks, text in re.findall(r"^(#+)\s+(.*?)\s*$", without_code_blocks(cell.source), flags=re.M)
    ]


def statements(cell: NotebookNode) -> list[ast.stmt]:
    """Return the statements of a code cell; none where it isn't Python."""
    try:
        return ast.parse(cell.source).body
    except SyntaxError:
        return []


SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def bound_names(node: ast.AST) -> set[str]:
    """Return the names that code gives a value to, those inside functions and comprehensions left out."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).split(".")[0]}
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Store) else set()
    if isinstance(node, SCOPES):
        return set()
    return set().union(*map(bound_names, ast.iter_child_nodes(node)))


def read_names(node: ast.AST) -> set[str]:
    """Return the names that code takes from outside; names of its inner functions and comprehensions left out."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    names = set().union(*map(read_names, ast.iter_child_nodes(node)))
    if isinstance(node, ast.AugAssign):
        names |= bound_names(node.target)
    if isinstance(node, SCOPES):
        arguments = {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}
        names -= arguments.union(*map(bound_names, ast.iter_child_nodes(node)))
    return names


def needed_names(cell: NotebookNode) -> set[str]:
    """Return the names that a cell needs from other cells: read before it gives them a value itself.

    >>> import nbformat
    >>> sorted(needed_names(nbformat.v4.new_code_cell("a = b\\nfor c in a:\\n    print(c, d)")))
    ['b', 'd', 'print']
    """
    needed, have = set(), set()
    for statement in statements(cell):
        bound = bound_names(statement)
        at_once = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        needed |= read_names(statement) - have - (set() if at_once else bound)
        have |= bound
    return needed
