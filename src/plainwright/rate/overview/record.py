"""The pages of one rater, and the latest events of all, as lines to read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from plainwright.rate.forms.writing import reference_of
from plainwright.rate.store import log, schema
from plainwright.rate.store.history import decode_event
from plainwright.rate.store.studies import load_settings
from plainwright.rate.telling import told

__all__ = ["Entry", "PageLine", "latest_events", "pages_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLine:
    """One page of a rater."""

    place: int
    item: str
    state: str
    training: bool
    repeat: bool
    cards: int
    assigned: float
    touched: float
    finished: float | None
    seconds: float
    events: int
    contradictions: int
    comment: str
    source: str
    text: str | None  # that was written; None where raters write nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event."""

    id: int
    at: float
    rater: str
    label: str
    place: int  # of the page in the rater's sequence
    item: str
    sentence: str


def pages_of(connection: Connection, rater_id: int) -> list[PageLine]:
    """All pages that a rater was ever given, in their order."""
    table = schema.assignments
    columns = [*table.c, schema.units.c.training, schema.items.c.name.label("item"), schema.items.c.source]
    joined = table.join(schema.units, table.c.unit == schema.units.c.id).join(
        schema.items, schema.units.c.item == schema.items.c.id
    )
    query = select(*columns).select_from(joined).where(table.c.rater == rater_id).order_by(table.c.place)
    writes = load_settings(connection).writing is not None
    return [_line(connection, row, writes=writes) for row in connection.execute(query).all()]


def latest_events(
    connection: Connection, count: int, *, before: int | None = None, rater_id: int | None = None
) -> list[Entry]:
    """So many events, the latest first; of one rater, or those before an event, if wanted."""
    events, table = schema.events, schema.assignments
    columns = [
        events.c.id,
        events.c.at,
        events.c.body,
        table.c.place,
        table.c.order,
        schema.raters.c.public,
        schema.raters.c.label,
        schema.items.c.name.label("item"),
    ]
    joined = (
        events.join(table, events.c.assignment == table.c.id)
        .join(schema.raters, events.c.rater == schema.raters.c.id)
        .join(schema.units, table.c.unit == schema.units.c.id)
        .join(schema.items, schema.units.c.item == schema.items.c.id)
    )
    query = select(*columns).select_from(joined).order_by(events.c.id.desc()).limit(count)
    if before is not None:
        query = query.where(events.c.id < before)
    if rater_id is not None:
        query = query.where(events.c.rater == rater_id)
    rows = connection.execute(query).all()
    return _entries(rows, _card_ids(connection, rows))


def _line(connection: Connection, row: Row[Any], *, writes: bool) -> PageLine:
    work = log.work_of(connection, row.id)
    return PageLine(
        place=row.place,
        item=row.item,
        state=row.state,
        training=row.training,
        repeat=row.repeat,
        cards=len(json.loads(row.order)),
        assigned=row.assigned,
        touched=row.touched,
        finished=row.finished,
        seconds=work.seconds,
        events=row.version,
        contradictions=len(work.contradictions),
        comment=work.answers.comment,
        source=row.source,
        text=reference_of(work.answers, row.source) if writes else None,
    )


def _card_ids(connection: Connection, rows: Sequence[Row[Any]]) -> dict[int, str]:
    """From the ids of the database to those of pages."""
    wanted = {card for row in rows for card in json.loads(row.order)}
    query = select(schema.cards.c.id, schema.cards.c.public).where(schema.cards.c.id.in_(wanted))
    return {row.id: row.public for row in connection.execute(query)}


def _entries(rows: Sequence[Row[Any]], cards: dict[int, str]) -> list[Entry]:
    return [
        Entry(
            id=row.id,
            at=row.at,
            rater=row.public,
            label=row.label,
            place=row.place,
            item=row.item,
            sentence=told(decode_event(row.body), [cards[card] for card in json.loads(row.order)]),
        )
        for row in rows
    ]
