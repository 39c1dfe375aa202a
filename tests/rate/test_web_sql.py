"""SQL in every place of every request that the server's description knows: it is text, or it is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient
from tests.rate.acting import join
from tests.rate.browser import HOST
from tests.rate.conftest import NOW
from tests.rate.contents import contents_of
from tests.rate.studies import small_study

from plainwright.rate.api import describe
from plainwright.rate.store import organisers, people
from plainwright.rate.store.assignment import next_assignment
from plainwright.rate.store.database import Database
from plainwright.rate.store.log import audit
from plainwright.rate.store.studies import load_unit, save_study
from plainwright.rate.web.app import create_app

DESCRIPTION = describe()
SCHEMAS = DESCRIPTION["components"]["schemas"]
SQL = [
    "'; DROP TABLE events; --",
    '") ; DELETE FROM raters; --',
    "1 OR 1=1 UNION SELECT password FROM organisers",
    "\\'; SELECT pg_sleep(60); --",
]
# Where any text will do. Of `kind` and `uses`, the first says that the second is not asked for.
FREE = {("/organiser/invite", "names"), ("/organiser/invite", "kind"), ("/organiser/invite", "uses")}


class Somebody:
    """A browser with the cookies of a rater and of an organiser."""

    def __init__(self, database: Database) -> None:
        self.database = database
        with database.writing() as connection:
            save_study(connection, *small_study(), NOW)
            rater = join(connection, "Eve", NOW)
            page = next_assignment(connection, rater.id, NOW)
            assert page is not None
            self.card = load_unit(connection, page.id).cards[0].id
            organiser = organisers.set_password(connection, "organiser", "correct horse battery")
            tokens = {
                "rater": people.open_session(connection, rater_id=rater.id, now=NOW, lifetime=600),
                "organiser": people.open_session(connection, organiser_id=organiser.id, now=NOW, lifetime=600),
            }
            sessions = {role: people.session_of(connection, token, NOW) for role, token in tokens.items()}
        self.csrf = {role: session.csrf for role, session in sessions.items() if session}
        app = create_app(database, now=lambda: NOW)
        self.client = TestClient(app, base_url=HOST, follow_redirects=False)
        self.cookies = app.state.site.cookies
        for role, token in tokens.items():
            self.client.cookies.set(self.cookies[role], token)
        self.events = f"/task/{page.public}/events"
        self.own = {"assignment": page.public, "public": rater.public, "token": "x", "kind": "all", "extension": "csv"}

    def token_for(self, path: str) -> str:
        return self.csrf["organiser" if path.startswith("/organiser") else "rater"]


@pytest.fixture
def somebody(database: Database) -> Somebody:
    return Somebody(database)


def fields_of(operation: dict[str, Any]) -> list[str]:
    """The fields of a form."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/x-www-form-urlencoded")
    return list(SCHEMAS[content["schema"]["$ref"].rpartition("/")[2]]["properties"]) if content else []


def requests(somebody: Somebody, text: str) -> Iterator[tuple[str, str, httpx.Response]]:
    """Path as described, what holds the text, and the answer; the text in one place of a request at a time."""
    for described, methods in DESCRIPTION["paths"].items():
        for method, operation in methods.items():
            places = {one["name"]: one["in"] for one in operation.get("parameters", ())}
            for name in [*places, *fields_of(operation)]:
                path = described
                for other, value in somebody.own.items():
                    path = path.replace(f"{{{other}}}", quote(text if other == name else value, safe=""))
                options: dict[str, Any] = {"headers": {"X-CSRF-Token": somebody.token_for(path)}}
                if places.get(name) == "query":
                    options["params"] = {name: text}
                elif places.get(name) == "header":
                    options["headers"][name] = text
                elif name not in places:
                    options["data"] = {name: text}
                    if name == "csrf":
                        del options["headers"]
                yield described, name, somebody.client.request(method.upper(), path, **options)


@pytest.mark.parametrize("text", SQL)
def test_in_paths_queries_headers_and_forms(somebody: Somebody, text: str) -> None:
    before = contents_of(somebody.database)
    asked = 0
    for path, name, reply in requests(somebody, text):
        asked += 1
        assert reply.status_code < 500, (path, name)
        after = contents_of(somebody.database)
        if (path, name) in FREE:
            assert {table for table in before if after[table] != before[table]} == {"raters", "invitations"}
            assert after["raters"][: len(before["raters"])] == before["raters"]
            if name == "names":
                assert text in after["raters"][-1]
            before = after
        assert after == before, (path, name, reply.status_code)
    assert asked > 40


def samples(card: str) -> Iterator[dict[str, Any]]:
    """One event of each kind, with all its fields."""
    edit = {"kind": "split", "start": 1, "end": 1, "source_start": 0, "source_end": 0}
    usual = {"card": card, "aspect": "overall", "value": 5, "group": "split", "place": 0, "edits": [edit], "text": "x"}
    for shape in SCHEMAS.values():
        kind = shape.get("properties", {}).get("kind", {}).get("enum", [])
        if len(kind) == 1:
            yield {name: kind[0] if name == "kind" else usual.get(name, True) for name in shape["properties"]}


@pytest.mark.parametrize("text", SQL)
def test_in_every_field_of_events(somebody: Somebody, text: str) -> None:
    before = contents_of(somebody.database)
    headers = {"X-CSRF-Token": somebody.token_for("/task")}
    kinds = set()
    for event in samples(somebody.card):
        kinds.add(event["kind"])
        changed = [{**event, name: text} for name in event] + [{**event, text: 1}]
        batches: list[Any] = [{"base": 0, "events": [{"key": "k" * 20, "at": 1, "event": one}]} for one in changed]
        batches += [{"base": 0, "events": [{"key": text, "at": 1, "event": event}]}, {"base": text, "events": []}]
        batches += [{"base": 0, "events": [{"key": "k" * 20, "at": text, "event": event}]}]
        for batch in batches:
            if event["kind"] == "comment" and batch["events"] and batch["events"][0]["event"].get("text") == text:
                continue  # which may say anything
            reply = somebody.client.post(somebody.events, json=batch, headers=headers)
            assert reply.status_code in (400, 422), batch
    assert contents_of(somebody.database) == before
    assert len(kinds) == 13


@pytest.mark.parametrize("text", SQL)
def test_comments_say_anything(somebody: Somebody, text: str) -> None:
    before = contents_of(somebody.database)
    event = {"kind": "comment", "text": text}
    headers = {"X-CSRF-Token": somebody.token_for("/task")}
    batch = {"base": 0, "events": [{"key": "k" * 20, "at": 1, "event": event}]}
    reply = somebody.client.post(somebody.events, json=batch, headers=headers)
    assert reply.json()["work"]["answers"]["comment"] == text
    after = contents_of(somebody.database)
    assert {table for table in before if after[table] != before[table]} == {"events", "assignments"}
    with somebody.database.reading() as connection:
        assert audit(connection) == []


@pytest.mark.parametrize("text", SQL)
def test_in_cookies(somebody: Somebody, text: str) -> None:
    before = contents_of(somebody.database)
    stranger = TestClient(somebody.client.app, base_url=HOST, follow_redirects=False)
    for name in somebody.cookies.values():
        for path in ("/", "/work", "/organiser", "/organiser/login"):
            reply = stranger.get(path, headers={"cookie": f"{name}={text}"})
            stranger.cookies.clear()
            assert reply.status_code in (200, 303, 401)
            assert "/login" in reply.headers.get("location", "/login")
    assert contents_of(somebody.database) == before
