"""Tokens in colour: each with a border and its id, so that colour is never the only sign."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

from bpe_lib.visible import visible

COLOURS = ("#56b4e9", "#f0e442", "#5fc9a3", "#e69f00", "#e3a6c8")
"""Light colours after Okabe and Ito, on which dark text is easy to read."""
TEXT = "#1a1a1a"


@dataclass(frozen=True)
class TokenView:
    """A row of tokens, shown in colour by a notebook and as text elsewhere.

    Attributes:
        tokens: the tokens' bytes.
        ids: the tokens' ids, or None to show none.
        label: what is shown, for readers who hear the page.
        below: what stands below each token in place of its id, or None.
        noun: what they are called where they are counted.
    """

    tokens: tuple[bytes, ...]
    ids: tuple[int, ...] | None = None
    label: str = "tokens"
    below: tuple[str, ...] | None = None
    noun: str = "tokens"

    def __repr__(self) -> str:
        row = " · ".join(map(visible, self.tokens))
        return f"{row}\n{self.count()}" + (f": {' '.join(map(str, self.ids))}" if self.ids else "")

    def count(self) -> str:
        """Return how many there are, in words."""
        return f"{len(self.tokens)} {self.noun}"

    def _repr_html_(self) -> str:
        spans = "".join(map(self.span, range(len(self.tokens))))
        return (
            f'<div role="group" aria-label="{escape(self.label)}: {self.count()}" '
            f'style="line-height:2.6;max-width:60em">{spans}'
            f'<span style="white-space:nowrap;opacity:.75"> {self.count()}</span></div>'
        )

    def span(self, i: int) -> str:
        """Return one token as HTML. Equal tokens have equal colours."""
        text, number = visible(self.tokens[i]), self.ids[i] if self.ids else i
        title = f"id {number}: {self.tokens[i]!r}" if self.ids else repr(self.tokens[i])
        colour = COLOURS[(number if self.ids else i) % len(COLOURS)]
        small = self.below[i] if self.below else number if self.ids else ""
        below = (
            f'<span aria-hidden="true" style="font-size:62%;line-height:1;color:{TEXT}">{small}</span>'
            if small != ""
            else ""
        )
        return (
            f'<span title="{escape(title)}" style="display:inline-flex;flex-direction:column;align-items:center;'
            f"vertical-align:middle;line-height:1.25;background:{colour};color:{TEXT};border:1px solid {TEXT};"
            f"border-radius:3px;margin:0 2px;padding:0 4px;font-family:monospace;"
            f'white-space:pre-wrap;overflow-wrap:anywhere;max-width:100%;box-sizing:border-box">'
            f"<span>{escape(text)}</span>{below}</span>"
        )


def show_tokens(tokenizer: Any, text_or_ids: str | Iterable[int]) -> TokenView:
    """Return the tokens of a text, or of some ids, as a tokenizer cuts them.

    Args:
        tokenizer: anything with `encode` and `vocab`, such as `bpe_lib.Tokenizer`; or a vocabulary alone, for ids.
        text_or_ids: what to show.

    >>> show_tokens({0: b"the", 1: b" cat"}, [0, 1])
    the · ␣cat
    2 tokens: 0 1
    """
    ids = tuple(tokenizer.encode(text_or_ids) if isinstance(text_or_ids, str) else text_or_ids)
    vocab = getattr(tokenizer, "vocab", tokenizer)
    return TokenView(tuple(vocab[id_] for id_ in ids), ids)


def show_pretokens(pretokens: Iterable[str | bytes]) -> TokenView:
    """Return a row of pre-tokens in colour and without ids.

    Args:
        pretokens: texts, or their bytes.

    >>> show_pretokens(["a", "  ", " b"])
    a · ␣␣ · ␣b
    3 pre-tokens
    """
    row = (pretoken.encode() if isinstance(pretoken, str) else pretoken for pretoken in pretokens)
    return TokenView(tuple(row), label="pre-tokens", noun="pre-tokens")
