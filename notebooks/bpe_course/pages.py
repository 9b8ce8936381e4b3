"""The notebooks as a site: pages to read without running anything, with a search, from files alone.

Outputs are shown as they are stored, and an output that is folded in the notebook is folded here. Nothing is loaded
from elsewhere, so the pages work offline and straight from a folder.
"""

from __future__ import annotations

import base64
import html
import io
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bpe_course.highlight import highlighted
from bpe_course.notebooks import TABLE
from bpe_course.solve import find_notebooks

if TYPE_CHECKING:
    from nbformat import NotebookNode

DATA = Path(__file__).with_name("data")
FILES = {"site.css": "style.css", "site.js": "search.js"}
"""What each page needs: its name in `data`, and in the site."""
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.S)
NOTEBOOK_LINK = re.compile(r'href="([^":]+)\.ipynb(#[^"]*)?"')
HEADING = re.compile(r'<h([1-3]) id="([^"]*)">(.*?)<a class="anchor-link".*?</h\1>', re.S)
COURSE = "Byte-level BPE, built step by step"


def build_site(out: Path, paths: Sequence[Path] = ()) -> list[Path]:
    """Write the notebooks as pages into a folder, and return the pages, the first one in front.

    Args:
        out: the folder; it is made if need be.
        paths: notebooks, or folders of them; none for `notebooks/`.

    Raises:
        FileNotFoundError: one of them is not there.
    """
    import nbformat

    names = find_notebooks(paths)
    bodies = {path.stem: body(nbformat.read(path, as_version=4)) for path in names}
    out.mkdir(parents=True, exist_ok=True)
    for source, name in FILES.items():
        shutil.copyfile(DATA / source, out / name)
    index = [entry for stem, content in bodies.items() for entry in sections(stem, content)]
    (out / "index.js").write_text(f"const INDEX = {json.dumps(index, ensure_ascii=False)};\n", encoding="utf-8")
    pages = {"index": front(list(bodies))}
    for stem, content in bodies.items():
        pages[stem] = f"{content}{neighbours(stem, list(bodies))}"
    return [write_page(out, stem, content) for stem, content in pages.items()]


def write_page(out: Path, stem: str, content: str) -> Path:
    """Write a page around its content, and return its file."""
    title = COURSE if stem == "index" else label(stem)
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<header><a href="index.html">{COURSE}</a>
<input id="search" type="search" placeholder="Search all notebooks" aria-label="Search all notebooks">
<ol id="found" hidden aria-live="polite"></ol></header>
<main>
{content}
</main>
<script src="index.js"></script>
<script src="search.js"></script>
</body>
</html>
"""
    path = out / f"{stem}.html"
    path.write_text(page, encoding="utf-8", newline="\n")
    return path


def label(stem: str) -> str:
    """Return the number and title of a notebook, or its file's name if the course's table doesn't have it.

    >>> label("01_text_is_bytes"), label("mine")
    ('01 Text is bytes', 'mine')
    """
    return next((notebook.label for notebook in TABLE if notebook.name == stem), stem)


def front(stems: Sequence[str]) -> str:
    """Return the content of the first page: a table of the notebooks."""
    about = {notebook.name: (f"{notebook.minutes}", notebook.builds) for notebook in TABLE}
    rows = ""
    for stem in stems:
        minutes, builds = map(html.escape, about.get(stem, ("", "")))
        rows += f'<tr><td><a href="{stem}.html">{html.escape(label(stem))}</a><td>{minutes}<td>{builds}</tr>\n'
    return (
        f"<h1>{COURSE}</h1>\n<p>The notebooks of the course, as they look before you have solved anything. To run "
        f"them, and to have your answers checked, you need the project itself: its README says how.</p>\n"
        f"<table><thead><tr><th>Notebook<th>Minutes<th>You build</tr></thead>\n<tbody>\n{rows}</tbody></table>"
    )


def neighbours(stem: str, stems: Sequence[str]) -> str:
    """Return links to the page before and the page after."""
    place = stems.index(stem)
    around = [("←", other) for other in stems[:place][-1:]] + [("→", other) for other in stems[place + 1 :][:1]]
    links = (f'<a href="{other}.html">{sign} {html.escape(label(other))}</a>' for sign, other in around)
    return f"<nav>{' '.join(links)}</nav>"


def body(notebook: NotebookNode) -> str:
    """Return all cells of a notebook as HTML, but for the one that installs the course."""
    cells = [cell for cell in notebook.cells if "setup" not in cell.metadata.get("bpe", {})]
    return "\n".join(prose(cell.source) if cell.cell_type == "markdown" else code(cell) for cell in cells)


def prose(source: str) -> str:
    """Return Markdown as HTML, with links to notebooks that lead to their pages."""
    from nbconvert.filters.markdown import markdown2html

    page = FORMULA.sub(lambda match: formula(html.unescape(match[1])), markdown2html(source))
    return NOTEBOOK_LINK.sub(r'href="\1.html\2"', page)


def formula(tex: str) -> str:
    """Return a formula as a picture, so that no page needs a script for it."""
    from matplotlib.mathtext import math_to_image

    image = io.BytesIO()
    math_to_image(f"${tex.strip()}$", image, format="svg")
    data = base64.b64encode(image.getvalue()).decode()
    return f'<img class="formula" alt="{html.escape(tex.strip())}" src="data:image/svg+xml;base64,{data}">'


def code(cell: NotebookNode) -> str:
    """Return a code cell as HTML: its source and its outputs, each folded where the notebook folds it."""
    jupyter = cell.metadata.get("jupyter", {})
    source = highlighted(cell.source)
    shown = "\n".join(map(output, cell.get("outputs", [])))
    source = folded("Code", source) if jupyter.get("source_hidden") else source
    shown = folded("Output", shown) if jupyter.get("outputs_hidden") and shown else shown
    return f'<div class="code" id="{html.escape(cell.get("id", ""))}">{source}<div class="output">{shown}</div></div>'


def folded(name: str, content: str) -> str:
    """Return content under a line that unfolds it."""
    return f"<details><summary>{name}</summary>\n{content}\n</details>"


def output(node: NotebookNode) -> str:
    """Return an output as HTML: of what it holds, the richest that a page can show."""
    data = node.get("data", {})
    if "text/html" in data:
        return data["text/html"]
    if "image/png" in data:
        return f'<img alt="{html.escape(data.get("text/plain", ""))}" src="data:image/png;base64,{data["image/png"]}">'
    if "text/markdown" in data:
        return prose(data["text/markdown"])
    return f"<pre>{html.escape(data.get('text/plain') or node.get('text', ''), quote=False)}</pre>"


def sections(stem: str, content: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield what the search knows of a page: of each section the page, its anchor, its heading and its words."""
    found = list(HEADING.finditer(content))
    ends = [match.start() for match in found[1:]] + [len(content)]
    for match, end in zip(found, ends):
        where = f"{stem}.html#{html.unescape(match[2])}"
        heading = "" if match[1] == "1" else words(match[3])
        yield where, label(stem), heading, words(without_folds(content[match.end() : end]))


def without_folds(content: str) -> str:
    """Return HTML without what is folded: the search tells no answer to a question."""
    innermost = re.compile(r"<details(?:(?!<details).)*?</details>", re.S)
    while innermost.search(content):
        content = innermost.sub(" ", content)
    return content


def words(content: str) -> str:
    """Return the text of some HTML, in one line.

    >>> words("<p>a <b>b</b> &lt;</p>")
    'a b <'
    """
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", content)).split())
