"""Corrections for many comparisons, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.errors import DataError, UnknownNameError
from plainwright.study.comparisons import CORRECTIONS, corrected

P_VALUES = [0.03, 0.01, 0.04, 0.005]


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        # In order 0.005, 0.01, 0.03, 0.04: times 4, 3, 2, 1 is 0.02, 0.03, 0.06, 0.04; none below the one before it.
        ("holm", [0.06, 0.03, 0.06, 0.02]),
        # Times 4/1, 4/2, 4/3, 4/4 is 0.02, 0.02, 0.04, 0.04; none above the one after it.
        ("benjamini-hochberg", [0.04, 0.02, 0.04, 0.02]),
        ("bonferroni", [0.12, 0.04, 0.16, 0.02]),
        ("none", P_VALUES),
    ],
)
def test_by_hand(correction, expected):
    assert corrected(P_VALUES, correction) == pytest.approx(expected)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_no_correction_makes_a_p_value_smaller_or_changes_the_order(p_values):
    for correction in CORRECTIONS:
        found = corrected(p_values, correction)
        assert all(p <= q + 1e-12 <= 1 + 1e-12 for p, q in zip(p_values, found, strict=True))
        in_order = [q for _, q in sorted(zip(p_values, found, strict=True))]
        assert in_order == sorted(found)
    assert all(h <= b + 1e-12 for h, b in zip(corrected(p_values), corrected(p_values, "bonferroni"), strict=True))


def test_wrong_input_is_explained():
    with pytest.raises(UnknownNameError, match="did you mean holm"):
        corrected([0.1], "holms")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="between 0 and 1"):
        corrected([0.1, 1.5])
