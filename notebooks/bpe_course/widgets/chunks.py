"""Chunk boundaries: a file as a strip, even cuts above it, and arrows to the special tokens that they move to."""

from collections.abc import Collection
from typing import Any

from bpe_course.corpora.constants import END_OF_TEXT
from bpe_course.widgets.chunk_states import Chunking, chunk, token_starts
from bpe_course.widgets.panel import Panel, enumeration
from bpe_course.widgets.strip import draw_chunking


def notes(chunking: Chunking) -> list[str]:
    """Return in words how evenly the chunks share the file, which cuts meet, and which fall inside a token."""
    size, sizes = len(chunking.data), chunking.sizes
    said = [
        f"Wanted: {chunking.desired}, got: {len(sizes)}. The longest chunk has {max(sizes, default=0):,} bytes, "
        f"{chunking.imbalance:.2f} times the even share of {chunking.share:,.0f}."
    ]
    for boundary, numbers in chunking.arrivals():
        plural, listed = len(numbers) > 1, enumeration(list(map(str, numbers)), len(numbers))
        if boundary == size:
            verb = "find no token and move" if plural else "finds no token and moves"
            said.append(f"Cut{'s' * plural} {listed} {verb} to the end of the file, {size:,}.")
        elif plural:
            said.append(f"Cuts {listed} meet at {boundary:,}.")
    for number, cut in enumerate(chunking.cuts, start=1):
        if cut.inside is not None:
            said.append(
                f"Cut {number} falls inside a token: {cut.even:,} lies behind its start, {cut.inside:,}, so the cut "
                f"moves on to {cut.boundary:,}."
            )
    return said


def as_text(chunking: Chunking) -> str:
    """Return the cuts and the chunks as rows of numbers, with the notes below."""
    rows = ["cut   even  moves to"]
    for number, cut in enumerate(chunking.cuts, start=1):
        rows.append(f"{number:3}{cut.even:7,}{cut.boundary:10,}{'  inside a token' * (cut.inside is not None)}")
    rows += ["chunk  bytes  of the even share"]
    for number, size in enumerate(chunking.sizes, start=1):
        rows.append(f"{number:5}{size:7,}{size / chunking.share:19.2f}")
    return "\n".join([*rows, *notes(chunking)])


def show_chunks(text: str | bytes, desired: int, token: str = END_OF_TEXT, most: int = 0) -> Panel:
    """Return a file as a strip with its special tokens, the even cuts, where they move, and the sizes of the chunks.

    Args:
        text: a small file; up to 64 bytes are shown one by one.
        desired: how many chunks are asked for.
        token: the special token.
        most: how many may be asked for later. The columns have one scale for all numbers from 2 to this one, and
            there is room for the notes of each.

    Raises:
        ValueError: fewer than one chunk is asked for, or the token is empty.
    """
    data, mark = text.encode() if isinstance(text, str) else text, token.encode()
    chunking = chunk(data, desired, mark)
    return draw(chunking, *room([chunking, *(chunk(data, n, mark) for n in range(2, most + 1))]))


def chunk_slider(text: str | bytes, desired: int = 4, most: int = 12, token: str = END_OF_TEXT) -> Any:
    """Return `show_chunks` with a slider for the number of chunks, from 2 to `most`."""
    from bpe_course.widgets.controls import move, steps

    data = text.encode() if isinstance(text, str) else text
    states = {number: chunk(data, number, token.encode()) for number in range(2, most + 1)}
    tallest, lines = room(states.values())
    place, row = steps("Chunks wanted", most, desired, 2, "◀ Fewer", "More ▶")
    return move(lambda desired: draw(states[desired], tallest, lines), {"desired": place}, row)


def room(states: Collection[Chunking]) -> tuple[int, int]:
    """Return the bytes of the tallest column of some states, and how many notes the one with most notes has."""
    return max(max(state.sizes, default=1) for state in states), max(len(notes(state)) for state in states)


def draw(chunking: Chunking, tallest: int, lines: int) -> Panel:
    """Return a file in chunks as a panel, with columns that have the scale of `tallest` bytes and room for notes."""
    starts, said = token_starts(chunking.data, chunking.token), notes(chunking)
    label = f"A file of {len(chunking.data):,} bytes with {len(starts)} special tokens. {' '.join(said)}"
    return Panel(label, draw_chunking(chunking, starts, said, tallest, lines), as_text(chunking))
