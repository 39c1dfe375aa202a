"""Coefficients against scipy, which computes one pair of vectors at a time."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from plainwright.errors import LengthMismatchError, UnknownNameError
from plainwright.study import coefficients
from plainwright.study.coefficients import average_ranks, correlate, estimate, p_value

SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}
NAMES = sorted(SCIPY)
# Few different numbers, so that ties are common, and gaps.
cells = st.sampled_from([0.0, 1.0, 2.0, 2.5, -3.0, 1e6, np.nan])


@st.composite
def pairs_of_rows(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    rows, n = draw(st.integers(1, 4)), draw(st.integers(0, 12))
    x, y = (np.array(draw(st.lists(cells, min_size=rows * n, max_size=rows * n))).reshape(rows, n) for _ in "xy")
    return x, y


def by_scipy(x: np.ndarray, y: np.ndarray, name: str) -> float:
    """NaN where scipy would warn."""
    there = np.isfinite(x) & np.isfinite(y)
    x, y = x[there], y[there]
    if len(x) < 2 or x.min() == x.max() or y.min() == y.max():
        return np.nan
    return float(SCIPY[name](x, y).statistic)


@pytest.mark.parametrize("name", NAMES)
@given(pairs_of_rows())
def test_as_scipy_with_ties_and_gaps(name, rows):
    x, y = rows
    expected = [by_scipy(a, b, name) for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(correlate(x, y, name), expected, atol=1e-12)


@given(pairs_of_rows())
def test_ranks_as_scipy(rows):
    x, _ = rows
    expected = scipy.stats.rankdata(x, axis=-1, nan_policy="omit") if x.size else x
    np.testing.assert_allclose(average_ranks(x), expected)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@settings(max_examples=30)
@given(seed=st.integers(0, 10_000), n=st.integers(3, 40), ties=st.booleans())
def test_p_values_as_scipy(name, alternative, seed, n, ties):
    generator = np.random.default_rng(seed)
    x, y = generator.normal(size=(2, n))
    if ties:
        x, y = np.round(x), np.round(x + y)
    found = estimate(x, y, name, alternative=alternative)
    if found.value is None:
        return
    # Near r = 1 the last bit of r moves the p-value of three points by its square root.
    assert found.p_value == pytest.approx(SCIPY[name](x, y, alternative=alternative).pvalue, abs=1e-7)


def test_one_sided_looks_in_the_direction_observed():
    x, y = [1, 2, 3, 4, 5], [3, 5, 1, 2, 0]
    for name in NAMES:
        found = estimate(x, y, name, alternative="one-sided")
        assert found.p_value == pytest.approx(estimate(x, y, name, alternative="less").p_value)


def test_p_values_of_a_published_table():
    # Sulem et al. (2018), Table 2, seven systems: rho with a p-value that only a one-sided test gives.
    for rho, printed in [(0.43, 0.2), (-0.81, 0.01), (0.61, 0.07), (25 / 28, 0.003), (-0.59, 0.08), (0.67, 0.05)]:
        found = p_value(rho, 7, "spearman", "one-sided")
        assert float(f"{found:.1g}") == pytest.approx(printed)


def test_leading_axes_are_worked_on_together_and_broadcast():
    generator = np.random.default_rng(5)
    x, y = generator.normal(size=(3, 4, 9)), generator.normal(size=9)
    for name in NAMES:
        together = correlate(x, y, name)
        assert together.shape == (3, 4)
        assert together[2, 1] == pytest.approx(float(correlate(x[2, 1], y, name)))


@pytest.mark.parametrize("name", NAMES)
def test_a_constant_is_a_problem_in_words_and_not_a_number(name):
    # A third of it added up three times is not itself: the mean of equal numbers need not equal them.
    found = estimate([0.1] * 7, range(7), name, names=("bleu", "simplicity"))
    assert found.value is None
    assert found.problem == "bleu is the same (0.1) at all 7 points, so nothing can vary with it"
    assert np.isnan(correlate([0.1] * 7, range(7), name))


@pytest.mark.parametrize("name", NAMES)
def test_two_points_are_too_few(name):
    found = estimate([1, 2, np.nan, 4], [4, 5, 6, np.nan], name)
    assert (found.value, found.n) == (None, 2)
    assert found.problem == "a correlation needs at least 3 points with both values, found 2"


def test_a_coefficient_never_leaves_its_range():
    x = np.array([1e-8, 1.0, 1e8])
    assert correlate(x, 3 * x) <= 1.0
    assert correlate(x, -7 * x) >= -1.0


def test_wrong_names_and_shapes_are_explained():
    with pytest.raises(UnknownNameError, match="unknown coefficient 'spearmann'; did you mean spearman"):
        correlate([1, 2], [1, 2], "spearmann")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="alternative"):
        p_value(0.5, 9, "pearson", "both")  # type: ignore[arg-type]
    with pytest.raises(LengthMismatchError, match=r"\(3,\) and \(2,\)"):
        correlate([1, 2, 3], [1, 2])
    with pytest.raises(LengthMismatchError, match="two vectors"):
        estimate(np.zeros((2, 3)), np.zeros((2, 3)))


def test_every_coefficient_is_registered():
    assert sorted(coefficients.COEFFICIENTS) == NAMES
