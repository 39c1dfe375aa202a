"""Is the log what it was when it was written? Every chain of digests is checked and every page played again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, func, select, text

from plainwright.errors import DataError, RefusedError
from plainwright.rate.events import Finish
from plainwright.rate.forms.page import Page
from plainwright.rate.material import UnitView
from plainwright.rate.settings import Settings
from plainwright.rate.store.history import decode_event, digest_of, first_digest
from plainwright.rate.store.replay import shown_unit
from plainwright.rate.store.schema import assignments, candidates, cards, events, items, raters, units
from plainwright.rate.store.studies import load_settings

__all__ = ["LogSize", "audit", "log_digest", "log_size"]

_MATERIAL = (items, cards, candidates, units)
_GUARDED = (events, *_MATERIAL)
_GUARDS = {
    "sqlite": ("never_changed", "kept"),
    "postgresql": ("never_changed", "kept", "not_truncated"),
}
_GUARDS_THERE = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'",
}


@dataclass(frozen=True, slots=True)
class LogSize:
    """Of a log."""

    pages: int
    events: int


def audit(connection: Connection) -> list[str]:
    """What is wrong with the log, a sentence each; none: it is sound."""
    damage = list(_damage(connection))
    if damage:  # what is read from such a file means nothing
        return damage
    return [*_guards(connection), *_strays(connection), *_pages(connection)]


def log_digest(connection: Connection) -> str:
    """One digest for the whole log and what was rated: write it down, and any later change of the past can be seen."""
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
    for query in (*(select(table).order_by(table.c.id) for table in _MATERIAL), ends):
        for row in connection.execute(query):
            whole.update(msgspec.json.encode(tuple(row)))
    return whole.hexdigest()


def log_size(connection: Connection) -> LogSize:
    """How much there is of it."""
    pages, number = (select(func.count()).select_from(table).scalar_subquery() for table in (assignments, events))
    return LogSize(*connection.execute(select(pages, number)).one())


def _damage(connection: Connection) -> Iterator[str]:
    if connection.dialect.name != "sqlite":
        return
    rows = connection.execute(text("PRAGMA quick_check")).scalars()
    found = [line for row in rows for line in row.splitlines() if not line.startswith("***")]  # a heading
    if found != ["ok"]:
        yield f"the file is damaged: SQLite's quick_check found {len(found)} problems, the first: {found[0]}"


def _guards(connection: Connection) -> Iterator[str]:
    dialect = connection.dialect.name
    there = set(connection.execute(text(_GUARDS_THERE[dialect])).scalars())
    for table in _GUARDED:
        for guard in _GUARDS[dialect]:
            name = f"{table.name}_{guard}"
            if name not in there:
                yield f"the trigger {name}, which keeps the table {table.name} from being changed, is gone"


def _strays(connection: Connection) -> Iterator[str]:
    """Rows that belong nowhere."""
    if connection.dialect.name == "sqlite":
        loose = connection.execute(text("PRAGMA foreign_key_check")).all()
        if loose:
            yield f"{len(loose)} rows belong to nothing, the first in the table {loose[0][0]}"
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
    try:
        settings = load_settings(connection)
    except (DataError, msgspec.DecodeError):
        # A database whose study was never saved has no pages either.
        if log_size(connection).pages:
            yield "the settings of the study cannot be read, so that no page can be played again"
        return
    columns = (events.c.number, events.c.key, events.c.body, events.c.sent, events.c.at, events.c.digest)
    query = (
        select(assignments, *(column.label(f"event_{column.name}") for column in columns))
        .select_from(assignments.outerjoin(events, events.c.assignment == assignments.c.id))
        .order_by(assignments.c.id, events.c.number)
    )
    rows = connection.execute(query, execution_options={"yield_per": 1000})
    for _, group in groupby(rows, key=lambda row: row.id):
        found = list(group)
        problem = _problem(connection, settings, found)
        if problem:
            yield f"assignment {found[0].public}: {problem}"


def _problem(connection: Connection, settings: Settings, rows: list[Row[Any]]) -> str:
    """The first thing wrong with an assignment; what follows it would only be more of the same."""
    assignment = rows[0]
    log = [row for row in rows if row.event_number is not None]
    try:
        shown = shown_unit(connection, assignment.id)
    except DataError:
        return "the outputs that it shows are not all there"
    return (
        _broken_chain(assignment, shown, log)
        or _wrong_version(assignment, log)
        or _wrong_replay(Page.start(shown, settings), assignment, log)
    )


def _broken_chain(assignment: Row[Any], shown: UnitView, log: list[Row[Any]]) -> str:
    digest = first_digest(
        public=assignment.public,
        rater=assignment.rater,
        unit=assignment.unit,
        repeat=assignment.repeat,
        shown=shown,
    )
    for expected, row in enumerate(log, start=1):
        if row.event_number != expected:
            return f"event {expected} is missing, the next one there is {row.event_number}"
        try:
            digest = digest_of(
                digest, number=expected, key=row.event_key, body=row.event_body, sent=row.event_sent, at=row.event_at
            )
        except (TypeError, ValueError):  # a time that is no number
            digest = ""
        if digest != row.event_digest:
            cause = "or what was shown, or to whom," if expected == 1 else "or the one before it"
            return f"event {expected} is not what was written: it {cause} was changed (its digest does not fit)"
    return ""


def _wrong_version(assignment: Row[Any], log: list[Row[Any]]) -> str:
    if assignment.version != len(log):
        return f"it says that it has {assignment.version} events, the log has {len(log)}"
    return ""


def _wrong_replay(page: Page, assignment: Row[Any], log: list[Row[Any]]) -> str:
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
