"""The web application of one study: routes, and what stands before them."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from plainwright.errors import StorageError
from plainwright.rate.store.database import Database
from plainwright.rate.web.organiser import organiser_routes
from plainwright.rate.web.rater import rater_routes
from plainwright.rate.web.replies import on_bug, on_http_error, on_refusal, on_storage_error, refusal_reply
from plainwright.rate.web.security import AuthMiddleware
from plainwright.rate.web.site import Site, site_of
from plainwright.rate.web.task import task_routes
from plainwright.web.bodies import BodyMiddleware
from plainwright.web.headers import HeadersMiddleware, safe_headers
from plainwright.web.replies import Refusal, redirect

__all__ = ["create_app"]


def create_app(
    database: Database,
    *,
    prefix: str = "",
    https: bool = False,
    proxy: bool = False,
    now: Callable[[], float] = time.time,
    elapsed: Callable[[], float] = time.monotonic,
) -> Starlette:
    """The pages of the study in `database`.

    `prefix` is the path that all of them are under; `https` says that browsers come by HTTPS (cookies are then kept
    from anything else), `proxy` that a reverse proxy stands before us and may say whom it speaks for. What is written
    down has the time of `now`; what only has to last so many seconds is measured by `elapsed`, which nobody can set.
    """
    site = Site.of(database, prefix=prefix, https=https, proxy=proxy, now=now, elapsed=elapsed)
    # They are tried one after the other, so those come first that are asked for most.
    routes: list[BaseRoute] = [
        *task_routes,
        *rater_routes,
        *organiser_routes,
        Route("/static/{name}", _static),
        Route("/healthz", _health),
    ]
    if site.prefix:
        routes = [Route(site.prefix, _home), Mount(site.prefix, routes=routes)]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(HeadersMiddleware, https=https),
            Middleware(BodyMiddleware, proxy=proxy, refuse=refusal_reply),
            Middleware(AuthMiddleware, site=site),
        ],
        exception_handlers={
            Refusal: on_refusal,
            HTTPException: on_http_error,
            StorageError: on_storage_error,
            Exception: _on_bug,
        },
    )
    # A redirect to the path with or without a slash would be built from what the client says its host is.
    app.router.redirect_slashes = False
    app.state.site = site
    return app


async def _health(request: Request) -> Response:
    return PlainTextResponse("ok\n")


async def _home(request: Request) -> Response:
    return redirect(site_of(request).url("/"))


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    for asset in site_of(request).assets.values():
        if asset.public == name:
            kept = {"cache-control": "public, max-age=31536000, immutable"}
            return Response(asset.body, media_type=asset.media_type, headers=kept)
    raise HTTPException(404)


async def _on_bug(request: Request, error: Exception) -> Response:
    # Errors of ours are caught outside of all middleware, which would have added these.
    reply = await on_bug(request, error)
    for name, value in safe_headers(https=site_of(request).https).items():
        reply.headers.setdefault(name, value)
    return reply
