"""The report in a real browser: every control does what it says, and hostile text does nothing."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.report import report_examples as examples
from tests.report.colours import colours_of, contrast

from plainwright.report import render

pytestmark = pytest.mark.browser


def segments(page) -> list[int]:
    """The sentences in the table, in their order, counted from 1."""
    return [int(body.get_attribute("data-segment")) + 1 for body in page.query_selector_all("#sentence-table tbody")]


def changes(page, sentence: int, system: str) -> list[tuple[str, str]]:
    """What is marked as deleted or added in one output."""
    row = page.locator(f"#sentence-{sentence} tr.output", has=page.locator("th", has_text=system))
    return row.locator("del, ins").evaluate_all("nodes => nodes.map(n => [n.localName, n.textContent])")


def test_the_page_opens_in_silence(open_report):
    page = open_report(examples.small(warnings=("one warning",)))
    assert segments(page) == [1, 2, 3, 4, 5]
    assert page.inner_text("#count") == "All 5 sentences"


def test_differences_are_marked_word_by_word(open_report):
    page = open_report(examples.small())
    assert changes(page, 1, "rules") == [["del", "currently"], ["ins", "now"]]
    assert changes(page, 3, "rules") == [
        ["del", "resided"],
        ["ins", "lived"],
        ["del", "demise"],
        ["ins", "death"],
    ]
    assert changes(page, 3, "short") == [["del", "until his demise"]]
    assert changes(page, 1, "identity") == []
    output = page.locator("#sentence-1 tr.output .text").nth(1)
    assert output.text_content() == "About 95 species are currently now accepted ."


def test_punctuation_is_compared_apart_from_its_word(open_report):
    page = open_report(examples.small())
    assert changes(page, 2, "short") == [["del", ", which was established in 1994, subsequently"]]
    text = page.locator("#sentence-2 tr.output .text").nth(2).text_content()
    assert text == "The committee, which was established in 1994, subsequently relinquished its authority."


def test_differences_can_be_switched_off(open_report):
    page = open_report(examples.small())
    page.uncheck("#differences")
    assert page.locator("#sentence-table :is(del, ins)").count() == 0
    assert "now accepted" in page.inner_text("#sentence-1")


def test_parts_of_scores_stand_below_the_output(open_report):
    page = open_report(examples.small())
    page.check("#parts")
    line = page.inner_text("#sentence-1 tr.output >> nth=1").replace("\n", " ")
    assert "SARI add 19.0" in line  # 75.94 / 4
    assert "compression 0.85" in line  # 35 characters of 41
    assert page.locator("#sentence-table thead th").count() == 5


def test_references_open_for_one_sentence_or_for_all(open_report):
    page = open_report(examples.small())
    page.click("#sentence-1 summary")
    page.locator("#sentence-1 li").first.wait_for()
    assert page.locator("#sentence-1 li").count() == 2
    assert page.locator("#sentence-3 li").count() == 0
    page.check("#references")
    assert page.locator("#sentence-3 li").count() == 2


@pytest.mark.parametrize(
    ("query", "within", "expected"),
    [
        ("LISBON", "all", [3]),
        ("lived", "all", [3]),
        ("lived", "source", []),
        ("lived", "references", [3]),
        ("use sunlight", "outputs", [4]),
        (".*", "all", []),
        ("", "all", [1, 2, 3, 4, 5]),
    ],
)
def test_search(open_report, query, within, expected):
    page = open_report(examples.small())
    page.select_option("#within", within)
    page.fill("#query", query)
    assert segments(page) == expected
    assert page.inner_text("#count").startswith(f"{len(expected)} of 5" if query else "All 5")


@pytest.mark.parametrize(
    ("kind", "hidden", "expected"),
    [
        ("equal", [], [1, 2, 3, 4, 5]),
        ("equal", ["identity"], []),
        ("changed", ["rules", "short"], []),
        ("split", [], [2, 5]),  # only "rules" makes two sentences of one
        ("split", ["rules"], []),
    ],
)
def test_kinds_of_output(open_report, kind, hidden, expected):
    page = open_report(examples.small())
    for name in hidden:
        page.uncheck(f"#systems label:has-text('{name}') input")
    page.select_option("#kind", kind)
    assert segments(page) == expected


def test_score_range_marks_the_outputs_that_match(open_report):
    page = open_report(examples.small())
    page.select_option("#range-metric", "sari")
    page.fill("#range-low", "65")
    assert segments(page) == [1, 3, 4]  # the SARI of "rules": 75.94, 61, 70, 66, 58
    assert page.locator("tr.matching").count() == 3
    assert page.inner_text("#count") == "3 of 5 sentences, 3 matching outputs"
    page.fill("#range-high", "70")
    assert segments(page) == [3, 4]
    page.click("#reset-filters")
    page.wait_for_function("document.querySelectorAll('#sentence-table tbody').length === 5")


def test_sorting_by_score_and_by_difference_of_two_systems(open_report):
    page = open_report(examples.small())
    page.select_option("#sort", "sari")
    page.select_option("#sort-of", label="rules")
    assert segments(page) == [5, 2, 4, 3, 1]
    page.click("#sort-order")
    assert segments(page) == [1, 3, 4, 2, 5]
    page.select_option("#sort-minus", label="short")  # 45.94, 26, 42, 25, and none for the fifth: last
    assert segments(page) == [1, 3, 2, 4, 5]
    page.click("#sort-order")
    assert segments(page) == [4, 2, 3, 1, 5]


def test_column_headings_sort_and_say_so(open_report):
    page = open_report(examples.small())
    page.click("#sentence-table thead button:has-text('BLEU')")
    heading = page.locator("#sentence-table thead th:has-text('BLEU')")
    assert heading.get_attribute("aria-sort") == "descending"
    assert page.evaluate("document.activeElement.textContent").startswith("BLEU")
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    assert page.locator("#sentence-table th[aria-sort]").count() == 1


def test_summary_sorts_and_unfolds_its_parts(open_report):
    page = open_report(examples.small())
    names = lambda: page.locator("#summary-table tbody th").all_inner_texts()  # noqa: E731
    page.click("#summary-table th:has-text('SARI') .sort")
    assert [name.strip() for name in names()] == ["rules", "short", "identity"]
    assert page.get_attribute("#summary-table th:has-text('SARI')", "aria-sort") == "descending"
    assert page.locator("#summary-table td.part:visible").count() == 0
    page.click("#summary-table button.parts")
    assert page.locator("#summary-table td.part:visible").count() == 9
    assert page.get_attribute("#summary-table button.parts", "aria-expanded") == "true"


def test_keys_step_through_the_sentences(open_report):
    page = open_report(examples.small())
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("location.hash") == "#s=2"
    assert page.evaluate("document.activeElement.id") == "sentence-2"
    page.keyboard.press("k")
    assert page.evaluate("location.hash") == "#s=1"
    page.keyboard.press("/")
    page.keyboard.type("jk")
    assert page.input_value("#query") == "jk"
    page.fill("#query", "")
    page.uncheck("#shortcuts")
    page.keyboard.press("j")
    assert page.evaluate("location.hash") == "#s=1"


def test_buttons_step_through_what_the_filter_keeps(open_report):
    page = open_report(examples.small())
    page.select_option("#kind", "split")
    page.click("#next")
    page.click("#next")
    assert page.evaluate("location.hash") == "#s=5"


def test_permalink_opens_its_sentence(open_report):
    page = open_report(examples.large(60, 2, 2), "#s=37")
    assert page.get_attribute("#sentence-37", "aria-current") == "true"
    assert page.inner_text(".page-number >> nth=0") == "Page 4 of 6"
    page.fill("#query", "no such words")
    page.evaluate("location.hash = '#s=12'")
    page.wait_for_selector("#sentence-12[aria-current]")
    assert page.input_value("#query") == ""


@pytest.mark.parametrize("fragment", ["#s=0", "#s=99999999999", "#s=-1", "#s=<img>", "#nonsense"])
def test_wrong_permalinks_do_no_harm(open_report, fragment):
    assert segments(open_report(examples.small(), fragment)) == [1, 2, 3, 4, 5]


def test_scatter_shows_a_sentence_and_leads_to_it(open_report):
    page = open_report(examples.small())
    assert "14 marks" in page.inner_text("#scatter-facts")  # 15 outputs, one without SARI
    page.focus("#scatter-plot")
    page.keyboard.press("End")  # the highest SARI: "rules" on the first sentence
    assert "rules: BLEU 70.0, SARI 75.9" in page.inner_text("#scatter-sentence")
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#s=1"
    page.select_option("#scatter-system", label="short")
    assert "4 marks" in page.inner_text("#scatter-facts")


def test_scatter_answers_to_the_pointer(open_report):
    page = open_report(examples.small())
    plot = page.locator("#scatter-plot")
    plot.scroll_into_view_if_needed()
    left, top = page.evaluate("[scatter.points[0].left, scatter.points[0].top]")
    box = plot.bounding_box()
    page.mouse.move(box["x"] + left + 2, box["y"] + top + 2)
    assert "Sentence 2" in page.inner_text("#scatter-sentence")  # SARI 20, the lowest
    page.mouse.down()
    page.mouse.up()
    assert page.evaluate("location.hash") == "#s=2"


def test_hostile_text_is_shown_as_text(open_report):
    hostile = (
        "<img src=x onerror=alert(1)>",
        "</script><script>alert(1)</script>",
        "<b>bold</b> & \u2028 \u202e",
        "",
        "x",
    )
    systems = [replace(system, outputs=hostile) for system in examples.small().systems[:2]]
    systems[0] = replace(systems[0], name="<svg onload=alert(1)>")
    page = open_report(
        examples.small(systems=tuple(systems), sources=hostile[::-1], references=tuple((t,) for t in hostile))
    )
    page.check("#references")
    page.focus("#scatter-plot")
    page.keyboard.press("End")
    assert "<img src=x onerror=alert(1)>" in page.inner_text("#sentence-1")
    assert page.locator("img, .text b, #sentence-table script").count() == 0


def test_a_megabyte_in_one_line_does_not_hang_the_page(open_report):
    rng = np.random.default_rng(1)
    long = [" ".join(map(str, rng.integers(0, 1000, 180_000))) for _ in range(2)]
    assert min(map(len, long)) > 600_000
    base = examples.small()
    systems = (replace(base.systems[0], outputs=(long[0], *examples.SOURCES[1:])),)
    page = open_report(replace(base, sources=(long[1], "y" * 1_000_000, *examples.SOURCES[2:]), systems=systems))
    assert len(page.inner_text("#sentence-1")) < 10_000
    page.click("#sentence-1 tr.output button")
    assert "too long to compare" in page.inner_text("#sentence-1 tr.output")


def test_two_thousand_sentences_of_ten_systems_stay_below_five_megabytes_and_the_filter_quick(open_html):
    evaluation = examples.large()
    document = render(evaluation)
    assert len(document.encode()) < 5_000_000
    page = open_html(document)
    limit = 10 * (1 + 10)  # a page of ten sentences: the source and ten outputs each
    assert page.locator("#sentence-table tbody tr").count() == limit
    word = evaluation.sources[1234].split()[3]
    elapsed = page.evaluate(
        """word => {
          const start = performance.now();
          document.getElementById("query").value = word;
          document.getElementById("query").dispatchEvent(new Event("input", { bubbles: true }));
          return performance.now() - start;
        }""",
        word,
    )
    print(f"filter of 2,000 x 10: {elapsed:.0f} ms")
    assert 0 < len(segments(page)) <= 10
    assert page.locator("#sentence-table tbody tr").count() <= limit
    page.select_option("#scatter-system", "all")
    assert "20,000 marks" in page.inner_text("#scatter-facts")
    page.evaluate("goTo(1999)")
    assert 2000 in segments(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(open_report, scheme):
    page = open_report(examples.small(warnings=("w",)), color_scheme=scheme)
    colours = colours_of(page)
    for text in ("ink", "soft", "accent"):
        for ground in ("paper", "raised", "accent-soft"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for kind in ("del", "ins", "warn"):
        assert contrast(colours[kind], colours[f"{kind}-back"]) >= 4.5, kind
    for index in range(10):
        assert contrast(colours[f"s{index}"], colours["paper"]) >= 3, index  # graphics need 3 : 1


def test_every_control_has_a_name_and_takes_the_focus(open_report):
    page = open_report(examples.small())
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input")]
          .filter((node) => !(node.textContent.trim() && node.localName === "button") && !node.labels?.length
            && !node.getAttribute("aria-label"))
          .map((node) => node.outerHTML)"""
    )
    assert nameless == []
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    controls = {
        "query",
        "within",
        "kind",
        "range-metric",
        "sort",
        "sort-order",
        "differences",
        "reset-filters",
        "scatter-plot",
    }
    assert controls <= reached


CUT = """() => [...document.querySelectorAll(".scroll")]
  .filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.ariaLabel)"""


@pytest.mark.parametrize("width", [1000, 1400])
def test_no_table_is_cut_where_there_is_room_for_it(open_report, width):
    page = open_report(examples.large(12, 4, 2), viewport={"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.evaluate(CUT) == []
    assert (
        page.evaluate("document.querySelector('nav ul').scrollWidth - document.querySelector('nav ul').clientWidth")
        == 0
    )


def test_a_table_that_does_not_fit_is_shaded_where_it_is_cut(open_report):
    page = open_report(examples.large(12, 4, 2), viewport={"width": 400, "height": 800})
    assert "Edit profile of each system" in page.evaluate(CUT)
    table = page.locator(".scroll", has=page.locator("#profile-1"))
    # The shade stays at the edge, and what covers it moves along with the end of the table.
    assert table.evaluate("(part) => getComputedStyle(part).backgroundAttachment") == "local, scroll"
    page.emulate_media(media="print")
    assert table.evaluate("(part) => getComputedStyle(part).backgroundImage") == "none"


@pytest.mark.parametrize("width", [320, 400, 800])
def test_narrow_screens_do_not_scroll_sideways(open_report, width):
    page = open_report(examples.large(12, 10, 2), viewport={"width": width, "height": 800})
    page.check("#parts")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_white_and_holds_the_sentences_up_to_a_stated_limit(open_report, scheme):
    page = open_report(examples.large(400, 2, 2), color_scheme=scheme)
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) > 3
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(segments(page)) == 150  # 300 outputs of two systems
    assert "Printed: 150 sentences of the 400" in page.inner_text("#print-notice")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.is_visible("#filters")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert len(segments(page)) == 10


def test_without_script_the_summary_and_the_charts_remain(open_report):
    page = open_report(examples.small(), java_script_enabled=False)
    assert page.is_visible("#summary-table")
    assert page.locator("#summary-table td.part:visible").count() == 9
    assert page.is_visible("#intervals svg >> nth=0")
    assert not page.is_visible("#filters")
    assert not page.is_visible("#scatter")
    assert "need JavaScript" in page.inner_text("#sentences")


def test_a_report_without_references_or_scores_works(open_report):
    systems = [replace(system, scores={}, segments={}, comparisons={}) for system in examples.small().systems]
    page = open_report(examples.small(systems=tuple(systems), references=((),) * 5))
    assert segments(page) == [1, 2, 3, 4, 5]
    assert not page.is_visible("#range-metric")


def test_outputs_without_sources_are_shown_plainly(open_report):
    page = open_report(examples.small(sources=(), references=()))
    assert segments(page) == [1, 2, 3, 4, 5]
    assert "no source given" in page.inner_text("#sentence-1")
    assert page.locator("#sentence-table :is(del, ins)").count() == 0
    assert not page.is_visible("#kind")


def test_splits_are_those_that_the_profile_measured(open_report):
    systems = [
        replace(system, segments={**system.segments, "profile.sentence_splits": np.array([1, 1, 2, 1, 0.5])})
        for system in examples.small().systems
    ]
    page = open_report(examples.small(systems=tuple(systems)))
    page.select_option("#kind", "split")
    assert segments(page) == [3]
