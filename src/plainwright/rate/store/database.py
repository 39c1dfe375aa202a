"""One study's database: what it is, transactions, and a queue for those who write.

`open` looks before it touches: a file that is no study of ours is left exactly as it was.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, exists, select
from sqlalchemy.exc import (
    DatabaseError,
    DBAPIError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
    SQLAlchemyError,
)

from plainwright.errors import DataError, StorageError
from plainwright.rate.store import versions
from plainwright.rate.store.engines import empty_log, engines_of, file_of, parse_url, shown, take_erased
from plainwright.rate.store.open_file import check_alone, remove_files
from plainwright.rate.store.schema import study
from plainwright.rate.store.writer import Writer

__all__ = ["Database", "Migration"]

Result = TypeVar("Result")

_READERS = 4
_SHORT_WAIT = 0.1  # seconds; others want to write, and there will be another try
_LONG_WAIT = 5.0
_SQLITE_BEGINNING = b"SQLite format 3\0"
_FIRST = "make a study with `plainwright rate init`"


@dataclass(frozen=True, slots=True)
class Migration:
    """What `migrate` did."""

    name: str
    before: str
    after: str
    copy: Path | None = None  # of the database as it was


class Database:
    """Made by `create` or `open`; use it from any thread, and close it."""

    def __init__(self, url: str) -> None:
        parsed = parse_url(url)
        self.dialect = parsed.get_backend_name()
        self.name = shown(parsed)
        self.path = file_of(parsed)
        self._engines = engines_of(parsed)
        self._writer = Writer(self.writing, self._explained)
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="plainwright-rate-reader")
        self._log_holds_erased = False

    @classmethod
    def create(cls, url: str) -> Database:
        """A database with all tables and nothing in them."""
        database = cls(url)
        with database._closed_on_error():
            database._make_tables()
        return database

    @classmethod
    def open(cls, url: str) -> Database:
        """A database that `create` made."""
        database = cls(url)
        with database._closed_on_error():
            found = database.version()
            if found != versions.latest_version():
                raise DataError(_why_not(database.name, found))
        return database

    @classmethod
    def migrate(cls, url: str) -> Migration:
        """Bring an older database to our version, in one transaction; an SQLite file is copied before."""
        database = cls(url)
        with database._closed_on_error():
            done = database._upgrade()
        database.close()
        return done

    def _upgrade(self) -> Migration:
        found, latest = self.version(), versions.latest_version()
        if found not in versions.known_versions():
            raise DataError(_why_not(self.name, found))
        if found == latest:
            return Migration(self.name, found, latest)
        copy = self._copy(f"tables-{found}")
        with self.writing() as connection:
            versions.upgrade(connection)
        return Migration(self.name, found, latest, copy)

    def version(self) -> str:
        """Of its tables; DataError if there is no study of ours."""
        if self.path is not None:
            _check_file(self.path)
        with self.reading() as connection:
            found = versions.version_of(connection)
        if found is None:
            msg = f"{self.name}: a database, but not one of a rating study; {_FIRST}"
            raise DataError(msg)
        return found

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """See the data as they were at one moment; writing is refused by the database."""
        with self._clear_errors(), self._engines.reading.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction: committed at the end, or, after an error, as if it had never been.

        StorageError also if the file went away during the commit: the data are then in a file that nobody finds.
        """
        with self._clear_errors():
            with self._engines.writing.begin() as connection:
                yield connection
                self._check_file()
                self._log_holds_erased |= take_erased(connection)
            if self._log_holds_erased:
                self._empty_log(_SHORT_WAIT)
            self._check_file()  # again: it may have gone while the commit was under way

    def submit(self, work: Callable[[Connection], Result]) -> Future[Result]:
        """Write together with others who wait: each alone may fail, all share a commit.

        The future knows the result only when it is durable. If the commit fails, all of them do.
        """
        return self._writer.submit(work)

    async def run(self, work: Callable[[Connection], Result]) -> Result:
        """`submit`, awaited."""
        return await asyncio.wrap_future(self.submit(work))

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """`reading` in a thread of its own, awaited."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    def displaced(self) -> str:
        """Why nothing can be kept any more, if the file of SQLite is not the one that was opened; "" if it is."""
        try:
            self._check_file()
        except StorageError as error:
            return str(error)
        return ""

    def rescue(self) -> Path | None:
        """A copy of all that is open of a displaced file, beside where it was; None if that cannot be made."""
        try:
            return self._copy("rescued")
        except (OSError, sqlite3.Error, StorageError):
            return None

    def close(self) -> None:
        """Do what waits, then let go of the database."""
        self._writer.close()
        self._readers.shutdown()
        if self._log_holds_erased:
            self._empty_log(_LONG_WAIT)
        self._engines.dispose()

    def _empty_log(self, seconds: float) -> None:
        """Try to take what was erased out of the file beside the database, too; who reads may be in the way."""
        self._log_holds_erased = not empty_log(self._engines.writing, seconds)

    def _check_file(self) -> None:
        if self._engines.file is not None:
            self._engines.file.check()

    def _read(self, work: Callable[[Connection], Result]) -> Result:
        with self.reading() as connection:
            return work(connection)

    def _make_tables(self) -> None:
        new = self._is_new()
        if new and self.path is not None:
            _make_private(self.path)
        try:
            with self.writing() as connection:
                found = versions.version_of(connection)
                if found is not None and connection.execute(select(exists().select_from(study))).scalar():
                    msg = f"{self.name}: already holds a study; give it up by removing it, or choose another place"
                    raise DataError(msg)
                if found is not None and found != versions.latest_version():
                    raise DataError(_why_not(self.name, found))
                versions.upgrade(connection)
        except BaseException:
            if new and self.path is not None:
                self._engines.dispose()
                remove_files(self.path)
            raise

    def _copy(self, ending: str) -> Path | None:
        """The file as it is, beside it, under a name that nothing has yet."""
        if self.path is None:
            return None
        copy = self.path.with_name(f"{self.path.name}.{ending}")
        while copy.exists():
            copy = copy.with_name(f"{copy.name}-again")
        _make_private(copy)
        # Part of the data may be in the log that SQLite keeps beside the file; SQLite knows how to copy both.
        with self.reading() as connection, closing(sqlite3.connect(copy)) as target:
            source: Any = connection.connection.driver_connection
            source.backup(target)
        return copy

    def _is_new(self) -> bool:
        """Whether there is no file yet; what is there must be a database."""
        if self.path is None:
            return False
        if not self.path.parent.is_dir():
            msg = f"{self.path}: there is no directory {str(self.path.parent)!r} to put it in"
            raise DataError(msg)
        if self.path.is_dir() or (self.path.exists() and self.path.stat().st_size):
            _check_file(self.path)
            return False
        check_alone(self.path)
        return not self.path.exists()

    @contextmanager
    def _closed_on_error(self) -> Iterator[None]:
        """While its tables are made or looked for, when a database that is not meant for us shows itself."""
        try:
            yield
        except ProgrammingError as error:
            self.close()
            msg = (
                f"{self.name}: {_reason(error)}; expected a database of its own for each study, which its user owns: "
                "`createdb --owner=USER NAME`"
            )
            raise DataError(msg) from error
        except BaseException:
            self.close()
            raise

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, UnicodeDecodeError, msgspec.DecodeError) as error:
            explained = self._explained(error)
            if explained is error:
                raise
            raise explained from error

    def _explained(self, error: Exception) -> Exception:
        """What goes wrong between us and the database, in one sentence; what goes wrong in the data stays as it is."""
        if isinstance(error, OperationalError | InterfaceError) or type(error) is DatabaseError:
            explained = StorageError(f"{self.name}: {_reason(error)}")
        elif isinstance(error, UnicodeDecodeError | msgspec.DecodeError):
            explained = StorageError(f"{self.name}: damaged, some of it is no text any more; go back to a copy")
        else:
            return error
        explained.__cause__ = error
        return explained


def _make_private(path: Path) -> None:
    """An empty file that only its owner can read; SQLite gives the files beside it the same rights."""
    path.touch(mode=0o600, exist_ok=False)


def _reason(error: DBAPIError) -> str:
    lines = str(error.orig).strip().splitlines()
    return lines[0] if lines else type(error.orig).__name__


def _check_file(path: Path) -> None:
    if path.is_dir():
        msg = f"{path}: expected a database, found a directory"
        raise DataError(msg)
    if not path.exists():
        msg = f"{path}: no such database; {_FIRST}"
        raise DataError(msg)
    with path.open("rb") as file:
        beginning = file.read(len(_SQLITE_BEGINNING))
    if beginning != _SQLITE_BEGINNING:
        found = "an empty file" if not beginning else "something else"
        msg = f"{path}: expected an SQLite database, found {found}; {_FIRST}"
        raise DataError(msg)


def _why_not(name: str, found: str) -> str:
    if found in versions.known_versions():
        return f"{name}: made by an older plainwright (tables {found}); run `plainwright rate migrate`"
    return (
        f"{name}: made by a newer plainwright (tables {found}, this one knows {versions.latest_version()}); "
        "update with `pip install --upgrade plainwright`"
    )
