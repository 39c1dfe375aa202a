"""Set-ups of papers by name, from `rate init --preset` to the page that a rater sees."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette")

from tests.in_process import run
from tests.rate.browser import Browser, personal_link
from tests.rate.studies import SOURCES

from plainwright.rate.store.database import Database
from plainwright.rate.study_file import DATABASE_VARIABLE, StudyFile, read_study_file
from plainwright.rate.web.app import create_app

NOW = 1_700_000_000.0


@pytest.fixture(autouse=True)
def _no_database_by_variable(monkeypatch):
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, lines in {
        "source.txt": SOURCES,
        "ours.txt": [source.replace(",", "") for source in SOURCES],
        "theirs.txt": [source.split(",")[0] for source in SOURCES],
        "human.txt": [f"In short, {source}" for source in SOURCES],
    }.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def init(folder: Path, *options: str):
    outputs = ("ours=ours.txt", "theirs=theirs.txt", "human=human.txt")
    return run("rate", "init", "study.toml", "--source", "source.txt", "--outputs", *outputs, *options, cwd=folder)


def made(folder: Path, *options: str) -> StudyFile:
    done = init(folder, *options)
    assert (done.returncode, done.stderr) == (0, "")
    return read_study_file(folder / "study.toml")


def first_page(study: StudyFile) -> str:
    database = Database.open(study.database)
    try:
        browser = Browser(create_app(database, now=lambda: NOW))
        _, token = personal_link(database, NOW)
        return browser.get(browser.begin(token)).text
    finally:
        database.close()


def test_simplicity_gain_has_the_whole_set_on_a_page_and_five_raters(folder):
    study = made(folder, "--preset", "xu2016-simplicity-gain")
    assert (study.settings.form, study.settings.raters_per_unit) == ("gain", 5)
    asked = {aspect.name: str(aspect.scale) for aspect in study.settings.aspects}
    assert asked == {"simplicity gain": "0..20 by 1", "grammar": "0..4 by 1", "meaning": "0..4 by 1"}
    page = first_page(study)
    assert page.count('<li class="card"') == 3  # all systems, and the person, at once
    assert page.count('class="answer stepper"') == 3
    assert "Correct the edits" not in page  # judges count changes that nobody marked for them
    assert "several simpler versions" in study.settings.instructions


def test_human_evaluation_has_the_scales_of_the_paper_and_ten_raters(folder):
    study = made(folder, "--preset", "human-evaluation")
    assert (study.settings.raters_per_unit, study.settings.cards_per_page) == (10, "one")
    asked = {aspect.name: str(aspect.scale) for aspect in study.settings.aspects}
    assert asked == {"fluency": "1..5 by 1", "adequacy": "1..5 by 1", "simplicity": "-2..2 by 1"}
    page = first_page(study)
    assert page.count('<li class="card"') == 1
    assert page.count('type="radio"') == 15
    assert ">−2</span>" in page


def test_what_is_said_beside_a_preset_wins(folder):
    study = made(folder, "--preset", "human-evaluation", "--raters", "2", "--title", "Mine", "--form", "likert")
    assert (study.settings.raters_per_unit, study.settings.title) == (2, "Mine")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--preset", "xu2016-simplicity"], "unknown preset 'xu2016-simplicity'; did you mean xu2016-simplicity-gain"),
        (
            ["--preset", "human-evaluation", "--form", "rank"],
            "--form: expected 'likert', as the preset 'human-evaluation' has it, found 'rank'; omit one",
        ),
        (["--preset", "human-evaluation", "--raters", "0"], "--raters: expected a number from 1 to 1,000, found 0"),
    ],
)
def test_what_is_wrong_with_a_preset_is_one_sentence(folder, options, sentence):
    done = init(folder, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "study.toml").exists()
