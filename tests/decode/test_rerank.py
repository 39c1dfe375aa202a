"""Reranking: hand cases and the definition computed the slow way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.decode.rerank import expected_utilities, minimum_bayes_risk, most_dissimilar
from plainwright.errors import DataError, LengthMismatchError
from plainwright.metrics import BLEU, FK, SARI

SOURCE = "the physician came to the residence ."
CANDIDATES = [
    "the physician came to the residence .",
    "the doctor came to the residence .",
    "the doctor came to the home .",
    "a doctor went to a home .",
]


def test_pbmt_r_takes_the_farthest_of_the_best_few() -> None:
    assert most_dissimilar(SOURCE, CANDIDATES) == 3
    assert most_dissimilar(SOURCE, CANDIDATES, best=3) == 2
    assert most_dissimilar(SOURCE, CANDIDATES, best=1) == 0


def test_pbmt_r_breaks_ties_by_the_order_of_the_model() -> None:
    assert most_dissimilar("a b", ["a c", "a d", "a e"]) == 0


def test_mbr_prefers_the_candidate_in_the_middle() -> None:
    # Equal chances: "a b c d" shares three words with each of the others, they share two with one another.
    candidates = ["a b c x", "a b c d", "y b c d"]
    assert minimum_bayes_risk("a b c d", candidates, [0, 0, 0], utility=BLEU(tokenizer="none")) == 1


def test_mbr_with_a_sharp_model_follows_the_model() -> None:
    scores = [0.0, 5.0, 1.0, 0.5]
    assert minimum_bayes_risk(SOURCE, CANDIDATES, scores, utility=SARI(), sharpness=100) == 1


@given(
    candidates=st.lists(st.sampled_from(CANDIDATES), min_size=1, max_size=5),
    scores=st.lists(st.floats(-3, 3), min_size=5, max_size=5),
)
def test_expected_utility_is_its_definition(candidates: list[str], scores: list[float]) -> None:
    scores = scores[: len(candidates)]
    chances = np.exp(scores) / np.exp(scores).sum()
    expected = [
        sum(c * SARI().sentence_score(SOURCE, own, [other]).value for other, c in zip(candidates, chances, strict=True))
        for own in candidates
    ]
    assert expected_utilities(SOURCE, candidates, scores, utility=SARI()) == pytest.approx(np.array(expected))


def test_mistakes_are_explained() -> None:
    with pytest.raises(DataError, match="at least one candidate"):
        most_dissimilar("a", [])
    with pytest.raises(LengthMismatchError, match="one score for each of 4 candidates, got 1"):
        minimum_bayes_risk(SOURCE, CANDIDATES, [0.0], utility=SARI())
    with pytest.raises(DataError, match="looks at no references"):
        minimum_bayes_risk(SOURCE, CANDIDATES, [0.0] * 4, utility=FK())
