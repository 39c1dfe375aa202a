"""Bodies of requests: read whole, up to a limit, within some seconds, and in a form that we know."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plainwright.web.replies import Refusal, Refuse
from plainwright.web.requests import SAFE_METHODS, address_of

__all__ = ["LIMIT", "BodyMiddleware", "form_fields", "json_body"]

LIMIT = 64 * 1024  # bytes, unless an application takes more
_BODY_SECONDS = 20.0
_FIELDS = 200
_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"


class BodyMiddleware:
    """Reads the body of requests that change something, and hands it on in `request.state.body`.

    Under the paths that start with one of `raw`, a body may be of any form, with a limit of its own; it is not looked
    into.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        proxy: bool,
        refuse: Refuse,
        limit: int = LIMIT,
        raw: Mapping[str, int] | None = None,
    ) -> None:
        self._app = app
        self._proxy = proxy
        self._refuse = refuse
        self._limit = limit
        self._raw = raw or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        state["address"] = address_of(scope, proxy=self._proxy)
        if scope["method"] in SAFE_METHODS:
            await self._app(scope, receive, send)
            return
        try:
            limit = next((own for path, own in self._raw.items() if scope["path"].startswith(path)), None)
            body = await _read(Headers(scope=scope), receive, self._limit if limit is None else limit)
            kind = _kind(Headers(scope=scope), body) if limit is None else ""
            state["body"], state["kind"] = body, kind
            state["form"] = _parse_form(body) if kind == _FORM else {}
        except Refusal as refusal:
            await self._refuse(Request(scope), refusal)(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)


def form_fields(request: Request) -> Mapping[str, str]:
    """The fields of a form; refuses anything else."""
    if request.state.kind not in (_FORM, ""):
        raise Refusal(415, "type", "this page takes a form, not JSON")
    form: Mapping[str, str] = request.state.form
    return form


def json_body(request: Request) -> bytes:
    """The body of a request that has to be JSON."""
    if request.state.kind != _JSON:
        raise Refusal(415, "type", f"this has to be sent as {_JSON}")
    body: bytes = request.state.body
    return body


async def _read(headers: Headers, receive: Receive, limit: int) -> bytes:
    announced = headers.get("content-length", "0")
    if not announced.isdecimal():
        raise Refusal(400, "malformed", "the length of what was sent is not a number")
    if len(announced) > 12 or int(announced) > limit:
        raise Refusal(413, "large", f"more than {limit // 1024} KiB were sent at once")
    try:
        return await asyncio.wait_for(_collect(receive, limit), _BODY_SECONDS)
    except asyncio.TimeoutError:
        raise Refusal(408, "slow", "what was sent did not arrive in time") from None


async def _collect(receive: Receive, limit: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refusal(400, "malformed", "the connection ended before all had arrived")
        body += message.get("body", b"")
        if len(body) > limit:
            raise Refusal(413, "large", f"more than {limit // 1024} KiB were sent at once")
        if not message.get("more_body", False):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting = [body]

    async def receive_again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return receive_again


def _kind(headers: Headers, body: bytes) -> str:
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
