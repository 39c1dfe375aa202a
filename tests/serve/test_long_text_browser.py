"""A document of forty pages on the writer's page, with the model that comes with plainwright."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from tests.rate.serving import served

from plainwright.serve.app import create_app
from plainwright.serve.settings import ServeSettings
from plainwright.serve.work import Work

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WHO = ("The committee", "A neighbour", "The owner of the mill", "My aunt", "The new mayor", "Our teacher")
WHICH = ("who had met them before", "who lives by the river", "who wrote the letter", "who was late that day")
DID = ("purchased the old boat", "endeavoured to repair the roof", "required assistance with the form", "left the town")
WHEN = ("prior to the summer", "in order to save money", "subsequent to the storm", "on a cold morning", "last week")
WORDS = 20_000  # on forty pages
MOST = 1000  # milliseconds that the page may be deaf; it was 150 on a machine that had other work, too


def forty_pages() -> str:
    sentences = (
        f"{who}, {which}, {did} {when}, and number {number} was utilised."
        for number, (who, which, did, when) in enumerate(itertools.cycle(itertools.product(WHO, WHICH, DID, WHEN)))
    )
    paragraphs, words = [], 0
    while words < WORDS:
        paragraphs.append(" ".join(itertools.islice(sentences, 6)))
        words += len(paragraphs[-1].split())
    return "\n\n".join(paragraphs) + "\n"


@pytest.fixture(scope="module")
def work() -> Iterator[Work]:
    work = Work(ServeSettings())
    work.prepare()
    yield work
    work.close()


@pytest.fixture(params=[{"width": 1280, "height": 800}, {"width": 375, "height": 700}], ids=["desk", "phone"])
def page(request: pytest.FixtureRequest, browser: Any, work: Work) -> Iterator[Any]:
    with served(create_app(work)) as address:
        context = browser.new_context(viewport=request.param, reduced_motion="reduce")
        page = context.new_page()
        page.goto(address)
        page.evaluate(
            """() => {
              window.longest = 0;
              let last = performance.now();
              setInterval(() => {
                const now = performance.now();
                longest = Math.max(longest, now - last);
                last = now;
              }, 20);
            }"""
        )
        yield page
        context.close()


def test_forty_pages_come_as_they_are_done_and_the_page_stays_responsive(page):
    text = forty_pages()
    page.set_input_files("#file", {"name": "long.md", "mimeType": "", "buffer": text.encode()})
    page.evaluate("longest = 0")
    page.click("#start")
    page.locator("#review-table tbody tr").first.wait_for(timeout=2000)
    assert "so far" in page.inner_text("#progress")  # and not at the end
    page.keyboard.press("n")
    page.keyboard.press("r")
    assert page.evaluate("review.rewriting.refused.size") == 1
    page.locator("#progress", has_text="Done").wait_for(timeout=60_000)
    assert page.evaluate("review.rewriting.refused.size") == 1
    assert page.evaluate("review.rewriting.text().trim().split(/\\n\\n/).length") == text.count("\n\n") + 1
    page.locator("#review-table .word", has_text="mayor").first.click()
    page.keyboard.press("ArrowRight")
    page.click("#refuse-all")
    page.click("#undo-edit")
    assert page.evaluate("longest") < MOST
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_forty_pages_can_be_cancelled(page, work):
    page.fill("#source", forty_pages())
    page.click("#start")
    page.locator("#review-table tbody tr").first.wait_for(timeout=2000)
    page.click("#cancel")
    page.locator("#progress", has_text="Cancelled").wait_for(timeout=1000)
    paragraphs = page.evaluate("review.data.paragraphs.length")
    assert 0 < paragraphs < forty_pages().count("\n\n")
    page.wait_for_timeout(500)
    assert page.evaluate("review.data.paragraphs.length") == paragraphs
    assert work.under_way == 0
