import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests import in_process

from plainwright import corpora
from plainwright.errors import CorpusMissingError


@pytest.fixture
def run(tmp_path):
    """Run `plainwright corpora …` with no data directory of the user in sight."""

    def call(*arguments, **variables):
        hidden = {"PLAINWRIGHT_DATA": None, "PLAINWRIGHT_MIRROR": None}
        environment = {**hidden, "XDG_CACHE_HOME": str(tmp_path / "cache"), "no_proxy": "127.0.0.1", **variables}
        return in_process.run("corpora", *arguments, env=environment)

    return call


@pytest.fixture
def damaged(tmp_path):
    """A data directory with one file of xu2016/outputs, damaged."""
    directory = tmp_path / "data"
    path = directory / corpora.get("xu2016/outputs").files[0].path
    path.parent.mkdir(parents=True)
    path.write_text("not what it should be\n")
    return directory


def test_list_is_tab_separated_when_piped_and_names_are_whole(run):
    done = run("list")
    assert done.returncode == 0
    header, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == ["name", "kind", "segments", "refs", "text", "licence", "where"]
    assert [row[0] for row in rows] == list(corpora.names())
    assert {len(row) for row in rows} == {7}


def test_list_of_one_kind_shows_only_that_kind(run):
    rows = [line.split("\t") for line in run("list", "--kind", "ratings").stdout.splitlines()[1:]]
    assert {row[1] for row in rows} == {"ratings"}


def test_list_gives_one_json_object_per_line(run):
    cards = [json.loads(line) for line in run("list", "--json").stdout.splitlines()]
    assert [card["name"] for card in cards] == list(corpora.names())
    assert {"kind", "segments", "references", "text", "licence", "where"} <= set(cards[0])


def test_list_fits_eighty_columns_on_a_terminal(run):
    pty = pytest.importorskip("pty")
    main, terminal = pty.openpty()
    with open(terminal, "w") as stdout:  # noqa: PTH123
        subprocess.run([sys.executable, "-m", "plainwright", "corpora", "list"], stdout=stdout, check=True, timeout=60)
    text = b""
    while chunk := os.read(main, 1 << 16):
        text += chunk
        if b"downloads." in text:
            break
    os.close(main)
    table = [line for line in text.decode().splitlines() if line and not line.startswith(("here:", "`"))]
    plain = [line.replace("\x1b[1m", "").replace("\x1b[0m", "") for line in table]
    assert max(map(len, plain)) <= 80
    for name in corpora.names():
        assert any(line.split()[:1] == [name] for line in plain)


def test_list_notices_a_file_of_the_wrong_size(run, damaged):
    rows = [line.split("\t") for line in run("list", "--data", damaged).stdout.splitlines()]
    assert [row[0] for row in rows if row[6] == "damaged"] == ["turkcorpus/test", "xu2016/outputs"]


def test_show_prints_all_of_the_card(run):
    done = run("show", "asset/test")
    assert done.returncode == 0
    for expected in (
        "CC-BY-NC-4.0 (non-commercial use only)",
        "@inproceedings{",
        "asset/test.simp.9",
        "sha256",
        "359",
    ):
        assert expected in done.stdout


def test_show_as_json_has_files_and_addresses(run):
    card = json.loads(run("show", "turkcorpus/test", "--json").stdout)
    assert len(card["files"]) == 14
    assert card["files"][0]["upstream"]["url"].startswith("https://raw.githubusercontent.com/cocoxu/simplification/")


@pytest.mark.parametrize("command", ["show", "path", "verify", "fetch"])
def test_an_unknown_name_suggests_the_nearest(run, command):
    done = run(command, "turkcorpus/tets")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "did you mean turkcorpus/test" in done.stderr
    assert done.stderr.count("\n") == 1


def test_path_of_a_missing_corpus_says_how_to_get_it(run):
    done = run("path", "asset/pairwise")
    assert done.returncode == 2
    assert "`plainwright corpora fetch asset/pairwise`" in done.stderr


def test_path_prints_one_file_per_line(run):
    try:
        paths = corpora.locate("xu2016/outputs")
    except CorpusMissingError as error:
        pytest.skip(str(error))
    done = run("path", "xu2016/outputs", "--data", paths[0].parents[2])
    assert done.stdout.splitlines() == [str(path) for path in paths]


def test_verify_needs_names_or_all(run):
    assert run("verify").returncode == 2
    assert run("verify", "asset/test", "--all").returncode == 2


def test_verify_of_a_missing_corpus_fails_only_when_it_was_named(run, tmp_path):
    named = run("verify", "asset/pairwise")
    assert named.returncode == 1
    assert named.stdout == "asset/pairwise\tmissing\t0/1 files\n"
    everything = run("verify", "--all")
    assert everything.returncode == 0
    assert "asset/pairwise\tmissing" in everything.stdout


@pytest.mark.parametrize("what", ["xu2016/outputs", "--all"])
def test_verify_of_a_damaged_file_fails_and_says_what_to_do(run, damaged, what):
    done = run("verify", what, "--data", damaged)
    assert done.returncode == 1
    assert "xu2016/outputs\tdamaged" in done.stdout
    assert "expected 39,319 bytes, found 22" in done.stderr
    assert f"fetch xu2016/outputs --force --directory {damaged}" in done.stderr


def test_verify_as_json_lists_the_files(run, damaged):
    done = run("verify", "xu2016/outputs", "--data", damaged, "--json")
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["state"] == "damaged"
    assert json.loads(line)["files"][0]["state"] == "damaged"


def test_a_data_directory_that_does_not_exist_is_an_error(run, tmp_path):
    done = run("list", "--data", tmp_path / "absent")
    assert done.returncode == 2
    assert "expected a data directory, found nothing" in done.stderr


@pytest.fixture
def mirror():
    """Serves what is put into `files`; 404 for all else."""

    class Handler(BaseHTTPRequestHandler):
        files = {}  # noqa: RUF012

        def do_GET(self):
            data = self.files.get(self.path)
            if data is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", Handler.files
    server.shutdown()
    thread.join()
    server.server_close()


def test_fetch_of_what_the_mirror_does_not_have_is_one_sentence(run, mirror, tmp_path):
    done = run("fetch", "hsplit/outputs", "--mirror", mirror[0], "--directory", tmp_path / "data")
    assert done.returncode == 2
    assert done.stdout == ""
    note, error = done.stderr.splitlines()
    assert note.startswith("hsplit/outputs: downloading ")
    assert "404 Not Found" in error


def test_fetch_downloads_verifies_and_says_where(run, mirror, tmp_path):
    try:
        paths = corpora.locate("hsplit/outputs")
    except CorpusMissingError as error:
        pytest.skip(str(error))
    url, files = mirror
    card = corpora.get("hsplit/outputs")
    for entry, path in zip(card.files, paths, strict=True):
        files[entry.upstream.url("")] = path.read_bytes()
    home = tmp_path / "data"
    done = run("fetch", "hsplit/outputs", "--directory", home, PLAINWRIGHT_MIRROR=url)
    assert done.returncode == 0
    assert done.stdout == f"hsplit/outputs\t{home}\n"
    assert "4 of 4 files downloaded" in done.stderr
    again = run("fetch", "hsplit/outputs", "--directory", home, "--quiet", "--mirror", "http://127.0.0.1:1")
    assert (again.returncode, again.stderr) == (0, "")
    assert run("verify", "hsplit/outputs", "--data", home).returncode == 0


def test_fetch_refuses_a_mirror_that_is_no_web_address(run, tmp_path):
    done = run("fetch", "hsplit/outputs", "--mirror", "file:///etc", "--directory", tmp_path)
    assert done.returncode == 2
    assert "expected the start of an address" in done.stderr
