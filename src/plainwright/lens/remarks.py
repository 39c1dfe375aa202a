"""Words that the remarks of metrics share."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["places"]


def places(numbers: Sequence[int]) -> str:
    """The first of some lines, and how many more there are."""
    return f"line {numbers[0]}" + (f" (and {len(numbers) - 1} more)" if len(numbers) > 1 else "")
