"""Chunk boundaries: a file as a strip, even cuts above it, and arrows to the special tokens that they move to."""

from typing import Any

from bpe_lib.corpora.constants import END_OF_TEXT
from bpe_lib.lessons.widgets.chunk_states import Chunking, chunk, token_starts
from bpe_lib.lessons.widgets.panel import Panel
from bpe_lib.lessons.widgets.strip import draw_chunking


def listing(numbers: list[int]) -> str:
    """Return numbers as one says them: `3`, `3 and 4`, `3, 4 and 5`."""
    words = list(map(str, numbers))
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def notes(chunking: Chunking) -> list[str]:
    """Return in words how evenly the chunks share the file, which cuts meet, and which fall inside a token."""
    size, sizes = len(chunking.data), chunking.sizes
    said = [
        f"Wanted: {chunking.desired}, got: {len(sizes)}. The longest chunk has {max(sizes, default=0):,} bytes, "
        f"{chunking.imbalance:.2f} times the even share of {chunking.share:,.0f}."
    ]
    for boundary, numbers in chunking.arrivals():
        plural = len(numbers) > 1
        if boundary == size:
            verb = "find no token and move" if plural else "finds no token and moves"
            said.append(f"Cut{'s' * plural} {listing(numbers)} {verb} to the end of the file, {size:,}.")
        elif plural:
            said.append(f"Cuts {listing(numbers)} meet at {boundary:,}.")
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
    states = [chunking, *(chunk(data, n, mark) for n in range(2, most + 1))]
    tallest = max(max(state.sizes, default=1) for state in states)
    lines = max(len(notes(state)) for state in states)
    starts, said = token_starts(data, mark), notes(chunking)
    label = f"A file of {len(data):,} bytes with {len(starts)} special tokens. {' '.join(said)}"
    return Panel(label, draw_chunking(chunking, starts, said, tallest, lines), as_text(chunking))


def chunk_slider(text: str | bytes, desired: int = 4, most: int = 12, token: str = END_OF_TEXT) -> Any:
    """Return `show_chunks` with a slider for the number of chunks, from 2 to `most`."""
    from bpe_lib.lessons.widgets.controls import move, steps

    place, row = steps("Chunks wanted", most, desired)
    place.min = 2
    row[0].description, row[1].description = "◀ Fewer", "More ▶"
    return move(lambda desired: show_chunks(text, desired, token, most), {"desired": place}, row)
