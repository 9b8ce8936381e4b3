"""The heap inspector of notebook 05: what each entry promises, what today's count is, and what a pop does."""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from bpe_course.tokens import visible
from bpe_course.widgets import boxes
from bpe_course.widgets.heap_states import ENTRIES, WORDS, Entry, IndexedWord, Pop, heap_pops
from bpe_course.widgets.panel import FAINT, SHEET, TEXT, Panel, enumeration
from bpe_lib.naive import Pair
from bpe_lib.pretokenization import Word

if TYPE_CHECKING:
    from bpe_course.widgets.controls import Moving


def show_pop(words: Mapping[Word, int], pop: int) -> Panel:
    """Return a trainer's heap after so many pops, what the next pop does, and what the index says of its pair.

    Args:
        words: each word as a tuple of tokens, and how often it occurs.
        pop: so many entries are taken off the heap already.

    Raises:
        ValueError: `pop` is negative, or the heap is empty before that.

    >>> print(show_pop({(b"a", b"b", b"c"): 2, (b"b", b"c"): 7}, 2).text.splitlines()[2])
    ▶ (a, b) promises 2, today 0: dead
    """
    pops = heap_pops(words, pop)
    if pop < 0:
        raise ValueError(f"pop must be 0 or more, not {pop}")
    if pop >= len(pops):
        raise ValueError(f"pop must be at most {len(pops) - 1}, after which the heap is empty, not {pop}")
    return draw(pops[pop], scale_of(pops))


def heap_stepper(words: Mapping[Word, int], num_merges: int) -> "Moving":
    """Return a widget that takes one entry after another off the heap of an indexed trainer.

    Args:
        words: each word as a tuple of tokens, and how often it occurs.
        num_merges: at most this many merges.
    """
    from bpe_course.widgets.controls import move, steps

    pops = heap_pops(words, num_merges)
    scale = scale_of(pops)
    place, controls = steps("entries taken off", len(pops) - 1)
    return move(lambda pop: draw(pops[pop], scale), {"pop": place}, controls)


def scale_of(pops: list[Pop]) -> int:
    """Return the count that gets the longest bar: of few words the highest of all; 0 for that of each pop, of many."""
    first = pops[0]
    return first.entries[0].promised if first.entries and first.word_count <= WORDS else 0


def draw(pop: Pop, scale: int) -> Panel:
    """Return a state as a panel; `scale` is the count that gets the longest bar, 0 for that of the entry on the top."""
    scale = scale or (pop.entries[0].promised if pop.entries else 1)
    left = boxes.heading("Heap, in the order in which entries come to the top") + boxes.table(entry_rows(pop, scale))
    right = boxes.heading(index_title(pop)) + boxes.table(word_rows(pop))
    right += boxes.said("What this pop does", outcome(pop)) + boxes.said("What the index is worth", index_says(pop))
    above = f'<b>{escape(title(pop))}</b> <span style="color:{FAINT}">{escape(learned(pop))}</span>'
    return Panel(f"Heap, {title(pop)}: {outcome(pop)}", boxes.sheet(above, left, right, KEY), text(pop))


def title(pop: Pop) -> str:
    """Return how many pops came before."""
    return f"Pop {pop.number + 1}" if pop.entries else "The end"


def learned(pop: Pop) -> str:
    """Return the merges so far, the last few of them by name."""
    if not pop.merges:
        return "before the first merge"
    names = ", ".join(visible(b"".join(pair)) for pair in pop.merges[-5:])
    return f"after {len(pop.merges)} merge{'s' * (len(pop.merges) > 1)}: {'… ' * (len(pop.merges) > 5)}{names}"


SIGNS = {"fresh": "=", "stale": "▼", "dead": "✗"}
LOOKS = {
    "fresh": (SHEET, boxes.PLAIN[1].replace("2px", "1px")),
    "stale": (SHEET, f"1px dashed {TEXT}"),
    "dead": (SHEET, f"1px dotted {TEXT}"),
}


def entry_rows(pop: Pop, scale: int) -> list[str]:
    """Return the entries as rows of a table, always equally many, and one for what is not shown."""
    head = [(name, f"color:{FAINT};font-size:88%;text-align:right") for name in ("pair", "promised", "today")]
    rows = [boxes.row([*head, *[("", "")] * 2])]
    rows += [entry_row(entry, i == 0, scale) for i, entry in enumerate(pop.entries)]
    rows += [boxes.row([(boxes.EMPTY, boxes.MONO)], span=5)] * (ENTRIES - len(pop.entries))
    return [*rows, boxes.row([(unseen_entries(pop) or boxes.EMPTY, f"color:{FAINT};font-size:90%")], span=5)]


def unseen_entries(pop: Pop) -> str:
    """Return how many entries are not shown, if any."""
    more = pop.entry_count - len(pop.entries)
    return f"and {more:,} more" if more else ""


def unseen_words(pop: Pop) -> str:
    """Return how many of the words that the index names are not shown, if any."""
    more = pop.named_count - sum(word.named for word in pop.words)
    return f"and {more:,} more" if more else ""


def entry_row(entry: Entry, is_top: bool, scale: int) -> str:
    """Return an entry as a row: in its bar, what it promises is the outline, and today's count is filled."""
    fill = 100 * min(1, entry.today / entry.promised)
    inside = f'<div style="width:{fill:.0f}%;height:100%;background:#7fb8e0"></div>'
    cells = [
        (f"{'▶ ' * is_top}{escape(' '.join(map(visible, entry.pair)))}", f"{boxes.MONO};text-align:right"),
        (f"{entry.promised:,}", boxes.RIGHT),
        (f"{entry.today:,}", boxes.RIGHT),
        (f"{SIGNS[entry.state]} {entry.state}", "font-size:90%;min-width:4.5em"),
        (boxes.bar(7 * min(1, entry.promised / scale), LOOKS[entry.state], inside), "width:7.2em"),
    ]
    return boxes.row(cells, style="font-weight:bold" if is_top else "")


def top_pair(pop: Pop) -> Pair | None:
    """Return the pair on the top of the heap."""
    return pop.entries[0].pair if pop.entries else None


def index_title(pop: Pop) -> str:
    """Return the heading of the words."""
    pair = top_pair(pop)
    return f"Words, and the index entry of {boxes.pair_text(pair)}" if pair else "Words"


def word_note(word: IndexedWord, pair: Pair | None) -> str:
    """Return whether the index names a word, and rightly."""
    if not word.named:
        return "○ not named"
    return "● named, holds it" if boxes.places_of(word.word, pair) else "✗ named in vain"


def word_rows(pop: Pop) -> list[str]:
    """Return the words as rows of a table."""
    rows, pair = [], top_pair(pop)
    for word in pop.words:
        note = word_note(word, pair) if pair else ""
        cells = [(f"{word.position}", f"{boxes.RIGHT};color:{FAINT}"), (f"{word.frequency:,} ×", boxes.RIGHT)]
        cells += [(boxes.word_boxes(word.word, None, pair), ""), (note, "font-size:90%;min-width:8.5em")]
        rows.append(boxes.row(cells, style="" if word.named else f"color:{FAINT}"))
    if pop.word_count <= WORDS:
        return rows
    rows += [boxes.row([(boxes.EMPTY, boxes.MONO)], span=4)] * (WORDS - len(pop.words))
    return [*rows, boxes.row([(unseen_words(pop) or boxes.EMPTY, f"color:{FAINT}")], span=4)]


def outcome(pop: Pop) -> str:
    """Return in words what the pop does."""
    if not pop.entries:
        return "The heap is empty: pop_best raises IndexError, and training ends."
    top = pop.entries[0]
    promise = f"{boxes.pair_text(top.pair)} promises {top.promised:,}"
    if top.state == "dead":
        return f"Dead. {promise} and stands nowhere today: its entry is thrown away."
    if top.state == "stale":
        place = f"place {pop.back:,} of {pop.entry_count:,}"
        return f"Stale. {promise} and has {top.today:,} today: back it goes, with {top.today:,}, to {place}."
    pushed = enumeration([f"{boxes.pair_text(entry.pair)} with {entry.promised:,}" for entry in pop.pushed])
    follows = f"Its merge pushes {pushed}." if pushed else "Its merge makes no new pair."
    return f"Winner. {promise} and has {top.today:,} today. {follows}"


def index_says(pop: Pop) -> str:
    """Return in words what the index entry is worth."""
    if not pop.entries:
        return f"{len(pop.merges):,} merges, {pop.number:,} pops."
    words = f"The index names {pop.named_count:,} word{'s' * (pop.named_count != 1)} for this pair"
    held, idle = pop.held_count, pop.named_count - pop.held_count
    if pop.entries[0].state != "fresh":
        return f"{words}; {held:,} still hold{'s' * (held == 1)} it. No word is visited now."
    return f"{words}: {held:,} change{'s' * (held == 1)}, {idle:,} visited for nothing."


def text(pop: Pop) -> str:
    """Return a state as text."""
    lines = [f"{title(pop)}, {learned(pop)}", "Heap:"]
    for i, entry in enumerate(pop.entries):
        said = f"promises {entry.promised:,}, today {entry.today:,}: {entry.state}"
        lines.append(f"{' ' if i else '▶'} {boxes.pair_text(entry.pair)} {said}")
    lines += filter(None, [f"  {unseen_entries(pop)}".rstrip(), f"{index_title(pop)}:"])
    for word in pop.words:
        note = f"  {word_note(word, top_pair(pop))}" if pop.entries else ""
        lines.append(f"  {word.position} {word.frequency:>5,} × {boxes.word_text(word.word)}{note}")
    lines += filter(None, [f"  {unseen_words(pop)}".rstrip()])
    return "\n".join([*lines, outcome(pop), index_says(pop)])


KEY = boxes.key({"the pair on the top": boxes.NEXT}, "a bar is as long as promised, and filled as far as today")
