"""The organiser's pages in a real browser with a real server: a whole study day, with keyboard, phone and axe."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.chromium import follow
from tests.rate.acting import finish_page, join
from tests.rate.axe import violations
from tests.rate.busy_study import PASSWORD, save_busy_study
from tests.rate.serving import served
from tests.rate.studies import small_study

from plainwright.rate.store import organisers, people, schema
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import is_open, save_study
from plainwright.rate.web.app import create_app

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1200, "height": 900}}
REMARKS = ("Failed to load resource", "Autofocus processing was blocked")


class Office:
    """A study that is served, and whoever looks at it."""

    def __init__(self, address: str, database: Database, raters: dict[str, people.Rater]) -> None:
        self.address, self.database, self.raters = address, database, raters

    def tell(self, change: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        with self.database.writing() as connection:
            return change(connection, *arguments, **named)

    def ask(self, question: Callable[..., Any], *arguments: Any) -> Any:
        with self.database.reading() as connection:
            return question(connection, *arguments)


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A study that has run for days; tests only look at it."""
    database = Database.create(f"sqlite:///{tmp_path_factory.mktemp('busy') / 'study.db'}")
    with database.writing() as connection:
        raters = save_busy_study(connection, time.time())
    with served(create_app(database)) as address:
        yield Office(address, database, raters)
    database.close()


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """A new study for one test."""
    database = Database.create(f"sqlite:///{tmp_path / 'study.db'}")
    with database.writing() as connection:
        settings, items = small_study(items=2, outputs=3, raters_per_unit=1, consent="# Consent\n\nYou may stop.")
        save_study(connection, settings, items, time.time())
        organisers.set_password(connection, "organiser", PASSWORD)
    with served(create_app(database)) as address:
        yield Office(address, database, {})
    database.close()


@pytest.fixture
def new_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a browser of its own for each who asks; they must all have been silent at the end."""
    contexts, troubles = [], []

    def complain(message: Any) -> None:
        if not message.text.startswith(REMARKS):
            troubles.append(message.text)

    def open_page(**options: Any) -> Any:
        contexts.append(browser.new_context(**{"reduced_motion": "reduce", **WIDE, **options}))
        page = contexts[-1].new_page()
        page.on("console", complain)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def log_in(new_page: Callable[..., Any]) -> Callable[..., Any]:
    """A browser at the overview."""

    def open_desk(office: Office, **options: Any) -> Any:
        page = new_page(**options)
        page.goto(f"{office.address}/organiser")
        page.fill("#password", PASSWORD)
        follow(page, "main button")
        page.wait_for_url("**/organiser")
        return page

    return open_desk


def rate_one_page(page: Any) -> None:
    """What the script of a task page sends, by hand: every card scored, the page finished."""
    done = page.evaluate(
        """async () => {
            const headers = { "content-type": "application/json",
                "x-csrf-token": document.querySelector("meta[name=csrf-token]").content };
            const cards = [...document.querySelectorAll("[data-card]")].map((card) => card.dataset.card);
            const events = [...new Set(cards)].map((card) => ({ kind: "score", card, aspect: "overall", value: 60 }));
            const sent = [{ kind: "show" }, ...events, { kind: "finish", confirmed: true }].map((event, number) => (
                { key: `by-hand-of-the-test-${number}`, at: Date.now(), event }));
            const send = (base) => fetch(`${location.pathname}/events`, { method: "POST", headers,
                body: JSON.stringify({ base, events: sent }) });
            let reply = await send(0); // the page itself may have been faster
            if (reply.status === 409) reply = await send((await reply.json()).work.version);
            return [reply.status, await reply.text()];
        }"""
    )
    assert done[0] == 200, done[1]


def test_a_whole_day(office, new_page, log_in, tmp_path):
    desk = log_in(office)
    assert "Nobody has been invited yet." in desk.inner_text("#now")

    # Invite, and keep the links as a file.
    desk.fill("#names", "Ann\nBen")
    follow(desk, "text=Make personal links")
    links = desk.eval_on_selector_all(".links input", "fields => fields.map((field) => field.value)")
    with desk.expect_download() as download:
        desk.click("text=Download as CSV")
    assert download.value.suggested_filename == "links.csv"
    download.value.save_as(tmp_path / "links.csv")
    with (tmp_path / "links.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["link"], row["label"]) for row in rows] == list(zip(links, ("Ann", "Ben"), strict=True))
    desk.reload()  # makes no further links
    assert desk.url.endswith("/organiser")
    assert desk.locator("#raters tbody tr").count() == 2

    # Ann opens the link, agrees, reads, and rates.
    ann = new_page()
    ann.goto(links[0])
    follow(ann, "main button")
    for _ in range(2):
        follow(ann, "main button.primary")
    ann.wait_for_url("**/task/*")
    ann.wait_for_selector("[data-card]")
    rate_one_page(ann)

    desk.reload()
    assert "50 % done" in desk.inner_text("#progress")
    assert "1 of 2" in desk.inner_text("#progress")
    assert "at work" in desk.locator("#raters tbody tr", has_text="Ann").inner_text()
    ann.goto(f"{office.address}/organiser/results")
    assert "/organiser/login" in ann.url  # raters are asked for a password that they do not have

    # Results and a download.
    follow(desk, "nav >> text=Results")
    assert "From 1 page" in desk.inner_text("main")
    with desk.expect_download() as download:
        desk.click("a:has-text('CSV') >> nth=0")
    assert download.value.suggested_filename == "a-small-study-ratings.csv"
    download.value.save_as(tmp_path / "ratings.csv")
    with (tmp_path / "ratings.csv").open(encoding="utf-8", newline="") as stream:
        assert {row["score"] for row in csv.DictReader(stream)} == {"60"}

    # Ann asks to be forgotten.
    follow(desk, "nav >> text=Overview")
    follow(desk, "#raters >> text=Ann")
    public = desk.inner_text("h1 .id")
    desk.fill("#confirm", "something else")
    follow(desk, "button:has-text('Erase everything')")
    assert "Nothing was erased" in desk.inner_text("[role=alert]")
    desk.fill("#confirm", public)
    follow(desk, "button:has-text('Erase everything')")
    desk.wait_for_url("**/organiser?done=removed")
    assert "0 of 2" in desk.inner_text("#progress")
    with office.database.reading() as connection:
        assert connection.execute(schema.events.select()).all() == []
    ann.goto(f"{office.address}/work")
    assert "/task/" not in ann.url

    follow(desk, "text=Log out")
    desk.wait_for_url("**/organiser/login")
    desk.goto(f"{office.address}/organiser")
    assert desk.url.endswith("/organiser/login")


def press_to(page: Any, selector: str) -> None:
    """Tab until the focus is there."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the keyboard never reaches {selector}")


def test_everything_by_keyboard(office, new_page):
    page = new_page()
    page.goto(f"{office.address}/organiser")
    page.wait_for_selector("#password:focus")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/organiser")
    press_to(page, "#names")
    page.keyboard.type("Ann")
    press_to(page, "form:has(#names) button")
    page.keyboard.press("Enter")
    page.wait_for_selector(".links input")
    [ann] = office.ask(people.raters_of)
    press_to(page, "nav a[href='/organiser']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#raters tbody tr")
    press_to(page, f"#raters a[href$='{ann.public}']")
    page.keyboard.press("Enter")
    page.wait_for_selector("#confirm")
    press_to(page, "#confirm")
    page.keyboard.type(ann.public)
    page.keyboard.press("Enter")
    page.wait_for_url("**/organiser?done=removed")
    press_to(page, "button.danger")
    page.keyboard.press("Enter")
    page.wait_for_url("**/organiser?done=closed")
    assert not office.ask(is_open)
    press_to(page, "nav button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/organiser/login")


def test_the_overview_refreshes_itself_and_leaves_the_reader_alone(office, new_page, log_in):
    page = new_page()
    page.clock.install()
    page.goto(f"{office.address}/organiser")
    page.fill("#password", PASSWORD)
    follow(page, "main button")
    page.wait_for_url("**/organiser")
    page.fill("#names", "half a na")
    page.evaluate("scrollTo(0, 300)")
    before = page.evaluate("scrollY")
    rater = office.tell(join, "Ann", time.time())
    office.tell(finish_page, rater.id, time.time())
    page.clock.fast_forward(31_000)
    page.wait_for_selector("#raters >> text=Ann")
    assert "1 of 2" in page.inner_text("#progress")
    assert page.evaluate("document.activeElement.id") == "names"
    assert page.input_value("#names") == "half a na"
    assert abs(page.evaluate("scrollY") - before) < 2 or page.evaluate("CSS.supports('overflow-anchor: auto')")

    # A part in which somebody is stays as it is.
    page.focus("#raters >> text=Ann")
    office.tell(finish_page, rater.id, time.time())
    page.clock.fast_forward(31_000)
    page.wait_for_selector("#progress >> text=2 of 2")
    assert page.evaluate("document.activeElement.textContent") == "Ann"

    # Stopped, it stays.
    page.click("#pause-refresh")
    assert page.get_attribute("#pause-refresh", "aria-pressed") == "true"
    office.tell(people.add_rater, "Ben", time.time())
    page.clock.fast_forward(120_000)
    page.wait_for_timeout(300)
    assert page.locator("#raters >> text=Ben").count() == 0
    page.click("#pause-refresh")
    page.wait_for_selector("#raters >> text=Ben")


def test_a_database_that_is_gone_shows_on_a_page_that_is_open(office, new_page):
    page = new_page()
    page.clock.install()
    page.goto(f"{office.address}/organiser")
    page.fill("#password", PASSWORD)
    follow(page, "main button")
    page.wait_for_url("**/organiser")
    path = office.database.path
    path.rename(path.with_name("away.db"))
    page.clock.fast_forward(31_000)
    page.wait_for_selector("role=alert >> text=Ratings are not being saved")
    assert not violations(page)
    path.with_name("away.db").rename(path)
    page.clock.fast_forward(31_000)
    page.wait_for_selector("role=alert", state="detached")


def test_a_session_that_ended_is_told(office, new_page):
    page = new_page()
    page.clock.install()
    page.goto(f"{office.address}/organiser")
    page.fill("#password", PASSWORD)
    follow(page, "main button")
    page.wait_for_url("**/organiser")
    office.tell(organisers.set_password, "organiser", "another password")
    page.wait_for_timeout(5500)  # sessions are remembered for five seconds
    page.clock.fast_forward(31_000)
    page.wait_for_selector("#freshness >> text=You were logged out")


def pages_of(busy: Office) -> list[str]:
    return [
        "/organiser",
        f"/organiser/raters/{busy.raters['Emil'].public}",
        f"/organiser/raters/{busy.raters['Ben'].public}",
        f"/organiser/raters/{busy.raters['Farid'].public}",
        "/organiser/results",
        "/organiser/log",
        "/organiser/raters/nobody",
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_everybody_can_use_the_pages(busy, new_page, log_in, size, scheme):
    stranger = new_page(**size, color_scheme=scheme, bypass_csp=True)
    stranger.goto(f"{busy.address}/organiser/login")
    assert violations(stranger) == []
    page = log_in(busy, **size, color_scheme=scheme, bypass_csp=True)
    for path in pages_of(busy):
        page.goto(busy.address + path)
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} is too wide"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_everybody_can_use_new_links(office, log_in, size, scheme):
    page = log_in(office, **size, color_scheme=scheme, bypass_csp=True)
    page.fill("#names", "Ann\nBen")
    follow(page, "text=Make personal links")
    page.wait_for_selector(".links input")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_links_are_copied(office, log_in):
    page = log_in(office, permissions=["clipboard-read", "clipboard-write"])
    page.fill("#names", "Ann\nBen")
    follow(page, "text=Make personal links")
    links = page.eval_on_selector_all(".links input", "fields => fields.map((field) => field.value)")
    page.click(".links button >> nth=1")
    assert page.evaluate("navigator.clipboard.readText()") == links[1]
    page.click("text=Copy all")
    assert page.evaluate("navigator.clipboard.readText()") == "\n".join(links)


def test_careless_raters_are_named_first_with_their_numbers(busy, log_in):
    page = log_in(busy)
    first = page.inner_text("#now li >> nth=0")
    assert first.startswith("Emil ")
    assert "seconds for an output; the raters' median is" in first
    page.click("#now li >> nth=0 >> text=Take out")
    page.wait_for_url("**#take-out")
    assert page.locator("#take-out button").is_visible()


def test_on_a_phone_the_intervals_of_results_stand_below_their_numbers(busy, log_in):
    page = log_in(busy, **PHONE)
    page.goto(f"{busy.address}/organiser/results")
    tops = "parts => parts.map((part) => part.getBoundingClientRect().top)"
    rows = page.locator(".scroll tbody tr").evaluate_all(tops)
    intervals = page.locator(".scroll tbody td.number:nth-of-type(2) .interval").evaluate_all(tops)
    assert all(interval > row + 20 for row, interval in zip(rows, intervals, strict=True))
    assert "-" not in page.inner_text(".scroll tbody")  # true minus signs


@pytest.mark.parametrize("path", ["/organiser", "/organiser/results", "/organiser/log"])
def test_pages_work_without_scripts(busy, log_in, path):
    page = log_in(busy, java_script_enabled=False)
    page.goto(busy.address + path)
    assert page.locator("h1").is_visible()
    assert page.locator("button:visible", has_text="Copy").count() == 0
