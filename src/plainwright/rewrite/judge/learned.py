"""What a rewrite risks, in the opinion of a network that reads it beside its source (`plainwright.judge`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from plainwright.judge import JudgeModel, open_judge
from plainwright.rewrite.types import Proposal, Sentence, Verdict

__all__ = ["LearnedJudge"]


class LearnedJudge:
    """Prices whole proposals, and shares the price among their groups of edits.

    What a group costs is what undoing it would save, in proportion, so that all groups together cost what the proposal
    risks. Where undoing one group saves nothing, whichever it is, each is as much to blame.
    """

    name = "judge"

    def __init__(self, directory: str | Path | None = None, *, threads: int = 1) -> None:
        self._model: JudgeModel = open_judge(directory)
        self._threads = threads

    def judge(self, batch: Sequence[tuple[Sentence, Sequence[Proposal]]]) -> list[list[Verdict]]:
        """Return a verdict on every proposal of every sentence."""
        pairs = [
            (sentence.text, text)
            for sentence, proposals in batch
            for proposal in proposals
            for text in _texts(proposal)
            if text != sentence.text  # the sentence itself risks nothing
        ]
        distinct = list(dict.fromkeys(pairs))
        values = self._model.risks(*zip(*distinct, strict=True), threads=self._threads) if distinct else ()
        risks = dict(zip(distinct, map(float, values), strict=True))
        return [[_verdict(proposal, risks) for proposal in proposals] for _, proposals in batch]


def _texts(proposal: Proposal) -> list[str]:
    """Return the proposal, and itself with each of its groups undone if there are several."""
    if proposal.groups < 2:
        return [proposal.text]
    return [proposal.text, *(proposal.without({group}).text for group in range(proposal.groups))]


def _verdict(proposal: Proposal, risks: dict[tuple[str, str], float]) -> Verdict:
    source = proposal.sentence.text
    whole, *undone = (risks.get((source, text), 0.0) for text in _texts(proposal))
    if not undone:
        return Verdict((whole,) * proposal.groups)
    saved = np.maximum(whole - np.array(undone), 0)
    shares = saved / saved.sum() if saved.sum() > 0 else np.full(len(undone), 1 / len(undone))
    return Verdict(tuple(float(whole * share) for share in shares))
