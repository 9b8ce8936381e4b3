"""What `check` returns, as a box in a notebook and as text elsewhere."""

from dataclasses import dataclass
from html import escape

NOT_ATTEMPTED, NOT_YET, PASSED = "not attempted", "not yet", "passed"
LOOKS = {NOT_ATTEMPTED: ("○", "#56606b"), NOT_YET: ("✗", "#b34700"), PASSED: ("✓", "#006b4f")}
"""A sign and a dark colour for each status; the word stands beside them."""


class NotPassedError(AssertionError):
    """Raised where `BPE_STRICT` is 1 and an answer did not pass."""


@dataclass(frozen=True)
class Result:
    """What there is to say about an answer.

    Attributes:
        exercise: the exercise's id.
        status: "not attempted", "not yet" or "passed".
        message: why.
        details: rows of label and code: the call, what came back, what is right.
    """

    exercise: str
    status: str
    message: str
    details: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        sign, _ = LOOKS[self.status]
        lines = [f"{sign} {self.exercise}: {self.status}. {self.message}"]
        width = max((len(label) for label, _ in self.details), default=0)
        for label, code in self.details:
            lines.append(f"  {label:>{width}}  " + code.replace("\n", "\n" + " " * (width + 4)))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        sign, colour = LOOKS[self.status]
        heading = (
            f'<strong style="color:{colour}">{sign} {escape(self.status)}</strong> '
            f'<code style="color:#1a1a1a;background:transparent">{escape(self.exercise)}</code>'
        )
        rows = "".join(
            f'<tr style="background:transparent"><th scope="row" style="{CELL};width:6.5em;font-weight:600">'
            f'{escape(label)}</th><td style="{CELL}"><pre style="{PRE}">{escape(code)}</pre></td></tr>'
            for label, code in self.details
        )
        table = f'<table style="margin:.5em 0 0;border:0;width:100%">{rows}</table>' if rows else ""
        return box(colour, f"{heading}<div>{with_code(self.message)}</div>{table}", f"{self.exercise}: {self.status}")


CELL = "color:#1a1a1a;font-size:inherit;text-align:left;vertical-align:top;padding:.15em .6em .15em 0;border:0"
PRE = (
    "color:#1a1a1a;background:#ffffff;margin:0;padding:.2em .5em;border:1px solid #c9ced6;"
    "white-space:pre-wrap;overflow-wrap:anywhere;font-size:90%"
)


def box(colour: str, content: str, label: str) -> str:
    """Return a bordered box, readable in light and dark themes."""
    style = (
        f"border:1px solid {colour};border-left:6px solid {colour};border-radius:3px;background:#f8f9fa;"
        "color:#1a1a1a;padding:.6em .9em;margin:.3em 0;max-width:60em;line-height:1.45"
    )
    return f'<div role="status" aria-label="{escape(label)}" style="{style}">{content}</div>'


def with_code(text: str) -> str:
    """Return a text as HTML in which what stands between backticks is code.

    >>> with_code("a `b<c`")
    'a <code style="color:#1a1a1a;background:#e9ecef;white-space:pre-wrap">b&lt;c</code>'
    """
    parts = escape(text, quote=False).split("`")
    for i in range(1, len(parts), 2):
        parts[i] = f'<code style="color:#1a1a1a;background:#e9ecef;white-space:pre-wrap">{parts[i]}</code>'
    return "".join(parts)
