"""`rate invite`, `rate password`, `rate remove`: what an organiser does at a terminal."""

from __future__ import annotations

import csv
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.in_process import run
from tests.rate.studies import small_study

from plainwright.errors import AccessError
from plainwright.rate.store import organisers, people
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import save_study

LINK = re.compile(r"^(\S+)/join/([A-Za-z0-9_-]{43})(?:  (.*))?$", re.M)
PASSWORD = "correct horse battery"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """The `study.toml` of a small study with a rater, Ann."""
    path = tmp_path / "study.toml"
    path.write_text('[study]\ntitle = "A small study"\n', encoding="utf-8")
    database = Database.create(f"sqlite:///{tmp_path / 'study.db'}")
    settings, items = small_study()
    with database.writing() as connection:
        save_study(connection, settings, items, time.time())
        people.add_rater(connection, "Ann", time.time())
    database.close()
    return path


@pytest.fixture
def ask(study: Path):
    """Asks the database as it is now: `ask(function, …)` calls it with a connection."""
    database = Database.open(f"sqlite:///{study.parent / 'study.db'}")

    def ask(question, *arguments):
        with database.reading() as connection:
            return question(connection, *arguments)

    yield ask
    database.close()


def ann(ask) -> people.Rater:
    return ask(people.raters_of)[0]


def test_personal_links_open_once_and_each_is_one_rater(study):
    done = run("rate", "invite", study, "-n", "2", "--base-url", "https://rating.example.org/study/")
    found = LINK.findall(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert [base for base, _, _ in found] == ["https://rating.example.org/study"] * 2
    database = Database.open(f"sqlite:///{study.parent / 'study.db'}")
    with database.writing() as connection:
        known = {rater.public for rater in people.raters_of(connection)}
        for _, token, whose in found:
            assert people.accept(connection, token, time.time())[1].public == whose
            assert whose in known
            assert people.invitation_state(connection, token, time.time()) == "spent"
    database.close()


def test_labels_are_kept_and_shown(study, ask):
    done = run("rate", "invite", study, "--label", "Ben", "--label", "Cleo")
    assert [whose.split("  ")[1] for _, _, whose in LINK.findall(done.stdout)] == ["Ben", "Cleo"]
    assert [rater.label for rater in ask(people.raters_of)] == ["Ann", "Ben", "Cleo"]
    assert "work on this machine only" in done.stderr


def test_one_open_link_lets_so_many_in(study, ask):
    done = run("rate", "invite", study, "--open", "20")
    [(_, token, whose)] = LINK.findall(done.stdout)
    assert whose == "for 20 people"
    assert ask(people.invitation_state, token, time.time()) == "valid"
    assert len(ask(people.raters_of)) == 1


def test_a_link_ends_after_its_days(study, ask):
    done = run("rate", "invite", study, "--days", "0.5")
    [(_, token, _)] = LINK.findall(done.stdout)
    assert ask(people.invitation_state, token, time.time() + 0.4 * 86400) == "valid"
    assert ask(people.invitation_state, token, time.time() + 0.6 * 86400) == "expired"


def test_a_rater_gets_a_new_link(study, ask):
    done = run("rate", "invite", study, "--rater", ann(ask).public)
    [(_, _, whose)] = LINK.findall(done.stdout)
    assert whose == f"{ann(ask).public}  Ann"


def test_links_are_written_as_a_table(study, tmp_path):
    done = run("rate", "invite", study, "--label", "=Ben", "-o", tmp_path / "links.csv")
    assert done.stdout == ""
    assert f"wrote 1 link to {tmp_path / 'links.csv'}" in done.stderr
    with (tmp_path / "links.csv").open(encoding="utf-8", newline="") as stream:
        [row] = csv.DictReader(stream)
    assert row["link"].startswith("http://127.0.0.1:8765/join/")
    assert (row["label"], row["uses"]) == ("'=Ben", "1")  # a spreadsheet must not compute it
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", row["expires"])
    assert (tmp_path / "links.csv").stat().st_mode & 0o777 == 0o600  # they are keys


@pytest.mark.parametrize("name", ["study.toml", "study.db"])
def test_links_do_not_replace_the_study(study, ask, name):
    before = (study.parent / name).read_bytes()
    done = run("rate", "invite", study, "-o", study.parent / name)
    assert done.returncode == 2
    assert (study.parent / name).read_bytes() == before
    assert len(ask(people.raters_of)) == 1


def test_what_cannot_be_written_invites_nobody(study, ask):
    done = run("rate", "invite", study, "-o", "/nowhere/links.csv")
    assert done.returncode == 2
    assert len(ask(people.raters_of)) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-n", "0"), "links: expected a number from 1 to 500, found 0"),
        (("-n", "501"), "links: expected a number from 1 to 500, found 501"),
        (("--open", "0"), "people for one link: expected a number from 1 to 10,000, found 0"),
        (("--days", "0"), "days: expected a number above 0, up to 365, found 0"),
        (("--days", "nan"), "days: expected a number above 0, up to 365, found nan"),
        (("-n", "2", "--open", "3"), "give one of -n (or --label), --open and --rater"),
        (("-n", "2", "--label", "Ben"), "expected as many as there are labels (1), found 2"),
        (("--label", "x" * 201), "label: expected up to 200 characters, found 201"),
        (("--rater", "nobody"), "no rater 'nobody' in this study"),
        (("--base-url", "rating.example.org"), "--base-url: expected an address such as"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_written(study, ask, arguments, said):
    done = run("rate", "invite", study, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert len(ask(people.raters_of)) == 1


def test_a_study_that_is_not_there_is_one_sentence(tmp_path):
    done = run("rate", "invite", tmp_path / "study.toml")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_a_password_from_a_file_and_one_made_up(study, ask, tmp_path):
    (tmp_path / "secret").write_text(f"{PASSWORD}\n", encoding="utf-8")
    assert run("rate", "password", study, "--password-file", tmp_path / "secret").returncode == 0
    assert ask(organisers.check_password, "organiser", PASSWORD).name == "organiser"
    made = run("rate", "password", study, "--generate", "--name", "second").stdout.strip()
    assert len(made) == 20
    assert ask(organisers.check_password, "second", made).name == "second"
    assert ask(organisers.check_password, "organiser", PASSWORD).name == "organiser"


def test_a_new_password_ends_the_old_one(study, ask):
    run("rate", "password", study, "--password-file", "-", text=PASSWORD)
    run("rate", "password", study, "--password-file", "-", text="another one entirely")
    with pytest.raises(AccessError):
        ask(organisers.check_password, "organiser", PASSWORD)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "there is no terminal to ask for the password; give --password-file or --generate"),
        (("--generate", "--password-file", "x"), "give either --generate or --password-file, not both"),
        (("--password-file", "-"), "a password has 8 to 1,024 characters, this one has 5"),
        (("--generate", "--name", " x"), "the name of an organiser has 1 to 64 printable characters"),
    ],
)
def test_passwords_that_are_refused(study, arguments, said):
    done = run("rate", "password", study, *arguments, text="short")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_rater_is_erased(study, ask):
    public = ann(ask).public
    done = run("rate", "remove", study, public, "--yes")
    assert (done.returncode, done.stderr) == (0, f"{public} and all their data are erased\n")
    assert ann(ask).removed is not None
    assert ann(ask).label == ""


def test_a_rater_is_taken_out_and_the_ratings_stay(study, ask):
    done = run("rate", "remove", study, ann(ask).public, "--keep-ratings")
    assert done.returncode == 0
    assert ann(ask).left is not None
    assert ann(ask).removed is None


def test_nobody_is_erased_without_being_asked(study, ask):
    done = run("rate", "remove", study, ann(ask).public)
    assert done.returncode == 2
    assert "give --yes if that is meant" in done.stderr
    assert ann(ask).removed is None


def test_an_unknown_rater_cannot_be_removed(study):
    done = run("rate", "remove", study, "nobody", "--yes")
    sentence = "plainwright: no rater 'nobody' in this study; `plainwright rate status` shows the raters\n"
    assert (done.returncode, done.stderr) == (2, sentence)


def at_terminal(*arguments: object, answers: dict[bytes, bytes]) -> tuple[int, bytes]:
    """Run the command on a terminal of its own, and answer its questions; status, and all that was shown."""
    master, slave = pty.openpty()
    command = ["setsid", "--ctty", "--wait", sys.executable, "-m", "plainwright", *map(str, arguments)]
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    shown, waiting = b"", dict(answers)
    try:
        while data := os.read(master, 4096):
            shown += data
            # The space behind a question comes last: what was typed before it, a hidden prompt throws away.
            for question in [question for question in waiting if question + b": " in shown]:
                os.write(master, waiting.pop(question) + b"\n")
    except OSError:  # the other side is closed
        pass
    os.close(master)
    return process.wait(timeout=60), shown


def test_a_password_is_asked_for_twice_and_not_shown(study, ask):
    answers = {b"New password": PASSWORD.encode(), b"Repeat for confirmation": PASSWORD.encode()}
    status, shown = at_terminal("rate", "password", study, answers=answers)
    assert status == 0
    assert PASSWORD.encode() not in shown
    assert ask(organisers.check_password, "organiser", PASSWORD).name == "organiser"


@pytest.mark.parametrize("typed", ["right", "wrong"])
def test_the_id_is_typed_before_anybody_is_erased(study, ask, typed):
    public = ann(ask).public
    answer = public if typed == "right" else "Ann"
    status, shown = at_terminal("rate", "remove", study, public, answers={b"id to erase everything": answer.encode()})
    assert (status, ann(ask).removed is not None) == ((0, True) if typed == "right" else (2, False))
    assert (b"nothing was erased" in shown) == (typed == "wrong")
