"""A playground for patterns: any text, cut by two of them, with the branch that took each stretch."""

from collections.abc import Sequence
from html import escape
from typing import Any

from bpe_course.tokens import COLOURS, visible
from bpe_course.widgets.branches import Cutting, Stretch, cut, different
from bpe_course.widgets.panel import FAINT, TEXT, Panel
from bpe_course.widgets.patterns import NAMES, PATTERNS

WRONG = "#b34700"
LONGEST = 60
"""How many characters of a stretch, and of a pattern around a fault, are shown."""
FEW = 20
"""How many branches are listed."""
OWN = "your own"
GREY = "#e9ecef"


def shown(text: str) -> str:
    """Return a stretch with its spaces and newlines visible, a long one cut."""
    cut_off = f"… ({len(text):,} characters)" if len(text) > LONGEST else ""
    return visible(text[:LONGEST].encode()) + cut_off


def branch_name(branch: int | None, branches: Sequence[str]) -> str:
    """Return a branch's number and short name, such as `2 letters`."""
    if branch is None:
        return "?"
    if not branch:
        return "✗ lost"
    name = NAMES.get(branches[branch - 1])
    return f"{branch} {name}" if name else f"branch {branch}"


def summary(cutting: Cutting) -> str:
    """Return how many stretches there are."""
    lost = cutting.taken(0)
    stretches = len(cutting.stretches) - lost
    return f"{stretches} pre-token{'s' * (stretches != 1)}" + (f", {lost} lost" if lost else "")


def comparison(one: Cutting, other: Cutting, text: str) -> str:
    """Return in words whether two patterns cut a text alike, and where they part."""
    if not text:
        return "Type a text."
    reach = min(one.end, other.end)
    if one.fault or other.fault or not reach:
        return "Nothing to compare."
    places = sorted({c.stretches[i].start for c, d in ((one, other), (other, one)) for i in different(c, d)})
    if not places:
        return "Both cut alike." if reach == len(text) else f"Both cut alike up to character {reach:,}."
    first = visible(text[places[0] : places[0] + 12].encode())
    return f"≠ marks pre-tokens that only one of the two has. They part first at character {places[0]:,}: {first}"


def chip(number: int, stretch: Stretch, cutting: Cutting, differs: bool) -> str:
    """Return a stretch as a box in the colour of its branch: its number, its text, its branch."""
    colour = COLOURS[(stretch.branch - 1) % len(COLOURS)] if stretch.branch else "#ffffff"
    width, ink = (2, WRONG) if stretch.branch == 0 else (3 if differs else 1, TEXT)
    border = f"{width}px {'solid' if stretch.branch != 0 else 'dashed'} {ink};margin:{3 - width}px"  # all equally high
    sign = '<strong style="margin-right:.3em">≠</strong>' * differs
    name, small = escape(branch_name(stretch.branch, cutting.branches)), "font-size:78%;white-space:nowrap;color:"
    return (
        '<span style="display:inline-flex;flex-direction:column;align-items:center;vertical-align:top;'
        f'margin:2px 4px 8px 0;line-height:1.3;max-width:100%">'
        f'<span style="{small}{TEXT if differs else FAINT}">{sign}{number}</span>'
        f'<span style="background:{colour};color:{ink};border:{border};border-radius:3px;padding:1px 5px;'
        f'font:108%/1.4 monospace;white-space:pre-wrap;overflow-wrap:anywhere">{escape(shown(stretch.text))}</span>'
        f'<span style="{small}{WRONG if stretch.branch == 0 else FAINT}">{name}</span></span>'
    )


def legend(cutting: Cutting) -> str:
    """Return the branches of a pattern, with their numbers and how many stretches each took."""
    rows = []
    for number, branch in enumerate(cutting.branches[:FEW], start=1):
        colour = COLOURS[(number - 1) % len(COLOURS)]
        code = escape(branch[: 2 * LONGEST].replace(" ", "␣") + "…" * (len(branch) > 2 * LONGEST))
        rows.append(
            '<div style="display:flex;align-items:baseline">'
            f'<span style="flex:none;width:2.4em;text-align:right;color:{FAINT}">{cutting.taken(number)} ×</span>'
            f'<span style="flex:none;width:9.5em;margin:1px .6em;padding:0 .4em;background:{colour};color:{TEXT};'
            f'border:1px solid {TEXT};border-radius:3px">{escape(branch_name(number, cutting.branches))}</span>'
            f'<span style="font-family:monospace;overflow-wrap:anywhere;min-width:0">{code}</span></div>'
        )
    rest = len(cutting.branches) - FEW
    more = f"and {rest:,} more branches" if rest > 0 else ""
    return f'<div style="font-size:90%;margin-top:.5em">{"".join(rows)}{more}</div>'


def fault(cutting: Cutting) -> str:
    """Return what is wrong with a pattern, and the pattern with the place marked, as HTML."""
    message, at = cutting.fault
    place = "" if at is None else f" at character {at}"
    at = len(cutting.pattern) if at is None else at
    before, here, after = (
        escape(part.replace(" ", "␣"))
        for part in (
            cutting.pattern[max(at - LONGEST, 0) : at],
            cutting.pattern[at : at + 1] or "\u00a0",
            cutting.pattern[at + 1 : at + LONGEST],
        )
    )
    return (
        f'<div style="color:{WRONG}"><strong>✗ This is no pattern: {escape(message)}{place}.</strong></div>'
        f'<div style="font-family:monospace;overflow-wrap:anywhere;background:{GREY};padding:.3em .6em">{before}'
        f'<strong style="background:#ffffff;color:{WRONG};border:2px solid {WRONG};padding:0 2px">{here}</strong>'
        f"{after}</div>"
    )


def half(name: str, cutting: Cutting, other: Cutting) -> str:
    """Return one pattern's half of the panel as HTML."""
    differs = different(cutting, other)
    chips = "".join(chip(i + 1, stretch, cutting, i in differs) for i, stretch in enumerate(cutting.stretches))
    stopped = f'<div style="color:{WRONG}"><strong>✗ {escape(cutting.stopped)}</strong></div>' * bool(cutting.stopped)
    body = fault(cutting) if cutting.fault else f"<div>{chips}</div>{stopped}{legend(cutting)}"
    count = "" if cutting.fault else summary(cutting)
    return (
        f'<div style="flex:1 1 22em;min-width:0;border-top:3px solid {TEXT};padding-top:.3em">'
        f'<strong>{escape(name)}</strong> <span style="color:{FAINT}">{count}</span>{body}</div>'
    )


def as_text(name: str, cutting: Cutting, other: Cutting) -> str:
    """Return one pattern's stretches as rows: number, stretch, branch."""
    if cutting.fault:
        message, at = cutting.fault
        return f"{name}: ✗ This is no pattern: {message}" + ("." if at is None else f" at character {at}.")
    differs, rows = different(cutting, other), [f"{name}: {summary(cutting)}"]
    for i, stretch in enumerate(cutting.stretches):
        sign, name = "≠" if i in differs else " ", branch_name(stretch.branch, cutting.branches)
        rows.append(f"{i + 1:3} {sign} {shown(stretch.text):14} {name}")
    return "\n".join([*rows, *([f"✗ {cutting.stopped}"] if cutting.stopped else [])])


def show_branches(text: str, first: str = "GPT-2", second: str = "cl100k_base", own: str = "") -> Panel:
    r"""Return a text as two patterns cut it, with the branch that took each stretch, and where the two differ.

    Args:
        text: any text.
        first: "GPT-2", "GPT-2, misprinted", "cl100k_base", "o200k_base", or "your own", which means `own`.
        second: the same.
        own: any pattern for the package `regex`.

    Raises:
        ValueError: there is no pattern of that name.

    >>> show_branches("a 1", "GPT-2", "your own", own=r"\p{L}+|\p{N}+")
    ≠ marks pre-tokens that only one of the two has. They part first at character 1: ␣1
    GPT-2: 2 pre-tokens
      1   a              2 letters
      2 ≠ ␣1             3 number
    your own: 2 pre-tokens, 1 lost
      1   a              1 letters
      2 ≠ ␣              ✗ lost
      3 ≠ 1              2 number
    """
    known = {**PATTERNS, OWN: own}
    for name in (first, second):
        if name not in known:
            raise ValueError(f"{name!r} is none of the patterns {', '.join(known)}")
    one, other = cut(known[first], text), cut(known[second], text)
    words = comparison(one, other, text)
    halves = half(first, one, other) + half(second, other, one)
    row = "display:flex;flex-wrap:wrap;gap:1em 2em;margin-top:.5em"
    html = f'<div>{escape(words)}</div><div style="{row}">{halves}</div>'
    label = f"A text, cut by {first} and by {second}. {words}"
    return Panel(label, html, "\n".join([words, as_text(first, one, other), as_text(second, other, one)]))


def regex_playground(text: str, first: str = "GPT-2", second: str = "cl100k_base", own: str = r"\p{L}+|\p{N}+") -> Any:
    """Return `show_branches` with fields for the text and a pattern of your own, and a list for each pattern."""
    from bpe_course.widgets.controls import choice, line, move, text_field

    names = [*PATTERNS, OWN]
    controls = {
        "text": text_field("Text", text, rows=3),
        "first": choice("First pattern", names, first),
        "second": choice("Second pattern", names, second),
        "own": text_field("Your own pattern", own),
    }
    for control in controls.values():
        control.style.description_width = "8.5em"  # so that the fields begin below each other
    field, *lists, own_field = controls.values()
    return move(show_branches, controls, [line(field), line(*lists), line(own_field)])
