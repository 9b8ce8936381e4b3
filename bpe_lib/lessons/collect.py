"""The reader's passed functions, joined into one module; gaps are filled with the course's solutions.

From each notebook come the exercise cells, and of the other code cells only what these need: imports, and whatever
defines a name that they use.
"""

import ast
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

from bpe_lib.lessons.check import examine
from bpe_lib.lessons.exercise import solution_source
from bpe_lib.lessons.exercises import EXERCISES
from bpe_lib.lessons.result import PASSED
from bpe_lib.lessons.run import run
from bpe_lib.lessons.solve import exercise_of, find_notebooks

HEADING = '"""My own byte-level BPE, collected from the notebooks.\n\n{lists}\n"""'


@dataclass
class Collection:
    """A module in the making.

    Attributes:
        mine: ids of the reader's functions that passed.
        filled: ids of those that were filled in with the course's solution.
        source: the module's source.
        borrowed: for some of the reader's functions, those filled in that they call.
    """

    mine: list[str] = field(default_factory=list)
    filled: list[str] = field(default_factory=list)
    source: str = ""
    borrowed: dict[str, list[str]] = field(default_factory=dict)

    def lists(self) -> str:
        """Return what is whose: a function of the reader's may call the course's."""
        mine = [self.with_borrowed(exercise_id) for exercise_id in self.mine]
        return f"yours: {', '.join(mine) or 'none yet'}\nfilled in: {', '.join(self.filled) or 'none'}"

    def with_borrowed(self, exercise_id: str) -> str:
        """Return the id of a function of the reader's, with those of the course that it calls."""
        others = self.borrowed.get(exercise_id)
        return f"{exercise_id} (on top of the course's {' and '.join(others)})" if others else exercise_id

    def __repr__(self) -> str:
        return f"{self.lists()}\n(from your notebooks as they were last saved: save them first)"


def statements(paths: Sequence[Path]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return what the notebooks define: for each exercise the statements of its cell, and statements by name."""
    exercises: dict[str, list[str]] = {}
    helpers: dict[str, str] = {}
    for path in find_notebooks(paths):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type != "code" or "check" in cell.metadata.get("bpe", {}):
                continue
            parts = list(split_statements(cell.source))
            if exercise_id := exercise_of(cell):
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
    """Return the names that a piece of source takes from outside, each once: no parameters, no local variables.

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

    def try_to_add(self, exercise_id: str, parts: list[str]) -> bool:
        """Add the reader's cell if its function passes its check; tell whether it did."""
        wanted = [part for part in map(without_course_imports, self.with_needs(parts)) if part]
        new = [part for part in wanted if part not in self.parts]
        namespace = dict(self.namespace)
        source = "\n\n\n".join(new)
        outcome = run(lambda: exec(compile(source, f"<{exercise_id}>", "exec"), namespace))
        answer = namespace.get(exercise_id)
        if outcome.kind != "value" or answer is None or examine(EXERCISES[exercise_id], answer).status != PASSED:
            return False
        self.parts += new
        self.namespace = namespace
        return True

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
    """
    cells, helpers = statements(paths)
    builder, collection = Builder(helpers), Collection()
    for exercise_id in EXERCISES:
        if exercise_id.startswith("break_") or exercise_id == "invalid_utf8":
            continue
        if exercise_id in cells and builder.try_to_add(exercise_id, cells[exercise_id]):
            collection.mine.append(exercise_id)
            used = used_names("\n".join(cells[exercise_id]))
            collection.borrowed[exercise_id] = [name for name in collection.filled if name in used]
        else:
            builder.add_solution(exercise_id)
            collection.filled.append(exercise_id)
    heading = HEADING.format(lists=collection.lists().replace(", ", ",\n    "))
    imports = [part for part in builder.parts if part.startswith(("import ", "from "))]
    rest = [part for part in builder.parts if part not in imports]
    collection.source = "\n\n".join([heading, "\n".join(sorted(imports))]) + "\n\n\n" + "\n\n\n".join(rest) + "\n"
    return collection
