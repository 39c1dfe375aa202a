"""Pictures of the rating pages for the documentation: docs/images/rate-*.png, from studies made up for them.

    python tools/rate_screenshots.py [NAME…]

Each picture is a function with the name of its file; without names, all of them are made. Needs `make test-all`'s
browser. Look at the pictures before you commit them.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright
from tests.chromium import SWITCHES, program
from tests.rate.busy_study import PASSWORD, save_busy_study
from tests.rate.live import LiveStudy
from tests.rate.serving import served

from plainwright.rate.demonstration import make_demo
from plainwright.rate.store import people
from plainwright.rate.store.database import Database
from plainwright.rate.web.app import create_app

IMAGES = ROOT / "docs" / "images"
LIMIT = 120 * 1024  # bytes of a picture


@dataclass
class Stage:
    """A served study in the middle of its life, and browsers to look at it."""

    address: str
    database: Database
    raters: dict[str, people.Rater]  # by label
    browser: Any
    closing: ExitStack  # what else was opened

    def page(self, width: int, height: int, **options: Any) -> Any:
        """A new browser window."""
        size = {"width": width, "height": height}
        return self.browser.new_context(viewport=size, reduced_motion="reduce", **options).new_page()

    def organiser(self, path: str, width: int, height: int, **options: Any) -> Any:
        """A page of the organiser's."""
        page = self.page(width, height, **options)
        page.goto(f"{self.address}/organiser")
        page.fill("#password", PASSWORD)
        page.click("main button")
        page.wait_for_url("**/organiser")
        page.goto(f"{self.address}{path}")
        return page

    def rater(self, label: str, path: str, width: int, height: int, **options: Any) -> Any:
        """A page of a rater's, in a browser that was let in by a link."""
        now = time.time()
        with self.database.writing() as connection:
            rater = self.raters[label]
            token = people.invite(connection, rater_id=rater.id, uses=1, expires=now + 600, now=now)
        page = self.page(width, height, **options)
        page.goto(f"{self.address}/join/{token}")
        page.click("main button")
        page.goto(f"{self.address}{path}")
        return page

    def at_work(self, form: str, width: int, height: int, **options: Any) -> Any:
        """The first page after the training, of the study of `plainwright rate demo`."""
        folder = Path(self.closing.enter_context(tempfile.TemporaryDirectory()))
        demo = make_demo(folder, form, organiser="organiser", password=PASSWORD, now=time.time())
        study = LiveStudy(Database.open(demo.database))
        self.closing.callback(study.close)
        page = self.page(width, height, **options)
        study.sign_in(page.context)
        page.goto(study.url())
        while page.inner_text("h1").startswith("Practice"):
            score(page, [70] * page.locator(".card").count())
            page.keyboard.press("Control+Enter")
            page.click("main .button.primary")
        page.wait_for_selector("#task[data-ready]")
        return page


def score(page: Any, scores: list[int]) -> None:
    """By keys, from the first card on."""
    page.wait_for_selector("#task[data-ready]")
    page.locator(".card").first.focus()
    for value in scores:
        for key in (*str(value), "Enter"):
            page.keyboard.press(key)
    page.wait_for_timeout(500)  # until it is saved


SHOTS: dict[str, Callable[[Stage], Any]] = {}


def shot(name: str) -> Callable[[Callable[[Stage], Any]], Callable[[Stage], Any]]:
    """Register a function that opens what docs/images/NAME.png shows."""

    def register(open_page: Callable[[Stage], Any]) -> Callable[[Stage], Any]:
        SHOTS[name] = open_page
        return open_page

    return register


@shot("rate-organiser")
def overview(stage: Stage) -> Any:
    """How far the study is, and what to do now."""
    return stage.organiser("/organiser", 960, 860)


@shot("rate-organiser-phone")
def overview_on_a_phone(stage: Stage) -> Any:
    """The same on a phone, in the dark."""
    return stage.organiser("/organiser", 360, 740, is_mobile=True, has_touch=True, color_scheme="dark")


@shot("rate-organiser-rater")
def careless_rater(stage: Stage) -> Any:
    """One rater, with the numbers behind what stands out."""
    return stage.organiser(f"/organiser/raters/{stage.raters['Emil'].public}", 960, 720)


@shot("rate-organiser-results")
def results(stage: Stage) -> Any:
    """What the study found so far."""
    return stage.organiser("/organiser/results", 960, 800)


@shot("rate-rank")
def ranking(stage: Stage) -> Any:
    """Scores that contradict the order, and an edit that is told."""
    page = stage.at_work("rank", 1060, 600)
    score(page, [72, 85, 64, 40])
    page.evaluate("scrollTo(0, 0)")
    page.locator(".card .edit.deletion").first.hover()
    return page


@shot("rate-phone")
def ranking_on_a_phone(stage: Stage) -> Any:
    """The same on a phone, in the dark."""
    page = stage.at_work("rank", 360, 740, color_scheme="dark")
    score(page, [72, 85])
    return page


@shot("rate-edits")
def correcting_edits(stage: Stage) -> Any:
    """The dialog alone."""
    page = stage.at_work("rank", 1060, 800)
    page.locator(".card:has(.edit.paraphrase)").first.focus()
    page.keyboard.press("e")
    page.locator("#edits-places [aria-pressed=true]").first.focus()
    return page.locator("#edits")


@shot("rate-likert")
def answering(stage: Stage) -> Any:
    """Two of three questions answered."""
    page = stage.at_work("likert", 1080, 480)
    page.locator(".card").first.focus()
    page.keyboard.press("4")
    page.keyboard.press("5")
    return page


@shot("rate-pairwise")
def comparing(stage: Stage) -> Any:
    """The second one chosen."""
    page = stage.at_work("pairwise", 1080, 480)
    page.locator(".card").first.focus()
    page.keyboard.press("2")
    return page


@shot("rate-writing")
def writing(stage: Stage) -> Any:
    """A split that lost two words."""
    page = stage.at_work("write-split", 1060, 620)
    rest = "it may considerably increase the concentration of the active ingredient in the blood."
    page.fill(
        "#written", f"Patients who are prescribed this medication should not eat grapefruit. This is because {rest}"
    )
    page.wait_for_selector("#written-problems li")
    return page


@contextmanager
def opened_stage() -> Iterator[Stage]:
    """Everything that pictures need, until the end of the block."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database.create(f"sqlite:///{folder}/study.db")
        with database.writing() as connection:
            raters = save_busy_study(connection, time.time())
        with served(create_app(database)) as address, sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=program(), args=list(SWITCHES))
            with ExitStack() as closing:
                yield Stage(address, database, raters, browser, closing)
            browser.close()
        database.close()


def main(names: list[str]) -> None:
    """Make the pictures that are named, or all."""
    IMAGES.mkdir(exist_ok=True)
    with opened_stage() as stage:
        for name in names or SHOTS:
            shown = SHOTS[name](stage)  # a page, or a part of one
            path = IMAGES / f"{name}.png"
            shown.screenshot(path=path)
            getattr(shown, "page", shown).context.close()
            size = path.stat().st_size
            sys.stdout.write(f"{path.relative_to(ROOT)}: {size:,} bytes{' - too large' if size > LIMIT else ''}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
