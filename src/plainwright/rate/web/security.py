"""What stands before every handler: whose request it is, and for whatever changes something, proof that it was meant.

The session is found, and what none of our own pages sent is refused. It is plain ASGI: it wraps the application and is
called once for each request.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plainwright.errors import StorageError
from plainwright.rate.web.replies import on_storage_error, refusal_reply
from plainwright.rate.web.site import Role, Site
from plainwright.web.replies import Refusal
from plainwright.web.requests import SAFE_METHODS, check_origin

__all__ = ["AuthMiddleware", "sign_in", "sign_out"]

# The only doors that may be knocked at without a session.
_OPEN_DOORS = ("/join/", "/organiser/login")
_NO_TOKEN = "the page was too old or came from somewhere else; reload it and try again"
_NO_COOKIE = "this browser sent no cookie, without which nobody can sign in; allow cookies for this site and reload"


class AuthMiddleware:
    """Finds the session and refuses what our own pages did not send.

    Handlers find `request.state.session` (or None) and `request.state.csrf`, the token for their forms. Organiser and
    rater have cookies of their own: under `/organiser` only the organiser's counts, elsewhere only the rater's.
    """

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"].removeprefix(self._site.prefix)
        if path == "/healthz" or path.startswith("/static/"):
            await self._app(scope, receive, send)
            return
        state = scope["state"]
        headers = Headers(scope=scope)
        cookies = _cookies(headers)
        try:
            visit = await self._enter(state, path, cookies)
        except StorageError as error:
            reply = await on_storage_error(Request(scope), error)
            await reply(scope, receive, send)
            return
        if scope["method"] not in SAFE_METHODS:
            try:
                self._check(scope, state, path, headers)
            except Refusal as refusal:
                await refusal_reply(Request(scope), refusal)(scope, receive, send)
                return
        await self._app(scope, receive, self._with_visit(send, visit) if visit else send)

    async def _enter(self, state: dict[str, object], path: str, cookies: Mapping[str, str]) -> str:
        """Fill `state`; gives the visit cookie that is to be set, or ""."""
        role: Role = "organiser" if path == "/organiser" or path.startswith("/organiser/") else "rater"
        token = cookies.get(self._site.cookies[role], "")
        session = await self._site.sessions.find(token) if token else None
        if session is not None and getattr(session, role) is None:
            session = None
        visit = cookies.get(self._site.cookies["visit"], "")
        fresh = "" if session or visit else secrets.token_urlsafe(24)
        state["session"], state["token"] = session, token if session else ""
        state["visit"], state["came_back"] = visit or fresh, bool(visit)
        state["csrf"] = session.csrf if session else _visit_csrf(visit or fresh)
        return fresh

    def _check(self, scope: Scope, state: dict[str, object], path: str, headers: Headers) -> None:
        check_origin(headers, https=self._site.https, proxy=self._site.proxy)
        if state["session"] is None and not path.startswith(_OPEN_DOORS):
            sentence = "this browser is not signed in, or has been signed out; open your invitation link again"
            raise Refusal(401, "session", sentence)
        form = state["form"]
        assert isinstance(form, dict)
        given = headers.get("x-csrf-token") or form.get("csrf", "")
        if not hmac.compare_digest(given.encode(), str(state["csrf"]).encode()):
            raise Refusal(403, "csrf", _NO_TOKEN if state["session"] or state["came_back"] else _NO_COOKIE)

    def _with_visit(self, send: Send, visit: str) -> Send:
        async def send_visit(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(raw=message["headers"]).append("set-cookie", _cookie(self._site, "visit", visit, None))
            await send(message)

        return send_visit


def sign_in(reply: Response, site: Site, role: Role, token: str, *, seconds: float) -> None:
    """Give a browser its session."""
    reply.headers.append("set-cookie", _cookie(site, role, token, seconds))


def sign_out(reply: Response, site: Site, role: Role) -> None:
    """Take the session from a browser, and with it the visit: whoever comes next begins another."""
    for ended in (role, "visit"):
        reply.headers.append("set-cookie", _cookie(site, ended, "", 0))


def _cookie(site: Site, role: Role, value: str, seconds: float | None) -> str:
    path = site.url("/organiser") if role == "organiser" else site.prefix or "/"
    parts = [f"{site.cookies[role]}={value}", f"Path={path}", "HttpOnly", "SameSite=Lax"]
    if seconds is not None:
        parts.append(f"Max-Age={int(seconds)}")
    if site.https:
        parts.append("Secure")
    return "; ".join(parts)


def _cookies(headers: Headers) -> Mapping[str, str]:
    """By name, the first of each; ours hold nothing that would have to be quoted."""
    found: dict[str, str] = {}
    for pair in headers.get("cookie", "").split(";"):
        name, _, value = pair.partition("=")
        found.setdefault(name.strip(), value.strip())
    return found


def _visit_csrf(visit: str) -> str:
    return hashlib.sha256(b"csrf " + visit.encode("utf-8", "replace")).hexdigest()
