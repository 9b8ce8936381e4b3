"""`python -m bpe_course refresh`: generated cells and outputs made anew, everything else left alone."""

import configparser
import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from bpe_course import check_cell, exercise_cell, exercise_cells, hints_cell, setup_cell, solution_source
from bpe_course.command_line import main
from bpe_course.exercises import EXERCISES
from bpe_course.refresh import NOISE, execute, refresh, write_generated
from bpe_course.refresh import shown as put_back
from notebook_tools import ENVIRONMENT, ROOT, output_texts, statuses

IMPORTS = "from bpe_course import check, show_tokens"


@pytest.fixture
def write(tmp_path):
    """A function that writes a notebook of some cells, and returns its path. The path holds a space."""

    def write(*cells, name="10 new.ipynb", **options):
        metadata = {"kernelspec": {"name": "elsewhere", "display_name": "E", "language": "python"}, "mine": {"é": 1}}
        path = tmp_path / "my course" / name
        path.parent.mkdir(exist_ok=True)
        node = new_notebook(cells=[new_code_cell(IMPORTS, id="imports"), *cells], metadata=metadata)
        path.write_text(json.dumps(node, **{"indent": 1, "ensure_ascii": False, **options}) + "\n", "utf-8", newline="")
        return path

    return write


def read(path):
    """Return the cells of a notebook by id."""
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


def said(cell):
    """Return what a cell printed or displayed, as text."""
    return "".join(output_texts(cell))


def test_a_notebook_runs_as_shipped_and_is_fresh_from_then_on(write, monkeypatch, capsys):
    monkeypatch.setenv("BPE_STRICT", "1")
    monkeypatch.setenv("BPE_PROGRESS", "nowhere/progress.json")
    shown = new_code_cell("print('é')\nprint(2)\n{'a': 1}", id="shown", metadata={"jupyter": {"outputs_hidden": True}})
    path = write(new_markdown_cell("Prose.", id="prose"), *exercise_cells("merge_pair"), shown)
    before = nbformat.read(path, as_version=4)
    main(["refresh", str(path)])
    assert capsys.readouterr().out == f"{path}: written: imports, exercise-merge-pair, check-merge-pair, shown\n"
    after = nbformat.read(path, as_version=4)
    assert [cell.get("execution_count") for cell in after.cells] == [1, None, 2, 3, None, None]
    assert statuses(after) == {"merge_pair": "not attempted"}
    assert said(after.cells[-1]) == "" and said(put_back(after.cells[-1])) == "é\n2\n{'a': 1}"
    del after.cells[-1].metadata["bpe"]
    for cell in after.cells:
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = None, []
    assert after == before, "more has changed than outputs"
    content = path.read_bytes()
    assert content == (json.dumps(json.loads(content), indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()
    main(["refresh", str(path.parent)])
    assert capsys.readouterr().out == f"{path}: fresh\n" and path.read_bytes() == content
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_only_the_format_may_be_stale(write):
    path = write()
    assert refresh(path) == ["imports"]
    content = path.read_bytes()
    path.write_bytes(json.dumps(json.loads(content)).encode())
    assert refresh(path) == ["format"] and path.read_bytes() == content


def test_generated_cells_come_from_the_declarations(write):
    old = exercise_cells("merge_pair")
    old[0].source = old[0].source.replace("pair", "couple")
    old[1].metadata["tags"] = []
    old[2].source = "No hints."
    path = write(*old)
    node = nbformat.read(path, as_version=4)
    assert write_generated(node) == ["exercise-merge-pair", "check-merge-pair", "hints-merge-pair"]
    assert write_generated(node) == []
    refresh(path)
    for made in (exercise_cell("merge_pair"), check_cell("merge_pair"), hints_cell("merge_pair")):
        there = read(path)[made.id]
        assert (there.source, there.metadata) == (made.source, made.metadata)


def test_one_line_becomes_the_three_cells_of_an_exercise(write):
    path = write(new_code_cell('exercise_cells("utf8_bytes")', id="here"), new_code_cell("1", id="last"))
    refresh(path)
    ids = ["imports", "exercise-utf8-bytes", "check-utf8-bytes", "hints-utf8-bytes", "last"]
    assert list(read(path)) == ids and refresh(path) == []


def test_an_exercise_that_is_not_declared_is_named(write, capsys):
    path = write(new_code_cell('exercise_cells("no_such")', id="here"))
    before = path.read_bytes()
    with pytest.raises(SystemExit) as error:
        main(["refresh", str(path)])
    assert error.value.code == 1 and path.read_bytes() == before
    assert capsys.readouterr().err.startswith(f"{path}: cell here belongs to the exercise 'no_such'")


def test_a_cell_that_raises_leaves_the_file_as_it_was_and_the_others_go_on(write, capsys):
    bad = write(new_code_cell("print(1)", id="fine"), new_code_cell("1 / 0", id="wrong"), name="10.ipynb")
    good = write(name="11.ipynb")
    before = bad.read_bytes()
    with pytest.raises(SystemExit) as error:
        main(["refresh", str(bad.parent)])
    said = capsys.readouterr()
    assert error.value.code == 1 and bad.read_bytes() == before
    assert f"{bad}: cell wrong failed" in said.err and "ZeroDivisionError" in said.err and "\x1b" not in said.err
    assert said.out == f"{good}: written: imports\n"


def test_answers_are_not_thrown_away_unasked(write):
    answered = exercise_cell("merge_pair")
    answered.source = solution_source(EXERCISES["merge_pair"])
    path = write(answered, *exercise_cells("merge_pair")[1:])
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"holds answers \(merge_pair\)"):
        refresh(path)
    assert path.read_bytes() == before
    main(["refresh", "--discard-answers", str(path)])
    assert read(path)["exercise-merge-pair"].source == exercise_cell("merge_pair").source


def test_check_writes_nothing_and_says_what_is_stale(write, capsys):
    path = write(new_code_cell("print(3)", id="three"))
    refresh(path)
    main(["refresh", "--check", str(path)])
    assert capsys.readouterr().out == f"{path}: fresh\n"
    path.write_bytes(path.read_bytes().replace(b"print(3)", b"print(4)"))
    before = path.read_bytes()
    with pytest.raises(SystemExit) as error:
        main(["refresh", "--check", str(path)])
    assert error.value.code == 1 and path.read_bytes() == before
    assert capsys.readouterr().out == f"{path}: not fresh: three\n"


def stored(source, text, id, tags=()):
    """Return a cell with an output that another machine has left."""
    outputs = [new_output("stream", text=text)]
    return new_code_cell(source, id=id, outputs=outputs, metadata={"tags": list(tags)} if tags else {})


def test_what_depends_on_the_machine_stays_until_it_is_asked_for(write):
    tagged = stored("print('new')", "old", "tagged", ["nbval-ignore-output"])
    cleared = new_code_cell("print('new')", id="cleared", metadata={"tags": ["nbval-ignore-output"]})
    path = write(tagged, cleared, stored("print('new')", "old", "compared"))
    assert refresh(path) == ["imports", "tagged", "cleared", "compared"], "all have numbers now"
    assert [said(read(path)[id_]) for id_ in ("tagged", "cleared", "compared")] == ["old", "new\n", "new\n"]
    assert refresh(path) == []
    main(["refresh", "--all", str(path)])
    assert said(read(path)["tagged"]) == "new\n"


HTML = "from IPython.display import HTML\nHTML({!r})"


@pytest.mark.parametrize(
    ("old", "new", "stays"),
    [
        ('<img alt="a" src="data:image/png;base64,AAAA">', '<img alt="a" src="data:image/png;base64,BBBB">', True),
        ('<img alt="a" src="data:image/png;base64,AAAA">', '<img alt="b" src="data:image/png;base64,AAAA">', False),
        ('<span style="color: #008000; font-weight: bold">def</span>', '<span style="color: #0A0">def</span>', True),
        ('<span style="color: #008000">def</span>', '<span style="color: #008000">class</span>', False),
    ],
)
def test_pictures_and_colours_of_code_stay_where_all_else_is_equal(write, old, new, stays):
    path = write(new_code_cell(HTML.format(old), id="shown"))
    refresh(path)
    node = nbformat.read(path, as_version=4)
    node.cells[1].source = HTML.format(new)
    path.write_text(nbformat.writes(node) + "\n", "utf-8", newline="")
    refresh(path)
    assert read(path)["shown"].outputs[0].data["text/html"] == (old if stays else new)
    refresh(path, everything=True)
    assert read(path)["shown"].outputs[0].data["text/html"] == new


def test_what_is_not_compared_is_what_nbval_does_not_compare():
    settings = configparser.RawConfigParser()
    settings.read(ROOT / "tests" / "notebooks" / "nbval_sanitize.cfg", encoding="utf-8")
    assert {name: (settings[name]["regex"], settings[name]["replace"]) for name in settings.sections()} == NOISE


def test_a_widget_is_stored_as_what_a_page_shows(write):
    path = write(
        new_code_cell("from bpe_course import merge_stepper\nmerge_stepper({(b'a', b'b'): 1}, 1)", id="widget")
    )
    refresh(path)
    node = nbformat.read(path, as_version=4)
    assert [sorted(output.data) for output in node.cells[1].outputs] == [["text/html", "text/plain"]]
    assert "widgets" not in node.metadata


def test_a_run_leaves_no_kernel_behind(tmp_path):
    import psutil

    before = set(psutil.Process().children(recursive=True))
    execute(new_notebook(cells=[new_code_cell("1")]), tmp_path, ENVIRONMENT)
    assert set(psutil.Process().children(recursive=True)) <= before


def test_the_cell_that_installs_the_course_is_generated():
    old = setup_cell()
    old.source, old.execution_count = "import sys", 1
    node = new_notebook(cells=[new_code_cell("setup_cell()", id="new"), old, new_code_cell("setup_cell", id="mine")])
    assert write_generated(node) == ["code-setup", "code-setup"]
    assert [cell.source for cell in node.cells] == [setup_cell().source] * 2 + ["setup_cell"]
    assert node.cells[1].execution_count == 1 and write_generated(node) == []
