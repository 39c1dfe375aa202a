"""More examples: rated outputs beside fewer of their references.

What features say of an output depends on how many references there are: the best of ten lies higher than the one of
one. A model that has only seen ten misjudges where there is one, so it also sees each rated output beside fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plainwright.lens.training.data import Example
from plainwright.text.corruptions import generator_of

__all__ = ["Fewer", "with_fewer_references"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fewer:
    """Pairs a rated output with some of its references."""

    row: int  # where it stands among the examples with all references
    example: Example

    @property
    def count(self) -> int:
        """How many references are left."""
        return len(self.example.references)


def with_fewer_references(examples: Sequence[Example], counts: Sequence[int], *, seed: int) -> list[Fewer]:
    """Every example with as many references as each of `counts` says, if it has more.

    All outputs of a source meet the same references, as they would in an evaluation.
    """
    return [
        Fewer(row=row, example=replace(example, references=_drawn(example, count, seed)))
        for count in sorted(set(counts))
        for row, example in enumerate(examples)
        if len(example.references) > count
    ]


def _drawn(example: Example, count: int, seed: int) -> tuple[str, ...]:
    def chance(reference: str) -> float:
        return float(generator_of(f"{example.source}\n{reference}", seed + count).random())

    return tuple(sorted(example.references, key=chance)[:count])
