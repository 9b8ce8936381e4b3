"""The house: what may import what, how large it is, and that all of its rooms are packed."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIBRARY, COURSE = ROOT / "bpe_lib", ROOT / "notebooks" / "bpe_course"
TAUGHT = (
    *("chunking", "pretokenization", "naive", "indexed", "parallel"),
    *("vocabulary", "encoding", "tokenizer", "training", "datasets"),
)
"""The modules of `bpe_lib` that the notebooks teach."""
MOST_LINES, MOST_TAUGHT_LINES = 4_000, 1_500
HEAVY = ("matplotlib", "ipywidgets", "IPython", "tiktoken", "tokenizers", "bpe_course")
"""What `import bpe_lib` must not wait for."""


def module_name(path: Path) -> str:
    """Return what a file of one of the two packages is imported as."""
    package = LIBRARY if path.is_relative_to(LIBRARY) else COURSE
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(path): path for package in (LIBRARY, COURSE) for path in package.rglob("*.py")}
"""All modules of both packages, by name."""


def known(name: str) -> set[str]:
    """Return the module of ours that a dotted name leads to: itself, or what it is an attribute of."""
    parts = name.split(".")
    prefixes = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
    return {next((prefix for prefix in prefixes if prefix in FILES), "")} - {""}


def absolute(node: ast.ImportFrom, name: str, is_package: bool) -> str:
    """Return the dotted name that `from … import` takes from, seen from a module."""
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    base = parts[: len(parts) - node.level + is_package]
    return ".".join([*base, *([node.module] if node.module else [])])


def imports(name: str, source: str, is_package: bool = False) -> set[str]:
    """Return the modules of ours that a module imports, anywhere in it: at its top, in functions, for types."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= set().union(*(known(alias.name) for alias in node.names))
        elif isinstance(node, ast.ImportFrom):
            base = absolute(node, name, is_package)
            found |= set().union(*(known(f"{base}.{alias.name}") for alias in node.names))
    return found - {name}


ARROWS = {
    name: imports(name, path.read_text(encoding="utf-8"), path.name == "__init__.py") for name, path in FILES.items()
}


def reached(start: str, arrows: dict[str, set[str]]) -> set[str]:
    """Return all modules that a module's imports lead to."""
    found: set[str] = set()
    todo = set(arrows[start])
    while todo:
        name = todo.pop()
        found.add(name)
        todo |= arrows[name] - found
    return found


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules of which each leads to each other."""
    reach = {name: reached(name, arrows) for name in arrows}
    groups = {frozenset(other for other in reach[name] if name in reach[other]) for name in arrows}
    return sorted(sorted(group) for group in groups if group)


def test_the_library_imports_nothing_of_the_course():
    upward = {name: found for name, of in ARROWS.items() if (found := {m for m in of if m.startswith("bpe_course")})}
    assert [name for name in upward if name.startswith("bpe_lib")] == []


def test_no_import_leads_back_to_where_it_started():
    assert circles(ARROWS) == []


def test_an_exercise_is_explained_without_the_list_of_all():
    """A check gets its exercise handed; what works for it never looks for others."""
    assert {name for name in ARROWS["bpe_course.explain"] if name.startswith("bpe_course.exercises")} == set()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import bpe_lib.naive as slow", {"bpe_lib.naive"}),
        ("from bpe_lib import naive, train_bpe", {"bpe_lib.naive", "bpe_lib"}),
        ("from bpe_lib.naive import merge_pair", {"bpe_lib.naive"}),
        ("from . import solve\nfrom .corpora import path", {"bpe_course.solve", "bpe_course.corpora"}),
        ("def later():\n    import bpe_course.check", {"bpe_course.check"}),
        ("import json\nimport bpe_library", set()),
    ],
)
def test_imports_are_found(source, found):
    assert imports("bpe_course.made_up", source) == found


def test_a_package_is_where_its_own_dots_start():
    assert imports("bpe_course.corpora", "from . import cache\nfrom .. import run", True) == {
        *("bpe_course.corpora.cache", "bpe_course.run"),
    }


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"e"}}) == [["a", "b", "c"], ["e"]]


def lines(paths: list[Path]) -> int:
    """Return how many lines files have together."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def test_the_library_is_small():
    assert lines(list(LIBRARY.rglob("*.py"))) <= MOST_LINES


def test_what_the_notebooks_teach_is_read_in_an_evening():
    assert lines([LIBRARY / f"{name}.py" for name in TAUGHT]) <= MOST_TAUGHT_LINES


def test_the_library_is_imported_without_plots_widgets_and_other_tokenizers():
    code = f"import bpe_lib, sys; print(*(set({HEAVY!r}) & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.split() == []


def test_every_room_is_packed():
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    rooms = {name for name, path in FILES.items() if path.name == "__init__.py"}
    assert sorted(tool["packages"]) == sorted(rooms)
    assert {name: ROOT / folder for name, folder in tool["package-dir"].items()} == {
        "bpe_lib": LIBRARY,
        "bpe_course": COURSE,
    }
