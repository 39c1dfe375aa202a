"""The documentation site in a real browser, opened from the file system as a reader without a network would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.rate.axe import violations

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 900}
SHARES = 4  # of the pages, which workers take in turn
COLOURS = 5  # one page in so many is read for its colours, too, by day and in the dark: all have the same


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


@pytest.mark.parametrize("share", range(SHARES))
def test_everybody_can_read_every_page_without_a_network(browser: Any, site: Path, share: int) -> None:
    names = sorted(str(path.relative_to(site)) for path in site.rglob("*.html") if path.name != "404.html")
    assert len(names) > 100
    reader = Reader(browser, site)
    coloured = set(names[::COLOURS])
    mine = names[share::SHARES]
    wrong = {name: found for name in mine if (found := barriers(reader, name, colours=name in coloured))}
    assert wrong == {}
    assert (reader.outside, reader.errors) == ([], [])


def barriers(reader: Reader, name: str, *, colours: bool) -> list[str]:
    """What keeps somebody from reading a page on a phone, and with `colours` on a large screen in the dark, too."""
    reader.page.set_viewport_size(PHONE)
    page = reader.open(name)
    width = page.evaluate("document.documentElement.scrollWidth")
    found = [] if width <= PHONE["width"] else [f"{width} pixels wide on a phone"]
    found += [f"phone: {one}" for one in violations(page, colours=colours)]
    if not colours:
        return found
    page.set_viewport_size(DESKTOP)
    page.evaluate("document.body.dataset.mdColorScheme = 'slate'")
    return found + [f"dark: {one}" for one in violations(page)]


@pytest.mark.parametrize(("wish", "scheme"), [("light", "default"), ("dark", "slate")])
@pytest.mark.parametrize("name", ["index.html", "metrics/sari.html"])
def test_a_page_on_a_large_screen_has_the_colours_that_a_reader_likes(
    browser: Any, site: Path, name: str, wish: str, scheme: str
) -> None:
    page = Reader(browser, site, viewport=DESKTOP, color_scheme=wish).open(name)
    assert page.evaluate("document.body.dataset.mdColorScheme") == scheme
    assert violations(page) == []


def test_everybody_can_read_that_there_is_no_such_page(browser: Any, site: Path) -> None:
    """Only a server shows this page, so its links begin at the root of one."""
    page = browser.new_context(bypass_csp=True, reduced_motion="reduce", viewport=PHONE).new_page()
    page.route("http://site.test/**", lambda route: serve(route, site))
    page.goto("http://site.test/deep/none.html")
    assert page.inner_text("h1").startswith("404")
    assert violations(page) == []


def serve(route: Any, site: Path) -> None:
    """Answer as a server does that has nothing but the site."""
    path = site / urlsplit(route.request.url).path.lstrip("/")
    found = path.is_file()
    route.fulfill(path=path if found else site / "404.html", status=200 if found else 404)


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
