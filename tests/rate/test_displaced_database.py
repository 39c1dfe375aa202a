"""A database that is moved, removed or replaced under a running server: nothing is acknowledged that will not be found.

The attacks are scripts of requests, first in this process, then on `rate serve` with raters at work.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from sqlalchemy import event, select
from tests.rate.browser import Browser, Clock, cards_and_version, personal_link
from tests.rate.conftest import NOW
from tests.rate.load import Record, rate_together
from tests.rate.running import Server, counted, invite, make_study, serving
from tests.rate.studies import small_study

from plainwright.errors import DataError, StorageError
from plainwright.rate.store import organisers, people, schema
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import save_study
from plainwright.rate.web.app import create_app

pytest.importorskip("starlette")

COMPANIONS = ("-wal", "-shm")
SENTENCE = "ratings are not saved until it is back"


class Stage:
    """A study that is served, a rater at the first task, and an organiser who is logged in."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "study.db"
        self.database = Database.create(f"sqlite:///{self.path}")
        settings, items = small_study(instructions="")
        with self.database.writing() as connection:
            save_study(connection, settings, items, NOW)
            organisers.set_password(connection, "ada", "correct horse")
        app = create_app(self.database, now=Clock(NOW))
        self.rater, self.organiser = Browser(app), Browser(app)
        self.task = self.rater.begin(personal_link(self.database, NOW)[1])
        self.organiser.get("/organiser/login")
        self.organiser.submit("/organiser/login", name="ada", password="correct horse")
        assert self.organiser.path == "/organiser"
        self.kept = 0

    def score(self, key: str) -> httpx.Response:
        """The rater scores the first output."""
        card = cards_and_version(self.database, self.task)[0][0]
        scored = {"kind": "score", "card": card, "aspect": "overall", "value": 50 + self.kept}
        reply = self.rater.send(self.task, scored, base=self.kept, keys=[key])
        self.kept += reply.status_code == 200
        return reply


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    folder = tmp_path / "study"
    folder.mkdir()
    made = Stage(folder)
    yield made
    made.database.close()


def remove(path: Path) -> None:
    path.unlink()


def remove_all(path: Path) -> None:
    for suffix in ("", *COMPANIONS):
        Path(f"{path}{suffix}").unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("away.db"))


def move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("away"))


def restore_backup(path: Path) -> None:
    """As it stands in the documentation, but for stopping the server."""
    copy = path.with_name("copy.db")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    remove_all(path)
    copy.rename(path)


def replace_by_copy(path: Path) -> None:
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    copy.replace(path)


def replace_by_nothing(path: Path) -> None:
    path.unlink()
    path.touch()


def remove_log(path: Path) -> None:
    Path(f"{path}-wal").unlink()


def remove_index(path: Path) -> None:
    Path(f"{path}-shm").unlink()


ATTACKS = [
    remove,
    remove_all,
    move,
    move_folder,
    restore_backup,
    replace_by_copy,
    replace_by_nothing,
    remove_log,
    remove_index,
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_is_acknowledged_into_a_file_that_is_not_the_study(
    stage: Stage, attack: Callable[[Path], None], caplog: pytest.LogCaptureFixture
):
    assert stage.score("first-".ljust(20, "x")).status_code == 200
    attack(stage.path)
    present = sorted(stage.path.parent.parent.rglob("*"))
    caplog.clear()
    for number in range(3):
        reply = stage.score(f"lost-{number}".ljust(20, "x"))
        assert (reply.status_code, reply.json()["reason"]) == (503, "storage")
        assert "may not be kept" in reply.json()["error"]
        assert str(stage.path) not in reply.text  # raters are not told where things are
    assert any(r.name == "plainwright.rate" and SENTENCE in r.message for r in caplog.records)
    with pytest.raises(StorageError, match=SENTENCE), stage.database.writing() as connection:
        people.add_rater(connection, "", NOW)
    assert sorted(stage.path.parent.parent.rglob("*")) == present  # no empty database in its place


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_event_whose_file_goes_during_the_commit_is_refused(stage: Stage, attack: Callable[[Path], None]):
    """SQLAlchemy calls who listens right before it has the driver commit, so after the first look at the files."""
    assert stage.score("first-".ljust(20, "x")).status_code == 200
    event.listen(stage.database._engines.writing, "commit", lambda _: attack(stage.path), once=True)
    reply = stage.score("during-".ljust(20, "x"))
    assert (reply.status_code, reply.json()["reason"]) == (503, "storage")


def test_an_event_refused_during_the_commit_counts_once_if_the_file_comes_back(stage: Stage):
    event.listen(stage.database._engines.writing, "commit", lambda _: move(stage.path), once=True)
    assert stage.score("during-".ljust(20, "x")).status_code == 503
    stage.path.with_name("away.db").rename(stage.path)
    assert stage.score("during-".ljust(20, "x")).status_code == 200  # as the page sends it again
    with stage.database.reading() as connection:
        assert connection.scalars(select(schema.events.c.key)).all() == ["during-".ljust(20, "x")]


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_organiser_is_told(stage: Stage, attack: Callable[[Path], None]):
    assert SENTENCE not in stage.organiser.get("/organiser").text
    attack(stage.path)
    for path in ("/organiser", "/organiser/log", "/organiser/results"):
        page = stage.organiser.get(path)
        assert page.status_code == 200
        assert "Ratings are not being saved" in page.text
        assert SENTENCE in page.text
    refused = stage.organiser.post("/organiser/study", open="no")
    assert refused.status_code == 503
    assert SENTENCE in refused.text


def test_a_file_that_comes_back_is_gone_on_with(stage: Stage):
    assert stage.score("first-".ljust(20, "x")).status_code == 200
    move(stage.path)
    assert stage.score("second-".ljust(20, "x")).status_code == 503
    stage.path.with_name("away.db").rename(stage.path)
    assert stage.score("second-".ljust(20, "x")).status_code == 200  # as the page sends it again
    assert SENTENCE not in stage.organiser.get("/organiser").text
    with closing(Database.open(f"sqlite:///{stage.path}")) as other, other.reading() as connection:
        assert connection.scalars(select(schema.events.c.key).order_by(schema.events.c.number)).all() == [
            "first-".ljust(20, "x"),
            "second-".ljust(20, "x"),
        ]


def test_new_connections_do_not_go_to_another_file(stage: Stage):
    """The pool opens connections when many read at once."""
    restore_backup(stage.path)
    stage.database._engines.reading.dispose()
    with pytest.raises(StorageError, match=SENTENCE), stage.database.reading() as connection:
        connection.exec_driver_sql("SELECT 1")


def test_a_link_to_a_database_is_followed(tmp_path: Path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "real.db").touch()
    (tmp_path / "study.db").symlink_to(tmp_path / "disk" / "real.db")
    with closing(Database.create(f"sqlite:///{tmp_path / 'study.db'}")) as database:
        with database.writing() as connection:
            people.add_rater(connection, "", NOW)
        (tmp_path / "disk" / "real.db-wal").unlink()
        with pytest.raises(StorageError, match=SENTENCE), database.writing() as connection:
            people.add_rater(connection, "", NOW)


# A study that is made where another was


@pytest.mark.parametrize("empty", [False, True])
@pytest.mark.parametrize("left", COMPANIONS)
def test_a_new_database_is_not_put_beside_the_remains_of_another(tmp_path: Path, left: str, empty: bool):
    """SQLite would take them for its own: the new database was then empty, or could not be read."""
    path = tmp_path / "study.db"
    if empty:
        path.touch()
    Path(f"{path}{left}").write_bytes(b"ratings")
    with pytest.raises(DataError, match=rf"study\.db{left}: .* stop the server .* or remove study\.db{left}$"):
        Database.create(f"sqlite:///{path}")
    assert Path(f"{path}{left}").read_bytes() == b"ratings"
    assert path.exists() == empty


# The whole, as processes


def plainwright(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "plainwright", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


async def rated_until_displaced(server: Server, folder: Path, attack: Callable[[Path], None], record: Record) -> Any:
    """Raters at work; then the attack, then `rate init`; then raters go on. What `rate init` said."""
    links, enough = invite(f"sqlite:///{folder / 'study.db'}", 5), asyncio.Event()
    raters = asyncio.create_task(rate_together(server.port, links, record, enough, think=0.01, arriving=0))
    while len(record.acknowledged) < 50:
        await asyncio.sleep(0.01)
    attack(folder / "study.db")
    made = await asyncio.to_thread(plainwright, folder, "rate", "init", "study.toml")
    seen = len(record.refusals)
    while len(record.refusals) < seen + 20 and not raters.done():
        await asyncio.sleep(0.01)
    enough.set()
    await asyncio.gather(raters, return_exceptions=True)
    return made


@pytest.mark.parametrize("attack", [remove, remove_all])
def test_a_study_made_anew_beside_a_running_server_is_whole_or_not_there(
    tmp_path: Path, attack: Callable[[Path], None]
):
    folder = tmp_path / "study"
    make_study(folder, items=20, outputs=4, raters_per_item=5)
    assert "stop the server first" in (folder / "study.toml").read_text(encoding="utf-8")
    record = Record()
    with serving(folder) as server:
        made = asyncio.run(rated_until_displaced(server, folder, attack, record))
    assert any("503" in refusal for refusal in record.refusals)
    assert "Everything is saved" not in server.log
    assert SENTENCE in server.log
    status = plainwright(folder, "rate", "status", "study.toml")
    if attack is remove:
        assert made.returncode == 2
        assert "stop the server of this study" in made.stderr
        assert not (folder / "study.db").exists()
        assert "no such database" in status.stderr
    else:
        assert made.returncode == 0, made.stderr
        assert (status.returncode, status.stderr) == (0, "")
        assert "0 of 100 pages done" in status.stdout
    # And what was acknowledged before is in the copy that the server left.
    rescued = counted(f"sqlite:///{folder / 'study.db.rescued'}", record)
    assert rescued.sound, rescued
