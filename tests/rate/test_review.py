"""After the training, raters wait until the organiser has read it; only those who are let on get pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from tests.in_process import run
from tests.rate.browser import Browser
from tests.rate.studies import writing_study
from tests.rate.test_writing_pages import NOW, begin, simpler, source_on, write

from plainwright.errors import DataError
from plainwright.rate.overview import advise, overview_of
from plainwright.rate.store import people
from plainwright.rate.store.database import Database
from plainwright.rate.store.organisers import set_password
from plainwright.rate.store.reviewing import accept_rater, reject_rater, verdict_on
from plainwright.rate.store.studies import save_study
from plainwright.rate.study_file import read_study_file
from plainwright.rate.study_writing import write_study_file
from plainwright.rate.web.app import create_app

GOOD = "The doctor, who was very tired, gave the vaccine to all of the children."
PASSWORD = "correct horse battery"


@pytest.fixture
def study(database_url: str) -> Database:
    """A study of writing whose organiser reads the training."""
    settings, items = writing_study(training=1, review=True)
    database = Database.create(database_url)
    with database.writing() as connection:
        save_study(connection, settings, items, NOW)
        set_password(connection, "organiser", PASSWORD)
    yield database
    database.close()


def visitor(study: Database) -> Browser:
    return Browser(create_app(study, now=lambda: NOW))


def trained(study: Database, text: str = GOOD, name: str = "Ann") -> tuple[Browser, people.Rater]:
    """A rater who has done the training."""
    browser = visitor(study)
    task = begin(study, browser, name)
    assert write(study, browser, task, text).status_code == 200
    with study.reading() as connection:
        return browser, people.raters_of(connection)[-1]


def organiser(study: Database) -> Browser:
    browser = visitor(study)
    browser.get("/organiser/login")
    assert browser.submit("/organiser/login", name="organiser", password=PASSWORD).status_code == 200
    return browser


def test_a_rater_waits_after_the_training_and_gets_nothing(study):
    browser, _ = trained(study)
    assert "Go on" in browser.get(browser.path + "/feedback").text
    for _ in range(2):
        page = browser.visit("/work").text
        assert browser.path == "/done"
        assert "Your practice pages are being read" in page
    with study.reading() as connection:
        view = overview_of(connection, NOW)
        assert [status.state for status in view.raters] == ["waiting"]
        [advice] = [entry for entry in advise(view) if entry.rater]
    assert advice.sentence.startswith("has done the training, and waits until you have read it")


def test_the_organiser_reads_it_and_lets_them_on(study):
    browser, rater = trained(study)
    office = organiser(study)
    assert "Review" in office.get("/organiser").text
    page = office.get(f"/organiser/raters/{rater.public}").text
    assert GOOD in page
    assert "gets real pages only after you have said so" in page
    told = office.submit(f"/organiser/raters/{rater.public}/accept").text
    assert "The rater was let on" in told
    assert "You have let Ann on." in told
    browser.visit("/work")
    assert browser.path.startswith("/task/")


def test_or_does_not(study):
    browser, rater = trained(study)
    office = organiser(study)
    office.get(f"/organiser/raters/{rater.public}")
    assert "The rater was not let on" in office.submit(f"/organiser/raters/{rater.public}/reject").text
    assert "Thank you for your time" in browser.visit("/work").text
    with study.reading() as connection:
        assert [status.state for status in overview_of(connection, NOW).raters] == ["rejected"]
    office.submit(f"/organiser/raters/{rater.public}/accept")  # and may think again
    browser.visit("/work")
    assert browser.path.startswith("/task/")


def test_whoever_is_at_work_is_not_sent_away(study):
    browser, rater = trained(study)
    with study.writing() as connection:
        accept_rater(connection, rater.id, NOW)
    browser.visit("/work")
    write(study, browser, browser.path, simpler(source_on(browser, browser.path)))
    with study.writing() as connection, pytest.raises(DataError, match="at work on real pages already; take them out"):
        reject_rater(connection, rater.id, NOW)
    office = organiser(study)
    office.get(f"/organiser/raters/{rater.public}")
    assert office.post(f"/organiser/raters/{rater.public}/reject").status_code == 409


def test_only_the_organiser_lets_raters_on(study):
    browser, rater = trained(study)
    for door in ("accept", "reject"):
        assert browser.post(f"/organiser/raters/{rater.public}/{door}").status_code in (303, 401, 403)
        office = organiser(study)
        office.csrf = "forged"
        assert office.post(f"/organiser/raters/{rater.public}/{door}").status_code == 403
        unknown = organiser(study)
        unknown.get("/organiser")
        assert unknown.post(f"/organiser/raters/nobody/{door}").status_code == 404
    with study.reading() as connection:
        assert verdict_on(connection, rater.id) is None


def test_whoever_is_erased_leaves_no_verdict(study):
    _, rater = trained(study)
    with study.writing() as connection:
        accept_rater(connection, rater.id, NOW)
        people.erase(connection, rater.id, NOW)
        assert verdict_on(connection, rater.id) is None


def test_a_study_without_review_has_nobody_to_let_on(study_database):
    with study_database.writing() as connection:
        rater = people.add_rater(connection, "Ann", NOW)
        with pytest.raises(DataError, match="lets raters on without a review"):
            accept_rater(connection, rater.id, NOW)


def test_review_needs_training(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text('[study]\ntitle = "x"\nform = "write"\n[training]\nreview = true\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"training\.review: expected training items to review, found none"):
        read_study_file(path)


# The command


@pytest.fixture
def by_command(tmp_path: Path):
    """The same study with a study file; the path, and what was made from it."""
    settings, items = writing_study(training=1, review=True, instructions="")
    write_study_file(tmp_path / "study.toml", settings)
    database = Database.create(f"sqlite:///{tmp_path / 'study.db'}")
    with database.writing() as connection:
        save_study(connection, settings, items, NOW)
    yield tmp_path / "study.toml", database
    database.close()


def test_raters_are_reviewed_from_the_terminal(by_command):
    path, database = by_command
    assert run("rate", "review", path).stdout == "nobody waits for a review\n"
    ann, first = trained(database)
    ben, second = trained(database, GOOD.replace("doctor", "physician"), "Ben")
    done = run("rate", "review", path)
    assert f"{first.public} (Ann): 1 of 1 as expected" in done.stdout
    assert f"{second.public} (Ben): 0 of 1 as expected" in done.stdout
    assert f"> {GOOD}" in done.stdout
    [one, _] = json.loads(run("rate", "review", path, "--json").stdout)["waiting"]
    assert (one["rater"], one["texts"][0]["text"]) == (first.public, GOOD)
    done = run("rate", "review", path, "--accept", first.public, "--reject", second.public)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"{first.public} goes on with real pages\n{second.public} gets no further pages\n"
    ann.visit("/work")
    ben.visit("/work")
    assert (ann.path[:6], ben.path) == ("/task/", "/done")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--accept", "nobody"], "no rater 'nobody' in this study"),
        (["--accept", "x", "--reject", "x"], "--accept, --reject: expected each rater once, found 'x' in both"),
    ],
)
def test_what_cannot_be_reviewed_is_one_sentence(by_command, options, sentence):
    done = run("rate", "review", by_command[0], *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
