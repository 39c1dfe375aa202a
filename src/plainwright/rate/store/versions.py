"""Which version of the tables a database has, and how it gets to ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, MetaData, Table, inspect, select
from sqlalchemy.schema import Column
from sqlalchemy.types import String

from plainwright.rate.store.schema import metadata

__all__ = ["VERSION_TABLE", "known_versions", "latest_version", "upgrade", "version_of"]

# A name of our own: a database on a server may hold other programs' tables and their Alembic version.
VERSION_TABLE = "plainwright_rate_version"
_MIGRATIONS = Path(__file__).parent / "migrations"

_version = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32)))


def known_versions() -> list[str]:
    """All that we can migrate from, the latest last."""
    return sorted(path.stem.removeprefix("version_") for path in (_MIGRATIONS / "versions").glob("version_*.py"))


def latest_version() -> str:
    """The one that this program works with."""
    return known_versions()[-1]


def version_of(connection: Connection) -> str | None:
    """None: there is no study here."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(select(_version.c.version_num)).scalar()


def upgrade(connection: Connection) -> None:
    """Bring the tables to the latest version, from nothing if need be; within the transaction of the connection."""
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)

    def steps(present: Any, _context: object) -> Any:
        return scripts._upgrade_revs("head", present)

    with EnvironmentContext(config, scripts, fn=steps) as environment:
        environment.configure(
            connection=connection,
            target_metadata=metadata,
            version_table=VERSION_TABLE,
            # SQLite can take tables back like everything else if it is told when a transaction begins; ours is.
            transactional_ddl=True,
        )
        environment.run_migrations()
