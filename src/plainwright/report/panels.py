"""The three kinds of drawing in the charts: one line a system, one box a system, one histogram.

Every panel is about as wide as a phone, so its text keeps one size from a phone to a wide screen; the style
sheet puts as many side by side as fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from plainwright.report import names, svg
from plainwright.report.frame import AXIS, WIDTH, drawing, grid, gutter, row_name, tick_text
from plainwright.report.svg import Scale, element, label, number

__all__ = ["Row", "Values", "box_panel", "histogram", "row_panel"]

_ROW = 24.0
_VALUES = 50.0  # width of the numbers at the right

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a row panel; `system` is its colour and mark, `note` says why there is no value."""

    name: str
    system: int
    value: float | None
    interval: tuple[float, float] | None = None
    note: str = ""


def row_panel(
    rows: Sequence[Row],
    description: str,
    *,
    bars: bool = False,
    reference: tuple[str, float] | None = None,
    domain: tuple[float, float] | None = None,
) -> str:
    """Draw one system per line: a mark with its interval, or a bar from zero; a dashed line for the reference.

    `domain` fixes the ends of the scale, so that panels can be compared; a reference without a name is a bare line.
    """
    left = gutter(row.name for row in rows)
    values = [row.value for row in rows if row.value is not None]
    values += [end for row in rows for end in row.interval or ()] + ([reference[1]] if reference else [])
    right = WIDTH - _VALUES
    scale = Scale(*domain, left + 4, right) if domain else Scale.around(values, left, right, zero=bars)
    top = 18.0 if reference and reference[0] else 4.0
    bottom = top + _ROW * len(rows)
    marks = [*grid(scale, top, bottom), *(_reference(scale, reference, top, bottom) if reference else [])]
    for position, row in enumerate(rows):
        y = top + _ROW * (position + 0.5)
        marks += [row_name(row.name, left, y), *_row_marks(scale, row, y, bars=bars)]
    spoken = "; ".join(f"{row.name} {names.show(row.value)}" for row in rows)
    return drawing(WIDTH, bottom + AXIS, f"{description}: {spoken}", marks)


def box_panel(series: Sequence[tuple[str, int | None, Values]], description: str) -> str:
    """Quartiles and the range of nine values in ten; a series that is no system's is drawn grey."""
    left = gutter(name for name, _, _ in series)
    cuts = [[float(cut) for cut in np.percentile(values, [5, 25, 50, 75, 95])] for _, _, values in series]
    scale = Scale.around([end for row in cuts for end in row], left, WIDTH - _VALUES)
    bottom = 4 + _ROW * len(series)
    marks = grid(scale, 4, bottom)
    for position, ((name, system, _), row) in enumerate(zip(series, cuts, strict=True)):
        y = 4 + _ROW * (position + 0.5)
        low, lower, middle, upper, high = map(scale, row)
        colour = "plain" if system is None else svg.system_class(system)
        marks += [
            row_name(name, left, y),
            element("path", d=f"M{number(low)} {number(y)}H{number(high)}", class_=f"whisker {colour}"),
            element("rect", x=lower, y=y - 6, width=max(upper - lower, 1.0), height=12.0, class_=f"box {colour}"),
            element("path", d=f"M{number(middle)} {number(y - 6)}v12", class_=f"median {colour}"),
            _value(row[2], y),
        ]
    spoken = "; ".join(f"{name} {names.show(row[2])}" for (name, _, _), row in zip(series, cuts, strict=True))
    return drawing(WIDTH, bottom + AXIS, f"{description}, medians: {spoken}", marks)


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
        marks.append(label(across(tick), base + 15, tick_text(tick), anchor="middle", class_="tick"))
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
    return drawing(width, base + AXIS, f"{description}: median {names.show(median)}", marks)


def _reference(scale: Scale, reference: tuple[str, float], top: float, bottom: float) -> list[str]:
    name, value = reference
    x = scale(value)
    line = element("path", d=f"M{number(x)} {number(top)}V{number(bottom)}", class_="reference")
    return [line, _inside(x, 12, f"{name} {names.show(value)}")] if name else [line]


def _row_marks(scale: Scale, row: Row, y: float, *, bars: bool) -> list[str]:
    if row.value is None:
        middle = (scale.start + scale.end) / 2
        return [
            element(
                "g",
                element("title", escape(row.note)),
                label(middle, y + 4, "no value", anchor="middle", class_="tick name"),
            ),
            label(WIDTH - 4, y + 4, "–", anchor="end"),
        ]
    mark = svg.marker(scale(row.value), y, row.system)
    before = _bar(scale, row.value, row.system, y) if bars else _whisker(scale, row.interval, row.system, y)
    return [before + mark, _value(row.value, y)]


def _whisker(scale: Scale, interval: tuple[float, float] | None, system: int, y: float) -> str:
    if interval is None:
        return ""
    start, end = (number(scale(value)) for value in interval)
    path = f"M{start} {number(y)}H{end}M{start} {number(y - 4)}v8M{end} {number(y - 4)}v8"
    return element("path", d=path, class_=f"whisker {svg.system_class(system)}")


def _bar(scale: Scale, value: float, system: int, y: float) -> str:
    zero, end = scale(0), scale(value)
    colour = svg.system_class(system)
    return element("rect", x=min(zero, end), y=y - 5, width=abs(end - zero), height=10.0, class_=f"bar {colour}")


def _value(value: float, y: float) -> str:
    return label(WIDTH - 4, y + 4, names.show(value), anchor="end")


def _inside(x: float, y: float, text: str) -> str:
    """A label centred on `x` where there is room, else moved away from the edge."""
    anchor = "end" if x > WIDTH - _VALUES else "middle"
    return label(x, y, text, anchor=anchor, class_="tick")
