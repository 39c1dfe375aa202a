"""What stands before every handler: limits, whose request it is, whether it was meant, and what browsers are told.

    Headers   on every answer: what the page may load and do (nearly nothing), no caching
    Bodies    the whole body is read here, up to 64 KiB, in a form that we know
    Doors     the session; and for whatever changes something, proof that one of our own pages sent it

They are plain ASGI: each wraps the application and is called once for each request.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.datastructures import Headers as RequestHeaders
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plainwright.errors import StorageError
from plainwright.rate.web.replies import Refusal, on_storage_error, refusal_reply
from plainwright.rate.web.site import Role, Site, host_of

__all__ = ["Bodies", "Doors", "Headers", "form_of", "safe_headers", "sign_in", "sign_out"]

LIMIT = 64 * 1024  # bytes of a body
_BODY_SECONDS = 20.0
_FIELDS = 200
_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"
_SAFE = ("GET", "HEAD", "OPTIONS")
# The only doors that may be knocked at without a session.
_OPEN_DOORS = ("/join/", "/organiser/login")
_NO_TOKEN = "the page was too old or came from somewhere else; reload it and try again"
_NO_COOKIE = "this browser sent no cookie, without which nobody can sign in; allow cookies for this site and reload"
_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)


def safe_headers(*, https: bool) -> dict[str, str]:
    """What every answer says to the browser."""
    headers = {
        "content-security-policy": _POLICY,
        "x-content-type-options": "nosniff",
        # The host alone, never a path, which may hold a link's token. Under "no-referrer" browsers would hide from us,
        # too, that a form is our own.
        "referrer-policy": "strict-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "x-frame-options": "DENY",
        "cache-control": "no-store",
    }
    if https:
        headers["strict-transport-security"] = "max-age=31536000"
    return headers


class Headers:
    """Adds the safe headers to whatever is answered; a handler may have set its own."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._headers = [(k.encode(), v.encode()) for k, v in safe_headers(https=site.https).items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", ()))
                names = {name.lower() for name, _ in own}
                message["headers"] = own + [pair for pair in self._headers if pair[0] not in names]
            await send(message)

        await self._app(scope, receive, send_safely if scope["type"] == "http" else send)


class Bodies:
    """Reads the body of requests that change something, and hands it on in `request.state.body`."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        state["address"] = _address(scope, proxy=self._site.proxy)
        if scope["method"] in _SAFE:
            await self._app(scope, receive, send)
            return
        try:
            body = await _read(RequestHeaders(scope=scope), receive)
            kind = _kind(RequestHeaders(scope=scope), body)
            state["body"], state["kind"] = body, kind
            state["form"] = _parse_form(body) if kind == _FORM else {}
        except Refusal as refusal:
            await refusal_reply(Request(scope), refusal)(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)


class Doors:
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
        headers = RequestHeaders(scope=scope)
        cookies = _cookies(headers)
        try:
            visit = await self._enter(state, path, cookies)
        except StorageError as error:
            reply = await on_storage_error(Request(scope), error)
            await reply(scope, receive, send)
            return
        if scope["method"] not in _SAFE:
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

    def _check(self, scope: Scope, state: dict[str, object], path: str, headers: RequestHeaders) -> None:
        _check_origin(headers, https=self._site.https, proxy=self._site.proxy)
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


def form_of(request: Request) -> Mapping[str, str]:
    """The fields of a form; refuses anything else."""
    if request.state.kind not in (_FORM, ""):
        raise Refusal(415, "type", "this page takes a form, not JSON")
    form: Mapping[str, str] = request.state.form
    return form


def json_of(request: Request) -> bytes:
    """The body of a request that has to be JSON."""
    if request.state.kind != _JSON:
        raise Refusal(415, "type", f"events have to be sent as {_JSON}")
    body: bytes = request.state.body
    return body


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


def _cookies(headers: RequestHeaders) -> Mapping[str, str]:
    """By name, the first of each; ours hold nothing that would have to be quoted."""
    found: dict[str, str] = {}
    for pair in headers.get("cookie", "").split(";"):
        name, _, value = pair.partition("=")
        found.setdefault(name.strip(), value.strip())
    return found


def _visit_csrf(visit: str) -> str:
    return hashlib.sha256(b"csrf " + visit.encode("utf-8", "replace")).hexdigest()


def _check_origin(headers: RequestHeaders, *, https: bool, proxy: bool) -> None:
    """Browsers say where a request comes from; what comes from another site is refused whatever else it has."""
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    if site is not None:
        same = site == "same-origin"
    elif origin is not None:
        scheme, _, host = origin.partition("://")
        same = host == host_of(headers, proxy=proxy) and scheme in (("https",) if https else ("http", "https"))
    else:
        same = True  # no browser of the last years; the token decides
    if not same:
        raise Refusal(403, "origin", "the request came from another site; go on from the study's own page")


def _address(scope: Scope, *, proxy: bool) -> str:
    """Where a request comes from; of a list of proxies, what the nearest one saw, which nobody else can forge."""
    # Some proxies add a line of their own below one that the client may have sent.
    forwarded = ",".join(RequestHeaders(scope=scope).getlist("x-forwarded-for")) if proxy else ""
    nearest = forwarded.split(",")[-1].strip()
    client = scope.get("client")
    return nearest or (client[0] if client else "-")


async def _read(headers: RequestHeaders, receive: Receive) -> bytes:
    announced = headers.get("content-length", "0")
    if not announced.isdecimal():
        raise Refusal(400, "malformed", "the length of what was sent is not a number")
    if len(announced) > 12 or int(announced) > LIMIT:
        raise Refusal(413, "large", f"more than {LIMIT // 1024} KiB were sent at once")
    try:
        return await asyncio.wait_for(_collect(receive), _BODY_SECONDS)
    except asyncio.TimeoutError:
        raise Refusal(408, "slow", "what was sent did not arrive in time") from None


async def _collect(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refusal(400, "malformed", "the connection ended before all had arrived")
        body += message.get("body", b"")
        if len(body) > LIMIT:
            raise Refusal(413, "large", f"more than {LIMIT // 1024} KiB were sent at once")
        if not message.get("more_body", False):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting = [body]

    async def receive_again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return receive_again


def _kind(headers: RequestHeaders, body: bytes) -> str:
    kind, _, parameters = headers.get("content-type", "").lower().partition(";")
    kind = kind.strip()
    if not kind and not body:
        return ""
    charset = parameters.replace('"', "").replace(" ", "")
    fits = kind in (_FORM, _JSON) and charset in ("", "charset=utf-8") and "content-encoding" not in headers
    if not fits:
        raise Refusal(415, "type", f"expected {_FORM} or {_JSON} in UTF-8, not compressed")
    return kind


def _parse_form(body: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=_FIELDS)
    except ValueError:  # also what is no UTF-8
        raise Refusal(400, "malformed", "the form could not be read") from None
    form = dict(pairs)
    if len(form) < len(pairs):
        raise Refusal(400, "malformed", "a field of the form came twice")
    return form
