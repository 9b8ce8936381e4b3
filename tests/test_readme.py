"""The README does what it says: each of its blocks runs as it stands, line by line, in a folder that is new."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bpe_lib import Tokenizer

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
NOT_RUN = {
    "python3 -m venv .venv && .venv/bin/pip install -e . ": "makes an environment, and JupyterLab never ends",
    "py -3 -m venv .venv": "is for Windows, and makes an environment",
    "conda env create": "makes an environment",
    "curl -LO": "downloads gigabytes",
    'python3 -m venv .venv && .venv/bin/pip install -e ".[test]"': "is the suite itself; .ci/run runs it",
}
"""How blocks begin that are not run here, and why."""
ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "utf-8"}
ENVIRONMENT["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def why_not_run(block: str) -> list[str]:
    """Return how a block begins, if it is one that is not run."""
    return [start for start in NOT_RUN if block.startswith(start)]


RUN = [(language, block) for language, block in BLOCKS if not why_not_run(block)]


@pytest.fixture
def folder(tmp_path):
    """A folder like the project's, whose path holds a space, with nothing in it but the course's texts."""
    folder = tmp_path / "my project"
    data = Path("notebooks", "bpe_course", "data")
    shutil.copytree(ROOT / data, folder / data)
    return folder


def run(command: str | list[str], folder: Path) -> str:
    """Return what a command printed. It must succeed."""
    options = {"cwd": folder, "env": ENVIRONMENT, "shell": isinstance(command, str), "stdin": subprocess.DEVNULL}
    done = subprocess.run(command, capture_output=True, timeout=200, encoding="utf-8", **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_each_block_that_is_not_run_is_there():
    found = [start for _, block in BLOCKS for start in why_not_run(block)]
    assert sorted(found) == sorted(NOT_RUN)
    assert [language for language, _ in RUN] == ["python", "sh"]
    assert README.count("```") == 2 * len(BLOCKS), "a block that this test doesn't see"


def test_the_library_s_example_trains_and_saves(folder):
    (code,) = [block for language, block in RUN if language == "python"]
    (folder / "example.py").write_text(code, encoding="utf-8")
    ids = run([sys.executable, "example.py"], folder)
    tokenizer = Tokenizer.load(folder / "my_tokenizer")
    assert tokenizer.decode(json.loads(ids)) == "the cat ate"
    assert {"tokenizer.json", "vocab.json", "merges.txt", "bpe_lib.json"} <= set(os.listdir(folder / "my_tokenizer"))


@pytest.mark.parametrize("guarded", [True, False])
def test_the_library_s_example_needs_its_guard_where_workers_import_it(folder, guarded):
    (code,) = [block for language, block in RUN if language == "python"]
    corpus = folder / "notebooks" / "bpe_course" / "data" / "stories.txt"
    corpus.write_bytes(corpus.read_bytes() * 80)  # enough for more than one process
    start = "import multiprocessing\nmultiprocessing.set_start_method('spawn', force=True)\n"
    code = code if guarded else re.sub(r"^if __name__ .*", "if True:", code, flags=re.M)
    code = code.replace("special_tokens=", "num_processes=2, special_tokens=")
    (folder / "example.py").write_text(start + code, encoding="utf-8")
    if guarded:
        assert run([sys.executable, "example.py"], folder).startswith("[")
    else:
        with pytest.raises(AssertionError, match="__main__"):
            run([sys.executable, "example.py"], folder)


def test_the_command_line_s_example_runs_line_by_line(folder):
    (block,) = [block for language, block in RUN if language == "sh"]
    said = [run(line, folder) for line in block.splitlines()]
    assert said[2].split() and all(id_.isdigit() for id_ in said[2].split())
    original = folder / "notebooks" / "bpe_course" / "data" / "stories.txt"
    assert (folder / "copy.txt").read_bytes() == original.read_bytes()
    assert "2,000" in said[4] or "2000" in said[4]


def test_the_size_of_the_library_is_as_told():
    bold = re.findall(r"\*\*`(\w+)`\*\*", README)
    lines = {path: path.read_bytes().count(b"\n") for path in (ROOT / "bpe_lib").rglob("*.py")}
    taught = sum(lines[ROOT / "bpe_lib" / f"{name}.py"] for name in bold)
    (told,) = re.findall(r"Its ten modules that the notebooks teach are ([\d,]+) lines", README)
    assert len(bold) == 10 and abs(taught - int(told.replace(",", ""))) <= 30
    assert "is under 4,000" in README and sum(lines.values()) < 4_000


def test_modules_that_the_readme_names_are_there():
    section = README[README.index("## The library") : README.index("### In and out")]
    table = [row for row in section.splitlines() if row.startswith("|")]
    names = re.findall(r"`([\w.]+)`", "\n".join(table))
    assert len(names) >= 15
    for name in names:
        assert (ROOT / "bpe_lib" / name.replace(".", "/")).with_suffix(".py").exists(), name


def test_the_picture_is_what_its_script_draws():
    target = re.search(r"^!\[[^\]]+\]\(([^)]+)\)$", README, re.M)
    code = "import runpy; print(runpy.run_path('.github/picture.py')['picture'](), end='')"
    drawn = run([sys.executable, "-c", code], ROOT)
    assert (ROOT / target[1]).read_text(encoding="utf-8") == drawn


def test_links_within_the_project_lead_to_something():
    headings = {re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in README.splitlines()}
    for target in re.findall(r"\]\(([^)\s]+)\)", README):
        if target.startswith("#"):
            assert target[1:] in headings, target
        elif "://" not in target:
            assert (ROOT / target).exists(), target
