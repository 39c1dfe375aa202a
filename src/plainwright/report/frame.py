"""What the drawings share: their size, names at the left of rows, grids, and a plane with two labelled axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from plainwright.report import svg
from plainwright.report.svg import Scale, element, label, number

__all__ = ["AXIS", "WIDTH", "Plane", "drawing", "grid", "gutter", "row_name", "tick_text"]

WIDTH = 340.0  # about that of a phone, so that text keeps one size from a phone to a wide screen
AXIS = 24.0  # height of the tick labels below a plot

_TOP = 24.0  # room for the title of the upward axis
_BOTTOM = 42.0  # tick labels and the title of the axis across


def drawing(width: float, height: float, description: str, marks: Sequence[str]) -> str:
    """Return the whole drawing, described in words for those who cannot see it."""
    size = f"0 0 {number(width)} {number(height)}"
    return element("svg", *marks, viewBox=size, width=width, height=height, role="img", aria_label=description)


def gutter(labels: Iterable[str]) -> float:
    """Return the width that the names at the left of rows take."""
    return min(148.0, max(len(text) for text in labels) * 6.6 + 16)


def row_name(name: str, width: float, y: float) -> str:
    """The name of a row, cut where it is too long; the whole is then shown on pointing at it."""
    short = svg.shorten(name, width - 12)
    text = label(width - 10, y + 4, short, anchor="end")
    return text if short == name else element("g", element("title", escape(name)), text)


def grid(scale: Scale, top: float, bottom: float, wanted: int = 4, *, whole: bool = False) -> list[str]:
    """Draw vertical lines at round values, with their numbers below."""
    ticks = scale.ticks(wanted, whole=whole)
    lines = "".join(f"M{number(scale(tick))} {number(top)}V{number(bottom)}" for tick in ticks)
    texts = [label(scale(tick), bottom + 15, tick_text(tick), anchor="middle", class_="tick") for tick in ticks]
    return [element("path", d=lines, class_="grid"), *texts]


def tick_text(value: float) -> str:
    """Return the number beside a tick, with a true minus sign."""
    return f"{value:g}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Plane:
    """Two axes; the titles lie flat above and below the plot, where they can be read without turning the head."""

    across: Scale
    up: Scale
    counts: bool = False  # what runs across is counted, so halves mean nothing

    @classmethod
    def around(
        cls,
        xs: Sequence[float],
        ys: Sequence[float],
        *,
        height: float = 260.0,
        up_domain: tuple[float, float] | None = None,
        counts: bool = False,
    ) -> Plane:
        """Return a plane that holds all points with a little room; `up_domain` fixes the upward axis."""
        base = height - _BOTTOM
        up = Scale(*up_domain, base, _TOP) if up_domain else Scale.around(ys, base, _TOP)
        left = 12 + 6.2 * max(len(tick_text(tick)) for tick in up.ticks())
        return cls(Scale.around(xs, left, WIDTH - 12), up, counts)

    @property
    def height(self) -> float:
        """Of the whole drawing."""
        return self.up.start + _BOTTOM

    def axes(self, across: str, up: str) -> list[str]:
        """Draw the grid, tick labels and the two titles."""
        left, right, base = self.across.start, self.across.end, self.up.start
        marks = grid(self.across, self.up.end, base, 6, whole=self.counts)
        lines = "".join(f"M{number(left)} {number(self.up(tick))}H{number(right)}" for tick in self.up.ticks())
        marks.append(element("path", d=lines, class_="grid"))
        for tick in self.up.ticks():
            marks.append(label(left - 6, self.up(tick) + 4, tick_text(tick), anchor="end", class_="tick"))
        frame = f"M{number(left)} {number(self.up.end)}V{number(base)}H{number(right)}"
        room = right - left
        return [
            *marks,
            element("path", d=frame, class_="axis"),
            label(4, 13, f"↑ {svg.shorten(up, WIDTH - 24)}", class_="tick"),
            label(right, base + 33, f"{svg.shorten(across, room)} →", anchor="end", class_="tick"),
        ]

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point falls, in pixels."""
        return self.across(x), self.up(y)

    def draw(self, description: str, marks: Sequence[str]) -> str:
        """Return the whole drawing."""
        return drawing(WIDTH, self.height, description, marks)
