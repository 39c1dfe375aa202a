"""The tasks of a rater: one page for each, the events that it sends, feedback while training, and what is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from plainwright.errors import AccessError, ClosedError, RefusedError, StaleError
from plainwright.rate import highlight
from plainwright.rate.events import LONGEST_TEXT, Batch, Reopen
from plainwright.rate.forms.answers import Work
from plainwright.rate.forms.limits import faults_of, rules_of
from plainwright.rate.forms.registry import form_of
from plainwright.rate.forms.writing import reference_of, training_item
from plainwright.rate.material import UnitView
from plainwright.rate.settings import Expectation, Settings
from plainwright.rate.store import log
from plainwright.rate.store.assignment import Assignment, Progress, assignment_of, progress_of
from plainwright.rate.store.own_pages import finished_pages
from plainwright.rate.store.studies import expectations_of, is_open, load_unit
from plainwright.rate.web.rater import first_step, rater_of
from plainwright.rate.web.render import page
from plainwright.rate.web.replies import refusal_reply
from plainwright.rate.web.site import Site, site_of
from plainwright.web.bodies import json_body
from plainwright.web.replies import Refusal, json_reply, redirect

__all__ = ["task_routes"]

_BATCH = msgspec.json.Decoder(Batch)


# The page


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """All that a task page shows."""

    open: bool
    assignment: Assignment
    unit: UnitView
    work: Work
    progress: Progress


async def _show(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    public = request.path_params["assignment"]
    step = first_step(site.settings, rater)
    if step is not None:
        return redirect(site.url(step))

    def look(connection: Connection) -> _Task:
        assignment = _own(connection, public, rater.id)
        return _Task(
            open=is_open(connection),
            assignment=assignment,
            unit=load_unit(connection, assignment.id),
            work=log.work_of(connection, assignment.id),
            progress=progress_of(connection, rater.id),
        )

    task = await site.database.read(look)
    if not task.open:
        return redirect(site.url("/done"))
    if task.assignment.state == "released":
        return redirect(site.url("/work"))
    return page(request, "task.html.jinja", **_context(site, task))


def _context(site: Site, task: _Task) -> dict[str, Any]:
    unit, edits = task.unit, task.work.answers.edits
    shown = site.settings.edits
    return {
        "settings": site.settings,
        "form": form_of(site.settings),
        "unit": unit,
        "work": task.work,
        "assignment": task.assignment,
        "progress": task.progress,
        "pieces": {
            card.id: highlight.pieces(card.text, unit.source, edits.get(card.id, card.edits) if shown else ())
            for card in unit.cards
        },
        "rules": rules_of(unit.source, site.settings.writing) if site.settings.writing else (),
        "longest": LONGEST_TEXT,
        "source_pieces": highlight.pieces(unit.source, unit.source, ()),
        "urls": {
            "events": site.url(f"/task/{task.assignment.public}/events"),
            "feedback": site.url(f"/task/{task.assignment.public}/feedback"),
            **{name: site.url(f"/{name}") for name in ("work", "pause", "instructions", "mine", "leave")},
        },
    }


# Its events


async def _events(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    public, batch, now = request.path_params["assignment"], _batch(json_body(request)), site_of(request).now()

    def keep(connection: Connection) -> tuple[Assignment, Work]:
        assignment = _own(connection, public, rater.id)
        if assignment.training and any(isinstance(sent.event, Reopen) for sent in batch.events):
            message = "a practice page cannot be changed any more once you have seen what was expected"
            raise RefusedError(message)
        return assignment, log.append(connection, assignment.id, batch, now)

    try:
        assignment, work = await site.database.run(keep)
    except RefusedError as error:
        return await _refused(request, public, rater.id, error)
    then = None
    if work.finished:
        then = site.url(f"/task/{public}/feedback" if assignment.training else "/work")
    return json_reply({"work": work, "next": then})


async def _refused(request: Request, public: str, rater_id: int, error: RefusedError) -> Response:
    """Say why, and how the page stands now if another tab was faster."""
    if isinstance(error, ClosedError):
        return refusal_reply(request, Refusal(409, "closed", str(error)))
    if not isinstance(error, StaleError):
        return refusal_reply(request, Refusal(422, "refused", str(error)))
    work = await site_of(request).database.read(
        lambda connection: log.work_of(connection, _own(connection, public, rater_id).id)
    )
    return json_reply({"error": str(error), "reason": "stale", "work": work}, 409)


def _batch(body: bytes) -> Batch:
    try:
        return _BATCH.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal(400, "malformed", f"the events could not be read: {error}") from None


def _own(connection: Connection, public: str, rater_id: int) -> Assignment:
    try:
        return assignment_of(connection, public, rater_id)
    except AccessError as error:
        raise Refusal(404, "unknown", str(error)) from None


# Feedback while training


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verdict:
    """What the rater said of an output, and what was expected."""

    text: str
    score: float | None
    low: float
    high: float
    within: bool
    why: str


async def _feedback(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    public = request.path_params["assignment"]

    def look(connection: Connection) -> tuple[Assignment, UnitView, Work, Mapping[str, Expectation], Progress]:
        assignment = _own(connection, public, rater.id)
        return (
            assignment,
            load_unit(connection, assignment.id),
            log.work_of(connection, assignment.id),
            expectations_of(connection, assignment.id),
            progress_of(connection, rater.id),
        )

    assignment, unit, work, expected, progress = await site.database.read(look)
    if not assignment.training:
        raise Refusal(404, "unknown", "there is feedback only for practice pages")
    if not work.finished:
        return redirect(site.url(f"/task/{public}"))
    if (item := training_item(site.settings, unit.source)) is not None:
        text = reference_of(work.answers, unit.source)
        written: dict[str, Any] = {"source": unit.source, "text": text, "item": item, "faults": faults_of(text, item)}
        written["review"] = site.settings.review
        return page(request, "feedback_writing.html.jinja", progress=progress, **written)
    verdicts = _verdicts(site.settings, unit, work, expected)
    scored = any(verdict.score is not None for verdict in verdicts)
    values: dict[str, Any] = {"source": unit.source, "verdicts": verdicts, "scored": scored, "progress": progress}
    values["review"] = site.settings.review
    return page(request, "feedback.html.jinja", **values)


def _verdicts(settings: Settings, unit: UnitView, work: Work, expected: Mapping[str, Expectation]) -> list[_Verdict]:
    aspect = settings.aspects[0].name
    found = []
    for card in unit.cards:
        if card.id not in expected:
            continue
        score, wish = work.answers.scores.get(card.id, {}).get(aspect), expected[card.id]
        within = score is not None and wish.low <= score <= wish.high
        found.append(_Verdict(text=card.text, score=score, low=wish.low, high=wish.high, within=within, why=wish.why))
    return found


# What is done


async def _mine(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    step = first_step(site.settings, rater)
    if step is not None and step != "/paused":
        return redirect(site.url(step))

    def look(connection: Connection) -> dict[str, Any]:
        return {"finished": finished_pages(connection, rater.id), "progress": progress_of(connection, rater.id)}

    return page(request, "mine.html.jinja", **await site.database.read(look))


task_routes = [
    Route("/task/{assignment}/events", _events, methods=["POST"]),
    Route("/task/{assignment}", _show),
    Route("/task/{assignment}/feedback", _feedback),
    Route("/mine", _mine),
]
