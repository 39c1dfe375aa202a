"""The product: raw text in, plainer raw text out, every edit explained.

`plainwright.simplify` and `plainwright.load` are its public face; here are its parts.
"""

from __future__ import annotations

from plainwright.rewrite.models import find_model, load, load_once, open_bundle
from plainwright.rewrite.protect import Protection, protected_tokens
from plainwright.rewrite.reranking import RERANKERS, Rerank, Reranker, Shortlist, reranker
from plainwright.rewrite.result import AppliedRule, Edit, RuleCandidate, SimplifiedSentence, SimplifiedText
from plainwright.rewrite.simplifier import Simplifier
from plainwright.rewrite.surface import Change, ChangeKind, realise

__all__ = [
    "RERANKERS",
    "AppliedRule",
    "Change",
    "ChangeKind",
    "Edit",
    "Protection",
    "Rerank",
    "Reranker",
    "RuleCandidate",
    "Shortlist",
    "SimplifiedSentence",
    "SimplifiedText",
    "Simplifier",
    "find_model",
    "load",
    "load_once",
    "open_bundle",
    "protected_tokens",
    "realise",
    "reranker",
]
