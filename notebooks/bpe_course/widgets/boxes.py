"""Words as rows of boxes, one for each token, in which every letter keeps its place while tokens grow."""

from collections.abc import Mapping
from html import escape

from bpe_course.tokens import visible
from bpe_course.widgets.panel import FAINT, TEXT
from bpe_lib.naive import Pair
from bpe_lib.pretokenization import Word

CELL = 1.25
"""Width of one byte, in em."""

PLAIN = ("#e4eff8", "2px solid #a3c0d6")
MADE = ("#e69f00", f"2px solid {TEXT}")
NEXT = ("#fff3bf", f"2px dashed {TEXT}")
BOTH = ("#e69f00", f"2px dashed {TEXT}")
TIED = ("#c3c8ce", f"2px solid {FAINT}")
"""Background and border: as it was, made by the last merge, joined by the next one, both, and tied with the next."""


def pair_text(pair: Pair) -> str:
    """Return a pair as text.

    >>> pair_text((b"e", b" t"))
    '(e, ␣t)'
    """
    return f"({visible(pair[0])}, {visible(pair[1])})"


def word_text(word: Word) -> str:
    """Return a word as text, with a dot between its tokens.

    >>> word_text((b"n", b"e", b"w", b"est"))
    'n·e·w·est'
    """
    return "·".join(map(visible, word))


def places_of(word: Word, pair: Pair | None) -> set[int]:
    """Return the positions of the tokens that a merge of the pair joins, from left to right, without overlap.

    >>> sorted(places_of((b"a", b"a", b"a", b"b"), (b"a", b"a")))
    [0, 1]
    """
    joined: set[int] = set()
    for i in range(len(word) - 1):
        if word[i : i + 2] == pair and i not in joined:
            joined |= {i, i + 1}
    return joined


def box(token: bytes, look: tuple[str, str], bold: bool = False) -> str:
    """Return one token as a box as wide as its bytes, each letter in the middle of its own place."""
    text, (background, border) = visible(token), look
    letters = list(text) if len(text) == len(token) else [text]
    width = CELL * len(token) / len(letters)
    size = min(100, round(160 * width / len(letters[0]))) if letters else 100
    spans = "".join(
        f'<span style="display:inline-block;width:{width:.4g}em;text-align:center">'
        f'<span style="font-size:{size}%">{escape(letter)}</span></span>'
        for letter in letters
    )
    weight = "font-weight:bold;" if bold else ""
    return (
        f'<span style="display:inline-block;background:{background};border:{border};border-radius:5px;'
        f'color:{TEXT};margin:0 1px;line-height:1.55;{weight}white-space:nowrap">{spans}</span>'
    )


def word_boxes(word: Word, made: bytes | None = None, pair: Pair | None = None) -> str:
    """Return a word as boxes.

    Args:
        word: the word.
        made: the token that the last merge made, which is marked.
        pair: the pair that is merged next; what it joins gets a dashed edge.
    """
    joined, looks = places_of(word, pair), {(True, True): BOTH, (True, False): MADE, (False, True): NEXT}
    boxes = "".join(
        box(token, looks.get((token == made, i in joined), PLAIN), token == made) for i, token in enumerate(word)
    )
    return (
        f'<span role="img" aria-label="{escape(word_text(word))}" '
        f'style="font-family:monospace;font-size:130%;white-space:nowrap">{boxes}</span>'
    )


def heading(text: str) -> str:
    """Return the small heading of a part of a panel."""
    return f'<div style="color:{FAINT};font-size:88%;font-weight:bold;margin:.4em 0 .2em">{escape(text)}</div>'


def sheet(title: str, left: str, right: str, below: str) -> str:
    """Return a panel's content, as HTML: two parts beside each other where there is room, else below each other."""
    inner = "".join(
        f'<div style="display:inline-block;vertical-align:top;min-width:24em">{part}</div>' for part in (left, right)
    )
    return (
        '<div style="font-size:var(--jp-content-font-size1,14px)">'
        f'<div style="line-height:2.4em;min-height:2.4em">{title}</div>'
        f'<div style="display:flex;flex-wrap:wrap;gap:.2em 2em">{inner}</div>{below}</div>'
    )


def table(rows: list[str]) -> str:
    """Return rows as a table without lines, whatever style the page has for tables."""
    return (
        '<table style="border-collapse:collapse;border:none;margin:0;font-size:100%;color:inherit;background:none">'
        f"{''.join(rows)}</table>"
    )


def row(cells: list[tuple[str, str]], style: str = "", span: int = 1) -> str:
    """Return a table's row from cells, each its HTML and its style; each takes `span` columns."""
    common = "border:none;padding:.1em .45em;text-align:left;white-space:nowrap;color:inherit;background:none"
    inner = "".join(f'<td colspan="{span}" style="{common};{more}">{html}</td>' for html, more in cells)
    return f'<tr style="background:none;border:none;{style}">{inner}</tr>'


def bar(width: float, look: tuple[str, str], inside: str = "") -> str:
    """Return a bar that is `width` em wide."""
    return (
        f'<div style="display:inline-block;vertical-align:middle;box-sizing:border-box;width:{max(width, 0.4):.2f}em;'
        f'height:1.15em;background:{look[0]};border:{look[1]};border-radius:3px;overflow:hidden">{inside}</div>'
    )


def said(title: str, *lines: str) -> str:
    """Return sentences under a small heading, in a place that is high enough for all states."""
    inner = "".join(f"<div>{escape(line)}</div>" for line in lines)
    return f'<div style="padding-top:.4em">{heading(title)}<div style="min-height:4.5em;width:25em">{inner}</div></div>'


def key(looks: Mapping[str, tuple[str, str]], more: str = "") -> str:
    """Return what the looks of boxes mean, and more to know about the picture."""
    items = (f'<span style="font-family:monospace">{box(b"ab", look)}</span> {name}' for name, look in looks.items())
    parts = " &emsp; ".join(filter(None, [*items, escape(more)]))
    return f'<div style="color:{FAINT};font-size:88%;margin-top:.9em">{parts}</div>'


RIGHT = "text-align:right;font-variant-numeric:tabular-nums"
MONO = "font-family:monospace;font-size:105%"
EMPTY = "&nbsp;"
