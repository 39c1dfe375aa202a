"""Connections that nobody may keep open for nothing: the head of a request has to be small and to come soon.

Bodies are bounded by our own middleware, which sees a request only once its head is complete; the server itself
would wait for that for ever, and take any amount. What is still to come of a body that was refused is passed over for
a while, because who sends it reads the answer only then.
"""

from __future__ import annotations

import asyncio
import logging

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["Connection"]

_HEAD_LIMIT = 64 * 1024  # bytes
_HEAD_SECONDS = 20.0
_REST_SECONDS = 20.0  # for the rest of a body, once its request has been answered


class Connection(HttpToolsProtocol):
    """One connection of the server; closed if a request does not begin as requests do."""

    log = logging.getLogger("plainwright.web.security")

    _head: int | None = None  # bytes of an unfinished head; None: it is complete
    _timer: asyncio.TimerHandle | None = None
    _whole = True  # whether all of the last request has come
    _rest: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._stop_waiting()
        self._forget_rest()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes came."""
        if self._head is not None:
            self._head += len(data)
        super().data_received(data)
        if self._head is not None and self._head > _HEAD_LIMIT and not self.transport.is_closing():
            self._refuse("431 large")
            self.send_400_response("The head of this request is too long.")

    def on_message_begin(self) -> None:
        """A request begins, perhaps not the first one."""
        super().on_message_begin()
        self._whole = False
        if self._head is None:
            self._expect_head()

    def on_headers_complete(self) -> None:
        """From here on it is the application's."""
        self._stop_waiting()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of a request has come."""
        self._whole = True
        self._forget_rest()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """A request is answered, perhaps before all of it has come."""
        super().on_response_complete()
        if not self._whole and self._rest is None:
            self._rest = self.loop.call_later(_REST_SECONDS, self.transport.close)

    def _forget_rest(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _expect_head(self) -> None:
        self._head = 0
        self._timer = self.loop.call_later(_HEAD_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        self._head = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if self._head:  # browsers open connections ahead of need, which is nothing to be told
            self._refuse("408 slow")
        self.transport.close()

    def _refuse(self, why: str) -> None:
        self.log.warning("refused %s head address=%s", why, self.client[0] if self.client else "-")
