"""Studies drawn from a study: verdicts and agreement against scipy, drawing by hand, curves, and bad input."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats
from tests.study.rated import from_array

from plainwright.errors import DataError
from plainwright.study.estimate import Estimate
from plainwright.study.ratings import Cube
from plainwright.study.resample import default_sizes, resample, resample_budget, resample_raters, resample_sizes
from plainwright.study.resample_result import Curve, CurvePoint, Protocol
from plainwright.study.verdicts import verdict_agreement, verdicts

_FEW = Protocol(samples=60)


def _cube(scores: np.ndarray) -> Cube:
    return from_array(scores).cube("simplicity")


def _study(
    seed: int = 1, items: int = 40, systems: int = 4, raters: int = 3, gap: float = 0.4, missing: float = 0.0
) -> np.ndarray:
    """Systems `gap` apart from each other, with noise of 1 for each output and for each rating."""
    generator = np.random.default_rng(seed)
    scores = gap * np.arange(systems)[:, None] + generator.normal(size=(items, systems, 1))
    scores = scores + generator.normal(size=(items, systems, raters))
    scores[generator.random(scores.shape) < missing] = np.nan
    return scores


def _expected(first: np.ndarray, second: np.ndarray, alpha: float) -> int:
    both = np.isfinite(first) & np.isfinite(second)
    difference = first[both] - second[both]
    if both.sum() < 2 or np.ptp(difference) == 0:
        return int(np.sign(difference.mean())) if both.sum() >= 2 else 0
    test = stats.ttest_rel(first[both], second[both])
    return int(np.sign(test.statistic)) if test.pvalue < alpha else 0


@settings(max_examples=60)
@given(
    arrays.arrays(
        np.float64,
        st.tuples(st.integers(1, 3), st.integers(2, 12), st.integers(2, 4)),
        elements=st.sampled_from([1.0, 1.5, 2.0, 3.0, 5.0, np.nan]),
    ),
    st.sampled_from([0.01, 0.05, 0.3]),
)
def test_verdicts_are_those_of_the_paired_t_test_of_scipy(samples: np.ndarray, alpha: float) -> None:
    systems = samples.shape[2]
    expected = [
        [_expected(sample[:, a], sample[:, b], alpha) for a in range(systems) for b in range(a + 1, systems)]
        for sample in samples
    ]
    np.testing.assert_array_equal(verdicts(samples, alpha), expected)
    np.testing.assert_array_equal(verdicts(samples, alpha, centre=np.arange(systems) + 0.3), expected)


def test_equal_outputs_never_differ_and_a_constant_gap_always_does() -> None:
    third = np.random.default_rng(2).random(30) / 3
    sample = np.stack([third, third, third + 0.1], axis=1)
    assert verdicts(sample[None], 0.01, centre=sample.mean(axis=0)).tolist() == [[0, -1, -1]]


_VERDICTS = arrays.arrays(np.int8, (2, 10), elements=st.integers(-1, 1))


@given(_VERDICTS)
def test_outcomes_is_the_tau_b_of_scipy_over_the_lists_of_verdicts(pair: np.ndarray) -> None:
    expected = stats.kendalltau(*pair).statistic
    assert verdict_agreement(pair[0], pair[1:], "outcomes")[0] == pytest.approx(expected, nan_ok=True)


@given(arrays.arrays(np.int8, (2, 6), elements=st.integers(0, 3)))
def test_tau_b_of_verdicts_that_follow_scores_is_the_tau_b_of_scipy_over_the_scores(scores: np.ndarray) -> None:
    first, second = np.triu_indices(scores.shape[1], 1)
    signs = np.sign(scores[:, first].astype(int) - scores[:, second]).astype(np.int8)
    if not signs[0].any():
        return
    expected = stats.kendalltau(*scores).statistic
    assert verdict_agreement(signs[0], signs[1:], "tau-b")[0] == pytest.approx(expected, nan_ok=True)


def test_agreement_by_hand() -> None:
    reference = np.array([1, 1, 0, -1], dtype=np.int8)
    found = np.array([[1, 0, 0, 1], [1, 1, 0, -1], [0, 0, 0, 0]], dtype=np.int8)
    # Row 1: products 1 + 0 + 0 - 1 = 0. Row 2: 3, of root(3 x 3), or of 4 pairs. Row 3: no difference anywhere.
    np.testing.assert_allclose(verdict_agreement(reference, found, "tau-b"), [0, 1, np.nan])
    np.testing.assert_allclose(verdict_agreement(reference, found, "tau-a"), [0, 0.75, 0])
    # The same in 2, 4 and 1 of 4 pairs.
    np.testing.assert_allclose(verdict_agreement(reference, found, "matching"), [0, 1, -0.5])


@given(_VERDICTS, st.permutations(range(5)))
def test_tau_b_does_not_depend_on_the_order_of_systems(pair: np.ndarray, order: list[int]) -> None:
    first, second = np.triu_indices(5, 1)
    full = np.zeros((2, 5, 5), dtype=np.int8)
    full[:, first, second], full[:, second, first] = pair, -pair
    moved = full[:, order][:, :, order][:, first, second]
    for agreement in ("tau-b", "tau-a", "matching"):
        before, after = (verdict_agreement(rows[0], rows[1:], agreement)[0] for rows in (pair, moved))
        assert before == pytest.approx(after, nan_ok=True)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_a_point_is_what_a_plain_loop_over_samples_finds(missing: float) -> None:
    cube = _cube(_study(missing=missing))
    protocol = Protocol(samples=50, seed=3)
    [point] = resample_sizes(cube, protocol, sizes=[20]).points
    drawn = np.random.default_rng([3, 20, 0, 0]).integers(0, 40, size=(50, 20))
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]

    def judged(means: np.ndarray) -> np.ndarray:
        return np.array([_expected(means[:, a], means[:, b], 0.01) for a, b in pairs], dtype=np.int8)

    reference = judged(cube.means)
    found = np.array([judged(cube.means[rows]) for rows in drawn])
    taus = np.nan_to_num(verdict_agreement(reference, found))
    assert point.tau.value == pytest.approx(taus.mean())
    assert point.tau.interval is not None
    assert (point.tau.interval.low, point.tau.interval.high) == pytest.approx(tuple(np.quantile(taus, [0.025, 0.975])))
    assert point.error == pytest.approx(taus.std(ddof=1) / np.sqrt(50))
    assert point.same == pytest.approx((found == reference).mean())
    assert point.same + point.missed + point.invented + point.reversed == pytest.approx(1)


def test_raters_are_drawn_from_those_of_the_output() -> None:
    # Each output's ratings are all equal, so whichever are drawn, the means stay; gaps are not among them.
    scores = np.repeat(_study(raters=1, gap=1.0), 5, axis=2)
    scores[np.random.default_rng(1).random(scores.shape) < 0.3] = np.nan
    curve = resample_raters(_cube(scores), _FEW)
    assert [point.raters for point in curve.points] == [1, 2, 3, 4, 5]
    assert {point.same for point in curve.points} == {1.0}


def test_raters_drawn_by_source_give_their_ratings_to_all_its_outputs() -> None:
    # Raters differ by hundreds, systems by 1: only if both outputs have the same raters does the gap show.
    generator = np.random.default_rng(4)
    system = np.array([0.0, 1.0])[:, None]
    scores = system + 100 * np.arange(5) + 0.1 * generator.normal(size=(40, 2, 5))
    by_source, by_output = (
        resample_raters(_cube(scores), Protocol(samples=60, draw=draw), counts=[2]).points[0]
        for draw in ("source", "output")
    )
    assert by_source.same == 1.0
    assert by_output.missed > 0.8


def test_drawing_by_source_needs_raters_of_all_outputs() -> None:
    with pytest.raises(DataError, match="each rated all outputs of the source, which is not so for"):
        resample_raters(_cube(_study(gap=2.0, missing=0.2)), Protocol(samples=60, draw="source"))


def test_a_larger_study_agrees_better_and_more_sentences_beat_more_raters() -> None:
    # The setting of the paper: outputs differ more than raters do.
    result = resample(from_array(_study(items=100, raters=5)), "simplicity", protocol=Protocol(samples=300))
    sizes = result.sizes.means
    assert all(later > earlier - 0.01 for earlier, later in pairwise(sizes))
    assert sizes[-1] > sizes[0] + 0.2
    assert list(result.budget.means) == sorted(result.budget.means, reverse=True)
    assert [(p.sentences, p.raters) for p in result.budget.points] == [(100, 1), (50, 2), (33, 3), (25, 4), (20, 5)]
    assert "100 sentences x 1 agree best" in result.statement
    assert result.to_dict()["sizes"]["points"][0]["tau"]["n"] == 300


def test_a_point_does_not_depend_on_which_others_are_asked_for() -> None:
    cube = _cube(_study())
    alone = resample_sizes(cube, _FEW, sizes=[30]).points
    assert resample_sizes(cube, _FEW, sizes=[10, 30]).points[1:] == alone
    assert resample_sizes(cube, Protocol(samples=60, seed=9), sizes=[30]).points != alone


def test_a_budget_of_the_whole_study_is_shared_by_its_systems() -> None:
    protocol = Protocol(samples=60, budget_of="study")
    curve = resample_budget(_cube(_study()), protocol, budget=90)
    # 90 ratings of 4 systems: 22 sentences with one rater, 11 with two, 7 with three.
    assert [(point.sentences, point.raters) for point in curve.points] == [(22, 1), (11, 2), (7, 3)]


def test_samples_without_any_difference_count_as_none_or_are_left_out() -> None:
    cube = _cube(_study(gap=0.35))
    zero, omitted = (
        resample_sizes(cube, Protocol(samples=200, undefined=rule), sizes=[4]).points[0] for rule in ("zero", "omit")
    )
    assert omitted.tau.interval is not None
    left_out = omitted.tau.interval.undefined
    assert 0 < left_out < 200
    assert omitted.tau.value is not None
    assert omitted.tau.n == 200 - left_out
    assert zero.tau.value == pytest.approx(omitted.tau.value * (200 - left_out) / 200)


def test_by_means_alone_every_pair_of_different_systems_is_decided() -> None:
    [point] = resample_sizes(_cube(_study(gap=0.05)), Protocol(samples=60, decision="mean"), sizes=[10]).points
    assert point.missed == point.invented == 0
    assert 0 < point.reversed < 1


def _curve(*means: float) -> Curve:
    points = tuple(
        CurvePoint(
            sentences=10 * number,
            raters=1,
            tau=Estimate(value=mean, n=1),
            error=0,
            same=1,
            missed=0,
            invented=0,
            reversed=0,
        )
        for number, mean in enumerate(means, 1)
    )
    return Curve(over="sentences", points=points, gain=0.02)


@pytest.mark.parametrize(
    ("means", "size"),
    [
        ((0.5, 0.7, 0.8, 0.81, 0.815), 30),  # steps of 0.2, 0.1, then below 0.02
        ((0.5, 0.51, 0.6, 0.61), 30),  # a flat start is not the end
        ((0.9, 0.9, 0.9), 10),
        ((0.5, 0.6, 0.7), None),  # still rising
        ((0.5,), None),  # nothing to compare with
    ],
)
def test_a_curve_levels_off_where_no_further_step_adds_as_much(means: tuple[float, ...], size: int | None) -> None:
    level = _curve(*means).levels_off
    assert (level.sentences if level else None) == size


def test_sizes_follow_the_paper_and_shrink_with_the_data() -> None:
    assert default_sizes(359) == default_sizes(100) == tuple(range(10, 101, 10))
    assert default_sizes(70)[-1] == 70
    assert default_sizes(12) == (2, 4, 6, 8, 10, 12)
    assert default_sizes(3) == (2, 3)


def test_one_rating_an_output_leaves_only_the_question_of_sentences() -> None:
    result = resample(from_array(_study(raters=1, gap=1.0)), "simplicity", protocol=_FEW)
    assert result.rater_counts.problem == "no output has two ratings of simplicity"
    assert "cannot be studied" in result.statement
    with pytest.raises(DataError, match="two ratings or more, found one each"):
        resample_raters(_cube(_study(raters=1, gap=1.0)), _FEW)


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        (_study(systems=1), "compares systems, and these ratings have one, 'system 0'"),
        (_study(items=2), "at least 3 rated sources, found 2"),
        (_study() * 1e200, "a score of .*e.200 cannot be computed with"),
        (np.full((9, 2, 2), 3.0), "needs ratings that differ, and every one is 3"),
        (_study(gap=0.0), "no two systems differ .paired t-test, p < 0.01."),
    ],
)
def test_what_cannot_be_studied_is_refused_with_the_reason(scores: np.ndarray, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        resample_sizes(_cube(scores), _FEW)


def test_numbers_out_of_range_are_refused() -> None:
    cube = _cube(_study())
    with pytest.raises(DataError, match="at least 2 sentences, got sizes 1, 5"):
        resample_sizes(cube, _FEW, sizes=[1, 5])
    with pytest.raises(DataError, match="a budget of 1 buys fewer than 2 sentences"):
        resample_budget(cube, _FEW, budget=1)
    with pytest.raises(DataError, match="numbers of raters from 1, got 0"):
        resample_raters(cube, _FEW, counts=[0])
    with pytest.raises(DataError, match="at least 2 samples"):
        Protocol(samples=1)
    with pytest.raises(DataError, match="between 0 and 1, got 1"):
        Protocol(alpha=1)
    with pytest.raises(DataError, match="at least 1e-09, got 1e-300"):
        Protocol(alpha=1e-300)
    with pytest.raises(DataError, match="agreement must be one of tau-b, tau-a, matching, outcomes, got 'rho'"):
        Protocol(agreement="rho")  # type: ignore[arg-type]
