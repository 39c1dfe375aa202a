"""Serving an application: one process, one address, a clean stop."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator

import uvicorn
from starlette.types import ASGIApp

from plainwright.errors import DataError
from plainwright.web.connections import Connection

__all__ = ["is_local", "serve_app"]

_LAST_SECONDS = 5  # that requests under way get after the signal to stop


def serve_app(
    app: ASGIApp,
    *,
    host: str,
    port: int,
    prefix: str = "",
    connection: type[Connection] = Connection,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until a signal (Ctrl+C, SIGTERM) says stop; `on_ready` gets the address once it answers.

    Port 0 takes a free one.
    """
    with contextlib.closing(_listen(host, port)) as listener, _quiet_end():
        address = f"http://{_shown_host(host)}:{listener.getsockname()[1]}{prefix}/"
        _Server(_configuration(app, connection), address, on_ready).run(sockets=[listener])


def is_local(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Server(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, address: str, on_ready: Callable[[str], None] | None) -> None:
        super().__init__(config)
        self._address = address
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self._on_ready is not None:
            self._on_ready(self._address)


def _configuration(app: ASGIApp, connection: type[Connection]) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=connection,
        log_config=None,  # as the program that calls us has set it up
        log_level="warning",
        access_log=False,  # its lines would contain tokens that stand in paths
        proxy_headers=False,  # the application reads what a trusted proxy says
        server_header=False,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=_LAST_SECONDS,
    )


def _listen(host: str, port: int) -> socket.socket:
    """Ours before the server starts, so that a port in use is an error in one sentence."""
    if not 0 <= port <= 65535:
        message = f"--port: expected a number from 0 to 65535, found {port}"
        raise DataError(message)
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except socket.gaierror:
        message = f"--host: expected a name or address of this machine, found {host!r}"
        raise DataError(message) from None
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        reason = (error.strerror or str(error)).lower()
        problem = {
            errno.EADDRINUSE: "something is served there already; choose another port with --port",
            errno.EACCES: f"{reason}; ports below 1024 are not for everybody, so choose a higher one with --port",
        }.get(error.errno or 0, f"{reason}; choose an address of this machine with --host")
        message = f"{host}:{port}: {problem}"
        raise DataError(message) from None
    return listener


def _shown_host(host: str) -> str:
    """As it stands in an address; what means "all addresses" is shown as this machine."""
    if host in ("0.0.0.0", "", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


@contextlib.contextmanager
def _quiet_end() -> Iterator[None]:
    """After its clean stop the server raises the signal once more, which here means only: go on after the block."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda *_: None) for number in known}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
