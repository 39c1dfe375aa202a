"""The three kinds of drawing in the charts: one line a system, one box a system, one histogram.

Every panel is about as wide as a phone, so its text keeps one size from a phone to a wide screen; the style
sheet puts as many side by side as fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from plainwright.report import names, svg
from plainwright.report.svg import Scale, element, label, number

__all__ = ["Row", "Values", "box_panel", "histogram", "row_panel"]

_WIDTH = 340.0
_ROW = 24.0
_AXIS = 24.0  # height of the tick labels below a plot
_VALUES = 50.0  # width of the numbers at the right

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """One system in a row panel."""

    name: str
    system: int
    value: float
    interval: tuple[float, float] | None = None


def row_panel(
    rows: Sequence[Row], description: str, *, bars: bool = False, reference: tuple[str, float] | None = None
) -> str:
    """One system a line: a mark with its interval, or a bar from zero; a dashed line for the reference."""
    gutter = _gutter(row.name for row in rows)
    values = [row.value for row in rows] + [end for row in rows for end in row.interval or ()]
    values += [reference[1]] if reference else []
    scale = Scale.around(values, gutter, _WIDTH - _VALUES, zero=bars)
    top = 18.0 if reference else 4.0
    bottom = top + _ROW * len(rows)
    marks = _grid(scale, top, bottom)
    if reference:
        x = scale(reference[1])
        marks.append(element("path", d=f"M{number(x)} {number(top)}V{number(bottom)}", class_="reference"))
        marks.append(_inside(x, 12, f"{reference[0]} {names.show(reference[1])}"))
    for position, row in enumerate(rows):
        y = top + _ROW * (position + 0.5)
        marks += [_name(row.name, gutter, y), _bar(scale, row, y) if bars else _whisker(scale, row, y)]
        marks.append(_value(row.value, y))
    spoken = "; ".join(f"{row.name} {names.show(row.value)}" for row in rows)
    return _drawing(_WIDTH, bottom + _AXIS, f"{description}: {spoken}", marks)


def box_panel(series: Sequence[tuple[str, int | None, Values]], description: str) -> str:
    """Quartiles and the range of nine values in ten; a series that is no system's is drawn grey."""
    gutter = _gutter(name for name, _, _ in series)
    cuts = [[float(cut) for cut in np.percentile(values, [5, 25, 50, 75, 95])] for _, _, values in series]
    scale = Scale.around([end for row in cuts for end in row], gutter, _WIDTH - _VALUES)
    bottom = 4 + _ROW * len(series)
    marks = _grid(scale, 4, bottom)
    for position, ((name, system, _), row) in enumerate(zip(series, cuts, strict=True)):
        y = 4 + _ROW * (position + 0.5)
        low, left, middle, right, high = map(scale, row)
        colour = "plain" if system is None else svg.system_class(system)
        marks += [
            _name(name, gutter, y),
            element("path", d=f"M{number(low)} {number(y)}H{number(high)}", class_=f"whisker {colour}"),
            element("rect", x=left, y=y - 6, width=max(right - left, 1.0), height=12.0, class_=f"box {colour}"),
            element("path", d=f"M{number(middle)} {number(y - 6)}v12", class_=f"median {colour}"),
            _value(row[2], y),
        ]
    spoken = "; ".join(f"{name} {names.show(row[2])}" for (name, _, _), row in zip(series, cuts, strict=True))
    return _drawing(_WIDTH, bottom + _AXIS, f"{description}, medians: {spoken}", marks)


def histogram(
    shares: Sequence[float],
    edges: Sequence[float],
    description: str,
    *,
    top: float,
    median: float,
    system: int,
) -> str:
    """Bars for the share of values between neighbouring edges; `top` is the largest share of all panels."""
    width, base, left, right = 260.0, 104.0, 34.0, 246.0
    across, up = Scale(edges[0], edges[-1], left, right), Scale(0, top * 1.08, base, 8)
    marks = []
    for tick in up.ticks(3):
        marks.append(element("path", d=f"M{number(left)} {number(up(tick))}H{number(right)}", class_="grid"))
        text = f"{100 * tick:.3g} %" if tick else "0"
        marks.append(label(left - 4, up(tick) + 4, text, anchor="end", class_="tick"))
    for tick in across.ticks(5):
        marks.append(label(across(tick), base + 15, _tick(tick), anchor="middle", class_="tick"))
    outline = ""
    for start, end, share in zip(edges[:-1], edges[1:], shares, strict=True):
        if share:
            outline += f"M{number(across(start) + 0.5)} {number(base)}V{number(up(share))}"
            outline += f"H{number(across(end) - 0.5)}V{number(base)}"
    x = across(median)
    near_end = x > 190
    marks += [
        element("path", d=outline, class_=f"bars {svg.system_class(system)}"),
        element("path", d=f"M{number(left)} {number(base)}H{number(right)}", class_="axis"),
        element("path", d=f"M{number(x)} 4V{number(base)}", class_="reference"),
        label(x + (-4 if near_end else 4), 13, names.show(median, 1), anchor="end" if near_end else "start"),
    ]
    return _drawing(width, base + _AXIS, f"{description}: median {names.show(median)}", marks)


def _whisker(scale: Scale, row: Row, y: float) -> str:
    mark = svg.marker(scale(row.value), y, row.system)
    if row.interval is None:
        return mark
    start, end = (number(scale(value)) for value in row.interval)
    path = f"M{start} {number(y)}H{end}M{start} {number(y - 4)}v8M{end} {number(y - 4)}v8"
    return element("path", d=path, class_=f"whisker {svg.system_class(row.system)}") + mark


def _bar(scale: Scale, row: Row, y: float) -> str:
    zero, end = scale(0), scale(row.value)
    colour = svg.system_class(row.system)
    bar = element("rect", x=min(zero, end), y=y - 5, width=abs(end - zero), height=10.0, class_=f"bar {colour}")
    return bar + svg.marker(end, y, row.system)


def _grid(scale: Scale, top: float, bottom: float) -> list[str]:
    ticks = scale.ticks()
    lines = "".join(f"M{number(scale(tick))} {number(top)}V{number(bottom)}" for tick in ticks)
    texts = [label(scale(tick), bottom + 15, _tick(tick), anchor="middle", class_="tick") for tick in ticks]
    return [element("path", d=lines, class_="grid"), *texts]


def _drawing(width: float, height: float, description: str, marks: Sequence[str]) -> str:
    size = f"0 0 {number(width)} {number(height)}"
    return element("svg", *marks, viewBox=size, width=width, height=height, role="img", aria_label=description)


def _name(name: str, gutter: float, y: float) -> str:
    short = svg.shorten(name, gutter - 12)
    text = label(gutter - 10, y + 4, short, anchor="end")
    return text if short == name else element("g", element("title", escape(name)), text)


def _value(value: float, y: float) -> str:
    return label(_WIDTH - 4, y + 4, names.show(value), anchor="end")


def _inside(x: float, y: float, text: str) -> str:
    """A label centred on `x` where there is room, else moved away from the edge."""
    anchor = "end" if x > _WIDTH - _VALUES else "middle"
    return label(x, y, text, anchor=anchor, class_="tick")


def _gutter(labels: Iterable[str]) -> float:
    return min(148.0, max(len(text) for text in labels) * 6.6 + 16)


def _tick(value: float) -> str:
    return f"{value:g}".replace("-", "−")
