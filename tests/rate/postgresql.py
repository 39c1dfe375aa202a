"""A PostgreSQL server for tests: of its own, in a temporary directory, reached over a socket that only we can open."""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy


@contextmanager
def server(shared: Path, *, durable: bool = False) -> Iterator[str]:
    """The address of a server; whoever gives the same `shared` directory uses the same one, the last one stops it.

    Nobody pulls the plug on a test's server: unless it has to be `durable`, it does without fsync, much faster.
    """
    given = os.environ.get("PLAINWRIGHT_TEST_POSTGRESQL")
    if given:
        yield given
        return
    users = shared / "postgresql-users"
    with _locked(users) as state:
        directory = state[0] if state else _start(durable=durable)
        state[:] = [directory, *state[1:], str(os.getpid())]
    try:
        yield f"postgresql://postgres@/postgres?host={directory}"
    finally:
        with _locked(users) as state:
            state.remove(str(os.getpid()))
            if len(state) == 1:
                _stop(Path(state.pop()))


@contextmanager
def fresh_database(server_address: str) -> Iterator[str]:
    """The address of an empty database; one that was used is emptied, which takes a tenth of making another."""
    free = _free.setdefault(server_address, [])
    url = free.pop() if free else _made(server_address)
    try:
        yield url.render_as_string(hide_password=False)
    finally:
        _empty(url)
        free.append(url)


_free: dict[str, list[sqlalchemy.URL]] = {}  # databases of this process that nobody uses, by server
_LEFT_CONNECTIONS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_OWN_SCHEMAS = "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'"


def _made(server_address: str) -> sqlalchemy.URL:
    url = sqlalchemy.make_url(server_address).set(drivername="postgresql+psycopg")
    name = f"plainwright_{secrets.token_hex(8)}"
    with administering(url) as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    return url.set(database=name)


def _empty(url: sqlalchemy.URL) -> None:
    with administering(url) as connection:
        connection.exec_driver_sql(_LEFT_CONNECTIONS)
        for schema in connection.exec_driver_sql(_OWN_SCHEMAS).scalars().all():
            connection.exec_driver_sql(f'DROP SCHEMA "{schema}" CASCADE')
        connection.exec_driver_sql("CREATE SCHEMA public")
        connection.exec_driver_sql("GRANT USAGE ON SCHEMA public TO PUBLIC")


def administering(url: sqlalchemy.URL | str) -> sqlalchemy.Connection:
    """A connection that may do everything, each statement at once."""
    engine = sqlalchemy.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sqlalchemy.NullPool)
    return engine.connect()


@contextmanager
def _locked(path: Path) -> Iterator[list[str]]:
    """The lines of a file, held by nobody else; written back at the end."""
    with path.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        lines = file.read().split()
        try:
            yield lines
        finally:
            file.truncate(0)
            file.write("\n".join(lines))


def _programs() -> Path:
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    if on_path:
        found.append(Path(on_path).parent)
    if not found:
        pytest.skip("no PostgreSQL: install it (make test-all does), or set PLAINWRIGHT_TEST_POSTGRESQL")
    return max(found)


def _start(*, durable: bool) -> str:
    programs = _programs()
    directory = Path(tempfile.mkdtemp(prefix="plainwright-pg-"))
    if os.getuid() == 0:
        shutil.chown(directory, "postgres", "postgres")
    data = directory / "data"
    _as_postgres(programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
    fsync = "" if durable else "-F "
    settings = f"{fsync}-c listen_addresses='' -c unix_socket_directories='{directory}' -c max_connections=200"
    _as_postgres(programs / "pg_ctl", "-D", data, "-o", settings, "-l", directory / "log", "-w", "start")
    return str(directory)


def _stop(directory: Path) -> None:
    _as_postgres(_programs() / "pg_ctl", "-D", directory / "data", "-m", "immediate", "-w", "stop")
    shutil.rmtree(directory)


def _as_postgres(program: Path, *arguments: object) -> None:
    prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    command = [*prefix, str(program), *map(str, arguments)]
    subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, timeout=120)
