"""Reranking: hand cases and the definition computed the slow way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.errors import DataError, LengthMismatchError
from plainwright.metrics import BLEU, FK, SARI
from plainwright.rewrite.choose import best_by_metric, expected_utilities, minimum_bayes_risk, most_dissimilar

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


def test_without_sharpness_every_pseudo_reference_counts_alike() -> None:
    # Equation 5 of Maddela et al. (2023).
    expected = [
        np.mean([SARI().sentence_score(SOURCE, own, [other]).value for other in CANDIDATES]) for own in CANDIDATES
    ]
    values = expected_utilities(SOURCE, CANDIDATES, [3.0, 2.0, -1.0, 0.0], utility=SARI(), sharpness=0)
    assert values == pytest.approx(np.array(expected))


def test_pseudo_references_are_those_that_the_model_prefers() -> None:
    scores = [0.5, 2.0, 1.0, 1.0]  # of the two with 1.0, the first
    few = expected_utilities(SOURCE, CANDIDATES, scores, utility=SARI(), sharpness=0, pseudo_references=2)
    expected = [
        np.mean([SARI().sentence_score(SOURCE, own, [CANDIDATES[other]]).value for other in (1, 2)])
        for own in CANDIDATES
    ]
    assert few == pytest.approx(np.array(expected))
    everyone = expected_utilities(SOURCE, CANDIDATES, scores, utility=SARI())
    assert np.array_equal(expected_utilities(SOURCE, CANDIDATES, scores, utility=SARI(), pseudo_references=9), everyone)


def test_a_metric_that_is_better_when_lower_is_minimised() -> None:
    class Errors(BLEU):
        higher_is_better = False

    with_bleu, with_errors = (
        minimum_bayes_risk("a b c d", ["a b c x", "a b c d", "y b c d"], [0, 0, 0], utility=kind(tokenizer="none"))
        for kind in (BLEU, Errors)
    )
    assert (with_bleu, with_errors) == (1, 0)


@given(
    count=st.integers(1, 5),
    scores=st.permutations([3.0, 2.0, 1.0, 0.0]),
)
def test_a_metric_sees_the_best_of_the_other_candidates(count: int, scores: list[float]) -> None:
    ranked = sorted(range(4), key=lambda rank: -scores[rank])
    values = [
        SARI()
        .sentence_score(SOURCE, CANDIDATES[own], [CANDIDATES[other] for other in ranked if other != own][:count])
        .value
        for own in range(4)
    ]
    best = best_by_metric(SOURCE, CANDIDATES, scores, metric=SARI(), pseudo_references=count)
    assert values[best] == pytest.approx(max(values))


def test_references_from_elsewhere_decide() -> None:
    for own in range(4):
        assert best_by_metric(SOURCE, CANDIDATES, [0.0] * 4, metric=BLEU(), references=[CANDIDATES[own]]) == own


def test_a_candidate_without_rivals_is_taken() -> None:
    assert best_by_metric(SOURCE, CANDIDATES[:1], [0.0], metric=SARI()) == 0


def test_mistakes_are_explained() -> None:
    with pytest.raises(DataError, match="at least one candidate"):
        most_dissimilar("a", [])
    with pytest.raises(LengthMismatchError, match="one score for each of 4 candidates, got 1"):
        minimum_bayes_risk(SOURCE, CANDIDATES, [0.0], utility=SARI())
    with pytest.raises(DataError, match="looks at no references"):
        minimum_bayes_risk(SOURCE, CANDIDATES, [0.0] * 4, utility=FK())
    with pytest.raises(DataError, match="looks at no references"):
        best_by_metric(SOURCE, CANDIDATES, [0.0] * 4, metric=FK())
    with pytest.raises(DataError, match="pseudo_references must be at least 1, got 0"):
        minimum_bayes_risk(SOURCE, CANDIDATES, [0.0] * 4, utility=SARI(), pseudo_references=0)
    with pytest.raises(DataError, match="pseudo_references must be at least 1, got 0"):
        best_by_metric(SOURCE, CANDIDATES, [0.0] * 4, metric=SARI(), pseudo_references=0)
