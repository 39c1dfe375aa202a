"""The database: what it holds, what it refuses, and what survives."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import delete, event, func, insert, make_url, select, text, update
from sqlalchemy.exc import IntegrityError
from tests.asynchronous import run_async
from tests.rate import postgresql
from tests.rate.playing import NOW, assign, batch

from plainwright.errors import DataError, MissingExtraError, StorageError
from plainwright.rate.events import Comment
from plainwright.rate.store import log, people, schema, versions
from plainwright.rate.store.database import Database


def labels(database: Database) -> list[str]:
    with database.reading() as connection:
        return [rater.label for rater in people.raters_of(connection)]


def adding(label: str):
    """Work for `submit`: a new rater."""
    return lambda connection: people.add_rater(connection, label, NOW).label


@contextmanager
def held_up(database: Database) -> Iterator[None]:
    """Until the end, whatever is submitted waits, and then makes one group."""
    busy, go = threading.Event(), threading.Event()

    def wait(_connection):
        busy.set()
        go.wait()

    first = database.submit(wait)
    busy.wait()
    try:
        yield
    finally:
        go.set()
        first.result()


# Versions


def test_migrations_lead_to_the_tables_of_the_schema(database: Database):
    with database.reading() as connection:
        options = {"compare_type": True, "version_table": versions.VERSION_TABLE}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, schema.metadata) == []


def test_the_latest_version_is_the_head_of_the_migrations():
    config = Config()
    config.set_main_option("script_location", str(Path(versions.__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_current_head() == versions.latest_version()
    assert sorted(script.revision for script in scripts.walk_revisions()) == versions.known_versions()


def test_a_database_is_found_again(database: Database, database_url: str):
    database.submit(adding("anna")).result()
    database.close()
    again = Database.open(database_url)
    assert labels(again) == ["anna"]
    again.close()


def set_version(database: Database, version: str) -> None:
    with database.writing() as connection:
        connection.execute(text(f"UPDATE {versions.VERSION_TABLE} SET version_num = '{version}'"))


def test_a_database_of_a_newer_version_is_left_alone(database: Database, database_url: str):
    set_version(database, "9999")
    for attempt in (Database.open, Database.create, Database.migrate):
        with pytest.raises(
            DataError, match=r"made by a newer plainwright \(tables 9999, this one knows 0003\); update"
        ):
            attempt(database_url)


def test_a_database_of_an_older_version_names_the_command(database: Database, database_url: str, monkeypatch):
    monkeypatch.setattr(versions, "known_versions", lambda: ["0001", "0002", "0003", "0004"])
    with pytest.raises(DataError, match=r"older plainwright \(tables 0003\); run `plainwright rate migrate`"):
        Database.open(database_url)


def test_migrating_keeps_what_is_there(database: Database, database_url: str, next_version):
    database.submit(adding("anna")).result()
    next_version()
    done = Database.migrate(database_url)
    assert (done.before, done.after) == ("0003", "9001")
    again = Database.migrate(database_url)
    assert (again.before, again.after, again.copy) == ("9001", "9001", None)
    with database.reading() as connection:
        assert connection.execute(text("SELECT label, colour FROM raters")).all() == [("anna", None)]
    Database.open(database_url).close()


def test_a_migration_that_fails_changes_nothing(database: Database, database_url: str, next_version):
    next_version(more="op.execute('SELECT nonsense FROM nowhere')")
    with pytest.raises(Exception, match="nowhere"):
        Database.migrate(database_url)
    with database.reading() as connection:
        assert versions.version_of(connection) == "0003"
        columns = connection.execute(text("SELECT * FROM raters")).keys()
    assert "colour" not in columns


def test_a_migrated_file_is_copied_before(database: Database, database_url: str, next_version):
    database.submit(adding("anna")).result()
    next_version()
    copy = Database.migrate(database_url).copy
    if database.dialect == "postgresql":
        assert copy is None
        return
    assert copy is not None
    with closing(sqlite3.connect(copy)) as before:
        assert [name for _, name, *_ in before.execute("PRAGMA table_info(raters)")][-1] == "removed"
        assert before.execute("SELECT label FROM raters").fetchall() == [("anna",)]
    set_version(database, "0003")
    with database.writing() as connection:
        connection.execute(text("ALTER TABLE raters DROP COLUMN colour"))
    second = Database.migrate(database_url).copy
    assert second is not None
    assert second != copy


def test_a_study_of_the_first_tables_goes_on_with_its_sessions(database_url: str, migrations, monkeypatch):
    ours = versions._MIGRATIONS
    migrations("0001")
    with closing(Database.create(database_url)) as old, old.writing() as connection:
        rater = people.add_rater(connection, "anna", NOW)
        # As the program of those tables wrote it, which had no further column.
        connection.execute(
            text("INSERT INTO sessions (token, csrf, rater, created, expires) VALUES (:token, 'c', :rater, 0, :end)"),
            {"token": hashlib.sha256(b"kept").hexdigest(), "rater": rater.id, "end": NOW + 100},
        )
    monkeypatch.setattr(versions, "_MIGRATIONS", ours)
    assert (Database.migrate(database_url).before, versions.latest_version()) == ("0001", "0003")
    with closing(Database.open(database_url)) as database, database.writing() as connection:
        session = people.session_of(connection, "kept", NOW)
        assert session is not None
        assert (session.rater, session.confirmed) == (rater, True)
        link = people.invite(connection, rater_id=rater.id, uses=1, expires=NOW + 100, now=NOW)
        assert people.accept(connection, link, NOW, visit="a secret of this browser only")[1] == rater


# What is not a study


def test_a_second_study_is_not_put_over_the_first(study_database: Database, database_url: str):
    with pytest.raises(DataError, match="already holds a study"):
        Database.create(database_url)
    with study_database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.items)).scalar_one() == 3


def test_tables_without_a_study_are_taken_over(database: Database, database_url: str):
    """An attempt to make a study may have failed after the tables were made."""
    Database.create(database_url).close()


def test_a_database_of_others_is_refused_and_left_alone(database_url: str):
    theirs = Database(database_url)
    if theirs.path is not None:
        theirs.path.touch()
    with closing(theirs), theirs.writing() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("CREATE TABLE theirs (number INTEGER)"))
    with pytest.raises(DataError, match=r"not one of a rating study; make a study with `plainwright rate init`"):
        Database.open(database_url)


def test_an_sqlite_file_of_others_is_not_touched(tmp_path: Path):
    path = tmp_path / "theirs.sqlite"
    with sqlite3.connect(path) as theirs:
        theirs.execute("CREATE TABLE theirs (number)")
    theirs.close()
    before = path.read_bytes()
    with pytest.raises(DataError, match="not one of a rating study"):
        Database.open(f"sqlite:///{path}")
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["theirs.sqlite"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, r"no such database; make a study with `plainwright rate init`"),
        (b"", r"expected an SQLite database, found an empty file"),
        (b"\x00\xff garbage" * 1000, r"expected an SQLite database, found something else"),
        (b"SQLite format 3\0" + b"\x07garbage" * 1000, r": .*not a database|malformed|unsupported file format"),
    ],
)
def test_what_is_no_database_is_named(tmp_path: Path, content: bytes | None, complaint: str):
    path = tmp_path / "study.sqlite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises((DataError, StorageError), match=complaint) as failure:
        Database.open(f"sqlite:///{path}")
    assert str(failure.value).startswith(str(path))
    assert "\n" not in str(failure.value)
    assert (path.read_bytes() if path.exists() else None) == content


@pytest.mark.parametrize("how", [Database.open, Database.create, Database.migrate])
def test_a_directory_is_no_database(tmp_path: Path, how):
    with pytest.raises(DataError, match="expected a database, found a directory"):
        how(f"sqlite:///{tmp_path}")


def test_garbage_is_not_written_over(tmp_path: Path):
    path = tmp_path / "thesis.txt"
    path.write_text("years of work")
    with pytest.raises(DataError, match="found something else"):
        Database.create(f"sqlite:///{path}")
    assert path.read_text() == "years of work"


def test_a_database_needs_a_directory(tmp_path: Path):
    with pytest.raises(DataError, match="there is no directory"):
        Database.create(f"sqlite:///{tmp_path / 'missing' / 'study.sqlite'}")


def test_what_could_not_be_made_leaves_no_file(tmp_path: Path, monkeypatch):
    def fail(_connection):
        msg = "out of luck"
        raise RuntimeError(msg)

    monkeypatch.setattr(versions, "upgrade", fail)
    with pytest.raises(RuntimeError, match="out of luck"):
        Database.create(f"sqlite:///{tmp_path / 'study.sqlite'}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("study.sqlite", "expected sqlite:///FILE or postgresql://USER@HOST/NAME"),
        ("", "expected sqlite:///FILE"),
        ("mysql://root:secret@host/name", "kept in SQLite or PostgreSQL, not in 'mysql'"),
        ("sqlite://", "would be gone with the program"),
        ("sqlite:///:memory:", "would be gone with the program"),
        ("postgresql://me:secret@host", "which database"),
        ("postgresql://me:secret@127.0.0.1:1/study", "127.0.0.1"),
    ],
)
def test_addresses_that_lead_nowhere(url: str, complaint: str):
    pytest.importorskip("psycopg")
    with pytest.raises((DataError, StorageError), match=complaint) as failure:
        Database.open(url)
    assert "secret" not in str(failure.value)
    assert "\n" not in str(failure.value)


def test_postgresql_without_its_driver_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'plainwright\[postgresql\]'"):
        Database.open("postgresql://me@host/study")


@pytest.mark.postgresql
def test_an_unknown_name_on_the_server_is_one_sentence(postgresql_server: str):
    url = postgresql_server.replace("/postgres?", "/nosuchdatabase?")
    with pytest.raises(StorageError, match='database "nosuchdatabase" does not exist') as failure:
        Database.open(url)
    assert "\n" not in str(failure.value)


@pytest.mark.postgresql
def test_a_database_that_is_not_ours_to_change_is_one_sentence_with_the_way_out(postgresql_server: str):
    with postgresql.fresh_database(postgresql_server) as url, postgresql.administering(url) as administrator:
        stranger = f"stranger_{make_url(url).database}"
        administrator.exec_driver_sql(f"CREATE ROLE {stranger} LOGIN")
        theirs = make_url(url).set(username=stranger).render_as_string()
        try:
            for use in (Database.create, Database.open):  # since version 15, nobody may make tables in "public"
                with pytest.raises(DataError) as failure:
                    use(theirs)
                assert "\n" not in str(failure.value)
            Database.create(url).close()
            with pytest.raises(DataError, match=r"permission denied for .*; expected a database of its own"):
                Database.open(theirs)
        finally:
            administrator.exec_driver_sql(f"DROP ROLE {stranger}")


@pytest.mark.postgresql
def test_a_table_of_somebody_else_is_not_taken_for_ours(postgresql_server: str):
    with postgresql.fresh_database(postgresql_server) as url, postgresql.administering(url) as administrator:
        administrator.exec_driver_sql("CREATE TABLE events (what text)")
        with pytest.raises(DataError, match='relation "events" already exists; expected a database of its own'):
            Database.create(url)


@pytest.mark.postgresql
def test_options_of_the_address_hold(postgresql_server: str):
    with postgresql.fresh_database(postgresql_server) as url, postgresql.administering(url) as administrator:
        administrator.exec_driver_sql("CREATE SCHEMA studies")
        Database.create(str(make_url(url).update_query_dict({"options": "-csearch_path=studies"}))).close()
        places = administrator.exec_driver_sql("SELECT schemaname FROM pg_tables WHERE tablename = 'events'")
        assert places.scalars().all() == ["studies"]


def test_only_the_owner_can_read_a_file(tmp_path: Path):
    with closing(Database.create(f"sqlite:///{tmp_path / 'study.sqlite'}")) as database:
        database.submit(adding("anna")).result()
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


# Transactions


def test_sqlite_is_told_to_be_careful(tmp_path: Path):
    database = Database.create(f"sqlite:///{tmp_path / 'study.sqlite'}")
    with database.writing() as connection:
        said = {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")}
    database.close()
    assert said == {"journal_mode": "wal", "synchronous": 2}


def test_reading_cannot_write(database: Database):
    with pytest.raises(Exception, match=r"readonly|read-only"), database.reading() as connection:
        people.add_rater(connection, "anna", NOW)
    assert labels(database) == []


def test_reading_sees_one_moment(database: Database):
    with database.reading() as connection:
        before = people.raters_of(connection)
        database.submit(adding("anna")).result()
        assert people.raters_of(connection) == before == []
    assert labels(database) == ["anna"]


def test_an_error_takes_all_of_a_transaction_back(database: Database):
    def add_and_fail() -> None:
        with database.writing() as connection:
            people.add_rater(connection, "anna", NOW)
            raise KeyError

    with pytest.raises(KeyError):
        add_and_fail()
    assert labels(database) == []


def test_foreign_keys_are_checked(database: Database):
    with pytest.raises(IntegrityError), database.writing() as connection:
        connection.execute(insert(schema.units).values(item=4711, cards="[]", training=False))


def test_those_who_write_wait_for_each_other(database: Database):
    """Both read, then write: without turns one of them would overwrite what the other just wrote."""

    def count_up() -> None:
        for _ in range(20):
            with database.writing() as connection:
                known = len(people.raters_of(connection))
                people.add_rater(connection, str(known), NOW)

    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert labels(database) == [str(number) for number in range(80)]


# Group commit


@contextmanager
def counted_commits(database: Database) -> Iterator[list[None]]:
    commits: list[None] = []

    def count(_connection):
        commits.append(None)

    event.listen(database._engines.writing, "commit", count)
    yield commits
    event.remove(database._engines.writing, "commit", count)


def test_those_who_wait_share_one_commit(database: Database):
    with counted_commits(database) as commits:
        with held_up(database):
            futures = [database.submit(adding(str(number))) for number in range(50)]
        assert [future.result() for future in futures] == [str(number) for number in range(50)]
    assert len(commits) == 2  # of the one who held the others up, and of the others
    assert labels(database) == [str(number) for number in range(50)]


def test_one_that_fails_does_not_hurt_its_neighbours(database: Database):
    def twice(connection):
        rater = people.add_rater(connection, "broken", NOW)
        connection.execute(insert(schema.raters).values(public=rater.public, label="again", created=NOW))

    def raising(connection):
        people.add_rater(connection, "raising", NOW)
        msg = "no"
        raise ValueError(msg)

    with held_up(database):
        futures = [database.submit(work) for work in (adding("a"), twice, adding("b"), raising, adding("c"))]
    assert [futures[number].result() for number in (0, 2, 4)] == ["a", "b", "c"]
    assert isinstance(futures[1].exception(), IntegrityError)
    assert isinstance(futures[3].exception(), ValueError)
    assert labels(database) == ["a", "b", "c"]


_FAILS_AT_COMMIT = {
    "sqlite": "PRAGMA defer_foreign_keys = ON",
    "postgresql": "ALTER TABLE units ALTER CONSTRAINT fk_units_item DEFERRABLE INITIALLY DEFERRED",
}


def test_a_commit_that_fails_fails_all_and_keeps_nothing(database: Database):
    def broken(connection):
        connection.execute(text(_FAILS_AT_COMMIT[database.dialect]))
        connection.execute(insert(schema.units).values(item=4711, cards="[]", training=False))

    with held_up(database):
        futures = [database.submit(work) for work in (adding("a"), broken, adding("b"))]
    assert [type(future.exception()) for future in futures] == [IntegrityError] * 3
    assert labels(database) == []
    assert database.submit(adding("afterwards")).result() == "afterwards"


def test_a_full_disk_fails_all_of_a_group(tmp_path: Path):
    database = Database.create(f"sqlite:///{tmp_path / 'study.sqlite'}")
    database.submit(adding("before")).result()

    def fill(connection):
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()
        connection.execute(text(f"PRAGMA max_page_count = {pages + 2}"))
        connection.execute(insert(schema.items).values(name="big", source="x" * 100_000, training=False))

    with held_up(database):
        first, full, last = (database.submit(work) for work in (adding("first"), fill, adding("last")))
    assert isinstance(full.exception(), StorageError)
    acknowledged = [future.result() for future in (first, last) if future.exception() is None]
    assert labels(database) == ["before", *acknowledged]
    with database.reading() as connection:
        assert log.audit(connection) == []
    database.close()


@pytest.mark.postgresql
def test_a_lost_connection_fails_its_group_and_no_other(postgresql_server: str):
    from tests.rate import postgresql

    with postgresql.fresh_database(postgresql_server) as url:
        database = Database.create(url)

        def lose(connection):
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

        with held_up(database):
            futures = [database.submit(work) for work in (adding("first"), lose, adding("last"))]
        assert [type(future.exception()) for future in futures] == [StorageError] * 3
        assert labels(database) == []
        assert database.submit(adding("afterwards")).result() == "afterwards"
        database.close()


def test_what_was_given_up_while_it_waited_is_not_done(database: Database):
    with held_up(database):
        given_up, other = database.submit(adding("given up")), database.submit(adding("other"))
        assert given_up.cancel()
    assert other.result() == "other"
    assert labels(database) == ["other"]


def test_closing_does_what_waits_and_then_refuses(database: Database, database_url: str):
    futures = [database.submit(adding(str(number))) for number in range(300)]
    database.close()
    assert [future.result() for future in futures] == [str(number) for number in range(300)]
    with pytest.raises(StorageError, match="closed"):
        database.submit(adding("too late"))
    database.close()
    again = Database.open(database_url)
    assert len(labels(again)) == 300
    again.close()


def test_awaiting(database: Database):
    async def main():
        made = await asyncio.gather(*(database.run(adding(str(number))) for number in range(20)))
        known = await database.read(people.raters_of)
        with pytest.raises(ZeroDivisionError):
            await database.run(lambda connection: 1 / 0)
        return made, [rater.label for rater in known]

    made, known = run_async(main())
    assert made == known == [str(number) for number in range(20)]


# The log cannot be changed


@pytest.fixture
def rater_with_events(study_database: Database) -> int:
    with study_database.writing() as connection:
        assignment = assign(connection)
        log.append(connection, assignment, batch(0, Comment("a"), Comment("b")), NOW)
        return connection.execute(select(schema.raters.c.id)).scalar_one()


def test_events_are_never_changed(study_database: Database, rater_with_events: int):
    with pytest.raises(IntegrityError, match="never changed"), study_database.writing() as connection:
        connection.execute(update(schema.events).values(body="{}"))


def test_events_do_not_go_before_the_rater_does(study_database: Database, rater_with_events: int):
    with pytest.raises(IntegrityError, match="only with a rater"), study_database.writing() as connection:
        connection.execute(delete(schema.events))
    with study_database.writing() as connection:
        people.erase(connection, rater_with_events, NOW)
    with study_database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.events)).scalar_one() == 0
        assert log.audit(connection) == []


def test_events_are_not_replaced(study_database: Database, rater_with_events: int):
    if study_database.dialect == "postgresql":
        with pytest.raises(IntegrityError, match="only with a rater"), study_database.writing() as connection:
            connection.execute(text("TRUNCATE events"))
        return
    with pytest.raises(IntegrityError, match="only with a rater"), study_database.writing() as connection:
        connection.execute(text("REPLACE INTO events SELECT * FROM events"))


@pytest.mark.parametrize("table", [schema.items, schema.cards, schema.candidates, schema.units])
def test_what_is_rated_is_never_changed(study_database: Database, table):
    changes = [update(table).values(id=table.c.id), delete(table)]
    if study_database.dialect == "postgresql":
        changes.append(text(f"TRUNCATE {table.name} CASCADE"))
    for change in changes:
        with pytest.raises(IntegrityError, match=r"never changed|only with"), study_database.writing() as connection:
            connection.execute(change)


# What was acknowledged is there


def test_nothing_acknowledged_is_lost_when_the_program_is_killed(study_database: Database, database_url: str):
    with study_database.writing() as connection:
        assignments = [assign(connection, unit=number % 3) for number in range(6)]
    study_database.close()
    program = [sys.executable, "-m", "tests.rate.acknowledging_writer", database_url, *map(str, assignments)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, text=True, cwd=root, env=os.environ | {"PYTHONPATH": "."}
    ) as writer:
        assert writer.stdout is not None
        heard = [writer.stdout.readline() for _ in range(200)]
        writer.kill()
        heard += writer.stdout.readlines()
    assert writer.returncode == -9
    acknowledged = [tuple(line.split()) for line in heard if line.endswith("\n")]
    again = Database.open(database_url)
    with again.reading() as connection:
        query = select(schema.events.c.assignment, schema.events.c.key)
        kept = {(str(row.assignment), row.key) for row in connection.execute(query)}
        problems = log.audit(connection)
    again.close()
    assert len(acknowledged) >= 200
    assert set(acknowledged) <= kept
    assert problems == []
