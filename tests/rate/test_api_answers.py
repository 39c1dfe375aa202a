"""The server answers as its description says, whoever asks and whatever is sent; what it refuses leaves no trace."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx2 as httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, select
from starlette.applications import Starlette
from starlette.testclient import TestClient
from tests.rate.acting import join
from tests.rate.browser import HOST
from tests.rate.conftest import NOW
from tests.rate.contents import contents_of
from tests.rate.studies import small_study

from plainwright.rate.api import describe
from plainwright.rate.store import people, schema
from plainwright.rate.store.assignment import next_assignment
from plainwright.rate.store.database import Database
from plainwright.rate.store.log import audit
from plainwright.rate.store.studies import load_unit, save_study, set_open
from plainwright.rate.web.app import create_app

DESCRIPTION = describe()
OPERATIONS = [
    (path, method, operation) for path, methods in DESCRIPTION["paths"].items() for method, operation in methods.items()
]
EVENTS = "/task/{assignment}/events"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
ODD_TEXTS = st.text(max_size=20) | st.sampled_from(
    ["..", "../../etc/passwd", "%00", "' OR 1=1 --", "<script>", "a" * 200, "\ud7ff", "login", "٣", "-1"]
)


# Stand for what only the study knows; put in when a request is sent.
CARDS = [f"a-card-{number}" for number in range(5)]
VERSION = (1 << 31) - 1
OWN = "its-own-name"


@dataclass(frozen=True)
class Request:
    path: str
    method: str
    places: dict[str, str]  # in the path
    query: dict[str, str]
    kind: str
    body: Any


def values(shape: dict[str, Any]) -> st.SearchStrategy[Any]:
    """What fits a schema, of the kinds that our description has."""
    if "$ref" in shape:
        return values(DESCRIPTION["components"]["schemas"][shape["$ref"].rpartition("/")[2]])
    if "anyOf" in shape:
        return st.one_of([values(part) for part in shape["anyOf"]])
    if "enum" in shape:
        return st.sampled_from(shape["enum"])
    match shape.get("type"):
        case "object":
            return objects(shape)
        case "array":
            least = shape.get("minItems", 0)
            return st.lists(values(shape["items"]), min_size=least, max_size=least + 3)
        case "string":
            return strings(shape)
        case "integer":
            return st.integers(shape.get("minimum", 0), shape.get("maximum", 1000))
        case "number":
            return st.floats(shape.get("minimum", -1e6), shape.get("maximum", 1e6)) | st.sampled_from([0, 50, 100])
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
    raise AssertionError(f"no kind of value for {shape}")


def objects(shape: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    fields = {name: values(part) for name, part in shape["properties"].items()}
    if "card" in fields:
        fields["card"] |= st.sampled_from(CARDS)
    if "aspect" in fields:
        fields["aspect"] = st.just("overall") | fields["aspect"]
    if "base" in fields:
        fields["base"] = st.just(VERSION) | fields["base"]
    required = {name: fields[name] for name in shape.get("required", ())}
    return st.fixed_dictionaries(required, optional={name: fields[name] for name in fields.keys() - required.keys()})


def strings(shape: dict[str, Any]) -> st.SearchStrategy[str]:
    least, most = shape.get("minLength", 0), min(shape.get("maxLength", 30), 70)
    if "pattern" in shape:
        return st.text("abcXYZ019_-", min_size=max(least, 1), max_size=most)
    return st.text(min_size=least, max_size=most)


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Mostly what fits the description, sometimes anything."""
    path, method, operation = draw(st.sampled_from(OPERATIONS))
    places, query = {}, {}
    for parameter in operation.get("parameters", []):
        text = draw(st.just(OWN) | strings(parameter["schema"]) | ODD_TEXTS)
        if parameter["in"] == "path":
            places[parameter["name"]] = text
        elif parameter["in"] == "query" and draw(st.booleans()):
            query[parameter["name"]] = text
    kind, body = "", None
    if "requestBody" in operation:
        ((kind, content),) = operation["requestBody"]["content"].items()
        fits = draw(st.integers(0, 9)) > 1
        odd = JSON if kind == "application/json" else st.binary(max_size=60)
        body = draw(values(content["schema"]) if fits else odd)
    return Request(path, method, places, query, kind, body)


class Asker:
    """Somebody who sends requests, perhaps with a session."""

    def __init__(self, database: Database, app: Starlette, role: str) -> None:
        self._app = app
        self._client = TestClient(app, base_url=HOST, follow_redirects=False)
        self._csrf = "no token"
        with database.writing() as connection:
            set_open(connection, True)  # an organiser may have closed it before
            rater = join(connection, "", NOW)
            page = next_assignment(connection, rater.id, NOW)
            assert page is not None
            self._cards = [card.id for card in load_unit(connection, page.id).cards]
            link = people.invite(connection, rater_id=None, uses=1, expires=NOW + 60, now=NOW)
            self._own = {"assignment": page.public, "public": rater.public, "token": link}
            self._own |= {"kind": "all", "extension": "csv"}
            if role != "nobody":
                self._sign_in(connection, role, rater.id)

    def _sign_in(self, connection: Connection, role: str, rater_id: int) -> None:
        whose = {"rater_id": rater_id} if role == "rater" else {"organiser_id": _organiser(connection)}
        token = people.open_session(connection, now=NOW, lifetime=600, **whose)
        session = people.session_of(connection, token, NOW)
        assert session is not None
        self._csrf = session.csrf
        self._client.cookies.set(self._app.state.site.cookies[role], token)

    def ask(self, request: Request) -> httpx.Response:
        path = request.path
        for name, text in request.places.items():
            own = self._own.get(name, "x") if text == OWN else text
            path = path.replace(f"{{{name}}}", quote(own, safe=""))
        headers = {"Origin": HOST, "X-CSRF-Token": self._csrf}
        if request.kind:
            headers["content-type"] = request.kind
        return self._client.request(
            request.method.upper(), path, params=request.query, headers=headers, content=self._body(request)
        )

    def _body(self, request: Request) -> bytes | None:
        if request.body is None and not request.kind:
            return None
        if request.kind == "application/json":
            text = json.dumps(request.body).replace(f'"base": {VERSION}', '"base": 0')
            for number, place in enumerate(CARDS):
                text = text.replace(place, self._cards[number % len(self._cards)])
            return text.encode()
        if isinstance(request.body, bytes):
            return request.body
        fields = {**request.body, "csrf": self._csrf}
        return "&".join(f"{name}={quote(str(value))}" for name, value in fields.items()).encode()


def _organiser(connection: Connection) -> int:
    found = connection.execute(select(schema.organisers.c.id)).scalar()
    if found is not None:
        return int(found)
    row = schema.organisers.insert().values(name="organiser", password="none that anybody could give")
    return int(connection.execute(row).inserted_primary_key[0])


@pytest.fixture
def app(database: Database) -> Starlette:
    """A study with pages for as many raters as a test needs."""
    study, items = small_study(raters_per_unit=100_000)
    with database.writing() as connection:
        save_study(connection, study, items, NOW)
    return create_app(database, now=lambda: NOW)


@pytest.mark.parametrize("role", ["nobody", "rater", "organiser"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(request=requests())
def test_every_answer_is_one_that_is_described(database: Database, app: Starlette, role: str, request: Request) -> None:
    asker = Asker(database, app, role)
    before = contents_of(database)
    reply = asker.ask(request)
    described = DESCRIPTION["paths"][request.path][request.method]["responses"]
    # Odd texts in a path may make it another one: closed, not there, or there for another method.
    expected = {int(status) for status in described} | ({401, 404, 405} if request.places else set())
    assert reply.status_code in expected, (request, reply.text[:300])
    if (request.method == "get" and request.path != "/work") or reply.status_code >= 400:
        assert contents_of(database) == before
    if request.path == EVENTS and reply.status_code == 200:
        assert reply.json()["work"]["version"] > 0
        with database.reading() as connection:
            assert audit(connection) == []
