"""`finished_code`: functions of the finished library, shown where the notebook speaks of them."""

import difflib
import inspect
import pkgutil
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from importlib import import_module
from types import ModuleType
from typing import Any

import bpe_lib
from bpe_course.highlight import highlighted


@dataclass(frozen=True)
class Code:
    """The source of one function or class.

    Attributes:
        name: its name, such as "Tokenizer.decode".
        file: where it stands, such as "bpe_lib/tokenizer.py".
        source: the source, not indented.
    """

    name: str
    file: str
    source: str

    def title(self) -> str:
        """Return in a line what it is, where it stands and how long it is."""
        lines = len(self.source.splitlines())
        return f"{self.name} · {self.file} · {lines} line{'s' * (lines != 1)}"

    def html(self) -> str:
        """Return the source, folded below its title; a page that can't fold shows it."""
        summary = f'<summary style="cursor:pointer"><code>{escape(self.title())}</code></summary>'
        return f'<details style="margin:.3em 0">{summary}{highlighted(self.source)}</details>'


@dataclass(frozen=True)
class FinishedCode:
    """Some code of the finished library: folded in a notebook, as titles in a terminal; `print` shows the source."""

    parts: tuple[Code, ...]

    def __repr__(self) -> str:
        return "\n".join(code.title() for code in self.parts)

    def __str__(self) -> str:
        return "\n\n\n".join(f"# {code.file}\n\n{code.source}" for code in self.parts)

    def _repr_html_(self) -> str:
        return "".join(code.html() for code in self.parts)


def finished_code(*names: str) -> FinishedCode:
    """Return the source of functions, methods and classes of `bpe_lib`.

    Args:
        names: dotted names within `bpe_lib`, such as "indexed.pop_best" or "tokenizer.Tokenizer.decode".

    Raises:
        ValueError: there is no such name, or it is neither a function nor a class; the message says what there is.

    >>> finished_code("naive.best_pair")  # doctest: +ELLIPSIS
    best_pair · bpe_lib/naive.py · ... lines
    """
    return FinishedCode(tuple(map(read_code, names)))


def read_code(name: str) -> Code:
    """Return the source of what has this name within `bpe_lib`."""
    found, path = find(name)
    function = inspect.unwrap(found.fget if isinstance(found, property) else found)
    if not (inspect.isfunction(function) or inspect.isclass(function)):
        raise ValueError(f"bpe_lib.{name} is a {type(found).__name__}: name a function, a method or a class")
    file = f"{function.__module__.replace('.', '/')}.py"
    source = textwrap.dedent(inspect.getsource(function)).rstrip()
    return Code(path, file, source)


def find(name: str) -> tuple[Any, str]:
    """Return what has a dotted name within `bpe_lib`, and the part of the name behind its module.

    Raises:
        ValueError: nothing has it.
    """
    found, where, path = bpe_lib, "bpe_lib", []
    for part in name.split("."):
        if isinstance(found, ModuleType) and part in submodules(found):
            found = import_module(f"{where}.{part}")
        elif hasattr(found, part):
            found = getattr(found, part)
            path.append(part)
        else:
            raise ValueError(no_such(part, where, found))
        where = f"{where}.{part}"
    return found, ".".join(path)


def submodules(module: ModuleType) -> set[str]:
    """Return the names of the modules in a package; none where it is no package."""
    return {found.name for found in pkgutil.iter_modules(getattr(module, "__path__", []))}


def no_such(part: str, where: str, found: Any) -> str:
    """Return what to say where nothing has a name: a close one, or all that there are."""
    there = sorted(submodules(found) | set(own_names(found)))
    close = difflib.get_close_matches(part, there, n=1)
    help_ = f"; do you mean {close[0]!r}?" if close else f"; it has {', '.join(there)}" if there else ""
    return f"{where} has no {part!r}{help_}"


def own_names(found: Any) -> Iterable[str]:
    """Return the public functions and classes of a module, or the public methods of a class."""
    for name, value in vars(found).items() if hasattr(found, "__dict__") else ():
        if not name.startswith("_") and (inspect.isroutine(value) or inspect.isclass(value)):
            yield name
