"""The page of a study as a string: complete, inert, without script, the same twice, open about what is missing."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from itertools import pairwise

import pytest
from tests.report import study_examples as examples
from tests.report.test_document import HOSTILE, Elements

from plainwright.report.names import typeset
from plainwright.report.study import StudyReport, render


@pytest.fixture(scope="module")
def page() -> str:
    return render(examples.full())


def text_of(page: str) -> str:
    return re.sub(r"<style.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)


def test_hostile_names_add_no_element(page):
    rated = examples.ratings(
        systems=HOSTILE[:3], aspects=(HOSTILE[3], HOSTILE[0]), raters=HOSTILE[4:], items=(*HOSTILE, *"abcdef")
    )
    hostile = Elements(render(examples.full(rated, title=HOSTILE[0])))
    known = {tag for tag, _ in Elements(page).tags}
    assert {tag for tag, _ in hostile.tags} <= known
    assert hostile.scripts == []
    assert not [attributes for _, attributes in hostile.tags if any(name.startswith("on") for name in attributes)]


def test_there_is_no_script_and_the_policy_admits_none(page):
    elements = Elements(page)
    assert elements.scripts == []
    policy = next(attributes["content"] for _, attributes in elements.tags if "http-equiv" in attributes)
    assert re.fullmatch(r"default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'", policy)
    assert not [attributes for _, attributes in elements.tags if "style" in attributes]  # the policy would drop them


def test_nothing_outside_the_file_is_referred_to(page):
    links = [attributes["href"] for _, attributes in Elements(page).tags if "href" in attributes]
    assert links
    assert all(link.startswith("#") for link in links)
    assert not re.search(r"https?://|@import|url\(| src=", page)


def test_the_same_results_give_the_same_bytes(page):
    assert render(examples.full()) == page


def test_every_link_leads_to_a_section_and_no_id_occurs_twice(page):
    ids = [attributes["id"] for _, attributes in Elements(page).tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in re.findall(r'href="([^"]+)"', page)} <= set(ids)


def test_every_drawing_is_described_and_has_its_numbers_in_a_table(page):
    elements = Elements(page)
    drawings = [attributes for tag, attributes in elements.tags if tag == "svg"]
    assert drawings
    assert all(attributes.get("aria-hidden") or attributes.get("aria-label") for attributes in drawings)
    assert page.count("<table") == page.count("<caption>")
    charts = page.split('<div class="panels')[1:]
    assert len(charts) > 10
    assert all("<table" in chart for chart in charts)


def test_headings_never_skip_a_level(page):
    levels = [int(tag[1]) for tag, _ in Elements(page).tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_no_nan_reaches_the_reader(page):
    assert not re.search(r"\b(nan|inf|None)\b", text_of(page))


def test_a_section_without_results_says_why():
    page = render(StudyReport(ratings=examples.ratings(), problems={"tradeoffs": "only <one> aspect was rated"}))
    assert "only &lt;one&gt; aspect was rated" in page
    assert 'href="#tradeoffs"' in page
    assert 'id="resampling"' not in page  # nobody asked for it


def test_a_page_without_anything_is_still_a_page():
    assert "<h1>Study</h1>" in render(StudyReport())


def test_gaps_in_the_ratings_are_counted():
    rated = examples.ratings()
    gap = rated.where(systems=rated.systems[:2])
    rest = rated.where(systems=rated.systems[2:], items=rated.items[1:])
    page = render(StudyReport(ratings=type(rated)((*gap.rows, *rest.rows))))
    assert "2 of 40 outputs" in page


def test_the_trade_off_shows_its_line_and_its_numbers():
    report = examples.full()
    page = render(report)
    everything = report.tradeoffs[0].relation("all outputs")
    assert everything.r_squared.value is not None
    assert f"Each output: R² {everything.r_squared.value:.2f} [" in page
    assert page.count('class="fit"') == 2
    assert report.tradeoffs[0].statement in page


def test_curves_say_where_they_level_off():
    report = examples.full()
    page = render(report)
    for resampling in report.resampling:
        level = resampling.sizes.levels_off
        assert level is None or f">levels off at {level.sentences}<" in page
        best = resampling.budget.best
        assert best is not None
        assert f">best: {best.sentences} sentences × {best.raters}<" in page


def test_one_rating_an_output_leaves_out_the_curve_over_raters():
    report = examples.full(examples.ratings(raters=("ann",)))
    page = render(report)
    assert "Over the number of raters" not in page
    assert "Over the number of sentences" in page
    assert "cannot be studied" in page


def test_the_forest_shows_every_metric_and_says_why_one_has_no_value():
    report = examples.full()
    page = render(report)
    for study in report.correlation:
        for found in study.correlations:
            estimate = found.estimate
            if estimate.value is None:
                assert found.metric == "constant"
                assert escape(estimate.problem) in page
            else:
                assert estimate.interval is not None
                assert f"[{estimate.interval.low:.2f}, {estimate.interval.high:.2f}]".replace("-", "−") in page
    assert page.count(">no value</text>") == sum(
        found.estimate.value is None for study in report.correlation for found in study.correlations
    )


def test_stars_and_shades_of_the_heat_map_are_the_significant_differences():
    report = examples.full(examples.ratings(systems=tuple("ABCDEFGHIJ")))
    section = render(replace(report, agreement=())).split('id="correlation"')[1].split("</section>")[0]
    significant = sum(difference.significant for study in report.correlation for difference in study.differences)
    assert significant > 0
    cells = re.findall(r'<td class="shade-(\d)"[^>]*>([^<]*)<', section)
    assert sum(text.endswith("*") for _, text in cells) == 2 * significant  # either metric may come first
    assert all((shade != "0") == text.endswith("*") for shade, text in cells)


def test_systems_are_named_in_the_scatter_plots():
    report = examples.full()
    section = render(report).split('id="correlation"')[1].split("</section>")[0]
    for system in examples.SYSTEMS:
        assert re.search(rf'<text [^>]*class="name">{system}</text>', section)


def test_a_contrary_rater_is_warned_of():
    report = examples.full(examples.ratings(raters=("ann", "ben", "cat", "dan"), contrary="dan"))
    section = render(report).split('id="agreement"')[1]
    warnings = section.split('class="warnings"')[1].split("</section>")[0]
    assert "dan" in warnings
    assert "goes against the others" in warnings
    assert "ann" not in warnings


def test_alpha_stands_with_its_interval():
    report = examples.full()
    page = render(report)
    for agreement in report.agreement:
        alpha = agreement.alpha
        assert alpha.value is not None
        assert alpha.interval is not None
        assert f"<td>{alpha.value:.2f} [{alpha.interval.low:.2f}, {alpha.interval.high:.2f}]</td>" in page


def test_the_plan_marks_what_it_recommends_and_says_what_it_assumes():
    plan = examples.a_plan()
    page = render(StudyReport(plan=plan))
    best = plan.recommended
    assert page.count('class="ring"') == 3
    assert f">{best.sentences:,} sentences × {best.raters}</text>" in page
    assert f">{best.raters} (recommended)</th>" in page
    for assumption in plan.assumptions:
        assert escape(assumption) in page


@pytest.mark.parametrize(
    "fewer",
    [
        {"systems": ("copy",)},
        {"raters": ("ann",)},
        {"aspects": ("simplicity",)},
        {"items": ("a", "b")},
        {"items": ("a",), "systems": ("copy",), "raters": ("ann",), "aspects": ("simplicity",)},
    ],
    ids=lambda fewer: " ".join(fewer),
)
def test_little_data_make_a_page_that_says_what_is_missing(fewer):
    page = render(examples.full(examples.ratings(**fewer)))
    for key in ("ratings", "agreement", "correlation", "tradeoffs", "resampling", "plan"):
        assert f'<section id="{key}"' in page
    assert not re.search(r"\b(nan|inf|None)\b", text_of(page))
    assert re.search("notice|no value|needs", page)


def test_minus_signs_are_true_and_hyphens_stay():
    assert typeset("r -0.50 [-1.00, 0.20] of t5-base-2 (-3)") == "r −0.50 [−1.00, 0.20] of t5-base-2 (−3)"
    assert typeset("a 95 % interval") == "a 95\u00a0% interval"


def test_without_order_or_time_drift_is_said_to_be_missing_once():
    rated = examples.ratings()
    unordered = type(rated)(tuple(replace(row, order=None) for row in rated))
    page = render(examples.full(unordered))
    assert page.count("No drift is shown: neither the order nor the time") == len(examples.ASPECTS)
    assert ">Drift<" not in page
    assert ">Drift<" in render(examples.full())
