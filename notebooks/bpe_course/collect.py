"""The reader's passed functions, joined into one module; gaps are filled with the course's solutions.

From each notebook come the exercise cells, and of the other code cells only what these need: imports, and whatever
defines a name that they use.
"""

import ast
import symtable
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import nbformat

from bpe_course.check import examine
from bpe_course.collection import Collection
from bpe_course.exercise import solution_source
from bpe_course.exercises import EXERCISES
from bpe_course.result import NOT_ATTEMPTED, NOT_YET, PASSED
from bpe_course.run import run
from bpe_course.solve import exercise_of, find_notebooks


def statements(paths: Sequence[Path]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return what the notebooks define: for each exercise the statements of its cell, and statements by name."""
    exercises: dict[str, list[str]] = {}
    helpers: dict[str, str] = {}
    for path in find_notebooks(paths):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "code" or "check" in cell.metadata.get("bpe", {}):
                continue
            parts = list(split_statements(cell.source))
            if (exercise_id := exercise_of(cell)) and cell.source.strip():
                exercises[exercise_id] = [source for _, source in parts]
            for names, source in parts:
                helpers.update({name: source for name in names if name not in EXERCISES})
    return exercises, helpers


def split_statements(source: str) -> Iterator[tuple[set[str], str]]:
    """Yield the top-level statements of a cell that define names: imports, functions, classes, assignments."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    lines = source.split("\n")
    for node in tree.body:
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
        if names := defined_names(node):
            yield names, "\n".join(lines[first - 1 : node.end_lineno])


def defined_names(node: ast.stmt) -> set[str]:
    """Return the names that a statement defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return set()


def used_names(source: str) -> list[str]:
    """Return the names that some source takes from outside, each once: no parameters, no local variables.

    >>> used_names("def f(text):\\n    ids = [x for x in text]\\n    return regex.split(GAP, ids)")
    ['regex', 'GAP']
    """
    names: list[str] = []
    tables = [symtable.symtable(source, "<cell>", "exec")]
    while tables:
        table = tables.pop()
        outermost = table.get_type() == "module"
        names += [s.get_name() for s in table.get_symbols() if s.is_referenced() and (s.is_global() or outermost)]
        tables += table.get_children()
    return list(dict.fromkeys(names))


def without_course_imports(source: str) -> str:
    """Return an import statement without the names of exercises, which the module defines itself."""
    node = ast.parse(source).body[0]
    if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("bpe_lib"):
        return source
    kept = [alias for alias in node.names if (alias.asname or alias.name) not in EXERCISES]
    return ast.unparse(ast.ImportFrom(node.module, kept, node.level)) if kept else ""


class Builder:
    """Puts statements one after another, each once, with what they need before them."""

    def __init__(self, helpers: dict[str, str]) -> None:
        self.helpers = helpers
        self.parts: list[str] = []
        self.namespace: dict[str, Any] = {"__name__": "my_bpe"}

    def with_needs(self, parts: list[str], seen: frozenset[str] = frozenset()) -> list[str]:
        """Return the statements with the helpers that they use in front of them."""
        needed: list[str] = []
        own = {name for part in parts for names, _ in split_statements(part) for name in names}
        for part in parts:
            for name in used_names(part):
                helper = self.helpers.get(name)
                if helper and name not in own and name not in seen and helper not in needed:
                    needed += self.with_needs([helper], seen | own | {name})
        return list(dict.fromkeys([*needed, *parts]))

    def try_to_add(self, exercise_id: str, parts: list[str]) -> str:
        """Add the reader's cell if its function passes its check; return the status of that check."""
        wanted = [part for part in map(without_course_imports, self.with_needs(parts)) if part]
        new = [part for part in wanted if part not in self.parts]
        namespace = dict(self.namespace)
        source = "\n\n\n".join(new)
        outcome = run(lambda: exec(compile(source, f"<{exercise_id}>", "exec"), namespace))
        answer = namespace.get(exercise_id)
        if outcome.kind != "value" or answer is None:
            return NOT_YET
        status = examine(EXERCISES[exercise_id], answer).status
        if status == PASSED:
            self.parts += new
            self.namespace = namespace
        return status

    def add_solution(self, exercise_id: str) -> None:
        """Add the course's solution."""
        source = solution_source(EXERCISES[exercise_id])
        parts = [part for part in map(without_course_imports, (s for _, s in split_statements(source))) if part]
        self.parts += [part for part in parts if part not in self.parts]
        exec(compile("\n".join(parts), f"<{exercise_id}>", "exec"), self.namespace)


def collect(paths: Sequence[Path] = ()) -> Collection:
    """Return the reader's functions from notebooks, checked, with gaps filled in.

    Args:
        paths: notebooks, or folders of them; none for `notebooks/`.

    Raises:
        FileNotFoundError: one of them is not there.
    """
    cells, helpers = statements(paths)
    builder, collection = Builder(helpers), Collection()
    for exercise_id in [exercise.id for exercise in EXERCISES.values() if exercise.collected]:
        status = builder.try_to_add(exercise_id, cells[exercise_id]) if exercise_id in cells else NOT_ATTEMPTED
        if status == PASSED:
            collection.mine.append(exercise_id)
            used = used_names("\n".join(cells[exercise_id]))
            collection.borrowed[exercise_id] = [name for name in collection.filled if name in used]
        else:
            builder.add_solution(exercise_id)
            collection.filled.append(exercise_id)
            if status == NOT_YET:
                collection.failed.append(exercise_id)
    imports = [part for part in builder.parts if part.startswith(("import ", "from "))]
    rest = [part for part in builder.parts if part not in imports]
    top = f"{collection.heading()}\n\n" + "\n".join(sorted(imports))
    collection.source = "\n\n\n".join([top, *rest]) + "\n"
    return collection
