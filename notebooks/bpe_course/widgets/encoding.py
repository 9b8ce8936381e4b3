"""The encode stepper of notebook 07: one pre-token under several tokenizers, merge by merge, lowest rank first."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from bpe_course.tokens import visible
from bpe_course.widgets.boxes import BOTH, MADE, NEXT, PLAIN, key
from bpe_course.widgets.encoding_steps import Stepper, first_pretoken, last_step, longest_first
from bpe_course.widgets.panel import FAINT, TEXT, Panel
from bpe_lib.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_course.widgets.controls import Moving


def show_encoding(tokenizers: Mapping[str, Tokenizer], text: str, step: int | None = None) -> Panel:
    """Return a pre-token after so many merges, under each of some tokenizers.

    Args:
        tokenizers: by name.
        text: of several pre-tokens, the first is shown.
        step: merges so far, for each tokenizer at most as many as it makes; None: all of them.

    Raises:
        ValueError: the text is empty, the pre-token too long, or a byte of it is in no vocabulary.

    >>> tokenizer = Tokenizer({0: b"t", 1: b"h", 2: b"e", 3: b"he", 4: b"th"}, [(b"h", b"e"), (b"t", b"h")])
    >>> show_encoding({"two merges": tokenizer}, "the", 0)
    The pre-token the after 0 merges. Between tokens stands the rank of their pair.
    two merges, 0 of 1 merges
      t 1 h [0] e
      ▲ Rank 0 is the lowest: h + e merge next.
      Longest token first, from the left, would give: th·e
    """
    steppers = [Stepper(name, tokenizer) for name, tokenizer in tokenizers.items()]
    pretoken, others = first_pretoken(text)
    last = max(len(stepper.steps(pretoken)) - 1 for stepper in steppers)
    return draw(steppers, pretoken, others, last if step is None else min(step, last))


def encode_stepper(tokenizers: Mapping[str, Tokenizer], text: str) -> "Moving":
    """Return a widget that encodes a word of the reader's merge by merge, under each of some tokenizers.

    Args:
        tokenizers: by name.
        text: to begin with.
    """
    from bpe_course.widgets.controls import line, move, steps, text_field

    steppers = [Stepper(name, tokenizer) for name, tokenizer in tokenizers.items()]
    field = text_field("a word, as a rule with a space before it", text)
    place, row = steps("merges so far", last_step(steppers, text))

    def fit(_: object) -> None:
        """Give the slider as many steps as the new word takes, and begin with its bytes."""
        place.value = 0
        place.max = last_step(steppers, field.value)

    field.observe(fit, "value")
    controls = {"text": field, "step": place}
    return move(lambda text, step: draw(steppers, *first_pretoken(text), step), controls, [line(field), line(*row)])


def draw(steppers: Sequence[Stepper], pretoken: bytes, others: int, step: int) -> Panel:
    """Return a state of all tokenizers as a panel."""
    tracks = [Track(stepper, pretoken, step) for stepper in steppers]
    gap = max(track.digits for track in tracks) * 0.55 + 0.25
    more = f" The text has {others} more, each encoded by itself." if others else ""
    name, count = visible(pretoken), f"{step} merge{'s' * (step != 1)}"
    html = "".join(track.html(gap) for track in tracks)
    title = f'Pre-token <b style="{MONO}">{escape(name)}</b>, {len(pretoken)} bytes, after {count}.{more}'
    html = f'<div style="font-size:108%">{title}</div>{html}{key(LOOKS, EXPLAINED)}'
    label = f"The pre-token {name} after {count}"
    text = "\n".join([f"{label}. Between tokens stands the rank of their pair.{more}", *(t.text() for t in tracks)])
    said = "; ".join(f"{track.stepper.name}: {'·'.join(track.names)}" for track in tracks)
    return Panel(f"{label}: {said}", html, text)


LOOKS = {"made last": MADE, "merged next": NEXT, "both": BOTH}
EXPLAINED = (
    "A box is as wide as its bytes. A number between two tokens is the rank of their pair; – means that no merge joins "
    "them."
)
MONO = "font-family:monospace;white-space:pre"


class Track:
    """One tokenizer's share of a panel: its tokens, the ranks between them, and what happens next.

    Args:
        stepper: the tokenizer.
        pretoken: what it encodes.
        step: merges so far, at most as many as it makes.
    """

    def __init__(self, stepper: Stepper, pretoken: bytes, step: int) -> None:
        states = stepper.steps(pretoken)
        self.stepper, self.pretoken, self.last = stepper, pretoken, len(states) - 1
        self.number = min(step, self.last)
        self.step = states[self.number]
        self.tokens = stepper.tokens(self.step)
        self.names = [visible(token) for token in self.tokens]
        self.digits = max(len(str(rank)) for state in states for rank in (0, *state.ranks) if rank is not None)
        self.greedy = longest_first(pretoken, stepper.ordinary)

    def title(self) -> str:
        """Return the tokenizer's name and how far it is."""
        return f"{self.stepper.name}, {self.number} of {self.last} merges"

    def status(self) -> str:
        """Return what happens next; at the end, the ids."""
        if self.step.lowest is None:
            return f"✓ Done, no pair has a rank. ids: {' '.join(map(str, self.step.ids))}"
        left, right = self.names[self.step.lowest : self.step.lowest + 2]
        return f"▲ Rank {self.step.ranks[self.step.lowest]} is the lowest: {left} + {right} merge next."

    def comparison(self) -> str:
        """Return what one would get by length, and at the end whether that is the same."""
        shown = f"Longest token first, from the left, would give: {'·'.join(map(visible, self.greedy))}"
        if self.step.lowest is not None:
            return shown
        greedy, ours = len(self.greedy), len(self.tokens)
        if greedy != ours:
            return f"{shown} ({greedy} token{'s' * (greedy != 1)}, not {ours})"
        return f"{shown} ({'the same' if self.greedy == self.tokens else 'as many tokens, but others'})"

    def text(self) -> str:
        """Return the share as text."""
        row = self.names[0]
        for i, rank in enumerate(self.step.ranks):
            shown = "–" if rank is None else f"[{rank}]" if i == self.step.lowest else str(rank)
            row += f" {shown} {self.names[i + 1]}"
        return "\n  ".join([self.title(), row, self.status(), self.comparison()])

    def html(self, gap: float) -> str:
        """Return the share as HTML; `gap` is the width of the place between two bytes, in em."""
        widths = [1.6 if 32 <= byte < 127 else 2.9 for byte in self.pretoken]
        columns = "".join(f'<col style="width:{w}em"><col style="width:{gap:.3g}em">' for w in widths)
        columns = columns.removesuffix(f'<col style="width:{gap:.3g}em">')
        width = sum(widths) + gap * (len(widths) - 1)
        table = (
            f'<table aria-label="{escape(self.title())}" style="table-layout:fixed;width:{width:.4g}em;border:0;'
            f'border-collapse:collapse;margin:.15em 0;font-size:100%;color:{TEXT}">{columns}'
            f"{tr(self.token_cells())}{tr(self.rank_cells())}</table>"
        )
        lines = "".join(f"<div>{escape(line)}</div>" for line in (self.status(), self.comparison()))
        return f'<div style="margin:.9em 0 1em"><b>{escape(self.title())}</b>{table}{lines}</div>'

    def token_cells(self) -> list[str]:
        """Return the cells of tokens, each as wide as the places of its bytes, and of what stands between them."""
        cells = []
        for i, (token, name) in enumerate(zip(self.tokens, self.names)):
            joined = self.step.lowest is not None and i - self.step.lowest in (0, 1)
            made = i == self.step.made
            look = {(True, True): BOTH, (True, False): MADE, (False, True): NEXT}.get((made, joined), PLAIN)
            style = (
                f"background:{look[0]};border:{look[1]};border-radius:5px;padding:.1em 0;{'font-weight:bold' * made}"
            )
            cells.append(td(f'<div style="{MONO};{style}">{escape(name)}</div>', 2 * len(token) - 1))
            cells.append(td("<b>+</b>" if i == self.step.lowest else ""))
        return cells[:-1]

    def rank_cells(self) -> list[str]:
        """Return the cells of ranks, each under its gap, and empty ones under the tokens."""
        cells = []
        for token, i in zip(self.tokens, range(len(self.tokens))):
            cells.append(td("", 2 * len(token) - 1))
            if i < len(self.step.ranks):
                cells.append(td(rank_mark(self.step.ranks[i], i == self.step.lowest), size=90))
        return cells


def rank_mark(rank: int | None, lowest: bool) -> str:
    """Return a rank as HTML; the lowest one with a sign below it."""
    if rank is None:
        return f'<span style="color:{FAINT}">–</span><br>&nbsp;'
    return f"<b>{rank}</b><br><b>▲</b>" if lowest else f"{rank}<br>&nbsp;"


def td(html: str, columns: int = 1, size: int = 100) -> str:
    """Return a cell over some columns, in letters of some percent, whatever style the page has for tables."""
    style = "border:0;padding:0;text-align:center;vertical-align:top;color:inherit;line-height:1.3;background:none"
    return f'<td colspan="{columns}" style="{style};max-width:none;font-size:{size}%">{html}</td>'


def tr(cells: Sequence[str]) -> str:
    """Return a row of a table."""
    return f'<tr style="background:none;border:0">{"".join(cells)}</tr>'
