"""The playground of notebook 08: a text under vocabularies of several sizes, each cut from one list of merges."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from bpe_lib.lessons.tokens import TokenView
from bpe_lib.lessons.widgets.panel import FAINT, TEXT, Panel
from bpe_lib.tokenizer import Tokenizer

if TYPE_CHECKING:
    from bpe_lib.lessons.widgets.controls import Moving

ROUND = (320, 512, *(1000 * 2**doublings for doublings in range(9)))
"""Sizes to choose from."""
MOST_TOKENS, MOST_CHARACTERS = 400, 5_000
"""How many tokens are drawn, and how long a text may be, so that each key and each step is answered at once."""
BELOW = {"ids": "ids", "bytes, in hexadecimal": "bytes"}
"""What can stand below the tokens."""


def sizes(tokenizer: Tokenizer) -> list[int]:
    """Return the sizes to which a vocabulary can be cut: no merge, some round numbers, all of it.

    >>> sizes(Tokenizer(dict(enumerate([b"a", b"b", b"ab"])), [(b"a", b"b")]))
    [2, 3]
    """
    least, most = len(tokenizer.vocab) - len(tokenizer.merges), len(tokenizer.vocab)
    return sorted({least, *(size for size in ROUND if least < size < most), most})


def cut_short(tokenizer: Tokenizer, size: int) -> Tokenizer:
    """Return the tokenizer that training to a smaller size would have given: it has the first merges only.

    Args:
        tokenizer: with one id for each merge.
        size: ids to keep, bytes and special tokens among them; outside what is possible, the nearest that is.

    >>> ab = Tokenizer(dict(enumerate([b"a", b"b", b"ab", b"abb"])), [(b"a", b"b"), (b"ab", b"b")])
    >>> cut_short(ab, 3).vocab
    {0: b'a', 1: b'b', 2: b'ab'}
    """
    count = max(size - len(tokenizer.vocab) + len(tokenizer.merges), 0)
    kept = tokenizer.merges[:count]
    gone = {left + right for left, right in tokenizer.merges[count:]} - {left + right for left, right in kept}
    vocab = {id_: token for id_, token in tokenizer.vocab.items() if token not in gone}
    return Tokenizer(vocab, kept, tokenizer.special_tokens, pattern=tokenizer.pattern)


@dataclass(frozen=True)
class Cut:
    """A text under one vocabulary.

    Attributes:
        size: ids in the vocabulary.
        ids: of the text's tokens.
        tokens: their bytes.
    """

    size: int
    ids: tuple[int, ...]
    tokens: tuple[bytes, ...]

    @property
    def bytes_per_token(self) -> float:
        """Bytes of the text for each of its tokens."""
        return sum(map(len, self.tokens)) / len(self.tokens)


class Sizes:
    """A tokenizer with a name, at all its sizes.

    Args:
        name: by which the reader knows it.
        tokenizer: the full one.
    """

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        self.name, self.full, self.sizes = name, tokenizer, sizes(tokenizer)
        self.at = {size: cut_short(tokenizer, size) for size in self.sizes}

    def cuts(self, text: str) -> list[Cut]:
        """Return a text under each size. Special tokens in it are read as plain characters.

        Raises:
            ValueError: the text is empty or too long, or holds what can't be encoded.
        """
        if not 0 < len(text) <= MOST_CHARACTERS:
            raise ValueError(f"Type a text of at most {MOST_CHARACTERS:,} characters; this one has {len(text):,}.")
        rows = ((size, tokenizer.encode_ordinary(text)) for size, tokenizer in self.at.items())
        return [Cut(size, tuple(ids), tuple(self.full.vocab[id_] for id_ in ids)) for size, ids in rows]

    def nearest(self, size: int) -> int:
        """Return the largest of the sizes that is not above the one wanted, or the least."""
        return max((own for own in self.sizes if own <= size), default=self.sizes[0])


def show_sizes(tokenizers: Mapping[str, Tokenizer], text: str, size: int, below: str = "ids") -> Panel:
    """Return a text in tokens under a vocabulary of one size, and its bytes per token under all sizes.

    Args:
        tokenizers: by name; the first is shown.
        text: is encoded as text from outside: special tokens in it are plain characters.
        size: ids to keep of the vocabulary.
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
    from bpe_lib.lessons.widgets.controls import choice, line, move, scale, text_field

    ready = {name: Sizes(name, tokenizer) for name, tokenizer in tokenizers.items()}
    all_sizes = sorted(set().union(*(one.sizes for one in ready.values())))
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
    size, cuts = ready.nearest(size), ready.cuts(text)
    cut = next(cut for cut in cuts if cut.size == size)
    note = special_note(ready.full, text)
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


def special_note(tokenizer: Tokenizer, text: str) -> str:
    """Return what is to be said of special tokens that the text spells."""
    found = [token for token in tokenizer.special_tokens if token in text]
    if not found:
        return "‹c3› is one byte of a character, ␠ a space, ⏎ a newline."
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
    head = "".join(td(title, f"{RIGHT};color:{FAINT}") for title in ("ids", "tokens"))
    rows = [f"{head}{td('bytes per token', f'color:{FAINT}')}"]
    for cut in cuts:
        chosen = cut.size == size
        colour, edge = ("#e69f00", f"2px solid {TEXT}") if chosen else ("#e4eff8", "1px solid #a3c0d6")
        style = f"display:inline-block;width:{8 * cut.bytes_per_token / most:.2f}em;height:.9em;background:{colour}"
        bar = (
            f'<span style="{style};border:{edge};border-radius:2px;vertical-align:middle;box-sizing:border-box"></span>'
        )
        weight = "font-weight:bold" if chosen else ""
        cells = [(f"{'▶ ' * chosen}{cut.size:,}", RIGHT), (f"{len(cut.ids):,}", RIGHT)]
        cells.append((f"{bar} {cut.bytes_per_token:.2f}", "white-space:nowrap;min-width:11em"))
        rows.append("".join(td(html, f"{more};{weight}") for html, more in cells))
    body = "".join(f'<tr style="background:none;border:0">{row}</tr>' for row in rows)
    return f'<table style="border:0;border-collapse:collapse;margin:0;font-size:92%;color:inherit">{body}</table>'


RIGHT = "text-align:right;font-variant-numeric:tabular-nums;min-width:4.5em"


def td(html: str, style: str) -> str:
    """Return a cell, whatever style the page has for tables."""
    common = "border:0;padding:.08em .5em;font-size:100%;color:inherit;background:none;text-align:left"
    return f'<td style="{common};{style}">{html}</td>'
