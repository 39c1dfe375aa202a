"""Serving a study."""

from __future__ import annotations

import logging
from collections.abc import Callable

from plainwright.errors import DataError, StorageError
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import update_wording
from plainwright.rate.study_file import StudyFile
from plainwright.rate.web.app import create_app
from plainwright.web.connections import Connection
from plainwright.web.requests import check_prefix
from plainwright.web.serving import is_local, serve_app

__all__ = ["serve"]


class _Connection(Connection):
    """A connection whose refusals stand in the log beside those of pages."""

    log = logging.getLogger("plainwright.rate.security")


def serve(
    study: StudyFile,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    prefix: str = "",
    https: bool = False,
    proxy: bool = False,
    insecure_http: bool = False,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until a signal (Ctrl+C, SIGTERM) says stop; `on_ready` gets the address once it answers.

    Port 0 takes a free one. What was changed of the wording in `study.toml` holds from now on. StorageError at the end
    if the database is not where it was; what the server had of it is then saved in a copy.
    """
    prefix = check_prefix(prefix)
    if not (https or insecure_http or is_local(host)):
        message = (
            f"--host {host}: expected HTTPS for an address that other machines reach, since passwords and links would "
            "travel in the open; put a proxy with HTTPS before it and say --https (docs/rate/security.md), or accept "
            "the risk on a network of your own with --insecure-http"
        )
        raise DataError(message)
    database = Database.open(study.database)
    try:
        with database.writing() as connection:
            update_wording(connection, study.settings)
        app = create_app(database, prefix=prefix, https=https, proxy=proxy)
        serve_app(app, host=host, port=port, prefix=prefix, connection=_Connection, on_ready=on_ready)
        _check_in_place(database)
    finally:
        database.close()


def _check_in_place(database: Database) -> None:
    """At the end, when a file that was moved or removed would be gone with us."""
    if trouble := database.displaced():
        copy = database.rescue()
        rest = f"what the server had is in {copy}" if copy else "no copy of what the server had could be made"
        message = f"{trouble}; {rest}"
        raise StorageError(message)
