"""Sessions under attack, as scripts of requests: whoever had the browser, a cookie or a form before gets nothing later.

The stage is a computer that several people use, and an open link that all of them have.
"""

from __future__ import annotations

import pytest
from sqlalchemy import select
from tests.rate.browser import Browser, Clock
from tests.rate.conftest import NOW
from tests.rate.studies import small_study

from plainwright.rate.store import organisers, people, schema
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import save_study
from plainwright.rate.web.app import create_app

pytest.importorskip("starlette")

PLANTED = "planted-" + "v" * 24  # as long as a visit of our own making


class Stage:
    """A study with an open link for many."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.app = create_app(database, now=Clock(NOW))
        with database.writing() as connection:
            self.link = people.invite(connection, rater_id=None, uses=20, expires=NOW + 86400, now=NOW)

    def browser(self, **cookies: str | None) -> Browser:
        """One that has these cookies already, by role."""
        browser = Browser(self.app)
        for role, value in cookies.items():
            # With the host, so that what the server sets takes its place.
            browser.client.cookies.set(self.app.state.site.cookies[role], value or "", domain="study.example")
        return browser

    def rater_of(self, cookie: str | None) -> str | None:
        """Whose pages a session cookie opens."""
        with self.database.reading() as connection:
            session = people.session_of(connection, cookie or "", NOW)
        return session.rater.public if session and session.rater else None

    def status_of(self, cookie: str | None, path: str) -> int:
        """What whoever has nothing but this session cookie is answered."""
        return self.browser(rater=cookie).get(path).status_code


@pytest.fixture
def stage(database: Database) -> Stage:
    settings, items = small_study(items=6, instructions="")
    with database.writing() as connection:
        save_study(connection, settings, items, NOW)
    return Stage(database)


def sign_out(browser: Browser) -> None:
    browser.get("/device")
    assert browser.post("/logout").status_code == 303


def test_a_cookie_kept_over_the_logout_never_opens_the_next_persons_pages(stage: Stage):
    browser = stage.browser()
    first = browser.begin(stage.link)
    kept = browser.cookie("rater")
    sign_out(browser)
    assert stage.status_of(kept, first) == 401
    second = browser.begin(stage.link)  # the next person, in the same browser
    assert second != first
    assert browser.cookie("rater") != kept
    assert stage.status_of(kept, second) == 401
    assert stage.status_of(kept, "/mine") == 401


def test_a_visit_ends_with_the_logout(stage: Stage):
    browser = stage.browser()
    browser.begin(stage.link)
    visit = browser.cookie("visit")
    assert visit
    sign_out(browser)
    assert browser.cookie("visit") is None
    browser.get("/")
    assert browser.cookie("visit") not in (None, visit)


@pytest.mark.parametrize("before", ["used", "unused", "signed out"])
def test_a_planted_visit_gives_the_planter_no_session_of_the_victim(stage: Stage, before: str):
    """The planter joins by the same visit first, so as to know or to share the session that the victim gets."""
    planter = stage.browser(visit=PLANTED)
    planter.get(f"/join/{stage.link}")
    planter.post(f"/join/{stage.link}")
    kept = planter.cookie("rater")
    if before != "unused":
        planter.visit("/work")
    if before == "signed out":
        sign_out(planter)
    victim = stage.browser(visit=PLANTED)
    task = victim.begin(stage.link)
    assert victim.cookie("rater") != kept
    assert stage.status_of(kept, task) in (401, 404)
    assert stage.rater_of(kept) != stage.rater_of(victim.cookie("rater"))


def test_a_planted_visit_gives_the_planter_nothing_after_the_victim_joined_either(stage: Stage):
    victim = stage.browser(visit=PLANTED)
    task = victim.begin(stage.link)
    planter = stage.browser(visit=PLANTED)
    planter.join(stage.link)
    assert planter.get(task).status_code == 404
    assert stage.rater_of(planter.cookie("rater")) != stage.rater_of(victim.cookie("rater"))
    assert victim.get(task).status_code == 200


def test_who_stays_signed_in_does_not_become_the_next_person_at_the_browser(stage: Stage):
    """Somebody who copied all cookies presses the button of the next person once more."""
    browser = stage.browser()
    browser.begin(stage.link)
    copy = stage.browser(rater=browser.cookie("rater"), visit=browser.cookie("visit"))
    copy.get(f"/join/{stage.link}")
    second = browser.begin(stage.link)  # "start as somebody else"
    copy.submit(f"/join/{stage.link}")
    assert copy.get(second).status_code == 404
    assert browser.get(second).status_code == 200
    assert stage.rater_of(copy.cookie("rater")) != stage.rater_of(browser.cookie("rater"))


def test_a_form_kept_over_the_logout_opens_nothing_of_who_signed_out(stage: Stage):
    browser = stage.browser()
    browser.get(f"/join/{stage.link}")
    kept = stage.browser(visit=browser.cookie("visit"))
    kept.csrf = browser.csrf
    browser.begin(stage.link)
    signed_out = stage.rater_of(browser.cookie("rater"))
    sign_out(browser)
    kept.post(f"/join/{stage.link}")
    assert stage.rater_of(kept.cookie("rater")) not in (None, signed_out)


def test_tokens_are_never_made_from_what_others_can_know(stage: Stage):
    """The same link and the same visit, again and again: each session has a token of its own, and digests are kept."""
    tokens = []
    for _ in range(4):
        browser = stage.browser(visit=PLANTED)
        browser.begin(stage.link)
        tokens.append(browser.cookie("rater"))
        sign_out(browser)
    assert len(set(tokens)) == 4
    with stage.database.reading() as connection:
        stored = repr(connection.execute(select(schema.sessions)).all())
    assert PLANTED not in stored
    assert not any(token in stored for token in tokens if token)


def test_organisers_end_their_visit_with_the_logout_too(stage: Stage):
    with stage.database.writing() as connection:
        organisers.set_password(connection, "ada", "correct horse")
    desk = stage.browser()
    desk.get("/organiser/login")
    visit = desk.cookie("visit")
    desk.submit("/organiser/login", name="ada", password="correct horse")
    assert desk.path == "/organiser"
    desk.submit("/organiser/logout")
    assert desk.path == "/organiser/login"
    assert desk.cookie("visit") not in (None, visit)
