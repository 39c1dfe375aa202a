"""Doors and who may pass: passwords, links, sessions, and that who leaves is forgotten on request."""

from __future__ import annotations

import functools
import secrets
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import argon2
import pytest
from sqlalchemy import Connection, select
from tests.rate.conftest import strong_hasher
from tests.rate.contents import contents_of
from tests.rate.playing import NOW, batch, whole_page
from tests.rate.studies import small_study

from plainwright.errors import AccessError, DataError
from plainwright.rate.events import Comment
from plainwright.rate.store import log, organisers, people, schema
from plainwright.rate.store.assignment import next_assignment
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import load_settings, save_study

DAY = 86400.0
Result = TypeVar("Result")


def write(database: Database, work: Callable[..., Result], *arguments: object, **named: object) -> Result:
    with database.writing() as connection:
        return work(connection, *arguments, **named)


def new_rater(database: Database, label: str = "Eve") -> people.Rater:
    return write(database, people.add_rater, label, NOW)


def new_link(database: Database, rater: people.Rater | None = None, *, uses: int = 1) -> str:
    rater_id = rater.id if rater else None
    return write(database, people.invite, rater_id=rater_id, uses=uses, expires=NOW + DAY, now=NOW)


def at_once(database: Database, works: Sequence[Callable[[Connection], Result]]) -> list[Result | Exception]:
    """What each says that starts at the same moment, in a transaction of its own."""
    start = threading.Barrier(len(works))

    def run(work: Callable[[Connection], Result]) -> Result | Exception:
        start.wait()
        try:
            return write(database, work)
        except AccessError as error:
            return error

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


# Passwords


def test_the_right_password_opens(database: Database):
    organiser = write(database, organisers.set_password, "ada", "correct horse")
    with database.reading() as connection:
        assert organisers.check_password(connection, "ada", "correct horse") == organiser


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("ada", "wrong horse"),
        ("ada", ""),
        ("Ada", "correct horse"),
        ("bob", "correct horse"),
        ("", ""),
        ("ada\0", "correct horse"),
        ("ada' OR '1'='1", "correct horse"),
        ("a" * 100_000, "correct horse"),
        ("\ud800", "\ud800"),
    ],
)
def test_any_other_name_or_password_gets_the_same_sentence(database: Database, name: str, password: str):
    write(database, organisers.set_password, "ada", "correct horse")
    with database.reading() as connection, pytest.raises(AccessError, match=r"^name or password is wrong$"):
        organisers.check_password(connection, name, password)


@pytest.mark.parametrize("name", ["ada", "nobody", "no\0body"])
def test_known_and_unknown_names_take_the_same_work(database: Database, monkeypatch: pytest.MonkeyPatch, name: str):
    write(database, organisers.set_password, "ada", "correct horse")
    hasher = organisers._hasher()
    done: list[str] = []

    class Counting:
        def hash(self, password: bytes) -> str:
            done.append("hash")
            return hasher.hash(password)

        def verify(self, stored: str, password: bytes) -> bool:
            done.append("verify")
            return hasher.verify(stored, password)

    monkeypatch.setattr(organisers, "_hasher", Counting)
    with database.reading() as connection, pytest.raises(AccessError):
        organisers.check_password(connection, name, "wrong horse")
    assert done == ["hash", "verify"]


def test_hashes_are_as_strong_as_the_standard_asks():
    # RFC 9106, section 4, for little memory: 3 passes, 4 lanes, 64 MiB. Other tests make weaker ones (conftest.py).
    made = strong_hasher().hash("correct horse")
    assert made.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert strong_hasher().verify(made, "correct horse")


def test_a_password_is_stored_as_argon2id_only(database: Database):
    write(database, organisers.set_password, "ada", "correct horse")
    with database.reading() as connection:
        (stored,) = connection.scalars(select(schema.organisers.c.password))
    assert stored.startswith("$argon2id$")
    assert "horse" not in stored


def test_the_same_letters_in_other_code_points_are_the_same_password(database: Database):
    write(database, organisers.set_password, "ada", "caf\u00e9 au lait")
    with database.reading() as connection:
        assert organisers.check_password(connection, "ada", "cafe\u0301 au lait").name == "ada"


def test_a_new_password_replaces_the_old_one_and_ends_its_sessions(database: Database):
    organiser = write(database, organisers.set_password, "ada", "correct horse")
    token = write(database, people.open_session, organiser_id=organiser.id, now=NOW, lifetime=DAY)
    assert write(database, organisers.set_password, "ada", "battery staple") == organiser
    with database.reading() as connection:
        assert people.session_of(connection, token, NOW) is None
        assert organisers.check_password(connection, "ada", "battery staple") == organiser
        with pytest.raises(AccessError):
            organisers.check_password(connection, "ada", "correct horse")


def test_a_hash_of_weaker_days_is_renewed_and_sessions_go_on(database: Database, monkeypatch: pytest.MonkeyPatch):
    organiser = write(database, organisers.set_password, "ada", "correct horse")
    token = write(database, people.open_session, organiser_id=organiser.id, now=NOW, lifetime=DAY)
    stronger = argon2.PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    monkeypatch.setattr(organisers, "_hasher", lambda: stronger)
    with database.reading() as connection:
        found = organisers.check_password(connection, "ada", "correct horse")
    assert found.outdated
    write(database, organisers.renew_password, found, "correct horse")
    with database.reading() as connection:
        assert not organisers.check_password(connection, "ada", "correct horse").outdated
        assert people.session_of(connection, token, NOW) is not None


@pytest.mark.parametrize("name", ["", " ada", "a\nb", "a\0b", "a" * 65])
def test_names_of_organisers_can_be_typed(database: Database, name: str):
    with pytest.raises(DataError, match="1 to 64 printable"):
        write(database, organisers.set_password, name, "correct horse")


def test_a_short_password_is_refused(database: Database):
    with pytest.raises(DataError, match="has 8 to 1,024 characters, this one has 7"):
        write(database, organisers.set_password, "ada", "7777777")


def test_a_password_that_nobody_could_log_in_with_is_refused(database: Database):
    with pytest.raises(DataError, match="this one has 1,025"):
        write(database, organisers.set_password, "ada", "x" * 1025)


# Links


def test_a_personal_link_opens_once_and_for_its_rater(database: Database):
    rater = new_rater(database)
    token = new_link(database, rater)
    session, entered = write(database, people.accept, token, NOW + 1)
    assert entered == rater
    with database.reading() as connection:
        found = people.session_of(connection, session, NOW + 2)
        assert found is not None
        assert (found.rater, found.organiser) == (rater, None)
        assert people.invitation_state(connection, token, NOW + 2) == "spent"
    with pytest.raises(AccessError, match="used already"):
        write(database, people.accept, token, NOW + 2)


def test_an_open_link_makes_as_many_raters_as_it_has_uses(database: Database):
    token = new_link(database, uses=2)
    entered = [write(database, people.accept, token, NOW, label="open")[1] for _ in range(2)]
    assert len({rater.public for rater in entered}) == 2
    with pytest.raises(AccessError, match="used already"):
        write(database, people.accept, token, NOW)
    with database.reading() as connection:
        assert people.raters_of(connection) == entered


def test_links_say_what_they_would_do(database: Database):
    token = new_link(database)
    with database.reading() as connection:
        assert people.invitation_state(connection, token, NOW) == "valid"
        assert people.invitation_state(connection, token, NOW + DAY) == "expired"
        assert people.invitation_state(connection, token[:-1], NOW) == "unknown"
    with pytest.raises(AccessError, match="too old"):
        write(database, people.accept, token, NOW + DAY)


@pytest.mark.parametrize("token", ["", "x", "\0", "\ud800", "' OR 1=1 --", "A" * 100_000])
def test_forged_links_are_not_known(database: Database, token: str):
    new_link(database)
    with pytest.raises(AccessError, match="not known"):
        write(database, people.accept, token, NOW)
    with database.reading() as connection:
        assert people.invitation_state(connection, token, NOW) == "unknown"
        assert people.session_of(connection, token, NOW) is None
        assert people.raters_of(connection) == []


def test_the_stored_digest_of_a_link_is_not_the_link(database: Database):
    token = new_link(database)
    with database.reading() as connection:
        (stored,) = connection.scalars(select(schema.invitations.c.token))
        assert stored != token
        assert people.invitation_state(connection, stored, NOW) == "unknown"


@pytest.mark.parametrize("uses", [0, -1, 2])
def test_a_personal_link_has_one_use(database: Database, uses: int):
    rater = new_rater(database)
    with pytest.raises(DataError, match="one use"):
        new_link(database, rater, uses=uses)


@pytest.mark.parametrize(("personal", "uses", "clicks"), [(True, 1, 12), (False, 5, 16)])
def test_of_many_clicks_at_once_only_so_many_come_in(database: Database, personal: bool, uses: int, clicks: int):
    rater = new_rater(database) if personal else None
    token = new_link(database, rater, uses=uses)
    outcomes = at_once(database, [lambda connection: people.accept(connection, token, NOW)] * clicks)
    entered = [outcome for outcome in outcomes if isinstance(outcome, tuple)]
    assert len(entered) == uses
    with database.reading() as connection:
        assert len(people.raters_of(connection)) == uses
        assert len(connection.execute(select(schema.sessions)).all()) == uses


def test_links_of_who_left_open_nothing(database: Database):
    rater = new_rater(database)
    token = new_link(database, rater)
    write(database, people.leave, rater.id, NOW)
    with pytest.raises(AccessError):
        write(database, people.accept, token, NOW)
    with pytest.raises(DataError, match="has left the study"):
        new_link(database, rater)


# Sessions


def test_a_session_ends_by_time_and_by_closing(database: Database):
    rater = new_rater(database)
    open_one = functools.partial(people.open_session, rater_id=rater.id, now=NOW, lifetime=DAY)
    first, second = (write(database, open_one) for _ in range(2))
    with database.reading() as connection:
        found = people.session_of(connection, first, NOW + DAY - 1)
        assert found is not None
        assert found.expires == NOW + DAY
        assert people.session_of(connection, first, NOW + DAY) is None
    write(database, people.close_session, first)
    write(database, people.close_session, "never was")
    with database.reading() as connection:
        assert people.session_of(connection, first, NOW) is None
        assert people.session_of(connection, second, NOW) is not None


def test_each_session_has_secrets_of_its_own(database: Database):
    rater = new_rater(database)
    open_one = functools.partial(people.open_session, rater_id=rater.id, now=NOW, lifetime=DAY)
    tokens = [write(database, open_one) for _ in range(3)]
    with database.reading() as connection:
        found = [people.session_of(connection, token, NOW) for token in tokens]
        kept = set(connection.scalars(select(schema.sessions.c.token)))
    assert len({session.csrf for session in found if session}) == 3
    assert kept.isdisjoint(tokens)


def test_sessions_that_ran_out_are_swept_away(database: Database):
    rater = new_rater(database)
    open_one = functools.partial(people.open_session, rater_id=rater.id, lifetime=DAY)
    for now in (NOW, NOW + DAY):
        write(database, functools.partial(open_one, now=now))
    with database.reading() as connection:
        assert connection.scalars(select(schema.sessions.c.created)).all() == [NOW + DAY]


# Raters


def test_what_a_rater_did_first_counts(database: Database):
    rater = new_rater(database)
    for step, second in ((people.consent, 1), (people.instruct, 2), (people.pause, 3)):
        for later in (0, 100):
            write(database, step, rater.id, NOW + second + later)
    with database.reading() as connection:
        found = people.rater_by_public(connection, rater.public)
    assert (found.consented, found.instructed, found.paused) == (NOW + 1, NOW + 2, NOW + 3)
    write(database, people.resume, rater.id, NOW + 9)
    write(database, people.leave, rater.id, NOW + 10)
    write(database, people.leave, rater.id, NOW + 11)
    with database.reading() as connection:
        found = people.rater_by_public(connection, rater.public)
    assert (found.paused, found.left, found.removed) == (None, NOW + 10, None)


@pytest.mark.parametrize("public", ["", "x", "\0", "\ud800", "' OR 1=1 --", "../..", "a" * 100_000])
def test_unknown_raters_are_not_found(database: Database, public: str):
    new_rater(database)
    with database.reading() as connection, pytest.raises(AccessError, match="no rater"):
        people.rater_by_public(connection, public)


def test_ids_are_safe_to_type_and_to_open_in_a_spreadsheet():
    ids = {people.new_public_id(10) for _ in range(1000)}
    assert len(ids) == 1000
    assert all(people.is_public_id(public) and public.isalnum() and public == public.lower() for public in ids)


def test_labels_are_one_printable_line(database: Database):
    rater = write(database, people.add_rater, " Eve\0\x1b[31m\n of  room\t7 " + "x" * 999, NOW)
    assert rater.label.startswith("Eve [31m of room 7 xxx")
    assert len(rater.label) == people.LONGEST_LABEL


# Erasure


def secret_words() -> str:
    return f"said by eve {secrets.token_hex(8)}"


def rate_one_page(database: Database, rater_id: int, comment: str, now: float) -> None:
    def work(connection: Connection) -> None:
        assignment = next_assignment(connection, rater_id, now)
        assert assignment is not None
        events = [Comment(comment), *whole_page(connection, assignment.id)]
        log.append(connection, assignment.id, batch(0, *events), now)

    write(database, work)


def everything_in(database: Database) -> str:
    return repr(contents_of(database))


def test_who_is_erased_is_forgotten_everywhere(study_database: Database):
    database = study_database
    words = {"label": secret_words(), "comment": secret_words()}
    eve, other = (write(database, people.add_rater, label, NOW) for label in (words["label"], "another"))
    for rater in (eve, other):
        write(database, people.consent, rater.id, NOW + 1)
        token = new_link(database, rater)
        write(database, people.accept, token, NOW)
        new_link(database, rater)
    rate_one_page(database, eve.id, words["comment"], NOW)
    rate_one_page(database, other.id, "kept words", NOW)
    write(database, next_assignment, eve.id, NOW)
    assert all(word in everything_in(database) for word in words.values())

    write(database, people.erase, eve.id, NOW + 5)

    left = everything_in(database)
    assert not any(word in left for word in words.values())
    assert "kept words" in left
    with database.reading() as connection:
        for table in (schema.assignments, schema.events, schema.invitations, schema.sessions):
            assert set(connection.scalars(select(table.c.rater))) == {other.id}
        row = connection.execute(select(schema.raters).where(schema.raters.c.id == eve.id)).one()
        assert log.audit(connection) == []
    assert row == (eve.id, eve.public, "", NOW, None, None, None, NOW + 5, NOW + 5)


def test_no_word_of_who_was_erased_stays_in_the_file(tmp_path: Path):
    database = Database.create(f"sqlite:///{tmp_path / 'study.sqlite'}")
    write(database, save_study, *small_study(), NOW)
    word = secret_words()
    eve = new_rater(database)
    with database.writing() as connection:
        connection.exec_driver_sql("PRAGMA secure_delete = OFF")  # some builds of SQLite have it on by default
    rate_one_page(database, eve.id, word, NOW)
    assert written(tmp_path, word)
    write(database, people.erase, eve.id, NOW)
    assert not written(tmp_path, word)  # nor in the log beside it, while the server goes on
    database.close()
    assert not written(tmp_path, word)


def test_what_somebody_reads_is_erased_once_they_are_done(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'study.sqlite'}"
    server, command = Database.create(url), Database.open(url)
    write(server, save_study, *small_study(), NOW)
    word = secret_words()
    eve = new_rater(server)
    rate_one_page(server, eve.id, word, NOW)
    with server.reading() as connection:
        assert load_settings(connection)
        write(command, people.erase, eve.id, NOW)
        assert written(tmp_path, word)
    new_rater(command)
    assert not written(tmp_path, word)
    command.close()
    server.close()


def written(directory: Path, word: str) -> bool:
    return any(word.encode() in path.read_bytes() for path in directory.iterdir())


def test_erasing_twice_changes_nothing(study_database: Database):
    eve = new_rater(study_database)
    rate_one_page(study_database, eve.id, "x", NOW)
    write(study_database, people.leave, eve.id, NOW + 1)
    write(study_database, people.erase, eve.id, NOW + 2)
    before = everything_in(study_database)
    write(study_database, people.erase, eve.id, NOW + 3)
    assert everything_in(study_database) == before
    assert f"{NOW + 1}" in before


def test_a_page_of_who_was_erased_is_never_taken_for_another(study_database: Database):
    """SQLite gives the number of a row that is gone to the next one."""
    eve = new_rater(study_database)
    rate_one_page(study_database, eve.id, "hers", NOW)
    write(study_database, people.erase, eve.id, NOW)
    bob = new_rater(study_database, "Bob")
    assignment = write(study_database, next_assignment, bob.id, NOW)
    assert assignment is not None
    with study_database.reading() as connection:
        work = log.work_of(connection, assignment.id)
    assert (work.version, work.answers.comment, work.finished) == (0, "", False)


def test_a_browser_that_heard_no_answer_gets_in_by_the_same_link_with_another_session(study_database: Database):
    with study_database.writing() as connection:
        rater = people.add_rater(connection, "Ann", NOW)
        token = people.invite(connection, rater_id=rater.id, uses=1, expires=NOW + 100, now=NOW)
        first, _ = people.accept(connection, token, NOW, visit="a secret of this browser only")
    # Nothing but the database is left of the server that did not answer.
    with study_database.writing() as connection:
        second, entered = people.accept(connection, token, NOW + 5, visit="a secret of this browser only")
        assert entered == rater
        assert second != first
        assert people.session_of(connection, first, NOW + 5) is None
        assert people.session_of(connection, second, NOW + 5) is not None
        with pytest.raises(AccessError):
            people.accept(connection, token, NOW + 5, visit="a secret of another browser")
        with pytest.raises(AccessError):
            people.accept(connection, token, NOW + 5)


def test_a_link_does_not_bring_back_a_session_that_was_ended(study_database: Database):
    with study_database.writing() as connection:
        rater = people.add_rater(connection, "Ann", NOW)
        token = people.invite(connection, rater_id=rater.id, uses=1, expires=NOW + 100, now=NOW)
        session, _ = people.accept(connection, token, NOW, visit="a secret of this browser only")
        people.close_session(connection, session)
        with pytest.raises(AccessError):
            people.accept(connection, token, NOW + 5, visit="a secret of this browser only")


def test_a_browser_that_heard_the_answer_cannot_use_its_link_again(study_database: Database):
    with study_database.writing() as connection:
        rater = people.add_rater(connection, "Ann", NOW)
        token = people.invite(connection, rater_id=rater.id, uses=1, expires=NOW + 100, now=NOW)
        session, _ = people.accept(connection, token, NOW, visit="a secret of this browser only")
        assert people.confirm_session(connection, session)
        with pytest.raises(AccessError):
            people.accept(connection, token, NOW + 5, visit="a secret of this browser only")
        found = people.session_of(connection, session, NOW + 5)
        assert found is not None
        assert found.confirmed


def test_a_session_that_has_ended_cannot_be_confirmed(study_database: Database):
    """SQLite gives the number of a row that is gone to the next one, here to the second click's."""
    with study_database.writing() as connection:
        token = people.invite(connection, rater_id=None, uses=1, expires=NOW + 100, now=NOW)
        first, _ = people.accept(connection, token, NOW, visit="a secret of this browser only")
        second, _ = people.accept(connection, token, NOW, visit="a secret of this browser only")
        assert not people.confirm_session(connection, first)
        assert people.confirm_session(connection, second)


def test_a_secret_that_can_be_guessed_brings_nobody_back(study_database: Database):
    with study_database.writing() as connection:
        token = people.invite(connection, rater_id=None, uses=2, expires=NOW + 100, now=NOW)
        entered = [people.accept(connection, token, NOW, visit="a")[1] for _ in range(2)]
    assert entered[0] != entered[1]
