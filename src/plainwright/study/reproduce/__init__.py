"""Published tables, computed again: the paper's value, ours, the difference and, where there is one, its cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from plainwright.errors import UnknownNameError
from plainwright.study.reproduce.table import Cell, Reproduction
from plainwright.study.reproduce.xu2016 import table5

__all__ = ["REPRODUCTIONS", "Cell", "Reproduction", "reproduce"]

REPRODUCTIONS: Mapping[str, Callable[[Path | None], Reproduction]] = MappingProxyType({"xu2016-table5": table5})


def reproduce(name: str, *, data: Path | None = None) -> Reproduction:
    """Compute the table called `name` from the registered corpora."""
    if name not in REPRODUCTIONS:
        listing = f"choose one of {', '.join(REPRODUCTIONS)}"
        raise UnknownNameError.suggest(kind="table", name=name, known=REPRODUCTIONS, listing=listing)
    return REPRODUCTIONS[name](data)
