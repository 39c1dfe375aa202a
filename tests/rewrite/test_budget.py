"""The risk budget: which edits it pays for, and how several proposals share it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.rewrite import Proposal, Protection, RiskBudget, Verdict
from plainwright.rewrite.sentences import one_sentence

WORDS = [f"hard{number}" for number in range(6)]
SENTENCE = one_sentence(" and ".join(WORDS), Protection(numbers=False))


def proposal(groups: int) -> Proposal:
    """Replace so many words of the sentence; each is a group of its own."""
    text = SENTENCE.text
    for word in WORDS[:groups]:
        text = text.replace(word, word.replace("hard", "easy"))
    return Proposal(SENTENCE, text)


RISKS = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5]), max_size=len(WORDS)).map(tuple)


@given(RISKS, st.sampled_from([0.0, 0.15, 0.3, 0.7, math.inf]), st.sampled_from([0.0, 0.1, 0.4]))
def test_the_safest_edits_are_kept_as_long_as_the_budget_lasts(
    risks: tuple[float, ...], limit: float, spent: float
) -> None:
    gone = RiskBudget(limit).overspent(proposal(len(risks)), Verdict(risks), spent=spent)
    kept = [risk for group, risk in enumerate(risks) if group not in gone]
    assert not kept or spent + sum(kept) <= limit + 1e-6
    for group in gone:
        assert risks[group] >= max(kept, default=0.0)
        assert spent + sum(kept) + risks[group] > limit


def test_what_a_judge_forbids_goes_and_costs_nothing() -> None:
    verdict = Verdict((0.1, 0.0, 0.1), frozenset({0}))
    assert RiskBudget().overspent(proposal(3), verdict) == {0}
    assert RiskBudget(0.1).overspent(proposal(3), verdict) == {0}


def test_the_risk_of_the_whole_proposal_is_paid_first() -> None:
    assert RiskBudget(0.25).overspent(proposal(2), Verdict((0.1, 0.1), risk=0.1)) == {1}
    assert RiskBudget(0.25).overspent(proposal(2), Verdict((0.1, 0.0), risk=0.3)) == {0, 1}


# By hand: from 0 to 1 the limit is divided by 1 - strength, from 0 to -1 it falls to one half.
@pytest.mark.parametrize(("strength", "limit"), [(-1, 0.1), (-0.5, 0.15), (0, 0.2), (0.5, 0.4), (1, math.inf)])
def test_a_bolder_simplifier_may_risk_more(strength: float, limit: float) -> None:
    assert RiskBudget(0.2).at_strength(strength).limit == pytest.approx(limit)


@given(st.lists(RISKS, min_size=1, max_size=3), st.sampled_from([0.15, 0.3, 0.7]), st.sampled_from([0.0, 0.1]))
def test_proposals_that_share_a_budget_get_what_one_with_all_their_edits_would(
    parts: list[tuple[float, ...]], limit: float, spent: float
) -> None:
    shares = RiskBudget(limit).shares([Verdict(risks) for risks in parts], spent=spent)
    affordable = total = 0.0
    for risk in sorted(risk for risks in parts for risk in risks):
        total += risk
        affordable += risk if spent + total <= limit + 1e-6 else 0.0
    assert sum(shares) == pytest.approx(affordable)
    for risks, share in zip(parts, shares, strict=True):
        gone = RiskBudget(limit).overspent(proposal(len(risks)), Verdict(risks), spent=limit - share)
        assert sum(risk for group, risk in enumerate(risks) if group not in gone) == pytest.approx(share)
