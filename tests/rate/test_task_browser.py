"""The page that raters work on, in a real browser with a real server; what counts in the end is what the log says."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.rate.axe import violations
from tests.rate.studies import small_study

pytest.importorskip("starlette")

from tests.rate.live import LiveStudy

from plainwright.errors import RefusedError
from plainwright.rate.events import Comment, Finish, Mark, Move, Prefer, Redo, Reopen, Score, Sort, Undo
from plainwright.rate.forms.page import Page
from plainwright.rate.forms.rank import proposed_score
from plainwright.rate.material import Candidate, Card, CardView, Edit, Item, UnitView

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
NO_NETWORK = "Failed to load resource"  # what browsers say of requests that fail, or are answered with a refusal


class Rating:
    """One rater's browser."""

    def __init__(self, study: LiveStudy, context: Any) -> None:
        self.study = study
        self.context = context
        self.page = context.new_page()

    def open(self, path: str = "/work") -> Rating:
        self.page.goto(self.study.url(path))
        return self.ready()

    def ready(self) -> Rating:
        self.page.wait_for_selector("#task[data-ready]")
        return self

    def saved(self) -> Rating:
        """Wait until the server has acknowledged everything."""
        # A dialog says that it was closed only after the click that closed it is over.
        self.page.evaluate("new Promise((done) => setTimeout(done, 30))")
        return self.until("!Object.keys(localStorage).some((name) => name.startsWith('plainwright-rate/'))")

    def until(self, condition: str) -> Rating:
        """Wait until something is true; playwright's own way needs a policy that allows `eval`."""
        patience = time.monotonic() + 30
        while not self.page.evaluate(condition):
            assert time.monotonic() < patience, f"still not: {condition}"
            self.page.wait_for_timeout(30)
        return self

    def on(self, device: Rating) -> Rating:
        """The same page on another device, which gets the session of this one."""
        device.context.add_cookies(self.context.cookies())
        return device.open()

    def order(self) -> list[str]:
        """The cards as they stand, group after group."""
        return self.page.eval_on_selector_all(".card", "cards => cards.map((card) => card.dataset.card)")

    def groups(self) -> dict[str, tuple[str, ...]]:
        script = """sections => sections.map((section) => [section.dataset.group,
            [...section.querySelectorAll(".card")].map((card) => card.dataset.card)])"""
        return {name: tuple(cards) for name, cards in self.page.eval_on_selector_all(".group", script)}

    def card(self, number: int) -> Any:
        """The card at a place of the page, counted from 0."""
        return self.page.locator(".card").nth(number)

    def press(self, *keys: str) -> Rating:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def focused(self) -> str:
        return self.page.evaluate("document.activeElement.dataset.card ?? document.activeElement.id")

    def type_score(self, card: str, score: str) -> None:
        field = self.page.locator(f"#card-{card} .number")
        field.fill(score)
        field.press("Enter")

    def score_all(self, scores: list[int]) -> None:
        """From the top, by keys alone."""
        self.card(0).focus()
        for score in scores:
            self.press(*str(score), "Enter")


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., LiveStudy]]:
    """Starts studies."""
    studies = []

    def start(*material: Any, prefix: str = "", **options: Any) -> LiveStudy:
        folder = tmp_path / str(len(studies))
        folder.mkdir()
        studies.append(LiveStudy.of(folder, *(material or small_study(**{"edits": True, **options})), prefix=prefix))
        return studies[-1]

    yield start
    for study in studies:
        study.close()


@pytest.fixture
def rater_of(browser: Any) -> Iterator[Callable[..., Rating]]:
    """Gives a study a rater with a browser, which must stay silent and ask nobody else."""
    contexts: list[Any] = []
    troubles: list[str] = []

    def start(study: LiveStudy, *, sign_in: bool = True, disturbed: bool = False, **options: Any) -> Rating:
        context = browser.new_context(**{"reduced_motion": "reduce", **options})
        context.set_default_timeout(10_000)
        contexts.append(context)

        def listen(message: Any) -> None:
            if not (disturbed and message.text.startswith(NO_NETWORK)):
                troubles.append(f"console: {message.text}")

        def watch(request: Any) -> None:
            if not request.url.startswith((study.url(""), "data:")):
                troubles.append(f"request: {request.url}")

        context.on("console", listen)
        context.on("weberror", lambda error: troubles.append(f"error: {error.error}"))
        context.on("request", watch)
        if sign_in:
            study.sign_in(context)
        return Rating(study, context)

    yield start
    for context in contexts:
        context.close()
    assert troubles == []


def kinds(log: list[Any]) -> list[str]:
    return [type(event).__name__ for event in log]


def drag(rating: Rating, card: int, to: int) -> None:
    """By mouse, from the handle of a card to the lower half of another."""
    start = rating.card(card).locator(".handle").bounding_box()
    target = rating.card(to).bounding_box()
    mouse = rating.page.mouse
    mouse.move(start["x"] + 12, start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(start["x"] + 12, start["y"] + start["height"] / 2 + 20, steps=3)
    mouse.move(start["x"] + 12, target["y"] + target["height"] * 0.8, steps=6)
    mouse.up()


# Whole sessions


def test_a_whole_session_with_the_mouse_from_the_link_to_the_thanks(serve, rater_of):
    study = serve(items=1, outputs=4, groups=False, training=1, consent="# Before you start\n\nIt is *free*.")
    rating = rater_of(study, sign_in=False)
    page = rating.page
    page.goto(study.invitation())
    page.click("text=Start")
    page.click("text=I agree and take part")
    page.click("text=Start practising")
    rating.ready()
    assert page.locator("h1").inner_text() == "Practice 1 of 1"
    for number in (0, 1):
        slider = rating.card(number).locator("input[type=range]")
        assert slider.get_attribute("aria-valuetext") == "not scored yet"
        box = slider.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.click("#finish")
    page.click("text=Start with the real pages")
    rating.ready()
    assert page.locator("h1").inner_text() == "Sentence 1 of 1"
    before = rating.order()
    drag(rating, 0, 2)
    moved = rating.order()
    assert moved == [before[1], before[2], before[0], before[3]]
    for number, score in enumerate((80, 90, 40, 10)):
        rating.card(number).locator(".number").fill(str(score))
    page.click("text=Sort by score")
    rating.card(3).locator("[data-do=up]").click()
    page.click("summary")
    page.fill("#comment", "The third one is odd.")
    page.click("#finish")
    page.click("text=This is what I mean: finish")
    page.wait_for_selector("text=All done. Thank you!")

    sorted_order = [moved[1], moved[0], moved[2], moved[3]]
    practice, (move, *scores, sort, up, comment, finish) = study.log()[:3], study.log()[3:]
    assert [type(event) for event in practice] == [Score, Score, Finish]
    assert [event.value for event in practice[:2]] == [50.0, 50.0]
    assert move == Move(before[0], "all", 2)
    assert scores == [Score(card, "overall", score) for card, score in zip(moved, (80, 90, 40, 10), strict=True)]
    assert (sort, up) == (Sort("all"), Move(sorted_order[3], "all", 2))
    assert (comment, finish) == (Comment("The third one is odd."), Finish(confirmed=True))
    work = study.works()[-1]
    assert work.finished
    assert work.answers.groups == {"all": (*sorted_order[:2], sorted_order[3], sorted_order[2])}
    assert work.seconds > 0


def test_a_whole_session_with_the_keyboard_alone(serve, rater_of):
    study = serve(items=1, outputs=4)
    rating = rater_of(study).open()
    page = rating.page
    rating.press("Tab")  # the way past the menu
    assert page.evaluate("document.activeElement.textContent") == "Skip to the main part"
    while page.evaluate("!document.activeElement.matches('.card')"):
        rating.press("Tab")
    before = rating.groups()
    first, *_ = order = rating.order()
    rating.press("4", "5", "Enter")
    assert rating.focused() == order[1]
    rating.press("7", ",", "5", "Enter", "9", "9", "Escape")  # the last one is taken back
    rating.press("6", "6", "Enter", "1", "Enter")
    assert rating.focused() == "finish"
    rating.card(0).focus()
    rating.press("j", "k", "Alt+ArrowDown", "g", "Control+z", "Control+z", "Control+Shift+z", "Control+y", "Control+z")
    rating.press("e", "ArrowRight", "Space")
    page.locator("#edits button.main").focus()
    rating.press("Enter")
    assert rating.focused() == first
    rating.press("?")
    assert page.locator("#help").is_visible()
    rating.press("Escape")
    while page.locator("[data-do=propose]").count():
        page.locator(".contradicts").first.focus()
        rating.press("s")
    rating.press("Control+Enter")
    page.wait_for_url("**/done")

    log = study.log()
    assert log[:4] == [Score(card, "overall", value) for card, value in zip(order, (45, 7.5, 66, 1), strict=True)]
    rest = [event for event in log[4:] if not isinstance(event, Sort)]
    moves, (mark, finish) = rest[:-2], rest[-2:]
    assert kinds(moves) == ["Move", "Move", "Move", "Move", "Undo", "Undo", "Redo", "Redo", "Undo"]
    assert (mark.card, finish) == (first, Finish())
    work = study.works()[0]
    assert work.finished
    assert work.contradictions == ()
    assert sorted(sum(work.answers.groups.values(), ())) == sorted(sum(before.values(), ()))
    assert work.answers.edits == {first: tuple(mark.edits)}


def touch(rating: Rating, path: list[tuple[float, float]]) -> None:
    """A finger, which playwright has no words for."""
    devtools = rating.context.new_cdp_session(rating.page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", path[0])
    for point in path[1:]:
        send("touchMove", point)
    send("touchEnd")


def test_a_whole_session_by_touch_on_a_phone(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, **PHONE).open()
    page = rating.page
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    before = rating.order()
    rating.card(1).scroll_into_view_if_needed()
    handle = rating.card(0).locator(".handle").bounding_box()
    target = rating.card(1).bounding_box()
    x, y, end = handle["x"] + 15, handle["y"] + handle["height"] / 2, target["y"] + target["height"] * 0.7
    scrolled = page.evaluate("scrollY")
    touch(rating, [(x, y), *((x, y + (end - y) * step / 6) for step in range(1, 7))])
    moved = [before[1], before[0], before[2]]
    assert rating.order() == moved
    assert abs(page.evaluate("scrollY") - scrolled) < 200  # the page did not run away under the finger
    for number, share in enumerate((0.9, 0.5, 0.1)):
        slider = rating.card(number).locator("input[type=range]")
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
    rating.card(2).locator("[data-do=up]").tap()
    rating.card(1).locator("[data-do=down]").tap()
    page.locator(".card .edit.deletion").first.tap()
    assert page.locator("#tip").inner_text().startswith("deleted: ")
    page.tap("#finish")
    page.wait_for_url("**/done")

    log = study.log()
    assert log[0] == Move(before[0], "all", 1)
    assert [event.card for event in log[1:4]] == moved
    high, middle, low = (event.value for event in log[1:4])
    assert high > middle > low
    assert log[4:] == [Move(moved[2], "all", 1), Move(moved[2], "all", 2), Finish()]
    assert study.works()[0].finished


# What may come between


def test_reload_back_and_forward_show_what_was_saved(serve, rater_of):
    study = serve(items=2, outputs=3, groups=False)
    rating = rater_of(study).open()
    page = rating.page
    address = page.url
    rating.score_all([70, 20])
    rating.press("5", "5")  # still being typed
    page.reload()
    rating.ready().saved()  # what was on its way is sent once more, and shown
    assert rating.page.eval_on_selector_all(".number", "fields => fields.map((field) => field.value)") == [
        "70",
        "20",
        "55",
    ]
    rating.saved()
    page.click("text=Instructions")
    page.go_back()
    rating.ready().card(0).focus()
    rating.press("9", "9", "Enter", "Control+Enter")
    page.wait_for_selector("#confirm[open]")
    page.click("text=This is what I mean: finish")
    page.wait_for_url(lambda url: url != address and "/task/" in url)
    rating.ready()
    assert rating.focused() in rating.order()  # straight on with the next page
    page.go_back()
    rating.ready()
    assert page.url == address
    assert page.locator("#finished").is_visible()
    assert page.locator("input:not(:disabled):visible").count() <= 1  # how it looks may still be changed
    page.click("text=Change my answers")
    page.wait_for_selector("#task[data-state=open]")
    rating.card(2).focus()
    rating.press("1", "0", "Enter", "Control+Enter")
    page.wait_for_url(lambda url: url != address)
    rating.ready()
    values = [event.value for event in study.log() if isinstance(event, Score)]
    assert values == [70, 20, 55, 99, 10]
    assert [type(event) for event in study.log()[4:]] == [Finish, Reopen, Score, Finish]
    assert [work.finished for work in study.works()] == [True, False]


def test_two_tabs_tell_each_other_and_neither_loses_anything(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open()
    other = Rating(study, rating.context).open()
    first, second, third = rating.order()
    other.type_score(first, "30")
    other.saved()
    rating.until(f"document.querySelector('#card-{first} .number').value === '30'")
    # Now at the same time, without a chance to tell each other.
    for tab in (rating, other):
        tab.page.evaluate("() => { window.BroadcastChannel.prototype.postMessage = () => {}; }")
    rating.type_score(second, "40")
    rating.saved()
    other.type_score(third, "50")
    other.saved()
    assert other.page.eval_on_selector_all(".number", "all => all.map((one) => one.value)") == ["30", "40", "50"]
    # And the same thing, differently: what was there first stays, and that is said.
    other.type_score(first, "31")
    other.saved()
    rating.type_score(first, "32")
    rating.page.wait_for_selector("#problem:has-text('changed in another tab')")
    assert rating.page.input_value(f"#card-{first} .number") == "31"
    assert study.works()[0].answers.scores == {
        first: {"overall": 31},
        second: {"overall": 40},
        third: {"overall": 50},
    }


def test_what_is_done_offline_is_kept_and_sent_later_once(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open()
    page = rating.page
    rating.saved()
    rating.context.set_offline(True)
    rating.score_all([80, 60])
    rating.card(2).focus()
    rating.press("k")
    page.wait_for_selector("#saved:has-text('Offline: 3 changes kept here')")
    rating.press("Control+z", "4", "0", "Enter", "Control+Enter")
    assert study.log() == []
    rating.context.set_offline(False)
    page.wait_for_url("**/done")
    assert kinds(study.log()) == ["Score", "Score", "Move", "Undo", "Score", "Finish"]
    assert study.works()[0].finished


def test_much_that_was_done_offline_goes_in_portions_that_browsers_send(serve, rater_of):
    """A request that may outlive its page holds 64 KiB at most; what did not fit blocked all that came after it."""
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open()
    page = rating.page
    rating.saved()
    page.click("summary:has-text('Comment')")
    rating.context.set_offline(True)
    texts = [f"{number} {'ü' * 1900}" for number in range(40)]
    for text in texts:
        page.fill("#comment", text)
        page.dispatch_event("#comment", "change")
    page.wait_for_selector("#saved:has-text('Offline: 40 changes kept here')")
    rating.context.set_offline(False)
    rating.saved()
    assert [event.text for event in study.log()] == texts


def test_what_was_undone_stays_so_when_another_device_was_faster(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open()
    first, second, third = rating.order()
    rating.saved()
    rating.context.set_offline(True)
    rating.card(0).focus()
    rating.press("5", "0", "Enter", "Control+z")
    rating.type_score(third, "70")
    other = rating.on(rater_of(study, sign_in=False))
    other.type_score(second, "40")
    other.saved()
    rating.context.set_offline(False)
    rating.saved()
    assert study.works()[0].answers.scores == {second: {"overall": 40}, third: {"overall": 70}}
    assert rating.page.input_value(f"#card-{first} .number") == ""


def test_a_finish_that_did_not_fit_is_told(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open()
    rating.score_all([80, 60, 40])
    rating.saved()
    first = rating.order()[0]
    rating.context.set_offline(True)
    rating.press("Control+Enter")
    other = rating.on(rater_of(study, sign_in=False))
    other.type_score(first, "90")
    other.saved()
    rating.context.set_offline(False)
    rating.page.wait_for_selector("#problem:has-text('1 change made here did not fit')")
    assert not study.works()[0].finished


def test_a_browser_that_keeps_nothing_says_so_and_asks_before_it_loses_anything(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True)
    rating.page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    rating.open()
    asked = []
    rating.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    with rating.page.expect_response(lambda reply: "score" in (reply.request.post_data or "")):
        rating.score_all([80])
    rating.context.set_offline(True)
    rating.press("6", "0", "Enter")
    rating.page.wait_for_selector("#saved:has-text('Offline: 1 change only on this page; leave it open')")
    rating.page.close(run_before_unload=True)
    rating.until("document.querySelector('#saved').dataset.status === 'offline'")
    assert asked == ["beforeunload"]
    rating.context.set_offline(False)
    rating.page.wait_for_selector("#saved[data-status=saved]")
    assert [event.value for event in study.log()] == [80, 60]


def test_a_reload_shows_what_could_not_be_sent_yet(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open()
    rating.saved()
    rating.page.on("dialog", lambda dialog: dialog.accept())
    rating.page.route("**/events", lambda route: route.abort())
    rating.score_all([80, 60])
    rating.page.wait_for_selector("#saved[data-status=offline]")
    rating.page.reload()
    rating.ready()
    assert rating.page.eval_on_selector_all(".number", "all => all.map((one) => one.value)") == ["80", "60", ""]
    assert rating.page.inner_text("#next").startswith("2 of 3")


def test_a_server_that_restarts_costs_nothing(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open()
    rating.score_all([80])
    rating.saved()
    study.stop()
    rating.press("6", "0", "Enter")
    rating.page.wait_for_selector("#saved[data-status=offline]")
    rating.press("4", "0", "Enter")
    study.start()
    rating.page.wait_for_selector("#saved[data-status=saved]")
    assert [event.value for event in study.log()] == [80, 60, 40]
    rating.press("Control+Enter")
    rating.page.wait_for_url("**/done")
    assert study.works()[0].finished


def test_an_answer_that_got_lost_is_asked_for_again_and_nothing_is_kept_twice(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open()
    rating.saved()
    lost = []

    def lose(route: Any) -> None:
        if len(lost) < 2:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    rating.page.route("**/events", lose)
    rating.card(0).focus()
    rating.press("7", "0", "Enter", "j")
    rating.page.wait_for_selector("#saved[data-status=offline]")
    rating.page.wait_for_selector("#saved[data-status=saved]")
    assert lost == [200, 200]
    assert kinds(study.log()) == ["Score", "Move"]


def test_what_a_closed_browser_could_not_send_goes_with_the_next_page(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open()
    rating.saved()
    study.stop()  # whatever a closing page sends after all, nobody listens
    rating.score_all([80, 60])
    rating.page.wait_for_selector("#saved[data-status=offline]")
    rating.page.close(run_before_unload=False)
    assert study.log() == []
    study.start()
    later = Rating(study, rating.context).open().saved()
    assert [event.value for event in study.log()] == [80, 60]
    assert later.page.inner_text("#next").startswith("2 of 3")


def test_leaving_asks_back_only_if_something_cannot_be_sent(serve, rater_of):
    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open()
    asked = []
    rating.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    rating.card(0).focus()
    rating.press("7", "0", "Enter")
    rating.page.click("text=Instructions")
    rating.page.wait_for_url("**/instructions")
    assert asked == []
    rating.page.go_back()
    rating.ready().saved()
    rating.page.route("**/events", lambda route: route.abort())
    rating.card(1).focus()
    rating.press("7", "0", "Enter")
    rating.page.wait_for_selector("#saved[data-status=offline]")
    rating.page.click("text=Instructions")
    rating.page.wait_for_url("**/instructions")
    assert asked == ["beforeunload"]


def test_a_closed_study_says_so_and_keeps_what_was_not_sent(serve, rater_of):
    from plainwright.rate.store.studies import set_open

    study = serve(items=1, outputs=3, groups=False)
    rating = rater_of(study, disturbed=True).open().saved()
    with study.database.writing() as connection:
        set_open(connection, False)
    rating.card(0).focus()
    rating.press("7", "0", "Enter")
    rating.page.wait_for_selector("#problem:has-text('This study is closed')")
    assert "1 change of yours is kept in this browser" in rating.page.inner_text("#problem")
    assert rating.page.locator("#finish").is_hidden()
    assert study.log() == []


# What the page says


def test_finishing_too_early_says_which_outputs_lack_a_score_and_goes_there(serve, rater_of):
    study = serve(items=1, outputs=4, groups=False)
    rating = rater_of(study).open()
    first, second, third, _ = rating.order()
    rating.type_score(second, "50")
    rating.page.click("#finish")
    assert rating.focused() == first
    assert "3 outputs still lack a score: " in rating.page.inner_text("#problem")
    jumps = rating.page.eval_on_selector_all("#problem [data-jump]", "all => all.map((one) => one.dataset.jump)")
    assert jumps == [card for card in rating.order() if card != second]
    rating.page.click(f"#problem [data-jump='{third}']")
    assert rating.focused() == third
    rating.press("6", "0", "Enter")
    assert "2 outputs still lack a score: " in rating.page.inner_text("#problem")
    rating.saved()
    assert kinds(study.log()) == ["Score", "Score"]


def test_what_is_no_score_is_refused_with_a_sentence_and_not_sent(serve, rater_of):
    study = serve(items=1, outputs=2, groups=False)
    rating = rater_of(study).open()
    first, second = rating.order()
    for wrong in ("101", "-1", "abc", "1e3"):
        rating.type_score(first, wrong)
        assert rating.page.inner_text("#problem").startswith("A: expected a number from 0 to 100.") or wrong == "1e3"
        assert rating.focused() != second
    rating.press("Escape")
    assert rating.page.input_value(f"#card-{first} .number") == ""
    rating.type_score(first, "0")
    rating.saved()
    assert study.log() == [Score(first, "overall", 0)]


@pytest.mark.parametrize("rule", ["allow", "confirm", "refuse"])
def test_contradictions_are_shown_on_both_cards_with_a_way_out(serve, rater_of, rule):
    study = serve(items=1, outputs=3, groups=False, contradictions=rule)
    rating = rater_of(study).open()
    page = rating.page
    order = rating.order()
    rating.score_all([20, 60, 10])
    clashes = page.locator(".clash:visible")
    assert [re.split(" Set| Move", text)[0] for text in clashes.all_inner_texts()] == [
        "Scored lower than B below",
        "Scored higher than A above",
    ]
    (work,) = rating.saved().study.works()
    aspect = study.app.state.site.settings.aspects[0]
    proposals = [f"Set to {proposed_score(work.answers, card, aspect):g}" for card in order[:2]]
    assert page.locator("[data-do=propose]").all_inner_texts() == proposals
    page.click("#finish")
    if rule == "allow":
        page.wait_for_url("**/done")
        return
    assert page.inner_text("#confirm-list") == "B (60) is scored higher than A (20), but stands below it."
    assert page.locator("#confirm [value=finish]").count() == (rule == "confirm")
    # The way back is what Enter does and what looks like it; to finish all the same takes a choice.
    assert page.locator("#confirm .main").all_inner_texts() == ["Go back"]
    assert page.evaluate("document.activeElement.value") == "back"
    rating.press("Enter")
    assert page.locator("#confirm").is_hidden()
    rating.until(f"document.activeElement.dataset.card === '{order[1]}'")
    rating.press("p")  # what was proposed
    assert page.locator(".clash:visible").count() == 0
    page.click("#undo")
    assert page.locator("[data-do=fit]").all_inner_texts() == ["Move to place 2", "Move to place 1"]
    page.locator("[data-do=fit]").first.click()
    assert rating.order() == [order[1], order[0], order[2]]
    assert rating.focused() == order[0]
    page.click("#undo")
    rating.card(1).focus()
    rating.press("m")
    assert rating.order() == [order[1], order[0], order[2]]
    assert page.locator(".clash:visible").count() == 0
    page.click("#undo")
    page.locator("[data-do=propose]").first.click()
    rating.press("Control+Enter")
    page.wait_for_url("**/done")
    assert kinds(study.log()[3:]) == ["Score", "Undo", "Move", "Undo", "Move", "Undo", "Score", "Finish"]
    assert study.works()[0].answers.scores[order[0]] == {"overall": 80}


def hostile_study() -> tuple[Any, tuple[Item, ...]]:
    settings, _ = small_study(edits=True, groups=False)
    texts = (
        "<img src=x onerror=alert(1)> </script><script>alert(2)</script> said “no”.",
        "{{ 7 * 7 }} &amp; 𝔘nicode 👩‍👩‍👧 \u202eback\u202c ' onfocus='alert(3)",
        "نص عربي قصير. <b>עברית</b>",
    )
    source = "<script>alert(0)</script> The 👩‍👩‍👧 </p> said “never again”."
    spoken = [Edit("deletion", 29, 29, 26, 29), Edit("paraphrase", 61, 65, 36, 40)]
    cards = [
        Card(text=text, candidates=(Candidate(system=name),), group="paraphrase", edits=tuple(edits))
        for text, name, edits in zip(texts, "abc", (spoken, [], []), strict=True)
    ]
    return settings, (Item(name="1", source=source, cards=tuple(cards)),)


def test_text_of_a_study_is_only_ever_text(serve, rater_of):
    settings, items = hostile_study()
    study = serve(settings, items)
    rating = rater_of(study).open()
    shown = rating.page.eval_on_selector_all(
        ".card .text",
        """all => all.map((one) => { const copy = one.cloneNode(true);
            copy.querySelectorAll(".sign, .said, .gone").forEach((node) => node.remove());
            return copy.textContent; })""",
    )
    assert sorted(shown) == sorted(card.text for card in items[0].cards)
    assert rating.page.inner_text("#source-text") == items[0].source
    assert rating.page.locator("#outputs :is(img, script)").count() == 0
    for number in range(3):
        rating.card(number).focus()
        rating.press("ArrowRight", "e")
        assert rating.page.locator("#edits").is_visible()
        rating.press("Escape")
    rating.page.locator(".card .edit.deletion").hover()
    assert rating.page.inner_text("#tip") == f"deleted: {items[0].source[26:29]}"


def test_the_script_draws_texts_as_the_server_does(serve, rater_of):
    study = serve(items=1, outputs=8)
    rating = rater_of(study).open()
    drawn, served = rating.page.evaluate(
        """async () => {
          const texts = (root) => [...root.querySelectorAll(".card .text")].map((text) => {
            text.querySelectorAll(".edit").forEach((edit) => { delete edit.dataset.from; delete edit.dataset.to; });
            return text.innerHTML; });
          const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
          return [texts(document), texts(fresh)];
        }"""
    )
    assert any("deletion" in text for text in drawn)
    assert any("paraphrase" in text for text in drawn)
    assert any("split" in text for text in drawn)
    assert drawn == served


def random_events(rng: random.Random, unit: UnitView, groups: tuple[str, ...]) -> Iterator[Any]:
    """Anything a rater could do, in any order."""
    cards = [card.id for card in unit.cards]
    while True:
        card = rng.choice(cards)
        yield rng.choice(
            [
                Score(card, "overall", rng.choice([None, 0, 25, 50.5, 75, 100])),
                Move(card, rng.choice(groups), rng.randrange(len(cards))),
                Sort(rng.choice(groups)),
                Mark(card, [Edit("paraphrase", 0, rng.randrange(1, 4))] if rng.random() < 0.7 else []),
                Comment(rng.choice(["", "odd", "👍"])),
                Undo(),
                Redo(),
            ]
        )


def as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_events_mean_the_same_in_the_browser_as_on_the_server(serve, rater_of):
    study = serve(items=1, outputs=6)
    rating = rater_of(study).open()
    given = rating.page.evaluate("JSON.parse(document.getElementById('task-data').textContent)")
    groups = tuple(given["work"]["answers"]["groups"])
    unit = UnitView(
        source=given["source"]["text"],
        cards=tuple(
            CardView(
                id=card["id"], text=card["text"], group=group, edits=msgspec.convert(card["edits"], tuple[Edit, ...])
            )
            for card in given["cards"]
            for group in [next(g for g in groups if card["id"] in given["work"]["answers"]["groups"][g])]
        ),
    )
    settings = study.app.state.site.settings
    for seed in range(30):
        page, played = Page.start(unit, settings), []
        for event in random_events(random.Random(seed), unit, groups):
            try:
                page = page.apply(event, 0.0)
            except RefusedError:
                continue
            played.append(msgspec.to_builtins(event))
            if len(played) == 40:
                break
        found = rating.page.evaluate(
            """async (played) => {
              const address = document.querySelector("link[rel=modulepreload][href*=task_answers]").href;
              const { after, startFrom, missingIn, contradictionsIn, proposedScore } = await import(address);
              const given = JSON.parse(document.getElementById("task-data").textContent);
              const { answers, past, future } = played.reduce(after, startFrom(given.work.answers));
              return { answers, undo: past.length > 0, redo: future.length > 0, missing: missingIn(answers),
                contradictions: contradictionsIn(answers),
                proposed: given.cards.map(({ id }) => proposedScore(answers, id)) };
            }""",
            played,
        )
        work = page.work
        assert found["answers"] == as_json(work.answers)
        assert (found["undo"], found["redo"]) == (work.can_undo, work.can_redo)
        assert found["missing"] == as_json(work.missing)
        assert found["contradictions"] == as_json(work.contradictions)
        proposed = [proposed_score(work.answers, card.id, settings.aspects[0]) for card in unit.cards]
        assert all(
            abs((ours or 0) - (theirs or 0)) <= 1 for ours, theirs in zip(found["proposed"], proposed, strict=True)
        )


# Edits


def test_edits_are_told_by_pointer_and_by_key_and_found_in_the_original(serve, rater_of):
    study = serve(items=1, outputs=8)
    rating = rater_of(study).open()
    page = rating.page
    caret = page.locator(".card .edit.deletion").first
    words = caret.locator(".gone").text_content()
    caret.hover()
    assert page.inner_text("#tip") == f"deleted: {words}"
    marked = "CSS.highlights.has('origin') && String([...CSS.highlights.get('origin')][0])"
    assert page.evaluate(marked) == words
    page.mouse.move(0, 0)
    assert page.locator("#tip").is_hidden()
    caret.evaluate("node => node.closest('.card').focus()")
    rating.press("ArrowRight")
    assert page.evaluate("document.activeElement.classList.contains('edit')")
    assert page.locator("#tip").is_visible()
    rating.press("Escape")
    assert page.evaluate("document.activeElement.classList.contains('card')")
    assert caret.locator(".gone").bounding_box()["width"] <= 1
    page.check("#show-deleted")
    assert caret.locator(".gone").bounding_box()["width"] > 10
    page.reload()
    rating.ready()
    assert page.locator("#show-deleted").is_checked()
    rating.saved()
    assert study.log() == []  # looking is no answer


def test_edits_are_corrected_word_by_word_and_gap_by_gap(serve, rater_of):
    text = "He went home. She stayed there."
    found = (Edit("paraphrase", 3, 12, 3, 11), Edit("split", 13, 13))
    card = Card(text=text, candidates=(Candidate(system="a"),), group="split", edits=found)
    settings, _ = small_study(edits=True, groups=False)
    study = serve(settings, (Item(name="1", source="He left it, and she remained there.", cards=(card,)),))
    rating = rater_of(study).open()
    page = rating.page
    word = lambda name: page.locator("#edits-places .word", has_text=re.compile(f"^{name}$"))  # noqa: E731
    gap = lambda after: word(after).locator("xpath=following-sibling::*[1]")  # noqa: E731
    rating.card(0).focus()
    rating.press("e")
    word("home").click()  # no longer part of the paraphrase
    word("stayed").click()
    word("there").click()  # a neighbour: becomes one with it
    gap("went").click()
    page.locator("#edits-words .word", has_text="it").first.click()
    page.click("#edits input[value=split]")
    gap("He").click()
    page.click("#edits .main")
    expected = [
        Edit("split", 2, 2),
        Edit("paraphrase", 3, 7, 3, 11),
        Edit("deletion", 7, 7, 8, 10),
        Edit("split", 13, 13),
        Edit("paraphrase", 18, 30),
    ]
    rating.saved()
    (card_id,) = rating.order()
    assert study.log() == [Mark(card_id, expected)]
    assert page.locator(".card .edit").count() == 5
    rating.press("e")
    page.click("#edits-reset")
    page.click("#edits .main")
    rating.saved()
    assert study.log()[1:] == [Mark(card_id, list(found))]
    assert study.works()[0].answers.edits == {}
    rating.press("e", "ArrowRight", "Space", "Escape")
    rating.saved()
    assert len(study.log()) == 2  # who closes the dialog has changed nothing


# The other forms


@pytest.mark.parametrize("form", ["likert", "sulem"])
def test_choices_are_made_by_mouse_or_by_digits(serve, rater_of, form):
    study = serve(form=form, items=1, outputs=2, cards_per_page="all")
    rating = rater_of(study).open()
    first, second = rating.order()
    aspects = study.app.state.site.settings.aspects
    for aspect in aspects:
        rating.page.locator(f"#card-{first} [data-aspect='{aspect.name}'] label").nth(3).click()
    rating.card(1).focus()
    rating.press(*"2" * len(aspects), "Control+Enter")
    rating.page.wait_for_url("**/done")
    fourth = [aspect.scale.low + 3 for aspect in aspects]
    second_choice = [aspect.scale.low + 1 for aspect in aspects]
    names = [aspect.name for aspect in aspects]
    assert study.log() == [
        *(Score(first, name, value) for name, value in zip(names, fourth, strict=True)),
        *(Score(second, name, value) for name, value in zip(names, second_choice, strict=True)),
        Finish(),
    ]
    assert study.works()[0].finished


def test_sliders_take_keys_and_numbers(serve, rater_of):
    study = serve(form="direct", items=1, outputs=1)
    rating = rater_of(study).open()
    (card,) = rating.order()
    slider = rating.page.locator(f"#card-{card} input[type=range]").first
    slider.focus()
    rating.press("ArrowRight", "ArrowRight", "ArrowRight", "Tab")  # one slide is one answer
    rating.card(0).focus()
    rating.press("8", "8", "Enter", "7", "7", "Enter", "Control+Enter")
    rating.page.wait_for_url("**/done")
    values = [Score(card, "fluency", 53), Score(card, "adequacy", 88), Score(card, "simplicity", 77)]
    assert study.log() == [*values, Finish()]


def test_counts_go_up_and_down(serve, rater_of):
    study = serve(form="gain", items=1, outputs=1)
    rating = rater_of(study).open()
    (card,) = rating.order()
    more, less = rating.page.locator("[data-do=more]"), rating.page.locator("[data-do=less]")
    more.click()
    more.click()
    less.click()
    rating.card(0).focus()
    rating.press("4", "0", "Control+Enter")
    rating.page.wait_for_url("**/done")
    scores = [("simplicity gain", 1), ("simplicity gain", 2), ("simplicity gain", 1), ("grammar", 4), ("meaning", 0)]
    assert study.log() == [*(Score(card, name, value) for name, value in scores), Finish()]


def test_one_of_two_is_chosen_by_mouse_or_by_key(serve, rater_of):
    study = serve(form="pairwise", items=1, outputs=2)
    rating = rater_of(study).open()
    left, right = rating.order()
    rating.page.click("#finish")
    assert rating.page.inner_text("#problem").startswith("Please choose one of the two")
    rating.page.locator("label", has_text="B is better").click()
    rating.card(0).focus()
    rating.press("1", "0", "2", "1", "Control+Enter")
    rating.page.wait_for_url("**/done")
    chosen = [right, left, None, right, left]
    assert study.log() == [*(Prefer("overall", card) for card in chosen), Finish()]
    assert study.works()[0].answers.preferences == {"overall": left}


# Everybody


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1440)])
@pytest.mark.parametrize("form", ["rank", "likert", "direct", "sulem", "gain", "pairwise"])
def test_everybody_can_use_the_page(serve, rater_of, form, scheme, width):
    study = serve(form=form, items=1, outputs=4, cards_per_page="all")
    viewport = {"width": width, "height": 800}
    rating = rater_of(study, viewport=viewport, color_scheme=scheme, bypass_csp=True).open()
    page = rating.page
    page.emulate_media(color_scheme="dark" if scheme == "light" else "light")
    assert violations(page) == []
    page.emulate_media(color_scheme=scheme)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.click("#finish")
    rating.card(0).focus()
    rating.press("1", "Enter")
    assert violations(page) == []
    if form != "rank":
        return
    rating.score_all([10, 20, 30, 40])
    assert violations(page) == []
    rating.card(0).focus()
    for key in ("e", "?"):
        rating.press(key)
        assert violations(page) == []
        rating.press("Escape")
    rating.press("Control+Enter")
    assert page.locator("#confirm").is_visible()
    assert violations(page) == []
    page.click("text=This is what I mean: finish")
    page.wait_for_url("**/done")
    page.go_back()
    rating.ready()
    assert page.locator("#finished").is_visible()
    assert violations(page) == []


@pytest.mark.parametrize("size", [(360, 740), (820, 1100), (1440, 900)])
def test_thirty_outputs_stay_workable_and_the_focus_in_sight(serve, rater_of, size):
    study = serve(items=1, outputs=30)
    width, height = size
    rating = rater_of(study, viewport={"width": width, "height": height}).open()
    page = rating.page
    order = rating.order()
    assert len(order) == 30
    page.set_viewport_size({"width": width, "height": height})
    rating.card(0).focus()
    for number in range(29):
        inside = page.evaluate(
            """() => { const [top, bottom, card] = ["#source", ".bar", ":focus"].map((name) =>
                document.querySelector(name).getBoundingClientRect());
                return card.top >= top.bottom - 1 && card.bottom <= bottom.top + 1; }"""
        )
        assert inside, f"card {number} lies under something"
        rating.press("ArrowDown")
    scores = [100 - 3 * number for number in range(30)]
    rating.score_all(scores)
    assert rating.focused() == "finish"
    rating.saved()
    assert [event.value for event in study.log()] == scores


def test_targets_are_large_enough_to_hit(serve, rater_of):
    study = serve(items=1, outputs=4)
    rating = rater_of(study, **PHONE).open()
    small = rating.page.evaluate(
        """() => [...document.querySelectorAll("main :is(button, input, select, a, summary)")]
          .filter((node) => node.checkVisibility())
          .map((node) => [node.outerHTML.slice(0, 80), node.getBoundingClientRect()])
          .filter(([, box]) => box.width && Math.min(box.width, box.height) < 16)"""
    )
    assert small == []


@pytest.mark.parametrize("form", ["rank", "pairwise"])
def test_what_is_read_on_a_button_is_part_of_what_it_is_called(serve, rater_of, form):
    """Whoever speaks to the page says what is to be read (WCAG 2.5.3); a sign such as ↑ is nothing to say."""
    page = rater_of(serve(form=form, items=1, outputs=4)).open().page
    named = page.evaluate(
        """() => [...document.querySelectorAll("button")].filter((node) => node.checkVisibility())
          .map((node) => [node.ariaLabel ?? node.textContent, node.innerText])"""
    )
    words = [(name.lower(), text.lower()) for name, text in named if re.search(r"[a-z]{2}", text)]
    assert len(words) >= 2
    assert [pair for pair in words if pair[1] not in pair[0]] == []


# The free pixels beside each line of the label of a choice, and the words that go over two lines.
_LABELS = """labels => labels.map((label) => {
  const box = label.getBoundingClientRect();
  const parts = [...label.querySelectorAll(".score, .label")];
  const range = document.createRange();
  const words = parts.flatMap((part) => [...part.textContent.matchAll(/\\S+/g)].map((word) => {
    range.setStart(part.firstChild, word.index);
    range.setEnd(part.firstChild, word.index + word[0].length);
    return [word[0], [...range.getClientRects()]];
  }));
  const free = words.flatMap(([, lines]) => lines.flatMap((line) => [line.left - box.left, box.right - line.right]));
  return [label.innerText, Math.min(...free), words.filter(([, lines]) => lines.length > 1).map(([word]) => word)];
})"""


@pytest.mark.parametrize("width", [320, 360, 412])
@pytest.mark.parametrize("form", ["likert", "sulem", "gain", "pairwise"])
def test_labels_keep_away_from_the_borders_of_their_buttons_on_a_phone(serve, rater_of, form, width):
    study = serve(form=form, items=1, outputs=2, cards_per_page="all")
    rating = rater_of(study, **PHONE | {"viewport": {"width": width, "height": 740}}).open()
    labels = rating.page.eval_on_selector_all(".options label", _LABELS)
    assert len(labels) >= 3
    assert [label for label in labels if label[1] < 4] == []  # pixels, one of them the border
    assert [label for label in labels if label[2]] == []


@pytest.mark.parametrize("width", [360, 1024])
@pytest.mark.parametrize("form", ["rank", "likert", "pairwise"])
@pytest.mark.parametrize("keyboard", [False, True])
def test_keys_are_told_only_where_there_is_a_keyboard(serve, rater_of, form, width, keyboard):
    """A touch screen, of a phone or a tablet; or a mouse, which comes with a keyboard."""
    study = serve(form=form, items=1, outputs=1 if form == "rank" else 2)
    device = {"viewport": {"width": width, "height": 740}} | (
        {} if keyboard else {"has_touch": True, "is_mobile": True}
    )
    page = rater_of(study, **device).open().page
    told = page.eval_on_selector_all(
        "kbd, #help-open", "nodes => nodes.filter((node) => node.checkVisibility()).length"
    )
    assert bool(told) == (keyboard and (width > 640 or form != "likert"))
    empty = page.locator(".empty:visible")
    hint = "Drag an output here, or press G on one." if keyboard else "Drag an output here."
    assert empty.all_inner_texts() == [f"Nothing here. {hint}"] * (2 if form == "rank" else 0)


def test_it_works_under_a_path_of_a_proxy(serve, rater_of):
    study = serve(items=1, outputs=2, groups=False, prefix="/studies/one")
    rating = rater_of(study).open()
    rating.score_all([80, 60])
    rating.press("Control+Enter")
    rating.page.wait_for_url("**/studies/one/done")
    assert kinds(study.log()) == ["Score", "Score", "Finish"]
