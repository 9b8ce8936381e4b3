"""Controls above a panel, which is drawn anew whenever one of them changes."""

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets

from bpe_course.widgets.panel import Panel, complaint

STILL = "<em>Run this cell in JupyterLab to get a widget that moves what is shown above.</em>"
"""Shown where no widget can be: on GitHub, on paper."""


class Moving(ipywidgets.VBox):
    """Controls and panel. A page in which nothing runs shows a sentence instead."""

    def __repr__(self) -> str:
        return "(a widget: run this cell in JupyterLab to move it)"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        bundle = super()._repr_mimebundle_(**options)
        return {**bundle, "text/plain": repr(self), "text/html": STILL}


def move(draw: Callable[..., Panel], controls: Mapping[str, ipywidgets.Widget], order: Any = None) -> Moving:
    """Return controls above what `draw` makes of their values.

    Args:
        draw: gets each control's value by name; a ValueError's message is shown instead of a drawing.
        controls: by the name of `draw`'s parameter.
        order: widgets to show in place of a row of the controls, if buttons or groups belong between them.
    """
    shown = ipywidgets.HTML()

    def redraw(_: Any = None) -> None:
        try:
            panel = draw(**{name: control.value for name, control in controls.items()})
        except ValueError as error:
            panel = complaint(str(error))
        shown.value = panel._repr_html_()

    for control in controls.values():
        control.observe(redraw, "value")
    redraw()
    wrapped = ipywidgets.Layout(flex_flow="row wrap", align_items="center")
    return Moving([ipywidgets.HBox(order or list(controls.values()), layout=wrapped), shown])


WIDE = {"description_width": "initial"}


def slider(label: str, first: int, last: int, value: int | None = None) -> ipywidgets.IntSlider:
    """Return a slider over whole numbers, both ends included."""
    layout = ipywidgets.Layout(width="26em", max_width="95%")
    start = first if value is None else value
    return ipywidgets.IntSlider(start, min=first, max=last, description=label, style=WIDE, layout=layout)


def choice(label: str, options: Any, value: Any = None) -> ipywidgets.Dropdown:
    """Return a drop-down list; `options` as ipywidgets takes them (names, or names and values)."""
    dropdown = ipywidgets.Dropdown(options=options, description=label, style=WIDE)
    if value is not None:
        dropdown.value = value
    return dropdown


def text_field(label: str, value: str, rows: int = 1) -> ipywidgets.Widget:
    """Return a field for text, of several lines where `rows` is more than 1; it takes effect as one types."""
    layout = ipywidgets.Layout(width="40em", max_width="95%")
    kind = ipywidgets.Text if rows == 1 else ipywidgets.Textarea
    field = kind(value=value, description=label, style=WIDE, layout=layout)
    if rows > 1:
        field.rows = rows
    return field


def steps(
    label: str, last: int, value: int = 0, first: int = 0, back: str = "◀ Back", forward: str = "Forward ▶"
) -> tuple[ipywidgets.IntSlider, list[ipywidgets.Widget]]:
    """Return a slider from `first` to `last`, and the row that shows it behind buttons for one step back and forward.

    The slider's `max` can change later.
    """
    place = slider(label, first, last, value)

    def step(by: int) -> None:
        place.value = min(max(place.value + by, place.min), place.max)

    return place, [*buttons(step, back, forward), place]


def scale(label: str, options: Mapping[str, Any], value: Any) -> tuple[ipywidgets.Widget, list[ipywidgets.Widget]]:
    """Return a slider over a few given values, each with its name, and the row that shows it behind two buttons."""
    layout = ipywidgets.Layout(width="26em", max_width="95%")
    options = list(options.items())
    place = ipywidgets.SelectionSlider(options=options, value=value, description=label, style=WIDE, layout=layout)

    def step(by: int) -> None:
        place.index = min(max(place.index + by, 0), len(options) - 1)

    return place, [*buttons(step, "◀ Smaller", "Larger ▶"), place]


def buttons(step: Callable[[int], None], back: str, forward: str) -> list[ipywidgets.Button]:
    """Return two buttons that call `step` with -1 and 1. They have names, which the handle of a slider has not."""
    pair = [ipywidgets.Button(description=name, layout=ipywidgets.Layout(width="auto")) for name in (back, forward)]
    for button, by in zip(pair, (-1, 1)):
        button.on_click(lambda _, by=by: step(by))
    return pair


def line(*widgets: ipywidgets.Widget) -> ipywidgets.HBox:
    """Return widgets that stand in a line of their own, as far as there is room."""
    return ipywidgets.HBox(widgets, layout=ipywidgets.Layout(flex_flow="row wrap", align_items="center", width="100%"))
