"""The log: what is kept, what is refused, and that it says the same for ever."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings, strategies
from sqlalchemy import select, update
from tests.rate.playing import NOW, assign, batch, sent, whole_page
from tests.rate.studies import small_study

from plainwright.errors import ClosedError, RefusedError, StaleError
from plainwright.rate.events import Batch, Comment, Finish, Hide, Reopen, Score, Sent, Show, Undo
from plainwright.rate.store import log, schema
from plainwright.rate.store.database import Database
from plainwright.rate.store.people import leave
from plainwright.rate.store.studies import load_unit, save_study, set_open


@pytest.fixture
def assignment(study_database: Database) -> int:
    with study_database.writing() as connection:
        return assign(connection)


def append(database: Database, assignment: int, sent_batch: Batch, now: float = NOW):
    with database.writing() as connection:
        return log.append(connection, assignment, sent_batch, now)


def history(database: Database, assignment: int):
    with database.reading() as connection:
        return log.history(connection, assignment)


def row_of(database: Database, assignment: int):
    with database.reading() as connection:
        return connection.execute(select(schema.assignments).where(schema.assignments.c.id == assignment)).one()


def problems(database: Database):
    with database.reading() as connection:
        return log.audit(connection)


def test_events_are_kept_and_add_up(study_database: Database, assignment: int):
    with study_database.reading() as connection:
        events = whole_page(connection, assignment)
    work = append(study_database, assignment, batch(0, *events), NOW + 60)
    assert (work.version, work.finished, work.missing) == (len(events), True, ())
    kept = history(study_database, assignment)
    assert [one.event for one in kept] == events
    assert [one.number for one in kept] == list(range(1, len(events) + 1))
    assert [one.sent for one in kept] == [NOW + second for second in range(len(events))]
    assert {one.at for one in kept} == {NOW + 60}
    row = row_of(study_database, assignment)
    assert (row.version, row.state, row.finished, row.touched) == (len(events), "finished", NOW + 60, NOW + 60)
    assert problems(study_database) == []


@pytest.mark.parametrize("wrong", [0.0, NOW - 2 * 86400, NOW + 2 * 86400, (1 << 53) / 1000])
def test_times_that_cannot_be_are_those_of_our_clock(study_database: Database, assignment: int, wrong: float):
    """Before the page was handed out, or after now, by more than any time zone could explain."""
    events = [sent(Show(), NOW), sent(Comment("a"), wrong), sent(Comment("b"), NOW + 5)]
    work = append(study_database, assignment, Batch(0, events), NOW + 7)
    assert [one.sent for one in history(study_database, assignment)] == [NOW, NOW + 7, NOW + 5]
    assert work.seconds == 7  # from the first to the second; the third seems to be earlier
    assert problems(study_database) == []


@pytest.mark.parametrize("hours", [-14, -1, 1, 14])
def test_a_clock_of_another_time_zone_is_believed(study_database: Database, assignment: int, hours: int):
    start = NOW + hours * 3600
    work = append(study_database, assignment, batch(0, Show(), Comment("a"), at=start), NOW + 60)
    assert [one.sent for one in history(study_database, assignment)] == [start, start + 1]
    assert work.seconds == 1


@pytest.mark.parametrize("passed", [0.0, 30.0, 2000.0])
def test_no_more_time_is_counted_than_passed_by_our_clock(
    study_database: Database, assignment: int, passed: float, monkeypatch
):
    """Eleven events in one request, stamped 100 seconds apart: 1000 seconds by the rater's clock."""
    events = [sent(Show() if k == 0 else Comment(str(k)), NOW + 100 * k) for k in range(11)]
    work = append(study_database, assignment, Batch(0, events), NOW + passed)
    assert work.seconds == min(1000, passed)
    monkeypatch.setattr(log, "_pages", log._Pages(1))
    with study_database.reading() as connection:
        assert log.work_of(connection, assignment).seconds == min(1000, passed)


def test_work_is_the_same_from_memory_and_from_the_log(study_database: Database, assignment: int, monkeypatch):
    work = append(study_database, assignment, batch(0, Show(), Comment("a"), Comment("b"), Undo()))
    monkeypatch.setattr(log, "_pages", log._Pages(1))
    with study_database.reading() as connection:
        assert log.work_of(connection, assignment) == work
    assert work.answers.comment == "a"


def test_a_page_takes_no_end_of_events(study_database: Database, assignment: int, monkeypatch):
    monkeypatch.setattr(log, "_MOST_EVENTS", 5)
    full = batch(0, Show(), Comment("a"), Comment("b"), Undo(), Hide())
    work = append(study_database, assignment, full)
    with pytest.raises(RefusedError, match="has had 5 events and takes no more"):
        append(study_database, assignment, batch(5, Show()))
    assert append(study_database, assignment, full) == work  # who heard no answer still gets one
    assert len(history(study_database, assignment)) == 5


def test_a_page_takes_no_end_of_bytes(study_database: Database, assignment: int, monkeypatch):
    monkeypatch.setattr(log, "_MOST_BYTES", 3000)
    monkeypatch.setattr(log, "_FEW", 2)
    append(study_database, assignment, batch(0, Comment("ü" * 700), Comment("ü" * 700)))  # 2,800 bytes and their frame
    append(study_database, assignment, batch(2, Show()))
    append(study_database, assignment, batch(3, Comment("ü" * 100)))
    with pytest.raises(RefusedError, match="has had 4 events and takes no more changes; answer what is missing"):
        append(study_database, assignment, batch(4, Show()))


def test_a_full_page_can_be_finished(study_database: Database, assignment: int, monkeypatch):
    with study_database.reading() as connection:
        *work, finish = whole_page(connection, assignment)
    monkeypatch.setattr(log, "_MOST_EVENTS", 3)
    append(study_database, assignment, batch(0, Show(), Comment("a"), Hide()))
    answers = [event for event in work if isinstance(event, Score)]
    append(study_database, assignment, batch(3, *answers))
    again = [msgspec.structs.replace(answers[0], value=value) for value in (None, 1.0)]
    version = 3 + len(answers)
    for more in (Comment("b"), *again, Undo()):
        with pytest.raises(RefusedError, match="takes no more changes"):
            append(study_database, assignment, batch(version, more))
    assert append(study_database, assignment, batch(version, finish)).finished
    with pytest.raises(RefusedError, match="takes no more changes"):
        append(study_database, assignment, batch(version + 1, Reopen()))


def test_finishing_and_reopening_show_in_the_assignment(study_database: Database, assignment: int):
    with study_database.reading() as connection:
        events = whole_page(connection, assignment)
    append(study_database, assignment, batch(0, *events), NOW + 10)
    version = len(events)
    append(study_database, assignment, batch(version, Show(), Hide()), NOW + 20)
    assert row_of(study_database, assignment).finished == NOW + 10
    append(study_database, assignment, batch(version + 2, Reopen()), NOW + 30)
    assert (row_of(study_database, assignment).state, row_of(study_database, assignment).finished) == ("open", None)
    append(study_database, assignment, batch(version + 3, Finish(confirmed=True)), NOW + 40)
    append(study_database, assignment, batch(version + 4, Reopen(), Finish(confirmed=True)), NOW + 50)
    assert (row_of(study_database, assignment).state, row_of(study_database, assignment).finished) == (
        "finished",
        NOW + 50,
    )
    assert problems(study_database) == []


def test_a_repeated_batch_is_kept_once(study_database: Database, assignment: int):
    first = batch(0, Show(), Comment("once"))
    work = append(study_database, assignment, first)
    assert append(study_database, assignment, first, NOW + 5) == work
    later = append(study_database, assignment, batch(2, Comment("later")))
    assert append(study_database, assignment, first) == later
    assert len(history(study_database, assignment)) == 3


def test_a_batch_that_was_half_kept_is_completed(study_database: Database, assignment: int):
    events = [sent(Show()), sent(Comment("a")), sent(Comment("b"))]
    append(study_database, assignment, Batch(0, events[:2]))
    assert append(study_database, assignment, Batch(0, events)).version == 3
    assert [one.key for one in history(study_database, assignment)] == [event.key for event in events]


def test_an_event_twice_in_a_batch_is_kept_once(study_database: Database, assignment: int):
    show = sent(Show())
    assert append(study_database, assignment, Batch(0, [show, show])).version == 1


def test_a_repeated_batch_is_confirmed_even_after_the_end(study_database: Database, assignment: int):
    first = batch(0, Show())
    work = append(study_database, assignment, first)
    with study_database.writing() as connection:
        set_open(connection, False)
    assert append(study_database, assignment, first) == work


@pytest.mark.parametrize("base", [0, 1, 3, 99])
def test_a_base_that_is_not_the_version_is_stale(study_database: Database, assignment: int, base: int):
    append(study_database, assignment, batch(0, Show(), Comment("a")))
    with pytest.raises(StaleError, match="another tab"):
        append(study_database, assignment, batch(base, Comment("b")))
    assert len(history(study_database, assignment)) == 2


def test_a_kept_event_before_the_base_does_not_stand_for_one_after_it(study_database: Database, assignment: int):
    old = sent(Show())
    append(study_database, assignment, Batch(0, [old]))
    append(study_database, assignment, batch(1, Comment("from another tab")))
    with pytest.raises(StaleError):
        append(study_database, assignment, Batch(1, [old, sent(Comment("mine"))]))


def test_a_key_of_another_event_is_refused(study_database: Database, assignment: int):
    used = sent(Comment("a"))
    append(study_database, assignment, Batch(0, [used]))
    changed = Sent(used.key, used.at, Comment("b"))
    with pytest.raises(RefusedError, match="was used for another event"):
        append(study_database, assignment, Batch(1, [changed]))
    with pytest.raises(RefusedError, match="was used for another event"):
        append(study_database, assignment, Batch(1, [sent(Show()), changed]))
    new = sent(Comment("c"))
    with pytest.raises(RefusedError, match="was used for another event"):
        append(study_database, assignment, Batch(1, [new, Sent(new.key, new.at, Comment("d"))]))
    assert len(history(study_database, assignment)) == 1


def test_a_key_of_another_page_of_the_same_rater_is_refused(study_database: Database, assignment: int):
    used = sent(Show())
    append(study_database, assignment, Batch(0, [used]))
    with study_database.writing() as connection:
        other = assign(connection, rater=row_of(study_database, assignment).rater, unit=1)
    with pytest.raises(RefusedError, match="was used for another event"):
        append(study_database, other, Batch(0, [used]))


def test_two_raters_may_use_the_same_key(study_database: Database, assignment: int):
    with study_database.writing() as connection:
        other = assign(connection)
    same = Batch(0, [sent(Show())])
    append(study_database, assignment, same)
    assert append(study_database, other, same).version == 1


def test_a_batch_with_one_event_that_makes_no_sense_is_not_kept_at_all(study_database: Database, assignment: int):
    with pytest.raises(RefusedError):
        append(study_database, assignment, batch(0, Show(), Comment("a"), Score("nosuchcard", "overall", 1.0)))
    assert history(study_database, assignment) == []
    assert append(study_database, assignment, batch(0, Comment("b"))).answers.comment == "b"


def test_nothing_is_kept_when_the_study_is_closed(study_database: Database, assignment: int):
    with study_database.writing() as connection:
        set_open(connection, False)
    with pytest.raises(ClosedError, match="study is closed"):
        append(study_database, assignment, batch(0, Show()))


def test_nothing_is_kept_of_a_rater_who_left(study_database: Database, assignment: int):
    with study_database.writing() as connection:
        leave(connection, connection.execute(select(schema.raters.c.id)).scalar_one(), NOW)
    with pytest.raises(ClosedError, match="you have left"):
        append(study_database, assignment, batch(0, Show()))


def test_nothing_is_kept_on_a_page_that_was_given_back(study_database: Database, assignment: int):
    with study_database.writing() as connection:
        connection.execute(update(schema.assignments).values(state="released"))
    with pytest.raises(ClosedError, match="somebody else"):
        append(study_database, assignment, batch(0, Show()))


def test_a_page_that_is_not_there_is_closed(study_database: Database):
    with pytest.raises(ClosedError):
        append(study_database, 4711, batch(0, Show()))


def test_what_a_failed_transaction_made_is_not_remembered(study_database: Database, assignment: int):
    """The page in memory must not be that of events which were taken back."""

    def fail_later(connection):
        log.append(connection, assignment, batch(0, Comment("never kept")), NOW)
        msg = "afterwards"
        raise RuntimeError(msg)

    with pytest.raises(RuntimeError, match="afterwards"):
        study_database.submit(fail_later).result()
    assert append(study_database, assignment, batch(0, Show())).answers.comment == ""


def test_many_tabs_of_one_page_never_mix(study_database: Database, assignment: int):
    """Each of many threads writes as long as it is not stale; the log is what the winners wrote, in one chain."""
    wins: list[str] = []
    start = threading.Barrier(8)

    def tab(number: int) -> None:
        start.wait()
        for turn in range(6):
            with study_database.reading() as connection:
                base = log.work_of(connection, assignment).version
            text = f"{number}.{turn}"
            try:
                study_database.submit(
                    lambda connection, base=base, text=text: log.append(
                        connection, assignment, batch(base, Comment(text)), NOW
                    )
                ).result()
            except StaleError:
                continue
            wins.append(text)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(tab, range(8)))
    kept = [one.event.text for one in history(study_database, assignment)]
    assert sorted(kept) == sorted(wins)
    assert problems(study_database) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    attempts=strategies.lists(
        strategies.tuples(
            strategies.integers(-3, 2),  # how far the sender's base is from the version
            strategies.lists(strategies.integers(0, 9), min_size=1, max_size=5),  # which of ten events, by their keys
        ),
        max_size=12,
    )
)
def test_whatever_is_sent_again_or_late_each_event_is_kept_at_most_once(study_sqlite: Database, attempts):
    """Against a list: a batch is skipped, refused whole, or adds what is new of it at the end."""
    known = [sent(Comment(f"event {number}")) for number in range(10)]
    expected: list[str] = []
    with study_sqlite.writing() as connection:
        assignment = assign(connection)
        for offset, chosen in attempts:
            base = max(0, len(expected) + offset)
            events = [known[number] for number in chosen]
            new = [event.key for event in dict.fromkeys(events) if event.key not in expected]
            since = sum(event.key in expected[base:] for event in dict.fromkeys(events))
            if new and base + since != len(expected):
                with pytest.raises(StaleError):
                    log.append(connection, assignment, Batch(base, events), NOW)
            else:
                expected += new
                assert log.append(connection, assignment, Batch(base, events), NOW).version == len(expected)
        assert [one.key for one in log.history(connection, assignment)] == expected


@pytest.fixture(scope="module")
def study_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """One for many examples."""
    with closing(Database.create(f"sqlite:///{tmp_path_factory.mktemp('log') / 'study.sqlite'}")) as database:
        with database.writing() as connection:
            save_study(connection, *small_study(), NOW)
        yield database


@pytest.mark.parametrize("grouped", [True, False])
def test_many_raters_at_once_lose_nothing(study_database: Database, grouped: bool):
    raters, turns = 12, 10
    with study_database.writing() as connection:
        pages = [assign(connection, unit=number % 3) for number in range(raters)]
    start = threading.Barrier(raters)

    def rate(assignment: int) -> None:
        start.wait()
        for turn in range(turns):
            sent_batch = batch(turn * 2, Show(), Comment(f"{assignment} {turn}"))
            if grouped:
                study_database.submit(lambda c, sent=sent_batch: log.append(c, assignment, sent, NOW)).result()
            else:
                append(study_database, assignment, sent_batch)

    with ThreadPoolExecutor(raters) as pool:
        list(pool.map(rate, pages))
    for page in pages:
        said = [one.event.text for one in history(study_database, page) if isinstance(one.event, Comment)]
        assert said == [f"{page} {turn}" for turn in range(turns)]
    assert problems(study_database) == []


def test_memory_holds_only_so_many_pages(study_database: Database, monkeypatch):
    monkeypatch.setattr(log, "_pages", log._Pages(2))
    with study_database.writing() as connection:
        pages = [assign(connection) for _ in range(4)]
    for page in pages * 2:
        with study_database.reading() as connection:
            version = log.work_of(connection, page).version
            load_unit(connection, page)
        append(study_database, page, batch(version, Comment(str(page))))
    assert len(log._pages._pages) == 2
    assert [len(history(study_database, page)) for page in pages] == [2, 2, 2, 2]
