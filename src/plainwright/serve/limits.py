"""Who may ask, and how often: pages of other sites only if they are named, an address so many times a minute."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from plainwright.web.replies import Refusal, Refuse
from plainwright.web.requests import SAFE_METHODS, address_of
from plainwright.web.serving import is_local
from plainwright.web.throttle import network_of

__all__ = ["OriginMiddleware", "RateLimit", "RateLimitMiddleware"]

_ADDRESSES = 10_000  # bounds memory; those longest unseen go first


class RateLimit:
    """Gives every address a bucket that holds a minute's requests and fills evenly."""

    def __init__(self, per_minute: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is left, and since when

    def wait(self, address: str) -> float:
        """Return the seconds to wait before a request; 0 lets it in and counts it."""
        if is_local(address):
            return 0.0
        now, key = self._now(), network_of(address)
        left, since = self._buckets.pop(key, (float(self._per_minute), now))
        left = min(float(self._per_minute), left + (now - since) * self._per_minute / 60)
        enters = left >= 1
        self._buckets[key] = (left - 1 if enters else left, now)
        while len(self._buckets) > _ADDRESSES:
            self._buckets.popitem(last=False)
        return 0.0 if enters else (1 - left) * 60 / self._per_minute


class RateLimitMiddleware:
    """Refuses requests that come too fast, before their bodies are read."""

    def __init__(self, app: ASGIApp, *, limit: RateLimit, proxy: bool, refuse: Refuse) -> None:
        self._app = app
        self._limit = limit
        self._proxy = proxy
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["path"] != "/health":
            wait = self._limit.wait(address_of(scope, proxy=self._proxy))
            if wait > 0:
                seconds = str(int(wait) + 1)
                refusal = Refusal(429, "often", "too many requests in a minute", headers={"retry-after": seconds})
                await self._refuse(Request(scope), refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class OriginMiddleware:
    """Refuses what pages of other sites send.

    They could not read the answer, but any page that somebody opens could keep this machine busy. Browsers say where a
    request comes from; programs say nothing.
    """

    def __init__(self, app: ASGIApp, *, origins: Collection[str], refuse: Refuse) -> None:
        self._app = app
        self._origins = frozenset(origins)
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["method"] not in SAFE_METHODS:
            headers = Headers(scope=scope)
            elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
            if elsewhere and not self._origins & {"*", headers.get("origin", "")}:
                sentence = "pages of other sites may not ask here; start the server with --cors and their address"
                await self._refuse(Request(scope), Refusal(403, "origin", sentence))(scope, receive, send)
                return
        await self._app(scope, receive, send)
