"""The study of `rate demo` has something of everything."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import httpx2 as httpx
import pytest

pytest.importorskip("sqlalchemy")

from plainwright.errors import DataError
from plainwright.rate.demonstration import make_demo, open_demo
from plainwright.rate.forms.registry import FORMS
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import load_items, load_settings
from plainwright.rate.study_file import read_study_file
from plainwright.study.operations import OPERATIONS


def made(folder, form="rank"):
    study = make_demo(folder, form, organiser="organiser", password="correct horse", now=1.0)
    database = Database.open(study.database)
    with database.reading() as connection:
        settings, items = load_settings(connection), load_items(connection)
    database.close()
    return settings, items


def test_every_group_duplicates_controls_and_training(tmp_path):
    settings, items = made(tmp_path)
    main = [item for item in items if not item.training]
    assert len(main) == 8
    for item in main:
        assert {card.card.group for card in item.cards} == set(OPERATIONS)
        assert len(item.cards) >= 9
        assert any(len(card.card.candidates) > 1 for card in item.cards)
    kinds = {card.card.edits[0].kind for item in items for card in item.cards if card.card.edits}
    assert kinds == {"deletion", "paraphrase", "split"}
    assert (
        sum(maker.control == "degraded" for item in main for card in item.cards for maker in card.card.candidates) == 2
    )
    assert len(settings.training) == 2
    assert all(output.why for item in settings.training for output in item.outputs)


@pytest.mark.parametrize("form", FORMS.names())
def test_every_form_can_be_shown(form, tmp_path):
    settings, _ = made(tmp_path, form)
    assert settings.form == form
    assert read_study_file(tmp_path / "study.toml").settings == settings


def test_a_demonstration_is_gone_on_with(tmp_path):
    known = {"organiser": "organiser", "password": "correct horse", "now": 1.0}
    first = open_demo(tmp_path / "trial", "gain", **known)
    for form in (None, "gain"):
        again = open_demo(tmp_path / "trial", form, **known)
        assert again == first
        assert again.settings.form == "gain"


def test_a_demonstration_of_another_form_is_not_gone_on_with(tmp_path):
    known = {"organiser": "organiser", "password": "correct horse", "now": 1.0}
    assert open_demo(tmp_path / "trial", **known).settings.form == "rank"
    before = (tmp_path / "trial" / "study.toml").read_bytes()
    sentence = "expected a demonstration of the form 'likert', found one of 'rank'; leave out --form to go on with it"
    with pytest.raises(DataError, match=sentence):
        open_demo(tmp_path / "trial", "likert", **known)
    assert (tmp_path / "trial" / "study.toml").read_bytes() == before


def test_the_study_of_somebody_is_no_demonstration(tmp_path):
    (tmp_path / "study.toml").write_text('[study]\ntitle = "Mine"\n', encoding="utf-8")
    with pytest.raises(DataError, match="expected a new or empty directory, or one with an earlier demonstration"):
        open_demo(tmp_path, organiser="organiser", password="correct horse", now=1.0)


@pytest.fixture
def running(tmp_path):
    """`rate demo` in a process of its own, on a free port."""
    command = [sys.executable, "-m", "plainwright", "rate", "demo", "--port", "0", "--no-browser"]
    started = subprocess.Popen(
        command, stdout=subprocess.PIPE, encoding="utf-8", env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    yield started
    if started.poll() is None:
        started.kill()
        started.wait()
    assert started.stdout is not None
    started.stdout.close()


def test_one_command_opens_the_doors_and_clears_away(running, tmp_path):
    link = re.search(r"http://127\.0\.0\.1:\d+/join/\S+", running.stdout.readline())
    organiser = re.search(r"(http://\S+)organiser   \(name organiser, password (\S+)\)", running.stdout.readline())
    assert link is not None
    assert organiser is not None
    with httpx.Client(follow_redirects=True) as browser:
        assert "A demonstration of Rank &amp; Rate" in browser.get(link[0]).text
        door = browser.get(f"{organiser[1]}organiser")
        csrf = re.search(r'name="csrf" value="([^"]+)"', door.text)
        assert csrf is not None
        known = {"csrf": csrf[1], "to": "", "name": "organiser", "password": organiser[2]}
        page = browser.post(str(door.url), data=known, headers={"Origin": organiser[1].rstrip("/")})
        assert (page.status_code, page.url.path) == (200, "/organiser")
    assert len(list(tmp_path.glob("plainwright-rate-*"))) == 1
    running.send_signal(signal.SIGINT)
    assert running.wait(20) == 0
    assert running.stdout.read().endswith("Stopped, and cleared away.\n")
    assert list(tmp_path.iterdir()) == []
