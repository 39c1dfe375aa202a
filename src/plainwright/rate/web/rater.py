"""The way of a rater, but for the tasks themselves: joining, consent, instructions, breaks, other devices, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from plainwright.errors import AccessError
from plainwright.rate.settings import Settings
from plainwright.rate.store import people
from plainwright.rate.store.assignment import (
    Assignment,
    may_be_given_more,
    next_assignment,
    progress_of,
    training_result,
)
from plainwright.rate.store.own_pages import others_at_work
from plainwright.rate.store.people import InvitationState, Rater
from plainwright.rate.store.reviewing import verdict_on
from plainwright.rate.store.studies import is_open
from plainwright.rate.web.render import page
from plainwright.rate.web.security import sign_in, sign_out
from plainwright.rate.web.site import site_of
from plainwright.web.bodies import form_fields
from plainwright.web.replies import Refusal, redirect
from plainwright.web.throttle import network_of

__all__ = ["first_step", "rater_of", "rater_routes"]

_Step = Callable[[Connection, int, float], None]

_DEVICE_LINK = 15 * 60.0

_DEAD_LINKS: dict[InvitationState, str] = {
    "unknown": "We do not know this link. Was it copied whole? If so, ask the organiser for a new one.",
    "expired": "This link is too old. Ask the organiser for a new one.",
    "spent": "This link was used already. Go on in the browser that used it, or ask the organiser for a new one.",
}


def rater_of(request: Request) -> Rater:
    """Who asks; without a session, the way to get one."""
    session = request.state.session
    if session is None or session.rater is None:
        sentence = "open your invitation link again, in the browser where you started"
        raise Refusal(401, "session", sentence)
    rater: Rater = session.rater
    return rater


def first_step(settings: Settings, rater: Rater) -> str | None:
    """The page that a rater has to see before any task."""
    if rater.left is not None:
        return "/left"
    if settings.consent and rater.consented is None:
        return "/consent"
    if settings.instructions and rater.instructed is None:
        return "/instructions"
    return None if rater.paused is None else "/paused"


async def _home(request: Request) -> Response:
    session = request.state.session
    if session is not None:
        return redirect(site_of(request).url("/work"))
    return page(request, "home.html.jinja")


# Joining


async def _show_link(request: Request) -> Response:
    site, token, now = site_of(request), request.path_params["token"], site_of(request).now()

    def look(connection: Connection) -> tuple[InvitationState, int | None]:
        return people.invitation_state(connection, token, now), people.invited_rater(connection, token)

    state, invited = await site.database.read(look)
    known = _known_rater(request)
    if known is not None and invited == known.id:
        return redirect(site.url("/work"))
    if state != "valid":
        return _dead_link(request, state)
    return page(request, "join.html.jinja", known=known, personal=invited is not None)


async def _use_link(request: Request) -> Response:
    site, token = site_of(request), request.path_params["token"]
    form_fields(request)
    # Whoever is let in here already and starts as somebody else must not get the session of before.
    visit = request.state.visit + request.state.token
    try:
        session, rater = await site.database.run(
            lambda connection: people.accept(connection, token, site.now(), visit=visit)
        )
    except AccessError:
        state = await site.database.read(lambda connection: people.invitation_state(connection, token, site.now()))
        return _dead_link(request, "spent" if state == "valid" else state)
    site.sessions.forget(rater_id=rater.id)
    reply = redirect(site.url("/work"))
    sign_in(reply, site, "rater", session, seconds=people.RATER_SESSION)
    return reply


def _dead_link(request: Request, state: InvitationState) -> Response:
    site = site_of(request)
    if state == "unknown":
        wait = site.links.enter(network_of(request.state.address), now=site.elapsed())
        if wait > 0:
            sentence = f"too many links that do not exist; wait {wait:.0f} seconds"
            raise Refusal(429, "throttled", sentence, headers={"retry-after": f"{wait:.0f}"})
    raise Refusal(404 if state == "unknown" else 410, state, _DEAD_LINKS[state])


def _known_rater(request: Request) -> Rater | None:
    session = request.state.session
    return session.rater if session is not None and session.rater.left is None else None


# Before the tasks


async def _show_consent(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    if not site.settings.consent:
        return redirect(site.url("/work"))
    heading, text = site.consent
    return page(request, "consent.html.jinja", heading=heading, text=text, given=rater.consented is not None)


async def _consent(request: Request) -> Response:
    return await _note(request, people.consent, "/work")


async def _show_instructions(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    step = first_step(site.settings, rater)
    if step in ("/left", "/consent"):
        return redirect(site.url(step))
    heading, text = site.instructions
    training = bool(site.settings.training) and rater.instructed is None
    seen = rater.instructed is not None
    writes = site.settings.writing is not None
    shown: dict[str, Any] = {"heading": heading, "text": text, "seen": seen, "training": training, "writes": writes}
    return page(request, "instructions.html.jinja", **shown)


async def _instruct(request: Request) -> Response:
    return await _note(request, people.instruct, "/work")


# At work


async def _work(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    step = first_step(site.settings, rater)
    if step is not None:
        return redirect(site.url(step))
    now = site.now()

    def find(connection: Connection) -> Assignment | None:
        return next_assignment(connection, rater.id, now) if is_open(connection) else None

    assignment = await site.database.run(find)
    return redirect(site.url(f"/task/{assignment.public}" if assignment else "/done"))


async def _done(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    step = first_step(site.settings, rater)
    if step is not None:
        return redirect(site.url(step))

    def look(connection: Connection) -> dict[str, Any]:
        progress = progress_of(connection, rater.id)
        trained = progress.training_done >= progress.training_total
        verdict = verdict_on(connection, rater.id)
        passed = not trained or training_result(connection, rater.id).passed
        return {
            "open": is_open(connection),
            "writes": site.settings.writing is not None,
            "progress": progress,
            "failed": not passed or verdict == "rejected",
            "waiting": site.settings.review and trained and verdict is None,
            "more": may_be_given_more(connection, rater.id) and others_at_work(connection, rater.id),
        }

    return page(request, "done.html.jinja", **await site.database.read(look))


async def _pause(request: Request) -> Response:
    return await _note(request, people.pause, "/paused")


async def _paused(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    if first_step(site.settings, rater) != "/paused":
        return redirect(site.url("/work"))
    progress = await site.database.read(lambda connection: progress_of(connection, rater.id))
    return page(request, "paused.html.jinja", progress=progress)


async def _resume(request: Request) -> Response:
    return await _note(request, people.resume, "/work")


# Elsewhere, or no more


async def _show_device(request: Request) -> Response:
    rater = rater_of(request)
    if rater.left is not None:
        return redirect(site_of(request).url("/left"))
    return page(request, "device.html.jinja", link=None)


async def _device(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    form_fields(request)
    if rater.left is not None:
        return redirect(site.url("/left"))
    now = site.now()
    wait = site.devices.enter(rater.public, now=site.elapsed())
    if wait > 0:
        sentence = f"you made several links just now; use the last one, or wait {wait:.0f} seconds"
        raise Refusal(429, "throttled", sentence, headers={"retry-after": f"{wait:.0f}"})
    token = await site.database.run(
        lambda connection: people.invite(connection, rater_id=rater.id, uses=1, expires=now + _DEVICE_LINK, now=now)
    )
    return page(request, "device.html.jinja", link=site.origin(request) + site.url(f"/join/{token}"))


async def _logout(request: Request) -> Response:
    site, token = site_of(request), request.state.token
    form_fields(request)
    await site.database.run(lambda connection: people.close_session(connection, token))
    site.sessions.forget(token=token)
    reply = redirect(site.url("/"))
    sign_out(reply, site, "rater")
    return reply


async def _show_leave(request: Request) -> Response:
    return page(request, "leave.html.jinja", left=rater_of(request).left is not None, unclear=False)


async def _leave(request: Request) -> Response:
    site, rater = site_of(request), rater_of(request)
    choice = form_fields(request).get("ratings")
    if choice not in ("keep", "erase"):
        return page(request, "leave.html.jinja", status=422, left=rater.left is not None, unclear=True)
    if choice == "keep":
        return await _note(request, people.leave, "/left")
    reply = await _note(request, people.erase, "/erased")
    sign_out(reply, site, "rater")
    return reply


async def _left(request: Request) -> Response:
    if rater_of(request).left is None:
        return redirect(site_of(request).url("/work"))
    return page(request, "left.html.jinja", erased=False)


async def _erased(request: Request) -> Response:
    if request.state.session is not None:
        return redirect(site_of(request).url("/work"))
    return page(request, "left.html.jinja", erased=True)


async def _note(request: Request, step: _Step, then: str) -> Response:
    """Write a step of the rater down and go on; doing it twice is the same as once."""
    site, rater = site_of(request), rater_of(request)
    form_fields(request)
    now = site.now()
    await site.database.run(lambda connection: step(connection, rater.id, now))
    site.sessions.forget(rater_id=rater.id)
    return redirect(site.url(then))


rater_routes = [
    Route("/", _home),
    Route("/join/{token}", _show_link, methods=["GET"]),
    Route("/join/{token}", _use_link, methods=["POST"]),
    Route("/consent", _show_consent, methods=["GET"]),
    Route("/consent", _consent, methods=["POST"]),
    Route("/instructions", _show_instructions, methods=["GET"]),
    Route("/instructions", _instruct, methods=["POST"]),
    Route("/work", _work),
    Route("/done", _done),
    Route("/pause", _pause, methods=["POST"]),
    Route("/paused", _paused),
    Route("/resume", _resume, methods=["POST"]),
    Route("/device", _show_device, methods=["GET"]),
    Route("/device", _device, methods=["POST"]),
    Route("/logout", _logout, methods=["POST"]),
    Route("/leave", _show_leave, methods=["GET"]),
    Route("/leave", _leave, methods=["POST"]),
    Route("/left", _left),
    Route("/erased", _erased),
]
