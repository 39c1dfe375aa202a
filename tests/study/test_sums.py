"""Coefficients from sums: the same as scipy's on repeated pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from plainwright.study.sums import item_weights, pair_sums, pearson_from_sums, slices, slope_from_sums


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), shift=st.sampled_from([0.0, 1000.0]))
def test_weighted_sums_give_the_coefficients_of_items_written_down_several_times(seed: int, shift: float) -> None:
    generator = np.random.default_rng(seed)
    x, y = generator.normal(shift, 1, size=(2, 12, 3))
    x[generator.random(x.shape) < 0.2] = np.nan
    weights = item_weights(12, 5, generator)
    assert (weights[0] == 1).all()
    assert (weights.sum(axis=1) == 12).all()
    sums = weights @ pair_sums(x, y, axis=1)
    for times, correlation, slope in zip(weights, pearson_from_sums(sums), slope_from_sums(sums), strict=True):
        both = np.repeat(np.isfinite(x), times.astype(int), axis=0)
        line = stats.linregress(*(np.repeat(part, times.astype(int), axis=0)[both] for part in (x, y)))
        assert correlation == pytest.approx(line.rvalue, abs=1e-6)
        assert slope == pytest.approx(line.slope, abs=1e-6)


@pytest.mark.parametrize("constant", [0.0, 0.1, 1e6])
def test_what_does_not_vary_has_no_coefficient(constant: float) -> None:
    x, y = np.full((1, 7), constant), np.arange(7.0)[None]
    assert np.isnan(pearson_from_sums(pair_sums(x, y, axis=1))).all()
    assert np.isnan(pearson_from_sums(pair_sums(y, x, axis=1))).all()
    assert np.isnan(slope_from_sums(pair_sums(x, y, axis=1))).all()
    assert slope_from_sums(pair_sums(y, x, axis=1)) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(("rows", "cells"), [(1, 1), (10, 10**9), (10, 1_500_000), (5000, 1000), (3, 0)])
def test_slices_cover_every_row_once(rows: int, cells: int) -> None:
    covered = [row for part in slices(rows, cells) for row in range(part.start, part.stop)]
    assert covered == list(range(rows))
    assert all(
        (part.stop - part.start) * cells <= 4_000_000 or part.stop - part.start == 1 for part in slices(rows, cells)
    )
