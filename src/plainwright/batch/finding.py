"""What the input of a batch is: tables, or one folder of documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plainwright.batch.documents import documents_in
from plainwright.batch.formats import format_of_table
from plainwright.errors import DataError

__all__ = ["tables_in"]


def tables_in(inputs: Sequence[Path]) -> list[Path]:
    """Return all tables that are named, or lie in folders that are; none for one folder of documents."""
    found: list[Path] = []
    for path in inputs:
        if not path.exists():
            msg = f"{path}: expected a table or a folder, found no such file"
            raise DataError(msg)
        if not path.is_dir():
            found.append(path)
            continue
        own = sorted(file for file in path.iterdir() if format_of_table(file) and not file.name.startswith("."))
        others = documents_in(path)
        if own and others:
            msg = f"{path}: expected tables or documents, found both ({own[0].name} and {others[0].name})"
            raise DataError(msg)
        if not own and len(inputs) > 1:
            msg = f"{path}: expected a folder with tables beside other input, found one with documents; do it alone"
            raise DataError(msg)
        found += own
    return found
