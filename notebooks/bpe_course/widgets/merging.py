"""The merge stepper of notebook 04: words, pair counts, the choice and what it touches, merge by merge."""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from bpe_course.tokens import visible
from bpe_course.widgets import boxes
from bpe_course.widgets.merge_states import BARS, Bar, MergeStep, merge_steps
from bpe_course.widgets.panel import FAINT, Panel, enumeration
from bpe_lib.pretokenization import Word

if TYPE_CHECKING:
    from bpe_course.widgets.controls import Moving


def show_merge(words: Mapping[Word, int], step: int) -> Panel:
    """Return what the naive trainer sees after `step` merges, and what it chooses then.

    Args:
        words: each word as a tuple of tokens, and how often it occurs.
        step: so many merges are done.

    Raises:
        ValueError: `step` is negative, or there are not that many merges.

    >>> print(show_merge({(b"l", b"o", b"w"): 5, (b"l", b"o", b"t"): 2}, 1).text.partition("\\n")[0])
    After 1 merge: l + o → lo
    """
    steps = merge_steps(words, step)
    if step < 0:
        raise ValueError(f"step must be 0 or more, not {step}")
    if step >= len(steps):
        raise ValueError(f"step must be at most {len(steps) - 1}, after which no pair is left, not {step}")
    return draw(steps[step])


def merge_stepper(words: Mapping[Word, int], num_merges: int) -> "Moving":
    """Return a widget that steps through the merges of some words, back, forward and to any of them.

    Args:
        words: each word as a tuple of tokens, and how often it occurs.
        num_merges: at most this many merges.
    """
    from bpe_course.widgets.controls import move, steps

    states = merge_steps(words, num_merges)
    place, controls = steps("merges so far", len(states) - 1)
    return move(lambda step: draw(states[step]), {"step": place}, controls)


def draw(step: MergeStep) -> Panel:
    """Return a state as a panel."""
    left = boxes.heading("Words") + boxes.table(word_rows(step))
    left += boxes.said("The choice", choice(step)) + boxes.said("What the merge touches", touched(step))
    right = boxes.heading("Pairs, counted") + boxes.table(bar_rows(step))
    html = boxes.sheet(title(step, mark=True), left, right, KEY)
    return Panel(f"Merging, step {step.number}: {choice(step)}", html, text(step))


def title(step: MergeStep, mark: bool = False) -> str:
    """Return how many merges are done, and the last one, as text or marked up."""
    if step.made is None:
        return "<b>Before the first merge</b>" if mark else "Before the first merge"
    count = f"{step.number} merge{'s' * (step.number > 1)}"
    if not mark:
        return f"After {count}: {' + '.join(map(visible, step.made))} → {visible(b''.join(step.made))}"
    first, second = (boxes.word_boxes((token,)) for token in step.made)
    made = boxes.word_boxes((b"".join(step.made),), b"".join(step.made))
    return f"<b>After {count}</b>: {first} + {second} → {made}"


def word_rows(step: MergeStep) -> list[str]:
    """Return the words as rows of a table."""
    made, rows = b"".join(step.made or ()), []
    for word, frequency in step.words:
        changes = boxes.places_of(word, step.chosen)
        note = "● changes" if changes else f'<span style="color:{FAINT}">○ stays</span>'
        drawn = boxes.word_boxes(word, made, step.chosen)
        rows.append(boxes.row([(f"{frequency:,} ×", boxes.RIGHT), (drawn, ""), (note, "font-size:90%")]))
    if unseen_words(step):
        rows.append(boxes.row([(unseen_words(step), f"color:{FAINT}")], span=3))
    return rows


def notes(step: MergeStep, bar: Bar) -> str:
    """Return what is to be said of a pair: chosen or tied, and how the last merge changed its count."""
    if not bar.count:
        return f"{'merged' if bar.pair == step.made else 'gone'}, was {bar.before:,}"
    role = "chosen" if bar.pair == step.chosen else "tied" if bar.pair in step.ties else ""
    change = "" if bar.before in (None, bar.count) else f"was {bar.before:,}" if bar.before else "new"
    return ", ".join(filter(None, [role, change]))


def bar_rows(step: MergeStep) -> list[str]:
    """Return the pairs as rows of a table, always equally many, and one for what is not shown."""
    rows = [bar_row(step, bar) for bar in step.bars]
    rows += [boxes.row([(boxes.EMPTY, boxes.MONO)], span=3)] * (BARS - len(step.bars))
    return [*rows, boxes.row([(unseen_pairs(step) or boxes.EMPTY, f"color:{FAINT};font-size:90%")], span=3)]


def unseen_pairs(step: MergeStep) -> str:
    """Return how many pairs are not shown, if any."""
    counts = [bar.count for bar in step.bars if bar.count]
    more = step.pair_count - len(counts)
    return f"and {more:,} more pair{'s' * (more > 1)}, none above {min(counts):,}" if more else ""


def unseen_words(step: MergeStep) -> str:
    """Return how many words are not shown, if any."""
    more = step.word_count - len(step.words)
    return f"and {more:,} more word{'s' * (more > 1)}" if more else ""


def bar_row(step: MergeStep, bar: Bar) -> str:
    """Return a pair as a row: its bar, and in grey what the last merge took from it."""
    chosen = bar.pair == step.chosen
    look = boxes.NEXT if chosen else boxes.TIED if bar.pair in step.ties else boxes.PLAIN
    drawn = boxes.bar(UNIT * bar.count / step.scale, look) if bar.count else ""
    if bar.before and bar.before > bar.count:
        lost = UNIT * (min(bar.before, 1.2 * step.scale) - bar.count) / step.scale
        drawn += boxes.bar(lost, ("#eceff2", f"1px dotted {FAINT}"))
    pair = f"{'▶ ' * chosen}{escape(' '.join(map(visible, bar.pair)))}"
    note = f'<span style="font-size:90%;margin-left:.6em">{notes(step, bar)}</span>'
    cells = [(pair, f"{boxes.MONO};text-align:right;min-width:5em"), (f"{bar.count:,}", boxes.RIGHT)]
    return boxes.row([*cells, (drawn + note, "min-width:16em")], style="font-weight:bold" if chosen else "")


UNIT = 11
"""Width of the longest bar, in em."""


def choice(step: MergeStep) -> str:
    """Return in words why the chosen pair is chosen."""
    if step.chosen is None:
        return "No pair is left: every word is one token, and training ends."
    count, winner = step.bars[0].count, boxes.pair_text(step.chosen)
    if not step.ties:
        return f"{winner} has {count:,}, more than any other pair."
    ties = enumeration([boxes.pair_text(pair) for pair in step.ties], 3)
    return f"{winner} is tied with {ties} at {count:,}. The greater pair wins: {why(step)}."


def why(step: MergeStep) -> str:
    """Return in words why the chosen pair is greater than the greatest of those that it beat."""
    (first, second), (other, another) = step.chosen, step.ties[0]
    if first != other:
        return f"{visible(first)} is greater than {visible(other)}"
    return f"behind the same {visible(first)}, {visible(second)} is greater than {visible(another)}"


def touched(step: MergeStep) -> str:
    """Return in words which words the merge changes, and which are read in vain."""
    if step.chosen is None:
        return f"Nothing: {step.word_count:,} words are {step.word_count:,} tokens, after {step.number:,} merges."
    words = enumeration([visible(word) for word in step.visited])
    idle, it = step.word_count - len(step.visited), "they" if len(step.visited) > 1 else "it"
    start = f"{len(step.visited):,} of {step.word_count:,} word{'s' * (step.word_count > 1)}: {words}."
    if not idle:
        return f"{start} None is read for nothing."
    return f"{start} Only {it} will change; the naive trainer reads the other {idle:,} as well."


def text(step: MergeStep) -> str:
    """Return a state as text."""
    lines = [title(step)]
    for word, frequency in step.words:
        sign = "●" if boxes.places_of(word, step.chosen) else "○"
        lines.append(f"{sign} {frequency:>5,} × {boxes.word_text(word)}")
    lines += filter(None, [unseen_words(step)])
    for bar in step.bars:
        sign, said = "▶" if bar.pair == step.chosen else " ", notes(step, bar)
        lines.append(f"{sign} {bar.count:>5,}   {boxes.pair_text(bar.pair)}{f'  {said}' if said else ''}")
    return "\n".join([*lines, *filter(None, [unseen_pairs(step)]), choice(step), touched(step)])


KEY = boxes.key(
    {"made by the last merge": boxes.MADE, "chosen, joined next": boxes.NEXT, "tied, not chosen": boxes.TIED}
)
