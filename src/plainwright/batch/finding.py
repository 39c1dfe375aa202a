"""What the input of a batch is: tables, or one folder of documents."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

from plainwright.batch.documents import documents_in
from plainwright.batch.formats import format_of_table
from plainwright.batch.job import PLAN
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
        own = sorted(_tables_below(path))
        others = documents_in(path)
        if others and all(table.parent != path for table in own):
            own = []  # documents, with the data of some of them in a folder
        if own and others:
            names = " and ".join(str(files[0].relative_to(path)) for files in (own, others))
            msg = f"{path}: expected tables or documents, found both ({names})"
            raise DataError(msg)
        if not own and len(inputs) > 1:
            msg = f"{path}: expected a folder with tables beside other input, found one with documents; do it alone"
            raise DataError(msg)
        found += own
    return found


def _tables_below(folder: Path) -> Iterator[Path]:
    """Yield the tables of a folder and the folders in it, without those that other programs hide or a batch wrote."""
    for place, folders, files in os.walk(folder, onerror=_refuse):
        here = Path(place)
        folders[:] = [name for name in folders if name[0] not in "._" and not (here / name / PLAN).exists()]
        yield from (here / name for name in files if name[0] != "." and format_of_table(Path(name)))


def _refuse(error: OSError) -> NoReturn:
    """Refuse a folder that cannot be read: without its tables the batch would look complete."""
    reason = (error.strerror or str(error)).lower()
    msg = f"{error.filename}: expected a folder that can be read ({reason}); give access to it, or move it elsewhere"
    raise DataError(msg)
