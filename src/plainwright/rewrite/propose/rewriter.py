"""The rewriter as a proposer: whole sentences in other words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from plainwright.rewrite.propose.whole import WholeProposal, is_prose
from plainwright.rewrite.types import Proposals, Sentence
from plainwright.rewriter.controls import Controls
from plainwright.rewriter.finding import Level, find_rewriter
from plainwright.rewriter.model import Rewrite, Rewriter

__all__ = ["RewriterProposer", "Rewritten"]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Evidence: the level that was asked for, and how sure the model was."""

    level: str
    score: float

    def __str__(self) -> str:
        return f"the rewriter at level {self.level}, sure to {math.exp(self.score):.0%}"

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"kind": "rewrite", "level": self.level, "score": round(self.score, 4)}


class RewriterProposer:
    """Proposes what a rewriter writes; text that is no English prose is left alone."""

    name = "rewriter"
    asks_for_more = 4  # candidates, where none of the first may stay

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

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[Proposals]:
        """Return at most `limit` rewrites of each sentence, the likeliest first."""
        # What was found before is still there when a judge has refused it and more is asked for.
        known: list[list[Rewrite | None]] = [one.memo.setdefault((self, "rewrites"), []) for one in sentences]
        waiting: dict[int, list[int]] = {}
        for number, one in enumerate(sentences):
            if len(known[number]) < limit and is_prose(one.text):
                waiting.setdefault(len(known[number]), []).append(number)
        for first, numbers in waiting.items():
            texts = [sentences[number].text for number in numbers]
            found = self._rewriter.rewrite(
                texts, controls=self._controls, candidates=limit, first=first, threads=threads
            )
            for number, own in zip(numbers, found, strict=True):
                known[number] += [*own, *[None] * (limit - first - len(own))]
        return [self._proposals(one, own[:limit]) for one, own in zip(sentences, known, strict=True)]

    def _proposals(self, sentence: Sentence, rewrites: Sequence[Rewrite | None]) -> Proposals:
        distinct = {rewrite.text: rewrite for rewrite in reversed(rewrites) if rewrite is not None}
        best_first = sorted(distinct.values(), key=lambda rewrite: -rewrite.score)
        return Proposals(self._proposal(sentence, rewrite) for rewrite in best_first)

    def _proposal(self, sentence: Sentence, rewrite: Rewrite) -> WholeProposal:
        evidence = (Rewritten(self._controls.level, rewrite.score),)
        return WholeProposal(sentence, rewrite.text, score=rewrite.score, origin=self.name, evidence=evidence)
