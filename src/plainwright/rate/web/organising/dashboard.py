"""The study, one rater, the latest events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from plainwright.errors import AccessError
from plainwright.rate.forms.registry import form_of
from plainwright.rate.overview import Overview, RaterStatus, advise, findings_of, overview_of, phrases, time_left
from plainwright.rate.overview.record import Entry, PageLine, latest_events, pages_of
from plainwright.rate.store import people
from plainwright.rate.store.assignment import TrainingResult, training_result
from plainwright.rate.store.reviewing import Verdict, verdict_on
from plainwright.rate.web.organising.cache import Care, quality_now
from plainwright.rate.web.organising.door import for_organisers
from plainwright.rate.web.render import page
from plainwright.rate.web.site import site_of
from plainwright.web.replies import Refusal

__all__ = ["organiser_page", "rater_named", "show_log", "show_rater", "show_study"]

_LINES = 100  # events on a page of the log

# What an action did, told on the page that it leads back to; addresses carry only the word on the left.
_DONE = {
    "released": "The page was released: it goes to whoever comes next, or back to the same rater if still needed.",
    "left": "The rater was taken out. What they finished stays; open pages go to others.",
    "removed": "The rater and everything they did are erased.",
    "accepted": "The rater was let on, and gets real pages from now on.",
    "rejected": "The rater was not let on, and is thanked for their time.",
    "opened": "The study is open: raters can work.",
    "closed": "The study is closed: nothing that raters send is kept now.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterLine:
    """One rater on the dashboard."""

    status: RaterStatus
    care: Care | None  # none: nothing finished yet

    @property
    def findings(self) -> tuple[str, ...]:
        """What stands out, without the subject: pages name the rater themselves."""
        return () if self.care is None else findings_of(self.care.quality)

    @property
    def too_early(self) -> bool:
        """Whether there is too little to judge."""
        return self.care is None or any(finding.kind == "few" for finding in self.care.quality.findings)


@dataclass(frozen=True, slots=True)
class _Training:
    """How a rater did in training, and what the organiser said of it."""

    result: TrainingResult
    verdict: Verdict | None


def organiser_page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of the organiser, with the words that all of them use."""
    done = _DONE.get(request.query_params.get("done", ""), "") if request.method == "GET" else ""
    shared = {"done": done, "now": site_of(request).now()}
    words = {name: getattr(phrases, name) for name in phrases.__all__}
    return page(request, template, status=status, **shared, **words, **values)


@for_organisers
async def show_study(request: Request) -> Response:
    """How far the study is, who needs attention, and what to do."""
    site = site_of(request)
    now = site.now()
    view = await site.database.read(lambda connection: overview_of(connection, now))
    quality = await quality_now(request, site)
    known = quality.value if quality else {}
    lines = [RaterLine(status=rater, care=known.get(rater.public)) for rater in view.raters]
    return organiser_page(
        request,
        "organiser.html.jinja",
        view=view,
        advice=advise(view, {rater: care.quality for rater, care in known.items()}),
        time_left=time_left(view),
        rest=view.pace.time_for(view.pages_to_rate),
        lines=[line for line in lines if line.status.state != "removed"],
        erased=view.count("removed"),
        form=form_of(view.settings),
        computing=quality is None,
    )


@for_organisers
async def show_rater(request: Request) -> Response:
    """One rater: quality with all numbers, every page, and what can be done."""
    return await rater_page(request)


async def rater_page(request: Request, *, status: int = 200, problem: str = "") -> Response:
    """The page of the rater in the address; `problem` says why what was asked for was not done."""
    site = site_of(request)
    now, public = site.now(), request.path_params["public"]

    def look(connection: Connection) -> tuple[Overview, list[PageLine], people.Rater, _Training]:
        rater = rater_named(connection, public)
        training = _Training(training_result(connection, rater.id), verdict_on(connection, rater.id))
        return overview_of(connection, now), pages_of(connection, rater.id), rater, training

    view, pages, rater, training = await site.database.read(look)
    quality = await quality_now(request, site)
    own = quality.value.get(rater.public) if quality else None
    [line] = [entry for entry in view.raters if entry.public == rater.public]
    return organiser_page(
        request,
        "organiser_rater.html.jinja",
        status=status,
        view=view,
        line=line,
        person=rater,
        training=training,
        pages=pages,
        slowest=max((entry.seconds for entry in pages), default=0.0),
        quality=own.quality if own else None,
        seconds=own.seconds if own else None,
        findings=findings_of(own.quality) if own else (),
        advice=[entry for entry in advise(view) if entry.rater is not None and entry.rater.id == rater.id],
        computing=quality is None,
        problem=problem,
    )


@for_organisers
async def show_log(request: Request) -> Response:
    """The latest events, readable; older ones from there on."""
    site = site_of(request)
    before = request.query_params.get("before", "")
    wanted = request.query_params.get("rater", "")
    if before and not (before.isascii() and before.isdecimal() and len(before) < 19):
        raise Refusal(400, "malformed", "expected the number of an event to go back from")

    def look(connection: Connection) -> tuple[list[Entry], people.Rater | None]:
        rater = rater_named(connection, wanted) if wanted else None
        found = latest_events(
            connection, _LINES, before=int(before) if before else None, rater_id=rater.id if rater else None
        )
        return found, rater

    entries, rater = await site.database.read(look)
    return organiser_page(
        request,
        "organiser_log.html.jinja",
        entries=entries,
        person=rater,
        older=entries[-1].id if len(entries) == _LINES else None,
        newest=not before,
    )


def rater_named(connection: Connection, public: str) -> people.Rater:
    """The rater of an address; a page that is not there otherwise."""
    try:
        return people.rater_by_public(connection, public)
    except AccessError as error:
        raise Refusal(404, "unknown", str(error)) from None
