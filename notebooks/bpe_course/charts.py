"""The charts that more than one notebook draws, so that their cells need not hold plotting code."""

from collections.abc import Mapping, Sequence

from bpe_course.figures import COLOURS, Figure, new_figure, show_figure
from bpe_course.ladder import Rung
from bpe_course.tokens import COLOURS as PALE
from bpe_course.tokens import visible
from bpe_lib.naive import Pair, count_pairs
from bpe_lib.pretokenization import Word


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
        alt: what one sees, for those who don't; the values are added.
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
    listed = "; ".join(f"{name} {one:.2f} and {other:.2f}" for name, (one, other) in rows.items())
    return show_figure(figure, f"{alt} {names[0]} and {names[1]}, {unit}: {listed}.", caption)


def ladder_chart(rungs: Sequence[Rung], what: str) -> Figure:
    """Return the ladder as bars of two parts, counting and merging, each with its seconds beside it.

    Args:
        rungs: from `bpe_course.climb`.
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
    axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    parts = "; ".join(f"{rung.name} {rung.counting:.2f} and {rung.merging:.2f}" for rung in rungs)
    return show_figure(figure, f"Seconds for counting and for merging, {what}: {parts}.", f"The ladder: {what}.")


def byte_shapes(characters: Mapping[str, str]) -> Figure:
    """Return characters as the bits of their bytes, with colours for what the first bits of a byte say.

    Args:
        characters: the name of each character, since not every font can draw it.
    """
    from matplotlib.patches import Rectangle

    figure, axes = new_figure(9, 2.5)
    first, inside, rest = (COLOURS[0], "white"), (COLOURS[1], "black"), ("#f2f2f2", "black")

    def draw_bit(x: float, y: float, bit: str, colours: tuple[str, str]) -> None:
        axes.add_patch(Rectangle((x, y), 1, 0.72, facecolor=colours[0], edgecolor="white"))
        style = {"ha": "center", "va": "center", "family": "monospace", "fontsize": 9}
        axes.text(x + 0.5, y + 0.34, bit, color=colours[1], **style)

    for row, (character, name) in enumerate(characters.items()):
        axes.text(-0.6, 0.36 - row, f"{name}  U+{ord(character):04X}", ha="right", va="center", fontsize=10)
        for i, bits in enumerate(f"{byte:08b}" for byte in character.encode()):
            marks = bits.index("0") + 1
            for j, bit in enumerate(bits):
                draw_bit(9 * i + j, -row, bit, rest if j >= marks else inside if marks == 2 else first)
    key = (first, "a character begins"), (inside, "a character goes on"), (rest, "bits of the code point")
    for y, (colours, meaning) in zip((0, -0.7, -1.4), key):
        draw_bit(26.7, y + 0.05, " ", colours)
        axes.text(28.1, y + 0.41, meaning, va="center", fontsize=10)
    axes.set(xlim=(-8, 35), ylim=(-3.1, 0.9))
    axes.axis("off")
    alt = "Characters of 1, 2, 3 and 4 bytes in binary. First bytes start with 0, 110, 1110, 11110, all others with 10."
    caption = "The first bits tell: 0 stands alone, 110, 1110, 11110 begin two, three, four bytes, 10 goes on."
    return show_figure(figure, alt, caption)


def piano_roll(text: str, branches: Sequence[str], cuts: Sequence[int], alt: str, caption: str = "") -> Figure:
    """Return a text as a roll for a player piano: a row for each branch of a regex, a bar for each match.

    Args:
        text: a short text.
        branches: of the regex, in order; none of them with plain brackets.
        cuts: offsets in the text, drawn as dashed lines.
        alt: what one sees, for those who don't.
        caption: what it says.
    """
    import regex

    figure, axes = new_figure(8.5, 3)
    colours = [*PALE, "#d9dde2"]
    for match in regex.finditer("|".join(f"({branch})" for branch in branches), text):
        row, (start, end) = match.lastindex, match.span()
        style = {"color": colours[(row - 1) % len(colours)], "edgecolor": "black"}
        axes.barh(row, end - start - 0.14, left=start + 0.07, height=0.8, **style)
        for offset in range(start, end):
            sign = {" ": "␣", "\n": "⏎"}.get(text[offset], text[offset])
            axes.text(offset + 0.5, row, sign, ha="center", va="center", family="monospace")
    for cut in cuts:
        axes.axvline(cut, color="black", linestyle=(0, (4, 2)), linewidth=1.6, zorder=0)
    axes.set(xlim=(0, len(text)), ylim=(len(branches) + 0.6, 0.4), xlabel="offset in the text (characters)")
    axes.set_xticks(range(0, len(text) + 1, 2))
    names = [branch.replace(" ", "␣") for branch in branches]
    axes.set_yticks(range(1, len(branches) + 1), names, family="monospace", fontsize=9)
    return show_figure(figure, alt, caption)


def brick_wall(states: Sequence[Mapping[Word, int]], merges: Sequence[Pair], alt: str, caption: str = "") -> Figure:
    """Return the states of a few words while merges are learned: a row for each state, a brick for each token.

    Args:
        states: the words at first and after each merge.
        merges: one for each state but the first.
        alt: what one sees, for those who don't.
        caption: what it says.
    """
    figure, axes = new_figure(8.5, 0.7 + 0.3 * len(states))
    right = 0.0
    for row, words in enumerate(states):
        made = b"".join(merges[row - 1]) if row else None
        x = 0.0
        for word in words:
            for token in word:
                colour, width = ("#e69f00", 2) if token == made else ("#dcecf7", 0.8)
                axes.barh(row, len(token) - 0.1, 0.78, x + 0.05, color=colour, edgecolor="black", linewidth=width)
                axes.text(x + len(token) / 2, row, visible(token), ha="center", va="center", fontsize=9)
                x += len(token)
            x += 0.7
        if row:
            times = count_pairs(states[row - 1])[merges[row - 1]]
            label = f"{' + '.join(map(visible, merges[row - 1]))}   {times}×"
            axes.text(x, row, label, va="center", fontsize=9)
        right = max(right, x)
    axes.set(xlim=(0, right + 5), ylim=(len(states) - 0.4, -0.6), xticks=[], ylabel="merges so far")
    axes.set_yticks(range(len(states)))
    axes.spines["bottom"].set_visible(False)
    return show_figure(figure, alt, caption)
