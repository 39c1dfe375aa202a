"""The log: what raters did, kept for good. Appending, and what it adds up to.

Events are checked by playing them on the page that they were made on, so nothing that makes no sense gets into the
log. The page is kept in memory for the next batch; the database alone would do, only more slowly.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, LargeBinary, bindparam, cast, func, insert, select, update

from plainwright.errors import ClosedError, RefusedError, StaleError
from plainwright.rate.events import Batch, Finish, Sent
from plainwright.rate.forms.answers import Work
from plainwright.rate.forms.page import Page
from plainwright.rate.store.audit import audit
from plainwright.rate.store.history import Kept, digest_of, encode_event, first_digest, history
from plainwright.rate.store.schema import assignments, events, raters, study
from plainwright.rate.store.studies import load_settings, load_unit

__all__ = ["Kept", "append", "audit", "history", "work_of"]

_PAGES_IN_MEMORY = 1024
# Of one page, for a program could fill the disk; a rater at work makes some hundreds of events of some 100 bytes.
_MOST_EVENTS = 20_000
_MOST_BYTES = 4 * 1024 * 1024
# Seconds that a rater's clock is believed to be wrong: time zones differ from UTC by up to 14 hours.
_WRONG_CLOCK = 24 * 3600.0
_FEW = 64  # events whose bytes nobody needs to add up: a request has 64 KiB at most

# Made once: to put a statement together takes SQLAlchemy longer than to run it.
_PLACE = (
    select(
        *(assignments.c[name] for name in ("id", "public", "rater", "unit", "repeat")),
        *(assignments.c[name] for name in ("version", "state", "assigned", "finished")),
        raters.c.left,
        study.c.open.label("study_open"),
        events.c.digest,
    )
    .select_from(assignments)
    .join(raters, raters.c.id == assignments.c.rater)
    .join(study, study.c.id == 1)
    .outerjoin(events, (events.c.assignment == assignments.c.id) & (events.c.number == assignments.c.version))
    .where(assignments.c.id == bindparam("assignment_id"))
)
_SAME_KEYS = select(events.c.key, events.c.assignment, events.c.number, events.c.body).where(
    events.c.rater == bindparam("rater_id"), events.c.key.in_(bindparam("keys", expanding=True))
)
_SIZES: dict[str, ColumnElement[int]] = {
    "sqlite": func.length(cast(events.c.body, LargeBinary)),
    "postgresql": func.octet_length(events.c.body),
}
_BYTES = {
    dialect: select(func.coalesce(func.sum(size), 0)).where(events.c.assignment == bindparam("assignment_id"))
    for dialect, size in _SIZES.items()
}
_EVENTS = insert(events)
_PROGRESS = (
    update(assignments)
    .where(assignments.c.id == bindparam("assignment_id"))
    .values({name: bindparam(name) for name in ("version", "touched", "state", "finished")})
)


def append(connection: Connection, assignment_id: int, batch: Batch, now: float) -> Work:
    """Keep what a page sent, all of it or nothing, and say how the page stands now.

    Events that are kept already are skipped: whoever heard no answer may send them again. ClosedError if the page
    takes no more events, StaleError if it has events that the sender does not know, RefusedError if one makes no sense.
    """
    place = _find(connection, assignment_id)
    new = _new_events(connection, place, batch)
    if not new:
        return _page(connection, place).work
    _check_open(place)
    full = _is_full(connection, place, new)
    page = _page(connection, place)
    times = [_time_of(sent, place, now) for sent in new]
    for sent, time in zip(new, times, strict=True):
        after = page.apply(sent.event, time, now - place.assigned)
        if full:
            _check_ending(page, after)
        page = after
    digest = _insert(connection, place, new, times, now)
    _update(connection, place, page, new, now)
    _pages.keep(connection.engine.url.database, assignment_id, digest, page)
    return page.work


def work_of(connection: Connection, assignment_id: int) -> Work:
    """How a page stands."""
    return _page(connection, _find(connection, assignment_id)).work


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the next event goes."""

    assignment: int
    rater: int
    version: int
    state: str
    assigned: float
    finished: float | None
    left: bool  # the rater has
    open: bool  # the study is
    digest: str  # of the last event, or the first of the chain


def _find(connection: Connection, assignment_id: int) -> _Place:
    row = connection.execute(_PLACE, {"assignment_id": assignment_id}).one_or_none()
    if row is None:
        msg = "this page is not there any more"
        raise ClosedError(msg)
    return _Place(
        assignment=row.id,
        rater=row.rater,
        version=row.version,
        state=row.state,
        assigned=row.assigned,
        finished=row.finished,
        left=row.left is not None,
        open=row.study_open,
        digest=row.digest or _first(connection, row),
    )


def _first(connection: Connection, row: Any) -> str:
    shown = load_unit(connection, row.id)
    return first_digest(public=row.public, rater=row.rater, unit=row.unit, repeat=row.repeat, shown=shown)


def _new_events(connection: Connection, place: _Place, batch: Batch) -> list[Sent]:
    """What is not in the log yet; it must follow right on what is."""
    rows = connection.execute(_SAME_KEYS, {"rater_id": place.rater, "keys": [sent.key for sent in batch.events]})
    known = {row.key: row for row in rows}
    new: dict[str, Sent] = {}
    for sent in batch.events:
        if sent.key in known:
            _check_same(place, sent, known[sent.key])
        elif new.setdefault(sent.key, sent).event != sent.event:
            raise RefusedError(_used(sent.key))
    since = sum(row.number > batch.base for row in known.values())
    if new and batch.base + since != place.version:
        msg = "this page was changed in another tab or on another device; here is how it stands now"
        raise StaleError(msg)
    return list(new.values())


def _check_same(place: _Place, sent: Sent, row: Any) -> None:
    if row.assignment != place.assignment or row.body != encode_event(sent.event):
        raise RefusedError(_used(sent.key))


def _used(key: str) -> str:
    return f"the key {key!r} was used for another event; each event needs one of its own"


def _check_open(place: _Place) -> None:
    if place.left:
        msg = "you have left this study; nothing more is kept"
    elif not place.open:
        msg = "this study is closed; nothing more is kept"
    elif place.state == "released":
        msg = "this page was idle for so long that it may have gone to somebody else; go on with the next one"
    else:
        return
    raise ClosedError(msg)


def _is_full(connection: Connection, place: _Place, new: Sequence[Sent]) -> bool:
    if place.version + len(new) > _MOST_EVENTS:
        return True
    if place.version <= _FEW:
        return False
    size: int = connection.execute(_BYTES[connection.dialect.name], {"assignment_id": place.assignment}).scalar_one()
    return size > _MOST_BYTES


def _check_ending(page: Page, after: Page) -> None:
    """Of a full page, only what leads to its end is taken: answers that are missing, and the finish."""
    if not (after.finished or len(after.work.missing) < len(page.work.missing)):
        msg = f"this page has had {page.version} events and takes no more changes; answer what is missing and finish it"
        raise RefusedError(msg)


def _insert(connection: Connection, place: _Place, new: Sequence[Sent], times: Sequence[float], now: float) -> str:
    """The digest of the last one."""
    digest = place.digest
    rows = []
    for number, (sent, time) in enumerate(zip(new, times, strict=True), start=place.version + 1):
        row = {"number": number, "key": sent.key, "body": encode_event(sent.event), "sent": time, "at": now}
        digest = digest_of(digest, **row)  # type: ignore[arg-type]
        rows.append({"assignment": place.assignment, "rater": place.rater, **row, "digest": digest})
    connection.execute(_EVENTS, rows)
    return digest


def _update(connection: Connection, place: _Place, page: Page, new: Sequence[Sent], now: float) -> None:
    """Repeat in the assignment what the log says about it."""
    finished = None
    if page.finished:
        finished = now if any(isinstance(sent.event, Finish) for sent in new) else place.finished
    state = "finished" if page.finished else "open"
    values = {"version": page.version, "touched": now, "state": state, "finished": finished}
    connection.execute(_PROGRESS, {"assignment_id": place.assignment, **values})


def _time_of(sent: Sent, place: _Place, now: float) -> float:
    """By the rater's clock, unless nothing can have happened then: before the page was handed out, or after now."""
    time = sent.at / 1000
    return time if place.assigned - _WRONG_CLOCK <= time <= now + _WRONG_CLOCK else now


def _page(connection: Connection, place: _Place) -> Page:
    database = connection.engine.url.database
    page = _pages.find(database, place.assignment, place.digest)
    if page is None:
        page = Page.start(load_unit(connection, place.assignment), load_settings(connection))
        for kept in history(connection, place.assignment):
            page = page.apply(kept.event, kept.sent, kept.at - place.assigned)
        _pages.keep(database, place.assignment, place.digest, page)
    return page


class _Pages:
    """The latest page of each assignment, as far as they fit.

    A page is found by the digest of its last event, which no other history has: one that was made in a transaction
    that failed is never taken for what came in its place.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._pages: OrderedDict[tuple[str | None, int], tuple[str, Page]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, database: str | None, assignment: int, digest: str) -> Page | None:
        with self._lock:
            known = self._pages.get((database, assignment))
        return known[1] if known and known[0] == digest else None

    def keep(self, database: str | None, assignment: int, digest: str, page: Page) -> None:
        with self._lock:
            self._pages[database, assignment] = digest, page
            self._pages.move_to_end((database, assignment))
            if len(self._pages) > self._size:
                self._pages.popitem(last=False)


_pages = _Pages(_PAGES_IN_MEMORY)
