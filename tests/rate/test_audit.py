"""The audit finds what was done to the log behind its back; the commands that show it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies
from sqlalchemy import Connection, delete, insert, select, text, update
from tests.in_process import run
from tests.rate.playing import NOW, assign, batch, whole_page
from tests.rate.studies import small_study

from plainwright.errors import DataError, StorageError
from plainwright.rate.events import Comment, Show
from plainwright.rate.store import log, schema
from plainwright.rate.store.audit import audit, log_digest
from plainwright.rate.store.database import Database
from plainwright.rate.store.history import digest_of, first_digest
from plainwright.rate.store.studies import load_unit, save_study

events, assignments = schema.events, schema.assignments
GUARDED = ("events", "items", "cards", "candidates", "units")


def play(database: Database) -> list[int]:
    """Three pages: one finished, one begun, one not looked at."""
    with database.writing() as connection:
        finished, begun, untouched = (assign(connection, unit=unit) for unit in range(3))
        log.append(connection, finished, batch(0, *whole_page(connection, finished)), NOW)
        log.append(connection, begun, batch(0, Show(), Comment("so so"), Comment("good")), NOW)
    return [finished, begun, untouched]


@pytest.fixture
def pages(study_database: Database) -> list[int]:
    return play(study_database)


def drop_guards(connection: Connection) -> list[str]:
    """How to put them back."""
    if connection.dialect.name == "postgresql":
        for table in GUARDED:
            connection.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
        return [f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in GUARDED]
    connection.execute(text("PRAGMA defer_foreign_keys = ON"))
    triggers = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")).all()
    for trigger in triggers:
        connection.execute(text(f"DROP TRIGGER {trigger.name}"))
    return [trigger.sql for trigger in triggers]


@pytest.fixture
def tampered(study_database: Database, pages: list[int]) -> Callable[[Callable[[Connection], object]], list[str]]:
    """What the audit says after something was done with the triggers out of the way."""

    def tamper(work: Callable[[Connection], object]) -> list[str]:
        with study_database.writing() as connection:
            guards = drop_guards(connection)
            work(connection)
            for guard in guards:
                connection.execute(text(guard))
        with study_database.reading() as connection:
            return audit(connection)

    return tamper


def of(assignment: int, number: int):
    return (events.c.assignment == assignment) & (events.c.number == number)


def test_an_honest_log_is_sound(study_database: Database, pages: list[int]):
    with study_database.reading() as connection:
        assert audit(connection) == []


def test_an_empty_study_is_sound(study_database: Database):
    with study_database.reading() as connection:
        assert audit(connection) == []


@pytest.mark.parametrize(
    "change",
    [
        {"body": '{"kind":"comment","text":"excellent"}'},
        {"at": NOW + 1},
        {"sent": NOW - 1},
        {"key": "another-key-for-this"},
        {"digest": "0" * 64},
    ],
)
def test_a_changed_event_is_found(tampered, pages: list[int], change: dict[str, object]):
    [problem] = tampered(lambda connection: connection.execute(update(events).where(of(pages[1], 2)).values(change)))
    assert "event 2 is not what was written" in problem


def test_a_dropped_event_is_found(tampered, pages: list[int]):
    [problem] = tampered(lambda connection: connection.execute(delete(events).where(of(pages[1], 2))))
    assert "event 2 is missing, the next one there is 3" in problem


def test_a_dropped_last_event_is_found(tampered, pages: list[int]):
    [problem] = tampered(lambda connection: connection.execute(delete(events).where(of(pages[1], 3))))
    assert "it says that it has 3 events, the log has 2" in problem


def test_all_events_of_a_page_dropped_is_found(tampered, pages: list[int]):
    [problem] = tampered(lambda connection: connection.execute(delete(events).where(events.c.assignment == pages[1])))
    assert "it says that it has 3 events, the log has 0" in problem


def test_an_event_put_in_later_is_found(tampered, pages: list[int]):
    def put_in(connection: Connection) -> None:
        row = connection.execute(select(events).where(of(pages[1], 3))).one()._asdict()
        del row["id"]
        connection.execute(insert(events).values(row | {"number": 4, "key": "put-in-afterwards"}))
        connection.execute(update(assignments).where(assignments.c.id == pages[1]).values(version=4))

    [problem] = tampered(put_in)
    assert "event 4 is not what was written" in problem


def test_two_events_swapped_is_found(tampered, pages: list[int]):
    def swap(connection: Connection) -> None:
        for old, new in ((2, 99), (3, 2), (99, 3)):
            connection.execute(update(events).where(of(pages[1], old)).values(number=new))

    [problem] = tampered(swap)
    assert "event 2 is not what was written" in problem


@pytest.mark.parametrize("change", [{"order": "[1]"}, {"unit": 3}, {"repeat": True}, {"public": "another"}])
def test_another_page_under_the_same_events_is_found(tampered, pages: list[int], change: dict[str, object]):
    def put_under(connection: Connection) -> None:
        connection.execute(delete(assignments).where(assignments.c.id == pages[2]))
        connection.execute(update(assignments).where(assignments.c.id == pages[1]).values(change))

    [problem] = tampered(put_under)
    assert "event 1 is not what was written" in problem


@pytest.mark.parametrize(("page", "state"), [(0, "open"), (0, "released"), (1, "finished")])
def test_a_state_that_the_log_does_not_say_is_found(tampered, pages: list[int], page: int, state: str):
    changed = update(assignments).where(assignments.c.id == pages[page]).values(state=state)
    [problem] = tampered(lambda connection: connection.execute(changed))
    assert f"its state is {state!r}" in problem


def test_a_released_page_is_no_problem(tampered, pages: list[int]):
    changed = update(assignments).where(assignments.c.id == pages[1]).values(state="released")
    assert tampered(lambda connection: connection.execute(changed)) == []


def test_another_time_of_finishing_is_found(tampered, pages: list[int]):
    changed = update(assignments).where(assignments.c.id == pages[0]).values(finished=NOW + 99)
    [problem] = tampered(lambda connection: connection.execute(changed))
    assert "the time at which it was finished" in problem


@pytest.mark.parametrize(
    ("body", "why"),
    [('{"kind":"finish","confirmed":true}', "still without an answer"), ('{"kind":"dance"}', "Invalid value 'dance'")],
)
def test_events_that_fit_the_chain_but_not_the_page_are_found(tampered, pages: list[int], body: str, why: str):
    """Somebody who knows how digests are made still cannot write what no page would send."""

    def forge(connection: Connection) -> None:
        row = connection.execute(select(assignments).where(assignments.c.id == pages[2])).one()
        shown = load_unit(connection, row.id)
        first = first_digest(public=row.public, rater=row.rater, unit=row.unit, repeat=row.repeat, shown=shown)
        values = {"number": 1, "key": "k" * 20, "body": body, "sent": NOW, "at": NOW}
        digest = digest_of(first, **values)
        connection.execute(insert(events).values(assignment=row.id, rater=row.rater, **values, digest=digest))
        connection.execute(update(assignments).where(assignments.c.id == row.id).values(version=1))

    [problem] = tampered(forge)
    assert f"event 1 cannot be played again: {why}" in problem


def test_events_under_another_rater_are_found(tampered, pages: list[int]):
    def give(connection: Connection) -> None:
        other = connection.execute(select(assignments.c.rater).where(assignments.c.id == pages[0])).scalar_one()
        connection.execute(update(events).where(of(pages[1], 3)).values(rater=other))

    [problem] = tampered(give)
    assert problem == "1 events belong to another rater than their assignment does"


def test_what_is_left_of_an_erased_rater_is_found(tampered, pages: list[int]):
    [problem] = tampered(lambda connection: connection.execute(update(schema.raters).values(removed=NOW)))
    assert "are left of raters whose data were erased" in problem


def test_dropped_guards_are_found(study_database: Database, pages: list[int]):
    with study_database.writing() as connection:
        guards = drop_guards(connection)
    with study_database.reading() as connection:
        problems = audit(connection)
    assert len(problems) == (15 if study_database.dialect == "postgresql" else len(guards))
    assert "the trigger events_kept, which keeps the table events from being changed, is gone" in problems


@pytest.mark.parametrize("table", [schema.cards, schema.items])
def test_other_words_under_the_same_events_are_found(tampered, pages: list[int], table):
    column = "text" if table is schema.cards else "source"
    problems = tampered(lambda connection: connection.execute(update(table).values({column: "Other words."})))
    assert len(problems) == 2
    assert all("or what was shown, or to whom, was changed" in problem for problem in problems)


def test_the_digest_of_the_log_tells_when_an_output_is_given_to_another_system(tampered, study_database, pages):
    with study_database.reading() as connection:
        before = log_digest(connection)
    assert tampered(lambda connection: connection.execute(update(schema.candidates).values(system="ours"))) == []
    with study_database.reading() as connection:
        assert log_digest(connection) != before


def test_outputs_that_are_gone_are_found(tampered, pages: list[int]):
    changed = update(assignments).where(assignments.c.id == pages[2]).values(order="[4711]")
    [problem] = tampered(lambda connection: connection.execute(changed))
    assert "the outputs that it shows are not all there" in problem


def test_a_row_that_belongs_to_nothing_is_found(tmp_path: Path):
    path = tmp_path / "study.sqlite"
    with closing(Database.create(f"sqlite:///{path}")) as database:
        with closing(sqlite3.connect(path)) as other, other:  # which does not check foreign keys
            other.execute("INSERT INTO units (item, cards, training) VALUES (4711, '[]', 0)")
        with database.reading() as connection:
            [problem] = audit(connection)
    assert problem == "1 rows belong to nothing, the first in the table units"


def test_the_digest_of_the_log_changes_with_it(study_database: Database, pages: list[int]):
    def digest() -> str:
        with study_database.reading() as connection:
            return log_digest(connection)

    before = digest()
    assert digest() == before
    with study_database.writing() as connection:
        log.append(connection, pages[1], batch(3, Comment("better")), NOW)
    assert digest() != before


@pytest.fixture(scope="module")
def whole_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three pages."""
    path = tmp_path_factory.mktemp("whole") / "study.sqlite"
    with closing(Database.create(f"sqlite:///{path}")) as database:
        options, items = small_study()
        with database.writing() as connection:
            save_study(connection, options, items, NOW)
        play(database)
    return path


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(damages=[(0.5, b"\0")], left=1.0)  # SQLite tells of several problems in one row, a line each
@given(
    damages=strategies.lists(
        strategies.tuples(strategies.floats(0, 1, exclude_max=True), strategies.binary(min_size=1, max_size=40)),
        min_size=1,
        max_size=4,
    ),
    left=strategies.sampled_from([1.0, 1.0, 0.9, 0.3]),
)
def test_a_damaged_file_never_ends_in_a_traceback(tmp_path: Path, whole_file: Path, damages, left: float):
    damaged = bytearray(whole_file.read_bytes())
    for place, put in damages:
        start = int(place * len(damaged))
        damaged[start : start + len(put)] = put
    path = tmp_path / "study.sqlite"
    path.write_bytes(damaged[: int(left * len(damaged))])
    for name in ("-wal", "-shm"):
        path.with_name(path.name + name).unlink(missing_ok=True)
    try:
        with closing(Database.open(f"sqlite:///{path}")) as database, database.reading() as connection:
            problems = audit(connection)
    except (DataError, StorageError) as error:
        problems = [str(error)]
    assert all("\n" not in problem for problem in problems)


# The commands


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Path]:
    """The study.toml of a study with three pages, one of them finished."""
    path = tmp_path / "study.toml"
    path.write_text('[study]\ntitle = "A small study"\n', encoding="utf-8")
    with closing(Database.create(f"sqlite:///{tmp_path / 'study.db'}")) as database:
        options, items = small_study()
        with database.writing() as connection:
            save_study(connection, options, items, NOW)
        play(database)
    return path


@pytest.fixture
def study_pages(study: Path) -> list[tuple[str, str]]:
    """Public ids of raters and assignments."""
    with closing(Database.open(f"sqlite:///{study.parent / 'study.db'}")) as database, database.reading() as connection:
        query = select(schema.raters.c.public, assignments.c.public).join(assignments).order_by(assignments.c.id)
        return [tuple(row) for row in connection.execute(query)]


def test_audit_says_that_all_is_well(study: Path):
    done = run("rate", "audit", study)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["pages", "events", "digest", "verdict"]
    assert done.stdout.endswith("verdict  sound\n")


def test_audit_says_what_is_wrong(study: Path):
    with closing(Database.open(f"sqlite:///{study.parent / 'study.db'}")) as database, database.writing() as connection:
        connection.execute(update(assignments).values(version=7))
    done = run("rate", "audit", study)
    assert done.returncode == 1
    assert "it says that it has 7 events, the log has 3" in done.stdout
    as_json = run("rate", "audit", study, "--json")
    told = json.loads(as_json.stdout)
    assert as_json.returncode == 1
    assert told["pages"] == 3
    assert len(told["problems"]) in (2, 3)


def test_replay_tells_what_was_shown_and_done(study: Path, study_pages: list[tuple[str, str]]):
    rater, assignment = study_pages[1]
    done = run("rate", "replay", study, "--assignment", assignment)
    lines = done.stdout.splitlines()
    assert lines[0] == f"rater {rater}, page 2: assignment {assignment}, open"
    assert lines[1].startswith("  source  ")
    assert [line.split("  ")[-1] for line in lines if " s  " in line] == [
        "looked at the page",
        "commented: so so",
        "commented: good",
    ]
    assert run("rate", "replay", study, "--rater", rater).stdout == done.stdout


def test_replay_makes_sense_whatever_a_page_says_of_its_time(study: Path, study_pages: list[tuple[str, str]]):
    """Seconds since the page began, of an event in the year 287,396."""
    with closing(Database.open(f"sqlite:///{study.parent / 'study.db'}")) as database, database.writing() as connection:
        page = connection.execute(
            select(assignments.c.id).where(assignments.c.public == study_pages[1][1])
        ).scalar_one()
        log.append(connection, page, batch(3, Comment("late"), at=(1 << 53) / 1000), NOW + 60)
    done = run("rate", "replay", study, "--assignment", study_pages[1][1])
    assert done.stdout.splitlines()[-2].endswith(f"{60:+8.1f} s  commented: late")


def test_replay_of_all_has_every_page(study: Path, study_pages: list[tuple[str, str]]):
    done = run("rate", "replay", study)
    assert [f"assignment {assignment}" in done.stdout for _, assignment in study_pages] == [True] * 3


def test_replay_as_json_is_the_log(study: Path, study_pages: list[tuple[str, str]]):
    rater, assignment = study_pages[1]
    lines = run("rate", "replay", study, "--json", "--rater", rater).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["event"] for row in rows] == [
        {"kind": "show"},
        {"kind": "comment", "text": "so so"},
        {"kind": "comment", "text": "good"},
    ]
    assert {(row["rater"], row["assignment"]) for row in rows} == {(rater, assignment)}


def test_replay_keeps_the_terminal_safe(study: Path, study_pages: list[tuple[str, str]]):
    with closing(Database.open(f"sqlite:///{study.parent / 'study.db'}")) as database, database.writing() as connection:
        page = connection.execute(
            select(assignments.c.id).where(assignments.c.public == study_pages[1][1])
        ).scalar_one()
        log.append(connection, page, batch(3, Comment("\x1b[2Jgone\nrater x")), NOW)
    done = run("rate", "replay", study, "--assignment", study_pages[1][1])
    assert "\x1b" not in done.stdout
    assert "\nrater x" not in done.stdout


@pytest.mark.parametrize("option", ["--assignment", "--rater"])
def test_replay_of_an_unknown_id_is_one_sentence(study: Path, option: str):
    done = run("rate", "replay", study, option, "nobody")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"plainwright: no {option[2:]} 'nobody' in this study")


def test_migrate_of_a_database_that_is_up_to_date(study: Path):
    done = run("rate", "migrate", study)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("up to date (tables 0003)\n")


def test_migrate_brings_it_up_to_date(study: Path, next_version):
    next_version()
    refused = run("rate", "audit", study)
    assert refused.returncode == 2
    assert "run `plainwright rate migrate`" in refused.stderr
    done = run("rate", "migrate", study)
    assert "from tables 0003 to 9001" in done.stdout
    assert f"as it was: {study.parent / 'study.db.tables-0003'}" in done.stdout
    assert run("rate", "audit", study).returncode == 0


@pytest.mark.parametrize("command", ["audit", "replay", "migrate"])
def test_a_study_without_its_database_is_one_sentence(tmp_path: Path, command: str):
    path = tmp_path / "study.toml"
    path.write_text('[study]\ntitle = "A small study"\n', encoding="utf-8")
    done = run("rate", command, path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "no such database; make a study with `plainwright rate init`" in done.stderr
