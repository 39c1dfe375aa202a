"""Everything that the server answers to, as an OpenAPI 3.1 description.

The schemas are made from the very types that requests are read with, so they cannot disagree. Pages are for browsers
and stated as such; only `POST /task/{assignment}/events` speaks JSON. A test compares this table with the routes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from plainwright.rate.events import Batch
from plainwright.rate.forms.answers import Work

__all__ = ["EventsReply", "RefusalReply", "describe"]

_FORM = "application/x-www-form-urlencoded"
_PAGE = "text/html"
_REF = "#/components/schemas/{name}"

Who = Literal["anyone", "rater", "organiser"]


class EventsReply(msgspec.Struct, frozen=True):
    """The events are kept; this is the page now."""

    work: Work
    next: str | None  # where to go, if this page is finished


class RefusalReply(msgspec.Struct, frozen=True):
    """Nothing was kept."""

    error: str  # a sentence for the rater
    reason: str  # one word for the script: stale, refused, closed, malformed …
    work: Work | None = None  # if another tab was faster: how the page stands now


_Token = Annotated[str, Meta(max_length=128, description="of the session, as in every form of ours")]

_Number = Annotated[int, Meta(ge=1, le=10_000)]


class Button(msgspec.Struct):
    """A form with nothing but a button."""

    csrf: _Token


class Leave(msgspec.Struct):
    """Withdraw, and say what becomes of the ratings."""

    csrf: _Token
    ratings: Literal["keep", "erase"]


class Login(msgspec.Struct):
    """Who organises, and the page to go to."""

    csrf: _Token
    name: Annotated[str, Meta(max_length=64)]
    password: Annotated[str, Meta(max_length=1024)]
    to: Annotated[str, Meta(max_length=128)] = ""


class Invite(msgspec.Struct):
    """New links: for each name one, or so many without names; or one that several may use."""

    csrf: _Token
    kind: Literal["", "open"] = ""
    names: Annotated[str, Meta(max_length=20_000)] = ""
    number: _Number = 1
    uses: _Number = 1
    days: _Number = 14


class Renew(msgspec.Struct):
    """A further link, which opens for so many days."""

    csrf: _Token
    days: _Number = 14


class Release(msgspec.Struct):
    """An open page of the rater."""

    csrf: _Token
    page: Annotated[str, Meta(min_length=1, max_length=32)]


class Remove(msgspec.Struct):
    """Erase a rater; `confirm` repeats the id."""

    csrf: _Token
    confirm: Annotated[str, Meta(max_length=32)]


class OpenOrClose(msgspec.Struct):
    """Let raters in, or no more."""

    csrf: _Token
    open: Literal["yes", "no"]


@dataclass(frozen=True, slots=True)
class _Operation:
    method: Literal["get", "post"]
    path: str
    summary: str
    who: Who = "rater"
    takes: type | None = None  # a form, or the JSON of `Batch`
    gives: str | type = _PAGE  # a kind of content, or the type of its JSON
    redirects: bool = False  # instead of a page
    asks: Sequence[str] = ()  # what may stand after the "?" of its address
    may: Sequence[int] = ()  # statuses besides those that go with `who` and `takes`


_ONE_RATER = "/organiser/raters/{public}"
_EXPORT = "/organiser/export/{kind}.{extension}"
_OPERATIONS = (
    _Operation("get", "/", "what this is, or on to the work", "anyone"),
    _Operation("get", "/healthz", "the server is up", "anyone", gives="text/plain"),
    _Operation("get", "/static/{name}", "styles and scripts", "anyone", gives="*/*", may=(404,)),
    _Operation("get", "/join/{token}", "an invitation, with a button to accept it", "anyone", may=(404, 410, 429)),
    _Operation("post", "/join/{token}", "accept it", "anyone", Button, redirects=True, may=(404, 410, 429)),
    _Operation("get", "/consent", "what taking part means"),
    _Operation("post", "/consent", "agree to it", takes=Button, redirects=True),
    _Operation("get", "/instructions", "how to rate"),
    _Operation("post", "/instructions", "read and understood", takes=Button, redirects=True),
    _Operation("get", "/work", "on to the next page, or to the end", redirects=True),
    _Operation("get", "/task/{assignment}", "a page with outputs to rate", may=(404,)),
    _Operation(
        "post",
        "/task/{assignment}/events",
        "what the rater did; all of it is kept, or nothing",
        takes=Batch,
        gives=EventsReply,
        may=(404, 409, 422),
    ),
    _Operation("get", "/task/{assignment}/feedback", "what was expected on a page of training", may=(404,)),
    _Operation("get", "/mine", "the rater's own finished pages"),
    _Operation("get", "/done", "nothing is left to do"),
    _Operation("post", "/pause", "have a break", takes=Button, redirects=True),
    _Operation("get", "/paused", "on a break"),
    _Operation("post", "/resume", "back from it", takes=Button, redirects=True),
    _Operation("get", "/leave", "withdraw?"),
    _Operation("post", "/leave", "withdraw", takes=Leave, redirects=True, may=(422,)),
    _Operation("get", "/left", "withdrawn"),
    _Operation("get", "/erased", "withdrawn, and nothing is kept", "anyone"),
    _Operation("get", "/device", "go on with another device?"),
    _Operation("post", "/device", "a link for another device", takes=Button, may=(429,)),
    _Operation("post", "/logout", "sign out of this browser", takes=Button, redirects=True),
    _Operation("get", "/organiser/login", "who organises?", "anyone", asks=("to",)),
    _Operation("post", "/organiser/login", "sign in", "anyone", Login, redirects=True, may=(401, 429)),
    _Operation("post", "/organiser/logout", "sign out", "organiser", Button, redirects=True),
    _Operation("get", "/organiser", "how far the study is, how each rater does", "organiser", asks=("done",)),
    _Operation("post", "/organiser/invite", "new links, shown once", "organiser", Invite, may=(422,)),
    _Operation("post", "/organiser/study", "open or close it", "organiser", OpenOrClose, redirects=True, may=(422,)),
    _Operation("get", _ONE_RATER, "one rater", "organiser", asks=("done",), may=(404,)),
    _Operation("post", _ONE_RATER + "/invite", "a new link for a rater", "organiser", Renew, may=(404, 422)),
    _Operation(
        "post", _ONE_RATER + "/release", "a page is for others", "organiser", Release, redirects=True, may=(404, 409)
    ),
    _Operation("post", _ONE_RATER + "/leave", "no more pages", "organiser", Button, redirects=True, may=(404,)),
    _Operation("post", _ONE_RATER + "/accept", "let on", "organiser", Button, redirects=True, may=(404, 409)),
    _Operation("post", _ONE_RATER + "/reject", "not let on", "organiser", Button, redirects=True, may=(404, 409)),
    _Operation("post", _ONE_RATER + "/remove", "erase", "organiser", Remove, redirects=True, may=(404, 422)),
    _Operation("get", "/organiser/results", "means, agreement, bias", "organiser"),
    _Operation("get", _EXPORT, "the results as a file", "organiser", gives="*/*", may=(404, 409)),
    _Operation("get", "/organiser/log", "the latest events", "organiser", asks=("before", "rater"), may=(400, 404)),
)

_PARAMETERS = {
    "assignment": "the page of one rater",
    "before": "the number of an event: older ones",
    "done": "what was done just now",
    "extension": "csv, tsv, jsonl, parquet …",
    "kind": "what to export",
    "name": "of a file, with the hash of its content",
    "public": "a rater's public id",
    "rater": "only events of this one",
    "to": "the page to go to afterwards",
    "token": "of an invitation; a secret",
}
_STATUSES = {
    400: "could not be read",
    401: "no session",
    403: "not sent by a page of ours",
    404: "not there, or not yours",
    405: "not in this way",
    408: "took too long to arrive",
    409: "another tab was faster, or the study is closed",
    410: "the link was used or is too old",
    413: "more than 64 KiB",
    415: "neither a form nor JSON",
    422: "makes no sense here",
    429: "too often; try again later",
    503: "the database does not answer",
}
_TOKEN_HEADER = {
    "name": "X-CSRF-Token",
    "in": "header",
    "required": True,
    "description": "of the session, as in the head of every page",
    "schema": {"type": "string", "maxLength": 128},
}
_ON_BODIES = (400, 403, 408, 413, 415)
_SESSIONS: Mapping[Who, list[dict[str, list[str]]]] = {
    "anyone": [],
    "rater": [{"rater": []}],
    "organiser": [{"organiser": []}],
}


def describe(prefix: str = "") -> dict[str, Any]:
    """The description as JSON values; `prefix` as given to the server."""
    types = {kind for one in _OPERATIONS for kind in (one.takes, one.gives) if isinstance(kind, type)} | {RefusalReply}
    in_order = sorted(types, key=lambda kind: kind.__name__)
    _, schemas = msgspec.json.schema_components(in_order, ref_template=_REF)
    schemas = msgspec.json.decode(msgspec.json.encode(schemas))  # defaults are tuples otherwise
    paths: dict[str, dict[str, Any]] = {}
    for operation in _OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Rank & Rate", "version": "1", "description": "The pages of one rating study."},
        "servers": [{"url": prefix or "/"}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": _security_schemes()},
    }


def _described(operation: _Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": _operation_id(operation),
        "summary": operation.summary,
        "tags": [operation.who],
        "security": _SESSIONS[operation.who],
        "responses": _responses(operation),
    }
    parameters = [_parameter(part.split("}")[0]) for part in operation.path.split("{")[1:]]
    parameters += [{**_parameter(name), "in": "query", "required": False} for name in operation.asks]
    if operation.takes is Batch:
        parameters.append(_TOKEN_HEADER)
    if parameters:
        described["parameters"] = parameters
    if operation.takes is not None:
        kind = "application/json" if operation.takes is Batch else _FORM
        described["requestBody"] = {"required": True, "content": {kind: {"schema": _reference(operation.takes)}}}
    return described


def _operation_id(operation: _Operation) -> str:
    words = operation.path.replace("{", "").replace("}", "").replace(".", "/").strip("/").split("/")
    return "-".join((operation.method, *(word or "home" for word in words)))


def _parameter(name: str) -> dict[str, Any]:
    schema = {"type": "string", "minLength": 1, "maxLength": 128, "pattern": r"^[A-Za-z0-9._-]+$"}
    return {"name": name, "in": "path", "required": True, "description": _PARAMETERS[name], "schema": schema}


def _responses(operation: _Operation) -> dict[str, Any]:
    # Whoever has not joined, agreed, read the instructions or logged in is sent there from every page.
    answers: dict[str, Any] = {"303": {"description": "go on elsewhere"}}
    if not operation.redirects:
        answers["200"] = {"description": "done", "content": _content(operation.gives)}
    expected = {*operation.may, 503, *(() if operation.who == "anyone" else (401,))}
    if operation.method == "post":
        expected.update(_ON_BODIES)
    scripted = isinstance(operation.gives, type)
    for status in sorted(expected):
        refusal = _content(RefusalReply if scripted else _PAGE)
        answers[str(status)] = {"description": _STATUSES[status], "content": refusal}
    return dict(sorted(answers.items()))


def _content(gives: str | type) -> dict[str, Any]:
    if isinstance(gives, type):
        return {"application/json": {"schema": _reference(gives)}}
    return {gives: {"schema": {"type": "string"}}}


def _reference(kind: type) -> dict[str, str]:
    return {"$ref": _REF.format(name=kind.__name__)}


def _security_schemes() -> dict[str, Any]:
    session = "an HttpOnly cookie, set by {}; requests that change something also prove that a page of ours sent them"
    return {
        who: {
            "type": "apiKey",
            "in": "cookie",
            "name": f"plainwright-{who}",
            "description": session.format(door) + "; its name goes on with a mark of the study",
        }
        for who, door in (("rater", "POST /join/{token}"), ("organiser", "POST /organiser/login"))
    }
