"""Outputs of other systems in the place of references.

What several systems agree on is seldom the worst of what could be said. Values with such pseudo-references rank systems
on the same text and the same pseudo-references; they say little beside values with people's references.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plainwright.arguments import as_texts, check_instance
from plainwright.errors import DataError, ReferenceShapeError

__all__ = ["pseudo_references"]


def pseudo_references(
    name: str, lines: Sequence[str], pseudo: Mapping[str, Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
    """Return what the other systems made of every segment; a system is no judge of itself, nor is an empty line."""
    lines = as_texts(lines, "pseudo_references", "lines")
    check_instance(pseudo, Mapping, "pseudo_references", "pseudo", "the outputs of systems by name")
    others = [list(other) for other in pseudo.values() if list(other) != lines]
    if not others:
        msg = f"output {name!r} has no other output to be compared with; give at least one of another system"
        raise ReferenceShapeError(msg)
    groups = tuple(tuple(text for text in column if text.strip()) for column in zip(*others, strict=True))
    for number, group in enumerate(groups, start=1):
        if not group:
            msg = f"segment {number}: expected an output of another system than {name!r}, found only empty lines"
            raise DataError(msg)
    return groups
