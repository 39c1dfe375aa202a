"""The few SVG shapes the charts need.

Colours never appear here: an element names a class, and the style sheet gives it a colour for light, dark and
paper. Every function returns markup; only `label` takes text, and escapes it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

__all__ = [
    "COLOURS",
    "MARKERS",
    "Scale",
    "element",
    "label",
    "marker",
    "number",
    "shorten",
    "system_class",
    "text_width",
]

# Of letters that are much narrower or wider than others.
_WIDTHS = {**dict.fromkeys("ijlI.,:;'|! ()[]", 4.0), **dict.fromkeys("frt-", 5.2), **dict.fromkeys("mwMW@%+", 11.0)}

COLOURS = 10  # classes s0 … s9 in page.css

# Paths relative to their centre, about 9 units across. Nine of them against ten colours: 90 systems differ.
MARKERS = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",  # circle
    "m-3.6-3.6h7.2v7.2h-7.2z",  # square
    "m0-4.8l4.6 8h-9.2z",  # triangle
    "m0-5.2l5.2 5.2l-5.2 5.2l-5.2-5.2z",  # diamond
    "m0 4.8l4.6-8h-9.2z",  # triangle, point down
    "m-1.6-4.6h3.2v3h3v3.2h-3v3h-3.2v-3h-3v-3.2h3z",  # plus
    "m-4.8 0l8-4.6v9.2z",  # triangle, point left
    "m-2-4l2 2l2-2l2 2l-2 2l2 2l-2 2l-2-2l-2 2l-2-2l2-2l-2-2z",  # cross
    "m-2.4-4.2h4.8l2.4 4.2l-2.4 4.2h-4.8l-2.4-4.2z",  # hexagon
)


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values linearly to pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return where `value` falls; values outside the domain stay at its edge."""
        inside = min(max(value, self.low), self.high)
        return self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start)

    @classmethod
    def around(cls, values: Sequence[float], start: float, end: float, *, zero: bool = False) -> Scale:
        """Return a scale that holds all values with a little room, and zero if asked."""
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        if zero:
            low, high = min(low, 0.0), max(high, 0.0)
        room = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
        from_zero, to_zero = zero and low == 0, zero and high == 0 > low
        return cls(low if from_zero else low - room, high if to_zero else high + room, start, end)

    def step(self, wanted: int) -> float:
        """Return the round width that cuts the domain into at most about as many pieces as wanted."""
        rough = (self.high - self.low) / wanted
        magnitude = 10.0 ** math.floor(math.log10(rough))
        return next(magnitude * factor for factor in (1, 2, 5, 10) if magnitude * factor >= rough * 0.999)

    def ticks(self, wanted: int = 4, *, whole: bool = False) -> list[float]:
        """Return round values inside the domain, about as many as wanted; whole ones if asked.

        Never a single one where two fit: one number does not make a scale.
        """
        magnitude = 10.0 ** math.floor(math.log10((self.high - self.low) / wanted))
        steps = [magnitude * factor for factor in (1, 2, 5, 10)]
        found = [self._multiples(max(step, 1.0) if whole else step) for step in steps]
        return min(found, key=lambda ticks: (len(ticks) < 2, abs(len(ticks) - wanted), len(ticks)))

    def _multiples(self, step: float) -> list[float]:
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(index * step, 12) + 0.0 for index in range(first, last + 1)]


def number(value: float) -> str:
    """Return a coordinate with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(tag: str, *children: str, **attributes: str | float) -> str:
    """One element; `class_` and the like lose the underscore, other underscores become hyphens."""
    pairs = ""
    for name, value in attributes.items():
        text = escape(value) if isinstance(value, str) else number(value)
        pairs += f' {name.rstrip("_").replace("_", "-")}="{text}"'
    return f"<{tag}{pairs}>{''.join(children)}</{tag}>" if children else f"<{tag}{pairs}/>"


def label(x: float, y: float, text: str, *, anchor: str = "start", class_: str = "") -> str:
    """Return a piece of text."""
    attributes: dict[str, str | float] = {"x": x, "y": y}
    if anchor != "start":
        attributes["text_anchor"] = anchor
    if class_:
        attributes["class_"] = class_
    return element("text", escape(text), **attributes)


def text_width(text: str) -> float:
    """Estimate how wide text is at 12 px, in a wide font."""
    return sum(_WIDTHS.get(letter, 8.6 if letter.isupper() else 7.6) for letter in text)


def shorten(text: str, width: float) -> str:
    """Cut text to what fits into `width` pixels at 12 px; the middle goes: file names differ at the ends."""
    room = max(4, int(width / 6.6))
    if len(text) <= room:
        return text
    head = (room - 1) * 2 // 3
    return f"{text[:head].rstrip('._- ')}…{text[head + 1 - room :].lstrip('._- ')}"


def marker(x: float, y: float, index: int) -> str:
    """Return the mark of system number `index`."""
    return element(
        "path",
        d=f"M{number(x)} {number(y)}{MARKERS[index % len(MARKERS)]}",
        class_=f"mark {system_class(index)}",
    )


def system_class(index: int) -> str:
    """Return the class that carries the colour of system number `index`."""
    return f"s{index % COLOURS}"
