"""The rewriter as a proposer: whole sentences in other words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plainwright.rewrite.propose.whole import WholeProposal, is_prose
from plainwright.rewrite.types import Proposals, Sentence
from plainwright.rewriter.controls import Controls
from plainwright.rewriter.finding import Level, find_rewriter
from plainwright.rewriter.model import Rewrite, Rewriter
from plainwright.rewriter.risk import Opinion, features

__all__ = ["RewriterProposer", "Rewritten"]

# What is tried in turn, as a level and the number of a sample: 0 is the likeliest wording.
_ATTEMPTS: Mapping[Level, Sequence[tuple[Level, int]]] = {
    "light": (("light", 0), ("light", 1), ("light", 2)),
    "plain": (("plain", 0), ("plain", 1), ("plain", 2), ("light", 0)),
    "easy": (("easy", 0), ("easy", 1), ("plain", 0), ("light", 0)),
}
_Found = tuple[Level, Rewrite]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Evidence: the level that was asked for, how sure the model was, and what its reader says, if it has one."""

    level: str
    score: float
    opinion: Opinion | None = None

    def __str__(self) -> str:
        own = f"the rewriter at level {self.level}, sure to {math.exp(self.score):.0%}"
        return own if self.opinion is None else f"{own}, risk {self.opinion.damaged:.0%}"

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        own: dict[str, object] = {"kind": "rewrite", "level": self.level, "score": round(self.score, 4)}
        if self.opinion is not None:
            own |= {"risk": round(self.opinion.damaged, 4), "easier": round(self.opinion.easier, 4)}
        return own


class RewriterProposer:
    """Proposes what a rewriter writes; text that is no English prose is left alone.

    Further attempts are samples, and in the end the likeliest wording at a level that changes less.
    """

    name = "rewriter"

    def __init__(
        self,
        directory: str | None = None,
        *,
        level: Level = "plain",
        length: float | None = None,
        similarity: float | None = None,
        rank: float | None = None,
        depth: float | None = None,
    ) -> None:
        self._controls = Controls(level=level, length=length, similarity=similarity, rank=rank, depth=depth)
        self._rewriter = Rewriter(find_rewriter(directory))
        self._rewriter.check(self._controls)
        # Where the prompt has no place for a level, the others would ask for the same once more.
        known = self._rewriter.has_levels
        self._attempts = tuple(one for one in _ATTEMPTS[level] if known or one[0] == level)
        self.asks_for_more = len(self._attempts)  # where none of the first may stay

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[Proposals]:
        """Return what at most `limit` attempts gave for each sentence, the best first."""
        # What was found before is still there when a judge has refused it and more is asked for.
        known: list[list[_Found | None]] = [one.memo.setdefault((self, "rewrites"), []) for one in sentences]
        prose = [number for number, one in enumerate(sentences) if is_prose(one.text)]
        for attempt, (level, sample) in enumerate(self._attempts[:limit]):
            waiting = [number for number in prose if len(known[number]) == attempt]
            found = self._rewriter.rewrite(
                [sentences[number].text for number in waiting],
                controls=replace(self._controls, level=level),
                candidates=sample + 1,
                first=sample,
                threads=threads,
            )
            for number, own in zip(waiting, found, strict=True):
                known[number].append((level, own[0]) if own else None)
        return [self._proposals(one, own[:limit]) for one, own in zip(sentences, known, strict=True)]

    def _proposals(self, sentence: Sentence, found: Sequence[_Found | None]) -> Proposals:
        distinct = {one[1].text: self._proposal(sentence, *one) for one in reversed(found) if one is not None}
        return Proposals(sorted(distinct.values(), key=lambda proposal: -proposal.score))

    def _proposal(self, sentence: Sentence, level: Level, rewrite: Rewrite) -> WholeProposal:
        """Score a rewrite: by how sure the model was, or by how likely a reader would find it true and easier."""
        score, opinion, reader = rewrite.score, None, self._rewriter.reader
        if reader is not None:
            opinion = reader.opinion(features(sentence.text, rewrite.text, rewrite.log_probabilities, level))
            score = math.log(max(1e-9, (1 - opinion.damaged) * opinion.easier))
        evidence = (Rewritten(level, rewrite.score, opinion),)
        return WholeProposal(sentence, rewrite.text, score=score, origin=self.name, evidence=evidence)
