"""Whatever is rated or missing: numbers or a sentence, never NaN, a warning or a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.study.rated import from_array, joined

from plainwright.errors import DataError
from plainwright.study.components import estimate_components
from plainwright.study.plan import plan_from_ratings
from plainwright.study.plan_result import Goal
from plainwright.study.ratings import Ratings
from plainwright.study.resample import resample
from plainwright.study.resample_result import Protocol
from plainwright.study.tradeoff import tradeoff

_SCORES = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 3), st.integers(1, 3)),
    elements=st.one_of(
        st.sampled_from([1.0, 2.0, 3.0, np.nan, np.nan]),
        st.floats(-1e15, 1e15, allow_subnormal=False),
    ),
).filter(lambda scores: bool(np.isfinite(scores).any()))

_GOAL = Goal(systems=3, difference=0.2, budget=90, max_raters=3)

_ANALYSES: dict[str, Callable[[Ratings], dict[str, Any]]] = {
    "components": lambda ratings: estimate_components(ratings.cube("simplicity"), resamples=20).to_dict(),
    "plan": lambda ratings: plan_from_ratings(_GOAL, ratings, "simplicity", resamples=20)[0].to_dict(),
    "resample": lambda ratings: resample(ratings, "simplicity", protocol=Protocol(samples=10, alpha=0.3)).to_dict(),
    "tradeoff": lambda ratings: tradeoff(ratings, "simplicity", "meaning", resamples=20).to_dict(),
}


@pytest.mark.parametrize("analysis", _ANALYSES)
@settings(max_examples=60, deadline=None)
@given(simplicity=_SCORES, meaning=_SCORES)
def test_the_answer_is_numbers_or_a_sentence(analysis: str, simplicity: np.ndarray, meaning: np.ndarray) -> None:
    ratings = joined(from_array(simplicity, "simplicity"), from_array(meaning, "meaning"))
    try:
        answer = _ANALYSES[analysis](ratings)
    except DataError:
        return
    json.dumps(answer, allow_nan=False)
