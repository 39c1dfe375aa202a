"""What a study of pairs cannot tell: where systems made the same of a sentence, there is nothing to choose between."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from plainwright.rate.material import Card

__all__ = ["Identical", "identical_outputs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identical:
    """Outputs of systems; controls are not counted."""

    pairs: int  # two systems that made the same of a sentence
    all_pairs: int
    sentences: int  # of which all systems made the same
    all_sentences: int

    @property
    def statement(self) -> str:
        """What was not compared, in one sentence; empty if all was."""
        if not self.pairs:
            return ""
        found = f"{self.pairs:,} of {self.all_pairs:,} pairs of outputs are identical, and nobody compares them"
        if self.sentences:
            found += (
                f"; so are all outputs of {self.sentences:,} of {self.all_sentences:,} sentences, which say nothing"
            )
        return f"{found}."

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**asdict(self), "statement": self.statement}


def identical_outputs(sentences: Iterable[Sequence[Card]]) -> Identical:
    """Count them over the cards of each sentence, without training."""
    makers = [[sum(not maker.control for maker in card.candidates) for card in cards] for cards in sentences]
    same = [sum(math.comb(count, 2) for count in counts) for counts in makers]
    possible = [math.comb(sum(counts), 2) for counts in makers]
    return Identical(
        pairs=sum(same),
        all_pairs=sum(possible),
        sentences=sum(0 < found == all_found for found, all_found in zip(same, possible, strict=True)),
        all_sentences=len(makers),
    )
