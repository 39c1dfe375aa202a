"""Drawings with two axes: points with their names, a cloud with its line, and curves with their bands."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from plainwright.report import names, svg
from plainwright.report.frame import WIDTH, Plane
from plainwright.report.svg import Scale, element, label, number

__all__ = ["Curve", "Line", "Point", "cloud", "curves", "scatter"]

_MOST_MARKS = 10  # of one curve; a mark tells it from others, more would hide it
_MANY_DOTS = 500  # from here on they are drawn fainter, so that one sees where most lie


@dataclass(frozen=True, slots=True)
class Point:
    """Stands for one system, or one output of it."""

    name: str
    system: int  # its colour and mark
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """Stands for a straight line, drawn as far as the points reach."""

    slope: float
    intercept: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Joins points by a line, each with the ends of its band if there is one."""

    name: str
    index: int  # its colour and mark
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()


def scatter(points: Sequence[Point], description: str, *, across: str, up: str, line: Line | None = None) -> str:
    """A mark and a name for each point; a name for which there is no room is shown on pointing at its mark."""
    plane = Plane.around([point.x for point in points], [point.y for point in points])
    marks = [*plane.axes(across, up), *_line(plane, line, [point.x for point in points])]
    taken = [_Box.around(*plane.place(point.x, point.y)) for point in points]
    for point in points:
        x, y = plane.place(point.x, point.y)
        said = element("title", escape(f"{point.name}: {names.show(point.x)}, {names.show(point.y)}"))
        marks.append(element("g", said, svg.marker(x, y, point.system)))
        written = _beside(plane, (x, y), point.name, taken)
        if written is not None:
            marks.append(written)
    spoken = "; ".join(f"{point.name} {names.show(point.x)}, {names.show(point.y)}" for point in points)
    return plane.draw(f"{description}: {spoken}", marks)


def cloud(
    points: Sequence[tuple[float, float]], description: str, *, across: str, up: str, line: Line | None = None
) -> str:
    """Dots for points that are too many to be named; where several fall together, the dot's area counts them."""
    plane = Plane.around([x for x, _ in points], [y for _, y in points])
    together = Counter((number(x), number(y)) for x, y in (plane.place(*point) for point in points))
    outline = "".join(_dot(float(x), float(y), count) for (x, y), count in together.items())
    many = " many" if len(points) > _MANY_DOTS else ""
    dots = element("path", d=outline, class_=f"cloud {svg.system_class(0)}{many}")
    fit = _line(plane, line, [x for x, _ in points])
    return plane.draw(f"{description}: {len(points):,} points", [*plane.axes(across, up), dots, *fit])


def curves(
    series: Sequence[Curve],
    description: str,
    *,
    across: str,
    up: str,
    domain: tuple[float, float] | None = None,
    level: tuple[str, float] | None = None,
    chosen: tuple[str, float, float] | None = None,
) -> str:
    """Draw lines over counts with marks and bands; a dashed line at `level`, a ring at `chosen`."""
    xs = [x for curve in series for x, _ in curve.points]
    ys = [y for curve in series for _, y in curve.points] + [
        end for curve in series for ends in curve.band for end in ends
    ]
    ys += [level[1]] if level else []
    plane = Plane.around(xs, ys, up_domain=domain, counts=True)
    marks = plane.axes(across, up)
    marks += [_band(plane, curve) for curve in series if curve.band]
    if level is not None:
        marks += _level(plane, *level)
    for curve in series:
        places = [plane.place(x, y) for x, y in curve.points]
        marks.append(element("path", d=_path(places), class_=f"curve {svg.system_class(curve.index)}"))
        every = math.ceil(len(places) / _MOST_MARKS)
        shown = list(zip(curve.points, places, strict=True))[::every]
        marks += [_said(curve.name, point, svg.marker(*place, curve.index)) for point, place in shown]
    if chosen is not None:
        marks += _ring(plane, *chosen, [plane.place(*point) for curve in series for point in curve.points])
    spoken = "; ".join(_spoken(curve) for curve in series)
    return plane.draw(f"{description}: {spoken}", marks)


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, x: float, y: float) -> _Box:
        return cls(x - 5, y - 5, x + 5, y + 5)

    def overlaps(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def _beside(plane: Plane, place: tuple[float, float], name: str, taken: list[_Box]) -> str | None:
    """The name at the first of some places around its mark that is free, which it then takes."""
    x, y = place
    short = svg.shorten(name, 120)
    width = svg.text_width(short)
    places: Iterable[tuple[float, float, str]] = (
        (x + 8, y + 4, "start"),
        (x - 8, y + 4, "end"),
        (x, y - 8, "middle"),
        (x, y + 17, "middle"),
        (x + 6, y - 7, "start"),
        (x + 6, y + 15, "start"),
        (x - 6, y - 7, "end"),
        (x - 6, y + 15, "end"),
    )
    for at, base, anchor in places:
        left = at - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        box = _Box(left, base - 10, left + width, base + 3)
        inside = plane.across.start < left and box.right <= WIDTH and box.bottom < plane.up.start
        if inside and not any(box.overlaps(other) for other in taken):
            taken.append(box)
            return label(at, base, short, anchor=anchor, class_="name")
    return None


def _dot(x: float, y: float, count: int) -> str:
    radius = min(2.2 * math.sqrt(count), 9.0)
    arc = f"a{number(radius)} {number(radius)} 0 1 0 "
    return f"M{number(x - radius)} {number(y)}{arc}{number(2 * radius)} 0{arc}{number(-2 * radius)} 0z"


def _line(plane: Plane, line: Line | None, xs: Sequence[float]) -> list[str]:
    inside = _clipped(line, min(xs), max(xs), plane.up) if line and xs else []
    return [element("path", d=_path([plane.place(x, y) for x, y in inside]), class_="fit")] if inside else []


def _clipped(line: Line, start: float, end: float, up: Scale) -> list[tuple[float, float]]:
    """The ends of the line's part inside the plot; a scale would bend what lies outside."""
    if line.slope:
        crossings = sorted((edge - line.intercept) / line.slope for edge in (up.low, up.high))
        start, end = max(start, crossings[0]), min(end, crossings[1])
    elif not up.low <= line.intercept <= up.high:
        return []
    return [(x, line.intercept + line.slope * x) for x in (start, end)] if start < end else []


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in places)


def _band(plane: Plane, curve: Curve) -> str:
    lower = [plane.place(x, low) for (x, _), (low, _) in zip(curve.points, curve.band, strict=True)]
    upper = [plane.place(x, high) for (x, _), (_, high) in zip(curve.points, curve.band, strict=True)]
    return element("path", d=_path([*lower, *reversed(upper)]) + "z", class_=f"band {svg.system_class(curve.index)}")


def _said(name: str, point: tuple[float, float], mark: str) -> str:
    return element("g", element("title", escape(f"{name}: {point[0]:g}, {names.show(point[1])}")), mark)


def _level(plane: Plane, name: str, value: float) -> list[str]:
    y = plane.up(value)
    path = f"M{number(plane.across.start)} {number(y)}H{number(plane.across.end)}"
    return [
        element("path", d=path, class_="reference"),
        label(plane.across.end - 2, y - 4, name, anchor="end", class_="tick name"),
    ]


def _ring(plane: Plane, name: str, x: float, y: float, places: Sequence[tuple[float, float]]) -> list[str]:
    """A ring, and its name at the foot of the plot, or at its head where points of curves are at the foot."""
    across, up = plane.place(x, y)
    foot, head = plane.up.start, plane.up.end
    room_left, room_right = across - plane.across.start, plane.across.end - across
    side, anchor = (6, "start") if room_right >= room_left else (-6, "end")
    short = svg.shorten(name, max(room_left, room_right))
    reach = across + math.copysign(svg.text_width(short), side)
    below = [place for place in places if min(across, reach) - 20 <= place[0] <= max(across, reach) + 20]
    at_foot = all(foot - place[1] > 30 for place in below)
    line = (up + 9, foot) if at_foot else (up - 9, head)
    return [
        element("path", d=f"M{number(across)} {number(line[0])}V{number(line[1])}", class_="reference"),
        element("circle", cx=across, cy=up, r=9.0, class_="ring"),
        label(across + side, foot - 8 if at_foot else head + 14, short, anchor=anchor, class_="name strong"),
    ]


def _spoken(curve: Curve) -> str:
    """The ends of a curve say where it goes; the rest is in the table."""
    (first, low), (last, high) = curve.points[0], curve.points[-1]
    if len(curve.points) == 1:
        return f"{curve.name} {names.show(low)} at {first:g}"
    return f"{curve.name} from {names.show(low)} at {first:g} to {names.show(high)} at {last:g}"
