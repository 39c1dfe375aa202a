"""A budget of risk for each sentence.

A reader stumbles over a sentence if any of its edits is wrong, so what counts is the risk of all of them together. The
safest edits are bought first; what the budget does not cover has to go, and so has whatever a judge forbids.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from plainwright.rewrite.types import Proposal, Verdict

__all__ = ["RiskBudget"]

_ROUNDING = 1e-6  # packed grammars have single precision


@dataclass(frozen=True, slots=True)
class RiskBudget:
    """Limits what the edits of one sentence may risk together; without a limit nothing is ever too much."""

    limit: float = math.inf

    @property
    def unlimited(self) -> bool:
        """Whether there is no limit, so that nobody need be asked."""
        return self.limit == math.inf

    def at_strength(self, strength: float) -> RiskBudget:
        """The budget of a more careful (-1) or bolder (1) simplifier; full strength has no limit."""
        if strength == 1:
            return RiskBudget()
        return RiskBudget(self.limit / (1 - strength) if strength > 0 else self.limit * (1 + strength / 2))

    def overspent(self, proposal: Proposal, verdict: Verdict, *, spent: float = 0.0) -> frozenset[int]:
        """Return the groups of edits that have to go, where earlier passes have `spent` some of the budget."""
        total = spent + verdict.risk
        if not verdict.forbidden and total + sum(verdict.risks) <= self.limit:
            return verdict.forbidden  # as it is for most
        allowed = [group for group in range(len(verdict.risks)) if group not in verdict.forbidden]
        too_much = set(verdict.forbidden)
        for group in sorted(allowed, key=lambda group: (verdict.risks[group], proposal.source_tokens(group))):
            total += verdict.risks[group]
            if not self.covers(total):
                too_much.add(group)
        return frozenset(too_much)

    def covers(self, risk: float) -> bool:
        """Return whether a sentence may risk so much in all."""
        return risk <= self.limit + _ROUNDING

    def shares(self, verdicts: Sequence[Verdict], *, spent: float) -> list[float]:
        """Return how much of one budget each of several proposals may use, the safest edits of all paid first."""
        total = spent + sum(verdict.risk for verdict in verdicts)
        shares = [0.0] * len(verdicts)
        for risk, number in sorted((risk, number) for number, verdict in enumerate(verdicts) for risk in verdict.risks):
            total += risk
            if self.covers(total):
                shares[number] = (shares[number] or verdicts[number].risk) + risk
        return shares
