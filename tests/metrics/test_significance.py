"""Intervals and tests: seeded, right on cases worked by hand, honest under the null hypothesis."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainwright.errors import DataError, LengthMismatchError, UnknownNameError
from plainwright.metrics import BLEU, SARI, bootstrap_interval, bootstrap_intervals, paired_bootstrap, randomisation
from plainwright.metrics.significance import _resampled_sums

METRIC = SARI()


def segment_means(values: list[float]) -> np.ndarray:
    """Statistics of segments whose SARI, add, keep and delete all equal the given values (0 to 1)."""
    column = np.array(values)
    return np.stack([column, column, column, np.ones_like(column)], axis=-1)


def test_interval_of_equal_segments_is_a_point() -> None:
    assert bootstrap_interval(METRIC, segment_means([0.4] * 20)) == pytest.approx((40.0, 40.0))


def test_interval_of_a_mean_agrees_with_the_normal_approximation() -> None:
    values = np.random.default_rng(7).normal(0.5, 0.1, size=400)
    low, high = bootstrap_interval(METRIC, segment_means(list(values)), resamples=4000)
    half_width = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    assert low == pytest.approx(100 * (values.mean() - half_width), abs=0.08)
    assert high == pytest.approx(100 * (values.mean() + half_width), abs=0.08)


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others() -> None:
    stats = segment_means(list(np.random.default_rng(1).uniform(size=50)))
    assert bootstrap_interval(METRIC, stats, seed=3) == bootstrap_interval(METRIC, stats, seed=3)
    assert bootstrap_interval(METRIC, stats, seed=3) != bootstrap_interval(METRIC, stats, seed=4)


def test_many_intervals_at_once_equal_one_at_a_time() -> None:
    generator = np.random.default_rng(4)
    first, second = (segment_means(list(generator.uniform(size=40))) for _ in range(2))
    together = bootstrap_intervals([(METRIC, first), (METRIC, second)], resamples=200, seed=5)
    alone = [bootstrap_interval(METRIC, stats, resamples=200, seed=5) for stats in (first, second)]
    assert np.allclose(together, alone, rtol=0, atol=1e-9)


def test_blocks_do_not_change_the_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    stats = np.random.default_rng(5).uniform(size=(30, 4))
    whole = _resampled_sums(stats, 100, seed=9)
    monkeypatch.setattr("plainwright.metrics.significance._BLOCK_CELLS", 90)
    assert np.allclose(_resampled_sums(stats, 100, seed=9), whole, rtol=0, atol=1e-12)


@pytest.mark.parametrize("test", [paired_bootstrap, randomisation])
def test_equal_systems_do_not_differ(test: object) -> None:
    stats = segment_means(list(np.random.default_rng(2).uniform(size=60)))
    result = test(METRIC, stats, stats.copy())  # type: ignore[operator]
    assert result.difference == 0
    assert result.p_value == 1


@pytest.mark.parametrize("test", [paired_bootstrap, randomisation])
def test_a_clear_difference_is_found(test: object) -> None:
    generator = np.random.default_rng(3)
    base = generator.uniform(0.2, 0.6, size=100)
    better = base + generator.normal(0.05, 0.02, size=100)
    result = test(METRIC, segment_means(list(better)), segment_means(list(base)))  # type: ignore[operator]
    assert result.difference == pytest.approx(100 * (better - base).mean())
    assert result.p_value < 0.01


def test_randomisation_of_one_segment_by_hand() -> None:
    # Swapping or not swapping the only pair gives the same absolute difference: every trial is as extreme.
    assert randomisation(METRIC, segment_means([0.9]), segment_means([0.1])).p_value == 1


@pytest.mark.parametrize("test", [paired_bootstrap, randomisation])
def test_p_values_are_uniform_when_systems_are_alike(test: object) -> None:
    # 200 pairs of systems that differ by chance: about 5 % of the p-values lie below 0.05. The count is
    # binomial(200, 0.05): 20 or more has probability 0.002.
    generator = np.random.default_rng(11)
    below = 0
    for seed in range(200):
        first, second = generator.normal(0.5, 0.1, size=(2, 40))
        result = test(  # type: ignore[operator]
            METRIC, segment_means(list(first)), segment_means(list(second)), seed=seed
        )
        below += result.p_value < 0.05
    assert below < 20


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_swapping_the_systems_turns_the_difference_round(seed: int) -> None:
    first, second = np.random.default_rng(seed).uniform(size=(2, 25))
    one = randomisation(METRIC, segment_means(list(first)), segment_means(list(second)), trials=50, seed=1)
    other = randomisation(METRIC, segment_means(list(second)), segment_means(list(first)), trials=50, seed=1)
    assert one.difference == pytest.approx(-other.difference)
    assert one.p_value == other.p_value


def test_works_for_metrics_that_are_not_means() -> None:
    outputs = ["a b c d e", "a b x d e", "a b c d y"] * 10
    references = [["a b c d e"]] * 30
    stats = BLEU(tokenizer="none").corpus_stats(None, outputs, references)
    low, high = bootstrap_interval(BLEU(), stats)
    assert low < BLEU(tokenizer="none").corpus_score(None, outputs, references).value < high


def test_systems_on_different_segments_are_refused() -> None:
    with pytest.raises(LengthMismatchError, match="same segments"):
        paired_bootstrap(METRIC, segment_means([0.1]), segment_means([0.1, 0.2]))


@pytest.mark.parametrize("options", [{"resamples": 0}, {"confidence": 1.0}, {"confidence": 0.0}])
def test_impossible_settings_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(DataError):
        bootstrap_interval(METRIC, segment_means([0.1, 0.2]), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("test", [paired_bootstrap, randomisation])
def test_no_segments_are_no_evidence(test: object) -> None:
    with pytest.raises(DataError, match="at least one segment"):
        test(METRIC, np.zeros((0, 4)), np.zeros((0, 4)))  # type: ignore[operator]


def test_an_unknown_part_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown part of sari 'ad'; did you mean add"):
        bootstrap_interval(METRIC, segment_means([0.1]), part="ad")
