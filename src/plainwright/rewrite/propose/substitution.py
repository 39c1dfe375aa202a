"""Lexical substitution as a proposer: plainer words that a network finds right in their sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plainwright.rewrite.propose.matched import goes_on, proposal_of
from plainwright.rewrite.propose.whole import is_prose
from plainwright.rewrite.types import Proposals, Sentence
from plainwright.rewrite.wordlist import WordList
from plainwright.rewrite.wordlist.matching import Match, compatible, every_match
from plainwright.substitution.model import open_substitution
from plainwright.substitution.pieces import Candidate

__all__ = ["Substituted", "SubstitutionProposer"]


@dataclass(frozen=True, slots=True)
class Substituted:
    """Evidence: what the hard words became, how likely that is right, and what else might have stood there."""

    hard: str
    plain: str
    score: float
    others: tuple[tuple[str, float], ...] = ()
    shown: int = 0  # of the others

    def __str__(self) -> str:
        return f"{self.hard} → {self.plain or '(nothing)'}, right in this sentence to {self.score:.0%}"

    def with_alternatives(self, number: int) -> Substituted:
        """Return the evidence with at most so many alternatives."""
        return replace(self, shown=number)

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        own: dict[str, object] = {
            "kind": "substitution",
            "hard": self.hard,
            "plain": self.plain,
            "score": round(self.score, 4),
        }
        if self.shown:
            own["alternatives"] = [
                {"target": plain, "score": round(score, 4)} for plain, score in self.others[: self.shown]
            ]
        return own


class SubstitutionProposer:
    """Proposes each sentence with the candidates that its model finds right, the likeliest of each place.

    The `threshold` is how likely a candidate must be right, in place of the one that the model names.
    """

    name = "substitution"

    def __init__(self, directory: str | None = None, *, threshold: float | None = None) -> None:
        self._model = open_substitution(directory)
        self._candidates = WordList.open(self._model.candidates)
        self.threshold = self._model.threshold if threshold is None else threshold

    def __repr__(self) -> str:
        return f"SubstitutionProposer({self._model.label}, threshold={self.threshold:g})"

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[Proposals]:
        """Return one proposal for each sentence in which something fits."""
        found = [self._found(sentence) for sentence in sentences]
        asked = [
            (sentence.text, [_candidate(sentence, match) for match in own])
            for sentence, own in zip(sentences, found, strict=True)
        ]
        scores = self._model.scores(asked, threads=threads)
        return [
            self._proposals(sentence, dict(zip(own, rated, strict=True)))
            for sentence, own, rated in zip(sentences, found, scores, strict=True)
        ]

    def rated(self, sentence: Sentence) -> list[tuple[float, int, Candidate]]:
        """Return how likely each candidate for a sentence is right, its line in the list, and the candidate."""
        found = self._found(sentence)
        candidates = [_candidate(sentence, match) for match in found]
        [scores] = self._model.scores([(sentence.text, candidates)])
        lines = (match.entry.line for match in found)
        return list(zip(scores, lines, candidates, strict=True))

    def _found(self, sentence: Sentence) -> list[Match]:
        """Return what might be replaced: one match for each place and wording, in English prose."""
        if not is_prose(sentence.text):
            return []
        found = (match for match in every_match(sentence, self._candidates) if not goes_on(sentence, match))
        distinct = {match.parts: match for match in found if len(match.parts) == 1}
        return list(distinct.values())

    def _proposals(self, sentence: Sentence, rated: dict[Match, float]) -> Proposals:
        ranked = sorted((match for match in rated if rated[match] >= self.threshold), key=lambda match: -rated[match])
        kept = compatible(sentence, ranked)
        if not kept:
            return Proposals()
        evidence = [self._evidence(sentence, match, rated) for match in kept]
        return Proposals([proposal_of(sentence, kept, evidence, origin=self.name)])

    def _evidence(self, sentence: Sentence, match: Match, rated: dict[Match, float]) -> Substituted:
        same = [one for one in rated if one.source == match.source and one is not match]
        others = sorted(((_words(one), rated[one]) for one in same), key=lambda one: -one[1])
        candidate = _candidate(sentence, match)
        hard = sentence.text[candidate.start : candidate.end]
        return Substituted(hard, candidate.plain, rated[match], tuple(others))


def _candidate(sentence: Sentence, match: Match) -> Candidate:
    [part] = match.parts
    start, end = part.source
    return Candidate(sentence.tokens[start].start, sentence.tokens[end - 1].end, _words(match))


def _words(match: Match) -> str:
    return " ".join(match.parts[0].words)
