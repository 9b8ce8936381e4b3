"""The charts that more than one notebook draws, so that their cells need not hold plotting code."""

from collections.abc import Mapping

from bpe_lib.lessons.figures import COLOURS, Figure, new_figure, show_figure


def dumbbells(
    rows: Mapping[str, tuple[float, float]],
    names: tuple[str, str],
    unit: str,
    alt: str,
    caption: str = "",
    start: float = 0,
) -> Figure:
    """Return a chart with one line for each row, from a filled circle (first value) to an open square (second).

    Args:
        rows: two values for each row.
        names: what the first and the second value belong to.
        unit: what the axis measures.
        alt: what one sees, for those who don't.
        caption: what it says.
        start: where the axis begins: a value that means "nothing".
    """
    figure, axes = new_figure(7, 1.1 + 0.45 * len(rows))
    heights = range(len(rows) - 1, -1, -1)
    first, second = zip(*rows.values())
    axes.hlines(heights, first, second, color="#8a8a8a", linewidth=2, zorder=1)
    axes.scatter(first, heights, s=70, color=COLOURS[0], label=names[0], zorder=2)
    square = {"marker": "s", "facecolor": "white", "edgecolor": COLOURS[5], "linewidth": 2}
    axes.scatter(second, heights, s=70, label=names[1], zorder=3, **square)
    axes.set_yticks(heights, rows)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlim(left=start)
    axes.set_xlabel(unit)
    axes.legend(frameon=False, loc="lower left")
    return show_figure(figure, alt, caption)
