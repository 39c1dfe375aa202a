"""Estimates: a value with its interval, or the reason why there is none."""

import numpy as np
import pytest

from plainwright.study.estimate import Estimate, Interval


def test_an_interval_leaves_out_resamples_without_a_value_and_counts_them() -> None:
    samples = np.append(np.arange(1001.0), np.nan)
    interval = Interval.of(samples)
    assert interval is not None
    assert (interval.low, interval.high, interval.undefined) == pytest.approx((25, 975, 1))


def test_there_is_no_interval_where_no_resample_gave_a_value() -> None:
    assert Interval.of(np.array([np.nan])) is None


def test_an_estimate_has_either_a_value_or_a_problem() -> None:
    with pytest.raises(ValueError, match="either a value or a problem"):
        Estimate(value=None, n=2)


def test_json_has_only_what_there_is() -> None:
    assert Estimate(value=0.5, n=9, interval=Interval(0.0, 1.0)).to_dict() == {
        "value": 0.5,
        "n": 9,
        "interval": [0.0, 1.0],
        "confidence": 0.95,
    }
    assert Estimate(value=None, n=1, problem="one system has no correlation").to_dict() == {
        "n": 1,
        "problem": "one system has no correlation",
    }
