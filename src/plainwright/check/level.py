"""The level of English that a sentence asks for, from A1 to C2 of the CEFR, as an estimate.

The model is a weighted sum of `features`, learnt from sentences that two teachers each had graded (CEFR-SP; see
`tools/cefr_level.py`, which makes and measures it). It sees words and their order, not what they mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from plainwright.arguments import check_instance
from plainwright.boosted import Linear
from plainwright.check.features import FEATURES, features
from plainwright.rewrite.types import Sentence

__all__ = ["LEVELS", "level_name", "level_values"]

LEVELS = ("A1", "A2", "B1", "B2", "C1", "C2")


def level_name(value: float) -> str:
    """Return the level that a value stands for: A1 is 1, C2 is 6."""
    check_instance(value, (int, float), "level_name", "value", "a number from 1 to 6")
    return LEVELS[min(max(int(value + 0.5), 1), len(LEVELS)) - 1]


def level_values(sentences: Sequence[Sentence]) -> npt.NDArray[np.float64]:
    """Return the value of each sentence, from 1 to 6; the sentences have tags."""
    if not sentences:
        return np.zeros(0)
    values = _model().predict(np.array([features(sentence) for sentence in sentences]))
    return np.clip(values, 1, len(LEVELS))


@cache
def _model() -> Linear:
    text = files("plainwright.check").joinpath("level.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    numbers = {name: [float(number) for number in numbers] for name, *numbers in rows}
    weights, low, high = (np.array(column) for column in zip(*(numbers[name] for name in FEATURES), strict=True))
    return Linear(weights=weights, low=low, high=high, intercept=numbers["intercept"][0])
