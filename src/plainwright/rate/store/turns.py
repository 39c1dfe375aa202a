"""One at a time, where what one rater gets depends on what the others have."""

from __future__ import annotations

from sqlalchemy import Connection, select

from plainwright.rate.store.schema import study

__all__ = ["take_turn"]


def take_turn(connection: Connection) -> None:
    """Wait until no other transaction hands out or takes back units, and keep others waiting until this one ends.

    PostgreSQL locks the row of the study. On SQLite whoever writes is alone already, and the lock compiles to nothing.
    """
    connection.execute(select(study.c.id).with_for_update())
