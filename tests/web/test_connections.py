"""Requests that never begin, byte by byte, on a real server."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("uvicorn")

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from tests.rate.serving import served

from plainwright.web import connections
from plainwright.web.bodies import BodyMiddleware

BEGINNING = b"GET /healthz HTTP/1.1\r\nHost: study.example\r\n"
WHOLE = BEGINNING + b"\r\n"
APP = Starlette(
    routes=[Route("/healthz", lambda request: PlainTextResponse("ok"))],
    middleware=[
        Middleware(BodyMiddleware, proxy=False, refuse=lambda request, refusal: Response(status_code=refusal.status))
    ],
)


@pytest.fixture
def connection() -> Iterator[socket.socket]:
    """To a server that waits for half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "_HEAD_SECONDS", 0.5)
        patch.setattr(connections, "_REST_SECONDS", 0.5)
        with served(APP) as address:
            host, port = address.removeprefix("http://").split(":")
            with socket.create_connection((host, int(port)), timeout=10) as connection:
                yield connection


def answer(connection: socket.socket) -> bytes:
    """All up to the end of the connection."""
    received = b""
    while part := connection.recv(65536):
        received += part
    return received


def drip(connection: socket.socket, parts: list[bytes], *, pause: float) -> None:
    for part in parts:
        connection.sendall(part)
        time.sleep(pause)


@pytest.mark.parametrize("sent", [b"", b"G", BEGINNING, WHOLE + BEGINNING])
def test_who_does_not_go_on_is_cut_off(connection, caplog, sent):
    connection.sendall(sent)
    assert answer(connection).count(b"200 OK") == sent.count(WHOLE)
    assert caplog.messages == (["refused 408 slow head address=127.0.0.1"] if sent in (b"G", BEGINNING) else [])


def test_drop_by_drop_is_too_slow_as_well(connection, caplog):
    connection.sendall(BEGINNING + b"X: ")
    with pytest.raises(ConnectionError):
        drip(connection, [b"a"] * 200, pause=0.05)
    assert caplog.messages == ["refused 408 slow head address=127.0.0.1"]


@pytest.mark.parametrize("lines", [[b"X: ", *[b"a" * 5000] * 200], [b"X: %b\r\n" % (b"a" * 5000)] * 200])
def test_heads_beyond_the_limit_are_not_read(connection, caplog, lines):
    connection.sendall(BEGINNING)
    with pytest.raises(ConnectionError):
        drip(connection, lines, pause=0.001)
    assert caplog.messages == ["refused 431 large head address=127.0.0.1"]


def test_a_pause_between_whole_requests_is_fine(connection):
    for _ in range(3):
        connection.sendall(WHOLE)
        assert b"200 OK" in connection.recv(65536)
        time.sleep(0.7)


def test_a_body_may_take_longer_than_a_head(connection):
    connection.sendall(b"POST /join/x HTTP/1.1\r\nHost: study.example\r\nContent-Length: 1\r\n\r\n")
    time.sleep(0.7)
    connection.sendall(b"x")
    assert b"415 " in connection.recv(65536)


LARGE = b"POST /join/x HTTP/1.1\r\nHost: study.example\r\nContent-Length: 1000000\r\n\r\n"


def test_the_rest_of_a_body_that_was_refused_is_passed_over(connection):
    connection.sendall(LARGE)
    assert b"413 " in connection.recv(65536)
    connection.sendall(b"x" * 1000000 + WHOLE)
    time.sleep(0.7)
    assert b"200 OK" in connection.recv(65536)
    connection.sendall(WHOLE)
    assert b"200 OK" in connection.recv(65536)


def test_but_not_for_ever(connection):
    connection.sendall(LARGE)
    with pytest.raises(ConnectionError):
        drip(connection, [b"x"] * 200, pause=0.05)
