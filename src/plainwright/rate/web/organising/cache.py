"""Quality of raters and results, computed again only when the log has grown and the last time was a while ago.

Both read the whole log. On a page that somebody keeps open all day, they must not take time from the raters.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sqlalchemy import Connection, func, select
from starlette.requests import Request

from plainwright.errors import DataError
from plainwright.rate.overview.pace import median_of
from plainwright.rate.results.analysis import Analysis, analyse
from plainwright.rate.results.loading import load_record
from plainwright.rate.results.quality import RaterQuality, quality_of
from plainwright.rate.store import schema
from plainwright.rate.web.site import Site
from plainwright.study.estimate import Estimate
from plainwright.web.throttle import Throttle

__all__ = ["Care", "Desk", "Kept", "analysis_now", "desk_of", "quality_now"]

_REST = 20.0  # times as long as the last computation took nothing is computed: at most 5 % of one core
_PATIENCE = 2.0  # seconds that a page waits for it
_RESAMPLES = 500  # of a page that is looked at; `rate analyse` takes more

Result = TypeVar("Result")
_Stamp = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Kept(Generic[Result]):
    """A result, and when it was true."""

    value: Result
    at: float


@dataclass(frozen=True, slots=True)
class Care:
    """How one rater works."""

    quality: RaterQuality
    seconds: Estimate  # for a page: the median


@dataclass(slots=True)
class _Shelf(Generic[Result]):
    """One result, made again in the background; who comes meanwhile waits for a moment, then takes the last one."""

    make: Callable[[Connection], Result]
    kept: Kept[Result] | None = None
    stamp: _Stamp | None = None
    rest_until: float = 0.0  # by the clock of this process
    task: asyncio.Task[None] | None = None

    async def get(self, site: Site, *, patience: float) -> Kept[Result] | None:
        """The result; None if the first one takes longer than `patience`, in seconds."""
        if self.kept is not None and time.monotonic() < self.rest_until:
            return self.kept
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._renew(site))
            # If nobody waits for it any longer, its error is told to the next who asks.
            self.task.add_done_callback(lambda task: task.cancelled() or task.exception())
        await asyncio.wait({self.task}, timeout=patience)
        if self.task.done():
            self.task.result()
        return self.kept

    async def _renew(self, site: Site) -> None:
        now, stamp = site.now(), await site.database.read(_stamp)
        if self.kept is not None and stamp == self.stamp:
            self.kept = Kept(self.kept.value, now)
            return
        started = time.monotonic()
        self.kept, self.stamp = Kept(await site.database.read(self.make), now), stamp
        if not isinstance(self.kept.value, str):  # a sentence that says why there are no results yet cost nothing
            self.rest_until = time.monotonic() + _REST * (time.monotonic() - started)


@dataclass(slots=True)
class Desk:
    """What the organiser's pages remember while the server runs."""

    names: Throttle = field(default_factory=lambda: Throttle(free=50, longest=30))
    quality: _Shelf[Mapping[str, Care]] = field(default_factory=lambda: _Shelf(_quality))
    analysis: _Shelf[Analysis | str] = field(default_factory=lambda: _Shelf(_analysis))


def desk_of(request: Request) -> Desk:
    """The desk of the application that this request came to."""
    state = request.app.state
    if not hasattr(state, "desk"):
        state.desk = Desk()
    desk: Desk = state.desk
    return desk


async def quality_now(request: Request, site: Site) -> Kept[Mapping[str, Care]] | None:
    """How carefully each rater worked, by the rater's id; None: still being computed."""
    return await desk_of(request).quality.get(site, patience=_PATIENCE)


async def analysis_now(request: Request, site: Site) -> Kept[Analysis | str] | None:
    """What the study found so far, a sentence if that is nothing; None: still being computed."""
    return await desk_of(request).analysis.get(site, patience=4 * _PATIENCE)


def _stamp(connection: Connection) -> _Stamp:
    """Changes with every event, and when somebody is erased."""
    latest = connection.scalar(select(func.max(schema.events.c.id))) or 0
    return latest, connection.scalar(select(func.count(schema.raters.c.removed))) or 0


def _quality(connection: Connection) -> Mapping[str, Care]:
    record = load_record(connection)
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for page in record.pages:
        if not page.training:
            seconds[page.rater].append(page.work.seconds)
    return {found.rater: Care(found, median_of(seconds[found.rater])) for found in quality_of(record)}


def _analysis(connection: Connection) -> Analysis | str:
    try:
        return analyse(load_record(connection), resamples=_RESAMPLES)
    except DataError as error:
        return str(error)
