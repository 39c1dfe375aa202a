"""What the writer's page is told of a text, whose parts come one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from plainwright.documents import Block
from plainwright.report.rewriting import RewritingData
from plainwright.rewrite import SimplifiedText
from plainwright.serve.glossary import Glossary

__all__ = ["ReviewData"]


@dataclass(slots=True)
class ReviewData:
    """Adds to the edits what the hard words mean, each of them once: those before and after, as either may stay."""

    glossary: Glossary | None
    _edits: RewritingData = field(default_factory=RewritingData)
    _known: set[str] = field(default_factory=set)

    def add(self, parts: Sequence[SimplifiedText], blocks: Sequence[Block] | None = None) -> dict[str, Any]:
        """Return what the page has to know of further parts, which are blocks of a document or paragraphs of a text."""
        data = self._edits.add(parts, blocks)
        if self.glossary is None:
            return data
        texts = (text for part in parts for text in dict.fromkeys((part.text, part.source)))
        return {**data, "glosses": self.glossary.entries(texts, self._known)}
