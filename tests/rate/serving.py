"""The rating pages on a real server, on loopback, for browsers."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette

from plainwright.rate.web.connections import Connection


@contextmanager
def served(app: Starlette, *, port: int = 0) -> Iterator[str]:
    """The address at which the application answers while the block runs."""
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
