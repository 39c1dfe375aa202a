"""The one check that every function over many lines makes first."""

from __future__ import annotations

from collections.abc import Iterable

from plainwright.errors import DataError


def as_list(lines: Iterable[str]) -> list[str]:
    """The lines as a list; one string is refused, because its characters would count as lines."""
    if isinstance(lines, str):
        msg = f"expected an iterable of lines, got one string: {lines[:40]!r}; wrap it in a list"
        raise DataError(msg)
    return list(lines)
