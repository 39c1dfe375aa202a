"""The rating pages on a real server, on loopback, for browsers.

A test must not depend on how fast pages come. `PLAINWRIGHT_TEST_DELAY=0.5` makes every request wait up to half a
second before it is looked at, as long again before it is answered, and once more in the middle of the answer.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plainwright.web.connections import Connection


@contextmanager
def served(app: ASGIApp, *, port: int = 0) -> Iterator[str]:
    """The address at which the application answers while the block runs."""
    delay = float(os.environ.get("PLAINWRIGHT_TEST_DELAY", "0"))
    if delay:
        app = _slow(app, delay)
    listener = socket.create_server(("127.0.0.1", port))
    config = uvicorn.Config(app, http=Connection, log_level="warning", lifespan="off", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def _slow(app: ASGIApp, delay: float) -> ASGIApp:
    """The same application far away."""

    async def wait() -> None:
        await asyncio.sleep(random.uniform(0, delay))

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_slowly(message: Message) -> None:
            body = message.get("body", b"")
            if message["type"] == "http.response.start":
                await wait()
            elif len(body) > 1:
                middle = len(body) // 3  # a part of the page, without its heading
                await send({**message, "body": body[:middle], "more_body": True})
                await wait()
                message = {**message, "body": body[middle:]}
            await send(message)

        await wait()
        await app(scope, receive, send_slowly)

    return answer
