"""Figures that every viewer shows with a description: JupyterLab ignores `alt` elsewhere."""

import base64
import io
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000")
"""Okabe and Ito's colours. Use hatches, markers or labels besides."""

NARROWEST = "46em"
"""How far a figure shrinks with the window; in a narrower one it scrolls, so that its text stays legible."""


class Figure:
    """A matplotlib figure as `<figure>`, with a description and a caption.

    Args:
        figure: made with `new_figure`, not with pyplot, so that it is not shown twice.
        alt: what one sees, for those who don't.
        caption: what it says, below the figure.
    """

    def __init__(self, figure: "MatplotlibFigure", alt: str, caption: str = "") -> None:
        self.figure, self.alt, self.caption = figure, alt, caption

    def __repr__(self) -> str:
        return f"[figure: {self.alt}]"

    def _repr_html_(self) -> str:
        image = io.BytesIO()
        self.figure.savefig(image, format="png", dpi=110, bbox_inches="tight", facecolor="white")
        data = base64.b64encode(image.getvalue()).decode()
        caption = f'<figcaption style="font-style:italic">{escape(self.caption)}</figcaption>' if self.caption else ""
        return (
            f'<figure style="margin:.5em 0;overflow-x:auto"><img alt="{escape(self.alt)}" '
            f'src="data:image/png;base64,{data}" style="max-width:max(100%,{NARROWEST})">{caption}</figure>'
        )


def new_figure(width: float = 7, height: float = 3.2) -> "tuple[MatplotlibFigure, Any]":
    """Return a new matplotlib figure, and axes without lines at the top and on the right."""
    from matplotlib.figure import Figure as MatplotlibFigure  # takes a while, and few cells draw

    figure = MatplotlibFigure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def show_figure(figure: "MatplotlibFigure", alt: str, caption: str = "") -> Figure:
    """Return a figure with its description, to stand last in a cell."""
    return Figure(figure, alt, caption)
