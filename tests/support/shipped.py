"""The notebooks as they ship, also in the folder of a reader who is in the middle of the course.

A reader's notebook tells by itself that it is one: whatever saves a notebook writes down which Python ran it, and a
solved exercise raises no NotImplementedError any more. The author's notebooks, which `refresh` wrote, hold neither. So
a notebook that a reader has changed is tested as the last commit has it; where that is not to be had, as in a ZIP
file, its tests are skipped and say so.

Continuous integration sets `CI`. There, a notebook is always tested as it stands: nobody reads it.
"""

import json
import os
import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"
LANGUAGE = {"name"}
"""What the author's notebooks say of their language. Jupyter, VS Code and Colab add Python's version and more."""


def as_they_stand() -> bool:
    """Tell whether notebooks are tested as they are, whoever has changed them."""
    return bool(os.environ.get("CI"))


def changes(text: str) -> str:
    """Return what a reader has done to a notebook, or an empty string: it is the author's.

    Args:
        text: the notebook's JSON.
    """
    try:
        node = json.loads(text)
        cells = [(cell["metadata"].get("bpe", {}), "".join(cell["source"])) for cell in node["cells"]]
        language = set(node["metadata"].get("language_info", {}))
    except (ValueError, TypeError, LookupError, AttributeError):
        return "damaged"
    for about, source in cells:
        if about.get("exercise") and "raise NotImplementedError" not in source:
            return f"{about['exercise']} is solved"
        if re.search(r"^predict\(.*,\s*(?!None\))\S+\)$", source, re.M):
            return "a prediction is made"
    return "" if language <= LANGUAGE else "saved after a run"


def current_change(path: Path) -> str:
    """Return what a reader has done to a notebook on disk, or an empty string."""
    try:
        return changes(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return "deleted"
    except ValueError:
        return "damaged"


@cache
def committed(path: Path) -> str:
    """Return a notebook as the last commit has it; an empty string where there is no git or no such commit."""
    command = ["git", "show", f"HEAD:./{path.name}"]
    try:
        done = subprocess.run(command, cwd=path.parent, capture_output=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8")


def shipped_text(path: Path) -> str:
    """Return the JSON of a notebook as it ships, or an empty string: a reader has changed it, and no copy is left."""
    if as_they_stand() or not current_change(path):
        return path.read_text(encoding="utf-8")
    text = committed(path)
    return text if text and not changes(text) else ""


def why_skipped(path: Path) -> str:
    """Return the reason for skipping the tests of a notebook that is not to be had as shipped."""
    return f"{path.name} is yours ({current_change(path)}), and there is no commit of it as shipped"


@cache
def copies() -> tempfile.TemporaryDirectory:
    """Return a folder for notebooks as shipped. It goes when the tests end."""
    return tempfile.TemporaryDirectory(prefix="bpe_shipped_", ignore_cleanup_errors=True)


def shipped_path(path: Path) -> Path | None:
    """Return where a notebook is to be had as it ships: its own place, if nobody changed it; else a copy, or None."""
    if as_they_stand() or not current_change(path):
        return path
    if not shipped_text(path):
        return None
    copy = Path(copies().name, path.name)
    copy.write_text(shipped_text(path), encoding="utf-8", newline="\n")
    return copy


def report(paths: list[Path]) -> list[str]:
    """Return a line on the notebooks that a reader has changed and that are tested as shipped, and one on the rest."""
    if as_they_stand():
        return []
    found = {path: current_change(path) for path in paths}
    found = {path: change for path, change in found.items() if change}
    copied = [f"{path.stem} ({change})" for path, change in found.items() if shipped_text(path)]
    missing = [f"{path.stem} ({change})" for path, change in found.items() if not shipped_text(path)]
    lines = [f"notebooks you have changed, tested as last committed: {', '.join(copied)}"] if copied else []
    return lines + ([f"notebooks you have changed, not tested: {', '.join(missing)}"] if missing else [])
