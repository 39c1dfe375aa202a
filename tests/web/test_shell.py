"""The shell around an application that knows nothing of rating studies, on a real server."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx2 as httpx
import pytest

pytest.importorskip("uvicorn")

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from tests.rate.serving import served

from plainwright.errors import DataError
from plainwright.web.bodies import BodyMiddleware, form_fields, json_body
from plainwright.web.headers import HeadersMiddleware, safe_headers
from plainwright.web.replies import Refusal, json_reply
from plainwright.web.requests import check_origin, check_prefix
from plainwright.web.serving import serve_app

LIMIT = 1000  # bytes that this application takes


def refused(request: Request, refusal: Refusal) -> Response:
    return json_reply({"no": refusal.reason}, refusal.status)


async def on_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return refused(request, error)


async def echo(request: Request) -> Response:
    return Response(json_body(request), media_type="application/json")


async def fields(request: Request) -> Response:
    return json_reply(dict(form_fields(request)))


async def strict(request: Request) -> Response:
    check_origin(request.headers, https=False, proxy=False)
    return PlainTextResponse("came from us")


APP = Starlette(
    routes=[
        Route("/echo", echo, methods=["POST"]),
        Route("/form", fields, methods=["POST"]),
        Route("/strict", strict, methods=["POST"]),
        Route("/hello", lambda request: PlainTextResponse("hello", headers={"cache-control": "max-age=60"})),
    ],
    middleware=[
        Middleware(HeadersMiddleware, https=False),
        Middleware(BodyMiddleware, proxy=False, refuse=refused, limit=LIMIT),
    ],
    exception_handlers={Refusal: on_refusal},
)


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with served(APP) as address, httpx.Client(base_url=address) as client:
        yield client


def test_every_answer_has_the_safe_headers_and_a_handler_may_set_its_own(client: httpx.Client) -> None:
    reply = client.get("/hello")
    expected = {**safe_headers(https=False), "cache-control": "max-age=60"}
    assert {name: reply.headers[name] for name in expected} == expected


def test_bodies_arrive_whole_as_json_or_as_a_form(client: httpx.Client) -> None:
    assert client.post("/echo", json={"text": "plain"}).json() == {"text": "plain"}
    assert client.post("/form", data={"name": "Ann", "note": ""}).json() == {"name": "Ann", "note": ""}


@pytest.mark.parametrize(
    ("path", "content", "kind", "status", "reason"),
    [
        ("/echo", b" " * (LIMIT + 1), "application/json", 413, "large"),
        ("/echo", b"a=1", "application/x-www-form-urlencoded", 415, "type"),
        ("/form", b"{}", "application/json", 415, "type"),
        ("/form", b"a=1&a=2", "application/x-www-form-urlencoded", 400, "malformed"),
        ("/form", b"a", "text/plain", 415, "type"),
    ],
)
def test_what_does_not_fit_is_refused_in_the_words_of_the_application(
    client: httpx.Client, path: str, content: bytes, kind: str, status: int, reason: str
) -> None:
    reply = client.post(path, content=content, headers={"content-type": kind})
    assert (reply.status_code, reply.json()) == (status, {"no": reason})
    assert reply.headers["x-frame-options"] == "DENY"


def test_a_body_of_unknown_length_ends_at_the_limit(client: httpx.Client) -> None:
    parts = (b" " * 100 for _ in range(LIMIT))
    reply = client.post("/echo", content=parts, headers={"content-type": "application/json"})
    assert reply.status_code == 413


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"origin": "http://elsewhere.example"}, 403),
    ],
)
def test_what_another_site_sent_is_refused(client: httpx.Client, headers: dict[str, str], status: int) -> None:
    assert client.post("/strict", headers=headers).status_code == status


def test_an_address_that_cannot_be_served_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(DataError, match="something is served there already; choose another port with --port"):
            serve_app(APP, host="127.0.0.1", port=port)
    with pytest.raises(DataError, match="--host: expected a name or address of this machine, found 'no such host'"):
        serve_app(APP, host="no such host", port=0)


@pytest.mark.parametrize(
    ("given", "tidy"), [("", ""), ("/", ""), ("study", "/study"), ("/study/", "/study"), ("/a/b.c~d", "/a/b.c~d")]
)
def test_prefixes(given: str, tidy: str):
    assert check_prefix(given) == tidy


@pytest.mark.parametrize("given", ["/a b", "/ü", "/a//b", "/../b", "/a/..", "/a?b", "/{a}", "https://a/b", "/a\n"])
def test_prefixes_that_are_none(given: str):
    with pytest.raises(DataError, match="prefix"):
        check_prefix(given)
