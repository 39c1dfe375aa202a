"""The page of a study in a real browser: silent, whole without script, legible on a phone, in the dark and on paper."""

from __future__ import annotations

import re

import pytest
from tests.report import study_examples as examples
from tests.report.colours import colours_of, contrast
from tests.report.test_document import HOSTILE

from plainwright.report.study import render

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def html() -> str:
    return render(examples.full())


def overflowing(page) -> list[str]:
    """Text in drawings that leaves its drawing."""
    return page.evaluate(
        """() => [...document.querySelectorAll("figure svg")].flatMap((drawing) => {
          const frame = drawing.getBoundingClientRect();
          return [...drawing.querySelectorAll("text")].filter((text) => {
            const box = text.getBoundingClientRect();
            return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1
              || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
          }).map((text) => text.textContent);
        })"""
    )


@pytest.mark.parametrize("script", [True, False])
def test_every_section_is_there_with_and_without_script(open_html, html, script):
    page = open_html(html, java_script_enabled=script)
    sections = re.findall(r'<li><a href="#([^"]+)">', html)
    assert sections == ["ratings", "agreement", "correlation", "tradeoffs", "resampling", "plan"]
    for key in sections:
        assert page.is_visible(f"#{key} h2")
    folded = page.locator("details.chart figure > svg").count()
    assert page.locator("figure > svg:visible").count() == page.locator("figure > svg").count() - folded > 10


def test_tables_unfold_without_script(open_html, html):
    page = open_html(html, java_script_enabled=False)
    summary = page.locator("summary", has_text="The numbers as a table").first
    table = page.locator("details.numbers table").first
    assert not table.is_visible()
    summary.click()
    assert table.is_visible()


def test_links_lead_to_their_sections(open_html, html):
    page = open_html(html)
    page.click("nav a[href='#tradeoffs']")
    assert page.evaluate("location.hash") == "#tradeoffs"
    box = page.locator("#tradeoffs h2").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 300


@pytest.mark.parametrize("width", [320, 400, 800, 1600])
def test_the_page_never_scrolls_sideways(open_html, html, width):
    page = open_html(html, viewport={"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1000, 1400])
def test_no_table_is_cut_where_there_is_room_for_it(open_html, html, width):
    page = open_html(html, viewport={"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    cut = "parts => parts.filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.ariaLabel)"
    assert page.locator(".scroll").evaluate_all(cut) == []


def test_names_in_capitals_do_not_cover_each_other(open_html):
    names = ("RM+EX+LS+RO", "UNTS", "UNMT", "SEMOSES-ALL", "SBMT-SARI", "WMW-MMW")
    page = open_html(render(examples.full(examples.ratings(systems=names))))
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    covering = page.evaluate(
        """() => [...document.querySelectorAll("figure svg")].flatMap((drawing) => {
          const names = [...drawing.querySelectorAll("text.name:not(.tick)")];
          const boxes = names.map((name) => name.getBBox());
          const apart = (a, b) => a.x + a.width <= b.x || b.x + b.width <= a.x
            || a.y + a.height - 3 <= b.y || b.y + b.height - 3 <= a.y;
          return boxes.flatMap((box, i) => boxes.slice(0, i).map((other, j) => [box, other, i, j]))
            .filter(([box, other]) => box.width && !apart(box, other))
            .map(([, , i, j]) => names[i].textContent + " and " + names[j].textContent);
        })"""
    )
    assert covering == []


def test_text_stays_inside_its_drawing(open_html, html):
    assert overflowing(open_html(html)) == []


def test_long_names_stay_inside_their_drawings(open_html):
    names = tuple(f"a-system-with-quite-a-long-name.{number}.txt" for number in range(12))
    page = open_html(render(examples.full(examples.ratings(systems=names))), viewport={"width": 360, "height": 800})
    assert overflowing(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_hostile_names_do_nothing_and_are_shown_as_they_are(open_html):
    rated = examples.ratings(systems=HOSTILE[:3], raters=HOSTILE[4:], items=(*HOSTILE, *"abcdef"))
    page = open_html(render(examples.full(rated)))
    assert page.locator("#ratings th", has_text=HOSTILE[0]).count() > 0
    assert page.locator("img, script").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_shades_leave_their_text_legible(open_html, html, scheme):
    page = open_html(html, color_scheme=scheme)
    colours = colours_of(page, "shade-1", "shade-2", "shade-3")
    for shade in ("shade-1", "shade-2", "shade-3"):
        assert contrast(colours["ink"], colours[shade]) >= 4.5, shade


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_white(open_html, html, scheme):
    page = open_html(html, color_scheme=scheme)
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.is_visible("nav")


def test_every_region_that_scrolls_takes_the_focus(open_html, html):
    page = open_html(html)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    regions = page.locator(".scroll")
    assert regions.count() > 0
    assert all(regions.nth(place).get_attribute("tabindex") == "0" for place in range(regions.count()))
