"""The page for contributors names what is there."""

import ast
import re

import pytest

from notebook_tools import FOLDER, ROOT

PAGE = (ROOT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
HOUSE = PAGE.partition("## The house")[2].partition("\n## ")[0]


def named() -> list[str]:
    """Return the files and folders that the first column of the map names."""
    cells = [line.split("|")[1] for line in HOUSE.split("\n") if line.startswith("| ") and "`" in line]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_each_room_is_there():
    assert len(named()) > 15
    course, library = FOLDER / "bpe_course", ROOT / "bpe_lib"
    assert [
        name
        for name in named()
        if not any((folder / name.removeprefix("…/")).exists() for folder in (ROOT, course, library))
    ] == []


def test_each_module_of_the_course_that_the_page_speaks_of_is_there():
    files = re.findall(r"`((?:bpe_course|bpe_lib|tests)/[\w/]+\.py)`", PAGE)
    assert len(files) > 5
    assert [name for name in files if not any((folder / name).exists() for folder in (ROOT, FOLDER))] == []


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGE, re.S))
def test_examples_are_python(code):
    assert ast.parse(code).body


def test_tests_that_the_page_names_exist():
    for command in re.findall(r"`pytest -n0 ([^`]*)`", PAGE):
        for name in re.findall(r"(?:tests|notebooks)/[\w/.]+", command):
            assert (ROOT / name).exists(), name
