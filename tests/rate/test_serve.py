"""`plainwright rate serve` as a process: it answers, refuses bad settings in one sentence, and stops cleanly."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from tests.rate.browser import personal_link
from tests.rate.conftest import NOW
from tests.rate.studies import small_study

from plainwright.errors import DataError
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import load_settings, save_study
from plainwright.rate.study_file import StudyFile, read_study_file

pytest.importorskip("uvicorn")

from plainwright.rate.web.serving import serve

STUDY = """
[study]
title = "{title}"
form = "rank"
instructions = "instructions.md"
"""


@pytest.fixture
def study(tmp_path: Path) -> StudyFile:
    """A study on disk, with its database."""
    (tmp_path / "instructions.md").write_text("Read, then rate.", encoding="utf-8")
    path = tmp_path / "study.toml"
    path.write_text(STUDY.format(title="First title"), encoding="utf-8")
    study = read_study_file(path)
    _, items = small_study()
    database = Database.create(study.database)
    with database.writing() as connection:
        save_study(connection, study.settings, items, NOW)
    database.close()
    return study


def started(study: StudyFile, *options: str) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "plainwright", "rate", "serve", str(study.path), "--port", "0", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert server.stdout
    line = server.stdout.readline()
    address = re.search(r"http://\S+/", line)
    if address is None:
        raise AssertionError(line + server.communicate(timeout=30)[0])
    return server, address[0]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_and_stops_cleanly(study: StudyFile, stop: signal.Signals):
    server, address = started(study, "--prefix", "study")
    with server:
        with urllib.request.urlopen(address + "healthz", timeout=10) as reply:
            assert reply.read() == b"ok\n"
        with urllib.request.urlopen(address, timeout=10) as reply:
            assert b"First title" in reply.read()
            assert reply.headers["server"] is None
        server.send_signal(stop)
        output = server.communicate(timeout=30)[0]
    assert server.returncode == 0
    assert output.endswith("Stopped. Everything is saved.\n")
    assert not Path(f"{study.path.parent}/study.db-wal").exists()  # all of it is in the file


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_nothing_secret_is_shown_and_refusals_are(study: StudyFile):
    database = Database.open(study.database)
    _, token = personal_link(database, time.time())
    database.close()
    server, address = started(study)
    with server:
        urllib.request.urlopen(f"{address}join/{token}", timeout=10).close()
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(f"{address}join/wrong-token", timeout=10)
        server.terminate()
        output = server.communicate(timeout=30)[0]
    assert token not in output
    assert "wrong-token" not in output
    assert "plainwright.rate.security: refused 404 unknown GET /join/" in output


def test_wording_changes_at_the_next_start(study: StudyFile):
    study.path.write_text(STUDY.format(title="Second title"), encoding="utf-8")
    with pytest.raises(DataError, match="--port"):  # after the wording was taken over
        serve(read_study_file(study.path), port=70000)
    database = Database.open(study.database)
    with database.reading() as connection:
        assert load_settings(connection).title == "Second title"
    database.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "rating.example"])
def test_no_plain_http_for_other_machines(study: StudyFile, host: str):
    with pytest.raises(DataError, match=r"expected HTTPS.*--insecure-http"):
        serve(study, host=host)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"port": -1}, "--port: expected a number from 0 to 65535, found -1"),
        ({"host": "no such host", "https": True}, "--host: expected a name or address"),
        ({"host": "192.0.2.1", "https": True, "port": 0}, "192.0.2.1:0: "),
        ({"prefix": "/a b"}, "prefix '/a b'"),
    ],
)
def test_settings_that_cannot_work(study: StudyFile, options, message: str):
    with pytest.raises(DataError, match=re.escape(message)):
        serve(study, **options)


def test_a_port_in_use_is_told(study: StudyFile):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(DataError, match=rf"127\.0\.0\.1:{port}: .*choose another port with --port"):
            serve(study, port=port)
