"""What a rater has finished, to go back to, and whether more may come."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, select

from plainwright.rate.store.schema import assignments, items, units

__all__ = ["FinishedPage", "finished_pages", "others_at_work"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedPage:
    """One line of the list."""

    public: str
    place: int
    source: str
    finished: float


def finished_pages(connection: Connection, rater_id: int) -> list[FinishedPage]:
    """The finished pages of a rater, the latest first, without training.

    What is open for a second time is left out: the first answers would be an invitation to copy them.
    """
    mine = assignments.c.rater == rater_id
    again = select(assignments.c.unit).where(mine, assignments.c.state == "open")
    rows = connection.execute(
        select(assignments.c.public, assignments.c.place, assignments.c.finished, items.c.source)
        .join(units, units.c.id == assignments.c.unit)
        .join(items, items.c.id == units.c.item)
        .where(mine, assignments.c.state == "finished", ~units.c.training, assignments.c.unit.not_in(again))
        .order_by(assignments.c.place.desc())
    )
    return [FinishedPage(public=row.public, place=row.place, source=row.source, finished=row.finished) for row in rows]


def others_at_work(connection: Connection, rater_id: int) -> bool:
    """Whether somebody else has a page open that could still come to this rater, should they stop."""
    had = select(assignments.c.unit).where(assignments.c.rater == rater_id)
    open_elsewhere = (
        select(assignments.c.id)
        .join(units, units.c.id == assignments.c.unit)
        .where(assignments.c.state == "open", ~assignments.c.repeat, ~units.c.training, assignments.c.unit.not_in(had))
        .limit(1)
    )
    return connection.execute(open_elsewhere).first() is not None
