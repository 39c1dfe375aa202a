"""The rewriter that reads by way of French as a proposer: whole sentences in other words, the most promising first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from plainwright.rewrite.propose.rewriter import Rewritten
from plainwright.rewrite.propose.whole import WholeProposal, is_prose
from plainwright.rewrite.types import Proposals, Sentence
from plainwright.rewriter.controls import Controls
from plainwright.rewriter.finding import Level
from plainwright.rewriter.pivot import PivotRewrite, PivotRewriter

__all__ = ["PivotProposer"]

_CANDIDATES = 4
# What is tried beside the level that was asked for: one that changes less, in case all of the first may not stay.
_LEVELS: Mapping[Level, Sequence[Level]] = {"light": ("light",), "plain": ("plain", "light"), "easy": ("easy", "plain")}


class PivotProposer:
    """Proposes what a rewriter writes; text that is no English prose is left alone."""

    name = "rewriter"
    asks_for_more = _CANDIDATES * 2  # where none of the first may stay

    def __init__(
        self,
        directory: Path,
        *,
        level: Level = "plain",
        length: float | None = None,
        similarity: float | None = None,
        rank: float | None = None,
        depth: float | None = None,
    ) -> None:
        controls = Controls(level=level, length=length, similarity=similarity, rank=rank, depth=depth)
        self._rewriter = PivotRewriter(directory)
        self._level = level
        self._controls = [replace(controls, level=one) for one in _LEVELS[level]]

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[Proposals]:
        """Return at most `limit` rewrites of each sentence, those first that a reader would find true and easier."""
        waiting = [one for one in sentences if (self, "rewrites") not in one.memo and is_prose(one.text)]
        found = self._rewriter.rewrite(
            [one.text for one in waiting], controls=self._controls, candidates=_CANDIDATES, threads=threads
        )
        for sentence, own in zip(waiting, found, strict=True):
            proposals = [self._proposal(sentence, rewrite) for rewrite in own if rewrite.text != sentence.text]
            sentence.memo[self, "rewrites"] = sorted(proposals, key=lambda proposal: -proposal.score)
        return [Proposals(one.memo.get((self, "rewrites"), ())[:limit]) for one in sentences]

    def _proposal(self, sentence: Sentence, rewrite: PivotRewrite) -> WholeProposal:
        score, opinion, reader = rewrite.score, None, self._rewriter.reader
        if reader is not None:
            opinion = reader.opinion(rewrite.features(sentence.text, self._level))
            score = math.log(max(1e-9, (1 - opinion.damaged) * opinion.easier))
        evidence = (Rewritten(self._level, rewrite.score, opinion),)
        return WholeProposal(sentence, rewrite.text, score=score, origin=self.name, evidence=evidence)
