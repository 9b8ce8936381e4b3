"""What a widget shows: a sheet of HTML, readable in light and dark themes, and the same as text."""

from dataclasses import dataclass
from html import escape

TEXT, FAINT, LINE, SHEET = "#1a1a1a", "#56606b", "#c9ced6", "#ffffff"
"""Colours of text, secondary text (4.5 : 1 on the sheet), thin lines and the sheet itself."""


@dataclass(frozen=True)
class Panel:
    """A state, drawn.

    Attributes:
        label: what is shown, for readers who hear the page.
        html: the drawing; text in it is escaped already.
        text: the same for a terminal.
    """

    label: str
    html: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        style = (
            f"background:{SHEET};color:{TEXT};border:1px solid {LINE};border-radius:6px;padding:.8em 1em;"
            "margin:.3em 0;max-width:60em;line-height:1.5;overflow-x:auto;contain:inline-size"
        )
        return f'<div role="group" aria-label="{escape(self.label)}" style="{style}">{self.html}</div>'


def complaint(message: str) -> Panel:
    """Return a panel that says what is wrong with the reader's input and how it would be right."""
    html = f'<strong style="color:#b34700">✗ {escape(message)}</strong>'
    return Panel(message, html, f"✗ {message}")


def enumeration(names: list[str], most: int = 4) -> str:
    """Return names as prose, the first few of them.

    >>> enumeration(["a", "b", "c"]), enumeration(["a", "b", "c"], 2)
    ('a, b and c', 'a, b and 1 more')
    """
    shown = names if len(names) <= most else [*names[:most], f"{len(names) - most:,} more"]
    return " and ".join(filter(None, [", ".join(shown[:-1]), *shown[-1:]]))
