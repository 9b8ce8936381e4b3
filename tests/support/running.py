"""How pytest runs here: everything in parallel, with the notebooks; one file at once, as `--pdb` wants it.

pyproject.toml loads this plugin before all others. nbval, which takes seconds to import, is loaded only for notebooks.
"""

import os
import sys
from pathlib import Path

import pytest

from notebook_tools import paths as notebook_paths
from shipped import FOLDER, ROOT, report

SANITIZE = ROOT / "tests" / "notebooks" / "nbval_sanitize.cfg"
NBVAL = ["--nbval-current-env", "--nbval-cell-timeout=120", f"--nbval-sanitize-with={SANITIZE}"]
MOST_WORKERS = 4
"""Each keeps a browser, a kernel and its processes busy; more than that a laptop's memory may not hold."""
SLOWEST = (
    "tests/notebooks/test_browser.py",
    "tests/notebooks/test_notebooks.py",
    "notebooks/06",
    "notebooks/05",
    "tests/course/test_exercises.py",
    "notebooks/08",
    "tests/library/test_command_line.py",
    "tests/test_running.py",
    "notebooks/04",
    "tests/notebooks/test_browser_widgets.py",
    "tests/library/test_tokenizer.py",
    "tests/library/test_formats",
)
"""Files that take longest, in order. Workers take them first and the short ones last, so that all end together."""
MINUTES = 12
"""What everything takes on two cores."""


def named_paths(config: pytest.Config) -> list[Path]:
    """Return the files and folders that the command line names."""
    names = config.known_args_namespace.file_or_dir
    return [Path(config.invocation_params.dir, name.partition("::")[0]) for name in names]


def wants_notebooks(paths: list[Path]) -> bool:
    """Tell whether these hold notebooks: none for everything, a notebook, or a folder around them."""
    return not paths or any(path.suffix == ".ipynb" or FOLDER.is_relative_to(path.resolve()) for path in paths)


def wants_workers(config: pytest.Config, paths: list[Path]) -> bool:
    """Tell whether to run in parallel: folders or everything, unless a debugger or `-n` is asked for."""
    given = config.known_args_namespace
    debugs = given.usepdb or getattr(given, "trace", False) or given.capture == "no"
    has_xdist = getattr(given, "numprocesses", 0) is None
    return has_xdist and not debugs and not given.collectonly and all(path.is_dir() for path in paths)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Add the options that suit what is asked for, in front of all others, so that those win."""
    sys.modules.setdefault("rfc3987_syntax", None)  # builds a grammar for seconds; jsonschema does without
    paths = named_paths(early_config)
    if wants_notebooks(paths):
        early_config.pluginmanager.consider_pluginarg("nbval")
        args[:0] = NBVAL
    if wants_workers(early_config, paths):
        workers = max(2, min(MOST_WORKERS, os.cpu_count() or 1))
        args[:0] = [f"-n{workers}", "--dist=loadfile", "--no-loadscope-reorder"]


def place_in_order(nodeid: str) -> int:
    """Return the place of a test's file in `SLOWEST`, or the place after all of them."""
    places = (place for place, start in enumerate(SLOWEST) if nodeid.startswith(start))
    return next(places, len(SLOWEST))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the slowest files first where files are handed out to workers."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: place_in_order(item.nodeid))


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say at the start what is going on, and what a reader has changed."""
    paths = named_paths(config)
    workers = config.getoption("numprocesses", None)
    lines = [] if paths else [f"everything: up to {MINUTES} minutes on two cores; one file alone: pytest FILE"]
    lines += [f"{workers} files at a time"] if workers else []
    return lines + (report(notebook_paths()) if wants_notebooks(paths) else [])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Run the course's notebooks, as they ship, with nbval; of others, a reader's, only what is named."""
    if file_path.suffix != ".ipynb" or parent.config.getoption("nbval", True):
        return None
    from nbval_shipped import ShippedNotebook

    if file_path in notebook_paths() or parent.session.isinitpath(file_path):
        return ShippedNotebook.from_parent(parent, path=file_path)
    return None
