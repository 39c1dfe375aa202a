"""The way of a rater through the pages, with and without a path prefix."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from sqlalchemy import func, select
from tests.rate.browser import HOST, Browser, Clock, cards_and_version, personal_link
from tests.rate.conftest import NOW
from tests.rate.studies import small_study

from plainwright.errors import StorageError
from plainwright.rate.settings import Controls
from plainwright.rate.store import people
from plainwright.rate.store.database import Database
from plainwright.rate.store.log import audit
from plainwright.rate.store.schema import assignments, events, raters, sessions
from plainwright.rate.store.studies import save_study, set_open
from plainwright.rate.web.app import create_app

pytest.importorskip("starlette")

CONSENT = "# Before you start\n\nYour answers are kept **without** your name."
INSTRUCTIONS = "## How it works\n\nRead the sentence, then compare its versions."


class World:
    """A study on the web, and people who come to it."""

    def __init__(self, database: Database, prefix: str) -> None:
        self.database, self.prefix, self.clock = database, prefix, Clock(NOW)
        self.app = create_app(database, prefix=prefix, now=self.clock, elapsed=self.clock)

    def browser(self) -> Browser:
        return Browser(self.app, self.prefix)

    def link(self) -> str:
        return personal_link(self.database, self.clock.now)[1]

    def rater(self) -> tuple[Browser, str]:
        """Somebody at the first task."""
        browser = self.browser()
        return browser, browser.begin(self.link())

    def count(self, table) -> int:
        with self.database.reading() as connection:
            return connection.execute(select(func.count()).select_from(table)).scalar_one()

    def set_open(self, value: bool) -> None:
        with self.database.writing() as connection:
            set_open(connection, value)


@pytest.fixture(params=["", "/study"], ids=["root", "prefix"])
def prefix(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def world(database: Database, prefix: str) -> Iterator[World]:
    settings, items = small_study(consent=CONSENT, instructions=INSTRUCTIONS)
    with database.writing() as connection:
        save_study(connection, settings, items, NOW)
    made = World(database, prefix)
    yield made
    with database.reading() as connection:
        assert audit(connection) == []


def make_world(database: Database, **study) -> World:
    settings, items = small_study(**study)
    with database.writing() as connection:
        save_study(connection, settings, items, NOW)
    return World(database, "")


def test_from_the_link_to_the_thanks(world: World):
    browser = world.browser()
    token = world.link()
    welcome = browser.get(f"/join/{token}")
    assert welcome.status_code == 200
    assert "Start" in welcome.text
    assert world.count(sessions) == 0  # looking spends nothing
    consent = browser.submit(f"/join/{token}")
    assert browser.path == "/consent"
    assert "<h1>Before you start</h1>" in consent.text
    assert "<strong>without</strong>" in consent.text
    instructions = browser.submit("/consent")
    assert browser.path == "/instructions"
    assert "<h2>How it works</h2>" in instructions.text
    browser.submit("/instructions")
    seen = []
    while browser.path.startswith("/task/"):
        seen.append(browser.path)
        reply = browser.rate_everything(world.database, browser.path)
        assert reply.status_code == 200, reply.text
        assert reply.json()["next"] == world.prefix + "/work"
        browser.visit("/work")
    assert len(seen) == len(set(seen)) == 3
    assert browser.path == "/done"
    assert "All done" in browser.get("/done").text
    mine = browser.get("/mine")
    assert re.findall(r'href="([^"]*/task/[^"]+)"', mine.text) == [world.prefix + path for path in reversed(seen)]


def test_training_gives_feedback_and_then_the_real_pages(database: Database):
    world = make_world(database, items=1, training=2)
    browser, task = world.rater()
    for left in (1, 0):
        reply = browser.rate_everything(database, task, 95)
        assert reply.json()["next"] == f"{task}/feedback"
        feedback = browser.get(f"{task}/feedback")
        assert "1 of 2 of your scores is" in feedback.text
        assert "You gave 95, expected 75 to 100." in feedback.text
        assert "This says something else." in feedback.text
        assert ("Next practice page" in feedback.text) == (left > 0)
        # What was expected is known now, so the answers stand.
        again = browser.send(task, {"kind": "reopen"}, base=cards_and_version(database, task)[1])
        assert again.status_code == 422
        browser.visit("/work")
        task = browser.path
    assert browser.get(f"{task}/feedback").status_code == 404  # a real page tells nothing
    assert "task" not in browser.get("/mine").text.partition("<main")[2]  # practice is not listed


def test_feedback_comes_only_after_the_answers(database: Database):
    world = make_world(database, training=1)
    browser, task = world.rater()
    assert browser.get(f"{task}/feedback").headers["location"] == task


def test_whoever_fails_the_practice_is_thanked_and_stopped(database: Database):
    world = make_world(database, training=1, pass_share=0.9)
    browser, task = world.rater()
    browser.rate_everything(database, task, 50)
    browser.visit("/work")
    assert browser.path == "/done"
    assert "practice pages differ" in browser.get("/done").text


def test_no_page_asks_for_what_the_study_does_not_have(database: Database):
    world = make_world(database, consent="", instructions="")
    browser, task = world.rater()
    assert task.startswith("/task/")
    assert browser.visit("/consent").status_code == 200
    assert browser.path == task


def test_every_page_leads_first_to_consent_and_instructions(world: World):
    browser = world.browser()
    browser.join(world.link())
    for path in ("/", "/work", "/instructions", "/done", "/paused", "/mine", "/consent"):
        browser.visit(path)
        assert browser.path == "/consent", path
    browser.submit("/consent")
    for path in ("/", "/work", "/done", "/paused", "/mine"):
        browser.visit(path)
        assert browser.path == "/instructions", path


def test_going_back_and_reloading_change_nothing(world: World):
    browser, task = world.rater()
    before = world.count(assignments)
    for path in (task, "/work", "/consent", "/instructions", "/", task):
        assert browser.visit(path).status_code == 200
    assert browser.visit("/work").status_code == 200
    assert browser.path == task
    assert world.count(assignments) == before
    browser.rate_everything(world.database, task)
    browser.visit("/work")
    assert browser.path != task
    assert browser.get(task).status_code == 200  # by the back button


def test_consent_and_instructions_sent_twice_count_once(world: World):
    browser = world.browser()
    browser.join(world.link())
    browser.submit("/consent")
    with world.database.reading() as connection:
        first = connection.execute(select(raters.c.consented)).scalar_one()
    world.clock.now += 60
    assert browser.submit("/consent").status_code == 200
    with world.database.reading() as connection:
        assert connection.execute(select(raters.c.consented)).scalar_one() == first


def test_events_sent_twice_are_kept_once(world: World):
    browser, task = world.rater()
    cards, _ = cards_and_version(world.database, task)
    score = {"kind": "score", "card": cards[0], "aspect": "overall", "value": 70}
    first = browser.send(task, score, base=0, keys=["the-very-same-key"])
    again = browser.send(task, score, base=0, keys=["the-very-same-key"])
    assert first.status_code == again.status_code == 200
    assert first.json() == again.json()
    assert first.json()["work"]["answers"]["scores"] == {cards[0]: {"overall": 70.0}}
    assert world.count(events) == 1


def test_the_slower_of_two_tabs_hears_how_the_page_stands(world: World):
    browser, task = world.rater()
    cards, _ = cards_and_version(world.database, task)
    browser.send(task, {"kind": "score", "card": cards[0], "aspect": "overall", "value": 70}, base=0)
    slower = browser.send(task, {"kind": "score", "card": cards[1], "aspect": "overall", "value": 30}, base=0)
    assert slower.status_code == 409
    assert slower.json()["reason"] == "stale"
    assert slower.json()["work"]["answers"]["scores"] == {cards[0]: {"overall": 70.0}}
    assert world.count(events) == 1


def test_a_finished_page_can_be_changed_from_the_list(world: World):
    browser, task = world.rater()
    done = browser.rate_everything(world.database, task).json()["work"]
    cards, version = cards_and_version(world.database, task)
    assert version == done["version"]
    reopened = browser.send(
        task,
        {"kind": "reopen"},
        {"kind": "score", "card": cards[0], "aspect": "overall", "value": 10},
        {"kind": "finish", "confirmed": True},
        base=version,
    )
    assert reopened.status_code == 200, reopened.text
    assert reopened.json()["work"]["answers"]["scores"][cards[0]] == {"overall": 10.0}


def test_finishing_too_early_says_what_is_missing(world: World):
    browser, task = world.rater()
    reply = browser.send(task, {"kind": "finish"}, base=0)
    assert reply.status_code == 422
    assert reply.json()["reason"] == "refused"
    assert "still without an answer" in reply.json()["error"]
    assert world.count(events) == 0


def test_a_break_and_back(world: World):
    browser, task = world.rater()
    assert "Take your time" in browser.submit("/pause").text
    for path in ("/work", task, "/"):
        browser.visit(path)
        assert browser.path == "/paused"
    # What the page sends as it closes still arrives.
    assert browser.send(task, {"kind": "hide"}, base=0).status_code == 200
    browser.visit("/paused")
    browser.submit("/resume")
    assert browser.path == task
    browser.visit("/paused")
    assert browser.path == task


def test_leaving_keeps_what_was_finished_and_frees_the_rest(world: World):
    browser, task = world.rater()
    browser.rate_everything(world.database, task)
    browser.visit("/work")
    kept, page = world.count(events), browser.path
    browser.get("/leave")
    assert "You have left the study" in browser.submit("/leave", ratings="keep").text
    for path in ("/work", "/", "/mine", "/device", page, "/done", "/instructions"):
        browser.visit(path)
        assert browser.path == "/left", path
    late = browser.send(page, {"kind": "show"}, base=0)
    assert late.status_code == 409
    assert late.json()["reason"] == "closed"
    assert world.count(events) == kept
    # A change of mind: erase after all.
    browser.get("/leave")
    assert "are erased" in browser.submit("/leave", ratings="erase").text
    assert world.count(events) == 0


def test_leaving_with_erasure_leaves_nothing(world: World):
    browser, task = world.rater()
    browser.rate_everything(world.database, task)
    browser.get("/leave")
    assert "Your ratings are erased" in browser.submit("/leave", ratings="erase").text
    assert browser.cookie("rater") is None
    for table in (events, assignments, sessions):
        assert world.count(table) == 0
    assert browser.get("/work").status_code == 401
    assert browser.get(task).status_code == 401


def test_leaving_without_a_choice_asks_again(world: World):
    browser, _ = world.rater()
    for choice in ({}, {"ratings": "burn"}):
        reply = browser.post("/leave", **choice)
        assert reply.status_code == 422
        assert 'role="alert"' in reply.text
    browser.visit("/work")
    assert browser.path.startswith("/task/")


def test_another_device_goes_on_where_the_first_one_was(world: World):
    browser, task = world.rater()
    browser.get("/device")
    made = browser.post("/device")
    link = re.search(r'value="(http[^"]+/join/[^"]+)"', made.text)
    assert link
    assert link[1].startswith(f"{HOST}{world.prefix}/join/")
    phone = world.browser()
    token = link[1].rpartition("/")[2]
    phone.join(token)
    assert phone.path == task
    assert world.browser().get(f"/join/{token}").status_code == 410  # worked once
    assert browser.visit("/work").status_code == 200  # and this one is still signed in
    assert browser.path == task


def test_a_link_for_another_device_is_too_old_after_a_quarter_of_an_hour(world: World):
    browser, _ = world.rater()
    browser.get("/device")
    token = re.search(r"/join/([^\"]+)\"", browser.post("/device").text)[1]
    world.clock.now += 15 * 60 + 1
    reply = world.browser().get(f"/join/{token}")
    assert reply.status_code == 410
    assert "too old" in reply.text


def test_signing_out_ends_the_session_at_once(world: World):
    browser, task = world.rater()
    cookie = browser.cookie("rater")
    browser.get("/device")
    assert browser.post("/logout").headers["location"] == world.prefix + "/"
    assert browser.cookie("rater") is None
    thief = world.browser()
    thief.client.cookies.set(next(iter(world.app.state.site.cookies.values())), cookie)
    assert thief.get(task).status_code == 401


def test_a_spent_link_goes_on_in_the_browser_that_used_it(world: World):
    token = world.link()
    browser = world.browser()
    task = browser.begin(token)
    assert browser.get(f"/join/{token}").headers["location"] == world.prefix + "/work"
    other = world.browser()
    reply = other.get(f"/join/{token}")
    assert reply.status_code == 410
    assert "used already" in reply.text
    other.get("/")
    assert other.post(f"/join/{token}").status_code == 410
    assert task


def test_two_clicks_on_start_are_one(world: World):
    token = world.link()
    browser = world.browser()
    browser.get(f"/join/{token}")
    first = browser.post(f"/join/{token}")
    visit = browser.cookie("visit")
    # The answer to the first click got lost, as it does when a browser is told to go elsewhere meanwhile.
    twice = world.browser()
    twice.client.cookies.set(world.app.state.site.cookies["visit"], visit)
    twice.csrf = browser.csrf
    second = twice.post(f"/join/{token}")
    assert first.status_code == second.status_code == 303
    assert (world.count(raters), world.count(sessions)) == (1, 1)
    assert browser.get("/work").status_code == 401  # of two answers, the browser keeps the last
    assert twice.get("/work").status_code == 303
    # Now that the answer has arrived, a further click is one by somebody else.
    late = world.browser()
    late.client.cookies.set(world.app.state.site.cookies["visit"], visit)
    late.csrf = browser.csrf
    assert late.post(f"/join/{token}").status_code == 410


def test_an_open_link_makes_new_raters_until_it_is_used_up(world: World):
    with world.database.writing() as connection:
        token = people.invite(connection, rater_id=None, uses=2, expires=NOW + 100, now=NOW)
    one, two, three = world.browser(), world.browser(), world.browser()
    one.begin(token)
    again = one.get(f"/join/{token}")
    assert "already takes part in this browser" in again.text  # not silently somebody else
    two.begin(token)
    assert world.count(raters) == 2
    assert three.get(f"/join/{token}").status_code == 410


@pytest.mark.parametrize("first_one", ["stays", "left"])
def test_two_people_at_one_computer_can_use_one_open_link(world: World, first_one: str):
    with world.database.writing() as connection:
        token = people.invite(connection, rater_id=None, uses=3, expires=NOW + 100, now=NOW)
    browser = world.browser()
    assert "for you alone" not in browser.get(f"/join/{token}").text
    task = browser.begin(token)
    if first_one == "left":
        browser.get("/leave")
        browser.post("/leave", ratings="keep")
    browser.get(f"/join/{token}")
    twice = world.browser()  # the same browser, whose rater clicks a second time before the answer is there
    twice.client.cookies.update(browser.client.cookies)
    twice.csrf = browser.csrf
    browser.post(f"/join/{token}")
    twice.submit(f"/join/{token}")
    assert world.count(raters) == 2
    assert twice.get(task).status_code in (303, 404)  # the first one's page is not the second one's


def test_a_browser_without_cookies_is_told_so(world: World):
    token, browser = world.link(), world.browser()
    browser.get(f"/join/{token}")
    browser.client.cookies.clear()
    reply = browser.post(f"/join/{token}")
    assert reply.status_code == 403
    assert "allow cookies" in reply.text


@pytest.mark.parametrize("token", ["x", "A" * 43, "A" * 500, "%00", "' OR 1=1 --", "%F0%9F%98%80"])
def test_links_that_never_were(world: World, token: str):
    browser = world.browser()
    browser.get("/")
    assert browser.get(f"/join/{token}").status_code == 404
    assert browser.post(f"/join/{token}").status_code == 404
    assert world.count(raters) == world.count(sessions) == 0


def test_guessing_links_is_slowed_down(world: World):
    browser = world.browser()
    statuses = [browser.get(f"/join/{number:043d}").status_code for number in range(22)]
    assert statuses == [404] * 20 + [429] * 2
    assert int(browser.get("/join/nothing").headers["retry-after"]) > 0
    somebody = Browser(world.app, world.prefix, address="198.51.100.1")
    assert somebody.get("/join/nothing").status_code == 404
    # Who has a good link is let in all the same.
    assert browser.begin(world.link()).startswith("/task/")


def test_a_study_that_closes_in_the_middle(world: World):
    browser, task = world.rater()
    world.set_open(False)
    late = browser.send(task, {"kind": "show"}, base=0)
    assert late.status_code == 409
    assert late.json()["reason"] == "closed"
    for path in (task, "/work"):
        browser.visit(path)
        assert browser.path == "/done"
    assert "The study is closed" in browser.get("/done").text
    world.set_open(True)
    browser.visit("/work")
    assert browser.path == task
    assert browser.send(task, {"kind": "show"}, base=0).status_code == 200


def test_nothing_left_for_now(database: Database):
    world = make_world(database, items=1, raters_per_unit=1)
    first, task = world.rater()
    second = world.browser()
    assert second.begin(world.link()) == "/done"
    assert "Nothing more for now" in second.get("/done").text
    first.get("/leave")
    first.post("/leave", ratings="keep")
    second.visit("/work")
    assert second.path.startswith("/task/")
    assert second.path != task


def test_what_others_see_a_second_time_never_comes_to_anybody_else(database: Database):
    world = make_world(database, items=3, raters_per_unit=1, controls=Controls(repeats=1.0))
    first, task = world.rater()
    for _ in range(3):
        first.rate_everything(database, task)
        first.visit("/work")
        task = first.path
    assert task.startswith("/task/")  # a repeat, which is open now
    second = world.browser()
    assert second.begin(world.link()) == "/done"
    assert "All done" in second.get("/done").text


def test_repeats_do_not_count_as_ones_share(database: Database):
    world = make_world(
        database, items=5, raters_per_unit=1, units_per_rater=4, lease_hours=1, controls=Controls(repeats=1.0)
    )
    first, task = world.rater()
    others = [world.rater()[0] for _ in range(2)]  # have one page each
    rated = 0
    while task != "/done":
        first.rate_everything(database, task)
        first.visit("/work")
        task, rated = first.path, rated + 1
    assert rated > 4  # three pages, and some of them again
    assert "Nothing more for now" in first.get("/done").text
    others[0].get("/leave")
    others[0].post("/leave", ratings="keep")
    first.visit("/work")
    assert first.path.startswith("/task/")


def test_a_database_that_is_away_says_that_nothing_may_be_kept(world: World, monkeypatch):
    browser, task = world.rater()
    world.clock.now += 6  # sessions are not remembered for longer

    async def away(_work):
        raise StorageError("study.sqlite: disk I/O error")

    monkeypatch.setattr(world.database, "read", away)
    reply = browser.get(task)
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "5")
    assert "may not be kept" in reply.text
    assert "frame-ancestors" in reply.headers["content-security-policy"]
    assert browser.send(task, {"kind": "show"}, base=0).json()["reason"] == "storage"


def test_a_page_that_went_to_somebody_else_leads_on(database: Database):
    world = make_world(database, items=2, raters_per_unit=1, lease_hours=1)
    browser, task = world.rater()
    world.clock.now += 3 * 3600
    other, taken = world.rater()
    assert other.get(taken).status_code == 200
    browser.visit(task)
    assert browser.path.startswith("/task/")


def test_a_session_ends_after_its_time(world: World):
    browser, task = world.rater()
    world.clock.now += people.RATER_SESSION + 1
    assert browser.get(task).status_code == 401
    late = browser.send(task, {"kind": "show"}, base=0)
    assert late.status_code == 401
    assert late.json()["reason"] == "session"


def test_a_rater_removed_elsewhere_is_out_within_seconds(world: World):
    browser, task = world.rater()
    with world.database.writing() as connection:  # as `plainwright rate remove` does in a process of its own
        people.erase(connection, 1, NOW)
    assert browser.send(task, {"kind": "show"}, base=0).status_code == 404  # at once for whatever is written
    world.clock.now += 6
    assert browser.get("/work").status_code == 401


def test_a_rater_removed_elsewhere_is_out_although_the_clock_is_set_back(world: World):
    app = create_app(world.database, prefix=world.prefix, now=world.clock, elapsed=(elapsed := Clock(0)))
    browser = Browser(app, world.prefix)
    browser.begin(world.link())
    with world.database.writing() as connection:
        people.erase(connection, 1, NOW)
    world.clock.now -= 86400
    elapsed.now += 6
    assert browser.get("/work").status_code == 401


def test_the_first_page_tells_strangers_the_way(world: World):
    page = world.browser().get("/")
    assert page.status_code == 200
    assert "open the link" in page.text
    assert f'href="{world.prefix}/organiser"' in page.text
