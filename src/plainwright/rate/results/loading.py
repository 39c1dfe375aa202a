"""Finished pages from a database, played again from the log.

A page that was reopened and not finished again is not finished. A rater who left keeps what was finished; one who asked
to be erased is not in the database any more. What a page added up to is kept in memory, found by the digest of its
last event: looking at a running study again plays only what is new.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import URL, Connection, select

from plainwright.rate.forms.answers import Work
from plainwright.rate.forms.page import Page
from plainwright.rate.forms.registry import form_of
from plainwright.rate.identical import Identical, identical_outputs
from plainwright.rate.material import CardView, UnitView
from plainwright.rate.results.record import RatedCard, RatedPage, Record
from plainwright.rate.settings import Settings
from plainwright.rate.simpeval import key_of_import
from plainwright.rate.store.history import decode_event
from plainwright.rate.store.schema import assignments, events, raters, units
from plainwright.rate.store.studies import StoredCard, StoredItem, load_items, load_settings

__all__ = ["load_record"]

_PAGES_IN_MEMORY = 50_000
_AT_ONCE = 500  # assignments asked for in one question; SQLite takes some thousands

_first = events.alias("first_events")
_FINISHED = (
    select(
        *(assignments.c[name] for name in ("id", "place", "order", "repeat", "version", "assigned", "finished")),
        units.c.item,
        units.c.training,
        raters.c.public,
        events.c.digest,
        _first.c.key.label("first_key"),
        _first.c.at.label("first_at"),
    )
    .join(units, units.c.id == assignments.c.unit)
    .join(raters, raters.c.id == assignments.c.rater)
    .join(events, (events.c.assignment == assignments.c.id) & (events.c.number == assignments.c.version))
    .join(_first, (_first.c.assignment == assignments.c.id) & (_first.c.number == 1))
    .where(assignments.c.state == "finished")
    .order_by(assignments.c.id)
)


def load_record(connection: Connection) -> Record:
    """All finished pages of a study, in the order in which they were given out."""
    settings = load_settings(connection)
    material = load_items(connection)
    items = {item.id: (place, item) for place, item in enumerate(material)}
    cards = {stored.id: (place, stored) for place, stored in enumerate(_all_cards(material))}
    rows = connection.execute(_FINISHED).all()
    orders = {row.id: json.loads(row.order) for row in rows}
    views = {row.id: _view(items[row.item][1], [cards[card][1] for card in orders[row.id]]) for row in rows}
    works = _works(connection, settings, rows, views)
    pages = tuple(
        RatedPage(
            number=row.id,
            rater=row.public,
            item=items[row.item][1].name,
            item_number=items[row.item][0],
            source=items[row.item][1].source,
            place=row.place,
            cards=tuple(_rated_card(*cards[card]) for card in orders[row.id]),
            work=works[row.id],
            finished=row.finished,
            repeat=row.repeat,
            training=row.training,
            imported=_is_imported(row),
        )
        for row in rows
    )
    return Record(settings=settings, pages=pages, identical=_identical(settings, material))


def _identical(settings: Settings, material: Iterable[StoredItem]) -> Identical | None:
    if not form_of(settings).compares:
        return None
    return identical_outputs([stored.card for stored in item.cards] for item in material if not item.training)


def _is_imported(row: Any) -> bool:
    """Whether the page was filled the moment it was made: a rater could choose the key, but not our clock as well."""
    return bool(row.first_key == key_of_import(row.id, 0) and row.first_at == row.assigned)


def _all_cards(material: Iterable[StoredItem]) -> Iterable[StoredCard]:
    return (card for item in material for card in item.cards)


def _view(item: StoredItem, cards: Sequence[StoredCard]) -> UnitView:
    """What the rater saw."""
    shown = (
        CardView(id=stored.public, text=stored.card.text, group=stored.card.group, edits=stored.card.edits)
        for stored in cards
    )
    return UnitView(source=item.source, cards=tuple(shown))


def _rated_card(number: int, stored: StoredCard) -> RatedCard:
    card = stored.card
    return RatedCard(number=number, id=stored.public, text=card.text, candidates=card.candidates, group=card.group)


def _works(
    connection: Connection, settings: Settings, rows: Sequence[Any], views: Mapping[int, UnitView]
) -> dict[int, Work]:
    """What each page adds up to, by assignment."""
    database = connection.engine.url
    works = {row.id: work for row in rows if (work := _memory.find(database, row.id, row.digest)) is not None}
    digests = {row.id: row.digest for row in rows if row.id not in works}
    new = list(digests)
    for first in range(0, len(new), _AT_ONCE):
        for assignment, work in _played(connection, settings, new[first : first + _AT_ONCE], views):
            works[assignment] = work
            _memory.keep(database, assignment, digests[assignment], work)
    return works


def _played(
    connection: Connection, settings: Settings, wanted: Sequence[int], views: Mapping[int, UnitView]
) -> Iterable[tuple[int, Work]]:
    log = (
        select(events.c.assignment, events.c.body, events.c.sent, (events.c.at - assignments.c.assigned).label("most"))
        .join(assignments, assignments.c.id == events.c.assignment)
        .where(events.c.assignment.in_(wanted))
        .order_by(events.c.assignment, events.c.number)
    )
    for assignment, kept in groupby(connection.execute(log), key=lambda row: row.assignment):
        page = Page.start(views[assignment], settings)
        for row in kept:
            page = page.apply(decode_event(row.body), row.sent, row.most)
        yield assignment, page.work


class _Memory:
    """What pages added up to; the oldest are forgotten first."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._works: dict[tuple[URL, int], tuple[str, Work]] = {}
        self._lock = threading.Lock()

    def find(self, database: URL, assignment: int, digest: str) -> Work | None:
        with self._lock:
            known = self._works.get((database, assignment))
        return known[1] if known and known[0] == digest else None

    def keep(self, database: URL, assignment: int, digest: str, work: Work) -> None:
        with self._lock:
            self._works.pop((database, assignment), None)
            self._works[database, assignment] = digest, work
            if len(self._works) > self._size:
                del self._works[next(iter(self._works))]


_memory = _Memory(_PAGES_IN_MEMORY)
