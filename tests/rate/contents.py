"""All that a database holds, to tell whether anything was written."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from plainwright.rate.store.database import Database
from plainwright.rate.store.schema import metadata


def contents_of(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with database.reading() as connection:
        return {
            name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for name, table in metadata.tables.items()
        }
