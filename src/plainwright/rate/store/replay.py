"""The log page by page, with what the page showed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
from sqlalchemy import Column, Connection, select
from sqlalchemy.exc import NoResultFound

from plainwright.errors import DataError
from plainwright.rate.material import UnitView
from plainwright.rate.store.history import Kept, history
from plainwright.rate.store.schema import assignments, raters
from plainwright.rate.store.studies import load_unit

__all__ = ["PageLog", "page_logs", "shown_unit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLog:
    """What one rater did on one page."""

    rater: str  # the public id
    assignment: str  # the public id
    place: int
    repeat: bool
    state: str
    unit: UnitView
    events: list[Kept]


def page_logs(connection: Connection, *, assignment: str | None = None, rater: str | None = None) -> Iterator[PageLog]:
    """Of all raters in the order in which they came, or of one, or of one page."""
    query = (
        select(assignments, raters.c.public.label("rater_public"))
        .join(raters, raters.c.id == assignments.c.rater)
        .order_by(assignments.c.rater, assignments.c.place)
    )
    for kind, table, wanted in (("assignment", assignments, assignment), ("rater", raters, rater)):
        if wanted is not None:
            _check_known(connection, kind, table.c.public, wanted)
            query = query.where(table.c.public == wanted)
    for row in connection.execute(query).all():
        yield PageLog(
            rater=row.rater_public,
            assignment=row.public,
            place=row.place,
            repeat=row.repeat,
            state=row.state,
            unit=shown_unit(connection, row.id),
            events=history(connection, row.id),
        )


def shown_unit(connection: Connection, assignment_id: int) -> UnitView:
    """What a page showed, if the database still knows it."""
    try:
        return load_unit(connection, assignment_id)
    except (LookupError, ValueError, TypeError, NoResultFound, msgspec.DecodeError):
        msg = f"assignment number {assignment_id}: the outputs that it shows are not all there; the database is damaged"
        raise DataError(msg) from None


def _check_known(connection: Connection, kind: str, public: Column[str], wanted: str) -> None:
    if connection.execute(select(public).where(public == wanted)).first() is None:
        way_out = "status` shows the raters" if kind == "rater" else "replay` without it shows all pages"
        msg = f"no {kind} {wanted!r:.60} in this study; `plainwright rate {way_out}"
        raise DataError(msg)
