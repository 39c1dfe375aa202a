"""`plainwright rate migrate`: bring the database of a study to this version of plainwright."""

from __future__ import annotations

import typer

from plainwright.cli.rate.options import StudyArgument, needs_rate

__all__ = ["migrate"]


def migrate(study: StudyArgument) -> None:
    """Upgrade the database of a study made by an older plainwright to this version.

    The upgrade is all or nothing. Stop the server first. An SQLite database is copied first; for PostgreSQL,
    make a copy yourself (`pg_dump`).
    """
    with needs_rate():
        from plainwright.rate.store.database import Database
        from plainwright.rate.study_file import read_study_file

    done = Database.migrate(read_study_file(study).database)
    if done.before == done.after:
        typer.echo(f"{done.name}: up to date (tables {done.after})")
        return
    typer.echo(f"{done.name}: from tables {done.before} to {done.after}")
    if done.copy is not None:
        typer.echo(f"as it was: {done.copy}")
