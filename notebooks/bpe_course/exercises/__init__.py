"""All exercises, one module of declarations for each notebook.

A module `nb04_naive_merging` holds a list `EXERCISES` in the order of the notebook. That is all it takes: an exercise
added there has a stub, a check, hints, a solution, a place on the board, and is covered by the tests.
"""

import pkgutil
from dataclasses import replace
from importlib import import_module

from bpe_course.exercise import Exercise

EXERCISES: dict[str, Exercise] = {}
NOTEBOOKS: dict[str, str] = {}


def register(exercise: Exercise, notebook: str) -> Exercise:
    """Add an exercise to a notebook, and return it with the notebook's number filled in.

    Raises:
        ValueError: another exercise has this id.
    """
    if exercise.id in EXERCISES:
        raise ValueError(f"there are two exercises {exercise.id!r}")
    EXERCISES[exercise.id] = replace(exercise, notebook=notebook)
    return EXERCISES[exercise.id]


def load() -> None:
    """Register the exercises of all modules here, in the order of the notebooks."""
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        if name.startswith("nb"):
            module = import_module(f"{__name__}.{name}")
            NOTEBOOKS[name[2:4]] = name[5:].replace("_", " ")
            for exercise in module.EXERCISES:
                register(exercise, name[2:4])


load()
