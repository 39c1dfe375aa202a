"""Keys, and counts of requests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest
from tests import in_process
from tests.rate.serving import served

from plainwright.errors import DataError
from plainwright.serve.app import create_app
from plainwright.serve.keys import KeyRing, add_key
from plainwright.serve.settings import ServeSettings
from plainwright.serve.work import Work


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return tmp_path / "keys.txt"


@pytest.fixture
def closed(model, keys: Path) -> Iterator[tuple[httpx.Client, str]]:
    """A server that needs a key, and a key."""
    key = add_key(keys, "anna")
    work = Work(ServeSettings(model=model, keys=keys))
    with served(create_app(work)) as address, httpx.Client(base_url=address) as client:
        yield client, key
    work.close()


def test_who_has_a_key_is_answered(closed):
    client, key = closed
    text = {"text": "They purchase it."}
    for given, status in ((f"Bearer {key}", 200), (f"bearer {key}", 200), ("Bearer x", 401), (key, 401), ("", 401)):
        done = client.post("/v1/simplify", json=text, headers={"authorization": given})
        assert done.status_code == status, given
    refused = client.post("/v1/documents?name=a.md", content=b"a" * 1000)
    assert refused.json()["error"] == {
        "reason": "key",
        "message": "this server needs a key: Authorization: Bearer KEY",
    }
    assert refused.headers["www-authenticate"] == "Bearer"


def test_editors_send_their_key_as_to_languagetool(closed):
    client, key = closed
    text = {"text": "They purchase it.", "language": "en-US"}
    assert client.post("/v2/check", data={**text, "username": "anna", "apiKey": key}).status_code == 200
    refused = client.post("/v2/check", data={**text, "apiKey": "x"})
    assert (refused.status_code, refused.text) == (403, "Error: This server needs a key as 'apiKey' parameter")


def test_what_takes_no_text_is_open(closed):
    client, _ = closed
    for path in ("/", "/health", "/v2/languages", "/v2/info"):
        assert client.get(path).status_code == 200, path
    assert client.get("/metrics").status_code == 401


def test_only_the_digest_of_a_key_is_kept(keys):
    key = add_key(keys, "anna")
    other = add_key(keys, "ben")
    assert key not in keys.read_text()
    assert [line.split()[0] for line in keys.read_text().splitlines()] == ["anna", "ben"]
    ring = KeyRing.read(keys)
    assert (ring.admits(key), ring.admits(other), ring.admits(""), ring.admits("\ud800")) == (True, True, False, False)
    assert KeyRing.read(None).admits("")


def test_an_empty_file_of_keys_lets_nobody_in(keys):
    keys.write_text("# nobody yet\n\n")
    assert not KeyRing.read(keys).admits("")


@pytest.mark.parametrize(("name", "message"), [("anna", "has a key already"), ("a b", "expected a name")])
def test_names_of_keys_are_names_and_stand_once(keys, name, message):
    add_key(keys, "anna")
    with pytest.raises(DataError, match=message):
        add_key(keys, name)


def test_a_damaged_file_of_keys_is_told_by_its_line(keys, model):
    keys.write_text("anna sha256:abc\n")
    with pytest.raises(DataError, match=r"keys\.txt:1: expected a name and sha256"):
        create_app(Work(ServeSettings(model=model, keys=keys)))


def test_the_command_makes_a_key(keys):
    done = in_process.run("serve", "--new-key", "anna", "--keys", str(keys), text="")
    assert done.returncode == 0
    assert KeyRing.read(keys).admits(done.stdout.strip())
    alone = in_process.run("serve", "--new-key", "anna", text="")
    assert (alone.returncode, alone.stderr) == (2, "plainwright: --new-key: expected --keys FILE with it, found none\n")


def test_requests_are_counted_by_path_and_status(model):
    work = Work(ServeSettings(model=model))
    with served(create_app(work)) as address, httpx.Client(base_url=address) as client:
        client.post("/v1/simplify", json={"text": "They purchase it."})
        client.post("/v1/simplify", json={})
        client.get('/secret"words')
        counted = client.get("/metrics").text
    work.close()
    assert 'plainwright_requests_total{path="/v1/simplify",status="200"} 1\n' in counted
    assert 'plainwright_requests_total{path="/v1/simplify",status="400"} 1\n' in counted
    assert 'plainwright_requests_total{path="other",status="404"} 1\n' in counted
    assert "plainwright_under_way 0\n" in counted
    assert "secret" not in counted
