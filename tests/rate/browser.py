"""A browser without a screen: keeps cookies, fills in forms, sends events as the task page does."""

from __future__ import annotations

import html
import itertools
import re
from typing import Any

import httpx2 as httpx
from sqlalchemy import select
from starlette.applications import Starlette
from starlette.testclient import TestClient

from plainwright.rate.store import people
from plainwright.rate.store.database import Database
from plainwright.rate.store.schema import assignments
from plainwright.rate.store.studies import load_unit

HOST = "http://study.example"
_keys = itertools.count()


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class Browser:
    """One browser of one person."""

    def __init__(self, app: Starlette, prefix: str = "", *, address: str = "203.0.113.7") -> None:
        self.prefix = prefix
        self.client = TestClient(app, base_url=HOST, follow_redirects=False, client=(address, 50000))
        self.csrf = ""
        self.path = ""

    def get(self, path: str, **options: Any) -> httpx.Response:
        """One page, wherever it leads."""
        return self._noted(self.client.get(self.prefix + path, **options), path)

    def visit(self, path: str) -> httpx.Response:
        """One page, following redirects as browsers do."""
        return self._followed(self.get(path))

    def post(self, path: str, **fields: str) -> httpx.Response:
        """Send a form with the token of the last page."""
        form = {"csrf": self.csrf, **fields}
        return self._noted(self.client.post(self.prefix + path, data=form, headers={"Origin": HOST}), path)

    def submit(self, path: str, **fields: str) -> httpx.Response:
        """Send a form and follow where it leads."""
        return self._followed(self.post(path, **fields))

    def send(self, task: str, *events: dict[str, Any], base: int, keys: list[str] | None = None) -> httpx.Response:
        """Send events as the script of a task page does; `task` is its path."""
        keys = keys or [f"key-{next(_keys):012d}" for _ in events]
        sent = [{"key": key, "at": 1_700_000_000_000, "event": event} for key, event in zip(keys, events, strict=True)]
        return self.send_raw(task, {"base": base, "events": sent})

    def send_raw(self, task: str, batch: object) -> httpx.Response:
        """Send whatever it is, as JSON."""
        headers = {"Origin": HOST, "X-CSRF-Token": self.csrf}
        return self.client.post(f"{self.prefix}{task}/events", json=batch, headers=headers)

    def join(self, token: str) -> httpx.Response:
        """Open a link and press its button."""
        self.get(f"/join/{token}")
        return self.submit(f"/join/{token}")

    def begin(self, token: str) -> str:
        """From a link to the first task, through consent and instructions; the path of the task."""
        reply = self.join(token)
        for step in ("/consent", "/instructions"):
            if self.path == step:
                reply = self.submit(step)
        assert reply.status_code == 200, reply.text
        return self.path

    def rate_everything(self, database: Database, task: str, score: float = 50) -> httpx.Response:
        """Score every card of a page of the form "rank" the same, and finish."""
        self.get(task)
        cards, version = cards_and_version(database, task)
        scores = [{"kind": "score", "card": card, "aspect": "overall", "value": score} for card in cards]
        return self.send(task, {"kind": "show"}, *scores, {"kind": "finish"}, base=version)

    def cookie(self, role: str) -> str | None:
        """The value of one of our cookies."""
        return next((c.value for c in self.client.cookies.jar if f"-{role}-" in c.name), None)

    def _followed(self, reply: httpx.Response) -> httpx.Response:
        for _ in range(8):
            if reply.status_code != 303:
                return reply
            place = reply.headers["location"]
            assert place.startswith(self.prefix + "/"), place
            reply = self.get(place.removeprefix(self.prefix))
        raise AssertionError(f"redirects in a circle at {reply.headers['location']}")

    def _noted(self, reply: httpx.Response, path: str) -> httpx.Response:
        token = re.search(r'<meta name="csrf-token" content="([^"]*)">', reply.text)
        if token:
            self.csrf, self.path = html.unescape(token[1]), path
        return reply


def cards_and_version(database: Database, task: str) -> tuple[list[str], int]:
    """Ids of the cards of a task in the order shown, and how many events there were."""
    public = task.removeprefix("/task/")
    with database.reading() as connection:
        own = select(assignments.c.id, assignments.c.version).where(assignments.c.public == public)
        row = connection.execute(own).one()
        return [card.id for card in load_unit(connection, row.id).cards], row.version


def personal_link(database: Database, now: float, label: str = "") -> tuple[people.Rater, str]:
    """A new rater and the token of a link."""
    with database.writing() as connection:
        rater = people.add_rater(connection, label, now)
        return rater, people.invite(connection, rater_id=rater.id, uses=1, expires=now + 86400, now=now)
