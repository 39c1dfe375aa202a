"""Coefficients under weights against the same points written out as often as they count."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from plainwright.study.coefficients import COEFFICIENTS, correlate
from plainwright.study.weighted import weighted_correlations

values = st.sampled_from([0.0, 0.1, 1.0, 2.5, -3.0, 1000.0])


@st.composite
def weighted_points(draw):
    n, rows, vectors = draw(st.integers(1, 8)), draw(st.integers(1, 4)), draw(st.integers(1, 3))
    xs = draw(arrays.arrays(float, (vectors, n), elements=values))
    y = draw(arrays.arrays(float, n, elements=values))
    weights = draw(arrays.arrays(float, (rows, n), elements=st.integers(0, 3).map(float)))
    return xs, y, weights


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
@settings(max_examples=60)
@given(weighted_points())
def test_as_points_written_out(name, points):
    xs, y, weights = points
    found = weighted_correlations(xs, y, weights, name)
    for row, x in zip(found, xs, strict=True):
        for value, weight in zip(row, weights.astype(int), strict=True):
            written = correlate(np.repeat(x, weight), np.repeat(y, weight), name)
            np.testing.assert_allclose(value, written, atol=1e-9)


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
def test_a_constant_has_none_whatever_the_weights(name):
    xs = np.array([[0.1] * 6, [1, 2, 3, 4, 5, 6]])
    found = weighted_correlations(xs, np.arange(6.0), np.array([[1.0] * 6, [0, 0, 4, 0, 0, 2]]), name)
    assert np.isnan(found[0]).all()
    np.testing.assert_allclose(found[1], 1)
