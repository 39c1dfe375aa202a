"""The web application: routes, and what stands before them."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plainwright import __version__
from plainwright.errors import DataError, PlainwrightError
from plainwright.serve.api import api_routes
from plainwright.serve.documents import DOCUMENT_PATHS, document_routes
from plainwright.serve.keys import KeyMiddleware, KeyRing
from plainwright.serve.languagetool import languagetool_routes
from plainwright.serve.limits import OriginMiddleware, RateLimit, RateLimitMiddleware
from plainwright.serve.metrics import Metrics, MetricsMiddleware
from plainwright.serve.page import page_routes
from plainwright.serve.settings import ServeSettings
from plainwright.serve.work import Work
from plainwright.web.bodies import BodyMiddleware
from plainwright.web.headers import HeadersMiddleware
from plainwright.web.replies import Refusal, json_reply
from plainwright.web.serving import is_local, serve_app

__all__ = ["create_app", "serve"]

_log = logging.getLogger("plainwright.serve")
_V2 = "/v2/"


def create_app(work: Work) -> Starlette:
    """Return the application that answers with this work."""
    settings = work.settings
    routes = [*api_routes, *document_routes, *languagetool_routes, *page_routes, *_own_routes]
    metrics = Metrics([route.path for route in routes])
    keys = KeyRing.read(settings.keys)
    limit = RateLimit(settings.per_minute)
    raw = {_V2: settings.body_limit, **dict.fromkeys(DOCUMENT_PATHS, settings.document_bytes)}
    middleware = [
        Middleware(HeadersMiddleware, https=settings.https),
        Middleware(MetricsMiddleware, metrics=metrics),
        Middleware(_BugMiddleware),
        Middleware(OriginMiddleware, origins=settings.origins, refuse=_refused),
        Middleware(RateLimitMiddleware, limit=limit, proxy=settings.proxy, refuse=_refused),
        Middleware(KeyMiddleware, keys=keys, refuse=_refused),
        Middleware(BodyMiddleware, proxy=settings.proxy, refuse=_refused, limit=settings.body_limit, raw=raw),
    ]
    if settings.origins:
        middleware.insert(3, Middleware(CORSMiddleware, allow_origins=settings.origins, allow_methods=["GET", "POST"]))
    app = Starlette(
        routes=routes,
        middleware=middleware,
        exception_handlers={
            Refusal: _on_refusal,
            PlainwrightError: _on_error,
            HTTPException: _on_http_error,
        },
    )
    app.router.redirect_slashes = False
    app.state.work, app.state.keys, app.state.metrics = work, keys, metrics
    return app


def serve(
    settings: ServeSettings,
    *,
    host: str = "127.0.0.1",
    port: int = 8766,
    insecure_http: bool = False,
    on_ready: Callable[[str, str], None] | None = None,
) -> None:
    """Serve until a signal says stop; `on_ready` gets the address, and what is missing of the model."""
    if not (settings.https or insecure_http or is_local(host)):
        msg = (
            f"--host {host}: expected HTTPS for an address that other machines reach, since texts would travel in the "
            "open; put a proxy with HTTPS before it and say --https, or accept the risk on a network of your own "
            "with --insecure-http"
        )
        raise DataError(msg)
    work = Work(settings)
    try:
        note = work.prepare()
        ready = None if on_ready is None else lambda address: on_ready(address, note)
        serve_app(create_app(work), host=host, port=port, on_ready=ready)
    finally:
        work.close()


async def _health(request: Request) -> Response:
    return json_reply({"status": "ok", "version": __version__})


async def _metrics(request: Request) -> Response:
    return PlainTextResponse(request.app.state.metrics.text(under_way=request.app.state.work.under_way))


_own_routes: list[Any] = [Route("/health", _health), Route("/metrics", _metrics)]


def _refused(request: Request, refusal: Refusal) -> Response:
    """A sentence in the form that clients of the path know."""
    reply: Response
    if request.scope["path"].startswith(_V2):
        reply = PlainTextResponse(f"Error: {refusal.sentence[:1].upper()}{refusal.sentence[1:]}", refusal.status)
    else:
        reply = json_reply({"error": {"reason": refusal.reason, "message": refusal.sentence}}, refusal.status)
    reply.headers.update(refusal.headers)
    return reply


async def _on_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return _refused(request, error)


async def _on_error(request: Request, error: Exception) -> Response:
    return _refused(request, Refusal(400, "input", str(error)))


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    allowed = (error.headers or {}).get("Allow", "another method").split(", ")
    methods = " or ".join(sorted(set(allowed) - {"HEAD"}))
    reason, sentence = {
        404: ("unknown", "there is nothing at this address; see /v1/openapi.json"),
        405: ("method", f"this address takes {methods}, not {request.method}"),
    }.get(error.status_code, ("refused", "this cannot be done"))
    return _refused(request, Refusal(error.status_code, reason, sentence, headers=error.headers))


class _BugMiddleware:
    """Answers for errors of ours, and logs where they happened but never their message, which may quote the text."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def watch(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Exception as error:
            places = "".join(traceback.format_tb(error.__traceback__))
            _log.error("%s in %s\n%s", type(error).__name__, scope.get("path", "")[:100], places)
            if not begun:
                refusal = Refusal(500, "bug", "something went wrong on this side")
                await _refused(Request(scope), refusal)(scope, receive, send)
