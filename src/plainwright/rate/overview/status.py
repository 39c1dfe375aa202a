"""All of a study and each rater, from a few queries, so that a page can ask again every half minute."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy import Connection, Row, func, select

from plainwright.rate.overview.demand import Demand, demand_of
from plainwright.rate.overview.pace import Pace, median_of
from plainwright.rate.settings import Settings
from plainwright.rate.store import log, schema
from plainwright.rate.store.assignment import training_result
from plainwright.rate.store.choosing import repeats_for
from plainwright.rate.store.reviewing import verdicts
from plainwright.rate.store.studies import is_open, load_settings

__all__ = ["AT_WORK", "OpenPage", "Overview", "RaterStatus", "State", "overview_of"]

State = Literal[
    "invited",
    "reading",
    "training",
    "working",
    "quiet",
    "paused",
    "stopped",
    "waiting",
    "rejected",
    "done",
    "left",
    "removed",
]

AT_WORK = 600.0  # seconds since the last event within which a rater is taken to be at the desk
_DAY = 86400.0
_LATEST = 200  # finished pages behind the median: enough for a narrow interval, few enough to add up at each look


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPage:
    """The page that a rater has before them."""

    public: str
    place: int  # in this rater's sequence, from 1
    training: bool
    repeat: bool
    assigned: float
    touched: float
    events: int

    @property
    def for_others(self) -> bool:
        """Whether somebody else could take it: training and repeats wait for their rater."""
        return not (self.training or self.repeat)


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterStatus:
    """One rater: who, how far, and since when."""

    id: int
    public: str  # as in the results
    label: str  # the organiser's own note
    state: State
    created: float
    last_seen: float | None  # the last event or step into the study; none: has not opened the link
    finished: int  # pages of the study proper, repeats not counted
    repeats: int  # finished a second time
    training: int  # finished training pages
    training_total: int
    available: int  # pages that they could still be given
    open_page: OpenPage | None
    link_expires: float | None  # of the latest link that still opens


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """A study at one moment."""

    settings: Settings
    open: bool
    now: float
    demand: Demand
    pace: Pace
    raters: tuple[RaterStatus, ...]
    open_uses: int  # how many more people may join by open links that are still valid

    @property
    def pages_to_rate(self) -> float:
        """Pages left, with the repeats that will come among them."""
        return self.demand.left * (1 + self.settings.controls.repeats)

    def count(self, *states: State) -> int:
        """Raters in any of these states."""
        return sum(rater.state in states for rater in self.raters)


def overview_of(connection: Connection, now: float) -> Overview:
    """How the study stands at `now`."""
    settings = load_settings(connection)
    people = connection.execute(select(schema.raters).order_by(schema.raters.c.id)).all()
    pages = _pages(connection)
    trainings = connection.scalar(select(func.count()).select_from(schema.units).where(schema.units.c.training)) or 0
    said = verdicts(connection) if settings.review else {}
    rejected = {rater for rater, verdict in said.items() if verdict == "rejected"}
    stopped = _stopped(connection, settings, pages, trainings)
    gone = {person.id for person in people if person.left is not None or person.removed is not None}
    demand = demand_of(
        list(connection.scalars(select(schema.units.c.id).where(schema.units.c.training.is_(False)))),
        [(page.rater, page.unit, page.state) for page in pages if not (page.training or page.repeat)],
        active={person.id for person in people} - gone - stopped - rejected,
        raters_per_unit=settings.raters_per_unit,
        units_per_rater=settings.units_per_rater,
    )
    return Overview(
        settings=settings,
        open=is_open(connection),
        now=now,
        demand=demand,
        pace=_pace(connection, pages, now),
        raters=_statuses(
            connection,
            people,
            pages,
            demand=demand,
            trainings=trainings,
            repeats=settings.controls.repeats,
            stopped=stopped,
            rejected=rejected,
            waiting={person.id for person in people if settings.review and person.id not in said},
            now=now,
        ),
        open_uses=_open_uses(connection, now),
    )


def _pages(connection: Connection) -> Sequence[Row[Any]]:
    table = schema.assignments
    columns = [*(column for column in table.c if column.name != "order"), schema.units.c.training]
    query = select(*columns).select_from(table.join(schema.units, table.c.unit == schema.units.c.id))
    return connection.execute(query.order_by(table.c.rater, table.c.place)).all()


def _stopped(connection: Connection, settings: Settings, pages: Sequence[Row[Any]], trainings: int) -> set[int]:
    """Raters who did all of the training, and not well enough to be let on."""
    if settings.pass_share <= 0 or trainings == 0:
        return set()
    trained = Counter(page.rater for page in pages if page.training and page.state == "finished")
    through = [rater for rater, count in trained.items() if count >= trainings]
    return {rater for rater in through if not training_result(connection, rater).passed}


def _pace(connection: Connection, pages: Sequence[Row[Any]], now: float) -> Pace:
    finished = [page for page in pages if page.state == "finished" and not (page.training or page.repeat)]
    latest = sorted(finished, key=lambda page: page.finished, reverse=True)[:_LATEST]
    seconds = [log.work_of(connection, page.id).seconds for page in latest]
    return Pace(seconds=median_of(seconds), last_day=sum(page.finished > now - _DAY for page in finished))


def _statuses(
    connection: Connection,
    people: Sequence[Row[Any]],
    pages: Sequence[Row[Any]],
    *,
    demand: Demand,
    trainings: int,
    repeats: float,
    stopped: Collection[int],
    rejected: Collection[int],
    waiting: Collection[int],
    now: float,
) -> tuple[RaterStatus, ...]:
    own: defaultdict[int, list[Row[Any]]] = defaultdict(list)
    for page in pages:
        own[page.rater].append(page)
    links = _links(connection, now)
    joined = set(connection.scalars(select(schema.sessions.c.rater).where(schema.sessions.c.rater.is_not(None))))
    found = []
    for person in people:
        status = _counted(person, own[person.id], demand.available.get(person.id, 0), trainings, links.get(person.id))
        again = status.repeats < repeats_for(repeats, status.finished)
        known = {"joined": person.id in joined, "stopped": person.id in stopped, "again": again}
        waits = person.id in waiting and status.training >= trainings and not status.finished
        state = _state(status, person, now=now, waiting=waits, **known)
        found.append(
            replace(status, state="rejected" if person.id in rejected and state not in ("left", "removed") else state)
        )
    return tuple(found)


def _counted(
    person: Row[Any], pages: Sequence[Row[Any]], available: int, trainings: int, link: float | None
) -> RaterStatus:
    finished = [page for page in pages if page.state == "finished"]
    steps = [person.consented, person.instructed, person.paused, *(page.touched for page in pages)]
    return RaterStatus(
        id=person.id,
        public=person.public,
        label=person.label,
        state="invited",
        created=person.created,
        last_seen=max((step for step in steps if step is not None), default=None),
        finished=sum(not (page.training or page.repeat) for page in finished),
        repeats=sum(page.repeat for page in finished),
        training=sum(page.training for page in finished),
        training_total=trainings,
        available=available,
        open_page=next((_open_page(page) for page in pages if page.state == "open"), None),
        link_expires=link,
    )


def _state(
    status: RaterStatus, person: Row[Any], *, joined: bool, stopped: bool, waiting: bool, again: bool, now: float
) -> State:
    told: dict[State, float | None] = {"removed": person.removed, "left": person.left, "paused": person.paused}
    for state, since in told.items():
        if since is not None:
            return state
    if status.last_seen is None:
        return "reading" if joined else "invited"
    if stopped:
        return "stopped"
    if waiting and status.open_page is None:
        return "waiting"
    if status.open_page is None and status.available == 0 and status.training >= status.training_total and not again:
        return "done"
    return _present(status, now)


def _present(status: RaterStatus, now: float) -> State:
    if status.last_seen is None or now - status.last_seen > AT_WORK:
        return "quiet"
    if status.open_page is not None:
        return "training" if status.open_page.training else "working"
    return "working" if status.finished or status.training else "reading"


def _open_page(page: Row[Any]) -> OpenPage:
    return OpenPage(
        public=page.public,
        place=page.place,
        training=page.training,
        repeat=page.repeat,
        assigned=page.assigned,
        touched=page.touched,
        events=page.version,
    )


def _links(connection: Connection, now: float) -> Mapping[int, float]:
    """By rater, until when the latest link that nobody has used yet still opens."""
    table = schema.invitations
    valid = (table.c.rater.is_not(None), table.c.uses_left > 0, table.c.expires > now)
    query = select(table.c.rater, func.max(table.c.expires).label("expires")).where(*valid).group_by(table.c.rater)
    return {row.rater: row.expires for row in connection.execute(query)}


def _open_uses(connection: Connection, now: float) -> int:
    table = schema.invitations
    return (
        connection.scalar(
            select(func.coalesce(func.sum(table.c.uses_left), 0)).where(table.c.rater.is_(None), table.c.expires > now)
        )
        or 0
    )
