"""The files of an SQLite database that is open: are they still those that have their names?

Whoever moves, removes or replaces a file leaves a program that has it open with one that nobody finds again. SQLite in
its mode with a write-ahead log does not look: it would go on to commit, and all of it would be gone with the program.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

from plainwright.errors import DataError, StorageError

__all__ = ["COMPANIONS", "OpenFile", "check_alone", "remove_files"]

COMPANIONS = ("-wal", "-shm")  # that SQLite keeps beside a file as long as somebody has it open

_Identity = tuple[int, int]  # device and inode


class OpenFile:
    """A database and its companions, known by device and inode since they were opened."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, _Identity] = {}  # by what is added to the name

    def connect(self, connect: Callable[[str], sqlite3.Connection]) -> sqlite3.Connection:
        """A connection to the same file as all before; where there is none, none is made."""
        before = self._identity("")
        self._check("", before)
        connection = connect(f"{self._path.absolute().as_uri()}?mode=rw")
        if before is not None and self._identity("") == before:
            self._known.setdefault("", before)
            return connection
        connection.close()
        raise StorageError(_sentence(self._path, "replaced"))

    def note_companions(self) -> None:
        """Know them from now on: a transaction that writes has begun, and so opened them."""
        for suffix in COMPANIONS:
            found = None if suffix in self._known else self._identity(suffix)
            if found is not None:
                self._known[suffix] = found

    def check(self) -> None:
        """StorageError unless all files that are open are those that have their names."""
        for suffix in self._known:
            self._check(suffix, self._identity(suffix))

    def _check(self, suffix: str, found: _Identity | None) -> None:
        if suffix in self._known and found != self._known[suffix]:
            raise StorageError(
                _sentence(Path(f"{self._path}{suffix}"), "moved or deleted" if found is None else "replaced")
            )

    def _identity(self, suffix: str) -> _Identity | None:
        # SQLite puts companions beside the file that a link leads to.
        path = Path(f"{os.path.realpath(self._path)}{suffix}") if suffix else self._path
        try:
            found = path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino


def check_alone(path: Path) -> None:
    """DataError if a database that is about to be made would find companions of one that was there before."""
    left = [other for other in map(Path, _names(path)[1:]) if other.exists()]
    if left:
        msg = (
            f"{left[0]}: expected no such file where a database is to be made, found what is left of another, maybe "
            "with ratings; stop the server of this study, then put its database back, or remove "
            + " and ".join(other.name for other in left)
        )
        raise DataError(msg)


def remove_files(path: Path) -> None:
    """Remove a database with all that SQLite puts beside it."""
    for name in _names(path):
        Path(name).unlink(missing_ok=True)


def _names(path: Path) -> list[str]:
    return [f"{path}{suffix}" for suffix in ("", *COMPANIONS, "-journal")]


def _sentence(path: Path, fate: str) -> str:
    return (
        f"{path}: the database file has been {fate}; ratings are not saved until it is back, or the server is stopped "
        "and started again"
    )
