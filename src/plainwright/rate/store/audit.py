"""Is the log what it was when it was written? Every chain of digests is checked and every page played again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, func, select, text
from sqlalchemy.exc import NoResultFound

from plainwright.errors import RefusedError
from plainwright.rate.events import Finish
from plainwright.rate.forms.page import Page
from plainwright.rate.settings import Settings
from plainwright.rate.store.history import decode_event, digest_of, first_digest
from plainwright.rate.store.schema import assignments, events, raters
from plainwright.rate.store.studies import load_settings, load_unit

__all__ = ["TRIGGERS", "LogSize", "audit", "log_digest", "log_size"]

TRIGGERS = {
    "sqlite": ("events_kept", "events_never_changed"),
    "postgresql": ("events_kept", "events_never_changed", "events_not_truncated"),
}
_TRIGGERS_THERE = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE tgrelid = 'events'::regclass AND tgenabled <> 'D'",
}


@dataclass(frozen=True, slots=True)
class LogSize:
    """Of a log."""

    pages: int
    events: int


def audit(connection: Connection) -> list[str]:
    """What is wrong with the log, a sentence each; none: it is sound."""
    return [*_damage(connection), *_guards(connection), *_strays(connection), *_pages(connection)]


def log_digest(connection: Connection) -> str:
    """One digest for the whole log: write it down, and any later change of the past can be seen."""
    last = (
        select(events.c.assignment, func.max(events.c.number).label("number")).group_by(events.c.assignment).subquery()
    )
    ends = (
        select(assignments.c.public, events.c.number, events.c.digest)
        .join(last, (last.c.assignment == events.c.assignment) & (last.c.number == events.c.number))
        .join(assignments, assignments.c.id == events.c.assignment)
        .order_by(assignments.c.id)
    )
    whole = hashlib.sha256()
    for row in connection.execute(ends):
        whole.update(msgspec.json.encode(tuple(row)))
    return whole.hexdigest()


def log_size(connection: Connection) -> LogSize:
    """How much there is of it."""
    pages, number = (select(func.count()).select_from(table).scalar_subquery() for table in (assignments, events))
    return LogSize(*connection.execute(select(pages, number)).one())


def _damage(connection: Connection) -> Iterator[str]:
    if connection.dialect.name != "sqlite":
        return
    for check in ("quick_check", "foreign_key_check"):
        found = [row for row in connection.execute(text(f"PRAGMA {check}")) if tuple(row) != ("ok",)]
        if found:
            first = ", ".join(str(value) for value in found[0])
            yield f"the file is damaged: SQLite's {check} found {len(found)} problems, the first: {first}"


def _guards(connection: Connection) -> Iterator[str]:
    there = set(connection.execute(text(_TRIGGERS_THERE[connection.dialect.name])).scalars())
    for name in TRIGGERS[connection.dialect.name]:
        if name not in there:
            yield f"the trigger {name}, which keeps the log from being changed, is gone"


def _strays(connection: Connection) -> Iterator[str]:
    """Events that belong nowhere."""
    unknown = select(func.count()).where(events.c.assignment.not_in(select(assignments.c.id)))
    if number := connection.execute(unknown).scalar_one():
        yield f"{number} events belong to no assignment"
    others = (
        select(func.count())
        .select_from(events.join(assignments, assignments.c.id == events.c.assignment))
        .where(events.c.rater != assignments.c.rater)
    )
    if number := connection.execute(others).scalar_one():
        yield f"{number} events belong to another rater than their assignment does"
    erased = select(func.count()).select_from(events.join(raters)).where(raters.c.removed.is_not(None))
    if number := connection.execute(erased).scalar_one():
        yield f"{number} events are left of raters whose data were erased"


def _pages(connection: Connection) -> Iterator[str]:
    """Page by page, so that a log of any length fits into memory."""
    settings: Settings | None = None
    columns = (events.c.number, events.c.key, events.c.body, events.c.sent, events.c.at, events.c.digest)
    query = (
        select(assignments, *(column.label(f"event_{column.name}") for column in columns))
        .select_from(assignments.outerjoin(events, events.c.assignment == assignments.c.id))
        .order_by(assignments.c.id, events.c.number)
    )
    rows = connection.execute(query, execution_options={"yield_per": 1000})
    for _, group in groupby(rows, key=lambda row: row.id):
        found = list(group)
        if settings is None:
            settings = load_settings(connection)
        problem = _problem(connection, settings, found)
        if problem:
            yield f"assignment {found[0].public}: {problem}"


def _problem(connection: Connection, settings: Settings, rows: list[Row[Any]]) -> str:
    """The first thing wrong with an assignment; what follows it would only be more of the same."""
    assignment = rows[0]
    log = [row for row in rows if row.event_number is not None]
    return (
        _broken_chain(assignment, log)
        or _wrong_version(assignment, log)
        or _wrong_replay(connection, settings, assignment, log)
    )


def _broken_chain(assignment: Row[Any], log: list[Row[Any]]) -> str:
    digest = first_digest(
        public=assignment.public,
        rater=assignment.rater,
        unit=assignment.unit,
        repeat=assignment.repeat,
        order=assignment.order,
    )
    for expected, row in enumerate(log, start=1):
        if row.event_number != expected:
            return f"event {expected} is missing, the next one there is {row.event_number}"
        digest = digest_of(
            digest, number=expected, key=row.event_key, body=row.event_body, sent=row.event_sent, at=row.event_at
        )
        if digest != row.event_digest:
            cause = "or what was shown, or to whom," if expected == 1 else "or the one before it"
            return f"event {expected} is not what was written: it {cause} was changed (its digest does not fit)"
    return ""


def _wrong_version(assignment: Row[Any], log: list[Row[Any]]) -> str:
    if assignment.version != len(log):
        return f"it says that it has {assignment.version} events, the log has {len(log)}"
    return ""


def _wrong_replay(connection: Connection, settings: Settings, assignment: Row[Any], log: list[Row[Any]]) -> str:
    try:
        page = Page.start(load_unit(connection, assignment.id), settings)
    except (LookupError, ValueError, NoResultFound):
        return "the outputs that it shows are not all there"
    finished = None
    for row in log:
        try:
            event = decode_event(row.event_body)
            page = page.apply(event, row.event_sent)
        except (RefusedError, msgspec.DecodeError) as error:
            return f"event {row.event_number} cannot be played again: {error}"
        if isinstance(event, Finish):
            finished = row.event_at
    if page.finished != (assignment.state == "finished"):
        replayed = "finished" if page.finished else "not finished"
        return f"its state is {assignment.state!r}, but by the log it is {replayed}"
    if assignment.finished != (finished if page.finished else None):
        return "the time at which it was finished is not that of the log"
    return ""
