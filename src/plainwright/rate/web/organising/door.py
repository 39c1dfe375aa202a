"""Logging in and out, and the guard of all other pages."""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from plainwright.errors import AccessError
from plainwright.rate.store import organisers, people
from plainwright.rate.store.organisers import Organiser
from plainwright.rate.web.organising.cache import desk_of
from plainwright.rate.web.render import page
from plainwright.rate.web.security import sign_in, sign_out
from plainwright.rate.web.site import Site, site_of
from plainwright.web.bodies import form_fields
from plainwright.web.replies import Refusal, redirect
from plainwright.web.throttle import Throttle, network_of

__all__ = ["for_organisers", "log_in", "log_out", "show_login"]

_SESSION = 12 * 3600.0  # a working day
_OWN_PAGE = re.compile(r"/organiser(?:/(?:results|log|raters/[A-Za-z0-9_-]{1,32}))?")

_security = logging.getLogger("plainwright.rate.security")

Handler = Callable[[Request], Awaitable[Response]]


def for_organisers(handler: Handler) -> Handler:
    """The handler, behind the door: whoever is not logged in is asked to, and then comes back to the page wanted."""

    @functools.wraps(handler)
    async def guarded(request: Request) -> Response:
        session = request.state.session
        if session is None or session.organiser is None:
            site = site_of(request)
            path = request.scope["path"].removeprefix(site.prefix)
            wanted = f"?to={path}" if path != "/organiser" and _OWN_PAGE.fullmatch(path) else ""
            return redirect(site.url("/organiser/login") + wanted)
        return await handler(request)

    return guarded


async def show_login(request: Request) -> Response:
    """Ask for name and password."""
    target = _target(request.query_params.get("to", ""))
    if request.state.session is not None:
        return redirect(site_of(request).url(target))
    return page(request, "organiser_login.html.jinja", wrong=False, name="organiser", target=target)


async def log_in(request: Request) -> Response:
    """Check them; many wrong tries from one network, or for one name, have to wait."""
    site, form = site_of(request), form_fields(request)
    name, password, target = form.get("name", ""), form.get("password", ""), _target(form.get("to", ""))
    _slow_down(request, site, name)
    try:
        organiser = await _checked(site, name, password)
    except AccessError:
        _security.warning("refused 401 login POST /organiser/login address=%s", request.state.address)
        return page(request, "organiser_login.html.jinja", status=401, wrong=True, name=name[:64], target=target)
    for throttle, key in _throttles(request, site, name):
        throttle.clear(key)
    token = await _open_session(site, organiser, password)
    reply = redirect(site.url(target))
    sign_in(reply, site, "organiser", token, seconds=_SESSION)
    return reply


@for_organisers
async def log_out(request: Request) -> Response:
    """End the session, here and in the database."""
    site, token = site_of(request), request.state.token
    await site.database.run(lambda connection: people.close_session(connection, token))
    site.sessions.forget(token=token)
    reply = redirect(site.url("/organiser/login"))
    sign_out(reply, site, "organiser")
    return reply


async def _checked(site: Site, name: str, password: str) -> Organiser:
    if len(password) > organisers.LONGEST_PASSWORD:
        msg = "name or password is wrong"
        raise AccessError(msg)
    return await site.database.read(lambda connection: organisers.check_password(connection, name, password))


async def _open_session(site: Site, organiser: Organiser, password: str) -> str:
    now = site.now()
    if organiser.outdated:
        await site.database.run(lambda connection: organisers.renew_password(connection, organiser, password))
    return await site.database.run(
        lambda connection: people.open_session(connection, organiser_id=organiser.id, now=now, lifetime=_SESSION)
    )


def _slow_down(request: Request, site: Site, name: str) -> None:
    throttles, now = _throttles(request, site, name), site.elapsed()
    (networks, network), (names, whose) = throttles
    wait = networks.wait(network, now=now)
    # Whoever comes from elsewhere than those who guess must not have to wait for them.
    if not networks.is_free(network, now=now):
        wait = max(wait, names.wait(whose, now=now))
    if wait > 0:
        seconds = int(wait) + 1
        sentence = f"too many wrong passwords; try again in {seconds} seconds"
        raise Refusal(429, "throttled", sentence, headers={"retry-after": str(seconds)})
    for throttle, key in throttles:
        throttle.count(key, now=now)


def _throttles(request: Request, site: Site, name: str) -> tuple[tuple[Throttle, str], tuple[Throttle, str]]:
    return ((site.logins, network_of(request.state.address)), (desk_of(request).names, name[:64]))


def _target(wanted: str) -> str:
    """One of our own pages to go to, whatever the address says."""
    return wanted if _OWN_PAGE.fullmatch(wanted) else "/organiser"
