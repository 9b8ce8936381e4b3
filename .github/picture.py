"""The README's picture: `python .github/picture.py` trains on the course's stories and writes `picture.svg` anew."""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from bpe_course import corpora
from bpe_course.tokens import COLOURS, TEXT
from bpe_lib import Tokenizer, train_bpe
from bpe_lib.visible import visible

PICTURE = Path(__file__).with_name("picture.svg")
SENTENCE = "The old lighthouse keeper counted the boats twice."
SIZES = (0, 40, 200, 1_000, 5_000)
"""After how many merges the sentence is shown."""
CELL, ROW, LEFT = 14, 40, 112
"""The width of a character, the height of a row, and where the tokens begin, in pixels."""


def rows() -> list[tuple[str, list[bytes]]]:
    """Return for each size what it is called and the sentence's tokens, by a tokenizer trained on the stories."""
    _, merges = train_bpe(corpora.path("stories"), 256 + max(SIZES), [])
    shown = []
    for size in SIZES:
        vocab = {byte: bytes([byte]) for byte in range(256)}
        vocab |= {256 + rank: left + right for rank, (left, right) in enumerate(merges[:size])}
        tokenizer = Tokenizer(vocab, merges[:size])
        tokens = [vocab[id_] for id_ in tokenizer.encode(SENTENCE)]
        shown.append((f"{size:,} merges" if size else "bytes", tokens))
    return shown


def bricks(tokens: Iterable[bytes], top: int) -> list[str]:
    """Return a row of tokens, each a box as wide as its text; those of more than one byte have colours."""
    lines, left = [], LEFT
    for token in tokens:
        text = visible(token)
        width = CELL * len(text)
        colour = COLOURS[sum(token) % len(COLOURS)] if len(token) > 1 else "#f4f4f4"
        lines += [
            f'<rect x="{left + 1}" y="{top}" width="{width - 2}" height="28" rx="4" fill="{colour}" stroke="{TEXT}"/>',
            f'<text x="{left + width / 2:g}" y="{top + 19}" text-anchor="middle">{escape(text)}</text>',
        ]
        left += width
    return lines


def picture() -> str:
    """Return the picture as SVG, on a light ground, so that it is read in a dark page, too."""
    width, height = LEFT + CELL * len(SENTENCE) + 90, ROW * len(SIZES) + 16
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="monospace" font-size="15" fill="{TEXT}" role="img">',
        f"<title>{escape(SENTENCE)} as tokens, from bytes to {SIZES[-1]:,} merges</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#ffffff" stroke="none"/>',
    ]
    for number, (name, tokens) in enumerate(rows()):
        top = 10 + ROW * number
        lines.append(f'<text x="{LEFT - 10}" y="{top + 19}" text-anchor="end" font-size="13">{name}</text>')
        lines += bricks(tokens, top)
        end = LEFT + CELL * len(SENTENCE) + 10
        lines.append(f'<text x="{end}" y="{top + 19}" font-size="13">{len(tokens)} tokens</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_bytes(picture().encode())
