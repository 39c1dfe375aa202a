"""Connections to SQLite and PostgreSQL that keep what they were told to keep, and read without being able to write."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from plainwright.errors import DataError
from plainwright.extras import check_extra
from plainwright.rate.store.open_file import OpenFile

__all__ = [
    "Engines",
    "empty_log",
    "engines_of",
    "file_of",
    "note_erased",
    "parse_url",
    "shown",
    "take_erased",
]

_PATIENCE_SECONDS = 30.0
_ERASED = "plainwright_erased"
_OUR_LOCK = 0x706C61696E  # any number that other programs in the same database do not use

# FULL: what was committed is on the disk before anybody hears of it. Triggers also guard against INSERT OR REPLACE.
_EVERY_CONNECTION = ("foreign_keys = ON", "recursive_triggers = ON")
_WRITING = ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", "checkpoint_fullfsync = ON")
_READING = ("query_only = ON",)


@dataclass(frozen=True, slots=True)
class Engines:
    """Two ways into one database."""

    writing: Engine
    reading: Engine
    file: OpenFile | None = None  # of SQLite

    def dispose(self) -> None:
        """Close all connections."""
        # The last connection to SQLite tidies its files up, which takes one that may write.
        self.reading.dispose()
        self.writing.dispose()


def parse_url(text: str) -> URL:
    """A database of one of the kinds we know."""
    try:
        url = make_url(text)
    except ArgumentError:
        msg = f"{text!r} is no address of a database; expected sqlite:///FILE or postgresql://USER@HOST/NAME"
        raise DataError(msg) from None
    kind = url.get_backend_name()
    if kind == "sqlite":
        return _checked_sqlite(url)
    if kind == "postgresql":
        return _checked_postgresql(url)
    msg = f"{shown(url)}: a study is kept in SQLite or PostgreSQL, not in {kind!r}"
    raise DataError(msg)


def _checked_sqlite(url: URL) -> URL:
    if not url.database or url.database == ":memory:":
        msg = "a study in memory would be gone with the program; give a file: sqlite:///study.sqlite"
        raise DataError(msg)
    return url


def _checked_postgresql(url: URL) -> URL:
    if not url.database:
        msg = f"{shown(url)}: which database? expected postgresql://USER@HOST/NAME"
        raise DataError(msg)
    check_extra("PostgreSQL", "postgresql", "psycopg")
    return url.set(drivername="postgresql+psycopg")


def shown(url: URL) -> str:
    """As it may appear in messages: without a password."""
    path = file_of(url)
    return str(path) if path else url.set(drivername="postgresql").render_as_string(hide_password=True)


def file_of(url: URL) -> Path | None:
    """Where an SQLite database is."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def engines_of(url: URL) -> Engines:
    """Nothing is opened yet."""
    path = file_of(url)
    return _sqlite_engines(url, path) if path else _postgresql_engines(url)


def _sqlite_engines(url: URL, path: Path) -> Engines:
    arguments: dict[str, Any] = {"connect_args": {"timeout": _PATIENCE_SECONDS}, "pool_size": 8, "max_overflow": 24}
    file = OpenFile(path)
    engines = Engines(create_engine(url, **arguments), create_engine(url, **arguments), file)
    # A transaction that reads first and writes later could find that somebody else wrote in between; IMMEDIATE takes
    # its turn at the start.
    _control_sqlite(engines.writing, file, (*_EVERY_CONNECTION, *_WRITING), "BEGIN IMMEDIATE")
    _control_sqlite(engines.reading, file, (*_EVERY_CONNECTION, *_READING), "BEGIN")

    @event.listens_for(engines.writing, "begin")
    def note_companions(_connection: object) -> None:
        file.note_companions()

    return engines


def _control_sqlite(engine: Engine, file: OpenFile, pragmas: tuple[str, ...], begin: str) -> None:
    @event.listens_for(engine, "do_connect")
    def connect(_dialect: object, _record: object, _names: object, options: dict[str, Any]) -> sqlite3.Connection:
        return file.connect(lambda address: sqlite3.connect(address, uri=True, **options))

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver would begin transactions late and not for all statements
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


# Erasing: deleted rows go from a file of SQLite only if it is told to, and from its log once that is emptied


def note_erased(connection: Connection) -> None:
    """Somebody's data are about to be deleted in this transaction and must not stay in any file of the database."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")  # or the words would stay in the free pages of the file
        connection.info[_ERASED] = True


def take_erased(connection: Connection) -> bool:
    """Whether `note_erased` was called since this was last asked."""
    return bool(connection.info.pop(_ERASED, False))


def empty_log(engine: Engine, seconds: float) -> bool:
    """Move SQLite's write-ahead log into the database and cut it to nothing; False if that cannot be done now."""
    with closing(engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
        try:
            busy, _, _ = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error:  # a full disk, say; what was committed stays committed
            busy = True
        cursor.execute(f"PRAGMA busy_timeout = {int(_PATIENCE_SECONDS * 1000)}")
    return not busy


def _postgresql_engines(url: URL) -> Engines:
    arguments: dict[str, Any] = {"pool_pre_ping": True, "pool_size": 8, "max_overflow": 24}
    # Whoever administers the server may have traded durability for speed; this study has not.
    durable = f"-c synchronous_commit=on -c lock_timeout={int(_PATIENCE_SECONDS * 1000)}"
    writing = create_engine(url, connect_args={"options": _options(url, durable)}, **arguments)

    # As on SQLite, whoever writes is alone: no two transactions wait for each other, and none decides on what another
    # is just changing. Those who write share commits anyway.
    @event.listens_for(writing, "begin")
    def wait_for_others(connection: Connection) -> None:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_OUR_LOCK})")

    reading = create_engine(
        url,
        isolation_level="REPEATABLE READ",  # one look at the data for all queries of a page, as SQLite does
        connect_args={"options": _options(url, "-c default_transaction_read_only=on")},
        **arguments,
    )
    return Engines(writing, reading)


def _options(url: URL, ours: str) -> str:
    """Those of the address, such as a search path, and then ours, which win."""
    return " ".join([*url.normalized_query.get("options", ()), ours])
