"""Agreement between raters: against other libraries and textbooks, as properties, and where nothing can be said."""

from __future__ import annotations

import re
from typing import get_args

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from tests.study.rated import from_array
from tests.study.simulated_raters import alpha_coverage

from plainwright.errors import DataError, LengthMismatchError, UnknownNameError
from plainwright.study.agreement import (
    KappaWeights,
    Level,
    Rounding,
    cohen_kappa,
    krippendorff_alpha,
    pairwise_correlations,
    repeated_kappa,
)
from plainwright.study.ratings import Scale

LEVELS = get_args(Level)
WEIGHTS = get_args(KappaWeights)
SEEDS = st.integers(0, 2**32 - 1)
FIVE = Scale(1, 5, 1)
_ = np.nan
_SKLEARN = {"none": None, "linear": "linear", "quadratic": "quadratic"}

# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, part C: four observers, twelve units, gaps.
TEXTBOOK = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
).T


def _random(seed: int, shape: tuple[int, int, int] = (14, 3, 4), missing: float = 0.3, top: int = 5) -> np.ndarray:
    """Scores 1 to `top` with many ties, agreeing a little, and gaps."""
    generator = np.random.default_rng(seed)
    quality = generator.normal(size=(*shape[:2], 1))
    scores = np.clip(np.rint((top + 1) / 2 + quality + generator.normal(size=shape)), 1, top)
    scores[generator.random(shape) < missing] = np.nan
    return scores


def _by_unit(scores: np.ndarray) -> np.ndarray:
    """What the package krippendorff takes: a row for each rater."""
    return scores.reshape(-1, scores.shape[-1]).T


class TestAlpha:
    @pytest.mark.parametrize(
        ("level", "expected"),
        [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],  # as printed there
    )
    def test_textbook_example(self, level: Level, expected: float) -> None:
        estimate = krippendorff_alpha(TEXTBOOK, level)
        assert estimate.value is not None
        assert round(estimate.value, 3) == expected
        assert estimate.n == 40  # the single value of the twelfth unit has nothing to be compared with

    def test_textbook_example_of_two_observers_and_two_values(self) -> None:
        # The same text, part A: ten units, alpha 0.095.
        first, second = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
        estimate = krippendorff_alpha(np.array([first, second], dtype=float).T, "nominal")
        assert estimate.value is not None
        assert round(estimate.value, 3) == 0.095

    def test_by_hand(self) -> None:
        # Three outputs: 1 1, 2 2, 1 3. Observed: 2 * 4 = 8. All pairs of 1 1 2 2 1 3, each twice: 3 ones with 2 twos
        # (6 pairs of 1), 3 ones with the 3 (3 of 4), 2 twos with the 3 (2 of 1): 2 * (6 + 12 + 2) = 40.
        estimate = krippendorff_alpha(np.array([[1.0, 1], [2, 2], [1, 3]]))
        assert estimate.value == pytest.approx(1 - 5 * 8 / 40)

    @pytest.mark.parametrize("level", LEVELS)
    @settings(max_examples=40, deadline=None)
    @given(seed=SEEDS, missing=st.sampled_from([0.0, 0.3, 0.6]))
    def test_equals_the_package_krippendorff_with_gaps_and_ties(self, level: Level, seed: int, missing: float) -> None:
        scores = _random(seed, missing=missing)
        expected = krippendorff.alpha(_by_unit(scores), level_of_measurement=level)
        assert krippendorff_alpha(scores, level, resamples=0).value == pytest.approx(expected, abs=1e-10)

    @pytest.mark.parametrize("level", LEVELS)
    def test_equals_the_package_krippendorff_on_scores_without_ties(self, level: Level) -> None:
        scores = np.exp(np.random.default_rng(5).normal(size=(15, 2, 3)))
        expected = krippendorff.alpha(_by_unit(scores), level_of_measurement=level)
        assert krippendorff_alpha(scores, level, resamples=0).value == pytest.approx(expected, abs=1e-10)

    @pytest.mark.parametrize("level", LEVELS)
    def test_a_resample_is_the_same_as_items_written_down_several_times(self, level: Level) -> None:
        scores = _random(8, missing=0.2)
        interval = krippendorff_alpha(scores, level, resamples=60, seed=3).interval
        draws = np.random.default_rng(3).multinomial(14, np.full(14, 1 / 14), size=60)
        slowly = [
            krippendorff.alpha(_by_unit(np.repeat(scores, times, axis=0)), level_of_measurement=level)
            for times in draws
        ]
        assert interval is not None
        assert [interval.low, interval.high] == pytest.approx(np.quantile(slowly, [0.025, 0.975]), abs=1e-9)

    @pytest.mark.parametrize("level", LEVELS)
    @settings(max_examples=20, deadline=None)
    @given(seed=SEEDS)
    def test_order_of_raters_items_and_systems_does_not_matter(self, level: Level, seed: int) -> None:
        scores = _random(seed)
        generator = np.random.default_rng(seed)
        shuffled = scores
        for axis in range(3):
            shuffled = np.take(shuffled, generator.permutation(scores.shape[axis]), axis=axis)
        first, second = (krippendorff_alpha(part, level, resamples=0).value for part in (scores, shuffled))
        assert first == pytest.approx(second, abs=1e-12)

    @settings(max_examples=20, deadline=None)
    @given(seed=SEEDS, factor=st.floats(0.01, 100), shift=st.floats(-1000, 1000))
    def test_interval_level_knows_no_unit_and_no_zero(self, seed: int, factor: float, shift: float) -> None:
        scores = _random(seed)
        first, second = (krippendorff_alpha(part, resamples=0).value for part in (scores, factor * scores + shift))
        assert first == pytest.approx(second, abs=1e-7)

    @settings(max_examples=20, deadline=None)
    @given(seed=SEEDS)
    def test_ordinal_level_knows_only_the_order(self, seed: int) -> None:
        scores = _random(seed)
        first, second = (krippendorff_alpha(part, "ordinal").value for part in (scores, np.exp(scores)))
        assert first == pytest.approx(second, abs=1e-12)

    @pytest.mark.parametrize("level", LEVELS)
    def test_equal_raters_agree_perfectly_in_every_resample(self, level: Level) -> None:
        one = np.random.default_rng(1).integers(0, 4, size=(20, 3, 1)).astype(float)
        estimate = krippendorff_alpha(np.repeat(one, 3, axis=2), level)
        assert estimate.value == 1
        assert estimate.interval is not None
        assert (estimate.interval.low, estimate.interval.high) == (1, 1)

    @pytest.mark.parametrize("level", LEVELS)
    def test_interval_contains_the_estimate_and_narrows_with_more_items(self, level: Level) -> None:
        widths = []
        for items in (20, 200):
            estimate = krippendorff_alpha(_random(4, shape=(items, 3, 4)), level)
            assert estimate.interval is not None
            assert estimate.value is not None
            assert estimate.value in estimate.interval
            widths.append(estimate.interval.high - estimate.interval.low)
        assert widths[1] < widths[0] / 2

    def test_outputs_of_an_item_are_drawn_together(self) -> None:
        # Raters differ by item only: ten outputs of an item say no more than one does.
        generator = np.random.default_rng(2)
        by_item = generator.normal(size=(20, 1, 1)) + generator.normal(size=(20, 1, 3))
        one, ten = (krippendorff_alpha(np.repeat(by_item, times, axis=1)).interval for times in (1, 10))
        assert one is not None
        assert ten is not None
        assert ten.high - ten.low == pytest.approx(one.high - one.low, rel=0.1)

    def test_seed_decides(self) -> None:
        scores = _random(3)
        assert krippendorff_alpha(scores, seed=1) == krippendorff_alpha(scores, seed=1)
        assert krippendorff_alpha(scores, seed=1) != krippendorff_alpha(scores, seed=2)

    def test_interval_covers_the_truth_about_as_often_as_it_says(self) -> None:
        # Percentile intervals of so few items are somewhat too narrow; the documentation says so.
        assert 0.88 <= alpha_coverage(40, 300) <= 0.98

    def test_ratio_level_refuses_negative_scores(self) -> None:
        estimate = krippendorff_alpha(_random(1) - 3, "ratio")
        assert estimate.problem == "the ratio level needs scores of 0 or more, found -2; use the interval level"

    def test_zeros_are_no_way_apart_at_the_ratio_level(self) -> None:
        scores = np.array([[0.0, 0], [0, 0], [2, 2], [1, 3]])
        expected = krippendorff.alpha(scores.T, level_of_measurement="ratio")
        assert krippendorff_alpha(scores, "ratio").value == pytest.approx(expected)

    def test_unknown_level_is_named(self) -> None:
        with pytest.raises(UnknownNameError, match="unknown level 'intervall'; did you mean interval"):
            krippendorff_alpha(_random(1), "intervall")  # type: ignore[arg-type]


class TestCohenKappa:
    @pytest.mark.parametrize("weights", WEIGHTS)
    @settings(max_examples=40, deadline=None)
    @given(seed=SEEDS)
    def test_equals_scikit_learn(self, weights: KappaWeights, seed: int) -> None:
        scores = _random(seed, shape=(40, 2, 2), missing=0.2)
        first, second = scores[..., 0], scores[..., 1]
        both = np.isfinite(first) & np.isfinite(second)
        # All labels are named: scikit-learn counts steps between the labels that occur.
        expected = cohen_kappa_score(first[both], second[both], labels=range(1, 6), weights=_SKLEARN[weights])
        estimate = cohen_kappa(first, second, weights=weights, resamples=0)
        assert estimate.value == pytest.approx(expected, abs=1e-10)
        assert estimate.n == both.sum()

    @pytest.mark.parametrize("weights", WEIGHTS)
    def test_a_resample_is_the_same_as_items_written_down_several_times(self, weights: KappaWeights) -> None:
        scores = _random(8, shape=(30, 2, 2), missing=0)
        interval = cohen_kappa(scores[..., 0], scores[..., 1], weights=weights, resamples=60, seed=3).interval
        draws = np.random.default_rng(3).multinomial(30, np.full(30, 1 / 30), size=60)
        slowly = [
            cohen_kappa_score(
                *np.repeat(scores, times, axis=0).reshape(-1, 2).T, labels=range(1, 6), weights=_SKLEARN[weights]
            )
            for times in draws
        ]
        assert interval is not None
        assert [interval.low, interval.high] == pytest.approx(np.quantile(slowly, [0.025, 0.975]), abs=1e-9)

    def test_by_hand(self) -> None:
        # 1 1, 1 2, 2 2, 2 2: agreement 3/4; by chance 1/2 * 1/4 + 1/2 * 3/4 = 1/2.
        estimate = cohen_kappa(np.array([1.0, 1, 2, 2]), np.array([1.0, 2, 2, 2]))
        assert estimate.value == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))

    def test_distance_is_that_of_the_scores_also_where_a_step_was_never_given(self) -> None:
        first, second = np.array([1.0, 1, 5, 5, 2]), np.array([1.0, 5, 5, 2, 2])
        expected = cohen_kappa_score(first, second, labels=range(1, 6), weights="linear")
        assert cohen_kappa(first, second, weights="linear").value == pytest.approx(expected)
        assert cohen_kappa_score(first, second, weights="linear") != pytest.approx(expected)

    def test_shapes_must_fit(self) -> None:
        with pytest.raises(LengthMismatchError, match=re.escape("got shapes (3,) and (4,)")):
            cohen_kappa(np.ones(3), np.ones(4))

    def test_a_fine_scale_is_refused_without_quadratic_weights(self) -> None:
        first, second = np.random.default_rng(1).normal(size=(2, 600))
        assert "at most 1001 scores, found 1200" in cohen_kappa(first, second, weights="linear").problem
        assert cohen_kappa(first, second, weights="quadratic").value is not None


def _repeated_slowly(scores: np.ndarray, chosen: np.ndarray, rounding: Rounding) -> float:
    """One repetition in plain Python: for each output the chosen rater, and the rounded mean of the others."""
    first, second = [], []
    for output, one in zip(scores.reshape(-1, scores.shape[-1]), chosen, strict=True):
        ratings = [score for score in output if np.isfinite(score)]
        first.append(ratings.pop(one))
        mean = sum(ratings) / len(ratings)
        up, down = np.floor(mean) + 1, np.floor(mean)
        if mean - down == 0.5:
            even = up if up % 2 == 0 else down
            away = up if mean > 0 else down
            second.append({"up": up, "down": down, "even": even, "away": away}[rounding])
        else:
            second.append(np.floor(mean + 0.5))
    return float(cohen_kappa_score(first, second, labels=range(-2, 6), weights="quadratic"))


class TestRepeatedKappa:
    @pytest.mark.parametrize("rounding", get_args(Rounding))
    @pytest.mark.parametrize("scale", [FIVE, Scale(-2, 2, 1)])
    def test_is_the_median_of_kappas_written_out(self, scale: Scale, rounding: Rounding) -> None:
        scores = _random(6, shape=(20, 3, 3), missing=0) + scale.low - 1
        result = repeated_kappa(scores, scale, rounding=rounding, repetitions=40, seed=9, resamples=0)
        chosen = np.random.default_rng(9).integers(0, 3, size=(40, 60))
        slowly = [_repeated_slowly(scores, row, rounding) for row in chosen]
        assert result.median.value == pytest.approx(np.median(slowly), abs=1e-10)
        assert result.repetitions is not None
        ends = [result.repetitions.low, result.repetitions.high]
        assert ends == pytest.approx(np.quantile(slowly, [0.025, 0.975]), abs=1e-10)

    def test_a_rater_drawn_for_an_item_judges_all_its_outputs(self) -> None:
        scores = _random(6, shape=(20, 5, 3), missing=0)
        result = repeated_kappa(scores, FIVE, drawn_for="item", repetitions=40, seed=9, resamples=0)
        chosen = np.floor(np.random.default_rng(9).random((40, 20)) * 3).astype(int)
        slowly = [_repeated_slowly(scores, np.repeat(row, 5), "away") for row in chosen]
        assert result.median.value == pytest.approx(np.median(slowly), abs=1e-10)
        by_output = repeated_kappa(scores, FIVE, repetitions=400, resamples=0).margin
        by_item = repeated_kappa(scores, FIVE, drawn_for="item", repetitions=400, resamples=0).margin
        assert by_item is not None
        assert by_output is not None
        assert by_item > by_output

    def test_four_ways_to_round_are_different(self) -> None:
        scores = _random(6, shape=(40, 3, 3), missing=0) - 3
        values = {repeated_kappa(scores, Scale(-2, 2, 1), rounding=way).median.value for way in get_args(Rounding)}
        assert len(values) == 4

    def test_a_resample_is_the_same_as_items_written_down_several_times(self) -> None:
        scores = _random(8, shape=(12, 2, 3), missing=0)
        result = repeated_kappa(scores, FIVE, repetitions=15, resamples=20, seed=4)
        generator = np.random.default_rng(4)
        chosen = generator.integers(0, 3, size=(15, 24)).reshape(15, 12, 2)
        draws = generator.multinomial(12, np.full(12, 1 / 12), size=20)
        slowly = [
            np.median(
                [
                    _repeated_slowly(np.repeat(scores, times, axis=0), np.repeat(row, times, axis=0).ravel(), "away")
                    for row in chosen
                ]
            )
            for times in draws
        ]
        interval = result.median.interval
        assert interval is not None
        assert [interval.low, interval.high] == pytest.approx(np.quantile(slowly, [0.025, 0.975]), abs=1e-9)

    def test_steps_need_not_be_whole(self) -> None:
        scores = _random(6, shape=(20, 3, 3), missing=0.1)
        # Halves go away from zero; all scores are positive on both scales.
        whole = repeated_kappa(scores, FIVE, resamples=50)
        tenths = repeated_kappa(scores / 10, Scale(0.1, 0.5, 0.1), resamples=50)
        assert tenths.median.value == pytest.approx(whole.median.value)

    @pytest.mark.parametrize("weights", WEIGHTS)
    def test_interval_over_items_contains_the_median(self, weights: KappaWeights) -> None:
        result = repeated_kappa(_random(3, shape=(40, 3, 3)), FIVE, weights=weights, repetitions=200)
        assert result.median.value is not None
        assert result.median.interval is not None
        assert result.median.value in result.median.interval
        assert result.weights == weights

    def test_margin_of_the_median_shrinks_with_repetitions_and_the_interval_over_items_does_not(self) -> None:
        scores = _random(3, shape=(30, 4, 3), missing=0)
        few, many = (repeated_kappa(scores, FIVE, repetitions=times) for times in (100, 6400))
        assert few.margin is not None
        assert many.margin is not None
        assert many.margin < few.margin / 4  # by the square root of 64, roughly
        widths = [r.median.interval.high - r.median.interval.low for r in (few, many) if r.median.interval]
        assert widths[1] == pytest.approx(widths[0], rel=0.2)

    def test_margin_covers_the_median_of_very_many_repetitions(self) -> None:
        scores = _random(3, shape=(30, 4, 3), missing=0)
        truth = repeated_kappa(scores, FIVE, repetitions=50_000, resamples=0).median.value
        inside = 0
        for seed in range(100):
            result = repeated_kappa(scores, FIVE, repetitions=200, resamples=0, seed=seed)
            assert result.median.value is not None
            assert result.margin is not None
            assert truth is not None
            inside += abs(result.median.value - truth) <= result.margin
        assert inside >= 88

    def test_equal_raters_agree_perfectly(self) -> None:
        one = np.random.default_rng(1).integers(1, 6, size=(20, 3, 1)).astype(float)
        assert repeated_kappa(np.repeat(one, 3, axis=2), FIVE).median.value == 1

    def test_order_of_raters_matters_only_within_the_spread_of_repetitions(self) -> None:
        scores = _random(3, shape=(30, 4, 3), missing=0)
        first, second = (repeated_kappa(part, FIVE, resamples=0) for part in (scores, scores[..., ::-1]))
        assert first.median.value == pytest.approx(second.median.value, abs=4 * (first.margin or 0))

    def test_needs_steps_three_raters_and_scores_on_the_scale(self) -> None:
        scores = _random(1, missing=0)
        assert "use alpha" in repeated_kappa(scores, Scale(0, 100)).median.problem
        assert "at least three raters" in repeated_kappa(scores[..., :2], FIVE).median.problem
        problem = repeated_kappa(scores, Scale(1, 3, 1)).median.problem
        assert re.fullmatch(r"the score [45] is not on the scale 1\.\.3 by 1", problem)

    def test_refuses_no_repetitions_and_unknown_names(self) -> None:
        with pytest.raises(DataError, match="at least one repetition"):
            repeated_kappa(_random(1), FIVE, repetitions=0)
        with pytest.raises(UnknownNameError, match="unknown rounding 'half'"):
            repeated_kappa(_random(1), FIVE, rounding="half")  # type: ignore[arg-type]

    def test_dictionary_names_every_choice(self) -> None:
        shown = repeated_kappa(_random(1, missing=0), FIVE).to_dict()
        assert (shown["draws"], shown["weights"], shown["rounding"]) == (1000, "quadratic", "away")
        assert {"value", "n", "interval", "confidence", "repetitions_interval", "margin_of_median"} <= set(shown)


class TestPairs:
    @settings(max_examples=20, deadline=None)
    @given(seed=SEEDS)
    def test_equal_scipy_and_their_mean(self, seed: int) -> None:
        scores = _random(seed, shape=(20, 3, 4))
        result = pairwise_correlations(from_array(scores).cube("simplicity"), resamples=0)
        names = [f"rater {k}" for k in range(4)]
        values = []
        for pair in result.pairs:
            first, second = (scores[..., names.index(name)].ravel() for name in (pair.first, pair.second))
            both = np.isfinite(first) & np.isfinite(second)
            assert pair.correlation.n == both.sum()
            values.append(stats.pearsonr(first[both], second[both]).statistic)
            assert pair.correlation.value == pytest.approx(values[-1], abs=1e-9)
        assert len(values) == 6
        assert result.mean.value == pytest.approx(np.mean(values))
        assert result.mean.n == 6

    def test_pairs_without_common_outputs_are_not_listed_and_those_with_few_have_a_problem(self) -> None:
        scores = _random(1, shape=(10, 2, 4), missing=0)
        scores[:5, :, 2] = np.nan
        scores[5:, :, 3] = np.nan  # never together with rater 2
        scores[:4, :, 1] = np.nan
        scores[4, 0, 1] = np.nan  # once together with rater 3
        result = pairwise_correlations(from_array(scores).cube("simplicity"))
        problems = {(pair.first, pair.second): pair.correlation.problem for pair in result.pairs}
        assert len(problems) == 5
        assert [problem for problem in problems.values() if problem] == [
            "a correlation needs at least 3 outputs that both rated, found 1"
        ]
        assert result.mean.n == 4

    def test_constant_raters_have_no_correlation(self) -> None:
        scores = _random(1, shape=(10, 2, 3), missing=0)
        scores[..., 0] = 3
        result = pairwise_correlations(from_array(scores).cube("simplicity"))
        assert result.mean.n == 1
        assert (
            result.pairs[0].correlation.problem
            == "one of the two gave the same score to all 20 outputs that both rated"
        )
        scores[..., 1] = 4
        nothing = pairwise_correlations(from_array(scores).cube("simplicity")).mean
        assert nothing.problem.startswith("no two raters have three outputs in common on which both vary")

    def test_dictionary_has_mean_and_pairs(self) -> None:
        shown = pairwise_correlations(from_array(_random(1)).cube("simplicity")).to_dict()
        assert len(shown["pairs"]) == 6
        assert shown["pairs"][0]["raters"] == ["rater 0", "rater 1"]
        assert "interval" in shown["mean"]


def _lone() -> np.ndarray:
    scores = _random(1, missing=0)
    scores[..., 1:] = np.nan
    return scores


def _apart() -> np.ndarray:
    scores = _random(1, missing=0)
    scores[:7, :, 1:] = np.nan
    scores[7:, :, :1] = np.nan
    scores[7:, :, 2:] = np.nan
    return scores


@pytest.mark.parametrize(
    ("scores", "problem"),
    [
        (_lone(), "agreement needs at least two raters, found 1"),
        (np.full((4, 2, 3), np.nan), "agreement needs at least two raters, found 0"),
        (_apart(), "no output was rated by two raters, so there is nothing to compare"),
        (_random(1, missing=0)[:2], "agreement needs at least 3 items that two raters have rated, found 2"),
        (
            np.full((5, 2, 3), 4.0),
            "all 30 ratings are 4; without any difference, agreement cannot be told from chance",
        ),
    ],
)
def test_what_cannot_be_computed_is_said_in_one_sentence(scores: np.ndarray, problem: str) -> None:
    for level in LEVELS:
        assert krippendorff_alpha(scores, level).problem == problem
    assert repeated_kappa(scores, FIVE).median.problem == problem
    if np.isfinite(scores).any():
        assert pairwise_correlations(from_array(scores).cube("simplicity")).mean.problem == problem


@settings(max_examples=60, deadline=None)
@given(
    seed=SEEDS,
    shape=st.tuples(st.integers(1, 5), st.integers(1, 3), st.integers(1, 4)),
    missing=st.sampled_from([0.0, 0.5, 0.9]),
    top=st.integers(1, 3),
)
def test_small_and_strange_studies_give_a_number_or_a_reason(
    seed: int, shape: tuple[int, int, int], missing: float, top: int
) -> None:
    scores = _random(seed, shape, missing, top)
    assume(np.isfinite(scores).any())
    results = [krippendorff_alpha(scores, level, resamples=30) for level in LEVELS]
    results += [
        repeated_kappa(scores, FIVE, weights=weights, repetitions=9, resamples=30).median for weights in WEIGHTS
    ]
    results.append(pairwise_correlations(from_array(scores).cube("simplicity"), resamples=30).mean)
    for estimate in results:
        assert estimate.problem or (estimate.value is not None and np.isfinite(estimate.value) and estimate.value <= 1)
