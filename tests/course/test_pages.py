"""`python -m bpe_course site`: pages that need nothing but their folder, and tell no answer unasked."""

import json
import re
from html.parser import HTMLParser

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from bpe_course.command_line import main
from bpe_course.notebooks import NOTEBOOKS, TABLE
from bpe_course.pages import label, without_folds
from shipped import FOLDER, shipped_path

FORMULA, PARALLEL = "$$s = \\frac{1}{2} < 1$$", NOTEBOOKS["06"].name


class Page(HTMLParser):
    """What a page links to and loads, what it can be linked to, its pictures, and its text in and out of folds."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.ids, self.alts = [], [], [], []
        self.depth, self.open, self.folded = 0, "", ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.depth += tag == "details"
        self.ids += [known["id"]] if "id" in known else []
        self.links += [known["href"]] if tag == "a" and "href" in known else []
        self.alts += [known["alt"]] if tag == "img" else []
        if tag in ("img", "script", "link", "iframe"):
            self.loads += [known.get("src") or known.get("href")]

    def handle_endtag(self, tag):
        self.depth -= tag == "details"

    def handle_data(self, data):
        if self.depth:
            self.folded += data
        else:
            self.open += data


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site of two notebooks: one of the course, and one of our own that holds what a page can go wrong with."""
    folder = tmp_path_factory.mktemp("my site")
    cells = [
        new_markdown_cell(f"# Mine & yours\n\n[next]({PARALLEL}.ipynb), [here](#A-part)\n\n{FORMULA}"),
        new_markdown_cell("## A part\n\nseen <details><summary>Answer</summary>\n\nanswer\n\n</details>"),
        new_code_cell("a < b", id="plain", outputs=[new_output("stream", text="<b>no tag</b>")]),
        new_code_cell("reveal(1)", id="fold", outputs=[new_output("stream", text="secret")]),
        new_code_cell("x", id="rich", outputs=[new_output("display_data", {"text/html": "<i>as it is</i>"})]),
        new_code_cell("nothing", id="nothing"),
    ]
    cells[3].metadata["jupyter"] = {"outputs_hidden": True}
    nbformat.write(new_notebook(cells=cells), folder / "a mine.ipynb")
    course = shipped_path(FOLDER / NOTEBOOKS["06"].file)
    if course is None:
        pytest.skip("a reader's notebook, and no commit of it")
    main(["site", str(folder / "out" / "pages"), str(folder / "a mine.ipynb"), str(course)])
    return folder / "out" / "pages"


def read_index(site):
    """Return what the search knows."""
    content = (site / "index.js").read_text(encoding="utf-8")
    return json.loads(content.removeprefix("const INDEX = ").removesuffix(";\n"))


def test_each_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site):
    pages = {path.name: Page(path) for path in site.glob("*.html")}
    assert set(pages) == {"index.html", "a mine.html", f"{PARALLEL}.html"}
    missing = {f"{notebook.name}.html" for notebook in TABLE} - set(pages)
    for name, page in pages.items():
        assert len(set(page.ids)) == len(page.ids), name
        for target in page.loads:
            assert target.startswith("data:") or (site / target).is_file(), target
        for target in page.links:
            file, _, anchor = target.partition("#")
            if "://" not in target and file not in missing:
                assert not anchor or anchor in pages[file or name].ids, target
    for where, *_ in read_index(site):
        file, _, anchor = where.partition("#")
        assert anchor in pages[file].ids


def test_what_is_folded_stays_folded_and_is_not_found(site):
    page = Page(site / "a mine.html")
    assert "secret" in page.folded and "secret" not in page.open
    assert "answer" in page.folded and "answer" not in page.open
    assert "seen" in page.open and page.depth == 0
    found = json.dumps(read_index(site))
    assert "seen" in found and "secret" not in found and "answer" not in found.split("06_")[0]


def test_outputs_are_shown_as_stored(site):
    source = (site / "a mine.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;no tag&lt;/b&gt;" in source and "<i>as it is</i>" in source
    assert "<title>a mine</title>" in source and f'href="{PARALLEL}.html"' in source


def test_formulas_and_figures_are_pictures_with_words(site):
    assert Page(site / "a mine.html").alts == [FORMULA.strip("$")]
    page = Page(site / f"{PARALLEL}.html")
    assert len(page.alts) > 3 and all(page.alts)
    assert not re.search(r"\$\$", page.open)


def test_nested_folds_leave_nothing():
    inner = "<details><summary>b</summary>c</details>"
    assert without_folds(f"a<details><summary>x</summary>{inner} d</details>e{inner}").split() == ["a", "e"]


def test_all_notebooks_are_called_by_their_titles():
    assert [label(notebook.name) for notebook in TABLE] == [notebook.label for notebook in TABLE]
