"""Reports on raters: by hand, on simulated bad and honest raters, and where nothing can be said."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.study.rated import from_array
from tests.study.simulated_raters import ASPECT, BAD, findings, simulated_study

from plainwright.errors import UnknownNameError
from plainwright.study.raters import Limits, RaterReport, rater_reports
from plainwright.study.ratings import Ratings, Scale, standardised

_SMALL = 200  # resamples, where the test is not about intervals


def _reports(ratings: Ratings, **options: object) -> dict[str, RaterReport]:
    found = rater_reports(ratings, "simplicity", resamples=_SMALL, **options)  # type: ignore[arg-type]
    return {report.rater: report for report in found}


def _kinds(report: RaterReport) -> list[str]:
    return [finding.kind for finding in report.findings]


def test_descriptions_by_hand() -> None:
    scores = np.array([[[1, 2]], [[2, 2]], [[2, 4]], [[3, np.nan]]], dtype=float)
    reports = _reports(from_array(scores, scale=Scale(1, 5, 1)))
    first, second = reports["rater 0"], reports["rater 1"]
    assert (first.ratings, second.ratings) == (4, 3)
    assert first.mean == 2
    assert first.deviation == pytest.approx(np.sqrt(2 / 4))  # deviations -1 0 0 1, divided by n
    assert (first.most_used, first.most_used_share) == (2, 0.5)
    assert (first.lowest, first.highest, first.distinct) == (1, 3, 3)
    assert first.range_used == 0.5  # 1 to 3 of 1 to 5
    # Deviations on the three common outputs: -2/3 1/3 1/3 and -2/3 -2/3 4/3; products 4/9 - 2/9 + 4/9 = 2/3,
    # squares 2/3 and 8/3: (2/3) / (4/3) = 1/2.
    assert first.with_others.value == pytest.approx(0.5)
    assert first.with_others.n == 3


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_correlation_with_others_is_that_of_scipy_with_the_mean_of_the_others(seed: int) -> None:
    generator = np.random.default_rng(seed)
    scores = generator.normal(size=(15, 3, 4)) + generator.normal(size=(15, 3, 1))
    scores[generator.random(scores.shape) < 0.2] = np.nan
    reports = _reports(from_array(scores))
    for k in range(4):
        own, others = [], []
        for output in scores.reshape(-1, 4):
            rest = [score for r, score in enumerate(output) if r != k and np.isfinite(score)]
            if np.isfinite(output[k]) and rest:
                own.append(output[k])
                others.append(np.mean(rest))
        estimate = reports[f"rater {k}"].with_others
        assert estimate.value == pytest.approx(stats.pearsonr(own, others).statistic, abs=1e-9)
        assert estimate.n == len(own)


def test_drift_is_the_regression_of_the_difference_on_the_rank_of_time() -> None:
    generator = np.random.default_rng(4)
    study = simulated_study(generator, "drift")
    [report] = [found for found in rater_reports(study, ASPECT, resamples=_SMALL) if found.rater == "bad"]
    cube = study.cube(ASPECT)
    places = {(row.item, row.system): row.order for row in study if row.rater == "bad"}
    x, y = [], []
    for i, item in enumerate(cube.items):
        for s, system in enumerate(cube.systems):
            x.append((places[item, system] - 1) / 99)  # 25 items by 4 systems, from 0 to 1
            y.append(cube.scores[i, s, 0] - cube.scores[i, s, 1:].mean())
    assert report.drift.value == pytest.approx(stats.linregress(x, y).slope)
    assert report.drift.interval is not None
    assert report.drift.value in report.drift.interval


def test_time_serves_where_no_order_is_recorded_and_ties_share_a_rank() -> None:
    study = simulated_study(np.random.default_rng(2))
    timed = Ratings(tuple(replace(row, order=None, time=1.7e9 + 60 * (row.order or 0) ** 2) for row in study))
    same = [report.drift.value for report in rater_reports(study, ASPECT, resamples=_SMALL)]
    assert [report.drift.value for report in rater_reports(timed, ASPECT, resamples=_SMALL)] == same
    at_once = Ratings(tuple(replace(row, order=None, time=1.7e9) for row in study))
    for report in rater_reports(at_once, ASPECT, resamples=_SMALL):
        assert report.drift.problem == "all ratings have the same time"


def test_order_of_rows_does_not_matter() -> None:
    study = simulated_study(np.random.default_rng(3), "drift")
    backwards = Ratings(study.rows[::-1])
    first = {report.rater: report for report in rater_reports(study, ASPECT, resamples=0)}
    second = {report.rater: report for report in rater_reports(backwards, ASPECT, resamples=0)}
    for name, report in first.items():
        assert second[name].with_others.value == pytest.approx(report.with_others.value)
        assert second[name].drift.value == pytest.approx(report.drift.value)
        assert second[name].most_used_share == report.most_used_share


@pytest.mark.parametrize("bad", BAD)
def test_bad_raters_are_found_in_simulated_studies(bad: str) -> None:
    of_bad, _, _ = findings(bad, 30, items=70)
    wanted = of_bad["unrelated"] + of_bad["contrary"] if bad == "random" else of_bad[bad]
    assert wanted / 30 >= 0.8, of_bad


def test_honest_raters_are_seldom_blamed() -> None:
    _, of_honest, honest = findings(None, 60)
    assert honest == 300
    # The limit for drift allows 1 % of five raters each; other findings should hardly ever come.
    assert of_honest["drift"] <= 0.04 * honest
    assert of_honest.total() - of_honest["drift"] <= 0.01 * honest, of_honest


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("flat", "gave 4 to 9"),
        ("contrary", "goes against the others (correlation with their mean -0."),
        ("drift", "grew more generous: +"),
    ],
)
def test_findings_are_plain_sentences(bad: str, words: str) -> None:
    study = simulated_study(np.random.default_rng(11), bad, items=70)
    [report] = [found for found in rater_reports(study, ASPECT) if found.rater == "bad"]
    sentences = [finding.sentence for finding in report.findings]
    assert any(sentence.startswith("rater 'bad' ") and words in sentence for sentence in sentences), sentences


def test_hardly_varying_raters_of_a_fine_scale_are_flat() -> None:
    generator = np.random.default_rng(1)
    scores = 50 + 20 * generator.normal(size=(30, 2, 4))
    scores[..., 2] = 70 + generator.normal(size=(30, 2))
    assert {name: _kinds(report) for name, report in _reports(from_array(scores)).items()}["rater 2"] == ["flat"]


def test_a_share_that_is_usual_among_the_raters_is_not_flat() -> None:
    generator = np.random.default_rng(1)
    scores = np.where(generator.random((40, 2, 4)) < 0.9, 5.0, 4.0)
    assert all("flat" not in _kinds(report) for report in _reports(from_array(scores)).values())


def test_one_score_out_of_line_makes_nobody_contrary() -> None:
    generator = np.random.default_rng(3)
    scores = np.clip(np.rint(4.5 + generator.normal(size=(20, 2, 4))), 1, 5)
    scores[..., 0] = 5
    item, system = np.unravel_index(np.argmax(scores[..., 1:].mean(axis=2)), (20, 2))
    scores[item, system, 0] = 2
    report = _reports(from_array(scores), limits=Limits(flat_share=1.1, flat_spread=0))["rater 0"]
    assert report.with_others.interval is not None
    assert report.with_others.interval.high < 0
    assert report.findings == ()
    judged = _reports(from_array(scores), limits=Limits(flat_share=1.1, flat_spread=0, varied=1))["rater 0"]
    assert _kinds(judged) == ["contrary"]


def test_limits_are_options() -> None:
    study = simulated_study(np.random.default_rng(11), "contrary")
    [strict] = [r for r in rater_reports(study, ASPECT, limits=Limits(few=101)) if r.rater == "bad"]
    assert _kinds(strict) == ["few"]
    loose = rater_reports(study, ASPECT, limits=Limits(flat_share=0.1, flat_excess=-1))
    assert all("flat" in _kinds(report) for report in loose)


def test_z_scores_compare_raters_but_descriptions_stay_as_given() -> None:
    study = standardised(simulated_study(np.random.default_rng(5), "drift", items=70))
    raw = {report.rater: report for report in rater_reports(study, ASPECT, resamples=_SMALL)}
    z = {report.rater: report for report in rater_reports(study, ASPECT, values="z", resamples=_SMALL)}
    assert z["bad"].mean == raw["bad"].mean
    assert z["bad"].with_others.value != raw["bad"].with_others.value
    assert "drift" in _kinds(z["bad"])


def test_a_rater_seen_once_gets_sentences_and_no_numbers() -> None:
    scores = np.random.default_rng(1).integers(1, 6, size=(20, 2, 3)).astype(float)
    scores[..., 2] = np.nan
    scores[4, 1, 2] = 5
    report = _reports(from_array(scores))["rater 2"]
    assert (report.ratings, report.mean, report.deviation) == (1, 5, 0)
    assert report.with_others.problem == "only 1 of the rater's outputs was rated by others too"
    assert report.drift.value is None
    assert [finding.sentence for finding in report.findings] == [
        "rater 'rater 2' rated only 1 output, too few to be judged"
    ]


def test_a_lone_rater_and_a_constant_one_have_problems_and_no_numbers() -> None:
    generator = np.random.default_rng(1)
    lone = _reports(from_array(generator.integers(1, 6, size=(20, 2, 1)).astype(float)))["rater 0"]
    assert lone.with_others.problem == "only 0 of the rater's outputs were rated by others too"
    assert lone.findings == ()
    scores = generator.integers(1, 6, size=(20, 2, 3)).astype(float)
    scores[..., 0] = 3
    constant = _reports(from_array(scores))["rater 0"]
    assert "nothing can correlate" in constant.with_others.problem
    assert _kinds(constant) == ["flat"]
    assert constant.drift.problem == "neither the order nor the time of the ratings is recorded"


def test_two_items_are_too_few() -> None:
    scores = np.random.default_rng(1).integers(1, 6, size=(2, 9, 3)).astype(float)
    for report in _reports(from_array(scores)).values():
        assert report.with_others.problem == "only 2 of the rater's items were rated by others too"


def test_no_resamples_means_no_intervals_and_no_verdicts_on_relations() -> None:
    study = simulated_study(np.random.default_rng(11), "contrary")
    for report in rater_reports(study, ASPECT, resamples=0):
        assert report.with_others.value is not None
        assert report.with_others.interval is None
        assert report.drift.p_value is None
        assert report.findings == ()


def test_an_unknown_aspect_is_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean simplicity"):
        rater_reports(simulated_study(np.random.default_rng(1)), "simplcity")


def test_dictionary_has_no_gaps_and_no_nan() -> None:
    scores = np.random.default_rng(1).integers(1, 6, size=(12, 2, 3)).astype(float)
    for report in _reports(from_array(scores)).values():
        shown = report.to_dict()
        assert "range_used" not in shown  # the scale is not known
        assert None not in shown.values()
        assert shown["with_others"]["n"] == 24


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.tuples(st.integers(1, 6), st.integers(1, 3), st.integers(1, 4)),
    missing=st.sampled_from([0.0, 0.5, 0.9]),
    timed=st.sampled_from(["order", "time", "some", "none"]),
)
def test_small_and_strange_studies_give_numbers_or_reasons(
    seed: int, shape: tuple[int, int, int], missing: float, timed: str
) -> None:
    generator = np.random.default_rng(seed)
    scores = generator.integers(1, 4, size=shape).astype(float)
    scores[generator.random(shape) < missing] = np.nan
    scores[0, 0, 0] = 2
    rows = [
        replace(
            row,
            order=int(generator.integers(1, 9)) if timed == "order" else None,
            time=float(generator.integers(9)) if timed == "time" or (timed == "some" and number % 2) else None,
        )
        for number, row in enumerate(from_array(scores, scale=Scale(1, 3, 1)))
    ]
    for report in rater_reports(Ratings(tuple(rows)), "simplicity", limits=Limits(few=1, varied=0), resamples=20):
        json.dumps(report.to_dict(), allow_nan=False)
        for estimate in (report.with_others, report.drift):
            assert estimate.problem or np.isfinite(estimate.value)
        assert 0 < report.most_used_share <= 1
        assert report.lowest <= report.most_used <= report.highest
