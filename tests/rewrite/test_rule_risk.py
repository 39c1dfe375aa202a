"""What rules risk in a sentence; with a second look, `test_second_look.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainwright.grammar import PackedGrammar
from plainwright.rewrite import Proposal, Protection, Sentence
from plainwright.rewrite.judge import RuleRisk
from plainwright.rewrite.propose import Scfg
from plainwright.rewrite.sentences import one_sentence

RISKY = (
    "[X] ||| residence ||| house ||| good=2 Risk=0.25 ||| 0-0\n[X] ||| vessel ||| ship ||| good=2 Risk=0.5 ||| 0-0\n"
)
PLAIN = "[X] ||| edifice ||| building ||| good=2 ||| 0-0\n"


def grammar(folder: Path, rules: str) -> PackedGrammar:
    path = folder / f"{len(rules)}.txt"
    path.write_text(rules)
    return PackedGrammar.from_text(path)


@pytest.fixture
def grammars(tmp_path: Path) -> list[PackedGrammar]:
    return [grammar(tmp_path, RISKY), grammar(tmp_path, PLAIN)]


def proposals(grammars: list[PackedGrammar], sentence: Sentence, limit: int = 1) -> list[Proposal]:
    [found] = Scfg(grammars, weights={"good": 1.0}).propose([sentence], limit=limit, threads=1)
    return list(found)


def test_each_rule_has_its_own_risk_and_one_without_has_none(grammars: list[PackedGrammar]) -> None:
    sentence = one_sentence("The vessel, the residence, the edifice.", Protection())
    [best] = proposals(grammars, sentence)
    assert best.text == "The ship, the house, the building."
    [[verdict]] = RuleRisk(grammars).judge([(sentence, [best])])
    assert verdict.risks == (0.5, 0.25, 0.0)  # of the rules above
    assert (verdict.forbidden, verdict.risk) == (frozenset(), 0.0)


def test_a_rule_costs_the_same_in_every_proposal_and_batch(grammars: list[PackedGrammar]) -> None:
    sentences = [one_sentence(text, Protection()) for text in ("A residence, a vessel.", "A vessel.")]
    judge = RuleRisk(grammars)
    batch = [(sentence, proposals(grammars, sentence, limit=4)) for sentence in sentences]
    together = judge.judge(batch)
    assert together == [judge.judge([pair])[0] for pair in batch]
    assert together == [RuleRisk(grammars).judge([pair])[0] for pair in batch]
    totals = {
        proposal.text: sum(v.risks)
        for (_, own), vs in zip(batch, together, strict=True)
        for proposal, v in zip(own, vs, strict=True)
    }
    assert totals == {
        "A house, a ship.": 0.75,
        "A house, a vessel.": 0.25,
        "A residence, a ship.": 0.5,
        "A residence, a vessel.": 0.0,
        "A ship.": 0.5,
        "A vessel.": 0.0,
    }


def test_proposals_of_others_risk_nothing_to_it(grammars: list[PackedGrammar]) -> None:
    sentence = one_sentence("The vessel and the residence.", Protection())
    other = Proposal(sentence, "The ship and the house.")
    [[verdict]] = RuleRisk(grammars).judge([(sentence, [other])])
    assert verdict.risks == (0.0, 0.0)
