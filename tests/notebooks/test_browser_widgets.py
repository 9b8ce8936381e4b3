"""The widgets of the notebooks in JupyterLab: moved by keys and by mouse, and what the page then shows."""

import re

import nbformat
import pytest

from notebook_tools import Book, bound_names, load, needed_names, paths, statements

WIDGETS = {
    "02": "code-02-turn",
    "03": "code-03-playground",
    "04": "code-04-stepper",
    "05": "code-05-heap-stepper",
    "07": "code-07-stepper",
    "08": "code-08-playground",
}
"""The cell of each notebook that makes a widget."""


def cells_for(book: Book, cell_id: str) -> list[nbformat.NotebookNode]:
    """Return a code cell, and before it those that it needs: the ones that give its names a value."""
    place = [cell.id for cell in book.code].index(cell_id)
    chosen, needed = [book.code[place]], needed_names(book.code[place])
    for cell in reversed(book.code[:place]):
        given = set().union(*map(bound_names, statements(cell)))
        if given & needed:
            chosen.insert(0, cell)
            needed = needed - given | needed_names(cell)
    return chosen


@pytest.fixture(scope="module")
def widgets(lab):
    """A page with a notebook of all widgets, each made by its own notebook's cells."""
    books = {path.stem[:2]: load(path) for path in paths()}
    cells = [cell for number, name in WIDGETS.items() for cell in cells_for(books[number], name)]
    together = nbformat.v4.new_notebook(cells=cells, metadata=books["02"].node.metadata)
    nbformat.write(together, lab.server.folder / "widgets.ipynb")
    lab.open("widgets.ipynb")
    try:
        ran = lab.run()
        assert [cell["id"] for cell in ran if cell["execution_count"] is None] == []
        yield lab
    finally:
        lab.close()


class Widget:
    """A widget on the page: its controls, and what it shows.

    Args:
        lab: the page.
        number: of the notebook that it belongs to.
    """

    def __init__(self, lab, number: str) -> None:
        self.keys, self.cell = lab.page.keyboard, lab.cell(WIDGETS[number])
        self.slider = self.cell.get_by_role("slider")

    def shows(self, text: str) -> None:
        """Wait until the widget shows a text; a test fails if it never does."""
        self.cell.locator(".widget-html-content", has_text=text).wait_for(timeout=10_000)

    def press(self, key: str, value: int) -> None:
        """Press a key on the slider, and wait until it stands at a value."""
        self.slider.press(key)
        self.cell.locator(f'[role=slider][aria-valuenow="{value}.0"]').wait_for(timeout=10_000)

    def click(self, name: str) -> None:
        """Click a button."""
        self.cell.get_by_role("button", name=name).click()

    def type(self, label: str, text: str) -> None:
        """Replace what a field holds by typing."""
        self.cell.get_by_label(label, exact=True).click()
        self.keys.press("ControlOrMeta+a")
        self.keys.type(text)


def test_chunks(widgets):
    strip = Widget(widgets, "02")
    strip.shows("Wanted: 4, got: 4.")
    strip.press("ArrowRight", 5)
    strip.shows("Wanted: 5, got: ")
    strip.click("◀ Fewer")
    strip.shows("Wanted: 4, got: 4.")
    strip.press("Home", 2)
    strip.shows("Wanted: 2, got: 2.")


def test_merges(widgets):
    stepper = Widget(widgets, "04")
    stepper.shows("Before the first merge")
    stepper.press("ArrowRight", 1)
    stepper.shows("(e, st)")
    stepper.click("Forward ▶")
    stepper.shows("After 2 merges")
    stepper.cell.get_by_role("button", name="◀ Back").press("Enter")
    stepper.shows("After 1 merge:")
    stepper.press("End", 12)
    stepper.shows("After 12 merges")


def test_the_slider_is_dragged(widgets):
    stepper = Widget(widgets, "04")
    stepper.press("Home", 0)
    handle, track = stepper.slider.bounding_box(), stepper.cell.locator(".noUi-base").bounding_box()
    mouse, height = widgets.page.mouse, handle["y"] + handle["height"] / 2
    mouse.move(handle["x"] + handle["width"] / 2, height)
    mouse.down()
    mouse.move(track["x"] + track["width"] / 2, height, steps=5)
    mouse.up()
    stepper.shows("After 6 merges")


def test_heap(widgets):
    inspector = Widget(widgets, "05")
    inspector.shows("Pop 1")
    inspector.press("ArrowRight", 1)
    inspector.shows("Pop 2")
    inspector.click("Forward ▶")
    inspector.shows("Pop 3")
    inspector.cell.get_by_role("button", name="◀ Back").press("Space")
    inspector.shows("Pop 2")


def test_encoding(widgets):
    stepper = Widget(widgets, "07")
    stepper.press("Home", 0)
    stepper.shows("after 0 merges")
    stepper.press("ArrowRight", 1)
    stepper.shows("after 1 merge")
    stepper.click("Forward ▶")
    stepper.shows("after 2 merges")
    stepper.type("a word, as a rule with a space before it", " light")
    stepper.shows("light, 6 bytes")


def test_vocabulary_sizes(widgets):
    playground = Widget(widgets, "08")
    playground.shows("english, 512 ids in the vocabulary")
    playground.click("Larger ▶")
    playground.shows("english, 1,000 ids in the vocabulary")
    playground.press("Home", 0)
    playground.shows("english, 257 ids in the vocabulary")
    playground.cell.get_by_label("trained on").select_option("stories")
    playground.shows("stories, 257 ids in the vocabulary")
    playground.type("your text", "low")
    playground.shows("3 tokens for 3 bytes")


def test_patterns(widgets):
    playground = Widget(widgets, "03")
    playground.type("Text", "abc 12")
    playground.shows("GPT-2 2 pre-tokens")
    playground.cell.get_by_label("Second pattern").select_option("GPT-2, misprinted")
    playground.shows("GPT-2, misprinted")
    playground.cell.get_by_label("Second pattern").focus()
    playground.keys.press("End")
    playground.shows("your own 2 pre-tokens")
    playground.type("Your own pattern", "[0-9]")
    playground.shows("your own 2 pre-tokens")
    playground.type("Your own pattern", "(")
    playground.shows("missing )")


def test_a_pattern_without_end_is_stopped(widgets):
    playground = Widget(widgets, "03")
    playground.cell.get_by_label("Second pattern").select_option("your own")
    playground.cell.get_by_label("Text", exact=True).fill("a" * 5000 + "!")
    playground.type("Your own pattern", "(a+)+$")
    playground.shows("stopped")
    playground.type("Text", "once more")
    playground.shows("GPT-2 2 pre-tokens")


@pytest.mark.parametrize(
    "number, label, shown",
    [
        ("03", "Text", "script"),
        ("03", "Your own pattern", "script"),
        ("07", "a word, as a rule with a space before it", "Pre-token <"),
        ("08", "your text", "tokens for 25 bytes"),
    ],
)
def test_what_is_typed_is_shown_and_never_run(widgets, number, label, shown):
    widget = Widget(widgets, number)
    if number == "03":
        widget.cell.get_by_label("Second pattern").select_option("your own")
    widget.type(label, "<script>alert(1)</script>")
    widget.shows(shown)
    assert widget.cell.locator(".widget-html-content script").count() == 0
    assert widgets.complaints == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_finished_code_unfolds_in_a_notebook_that_was_only_opened(lab, dark):
    (book,) = (load(path) for path in paths() if path.stem.startswith("05"))
    cells = [cell for cell in book.code if cell.id == "code-05-finished-code"]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=book.node.metadata), lab.server.folder / "code.ipynb")
    lab.open("code.ipynb")
    lab.theme(dark)
    try:
        output = lab.cell("code-05-finished-code").locator(".jp-OutputArea").first
        code = output.locator("details", has_text="pop_best · bpe_lib/indexed.py").locator("pre")
        assert not code.is_visible()
        output.locator("summary", has_text="pop_best · bpe_lib/indexed.py").click(timeout=10_000)
        code.wait_for(state="visible", timeout=10_000)
        assert "def pop_best(heap" in code.inner_text() and output.locator("pre:visible").count() == 1
        coloured = code.locator("span", has_text=re.compile("^def$")).first
        assert coloured.evaluate("span => getComputedStyle(span).color") == "rgb(0, 128, 0)"
        assert code.evaluate("pre => getComputedStyle(pre).backgroundColor") == "rgb(255, 255, 255)"
    finally:
        lab.close()
