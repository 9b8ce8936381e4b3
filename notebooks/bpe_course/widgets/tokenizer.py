"""The playground of notebook 08: a text under vocabularies of several sizes, each cut from one list of merges."""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from bpe_course.tokens import TokenView
from bpe_course.widgets import boxes
from bpe_course.widgets.panel import FAINT, Panel
from bpe_course.widgets.sizes import Cut, Sizes
from bpe_lib.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_course.widgets.controls import Moving

MOST_TOKENS = 400
"""How many tokens are drawn."""
BELOW = {"ids": "ids", "bytes, in hexadecimal": "bytes"}
"""What can stand below the tokens."""


def show_sizes(tokenizers: Mapping[str, Tokenizer], text: str, size: int, below: str = "ids") -> Panel:
    """Return a text in tokens under a vocabulary of one size, and its bytes per token under all sizes.

    Args:
        tokenizers: by name; the first is shown.
        text: is encoded as text from outside: special tokens in it are plain characters.
        size: ids to keep of the vocabulary; if it is none of those in the table, the next smaller one is shown, or the
            least.
        below: what stands below each token, "ids" or "bytes".

    Raises:
        ValueError: the text is empty or too long.
    """
    name, tokenizer = next(iter(tokenizers.items()))
    return draw(Sizes(name, tokenizer), text, size, below)


def tokenizer_playground(tokenizers: Mapping[str, Tokenizer], text: str, size: int | None = None) -> "Moving":
    """Return a widget that shows the reader's text in tokens while the size of the vocabulary changes.

    Args:
        tokenizers: by name; each is cut to several sizes.
        text: to begin with.
        size: to begin with; None: the largest.
    """
    from bpe_course.widgets.controls import choice, line, move, scale, text_field

    ready = {name: Sizes(name, tokenizer) for name, tokenizer in tokenizers.items()}
    all_sizes = max((one.sizes for one in ready.values()), key=max)  # each step then moves the largest of them
    start = max((one for one in all_sizes if one <= (size or all_sizes[-1])), default=all_sizes[0])
    knob, row = scale("ids in the vocabulary", {f"{one:,}": one for one in all_sizes}, start)
    controls = {
        "size": knob,
        "name": choice("trained on", list(ready)),
        "below": choice("below each token", list(BELOW.items())),
        "text": text_field("your text", text, 3),
    }
    order = [line(controls["text"]), line(controls["name"], controls["below"]), line(*row)]
    return move(lambda size, name, below, text: draw(ready[name], text, size, below), controls, order)


def draw(ready: Sizes, text: str, size: int, below: str) -> Panel:
    """Return a text under one size, beside all sizes, as a panel."""
    wanted, size, cuts = size, ready.nearest(size), ready.cuts(text)
    cut = next(cut for cut in cuts if cut.size == size)
    note = other_size(ready, wanted, size) + special_note(ready.full, text)
    counted = f"{len(cut.ids):,} tokens, {cut.bytes_per_token:.2f} bytes per token"
    label = f"A text under {ready.name} with {size:,} ids: {counted}"
    html = (
        f'<div style="font-size:108%;margin-bottom:.4em">{numbers(ready.name, cut)}</div>'
        '<div style="display:flex;flex-wrap:wrap;gap:.6em 2em;align-items:flex-start">'
        f'<div style="flex:1 1 22em;min-width:0">{tokens_html(cut, below)}</div>'
        f'<div style="flex:0 0 auto">{bars(cuts, size)}</div></div>'
        f'<div style="color:{FAINT};font-size:88%;min-height:1.5em;margin-top:.4em">{escape(note)}</div>'
    )
    rows = [f"{'▶' if one.size == size else ' '} {row_text(one)}" for one in cuts]
    return Panel(label, html, "\n".join([label, repr(view(cut, below)), *rows, note]))


def numbers(name: str, cut: Cut) -> str:
    """Return what there is to count, as HTML."""
    total = sum(map(len, cut.tokens))
    return (
        f"{escape(name)}, <b>{cut.size:,}</b> ids in the vocabulary: <b>{len(cut.ids):,}</b> "
        f"token{'s' * (len(cut.ids) != 1)} for {total:,} bytes, <b>{cut.bytes_per_token:.2f}</b> bytes per token"
    )


def other_size(ready: Sizes, wanted: int, size: int) -> str:
    """Return what is to be said where another size is shown than was asked for."""
    if size == wanted:
        return ""
    return f"{ready.name} is not cut to {wanted:,} ids here: {size:,} are shown. "


def special_note(tokenizer: Tokenizer, text: str) -> str:
    """Return what is to be said of special tokens that the text spells."""
    found = [token for token in tokenizer.special_tokens if token in text]
    if not found:
        return "‹c3› is one byte of a character, ␣ a space, ⏎ a newline."
    return f"{', '.join(found)} is plain text here, as in any text from outside: encode_ordinary does not obey it."


def view(cut: Cut, below: str) -> TokenView:
    """Return the tokens as far as they are shown, with ids or bytes below."""
    tokens = cut.tokens[:MOST_TOKENS]
    hexadecimal = tuple(token.hex(" ") for token in tokens) if below == "bytes" else None
    return TokenView(tokens, cut.ids[:MOST_TOKENS], below=hexadecimal)


def tokens_html(cut: Cut, below: str) -> str:
    """Return the tokens in colour, and how many are left out."""
    shown = view(cut, below)
    more = len(cut.ids) - len(shown.tokens)
    rest = f" … and {more:,} more" if more else ""
    return f'<div style="line-height:2.7">{"".join(map(shown.span, range(len(shown.tokens))))}{rest}</div>'


def row_text(cut: Cut) -> str:
    """Return one size in a line of text."""
    return f"{cut.size:>7,} ids {len(cut.ids):>6,} tokens {cut.bytes_per_token:5.2f} bytes per token"


def bars(cuts: list[Cut], size: int) -> str:
    """Return bytes per token under each size as a table with bars, the size shown marked."""
    most = max(cut.bytes_per_token for cut in cuts)
    faint = f"color:{FAINT}"
    rows = [boxes.row([("ids", f"{NUMBER};{faint}"), ("tokens", f"{NUMBER};{faint}"), ("bytes per token", faint)])]
    for cut in cuts:
        chosen = cut.size == size
        bar = boxes.bar(8 * cut.bytes_per_token / most, boxes.MADE if chosen else boxes.PLAIN)
        cells = [(f"{'▶ ' * chosen}{cut.size:,}", NUMBER), (f"{len(cut.ids):,}", NUMBER)]
        cells.append((f"{bar} {cut.bytes_per_token:.2f}", "min-width:11em"))
        rows.append(boxes.row(cells, style="font-weight:bold" if chosen else ""))
    return f'<div style="font-size:92%">{boxes.table(rows)}</div>'


NUMBER = f"{boxes.RIGHT};min-width:4.5em"
