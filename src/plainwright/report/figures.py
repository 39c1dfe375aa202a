"""What a page is made of: drawings with a title, grouped to charts, their numbers as a table, and heat maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

__all__ = ["Chart", "HeatCell", "HeatMap", "Panel", "Part", "Section", "Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a chart; the first column heads its row."""

    kind: ClassVar[str] = "table"

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing of a chart; `system` is set where the panel belongs to one system."""

    title: str
    drawing: str
    system: int | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A titled group of panels with what they show and a sentence on how to read them."""

    kind: ClassVar[str] = "chart"

    key: str
    title: str
    reading: str
    panels: tuple[Panel, ...]
    table: Table
    secondary: bool = False  # folded away until asked for
    finding: str = ""  # what the numbers say, in plain words
    legend: tuple[tuple[int, str], ...] = ()  # the mark of each name, where the drawings do not say it


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One cell of a heat map: its text says all, the shade (0 none … 3 darkest) only helps to find it."""

    text: str
    shade: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A square of names against names; a table, so that it can be read aloud and copied as it is."""

    kind: ClassVar[str] = "heat map"

    title: str
    reading: str
    caption: str  # of the table
    names: tuple[str, ...]
    cells: tuple[tuple[HeatCell, ...], ...]
    key: tuple[tuple[int, str], ...] = ()  # what each shade means


Part = Chart | Table | HeatMap


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One question of a page: what the numbers say in a sentence, then the numbers; or why there are none."""

    key: str
    title: str
    lead: str = ""
    reading: str = ""  # how to read all of its charts
    parts: tuple[Part, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # how it was computed, and what that assumes
    problem: str = ""
