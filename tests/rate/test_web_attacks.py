"""What must be refused: forged requests, others' pages, odd bodies and paths; nothing is written, all is logged."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.applications import Starlette
from tests.asynchronous import run_async
from tests.rate.browser import HOST, Browser, Clock, cards_and_version, personal_link
from tests.rate.conftest import NOW
from tests.rate.contents import contents_of
from tests.rate.studies import small_study

from plainwright.rate.store import people
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import save_study
from plainwright.rate.web.app import create_app
from plainwright.web.bodies import LIMIT

pytest.importorskip("starlette")

SCRIPT = '<script>alert(1)</script><img src=x onerror="alert(2)">'
FORM = {"content-type": "application/x-www-form-urlencoded"}
RATER_POSTS = ["/consent", "/instructions", "/pause", "/resume", "/device", "/logout", "/leave"]
RATER_PAGES = ["/consent", "/instructions", "/work", "/done", "/paused", "/mine", "/device", "/leave", "/left"]


@pytest.fixture
def attacked(database: Database) -> Database:
    settings, items = small_study(consent="Yes?", instructions="Do it.")
    with database.writing() as connection:
        save_study(connection, settings, items, NOW)
    return database


@pytest.fixture
def rater(attacked: Database) -> tuple[Browser, str]:
    """A rater at the first task."""
    browser = Browser(create_app(attacked, now=Clock(NOW)))
    return browser, browser.begin(personal_link(attacked, NOW)[1])


@contextmanager
def refused(database: Database, caplog: pytest.LogCaptureFixture, *expected: str) -> Iterator[None]:
    """Within, nothing at all is written to the database, and the log gets one such line for each request."""
    before = contents_of(database)
    caplog.clear()
    yield
    assert contents_of(database) == before
    assert [message.partition(" rater=")[0] for message in caplog.messages] == [f"refused {line}" for line in expected]
    assert {record.name for record in caplog.records} <= {"plainwright.rate.security"}


def events_of(cards: list[str], **changes: object) -> dict[str, object]:
    event = {"kind": "score", "card": cards[0], "aspect": "overall", "value": 50, **changes}
    return {"base": 0, "events": [{"key": "k" * 20, "at": 1, "event": event}]}


# Requests that our pages did not send


@pytest.mark.parametrize(
    ("fields", "headers", "reason"),
    [
        ({}, {}, "csrf"),
        ({"csrf": ""}, {}, "csrf"),
        ({"csrf": "A" * 43}, {}, "csrf"),
        ({"csrf": "ünïcödé"}, {}, "csrf"),
        ({"csrf": "GOOD"}, {"Origin": "https://evil.example"}, "origin"),
        ({"csrf": "GOOD"}, {"Origin": "null"}, "origin"),
        ({"csrf": "GOOD"}, {"Origin": "http://study.example.evil.example"}, "origin"),
        ({"csrf": "GOOD"}, {"Origin": "http://study.example:81"}, "origin"),
        ({"csrf": "GOOD"}, {"Origin": "gopher://study.example"}, "origin"),
        ({"csrf": "GOOD"}, {"Sec-Fetch-Site": "cross-site", "Origin": HOST}, "origin"),
        ({"csrf": "GOOD"}, {"Sec-Fetch-Site": "same-site", "Origin": HOST}, "origin"),
    ],
)
def test_forms_from_elsewhere_are_refused(rater, attacked, fields, headers, reason, caplog):
    browser, _ = rater
    sent = {name: browser.csrf if value == "GOOD" else value for name, value in fields.items()}
    with refused(attacked, caplog, *(f"403 {reason} POST {path}" for path in RATER_POSTS)):
        for path in RATER_POSTS:
            reply = browser.client.post(path, data={**sent, "ratings": "erase"}, headers=headers)
            assert reply.status_code == 403


def test_events_need_the_token_in_a_header(rater, attacked, caplog):
    browser, task = rater
    cards, _ = cards_and_version(attacked, task)
    wrong = ({}, {"X-CSRF-Token": "wrong"}, {"X-CSRF-Token": browser.csrf, "Origin": "https://evil.example"})
    reasons = ("csrf", "csrf", "origin")
    with refused(attacked, caplog, *(f"403 {reason} POST {task}/events" for reason in reasons)):
        for headers, reason in zip(wrong, reasons, strict=True):
            reply = browser.client.post(f"{task}/events", json=events_of(cards), headers=headers)
            assert reply.status_code == 403
            assert reply.json()["reason"] == reason


def test_the_token_of_one_rater_is_nothing_to_another(rater, attacked, caplog):
    browser, _ = rater
    other = Browser(browser.client.app)
    own = other.begin(personal_link(attacked, NOW)[1])
    cards, _ = cards_and_version(attacked, own)
    with refused(attacked, caplog, "403 csrf POST /pause", f"403 csrf POST {own}/events"):
        assert other.client.post("/pause", data={"csrf": browser.csrf}).status_code == 403
        headers = {"X-CSRF-Token": browser.csrf}
        assert other.client.post(f"{own}/events", json=events_of(cards), headers=headers).status_code == 403


def test_a_browser_that_says_nothing_of_where_it_comes_from_needs_only_the_token(rater):
    browser, _ = rater
    assert browser.client.post("/pause", data={"csrf": browser.csrf}).status_code == 303
    reply = browser.client.post("/resume", data={"csrf": browser.csrf}, headers={"Sec-Fetch-Site": "same-origin"})
    assert reply.status_code == 303


def test_nobody_can_be_signed_in_as_somebody_else_by_another_site(attacked, caplog):
    """An attacker's link, posted by a hidden form on the attacker's page."""
    victim = Browser(create_app(attacked, now=Clock(NOW)))
    _, token = personal_link(attacked, NOW)
    with refused(attacked, caplog, *["403 csrf POST /join/..."] * 3):
        assert victim.client.post(f"/join/{token}").status_code == 403  # never saw the page
        victim.get("/")
        assert victim.client.post(f"/join/{token}", data={"csrf": "guess"}).status_code == 403
        attacker = Browser(victim.client.app)
        attacker.get(f"/join/{token}")
        assert victim.client.post(f"/join/{token}", data={"csrf": attacker.csrf}).status_code == 403


# Others' pages, no session


def test_another_raters_task_looks_as_if_it_were_not_there(rater, attacked, caplog):
    browser, task = rater
    other = Browser(browser.client.app)
    other.begin(personal_link(attacked, NOW)[1])
    cards, _ = cards_and_version(attacked, task)
    unknown = f"/task/{'x' * 16}"
    asked = ["GET {}", "GET {}/feedback", "POST {}/events"]
    with refused(attacked, caplog, *(f"404 unknown {line.format(page)}" for line in asked for page in (task, unknown))):
        for path in ("", "/feedback"):
            foreign, nowhere = other.get(task + path), other.get(unknown + path)
            assert foreign.status_code == nowhere.status_code == 404
            assert foreign.text == nowhere.text
        foreign, nowhere = other.send_raw(task, events_of(cards)), other.send_raw(unknown, events_of(cards))
        assert foreign.status_code == nowhere.status_code == 404
        assert foreign.json() == nowhere.json()


def test_another_raters_outputs_are_not_there_either(attacked, caplog):
    """Ids of another item's outputs, sent for one's own page."""
    app = create_app(attacked, now=Clock(NOW))
    browser = Browser(app)
    first = browser.begin(personal_link(attacked, NOW)[1])
    foreign, _ = cards_and_version(attacked, first)
    browser.rate_everything(attacked, first)
    second = browser.visit("/work") and browser.path
    assert second != first
    base = cards_and_version(attacked, second)[1]
    with refused(attacked, caplog, f"422 refused POST {second}/events"):
        batch = events_of(foreign) | {"base": base}
        assert browser.send_raw(second, batch).status_code == 422


def test_pages_of_raters_are_closed_to_strangers(attacked, caplog):
    stranger = Browser(create_app(attacked, now=Clock(NOW)))
    with refused(attacked, caplog, *(f"401 session GET {path}" for path in RATER_PAGES)):
        for path in RATER_PAGES:
            reply = stranger.get(path)
            assert reply.status_code == 401
            assert "open your link again" in reply.text


def test_forms_of_raters_are_closed_to_strangers(attacked, caplog):
    stranger = Browser(create_app(attacked, now=Clock(NOW)))
    stranger.get("/")
    with refused(attacked, caplog, *(f"401 session POST {path}" for path in RATER_POSTS)):
        for path in RATER_POSTS:
            assert stranger.post(path, ratings="erase").status_code == 401


# Forged and replayed keys


@pytest.mark.parametrize(
    ("state", "status"), [("unknown", 404), ("spent", 410), ("expired", 410), ("left", 410), ("erased", 404)]
)
def test_links_that_open_nothing(attacked, caplog, state, status):
    clock = Clock(NOW)
    app = create_app(attacked, now=clock, elapsed=clock)
    invited, token = personal_link(attacked, NOW)
    match state:
        case "unknown":
            token = token[:-1] + ("A" if token[-1] != "A" else "B")
        case "spent":
            Browser(app).begin(token)
        case "expired":
            clock.now += 86400
        case "left" | "erased":
            with attacked.writing() as connection:
                (people.leave if state == "left" else people.erase)(connection, invited.id, NOW)
    thief = Browser(app)
    thief.get("/")
    reason = {"left": "spent", "erased": "unknown"}.get(state, state)
    with refused(attacked, caplog, *(f"{status} {reason} {method} /join/..." for method in ("GET", "POST"))):
        assert thief.get(f"/join/{token}").status_code == status
        assert thief.post(f"/join/{token}").status_code == status
    assert thief.cookie("rater") is None


@pytest.mark.parametrize("end", ["/logout", "keep", "erase", "time", "organiser"])
def test_a_session_that_was_ended_cannot_be_replayed(attacked, caplog, end):
    clock = Clock(NOW)
    browser = Browser(create_app(attacked, now=clock, elapsed=clock))
    invited, token = personal_link(attacked, NOW)
    task = browser.begin(token)
    cards, _ = cards_and_version(attacked, task)
    kept, csrf = browser.cookie("rater"), browser.csrf
    if end == "time":
        clock.now += people.RATER_SESSION
    elif end == "organiser":
        with attacked.writing() as connection:
            people.erase(connection, invited.id, NOW)
        clock.now += 5  # so long may another process's word take
    else:
        browser.post("/logout" if end == "/logout" else "/leave", ratings=end)
    thief = Browser(browser.client.app)
    thief.client.cookies.set(browser.client.app.state.site.cookies["rater"], kept)
    thief.csrf = csrf
    # Who left may still be told so, and that is all.
    lines = ["409 closed POST {}/events"] if end == "keep" else ["401 session GET {}", "401 session POST {}/events"]
    with refused(attacked, caplog, *(line.format(task) for line in lines)):
        shown = thief.client.get(task)
        assert (shown.status_code, shown.headers.get("location")) == ((303, "/left") if end == "keep" else (401, None))
        assert thief.send_raw(task, events_of(cards)).status_code == (409 if end == "keep" else 401)


def test_forged_cookies_open_nothing(rater, attacked, caplog):
    browser, task = rater
    name = browser.client.app.state.site.cookies["rater"].encode()
    forged = [
        b"",
        b"x",
        b"A" * 43,
        b"A" * 5000,
        b"' OR '1'='1",
        b"..%2f..",
        b"\\x00",
        b'"quoted"',
        b"a; b=c; =d",
        b"\xff",
    ]
    with refused(attacked, caplog, *[f"401 session GET {task}"] * len(forged)):
        for value in forged:
            reply = Browser(browser.client.app).client.get(task, headers=[(b"cookie", name + b"=" + value)])
            assert reply.status_code == 401, value


def test_the_cookie_of_a_rater_is_no_cookie_of_an_organiser(rater):
    browser, _ = rater
    names = browser.client.app.state.site.cookies
    stranger = Browser(browser.client.app)
    stranger.client.cookies.set(names["organiser"], browser.cookie("rater"))
    assert stranger.get("/organiser").status_code != 200


# Bodies


@pytest.mark.parametrize("size", [LIMIT + 1, 10 * LIMIT])
@pytest.mark.parametrize("chunked", [False, True])
def test_bodies_beyond_the_limit_are_not_read(rater, attacked, caplog, size, chunked):
    browser, task = rater
    body = b" " * size
    headers = {"X-CSRF-Token": browser.csrf, "content-type": "application/json"}
    content = iter([body[: size // 2], body[size // 2 :]]) if chunked else body
    with refused(attacked, caplog, f"413 large POST {task}/events"):
        reply = browser.client.post(f"{task}/events", content=content, headers=headers)
    assert reply.status_code == 413
    assert reply.json()["reason"] == "large"


def test_the_largest_body_is_read(rater, attacked):
    browser, task = rater
    cards, _ = cards_and_version(attacked, task)
    body = json.dumps(events_of(cards)).encode()
    headers = {"X-CSRF-Token": browser.csrf, "content-type": "application/json; charset=UTF-8"}
    reply = browser.client.post(f"{task}/events", content=body.ljust(LIMIT), headers=headers)
    assert reply.status_code == 200


MALFORMED = (
    b"",
    b"{",
    b"null",
    b"[]",
    b"\xff\xfe",
    b'{"base": 0, "events": []}',
    b'{"base": -1, "events": [{}]}',
    b'{"base": 1e400, "events": []}',
    b'{"base": 0, "events": [], "extra": 1}',
    b'{"base": "0", "events": [{"key": "kkkkkkkkkkkkkkkkkkkk", "at": 1, "event": {"kind": "show"}}]}',
    b'{"base": 0, "events": [{"key": "short", "at": 1, "event": {"kind": "show"}}]}',
    b'{"base": 0, "events": [{"key": "kkkkkkkkkkkkkkkkk\\n", "at": 1, "event": {"kind": "show"}}]}',
    b'{"base": 0, "events": [{"key": "kkkkkkkkkkkkkkkkkkkk", "at": 1, "event": {"kind": "explode"}}]}',
    b'{"base": 0, "events": [{"key": "kkkkkkkkkkkkkkkkkkkk", "at": 1, "event": {"kind": "show", "x": 1}}]}',
    b'{"base": 0, "events": [{"key": "kkkkkkkkkkkkkkkkkkkk", "at": NaN, "event": {"kind": "show"}}]}',
    b"[" * 30000,
    b'{"base":' * 8000,
    b'{"base": 0, "events": [{"key": "kkkkkkkkkkkkkkkkkkkk", "at": 1, '
    b'"event": {"kind": "comment", "text": "\\ud800"}}]}',
)


def test_malformed_events_are_refused_whole(rater, attacked, caplog):
    browser, task = rater
    headers = {"X-CSRF-Token": browser.csrf, "content-type": "application/json"}
    with refused(attacked, caplog, *[f"400 malformed POST {task}/events"] * len(MALFORMED)):
        for body in MALFORMED:
            reply = browser.client.post(f"{task}/events", content=body, headers=headers)
            assert reply.status_code == 400, body[:200]
            assert reply.json()["reason"] == "malformed"


@pytest.mark.parametrize(
    "changes",
    [
        {"card": "nobody"},
        {"aspect": "'; DROP TABLE events; --"},
        {"aspect": SCRIPT},
        {"value": 101},
        {"value": -1},
        {"kind": "move", "group": "all", "place": 0, "value": None, "aspect": None},
    ],
)
def test_events_that_make_no_sense_are_refused(rater, attacked, caplog, changes):
    browser, task = rater
    cards, _ = cards_and_version(attacked, task)
    batch = events_of(cards, **changes)
    event = {name: value for name, value in batch["events"][0]["event"].items() if value is not None}
    batch["events"][0]["event"] = event
    with refused(attacked, caplog, f"422 refused POST {task}/events"):
        reply = browser.send_raw(task, batch)
    assert reply.status_code == 422
    assert reply.json()["reason"] == "refused"


def test_words_of_raters_are_kept_as_they_are_and_shown_escaped(rater, attacked):
    browser, task = rater
    text = f"{SCRIPT} '; DROP TABLE events; -- \u0000 \U0001f600 \u202e"
    reply = browser.send(task, {"kind": "comment", "text": text}, base=0)
    assert reply.status_code == 200
    assert reply.json()["work"]["answers"]["comment"] == text.replace("\0", "")  # which no database keeps
    shown = browser.get(task).text
    assert "<script>alert" not in shown
    assert "<img src=x" not in shown


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "multipart/form-data; boundary=x"},
        {"content-type": "application/json; charset=utf-16"},
        {"content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip"},
        {"content-type": "application/jsonp"},
        {"content-type": ";"},
    ],
)
def test_other_kinds_of_bodies_are_refused(rater, attacked, caplog, headers):
    browser, task = rater
    paths = ("/pause", f"{task}/events")
    with refused(attacked, caplog, *(f"415 type POST {path}" for path in paths)):
        for path in paths:
            reply = browser.client.post(path, content=b"{}", headers={**headers, "X-CSRF-Token": browser.csrf})
            assert reply.status_code == 415


def test_events_are_no_form_and_forms_are_no_json(rater, attacked, caplog):
    browser, task = rater
    token = {"X-CSRF-Token": browser.csrf}
    with refused(attacked, caplog, *(f"415 type POST {path}" for path in (f"{task}/events", *RATER_POSTS))):
        assert browser.client.post(f"{task}/events", data={"base": "0"}, headers=token).status_code == 415
        for path in RATER_POSTS:
            assert browser.client.post(path, json={"ratings": "erase"}, headers=token).status_code == 415


@pytest.mark.parametrize("body", [b"csrf=%FF%FE", b"\xff=1", b"csrf=a&csrf=b", b"&".join([b"a=1"] * 500)])
def test_malformed_forms_are_refused(rater, attacked, caplog, body):
    browser, _ = rater
    with refused(attacked, caplog, "400 malformed POST /pause"):
        reply = browser.client.post("/pause", content=body, headers={**FORM, "X-CSRF-Token": browser.csrf})
    assert reply.status_code == 400


@pytest.mark.parametrize("length", ["-1", "x", "9" * 30, "1e3"])
def test_a_length_that_is_no_number_is_refused(rater, length):
    browser, _ = rater
    reply = browser.client.post("/pause", content=b"", headers={**FORM, "content-length": length})
    assert reply.status_code in (400, 413)


# Paths and methods


ODD_PATHS = (
    "/static/../app.py",
    "/static/..%2fapp.py",
    "/static/%2e%2e/%2e%2e/app.py",
    "/static/rate.css",
    "/static/",
    "/static//etc/passwd",
    "/task/",
    "/task/%00",
    "/task/../organiser",
    "/task/..%2f..%2forganiser",
    "/task/%F0%9F%98%80",
    "/task/'%20OR%201=1%20--",
    f"/task/{'a' * 5000}",
    "/WORK",
    "/work/",
    "//work",
    "/./work",
    "/task/../work",
    "/work/extra",
    "/work%2f",
    "/healthz/",
    "/.git/config",
    "/join/",
    "/join/a/b",
    "/%0d%0aset-cookie:x=1",
)


def status_of(app: Starlette, path: str, cookie: str) -> int:
    """Ask for a path exactly as it is; clients would tidy it up."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"study.example"), (b"cookie", cookie.encode())],
        "client": ("203.0.113.7", 1),
        "server": ("study.example", 80),
        "scheme": "http",
        "http_version": "1.1",
    }
    sent = []

    async def ask() -> None:
        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        await app(scope, receive, send)

    run_async(ask())
    assert not any(name == b"set-cookie" for name, _ in sent[0]["headers"])
    return sent[0]["status"]


def test_odd_paths_lead_nowhere(rater, attacked, caplog):
    browser, _ = rater
    cookie = f"{browser.client.app.state.site.cookies['rater']}={browser.cookie('rater')}"
    assert status_of(browser.client.app, "/mine", cookie) == 200
    before = contents_of(attacked)
    for path in ODD_PATHS:
        caplog.clear()
        assert status_of(browser.client.app, path, cookie) == 404, path
        assert [message.partition(" GET /")[0] for message in caplog.messages] == ["refused 404 unknown"], path
    assert contents_of(attacked) == before


def test_lines_of_the_log_cannot_be_forged_and_hold_no_keys(attacked, caplog):
    browser = Browser(create_app(attacked, now=Clock(NOW)))
    browser.get("/nothing%0a2026-01-01 plainwright.rate.security: all is well")
    browser.get("/join/a-secret-token")
    assert len(caplog.records) == 2
    assert all("\n" not in record.getMessage() for record in caplog.records)
    assert "a-secret-token" not in caplog.text
    assert {record.name for record in caplog.records} == {"plainwright.rate.security"}


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "BREW"])
def test_unknown_methods_are_refused(rater, attacked, caplog, method):
    browser, task = rater
    paths = ("/", "/work", "/leave", task, f"{task}/events")
    with refused(attacked, caplog, *(f"405 method {method} {path}" for path in paths)):
        for path in paths:
            reply = browser.client.request(method, path, headers={"X-CSRF-Token": browser.csrf})
            assert reply.status_code == 405


def test_methods_of_the_wrong_kind_are_refused(rater):
    browser, task = rater
    assert browser.get("/pause").status_code == 405
    assert browser.get("/logout").status_code == 405
    assert browser.get(f"{task}/events").status_code == 405
    assert browser.post("/work").status_code == 405
    assert browser.post(task).status_code == 405


def test_head_and_options_change_nothing(rater, attacked):
    browser, task = rater
    _, token = personal_link(attacked, NOW)
    before = contents_of(attacked)
    for path in ("/", "/leave", "/healthz", task, f"/join/{token}"):
        head = browser.client.head(path)
        assert head.status_code in (200, 303)
        assert head.content == b""
        assert browser.client.options(path).status_code == 405
    assert contents_of(attacked) == before


# What every answer says


@pytest.mark.parametrize("https", [False, True])
def test_every_answer_has_the_safe_headers(attacked, https):
    browser = Browser(create_app(attacked, https=https, now=Clock(NOW)))
    _, token = personal_link(attacked, NOW)
    replies = [
        browser.get(path)
        for path in (
            "/",
            "/healthz",
            "/nothing",
            "/work",
            f"/join/{token}",
            "/join/x",
            "/organiser",
            "/organiser/login",
        )
    ]
    replies += [
        browser.client.post("/work"),
        browser.client.options("/"),
        browser.client.post("/work", content=b"x" * 99999),
    ]
    style = browser.get(re.search(r'href="(/static/rate[^"]+)"', replies[0].text)[1])
    for reply in (*replies, style):
        assert reply.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src")
        assert "unsafe" not in reply.headers["content-security-policy"]
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "strict-origin"
        assert reply.headers["cross-origin-opener-policy"] == "same-origin"
        assert ("strict-transport-security" in reply.headers) == https
        assert "server" not in reply.headers
        assert ("immutable" in reply.headers["cache-control"]) == (reply is style)
        assert reply is style or reply.headers["cache-control"] == "no-store"


def test_an_error_of_ours_says_nothing_and_has_the_safe_headers(attacked, monkeypatch):
    browser = Browser(create_app(attacked, now=Clock(NOW)))
    browser.begin(personal_link(attacked, NOW)[1])
    monkeypatch.setattr("plainwright.rate.web.rater.progress_of", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        browser.get("/done")
    browser.client._transport.raise_server_exceptions = False
    reply = browser.client.get("/done")
    assert reply.status_code == 500
    assert "ZeroDivision" not in reply.text
    assert reply.headers["content-security-policy"].startswith("default-src 'none'")
    assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(("https", "prefix"), [(False, ""), (True, ""), (True, "/study")])
def test_cookies_are_as_narrow_as_can_be(attacked, https, prefix):
    browser = Browser(create_app(attacked, https=https, prefix=prefix, now=Clock(NOW)), prefix)
    browser.client.base_url = f"http{'s' if https else ''}://study.example"
    _, token = personal_link(attacked, NOW)
    set_by = [browser.get(f"/join/{token}").headers["set-cookie"]]
    data = {"csrf": browser.csrf}
    set_by.append(browser.client.post(f"{prefix}/join/{token}", data=data).headers["set-cookie"])
    for cookie in set_by:
        assert "; HttpOnly" in cookie
        assert "; SameSite=Lax" in cookie
        assert f"; Path={prefix or '/'};" in cookie
        assert ("; Secure" in cookie) == https
        assert cookie.startswith("__Secure-") == https


def test_the_address_comes_from_a_proxy_only_if_there_is_one(attacked, caplog):
    headers = {"X-Forwarded-For": "192.0.2.1, 198.51.100.9"}
    Browser(create_app(attacked, now=Clock(NOW))).get("/nothing", headers=headers)
    assert "address=203.0.113.7" in caplog.text
    caplog.clear()
    Browser(create_app(attacked, proxy=True, now=Clock(NOW))).get("/nothing", headers=headers)
    assert "address=198.51.100.9" in caplog.text  # what the proxy itself saw, not what it was told
    caplog.clear()
    lines = [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "198.51.100.9")]  # the second one is HAProxy's
    Browser(create_app(attacked, proxy=True, now=Clock(NOW))).get("/nothing", headers=lines)
    assert "address=198.51.100.9" in caplog.text


def test_the_host_of_a_proxy_counts_only_if_there_is_one(attacked):
    for proxy, status in ((False, 403), (True, 303)):
        browser = Browser(create_app(attacked, proxy=proxy, now=Clock(NOW)))
        browser.begin(personal_link(attacked, NOW)[1])
        headers = {"Origin": "https://rating.example", "X-Forwarded-Host": "rating.example"}
        assert browser.client.post("/pause", data={"csrf": browser.csrf}, headers=headers).status_code == status


@pytest.mark.parametrize(
    "host", ["[", "a b", "", '"><script>', "study.example:99999", "\u00fc".encode().decode("latin-1")]
)
def test_odd_hosts_are_answered_as_any_other(attacked, host):
    browser = Browser(create_app(attacked, now=Clock(NOW)))
    for path, status in (("/", 200), ("/nothing", 404), ("/work", 401), ("/organiser/login", 200)):
        reply = browser.client.get(path, headers=[(b"host", host.encode("latin-1"))])
        assert reply.status_code == status
        assert "<script>" not in reply.text
    for origin in ("http://[", "http://", "//", host):
        headers = [(b"host", host.encode("latin-1")), (b"origin", origin.encode("latin-1"))]
        assert browser.client.post("/join/x", headers=headers).status_code == 403


# Text from studies


@pytest.mark.parametrize("form", ["rank", "likert", "direct", "sulem", "gain", "pairwise"])
def test_text_from_a_study_is_never_markup(database, form):
    from dataclasses import replace

    from plainwright.rate.building import build_items

    settings, _ = small_study(form)
    settings = replace(
        settings,
        title=SCRIPT,
        consent=f"# {SCRIPT}\n\n{SCRIPT}\n\n[x](javascript:alert(3))",
        instructions=f"{SCRIPT}\n\n![x](javascript:alert(3))",
        aspects=tuple(replace(aspect, question=SCRIPT) for aspect in settings.aspects),
    )
    items = build_items(
        [f"A sentence {SCRIPT}."], {"a": [f"One {SCRIPT}."], "b": ["Two </textarea>{{ 7 * 7 }}."]}, settings
    )
    with database.writing() as connection:
        save_study(connection, settings, items, NOW)
    browser = Browser(create_app(database, now=Clock(NOW)))
    _, token = personal_link(database, NOW)
    pages = [browser.get("/"), browser.get(f"/join/{token}"), browser.join(token)]
    pages += [browser.submit("/consent"), browser.submit("/instructions")]
    assert browser.path.startswith("/task/")
    pages += [browser.get(path) for path in ("/mine", "/leave", "/device", "/done")]
    for page in pages:
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert "javascript:" not in re.sub(r">[^<]*<", "><", page.text)  # not in any attribute
        assert "49" not in re.sub(r'"[^"]*"', "", page.text)
    task = pages[4].text
    assert not re.search(r"\b(system|candidate)s?\b", task)


def test_refusals_are_logged_one_line_each(rater, caplog):
    browser, _ = rater
    caplog.set_level(logging.WARNING)
    browser.client.post("/pause")
    assert [record.name for record in caplog.records] == ["plainwright.rate.security"]
    assert re.search(r"refused 403 csrf POST /pause rater=\w+ address=203\.0\.113\.7$", caplog.messages[0])
