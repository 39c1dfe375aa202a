"""The product: raw text in, plainer raw text out, every edit explained.

`plainwright.simplify` and `plainwright.load` are its public face; here are its parts. A sentence goes through
`pipeline.py`, and `types.py` says what travels there.
"""

from __future__ import annotations

from plainwright.rewrite.choose import CHOOSERS, chooser
from plainwright.rewrite.judge import RiskBudget
from plainwright.rewrite.models import find_model, load, load_once, open_bundle
from plainwright.rewrite.passes import Passes
from plainwright.rewrite.pipeline import Candidates, Pipeline
from plainwright.rewrite.propose import AppliedRule, RuleCandidate
from plainwright.rewrite.protect import Protection, protected_tokens
from plainwright.rewrite.registry import JUDGES, PROPOSERS, Endpoint
from plainwright.rewrite.result import SimplifiedSentence, SimplifiedText
from plainwright.rewrite.simplifier import Simplifier, scfg_pipeline
from plainwright.rewrite.types import (
    Chooser,
    Edit,
    Evidence,
    Judge,
    Proposal,
    Proposals,
    Proposer,
    Sentence,
    Shortlist,
    Verdict,
)

__all__ = [
    "CHOOSERS",
    "JUDGES",
    "PROPOSERS",
    "AppliedRule",
    "Candidates",
    "Chooser",
    "Edit",
    "Endpoint",
    "Evidence",
    "Judge",
    "Passes",
    "Pipeline",
    "Proposal",
    "Proposals",
    "Proposer",
    "Protection",
    "RiskBudget",
    "RuleCandidate",
    "Sentence",
    "Shortlist",
    "SimplifiedSentence",
    "SimplifiedText",
    "Simplifier",
    "Verdict",
    "chooser",
    "find_model",
    "load",
    "load_once",
    "open_bundle",
    "protected_tokens",
    "scfg_pipeline",
]
