"""Nothing that a rater's browser gets says which system wrote what, nor which pages and outputs are controls."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace

import httpx2 as httpx
import pytest
from sqlalchemy import select
from tests.rate.browser import Browser, Clock, cards_and_version, personal_link
from tests.rate.conftest import NOW
from tests.rate.studies import SOURCES, small_study

from plainwright.rate.building import build_items
from plainwright.rate.settings import Controls
from plainwright.rate.store.database import Database
from plainwright.rate.store.schema import candidates, items
from plainwright.rate.store.studies import save_study
from plainwright.rate.web.app import create_app

CONTROLS = Controls(source=True, reference=True, degraded=1.0, repeats=0.5)


@pytest.fixture(params=["rank", "likert", "pairwise"])
def blind(request: pytest.FixtureRequest, database: Database) -> Database:
    """A study with everything that must not show."""
    form: str = request.param
    settings, _ = small_study(form, training=1)
    settings = replace(settings, controls=CONTROLS)
    sources = list(SOURCES[:4])
    outputs = {
        "Zebrafinch-7B": [f"First: {source}" for source in sources],
        "quokka/best.ckpt": [f"Second: {source}" for source in sources],
        "quokka/copy.ckpt": [f"Second: {source}" for source in sources],
    }
    references = [[f"In other words: {source}"] for source in sources]
    made = build_items(sources, outputs, settings, references, names=[f"wombat-{number}" for number in range(4)])
    with database.writing() as connection:
        save_study(connection, settings, made, NOW)
    return database


def secrets_of(database: Database) -> set[str]:
    with database.reading() as connection:
        words = set(connection.scalars(select(candidates.c.system))) | set(connection.scalars(select(items.c.name)))
        words |= set(connection.scalars(select(candidates.c.control))) - {None, "source"}
    assert {"Zebrafinch-7B", "wombat-0", "control-source", "control-degraded", "degraded", "reference"} <= words
    return {word for word in words if word != "training"} | {"zebrafinch", "quokka", "wombat"}


def rated(browser: Browser, database: Database, task: str) -> httpx.Response:
    """Answer whatever a page asks."""
    data = page_data(browser.get(task))
    events: list[dict[str, object]] = []
    for aspect in data["aspects"]:
        if data["compares"]:
            events.append({"kind": "prefer", "aspect": aspect["name"], "card": None})
        else:
            events += [
                {"kind": "score", "card": card["id"], "aspect": aspect["name"], "value": aspect["low"]}
                for card in data["cards"]
            ]
    return browser.send(task, *events, {"kind": "finish"}, base=cards_and_version(database, task)[1])


def page_data(page: httpx.Response) -> dict:
    found = re.search(r'<script type="application/json" id="task-data">(.*?)</script>', page.text, re.S)
    assert found
    return json.loads(found[1])


def test_no_byte_tells_who_wrote_what(blind: Database) -> None:
    browser = Browser(create_app(blind, now=Clock(NOW)))
    received: list[httpx.Response] = []
    browser.client.event_hooks["response"].append(lambda reply: (reply.read(), received.append(reply)))
    browser.begin(personal_link(blind, NOW, "Eve")[1])
    pages = []
    for _ in range(60):
        reply = browser.visit("/work")
        if not browser.path.startswith("/task/"):
            break
        pages.append(reply)
        answer = rated(browser, blind, browser.path)
        assert answer.status_code == 200, answer.text
        browser.visit(answer.json()["next"])
    assert browser.path == "/done"
    for path in ("/mine", "/instructions", "/device", "/leave", "/nothing", f"{pages[0].url.path!s}/feedback"):
        browser.get(path)
    for asset in sorted(set(re.findall(r'/static/[^"]+', "".join(page.text for page in pages)))):
        browser.get(asset)

    assert len(received) > 30
    secret = secrets_of(blind)
    for reply in received:
        told = f"{reply.url} {reply.headers!r} {html.unescape(reply.text)}".lower()
        assert not [word for word in secret if re.search(rf"(?<![a-z]){re.escape(word.lower())}", told)], reply.url


def test_pages_that_come_again_look_like_any_other(blind: Database) -> None:
    browser = Browser(create_app(blind, now=Clock(NOW)))
    browser.begin(personal_link(blind, NOW)[1])
    sources, shapes = [], []
    while browser.visit("/work") and browser.path.startswith("/task/"):
        data = page_data(browser.get(browser.path))
        sources.append((data["source"]["text"], frozenset(card["id"] for card in data["cards"])))
        shapes.append((set(data), set(data["source"]), *(frozenset(card) for card in data["cards"])))
        rated(browser, blind, browser.path)
    assert len(set(sources)) < len(sources)  # some did
    assert {frozenset(shape[2:]) for shape in shapes} == {frozenset({frozenset({"id", "text", "edits", "words"})})}
    assert len({(frozenset(page), frozenset(source)) for page, source, *_ in shapes}) == 1
