"""The drawing of a file in chunks. Rows of boxes whose widths are shares of the file, so that it fits any window."""

from bisect import bisect_right
from collections.abc import Sequence
from html import escape

from bpe_course.tokens import COLOURS, visible
from bpe_course.widgets.chunk_states import Chunking
from bpe_course.widgets.panel import FAINT, TEXT

MARK, EVEN, EVEN_TEXT = "#003f66", "#d55e00", "#b34700"
"""Colours of special tokens, of what belongs to even cuts, and of words about these."""
LETTERS = 64
"""Up to so many bytes are shown one by one."""
SHOWN = 200
"""Characters of a story that are put where it begins, where the box cuts off what has no room, and into its tip."""
HEIGHT = 120
"""The height of the tallest column, in pixels."""
ROW = "display:flex;width:100%;box-sizing:border-box;"
BOX = "flex:none;box-sizing:border-box;white-space:pre;"


def box(width: float, style: str, inside: str = "", title: str = "") -> str:
    """Return a box, `width` (0 to 1) of its row wide; what is inside is HTML."""
    tip = f' title="{escape(title)}"' if title else ""
    return f'<span{tip} style="{BOX}width:{100 * width:.3f}%;{style}">{inside}</span>'


def even_row(chunking: Chunking) -> str:
    """Return the numbers and offsets of the even cuts, each above its place; `!` marks one inside a token."""
    size = max(len(chunking.data), 1)
    step = len(chunking.data) // chunking.desired / size
    cells = [box(step / 2, "", "&nbsp;<br>&nbsp;")]
    for number, cut in enumerate(chunking.cuts, start=1):
        inside = cut.inside is not None
        colours = f"background:{EVEN_TEXT};color:#ffffff" if inside else f"background:#ffffff;color:{EVEN_TEXT}"
        name = (
            f'<strong style="{colours};border:1px solid {EVEN_TEXT};border-radius:3px;padding:0 4px">'
            f"{number}{'!' * inside}</strong>"
        )
        tip = f"even cut {number} at {cut.even:,} moves to {cut.boundary:,}"
        offset = f'<span style="color:{EVEN_TEXT};font-size:80%">{cut.even:,}</span>'
        cells.append(box(step, "text-align:center;line-height:1.3", f"{name}<br>{offset}", tip))
    return f'<div style="{ROW}">{"".join(cells)}</div>'


def arrow_row(chunking: Chunking) -> str:
    """Return lines from even cuts to boundaries. Cuts that meet share a line: such groups never overlap."""
    size, at, cells = max(len(chunking.data), 1), 0, []
    head = (
        f"border-left:8px solid {EVEN};border-top:5px solid transparent;border-bottom:5px solid transparent;"
        "align-self:flex-end;margin-bottom:-6px"
    )
    for boundary, numbers in chunking.arrivals():
        evens = [chunking.cuts[number - 1].even for number in numbers]
        cells.append(box((evens[0] - at) / size, ""))
        for start, end in zip(evens, [*evens[1:], boundary]):
            line = f"border-bottom:2px solid {EVEN};" if end > start else "margin-right:-2px;"
            style = f"height:12px;border-left:2px solid {EVEN};{line}display:flex;justify-content:flex-end"
            tip = f'<span style="{head}"></span>' if end == boundary and end > start else ""
            cells.append(box((end - start) / size, style, tip))
        at = boundary
    return f'<div style="{ROW}height:20px">{"".join(cells)}</div>'


def file_row(chunking: Chunking, starts: Sequence[int]) -> str:
    """Return the file: documents in the colour of their chunk, special tokens dark, cuts and boundaries as lines."""
    data, step = chunking.data, len(chunking.token)
    marked = {at for start in starts for at in range(start, start + step)}
    evens = {cut.even for cut in chunking.cuts}
    stories = {0, *(start + step for start in starts)}.difference(starts)
    edges = {0, len(data), *evens, *starts, *stories}
    edges = sorted(edges | set(range(len(data) if len(data) <= LETTERS else 0)))
    align, cells = "center" if len(data) <= LETTERS else "left", []
    for start, end in zip(edges, edges[1:]):
        number = bisect_right(chunking.boundaries, start)
        fill = f"background:{MARK};color:#ffffff" if start in marked else f"background:{pale(number)};color:{TEXT}"
        line = f"2px dashed {EVEN}" if start in evens else "1px solid #ffffff" if len(data) <= LETTERS else "0"
        line = f"3px solid {TEXT}" if start in chunking.boundaries[1:] else line
        style = f"{fill};border-left:{line};overflow:hidden;height:2.1em;line-height:2.1em;text-align:{align};"
        words = first_words(data, start, end)
        place = f"chunk {number}, bytes {start:,} to {end:,}: {words}"
        inside = escape(words)
        if len(data) > LETTERS:
            inside = beginning(data, start, end, starts) if start in stories else ""
            style += "overflow:visible;position:relative;z-index:1" if inside else ""
        cells.append(box((end - start) / len(data), style, inside, place))
    return f'<div aria-hidden="true" style="{ROW}font:13px monospace;border:1px solid {TEXT}">{"".join(cells)}</div>'


def first_words(data: bytes, start: int, end: int) -> str:
    """Return the first characters of a stretch of the file, at most `SHOWN` of them."""
    return visible(data[start : min(end, start + 4 * SHOWN)])[:SHOWN]  # a character has at most 4 bytes


def beginning(data: bytes, start: int, end: int, starts: Sequence[int]) -> str:
    """Return a story's first words as HTML for the box where it begins: as much as fits, across even cuts in it."""
    story_end = next((at for at in starts if at > start), len(data))
    width = 100 * (story_end - start) / (end - start)
    words = escape(first_words(data, start, story_end).replace("␣", " "))
    return f'<span style="display:block;width:{width:.1f}%;overflow:hidden">{words}</span>'


def chunk_row(chunking: Chunking) -> str:
    """Return a bracket below each chunk with its number."""
    cells, size = [], max(len(chunking.data), 1)
    for number, bytes_ in enumerate(chunking.sizes, start=1):
        name = f"chunk {number}" if bytes_ / size > 0.14 else str(number) if bytes_ / size > 0.02 else ""
        bracket = f'<span style="display:block;height:5px;border:2px solid {TEXT};border-top:0;margin:3px 1px"></span>'
        cells.append(box(bytes_ / size, "text-align:center;overflow:hidden", bracket + name))
    return f'<div style="{ROW}font-size:90%">{"".join(cells)}</div>'


def column(number: int, size: int, share: float, tallest: int) -> str:
    """Return a chunk as a column: hatched above the even share, and dashed where it falls short of it."""
    scale = HEIGHT / tallest
    solid = f"background:{pale(number)};border:1px solid {TEXT}"
    stripes = f"repeating-linear-gradient(45deg,{EVEN} 0 3px,#ffffff 3px 8px)"
    hatch = f"background:{EVEN};background-image:{stripes};border:1px solid {TEXT}"  # some viewers strip the stripes
    missing = f"border:1px dashed {FAINT};border-bottom:0"
    parts = [(size - share, hatch), (share - size, missing), (min(size, share), solid)]
    bars = "".join(
        f'<span style="display:block;box-sizing:border-box;height:{max(part * scale, 1):.1f}px;{style}"></span>'
        for part, style in parts
        if part > 0
    )
    below = str(number) if size else f'<span style="color:{FAINT}">idle</span>'
    return (
        '<span style="flex:1 1 0;max-width:5.5em;min-width:0;text-align:center;line-height:1.3;margin:0 2px">'
        f"{size:,}{bars}<strong>{below}</strong></span>"
    )


def pale(number: int) -> str:
    """Return the colour of a chunk, whose number begins at 1."""
    return COLOURS[(number - 1) % len(COLOURS)]


def draw_chunking(chunking: Chunking, starts: Sequence[int], notes: Sequence[str], tallest: int, lines: int) -> str:
    """Return a file in chunks as HTML: even cuts, arrows, the file, the chunks, their sizes, and notes in words.

    Args:
        chunking: what to draw.
        starts: where special tokens begin.
        notes: what to say.
        tallest: of how many bytes a column is as high as can be.
        lines: for how many notes there is room.
    """
    sizes = [*chunking.sizes, *[0] * (chunking.desired - len(chunking.sizes))]
    columns = "".join(column(number, size, chunking.share, tallest) for number, size in enumerate(sizes, start=1))
    faint = f"color:{FAINT};font-size:90%"
    said = "".join(f"<div>{escape(note)}</div>" for note in notes)
    return (
        f'<div style="{faint};margin-bottom:.5em">{len(chunking.data):,} bytes with {len(starts)} special tokens '
        "(dark); above them the even cuts, and where they move</div>"
        f"{even_row(chunking)}{arrow_row(chunking)}{file_row(chunking, starts)}{chunk_row(chunking)}"
        f'<div style="{ROW}align-items:flex-end;height:{HEIGHT + 45}px;font-size:85%">{columns}</div>'
        f'<div style="{faint}">bytes of each chunk; orange: above the even share, dashed: below it</div>'
        f'<div style="min-height:{1.5 * lines:g}em;margin-top:.6em">{said}</div>'
    )
