"""How a study stands, from its database: states of raters, time left, what needs attention."""

from __future__ import annotations

import json
import time

import pytest
from tests.in_process import run
from tests.rate.acting import DAY, finish_page, join, start_page
from tests.rate.busy_study import save_busy_study
from tests.rate.playing import batch
from tests.rate.studies import small_study

from plainwright.rate.events import Reopen
from plainwright.rate.overview import advise, overview_of, time_left
from plainwright.rate.overview.record import latest_events, pages_of
from plainwright.rate.results.loading import load_record
from plainwright.rate.results.quality import quality_of
from plainwright.rate.settings import Controls
from plainwright.rate.store import log, people
from plainwright.rate.store.assignment import next_assignment
from plainwright.rate.store.database import Database
from plainwright.rate.store.releasing import release
from plainwright.rate.store.studies import save_study, set_open

NOW = 1_700_000_000.0
HOUR = 3600.0


@pytest.fixture
def connection(database: Database):
    """Three units for two raters each."""
    with database.writing() as connection:
        save(connection)
        yield connection


def save(connection, **others) -> None:
    settings, items = small_study(**{"raters_per_unit": 2, **others})
    save_study(connection, settings, items, NOW)


def states(connection, now: float) -> dict[str, str]:
    return {rater.label: rater.state for rater in overview_of(connection, now).raters}


def said(connection, now: float) -> list[str]:
    return [
        f"{entry.rater.label}: {entry.sentence}" if entry.rater else entry.sentence
        for entry in advise(overview_of(connection, now))
    ]


def test_a_new_study_wants_raters(connection):
    view = overview_of(connection, NOW)
    assert (view.demand.units, view.demand.needed, view.demand.left, view.demand.more_raters) == (3, 6, 6, 2)
    [entry] = advise(view)
    assert (entry.sentence, entry.actions) == ("Nobody has been invited yet.", ("invite",))
    assert time_left(view) == (
        "How long a page takes is not known yet: it takes 3 finished pages to tell, and none was."
    )


def test_an_open_link_counts_for_those_who_may_still_come(connection):
    people.invite(connection, rater_id=None, uses=1, expires=NOW + DAY, now=NOW)
    assert said(connection, NOW) == ["The raters of now cannot finish what is left: invite at least 1 more."]
    people.invite(connection, rater_id=None, uses=1, expires=NOW + DAY, now=NOW)
    assert said(connection, NOW) == []
    assert overview_of(connection, NOW + DAY).open_uses == 0


def test_a_rater_from_link_to_last_page(connection):
    ann = people.add_rater(connection, "Ann", NOW)
    token = people.invite(connection, rater_id=ann.id, uses=1, expires=NOW + DAY, now=NOW)
    assert states(connection, NOW) == {"Ann": "invited"}
    assert overview_of(connection, NOW).raters[0].link_expires == NOW + DAY
    people.accept(connection, token, NOW)
    assert states(connection, NOW) == {"Ann": "reading"}
    people.instruct(connection, ann.id, NOW)
    start_page(connection, ann.id, NOW)
    assert states(connection, NOW + 599) == {"Ann": "working"}
    assert states(connection, NOW + 700) == {"Ann": "quiet"}
    for number in range(3):
        finish_page(connection, ann.id, NOW + 1000 * number)
    [status] = overview_of(connection, NOW + 3000).raters
    assert (status.state, status.finished, status.available, status.open_page) == ("done", 3, 0, None)
    assert status.last_seen == NOW + 2060


def test_between_two_pages_somebody_is_still_at_work(connection):
    ann = join(connection, "Ann", NOW)
    finish_page(connection, ann.id, NOW)
    assert states(connection, NOW + 120) == {"Ann": "working"}


def test_pauses_and_farewells(connection):
    ann, ben, cleo = (join(connection, label, NOW) for label in ("Ann", "Ben", "Cleo"))
    people.pause(connection, ann.id, NOW)
    people.leave(connection, ben.id, NOW)
    people.erase(connection, cleo.id, NOW)
    assert states(connection, NOW) == {"Ann": "paused", "Ben": "left", "": "removed"}
    assert overview_of(connection, NOW).demand.more_raters == 1


def test_training_comes_first_and_may_stop_somebody(database):
    with database.writing() as connection:
        save(connection, training=1, pass_share=1.0)
        ann = join(connection, "Ann", NOW)
        start_page(connection, ann.id, NOW)
        [status] = overview_of(connection, NOW).raters
        assert (status.state, status.training, status.training_total) == ("training", 0, 1)
        finish_page(connection, ann.id, NOW, score=lambda card: 50)
        assert states(connection, NOW + 60) == {"Ann": "stopped"}
        assert said(connection, NOW + 60) == [
            "The raters of now cannot finish what is left: invite at least 2 more.",
            "Ann: finished the training outside the range that the study asks for, and gets no further pages.",
        ]


def test_a_repeat_is_still_to_come(database):
    with database.writing() as connection:
        save(connection, items=6, controls=Controls(repeats=0.5))
        ann = join(connection, "Ann", NOW)
        given = [finish_page(connection, ann.id, NOW + 100 * number) for number in range(9)]
        assert [page.repeat for page in given].count(True) == 3
        assert states(connection, NOW + 2000) == {"Ann": "done"}
        [status] = overview_of(connection, NOW).raters
        assert (status.finished, status.repeats) == (6, 3)
        assert next_assignment(connection, ann.id, NOW + 2000) is None


def test_a_page_open_for_long_can_be_released(connection):
    ann = join(connection, "Ann", NOW)
    join(connection, "Ben", NOW)
    start_page(connection, ann.id, NOW)
    assert said(connection, NOW + 3 * HOUR) == []
    later = NOW + 5 * HOUR
    assert said(connection, later) == [
        "Ann: has had page 1 open without a sign for 5 h; it goes to somebody else in 19 h."
    ]
    [entry] = advise(overview_of(connection, later))
    assert entry.actions == ("release", "link")
    page = overview_of(connection, later).raters[0].open_page.public
    assert release(connection, ann.id, page)
    assert not release(connection, ann.id, page)
    view = overview_of(connection, later)
    assert (view.demand.under_way, view.raters[0].open_page) == (0, None)


def test_only_the_page_that_was_meant_is_released(connection):
    ann = join(connection, "Ann", NOW)
    finished = finish_page(connection, ann.id, NOW)
    at_work = start_page(connection, ann.id, NOW + 10)
    log.append(connection, finished.id, batch(log.work_of(connection, finished.id).version, Reopen()), NOW + 20)
    assert release(connection, ann.id, finished.public)
    assert next_assignment(connection, ann.id, NOW + 30).id == at_work.id
    for nothing in ("", "no page", finished.public):
        assert not release(connection, ann.id, nothing)


def test_a_training_page_waits_for_its_rater(database):
    with database.writing() as connection:
        save(connection, training=1, raters_per_unit=1)
        ann = join(connection, "Ann", NOW)
        start_page(connection, ann.id, NOW)
        assert said(connection, NOW + 5 * HOUR) == [
            "Ann: has had a training page open without a sign for 5 h; it waits for them."
        ]
        assert not release(connection, ann.id, overview_of(connection, NOW).raters[0].open_page.public)


def test_whoever_stays_away_is_named(connection):
    ann, _ = join(connection, "Ann", NOW), join(connection, "Ben", NOW)
    finish_page(connection, ann.id, NOW)
    assert said(connection, NOW + 2 * DAY) == [
        "Ann: stopped after 1 page, 2 d ago, and could take 2 more.",
        "Ben: stopped before the first page, 2 d ago, and could take 3 more.",
    ]
    people.pause(connection, ann.id, NOW + 60)
    assert said(connection, NOW + 2 * DAY)[0] == "Ann: paused after 1 page, 2 d ago, and could take 2 more."


def test_links_that_nobody_opened(connection):
    join(connection, "Ann", NOW)
    ben = people.add_rater(connection, "Ben", NOW)
    assert said(connection, NOW) == ["Ben: has not joined, and has no link that still opens."]
    people.invite(connection, rater_id=ben.id, uses=1, expires=NOW + 14 * DAY, now=NOW)
    assert said(connection, NOW) == []
    assert "Ben: was invited 3 d ago and has not joined; the link opens for another 11 d." in said(
        connection, NOW + 3 * DAY
    )


def test_time_left_from_the_pages_so_far(connection):
    for label in ("Ann", "Ben"):
        rater = join(connection, label, NOW)
        for number, seconds in enumerate((60, 90)):
            finish_page(connection, rater.id, NOW + 1000 * number, seconds=seconds)
    view = overview_of(connection, NOW + HOUR)
    assert view.pace.seconds.value == 75
    # Two of six pages are left, 150 seconds; four were finished within the last day, so the rest takes half a day.
    assert time_left(view) == (
        "A page takes 1 min 15 s (median of the latest 4), so about 2 min 30 s of rating are left. "
        "At the pace of the last 24 hours, 4 pages, that is 12 h."
    )
    assert "pace" not in time_left(overview_of(connection, NOW + 2 * DAY))


def test_a_study_that_is_done(connection):
    for label in ("Ann", "Ben"):
        rater = join(connection, label, NOW)
        for number in range(3):
            finish_page(connection, rater.id, NOW + 100 * number)
    assert said(connection, NOW + 9 * DAY) == ["All 6 pages are rated. Close the study, and export it."]
    set_open(connection, False)
    assert said(connection, NOW + 9 * DAY) == ["All 6 pages are rated. The study is closed."]


def test_a_closed_study_says_so(connection):
    join(connection, "Ann", NOW)
    join(connection, "Ben", NOW)
    set_open(connection, False)
    assert said(connection, NOW) == ["The study is closed: raters can read, but nothing they send is kept."]


def test_the_pages_of_a_rater_and_the_latest_events(connection):
    ann = join(connection, "Ann", NOW)
    finish_page(connection, ann.id, NOW, seconds=30)
    start_page(connection, ann.id, NOW + 100)
    first, second = pages_of(connection, ann.id)
    assert (first.place, first.state, first.seconds, first.events, first.cards) == (1, "finished", 30, 7, 5)
    assert (second.place, second.state, second.seconds, second.events) == (2, "open", 0, 1)
    sentences = [entry.sentence for entry in latest_events(connection, 100)]
    assert sentences[:2] == ["looked at the page", "finished the page, contradictions confirmed"]
    assert len(sentences) == 8
    newest = latest_events(connection, 3)
    older = latest_events(connection, 100, before=newest[-1].id, rater_id=ann.id)
    assert [entry.sentence for entry in (*newest, *older)] == sentences
    assert latest_events(connection, 5, rater_id=ann.id + 1) == []


def test_whoever_may_spoil_the_data_comes_before_those_who_are_away(tmp_path):
    database = Database.create(f"sqlite:///{tmp_path / 'study.db'}")
    with database.writing() as connection:
        save_busy_study(connection, NOW)
        view = overview_of(connection, NOW)
        quality = {found.rater: found for found in quality_of(load_record(connection))}
    database.close()
    told = [(entry.rater.label, entry.actions) for entry in advise(view, quality) if entry.rater is not None]
    assert told[0] == ("Emil", ("leave",))
    assert [label for label, _ in told[1:]] == [entry.rater.label for entry in advise(view) if entry.rater is not None]
    assert "seconds for an output; the raters' median is" in advise(view, quality)[0].sentence


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text('[study]\ntitle = "A small study"\n', encoding="utf-8")
    database = Database.create(f"sqlite:///{tmp_path / 'study.db'}")
    now = time.time()
    with database.writing() as connection:
        save(connection)
        ann = join(connection, "Ann", now - 2 * DAY)
        finish_page(connection, ann.id, now - 2 * DAY)
    database.close()
    return path


def test_the_command_tells_it_all(study):
    done = run("rate", "status", study)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "A small study: open"
    assert lines[2] == "1 of 6 pages done (17 %), 0 under way; 3 units for 2 raters each"
    assert lines[5].split() == ["rater", "note", "state", "pages", "more", "last", "seen"]
    assert lines[6].split()[1:] == ["Ann", "quiet", "1", "2", "2", "d", "ago"]
    assert lines[-1] == "! Ann stopped after 1 page, 2 d ago, and could take 2 more."


def test_the_command_as_json(study):
    found = json.loads(run("rate", "status", study, "--json").stdout)
    assert found["pages"] == {
        "needed": 6,
        "finished": 1,
        "under_way": 0,
        "left": 5,
        "units": 3,
        "raters_per_unit": 2,
    }
    assert found["more_raters"] == 1
    assert found["seconds_per_page"] == {"n": 1, "problem": "it takes 3 finished pages to tell, and only 1 was"}
    [rater] = found["raters"]
    assert (rater["label"], rater["state"], rater["finished"]) == ("Ann", "quiet", 1)
    assert "id" not in rater
    assert found["advice"][-1]["rater"] == rater["public"]


def test_watching_and_json_do_not_go_together(study):
    done = run("rate", "status", study, "--json", "--watch")
    assert (done.returncode, done.stderr) == (2, "plainwright: give either --json or --watch, not both\n")
