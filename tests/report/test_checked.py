"""The page of a check: the text as it was, marks that lead to findings and back, and nothing that runs."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from plainwright.check.files import CheckedFile, check_document
from plainwright.documents import format_named, parse_document
from plainwright.report.checked import render

TEXT = 'We commence & make a decision 😀 <script>alert("x")</script>.\n\n' + "It was basically long " * 12 + "."


def checked(text: str = TEXT, name: str = "letter.txt") -> CheckedFile:
    document = parse_document(text.encode(), format_named("text"), name)
    return check_document(document, name, ignore=["passive", "nested-sentence"])


class Page(HTMLParser):
    """The text of the marked paragraphs, all ids, and all links within the page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self._inside = 0
        self._hidden = False
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        self.ids += filter(None, [own.get("id")])
        self.links += [link[1:] for link in [own.get("href") or ""] if link.startswith("#")]
        if own.get("class") == "text" or (self._inside and tag == "div"):
            self._inside += 1
        self._hidden = "flag" in (own.get("class") or "") or (self._hidden and tag == "span")

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag == "div" and self._inside > 0
        self._hidden = self._hidden and tag != "a"
        if self._inside and tag == "p":
            self.text += "\n"

    def handle_data(self, data: str) -> None:
        if self._inside and not self._hidden:
            self.text += data


def test_the_text_is_as_it_was() -> None:
    page = Page(render([checked()]))
    assert [line for line in page.text.split("\n") if line] == [part.strip() for part in TEXT.split("\n\n")]


def test_every_link_leads_somewhere_and_every_id_is_one() -> None:
    page = Page(render([checked(), checked(name="other.txt")]))
    assert len(page.ids) == len(set(page.ids))
    assert set(page.links) <= set(page.ids)
    assert sum("-finding-" in own for own in page.ids) == 2 * len(checked().report.findings)


def test_nothing_is_loaded_and_only_our_script_runs() -> None:
    page = render([checked(name='"><img src=x onerror=alert(1)>.txt')])
    assert len(re.findall("<script>", page)) == 1
    assert "<img" not in page
    assert not re.search(r"(?:src|href)=\"(?!#)", page)
    assert "default-src &#39;none&#39;" in page


def test_the_same_findings_give_the_same_bytes() -> None:
    assert render([checked()]) == render([checked()])


@pytest.mark.browser
def test_rules_can_be_switched_off_and_everybody_can_use_the_page(tmp_path, browser) -> None:
    from tests.rate.axe import violations

    path = tmp_path / "page.html"
    path.write_text(render([checked(), checked(name="other.txt")]), encoding="utf-8")
    for scheme, width in (("light", 1280), ("dark", 360)):
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800}, bypass_csp=True)
        page = context.new_page()
        page.goto(path.as_uri())
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("tr[data-rule=filler]:visible").count() == 24
        page.uncheck("input[value=filler]")
        assert page.locator("tr[data-rule=filler]:visible").count() == 0
        page.locator(".found", has_text="commence").first.focus()
        page.keyboard.press("Enter")
        assert page.locator("tr:target td").nth(1).inner_text() == "commence"
        context.close()
