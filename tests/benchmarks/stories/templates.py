"""The plots and phrases of the stories, read from `templates.txt`, whose head explains how they are written."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

TEMPLATES = Path(__file__).with_name("templates.txt")


@dataclass
class Step:
    """One step of a plot: the ways to tell it, and whether it may be left out."""

    optional: bool
    lines: list[str] = field(default_factory=list)


@dataclass
class Plot:
    """The steps of a story, and the names of the words that stay the same in all of them."""

    name: str
    roles: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)


@dataclass
class Templates:
    """All plots, and the lists of phrases that they share."""

    plots: list[Plot] = field(default_factory=list)
    phrases: dict[str, list[str]] = field(default_factory=dict)


@cache
def templates() -> Templates:
    """Read the templates; they are read once and not to be changed.

    Example:
        >>> len(templates().plots) > 10
        True
    """
    result = Templates()
    lines: list[str] = []
    for line in TEMPLATES.read_text(encoding="utf-8").splitlines():
        if line.startswith("@ "):
            result.phrases[line[2:]] = lines = []
        elif line.startswith("== "):
            result.plots.append(Plot(line[3:]))
        elif line.startswith("roles: "):
            result.plots[-1].roles = line[7:].split(", ")
        elif line.startswith("--"):
            result.plots[-1].steps.append(Step(optional=line.endswith("?")))
            lines = result.plots[-1].steps[-1].lines
        elif line and not line.startswith("#"):
            lines.append(line)
    return result
