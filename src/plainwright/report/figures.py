"""What a page is made of: drawings with a title, grouped to charts, their numbers as a table, and heat maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

__all__ = ["Chart", "HeatCell", "HeatMap", "Panel", "Part", "Section", "Square", "Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a chart; the first column heads its row."""

    kind: ClassVar[str] = "table"

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> frozenset[int]:
        """Columns of words, which begin at the left; numbers end at the right."""
        columns = enumerate(zip(*self.rows, strict=True))
        return frozenset(place for place, cells in columns if all(cell[:1].isalpha() or cell == "–" for cell in cells))


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing of a chart; `system` is set where the panel belongs to one system."""

    title: str
    drawing: str
    system: int | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Groups panels under a title, with what they show and a sentence on how to read them."""

    kind: ClassVar[str] = "chart"

    key: str
    title: str
    reading: str
    panels: tuple[Panel, ...]
    table: Table
    secondary: bool = False  # folded away until asked for
    table_open: bool = False  # the table says more than the drawings
    findings: tuple[str, ...] = ()  # what the numbers say, in plain words
    legend: tuple[tuple[int, str], ...] = ()  # the mark of each name, where the drawings do not say it


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One cell of a heat map: its text says all, the shade (0 none … 3 darkest) only helps to find it."""

    text: str
    shade: int = 0
    note: str = ""  # shown on pointing at it, and read aloud
    detail: str = ""  # in small letters below


@dataclass(frozen=True, slots=True)
class Square:
    """Sets names against the same names; a table, so that it can be read aloud and copied as it is."""

    caption: str
    names: tuple[str, ...]
    cells: tuple[tuple[HeatCell, ...], ...]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Groups squares that are read alike, and says what their shades mean."""

    kind: ClassVar[str] = "heat map"

    title: str
    reading: str
    squares: tuple[Square, ...]
    key: tuple[tuple[int, str], ...] = ()


Part = Chart | Table | HeatMap


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Answers one question of a page: a sentence on what the numbers say, then the numbers; or why there are none."""

    key: str = ""
    title: str = ""
    findings: tuple[str, ...] = ()
    reading: str = ""  # how to read all of its charts
    parts: tuple[Part, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # how it was computed, and what that assumes
    notes_title: str = "How this was computed"
    problem: str = ""
