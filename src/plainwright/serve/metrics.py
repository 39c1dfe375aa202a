"""Counts of requests for those who watch over a server, in the text format of Prometheus; never what was sent."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Metrics", "MetricsMiddleware"]


class Metrics:
    """Counts requests and seconds by path and status; `paths` are those that have a name of their own."""

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = frozenset(paths)
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, path: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        name = path if path in self._paths else "other"
        self._requests[name, status] += 1
        self._seconds[name] += seconds

    def text(self, *, under_way: int) -> str:
        """Return all counts."""
        requests = [
            f'{{path="{path}",status="{status}"}} {count}' for (path, status), count in sorted(self._requests.items())
        ]
        seconds = [f'{{path="{path}"}} {own:.6f}' for path, own in sorted(self._seconds.items())]
        return "".join(
            [
                _family("requests_total", "counter", "Requests that were answered.", requests),
                _family("seconds_total", "counter", "Seconds from request to answer.", seconds),
                _family("under_way", "gauge", "Texts that are being worked on.", [f" {under_way}"]),
            ]
        )


def _family(name: str, kind: str, meaning: str, values: Iterable[str]) -> str:
    lines = (f"plainwright_{name}{value}\n" for value in values)
    return f"# HELP plainwright_{name} {meaning}\n# TYPE plainwright_{name} {kind}\n" + "".join(lines)


class MetricsMiddleware:
    """Counts what goes by."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = time.monotonic(), 500

        async def watch(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            self._metrics.count(scope["path"], status, time.monotonic() - start)
