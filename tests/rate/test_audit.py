"""The audit finds what was done to the log behind its back; the commands that show it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, insert, select, text, update
from tests.in_process import run
from tests.rate.playing import NOW, assign, batch, whole_page
from tests.rate.studies import small_study

from plainwright.rate.events import Comment, Show
from plainwright.rate.store import log, schema
from plainwright.rate.store.audit import audit, log_digest
from plainwright.rate.store.database import Database
from plainwright.rate.store.history import digest_of, first_digest
from plainwright.rate.store.studies import save_study

events, assignments, cards = schema.events, schema.assignments, schema.cards


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


def drop_guards(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        for name in ("events_kept", "events_never_changed"):
            connection.execute(text(f"DROP TRIGGER {name}"))
    else:
        connection.execute(text("ALTER TABLE events DISABLE TRIGGER USER"))


def raise_guards(connection: Connection, definitions: list[str]) -> None:
    for definition in definitions:
        connection.execute(text(definition))
    if connection.dialect.name == "postgresql":
        connection.execute(text("ALTER TABLE events ENABLE TRIGGER USER"))


@pytest.fixture
def tampered(study_database: Database, pages: list[int]) -> Callable[[Callable[[Connection], object]], list[str]]:
    """What the audit says after something was done with the triggers out of the way."""

    def tamper(work: Callable[[Connection], object]) -> list[str]:
        with study_database.writing() as connection:
            definitions = []
            if study_database.dialect == "sqlite":
                query = text("SELECT sql FROM sqlite_master WHERE type = 'trigger'")
                definitions = list(connection.execute(query).scalars())
            drop_guards(connection)
            work(connection)
            raise_guards(connection, definitions)
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
        first = first_digest(public=row.public, rater=row.rater, unit=row.unit, repeat=row.repeat, order=row.order)
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
        drop_guards(connection)
    with study_database.reading() as connection:
        problems = audit(connection)
    assert [problem for problem in problems if "events_never_changed" in problem]
    assert all("keeps the log from being changed, is gone" in problem for problem in problems)


def test_outputs_that_are_gone_are_found(tampered, pages: list[int]):
    changed = update(assignments).where(assignments.c.id == pages[2]).values(order="[4711]")
    [problem] = tampered(lambda connection: connection.execute(changed))
    assert "the outputs that it shows are not all there" in problem


def test_a_damaged_file_is_found(tmp_path: Path):
    path = tmp_path / "study.sqlite"
    with closing(Database.create(f"sqlite:///{path}")) as database:
        with closing(sqlite3.connect(path)) as other, other:  # which does not check foreign keys
            other.execute("INSERT INTO units (item, cards, training) VALUES (4711, '[]', 0)")
        with database.reading() as connection:
            [problem] = audit(connection)
    assert "foreign_key_check found 1 problems, the first: units, 1, items" in problem


def test_the_digest_of_the_log_changes_with_it(study_database: Database, pages: list[int]):
    def digest() -> str:
        with study_database.reading() as connection:
            return log_digest(connection)

    before = digest()
    assert digest() == before
    with study_database.writing() as connection:
        log.append(connection, pages[1], batch(3, Comment("better")), NOW)
    assert digest() != before


# The commands


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Path]:
    """The study.toml of a study with three pages, one of them finished."""
    path = tmp_path / "study.toml"
    path.write_text('[study]\ntitle = "A small study"\n', encoding="utf-8")
    with closing(Database.create(f"sqlite:///{tmp_path / 'study.db'}")) as database:
        settings, items = small_study()
        with database.writing() as connection:
            save_study(connection, settings, items, NOW)
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
    assert done.stdout.endswith("up to date (tables 0001)\n")


def test_migrate_brings_it_up_to_date(study: Path, second_version):
    second_version()
    refused = run("rate", "audit", study)
    assert refused.returncode == 2
    assert "run `plainwright rate migrate`" in refused.stderr
    done = run("rate", "migrate", study)
    assert "from tables 0001 to 0002" in done.stdout
    assert f"as it was: {study.parent / 'study.db.tables-0001'}" in done.stdout
    assert run("rate", "audit", study).returncode == 0


@pytest.mark.parametrize("command", ["audit", "replay", "migrate"])
def test_a_study_without_its_database_is_one_sentence(tmp_path: Path, command: str):
    path = tmp_path / "study.toml"
    path.write_text('[study]\ntitle = "A small study"\n', encoding="utf-8")
    done = run("rate", command, path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "no such database; make a study with `plainwright rate init`" in done.stderr
