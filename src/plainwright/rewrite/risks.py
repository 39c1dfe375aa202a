"""What the edits of a sentence risk: by a second look at their places, or else what their rules say of themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plainwright.decode import Candidate, Step
from plainwright.errors import DataError
from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel
from plainwright.rewrite.prepared import PreparedSentence
from plainwright.rewrite.second_look import Place, PlaceReader, SecondLook
from plainwright.text.tagging import Tagger

__all__ = ["RISK", "Risks"]

RISK = "Risk"  # the feature of a rule that says how often it damages a sentence

RiskOf = Callable[[Step], float]
_Edit = tuple[tuple[int, int], int, int]  # which words, grammar, rule


class Risks:
    """Asks the second look of a model, if it has one."""

    def __init__(
        self,
        grammars: Sequence[PackedGrammar],
        second_look: SecondLook | None,
        lm: LanguageModel | None,
        tagger: Tagger | None,
    ) -> None:
        self._grammars = tuple(grammars)
        self._second_look = second_look
        self._reader = None
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

    def of(self, edited: Sequence[tuple[PreparedSentence, Sequence[Candidate]]]) -> list[RiskOf]:
        """For each sentence a function from the steps of its candidates to their risks."""
        if self._second_look is None or self._reader is None:
            return [self._of_rule] * len(edited)
        known: list[dict[_Edit, float]] = []
        places: list[Place] = []
        where: list[tuple[dict[_Edit, float], _Edit]] = []
        for sentence, candidates in edited:
            mine: dict[_Edit, float] = {}
            known.append(mine)
            for edit, target in _edits(candidates).items():
                places.append(self._place(sentence, edit, target))
                where.append((mine, edit))
        for (mine, edit), risk in zip(where, self._second_look.risks(self._reader.rows(places)), strict=True):
            mine[edit] = risk
        return [_looked_up(mine) for mine in known]

    def _place(self, sentence: PreparedSentence, edit: _Edit, target: tuple[str, ...]) -> Place:
        (start, end), grammar, rule = edit
        words = [token.text for token in sentence.tokens]
        return Place(words, sentence.tags, start, end, target, self._features(grammar, rule))

    def _features(self, grammar: int, rule: int) -> list[float]:
        row: list[float] = self._grammars[grammar].features(range(rule, rule + 1))[0].tolist()
        return row

    def _of_rule(self, step: Step) -> float:
        assert step.grammar is not None
        assert step.rule is not None
        names = self._grammars[step.grammar].feature_names
        return self._features(step.grammar, step.rule)[names.index(RISK)] if RISK in names else 0.0


def _edits(candidates: Sequence[Candidate]) -> dict[_Edit, tuple[str, ...]]:
    """The edits of all candidates, each once, with what they write."""
    return {
        _key(step): candidate.tokens[slice(*step.target)]
        for candidate in candidates
        for step in candidate.derivation
        if step.kind == "rule"
    }


def _key(step: Step) -> _Edit:
    assert step.grammar is not None
    assert step.rule is not None
    return step.source, step.grammar, step.rule


def _looked_up(risks: dict[_Edit, float]) -> RiskOf:
    return lambda step: risks[_key(step)]
