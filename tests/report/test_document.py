"""The report as a string: complete, inert, the same twice, and content with whatever was scored."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report import report_examples as examples

from plainwright.metrics import BLEU
from plainwright.metrics.result import Score
from plainwright.report import render
from plainwright.report.data import script_safe
from plainwright.report.names import typeset
from plainwright.report.svg import Scale, shorten

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    '"><img src=x onerror=alert(1)>',
    "a\u2028b\u2029c",
    "{{ 7 * 7 }} {% raw %}",
    "&lt;b&gt; &amp;",
    "]]>\x00\x7f\x85",
)


class Elements(HTMLParser):
    """Collects the start tags of a page, and the text of its script elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script":
            self.scripts[-1] += data


def data_of(page: str) -> dict[str, object]:
    return json.loads(Elements(page).scripts[0])


def hostile_evaluation():
    sources = tuple(HOSTILE)
    system = examples.system(
        "<b>system</b>", [text[::-1] for text in HOSTILE], {"sari": np.arange(len(HOSTILE), dtype=float)}
    )
    references = tuple((text, "plain") for text in HOSTILE)
    return examples.evaluation(
        [system], sources=sources, references=references, dataset="<i>set</i>", warnings=HOSTILE[:3]
    )


def test_hostile_text_adds_no_element():
    page = Elements(render(hostile_evaluation(), title="<u>title</u>"))
    harmless = Elements(render(examples.evaluation([])))
    assert len(page.scripts) == len(harmless.scripts) == 2
    assert not {"img", "b", "i", "u"} & {tag for tag, _ in page.tags}
    assert not [attributes for _, attributes in page.tags if any(name.startswith("on") for name in attributes)]


def test_hostile_text_arrives_unchanged():
    data = data_of(render(hostile_evaluation()))
    assert data["sources"] == list(HOSTILE)
    assert data["systems"] == ["<b>system</b>"]


def rebuilt(source: str, edits: list[int | str]) -> str:
    """A text from its edits, as the page does it: in UTF-16, as JavaScript counts."""
    units = source.encode("utf-16-le")
    text, at = b"", 0
    for kept, deleted, inserted in zip(edits[::3], edits[1::3], edits[2::3], strict=True):
        text += units[2 * at : 2 * (at + kept)] + inserted.encode("utf-16-le")
        at += kept + deleted
    return (text + units[2 * at :]).decode("utf-16-le")


def test_outputs_and_references_are_edits_of_their_source():
    sources = ("He 😀 resided here 😀 long.", *HOSTILE)
    outputs = ("He 😀 lived here long.", *(text[::-1] for text in HOSTILE))
    system = examples.system("a", outputs, {"sari": np.ones(8)})
    data = data_of(
        render(
            examples.evaluation(
                [system], sources=sources, references=tuple((o, s) for s, o in zip(sources, outputs, strict=True))
            )
        )
    )
    assert data["outputs"][0][0] == [6, 7, "lived", 5, 3, ""]  # by hand: an emoji is two characters in JavaScript
    for source, output, stored, references in zip(
        sources, outputs, data["outputs"][0], data["references"], strict=True
    ):
        assert rebuilt(source, stored) == output
        assert references == [stored, []]


def test_texts_without_a_source_or_too_long_to_compare_are_stored_as_they_are():
    assert data_of(render(examples.small(sources=(), references=())))["outputs"][1][0] == examples.OUTPUTS["rules"][0]
    system = examples.system("a", ("b " * 60_000,), {"sari": np.ones(1)})
    data = data_of(render(examples.evaluation([system], sources=("a " * 60_000,), references=())))
    assert data["outputs"] == [["b " * 60_000]]


def test_the_page_is_told_which_outputs_were_split():
    assert data_of(render(examples.small()))["splits"] == [[], [1, 4], []]  # only "rules" makes two sentences of one


def test_a_name_that_is_no_unicode_still_gives_a_page_that_can_be_written():
    system = examples.system("bad\udcffname", examples.SOURCES, {"sari": np.ones(5)})
    render(examples.evaluation([system])).encode("utf-8")


@pytest.mark.parametrize("text", HOSTILE)
def test_json_inside_a_script_element_is_safe_and_exact(text):
    embedded = script_safe([text])
    assert json.loads(embedded) == [text]
    assert not re.search("[<>&\u2028\u2029]", embedded)


def test_the_same_evaluation_gives_the_same_bytes():
    assert render(examples.small()) == render(examples.small())


def test_nothing_outside_the_file_is_referred_to():
    page = render(examples.small())
    links = [
        value
        for _, attributes in Elements(page).tags
        for name, value in attributes.items()
        if name in {"src", "href", "action", "srcset", "poster", "data"} and value
    ]
    assert all(link.startswith("#") for link in links)
    assert "@import" not in page
    assert "url(" not in page
    assert set(re.findall(r"https?://[^\s\"')]+", page)) == {"http://www.w3.org/2000/svg"}


def test_the_policy_admits_only_our_own_style_and_script():
    attributes = next(
        attributes for _, attributes in Elements(render(examples.small())).tags if "http-equiv" in attributes
    )
    policy = attributes["content"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_best_is_bold_and_significance_is_marked():
    page = render(examples.small())
    assert "<strong>66.19</strong>" in page  # mean of the SARI values of "rules"
    assert page.count('<span class="star" aria-hidden="true">*</span>') == 2  # p 0.004 for the two others
    assert "−3.20 against rules, p = 0.004" in page


def test_one_system_is_not_called_the_best():
    one = replace(examples.small(), systems=examples.small().systems[1:2])
    page = render(one)
    assert "<strong>66.19</strong>" not in page
    assert "the best system" not in page


def test_without_references_only_the_scores_that_exist_are_shown():
    fields = {"fk"}
    systems = [
        examples.system(system.name, system.outputs, {key: system.segments[key] for key in fields})
        for system in examples.small().systems
    ]
    page = render(examples.evaluation(systems, references=((),) * 5))
    assert "SARI" not in Elements(page).scripts[0]
    assert 'id="scatter"' not in page  # one metric cannot be plotted against another
    assert 'id="readability"' in page
    assert "<dd>none</dd>" in page


def test_unknown_metrics_appear_under_their_own_name():
    system = examples.system("a", examples.SOURCES, {"novel": np.linspace(-1, 1, 5)})
    page = render(examples.evaluation([system], kinds={"novel": BLEU}))
    assert "novel by sentence" in page


@pytest.mark.parametrize(
    "values",
    [
        np.full(5, np.nan),
        np.zeros(5),
        np.full(5, 1e-12),
        np.array([np.inf, 1, 2, 3, -np.inf]),
        np.full(5, 1e9),
    ],
    ids=["no value", "zero", "tiny", "infinite", "huge"],
)
def test_odd_values_are_drawn_or_left_out(values):
    finite = values[np.isfinite(values)]
    value = float(finite.mean()) if finite.size else float("nan")
    score = Score(metric="sari", value=value, signature="sari", parts={"add": value}, interval=(value, value))
    base = examples.system("a", examples.SOURCES, {"sari": np.ones(5)})
    system = replace(
        base,
        scores={"sari": score, "fk": replace(score, metric="fk")},
        segments={"sari": values, "fk": values},
    )
    page = render(examples.evaluation([system]))
    assert "nan" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL).lower().replace("governance", "")
    assert "Infinity" not in Elements(page).scripts[0]


def test_an_evaluation_without_systems_or_sentences_is_still_a_page():
    assert "<h1>" in render(examples.evaluation([], sources=(), references=()))


def test_signatures_are_listed_once_where_all_systems_agree():
    page = render(examples.small())
    assert page.count("<code>sari|case:lc|tok:13a|variant:plain|v:0.1.0</code>") == 1


def test_warnings_stand_before_the_summary():
    page = render(examples.small(warnings=("tokenised text",)))
    assert page.index("tokenised text") < page.index('id="summary"')


def test_every_drawing_is_described_and_every_table_has_a_caption():
    page = render(examples.small())
    drawings = [attributes for tag, attributes in Elements(page).tags if tag == "svg"]
    assert all(
        attributes.get("aria-hidden") or attributes.get("aria-label") or attributes.get("aria-labelledby")
        for attributes in drawings
    )
    assert page.count("<table") == page.count("<caption>")


def test_headings_never_skip_a_level():
    levels = [int(tag[1]) for tag, _ in Elements(render(examples.small())).tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_report_for_one_system_stays_below_half_a_megabyte():
    assert len(render(examples.large(359, 1)).encode()) < 500_000


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 100, [0, 50, 100]), (0, 1, [0, 0.5, 1]), (-3, 3, [-2, 0, 2]), (37.1, 38.4, [37.5, 38])],  # by hand
)
def test_ticks_are_round_and_inside(low, high, ticks):
    assert Scale(low, high, 0, 1).ticks(3) == ticks


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(3, 6))
def test_an_axis_never_has_a_single_tick(low, width, wanted):
    ticks = Scale(low, low + width, 0, 1).ticks(wanted)
    assert 2 <= len(ticks) <= 2 * wanted
    assert all(low - 1e-6 * width <= tick <= low + width * (1 + 1e-6) for tick in ticks)


def test_an_axis_from_12_to_97_has_more_than_the_number_50():
    # The intervals of FKBLEU of four systems, whose axis had one number; by hand.
    assert Scale(12, 97, 0, 1).ticks() == [20, 40, 60, 80]


def test_sentences_have_true_signs():
    assert (
        typeset("from -0.2 [-0.3, 0.1] to 12 x 3, 11% or 95 %")
        == "from −0.2 [−0.3, 0.1] to 12 × 3, 11\u00a0% or 95\u00a0%"
    )
    assert typeset("a-1 is a name") == "a-1 is a name"


def test_long_names_lose_their_middle():
    assert shorten("short", 100) == "short"
    assert shorten("a-very-long-system-name.v2.txt", 100) == "a-very-lo…2.txt"


def test_the_grade_of_the_source_stands_beside_the_outputs():
    page = render(examples.small())
    assert '<th scope="row">source</th>' in page
    assert '<th scope="row">source</th>' not in render(examples.small(sources=()))


def test_without_intervals_and_tests_the_legend_does_not_explain_them():
    systems = []
    for system in examples.small().systems:
        scores = {name: replace(score, interval=None) for name, score in system.scores.items()}
        systems.append(replace(system, scores=scores, comparisons={}))
    page = render(examples.small(systems=tuple(systems)))
    assert "In brackets" not in page
    assert "differs from the best" not in page


def test_a_profile_appears_through_its_parts_alone():
    systems = [
        replace(system, segments={**system.segments, "profile": np.ones(5)}) for system in examples.small().systems
    ]
    keys = [metric["key"] for metric in data_of(render(examples.small(systems=tuple(systems))))["metrics"]]
    assert "profile" not in keys
    assert "profile.compression" in keys
