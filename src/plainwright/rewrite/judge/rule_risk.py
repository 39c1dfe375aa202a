"""What rules risk in a sentence: by a second look at their places, or else what they say of themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plainwright.errors import DataError
from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel
from plainwright.rewrite.judge.second_look import Place, PlaceReader, SecondLook
from plainwright.rewrite.propose.scfg import RuleApplication, ScfgProposal
from plainwright.rewrite.types import Proposal, Sentence, Verdict
from plainwright.text.tagging import Tagger

__all__ = ["RISK", "RuleRisk"]

RISK = "Risk"  # the feature of a rule that says how often it damages a sentence

_Known = dict[RuleApplication, float]


class RuleRisk:
    """Prices rules, by the second look of a model if there is one. Other proposals risk nothing to it."""

    name = "rule risk"

    def __init__(
        self,
        grammars: Sequence[PackedGrammar],
        *,
        second_look: SecondLook | None = None,
        lm: LanguageModel | None = None,
        tagger: Tagger | None = None,
    ) -> None:
        self._grammars = tuple(grammars)
        self._second_look = second_look
        self._reader = None
        self._features: dict[tuple[int, int], list[float]] = {}
        if second_look is None:
            return
        if lm is None or tagger is None:
            msg = "a second look at edits needs a language model and a tagger; name both, or leave it out"
            raise DataError(msg)
        for grammar in grammars:
            if tuple(grammar.feature_names) != second_look.rule_features:
                msg = (
                    "the second look was learnt for other rules: their features have other names; "
                    "run `plainwright learn second-look` with these"
                )
                raise DataError(msg)
        self._reader = PlaceReader(lm, tagger)

    def judge(self, batch: Sequence[tuple[Sentence, Sequence[Proposal]]]) -> list[list[Verdict]]:
        """Return a verdict on every proposal of every sentence."""
        known = [self._known(sentence) for sentence, _ in batch]
        self._price(
            (sentence, risks, rule)
            for (sentence, proposals), risks in zip(batch, known, strict=True)
            for rule in dict.fromkeys(rule for proposal in proposals for rule in _rules(proposal))
            if rule not in risks
        )
        return [
            [_verdict(proposal, risks) for proposal in proposals]
            for (_, proposals), risks in zip(batch, known, strict=True)
        ]

    def _known(self, sentence: Sentence) -> _Known:
        """Risks that were worked out before: they do not depend on what is protected or proposed beside."""
        known: _Known = sentence.memo.setdefault(self, {})
        return known

    def _price(self, asked: Iterable[tuple[Sentence, _Known, RuleApplication]]) -> None:
        if self._second_look is None or self._reader is None:
            for _, risks, rule in asked:
                risks[rule] = self._own_risk(rule)
            return
        waiting = list(asked)
        rows = self._reader.rows([self._place(sentence, rule) for sentence, _, rule in waiting])
        for (_, risks, rule), risk in zip(waiting, self._second_look.risks(rows), strict=True):
            risks[rule] = risk

    def _place(self, sentence: Sentence, rule: RuleApplication) -> Place:
        words = [token.text for token in sentence.tokens]
        start, end = rule.source
        return Place(words, sentence.tags, start, end, rule.target, self._row(rule))

    def _own_risk(self, rule: RuleApplication) -> float:
        names = self._grammars[rule.grammar].feature_names
        return self._row(rule)[names.index(RISK)] if RISK in names else 0.0

    def _row(self, rule: RuleApplication) -> list[float]:
        """The features of a rule."""
        key = rule.grammar, rule.rule
        if key not in self._features:
            grammar, number = key
            self._features[key] = self._grammars[grammar].features(range(number, number + 1))[0].tolist()
        return self._features[key]


def _rules(proposal: Proposal) -> Sequence[RuleApplication]:
    return proposal.applications if isinstance(proposal, ScfgProposal) else ()


def _verdict(proposal: Proposal, risks: _Known) -> Verdict:
    if isinstance(proposal, ScfgProposal):
        return Verdict(tuple(risks[rule] for rule in proposal.applications))
    return Verdict((0.0,) * proposal.groups)
