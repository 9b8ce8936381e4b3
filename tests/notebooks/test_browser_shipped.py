"""The notebooks in JupyterLab as they ship, before anything is run: what a reader sees first."""

import nbformat
import pytest

from browser import DESK
from notebook_tools import paths
from shipped import shipped_text

# Each cell is brought into view, and what its outputs show is read there: lines of text and HTML, and what is wider
# than its place and can't be scrolled.
LOOK = """async () => {
  const notebook = jupyterapp.shell.currentWidget.content, seen = [];
  for (const [i, cell] of notebook.widgets.entries()) {
    await notebook.scrollToItem(i, 'start');
    await cell.ready;
    const id = cell.model.id;
    for (const area of cell.node.querySelectorAll('.jp-Cell-outputArea, .jp-Cell-outputCollapser ~ *, .jp-Placeholder'))
      seen.push([id, area.innerText]);
    for (const part of cell.node.querySelectorAll('.jp-OutputArea-output'))
      if (part.scrollWidth > part.clientWidth + 1 && !/auto|scroll/.test(getComputedStyle(part).overflowX))
        seen.push([id, `TOO WIDE ${part.scrollWidth} in ${part.clientWidth}`]);
  }
  return seen;
}"""
SOURCE = ("<div", "<figure", "<span style", "<details", "TOO WIDE", "Traceback (most recent")


@pytest.mark.parametrize("path", [path for path in paths()], ids=lambda path: path.stem)
def test_nothing_is_seen_that_should_not_be_before_the_first_run(lab, path):
    text = shipped_text(path)
    if not text:
        pytest.skip("was changed, and there is no copy as shipped")
    place = lab.server.folder / f"unrun_{path.name}"
    place.write_text(text, encoding="utf-8", newline="")
    answers = [c.id for c in nbformat.reads(text, 4).cells if "reveal(" in c.source and c.cell_type == "code"]
    lab.open(place.name)
    try:
        for dark in (False, True):
            lab.theme(dark)
            seen = lab.page.evaluate(LOOK)
            assert len(seen) > 5, "outputs are stored"
            assert [(cell, shown) for cell, shown in seen if any(part in shown for part in SOURCE)] == []
            told = [(cell, shown) for cell, shown in seen if cell in answers and shown.strip(" …\n")]
            assert told == [], "an answer is told before the guess"
        assert lab.complaints == []
    finally:
        lab.resize(*DESK)
        lab.close()
        place.unlink()
