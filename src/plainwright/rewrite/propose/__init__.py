"""Who suggests other ways to put a sentence."""

from __future__ import annotations

from plainwright.rewrite.propose.scfg import AppliedRule, RuleApplication, RuleCandidate, Scfg, ScfgProposal

__all__ = ["AppliedRule", "RuleApplication", "RuleCandidate", "Scfg", "ScfgProposal"]
