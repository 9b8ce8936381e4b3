"""A page of JupyterLab to drive in tests, with whatever Chromium is there.

JupyterLab attaches cells when they come into view, and Playwright finds only what is attached: so a cell is brought
into view through JupyterLab's own interface (`--expose-app-in-browser`) and marked with its id.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lab_server import Server, serving
from notebook_tools import load

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Without a sandbox, since containers have none; the rest keeps the browser from the network.
SWITCHES = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
SWITCHES += "--disable-component-update --disable-sync"
SECONDS = 240
"""Within which a notebook opens, or runs to its end."""
DESK = (1300, 900)
"""The width and height of an ordinary window, in pixels."""
HARMLESS = ("_ensureFocus",)
"""Parts of complaints that say nothing about the notebooks: JupyterLab looks for the focus of one that was closed."""

OPEN = """async (path) => {
  const widget = await jupyterapp.commands.execute('docmanager:open', {path, factory: 'Notebook'});
  await widget.context.ready;
  await widget.sessionContext.ready;
  jupyterapp.shell.activateById(widget.id);
}"""
READY = "() => jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'"
RUN = "async (what) => { await jupyterapp.commands.execute(`notebook:run-${what}`); }"
CLOSE = """async () => {
  const widget = jupyterapp.shell.currentWidget;
  await widget.sessionContext.shutdown();
  widget.dispose();
  await new Promise(done => setTimeout(done, 300));
}"""
CELLS = """() => Array.from(jupyterapp.shell.currentWidget.content.model.cells).map(cell => {
  const {id, cell_type, execution_count, outputs} = cell.toJSON();
  return {id, cell_type, execution_count, outputs: outputs ?? []};
})"""
SHOW = """async (id) => {
  const notebook = jupyterapp.shell.currentWidget.content;
  const cell = notebook.widgets.findIndex(widget => widget.model.id === id);
  notebook.activeCellIndex = cell;
  await notebook.scrollToItem(cell, 'start');
  notebook.widgets[cell].node.dataset.id = id;
}"""
THEME = """async (dark) => {
  await jupyterapp.commands.execute('apputils:change-theme', {theme: dark ? 'JupyterLab Dark' : 'JupyterLab Light'});
}"""
THEME_IS = "(dark) => document.body.dataset.jpThemeLight === String(!dark)"


class LabPage:
    """A page that shows JupyterLab, with one notebook at a time.

    Attributes:
        page: Playwright's page, for clicks and keys.
        complaints: errors in the browser's console, errors of scripts, and windows that scripts open.
    """

    def __init__(self, page: Any, server: Server) -> None:
        self.page, self.server = page, server
        self.complaints: list[str] = []
        page.set_default_timeout(SECONDS * 1000)
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.complain(f"{error}\n{error.stack}"))
        page.on("dialog", self.dismiss)
        self.resize(*DESK)
        page.goto(f"{server.url}/lab?token={server.token}")
        page.wait_for_function("() => window.jupyterapp?.restored")
        page.evaluate("() => jupyterapp.restored")
        page.evaluate("() => jupyterapp.shell.collapseLeft()")

    def complain(self, text: str) -> None:
        """Keep an error, unless it is known to say nothing about the notebooks."""
        if not any(part in text for part in HARMLESS):
            self.complaints.append(text)

    def hear(self, message: Any) -> None:
        """Keep what the console reports as an error."""
        if message.type == "error":
            self.complain(f"{message.text} {message.location.get('url', '')}")

    def dismiss(self, dialog: Any) -> None:
        """Keep what a script wants to tell in a window of its own, and close that."""
        self.complain(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    def open(self, name: str) -> None:
        """Open a notebook in an ordinary window and the light theme, and wait for its kernel.

        Args:
            name: its file, with `.ipynb`.
        """
        self.complaints.clear()
        self.resize(*DESK)
        self.theme(dark=False)
        self.page.evaluate(OPEN, name)
        self.page.wait_for_function(READY)

    def run(self) -> list[dict[str, Any]]:
        """Run all cells; return them with their outputs."""
        self.page.evaluate(RUN, "all-cells")
        return self.page.evaluate(CELLS)

    def close(self) -> None:
        """Close the notebook and end its kernel."""
        self.page.evaluate(CLOSE)

    def cell(self, cell_id: str) -> Any:
        """Bring a cell into view and return Playwright's locator for it."""
        self.page.evaluate(SHOW, cell_id)
        return self.page.locator(f'.jp-Cell[data-id="{cell_id}"]')

    def run_cell(self, cell_id: str, shows: str) -> str:
        """Run a cell, wait until its output holds a text, and return the output's text."""
        output = self.cell(cell_id).locator(".jp-OutputArea", has_text=shows)
        self.page.evaluate(RUN, "cell")
        return output.inner_text(timeout=10_000)

    def theme(self, dark: bool) -> None:
        """Change to JupyterLab's dark theme, or to the light one."""
        self.page.evaluate(THEME, dark)
        self.page.wait_for_function(THEME_IS, arg=dark)

    def resize(self, width: int, height: int, zoom: float = 1) -> None:
        """Give the window a size in pixels; at a browser's zoom of 2 (200 %) half as many are left for the page."""
        self.page.set_viewport_size({"width": round(width / zoom), "height": round(height / zoom)})


def find_browser(bundled: str) -> str:
    """Return a browser's path: Chromium or Chrome on the search path, or the one that Playwright brought; else ""."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return found or (bundled if os.path.exists(bundled) else "")


@pytest.fixture(scope="session")
def lab_server(tmp_path_factory) -> Iterator[Server]:
    """JupyterLab on a copy of the notebooks, the same for all tests."""
    with serving(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="module")
def lab(request) -> Iterator[LabPage]:
    """A page that shows JupyterLab, the same for all tests of a module."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is missing: pip install playwright")
    with playwright.sync_playwright() as tools:
        path = find_browser(tools.chromium.executable_path)
        if not path:
            pytest.skip("no browser: install Chromium, or run `playwright install chromium`")
        browser = tools.chromium.launch(executable_path=path, args=SWITCHES.split())
        try:
            yield LabPage(browser.new_page(), request.getfixturevalue("lab_server"))
        finally:
            browser.close()


@pytest.fixture(scope="module")
def notebook(lab, request) -> Iterator[tuple[LabPage, list[dict[str, Any]]]]:
    """A notebook, opened and run to its end: the page, and its cells."""
    path: Path = request.param
    load(path)  # skips what a reader has changed, if there is no copy as shipped
    lab.open(path.name)
    try:
        yield lab, lab.run()
    finally:
        lab.close()
