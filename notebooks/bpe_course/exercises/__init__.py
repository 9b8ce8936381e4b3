"""All exercises, one module of declarations for each notebook.

A module `nb04_naive_merging.py` here holds the exercises of notebook 04 in their order. That is all it takes: an
exercise declared there has a stub, a check, hints, a solution, a place on the board, and is covered by the tests.
"""

import pkgutil
from importlib import import_module

from bpe_course.exercise import EXERCISES, register

__all__ = ["EXERCISES", "NOTEBOOKS", "register"]

NOTEBOOKS: dict[str, str] = {}
"""The names of the notebooks that have exercises, by number."""


def load() -> None:
    """Import all modules here, in the order of the notebooks; each registers its exercises."""
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        if name.startswith("nb"):
            NOTEBOOKS[name[2:4]] = name[5:].replace("_", " ")
            import_module(f"{__name__}.{name}")


load()
