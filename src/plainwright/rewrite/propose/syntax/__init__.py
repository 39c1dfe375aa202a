"""Long sentences in shorter ones, on a dependency analysis."""

from __future__ import annotations

from plainwright.rewrite.propose.syntax.changes import SyntaxReason
from plainwright.rewrite.propose.syntax.proposer import SyntaxProposer

__all__ = ["SyntaxProposer", "SyntaxReason"]
