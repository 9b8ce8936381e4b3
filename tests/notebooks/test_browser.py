"""The notebooks in JupyterLab, as readers see them: they run, answer what is typed, and can be read on any screen."""

import pytest

from browser import DESK, LabPage
from notebook_tools import paths

every_notebook = pytest.mark.parametrize("notebook", paths(), indirect=True, ids=lambda path: path.stem)

# Of each stretch of text in an output or a coloured box: the contrast of its colour with what it stands on, after WCAG.
# Colours are read from a canvas, which understands every notation; backgrounds are laid over each other from the first
# opaque one outwards; opacity counts as a fainter text.
CONTRASTS = """(selector) => {
  const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const known = {};
  const rgba = (colour) => known[colour] ??= (() => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data].map((part, i) => i === 3 ? part / 255 : part);
  })();
  const over = (top, bottom, opacity = 1) => [0, 1, 2].map(i => {
    const share = top[3] * opacity;
    return top[i] * share + bottom[i] * (1 - share);
  });
  const light = (colour) => {
    const [r, g, b] = colour.map(part => part / 255).map(p => p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const measure = (element) => {
    const layers = [];
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at), layer = rgba(style.backgroundColor);
      opacity *= Number(style.opacity);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1) break;
    }
    const ground = layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
    const ink = over(rgba(getComputedStyle(element).color), ground, opacity);
    const lights = [light(ground) + 0.05, light(ink) + 0.05];
    return Math.max(...lights) / Math.min(...lights);
  };
  const found = [];
  for (const part of document.querySelectorAll(selector)) {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.data.trim();
      if (text) found.push([text.slice(0, 60), Math.round(measure(texts.currentNode.parentElement) * 100) / 100]);
    }
  }
  return found;
}"""
OUTPUTS = '.jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output[data-mime-type="text/html"]'
BOXES = f"{OUTPUTS}, .jp-NotebookPanel:not(.lm-mod-hidden) .jp-RenderedMarkdown .alert"
READABLE = 4.5
"""The contrast that WCAG asks for (level AA)."""

# Outputs, boxes and tables whose content is wider than they are, and how wide both are.
TOO_WIDE = """(selector) => Array.from(document.querySelectorAll(selector))
  .filter(part => part.scrollWidth > part.clientWidth + 1)
  .map(part => [part.innerText.slice(0, 60), part.scrollWidth, part.clientWidth])"""


@every_notebook
def test_a_notebook_runs_to_its_end(notebook):
    lab, cells = notebook
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell["id"] for cell in code if cell["execution_count"] is None] == []
    errors = [(cell["id"], out["evalue"]) for cell in code for out in cell["outputs"] if out["output_type"] == "error"]
    assert errors == []
    assert lab.complaints == []


@every_notebook
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_stands_out_from_its_background(notebook, dark):
    lab, _ = notebook
    lab.theme(dark)
    found = lab.page.evaluate(CONTRASTS, BOXES)
    assert len(found) > 10
    assert [(text, ratio) for text, ratio in found if ratio < READABLE] == []


@every_notebook
@pytest.mark.parametrize("size", [(600, 800, 1), (*DESK, 2)], ids=["narrow", "twice as large"])
def test_nothing_is_wider_than_its_place(notebook, size):
    lab, _ = notebook
    lab.resize(*size)
    assert lab.page.locator(OUTPUTS).count() > 5
    assert lab.page.evaluate(TOO_WIDE, BOXES) == []


def write(lab: LabPage, body: str) -> None:
    """Type an answer into the cell of an exercise and run it, as a reader does."""
    lab.cell("exercise-bytes-per-token").locator(".cm-content").click()
    lab.page.keyboard.press("ControlOrMeta+a")
    lab.page.keyboard.type(f"def bytes_per_token(text, ids):\n{body}")  # the editor itself indents the second line
    lab.page.keyboard.press("Shift+Enter")


@pytest.mark.parametrize(
    "notebook", [path for path in paths() if path.stem.startswith("00")], indirect=True, ids=["00"]
)
def test_an_exercise_is_solved_by_typing_and_the_board_moves(notebook):
    lab, _ = notebook
    assert "Next: bytes_per_token" in lab.run_cell("code-board", "Next")
    write(lab, "return len(text) / len(ids)")
    shown = lab.run_cell("check-bytes-per-token", "not yet")
    assert "You count characters." in shown and "passed" not in shown
    assert "Next: bytes_per_token" in lab.run_cell("code-board", "Next")
    write(lab, "return len(text.encode()) / len(ids)")
    assert "not yet" not in lab.run_cell("check-bytes-per-token", "passed")
    assert "Next: utf8_bytes" in lab.run_cell("code-board", "Next: utf8_bytes")
