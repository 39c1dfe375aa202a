"""How a table says who judged what: the long table, and the contract that published layouts follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plainwright.study.ratings import cells
from plainwright.study.ratings.raw import RawRow, RawTable
from plainwright.study.ratings.table import Rating

__all__ = ["COLUMNS", "LONG", "Layout", "Placed"]

# A rating and the row that it came from.
Placed = tuple[RawRow, Rating]

# Of the long table, in the order in which they are written.
COLUMNS = ("item", "source", "system", "output", "rater", "aspect", "scale", "score", "z", "order", "time")
_NEEDED = ("item", "system", "rater", "aspect", "score")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Describes a kind of table: the columns that it is known by, and how its rows become ratings."""

    name: str
    title: str
    columns: tuple[str, ...]
    ratings: Callable[[RawTable], Iterator[Placed]]


def _long(table: RawTable) -> Iterator[Placed]:
    for row in table.rows:
        item, system, rater, aspect = (cells.name_in(table, row, column) for column in _NEEDED[:4])
        yield (
            row,
            Rating(
                item=item,
                system=system,
                rater=rater,
                aspect=aspect,
                score=cells.number_in(table, row, "score"),
                z=cells.optional_number(table, row, "z"),
                scale=cells.scale_in(table, row),
                source=cells.optional_text(table, row, "source"),
                output=cells.optional_text(table, row, "output"),
                order=cells.order_in(table, row),
                time=cells.time_in(table, row),
            ),
        )


LONG = Layout(name="long", title="one row a judgement", columns=_NEEDED, ratings=_long)
