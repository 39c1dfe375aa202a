"""The pages around the tasks, in a real browser with a real server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.chromium import follow
from tests.rate.axe import violations
from tests.rate.studies import small_study

pytest.importorskip("starlette")

from tests.rate.acting import finish_page
from tests.rate.live import LiveStudy

from plainwright.rate.store import people
from plainwright.rate.store.assignment import assignments_of

pytestmark = pytest.mark.browser

CONSENT = "# Before you start\n\n- You may stop **at any time**.\n\n[More](https://example.org/)"
INSTRUCTIONS = (
    "Read the sentence.\n\n## Scores\n\n| score | meaning |\n|---|---|\n| 100 | perfect |\n\n> Take your time."
)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[LiveStudy]:
    settings, items = small_study(items=2, training=1, consent=CONSENT, instructions=INSTRUCTIONS)
    live = LiveStudy.of(tmp_path, settings, items, prefix="/study")
    yield live
    live.close()


@pytest.fixture
def new_page(browser: Any) -> Iterator[Callable[..., Any]]:
    contexts = []

    def open_page(**options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        return contexts[-1].new_page()

    yield open_page
    for context in contexts:
        context.close()


def finish(study: LiveStudy, page: Any) -> None:
    """Answer and finish the task that the page shows, behind its back."""
    page.wait_for_url("**/task/*")
    page.goto(study.url("/device"))  # away from the task, which may still say so; one transaction lets nothing between
    with study.database.writing() as connection:
        finish_page(connection, people.raters_of(connection)[-1].id, time.time(), seconds=5)


def test_what_not_everybody_can_use_is_found(new_page):
    page = new_page(bypass_csp=True)
    page.set_content("<html lang=en><title>x</title><main><h1>x</h1><p style='color: #ccc'>pale</p><img src=x></main>")
    assert {found.split(":")[0] for found in violations(page)} == {"color-contrast", "image-alt"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_everybody_can_use_every_page(study: LiveStudy, new_page, scheme: str, width: int):
    options = {"viewport": {"width": width, "height": 720}, "color_scheme": scheme, "bypass_csp": True}
    page = new_page(**options)

    def check(name: str) -> None:
        assert page.locator("h1").count() == 1, name
        assert violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is too wide"

    def look(path: str) -> None:
        page.goto(study.url(path))
        check(path)

    look("/")
    look("/join/nothing")
    page.goto(study.invitation())
    check("join")
    follow(page, "button.primary")
    check("consent")
    follow(page, "button.primary")
    check("instructions")
    follow(page, "button.primary")
    finish(study, page)
    with study.database.reading() as connection:
        practice = assignments_of(connection, people.raters_of(connection)[-1].id)[0].public
    look(f"/task/{practice}/feedback")
    follow(page, "text=Start with the real pages")
    finish(study, page)
    for path in ("/mine", "/instructions", "/consent", "/device", "/leave", "/nothing", "/done"):
        look(path)
    page.goto(study.url("/device"))
    follow(page, "button.primary")
    check("link")
    page.goto(study.url("/work"))
    follow(page, "text=Pause")
    page.wait_for_url("**/paused")
    check("paused")
    page.goto(study.url("/leave"))
    page.check("input[value=erase]")
    follow(page, "button.danger")
    page.wait_for_url("**/erased")
    check("erased")


def test_by_keyboard_alone_to_the_first_task(study: LiveStudy, new_page):
    page = new_page()
    page.goto(study.invitation())
    for next_page in ("**/consent", "**/instructions", "**/task/*"):
        page.wait_for_load_state()
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the main part"
        page.keyboard.press("Enter")
        while page.evaluate("document.activeElement.tagName") != "BUTTON":
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_url(next_page)


def test_from_desk_to_phone_and_both_go_on(study: LiveStudy, new_page):
    desk = new_page()
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.goto(study.invitation())
    for _ in range(3):
        follow(desk, "button.primary")
    task = desk.url
    desk.goto(study.url("/device"))
    follow(desk, "text=Make a link")
    desk.click("text=Copy")
    desk.wait_for_selector("text=Copied")
    link = desk.evaluate("navigator.clipboard.readText()")
    assert link == desk.input_value("input[readonly]")
    phone = new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    phone.goto(link)
    phone.tap("text=Start")
    phone.wait_for_url(task)
    desk.goto(study.url("/work"))
    assert desk.url == task
    phone.goto(link)
    phone.wait_for_url(task)  # spent, but this is the browser that used it


def test_a_double_click_on_start_is_one_start(study: LiveStudy, new_page):
    page = new_page()
    page.goto(study.invitation())
    page.dblclick("button.primary")
    page.wait_for_url("**/consent")
    with study.database.reading() as connection:
        assert len(people.raters_of(connection)) == 1
