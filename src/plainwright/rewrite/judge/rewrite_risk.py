"""What a rewrite of a whole sentence risks, in the opinion of the reader that was taught for its rewriter."""

from __future__ import annotations

from collections.abc import Sequence

from plainwright.errors import DataError
from plainwright.rewrite.propose.rewriter import Rewritten
from plainwright.rewrite.types import Proposal, Sentence, Verdict

__all__ = ["RewriteRisk"]

_LEAST_EASIER = 0.3  # below which no risk is worth taking


class RewriteRisk:
    """Prices rewrites, and forbids those that would hardly be easier; other proposals risk nothing to it."""

    name = "rewrite risk"

    def __init__(self, *, least_easier: float = _LEAST_EASIER) -> None:
        if not 0 <= least_easier <= 1:
            msg = f"least_easier: expected a probability from 0 to 1, found {least_easier!r}"
            raise DataError(msg)
        self._least_easier = least_easier

    def judge(self, batch: Sequence[tuple[Sentence, Sequence[Proposal]]]) -> list[list[Verdict]]:
        """Return a verdict on every proposal of every sentence."""
        return [[self._verdict(proposal) for proposal in proposals] for _, proposals in batch]

    def _verdict(self, proposal: Proposal) -> Verdict:
        evidence = proposal.edits[0].evidence if proposal.edits else ()
        opinion = next((one.opinion for one in evidence if isinstance(one, Rewritten)), None)
        if opinion is None:
            return Verdict((0.0,) * proposal.groups)
        forbidden = frozenset((0,)) if opinion.easier < self._least_easier else frozenset()
        return Verdict((opinion.damaged,), forbidden)
