"""The charts that more than one notebook draws, so that their cells need not hold plotting code."""

from collections.abc import Mapping, Sequence

from bpe_lib.lessons.figures import COLOURS, Figure, new_figure, show_figure
from bpe_lib.lessons.ladder import Rung


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
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return show_figure(figure, alt, caption)


def ladder_chart(rungs: Sequence[Rung], what: str) -> Figure:
    """Return the ladder as bars of two parts, counting and merging, each with its seconds beside it.

    Args:
        rungs: from `bpe_lib.lessons.climb`.
        what: what was trained, such as "1 MB of Python code, 200 merges".
    """
    figure, axes = new_figure(7, 1.2 + 0.4 * len(rungs))
    heights = list(range(len(rungs) - 1, -1, -1))
    counting, merging = [rung.counting for rung in rungs], [rung.merging for rung in rungs]
    axes.barh(heights, counting, height=0.6, color=COLOURS[4], edgecolor="#1a1a1a", label="counting")
    style = {"color": COLOURS[1], "edgecolor": "#1a1a1a", "hatch": "///", "label": "merging"}
    axes.barh(heights, merging, left=counting, height=0.6, **style)
    for height, rung in zip(heights, rungs):
        axes.annotate(f" {rung.counting:.2f} + {rung.merging:.2f} s", (rung.total, height), va="center")
    axes.set_yticks(heights, [rung.name for rung in rungs])
    axes.set_xlabel(f"seconds: {what}")
    axes.set_xlim(0, 1.3 * max(rung.total for rung in rungs))
    axes.legend(frameon=False, loc="lower right")
    parts = "; ".join(f"{rung.name} {rung.counting:.2f} and {rung.merging:.2f}" for rung in rungs)
    return show_figure(figure, f"Seconds for counting and for merging, {what}: {parts}.", f"The ladder: {what}.")
