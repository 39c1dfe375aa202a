"""The database: what it holds, what it refuses, and what survives."""

from __future__ import annotations

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from plainwright.rate.store import schema, versions
from plainwright.rate.store.database import Database


def test_migrations_lead_to_the_tables_of_the_schema(database: Database):
    with database.reading() as connection:
        options = {"compare_type": True, "version_table": versions.VERSION_TABLE}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, schema.metadata) == []
