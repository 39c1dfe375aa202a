"""The documentation site in a real browser, opened from the file system as a reader without a network would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.rate.axe import violations

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    "index.html",
    "metrics/sari.html",
    "quickstart.html",
    "gallery.html",
    "tutorials/score-two-systems.html",
    "api/plainwright.report.html",
    "reproduce/lens2023.html",
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built for these tests; a link that leads nowhere fails here."""
    pytest.importorskip("zensical", reason="needs plainwright[docs]: make test-all installs it")
    folder = tmp_path_factory.mktemp("documentation-site")
    done = subprocess.run(
        [sys.executable, "-m", "tools.site", "--output", folder], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return folder / "site"


class Reader:
    """Somebody with a browser; `outside` lists every request that left the machine."""

    def __init__(self, browser: Any, site: Path, **options: Any) -> None:
        self.site = site
        self.outside: list[str] = []
        self.errors: list[str] = []
        self.page = browser.new_context(bypass_csp=True, reduced_motion="reduce", **options).new_page()
        self.page.on("request", lambda request: self.note(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def note(self, url: str) -> None:
        if not url.startswith(("file:", "data:", "blob:", "about:")):
            self.outside.append(url)

    def open(self, name: str) -> Any:
        self.page.goto((self.site / name).as_uri())
        return self.page


@pytest.mark.parametrize(("words", "expected"), [("SARI", "metrics/sari.html"), ("track changes", "documents.html")])
def test_search_finds_without_a_network(browser: Any, site: Path, words: str, expected: str) -> None:
    reader = Reader(browser, site)
    page = reader.open("quickstart.html")
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    page.locator(f"a[role=option][href*='{expected}']").first.wait_for()
    assert page.get_by_role("combobox").input_value() == words
    assert (reader.outside, reader.errors) == ([], [])


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_read_a_page_on_a_phone_without_a_network(browser: Any, site: Path, name: str) -> None:
    reader = Reader(browser, site, viewport={"width": 360, "height": 740})
    page = reader.open(name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []
    assert (reader.outside, reader.errors) == ([], [])


@pytest.mark.parametrize("name", PAGES[:2])
def test_everybody_can_read_a_page_in_the_dark(browser: Any, site: Path, name: str) -> None:
    page = Reader(browser, site, viewport={"width": 1280, "height": 900}, color_scheme="dark").open(name)
    assert violations(page) == []


def test_the_name_of_the_site_leads_home(browser: Any, site: Path) -> None:
    page = Reader(browser, site).open("metrics/sari.html")
    with page.expect_navigation():
        page.locator("header a.md-logo").click()
    assert page.inner_text("h1").startswith("plainwright")


def test_pictures_are_shown(browser: Any, site: Path) -> None:
    page = Reader(browser, site).open("gallery.html")
    widths = page.locator("article img").evaluate_all(
        "images => Promise.all(images.map(i => i.decode().then(() => i.naturalWidth)))"
    )
    assert len(widths) >= 8
    assert min(widths) > 300
