"""What the tests of rating studies share: empty databases of both kinds, and one with a small study in it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy")
import argon2
from sqlalchemy import Connection, event
from tests.rate import postgresql

from plainwright.rate.store import organisers, versions
from plainwright.rate.store.database import Database

NOW = 1_700_000_000.0
strong_hasher = organisers._hasher


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes as argon2 should not make them, so that tests are quick."""
    quick = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(organisers, "_hasher", lambda: quick)
    monkeypatch.setattr(organisers, "_decoy", functools.cache(organisers._decoy.__wrapped__))


@pytest.fixture(scope="session", autouse=True)
def quick_tables() -> Iterator[None]:
    """Alembic makes the tables of the first new database; the same statements then make those of all others."""
    migrate = versions.upgrade
    known: dict[tuple[str, Path], list[tuple[str, Any]]] = {}

    def upgrade(connection: Connection) -> None:
        if versions.version_of(connection) is not None:
            migrate(connection)
            return
        key = (connection.dialect.name, versions._MIGRATIONS)
        if key in known:
            for statement, values in known[key]:
                connection.exec_driver_sql(statement, values)
            return
        said: list[tuple[str, Any]] = []

        def note(_connection: object, _cursor: object, statement: str, values: Any, *_: object) -> None:
            said.append((statement, values))

        event.listen(connection, "before_cursor_execute", note)
        migrate(connection)
        event.remove(connection, "before_cursor_execute", note)
        known[key] = said

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(versions, "upgrade", upgrade)
        yield


@pytest.fixture(scope="session")
def postgresql_server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[str]:
    """One server for all, also for the workers of a parallel run."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if hasattr(request.config, "workerinput") else own
    with postgresql.server(shared) as address:
        yield address


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where there is no study yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'study.sqlite'}"
        return
    with postgresql.fresh_database(request.getfixturevalue("postgresql_server")) as url:
        yield url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """All tables, nothing in them."""
    database = Database.create(database_url)
    yield database
    database.close()


@pytest.fixture
def study_database(database: Database) -> Database:
    """A small study, ready for raters."""
    from tests.rate.studies import small_study

    from plainwright.rate.store.studies import save_study

    settings, items = small_study()
    with database.writing() as connection:
        save_study(connection, settings, items, NOW)
    return database


_NEXT = '''
"""Raters have a colour."""
import sqlalchemy as sa
from alembic import op
revision = "9001"
down_revision = "{before}"
def upgrade():
    op.add_column("raters", sa.Column("colour", sa.Text))
    {more}
'''


@pytest.fixture
def migrations(tmp_path: Path, monkeypatch):
    """A function that gives us the migrations up to a version; what it gives is the folder that they are in."""
    ours = versions._MIGRATIONS / "versions"

    def choose(last: str) -> Path:
        folder = tmp_path / f"50% migrations to {last}" / "versions"
        folder.mkdir(parents=True)
        for path in ours.glob("version_*.py"):
            if path.stem <= f"version_{last}":
                (folder / path.name).write_text(path.read_text())
        monkeypatch.setattr(versions, "_MIGRATIONS", folder.parent)
        return folder

    return choose


@pytest.fixture
def next_version(migrations):
    """A function that gives us one more migration than there are, to 9001."""

    def write(more: str = "") -> None:
        before = versions.latest_version()
        (migrations(before) / "version_9001.py").write_text(_NEXT.format(before=before, more=more))

    return write
