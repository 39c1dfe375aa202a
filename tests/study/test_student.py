"""Student's t: thresholds, p-values and power, against scipy and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from plainwright.study import student

_DEGREES = st.integers(1, 5000).map(float)
_ALPHAS = st.sampled_from([0.05, 0.01, 0.05 / 6, 0.001])


@given(_DEGREES, _ALPHAS)
def test_at_the_critical_value_the_p_value_is_the_level(degrees: float, alpha: float) -> None:
    critical = float(student.critical_value(alpha, np.array(degrees)))
    assert critical == pytest.approx(stats.t.ppf(1 - alpha / 2, degrees))
    assert student.p_value(-critical, degrees) == pytest.approx(alpha)


@given(_DEGREES, _ALPHAS, st.floats(0, 60), st.floats(0, 10))
def test_power_rises_with_the_difference_and_is_never_undefined(
    degrees: float, alpha: float, errors: float, more: float
) -> None:
    low, high = student.power(np.array([errors, errors + more]), np.array(degrees), alpha)
    assert 0 <= low <= high + 1e-9 <= 1 + 1e-9


@given(_DEGREES, _ALPHAS, st.floats(0, 8))
def test_power_is_the_upper_tail_of_the_noncentral_t_of_scipy(degrees: float, alpha: float, errors: float) -> None:
    expected = stats.nct.sf(stats.t.isf(alpha / 2, degrees), degrees, errors)
    assert float(student.power(np.array(errors), np.array(degrees), alpha)) == pytest.approx(expected, abs=1e-9)


@given(_DEGREES, _ALPHAS)
def test_without_a_difference_half_of_the_level_points_the_right_way(degrees: float, alpha: float) -> None:
    assert float(student.power(np.array(0.0), np.array(degrees), alpha)) == pytest.approx(alpha / 2)


@pytest.mark.parametrize(("sentences", "gap"), [(8, 1.2), (30, 0.6), (120, 0.25)])
def test_power_is_the_share_of_simulated_tests_that_find_the_difference(sentences: int, gap: float) -> None:
    samples = np.random.default_rng(sentences).normal(gap, 1, size=(20_000, sentences))
    tests = stats.ttest_1samp(samples, 0, axis=1)
    found = float(((tests.pvalue < 0.05) & (tests.statistic > 0)).mean())
    promised = float(student.power(np.array(gap * np.sqrt(sentences)), np.array(sentences - 1), 0.05))
    assert found == pytest.approx(promised, abs=0.012)  # three standard errors of a share of 20,000


@given(st.floats(0.1, 0.99), st.integers(1, 2000).map(float), _ALPHAS)
def test_noncentrality_gives_the_power_back(wanted: float, degrees: float, alpha: float) -> None:
    errors = student.noncentrality(wanted, np.array([degrees, 7.0]), alpha)
    np.testing.assert_allclose(student.power(errors, np.array([degrees, 7.0]), alpha), wanted, atol=1e-6)


def test_without_a_degree_of_freedom_nothing_is_found() -> None:
    assert student.power(np.array([5.0, 5.0]), np.array([0.0, 10.0]), 0.05)[0] == 0
    assert student.critical_value(0.05, np.array([0.0]))[0] == np.inf


@given(st.floats(0.5, 1e6), st.floats(0, 200))
def test_one_p_value_is_that_of_scipy(degrees: float, statistic: float) -> None:
    expected = 2 * stats.t.sf(statistic, degrees)
    assert student.p_value(statistic, degrees) == pytest.approx(expected, rel=1e-7, abs=1e-300)


@given(_DEGREES, _ALPHAS)
def test_one_threshold_is_that_of_many(degrees: float, alpha: float) -> None:
    assert student.threshold(alpha, degrees) == pytest.approx(float(student.critical_value(alpha, np.array(degrees))))


def test_without_a_degree_of_freedom_there_is_no_threshold() -> None:
    assert student.threshold(0.05, 0) == np.inf
