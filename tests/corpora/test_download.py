import gzip
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainwright import corpora
from plainwright.errors import DataError, FetchError

from .toys import make_card, make_entry, publish

TEXT = b"".join(b"Sentence number %d is short .\n" % i for i in range(9000))  # several network chunks


def fetch(card, **options):
    return corpora.fetch(card, **{"pause": 0.01, "timeout": 5.0, **options})


@pytest.fixture
def toy(server):
    card = make_card(make_entry("toy/text", TEXT))
    publish(server, card, [TEXT])
    return card


@pytest.fixture
def part(home):
    path = home / "toy" / "text.part"
    path.parent.mkdir()
    return path


def names(directory):
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())


LOCK = ".plainwright-fetch.lock"


class TestAllGoesWell:
    def test_files_arrive_under_their_names_and_nothing_else_stays(self, server, toy, home):
        (file,) = fetch(toy, directory=home, base_url=server.url)
        assert file.path == home / "toy" / "text"
        assert file.path.read_bytes() == TEXT
        assert file.downloaded
        assert names(home) == [LOCK, "toy/text"]

    def test_progress_never_falls_and_ends_at_the_total(self, server, home):
        card = make_card(make_entry("a", TEXT), make_entry("b", b"x\ny\n", role="reference"))
        publish(server, card, [TEXT, b"x\ny\n"])
        seen = []
        fetch(card, directory=home, base_url=server.url, progress=lambda *report: seen.append(report))
        done = [report[1] for report in seen]
        total = len(TEXT) + 4
        assert done == sorted(done)
        assert done[-1] == total
        assert {report[2] for report in seen} == {total}
        assert len(set(done)) > 3
        assert {report[0] for report in seen} == {"a", "b"}

    def test_an_intact_file_is_not_fetched_again(self, server, toy, home):
        fetch(toy, directory=home, base_url=server.url)
        (file,) = fetch(toy, directory=home, base_url=server.url)
        assert not file.downloaded
        assert len(server.requests) == 1

    def test_force_fetches_an_intact_file_again(self, server, toy, home):
        fetch(toy, directory=home, base_url=server.url)
        (file,) = fetch(toy, directory=home, base_url=server.url, force=True)
        assert file.downloaded
        assert len(server.requests) == 2

    def test_a_damaged_file_is_replaced(self, server, toy, home):
        (home / "toy").mkdir()
        (home / "toy" / "text").write_bytes(b"nonsense")
        fetch(toy, directory=home, base_url=server.url)
        assert (home / "toy" / "text").read_bytes() == TEXT

    def test_without_a_directory_it_goes_to_the_cache_and_is_found_there(self, server, toy, home):
        (file,) = fetch(toy, base_url=server.url)
        assert file.path == corpora.cache_directory() / "toy" / "text"
        assert corpora.locate(toy) == (file.path,)

    def test_without_a_directory_a_copy_elsewhere_counts(self, server, toy, home, monkeypatch):
        fetch(toy, directory=home, base_url=server.url)
        monkeypatch.setenv("PLAINWRIGHT_DATA", str(home))
        (file,) = fetch(toy, base_url=server.url)
        assert file.path == home / "toy" / "text"
        assert len(server.requests) == 1

    def test_the_mirror_may_come_from_the_environment(self, server, toy, home, monkeypatch):
        monkeypatch.setenv("PLAINWRIGHT_MIRROR", server.url + "/")
        fetch(toy, directory=home)
        assert server.requests == [(f"/some/one/{'0' * 40}/toy/text", None)]

    def test_names_with_odd_characters_survive(self, server, home):
        card = make_card(make_entry("toy/A^m", b"a\nb\n", upstream_path="out puts/A^m+é#?%41"))
        publish(server, card, [b"a\nb\n"])
        fetch(card, directory=home, base_url=server.url)
        assert (home / "toy" / "A^m").read_bytes() == b"a\nb\n"

    def test_what_was_fetched_loads(self, server, home):
        card = make_card(
            make_entry("toy/source", b"One .\nTwo .\n"),
            make_entry("toy/reference", b"1 .\n2 .\n", role="reference", reference=0),
            make_entry("toy/system", b"one .\ntwo .\n", role="output", system="S"),
        )
        publish(server, card, [b"One .\nTwo .\n", b"1 .\n2 .\n", b"one .\ntwo .\n"])
        fetch(card, directory=home, base_url=server.url)
        corpus = corpora.load(card, data=home)
        assert corpus.sources == ("One .", "Two .")
        assert corpus.references == (("1 .",), ("2 .",))
        assert corpus.systems == {"S": ("one .", "two .")}


class TestSteps:
    @pytest.mark.parametrize(
        ("step", "published", "stored"),
        [
            ("unix-line-ends", b"a\r\nb\r\n", b"a\nb\n"),
            ("one-line-end", b"a\nb \n\n", b"a\nb\n"),
            ("one-line-end", b"a\nb", b"a\nb\n"),
            ("lower", "Ä B\n".encode(), "ä b\n".encode()),
        ],
    )
    def test_the_published_form_becomes_the_one_we_read(self, server, home, step, published, stored):
        card = make_card(make_entry("toy/text", stored, published=published, prepare=step))
        publish(server, card, [published])
        fetch(card, directory=home, base_url=server.url)
        assert (home / "toy" / "text").read_bytes() == stored
        assert names(home) == [LOCK, "toy/text"]

    def test_text_may_be_stored_compressed(self, server, home):
        card = make_card(make_entry("toy/text.gz", TEXT, upstream_path="text", prepare="gzip"))
        publish(server, card, [TEXT])
        fetch(card, directory=home, base_url=server.url)
        assert gzip.decompress((home / "toy" / "text.gz").read_bytes()) == TEXT
        assert {status.state for status in corpora.verify(card, data=home)} == {"ok"}

    def test_a_step_with_another_result_than_the_card_says_is_an_error(self, server, home):
        card = make_card(make_entry("toy/text", b"a\nc\n", published=b"a\r\nb\r\n", prepare="unix-line-ends"))
        publish(server, card, [b"a\r\nb\r\n"])
        with pytest.raises(FetchError, match="after step 'unix-line-ends'"):
            fetch(card, directory=home, base_url=server.url)
        assert names(home) == [LOCK]


class TestResuming:
    def test_a_part_is_continued_where_it_ends(self, server, toy, home, part):
        part.write_bytes(TEXT[:1000])
        fetch(toy, directory=home, base_url=server.url)
        assert [asked for _, asked in server.requests] == ["bytes=1000-"]
        assert (home / "toy" / "text").read_bytes() == TEXT
        assert not part.exists()

    def test_a_server_that_ignores_ranges_starts_again(self, server, toy, home, part):
        server.ranges = False
        part.write_bytes(TEXT[:1000])
        fetch(toy, directory=home, base_url=server.url)
        assert (home / "toy" / "text").read_bytes() == TEXT

    def test_a_complete_part_needs_no_request(self, server, toy, home, part):
        part.write_bytes(TEXT)
        fetch(toy, directory=home, base_url=server.url)
        assert server.requests == []
        assert (home / "toy" / "text").read_bytes() == TEXT

    @pytest.mark.parametrize(
        "rest", [TEXT + b"more", b"x" * 1000, b"x" * len(TEXT)], ids=["long", "wrong", "wrong and complete"]
    )
    def test_a_part_of_something_else_is_dropped(self, server, toy, home, part, rest):
        part.write_bytes(rest)
        fetch(toy, directory=home, base_url=server.url)
        assert (home / "toy" / "text").read_bytes() == TEXT

    def test_a_dropped_connection_is_continued_at_once(self, server, toy, home):
        server.script = ["drop"]
        fetch(toy, directory=home, base_url=server.url)
        half = len(TEXT) // 2
        assert [asked for _, asked in server.requests] == [None, f"bytes={half}-"]
        assert (home / "toy" / "text").read_bytes() == TEXT

    def test_what_arrived_before_giving_up_serves_the_next_call(self, server, toy, home):
        server.script = ["drop", 503]
        with pytest.raises(FetchError, match="bytes that arrived are kept"):
            fetch(toy, directory=home, base_url=server.url, attempts=2)
        assert names(home) == [LOCK, "toy/text.part"]
        fetch(toy, directory=home, base_url=server.url)
        assert server.requests[-1][1] == f"bytes={len(TEXT) // 2}-"
        assert (home / "toy" / "text").read_bytes() == TEXT

    def test_another_range_than_asked_for_is_not_used(self, server, toy, home, part):
        server.script = ["wrong range"]
        part.write_bytes(TEXT[:1000])
        fetch(toy, directory=home, base_url=server.url)
        assert [asked for _, asked in server.requests] == ["bytes=1000-", None]
        assert (home / "toy" / "text").read_bytes() == TEXT

    def test_a_range_that_the_server_refuses_starts_again(self, server, toy, home, part):
        server.script = [416]
        part.write_bytes(TEXT[:1000])
        fetch(toy, directory=home, base_url=server.url)
        assert (home / "toy" / "text").read_bytes() == TEXT

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        kept=st.integers(0, 200),
        ranges=st.booleans(),
        script=st.lists(st.sampled_from(["drop", 500]), max_size=2),
    )
    def test_any_interruption_ends_in_the_same_file(self, server, home, kept, ranges, script):
        text = TEXT[:200]
        card = make_card(make_entry("toy/any", text))
        publish(server, card, [text])
        (home / "toy").mkdir(exist_ok=True)
        (home / "toy" / "any").unlink(missing_ok=True)
        (home / "toy" / "any.part").write_bytes(text[:kept])
        server.ranges, server.script = ranges, script
        fetch(card, directory=home, base_url=server.url, pause=0.0)
        assert (home / "toy" / "any").read_bytes() == text
        assert names(home / "toy") == ["any"]


class TestFailures:
    def refused(self, toy, home, server, pattern, **options):
        with pytest.raises(FetchError, match=pattern) as caught:
            fetch(toy, directory=home, base_url=server.url, **options)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    def test_a_wrong_digest_leaves_nothing(self, server, toy, home):
        publish(server, toy, [TEXT.replace(b"Sentence", b"sentence")])
        self.refused(toy, home, server, r"expected SHA-256 \w{64}, found \w{64}")
        assert names(home) == [LOCK]

    def test_a_wrong_digest_leaves_the_old_copy_alone(self, server, toy, home):
        fetch(toy, directory=home, base_url=server.url)
        publish(server, toy, [TEXT.replace(b"Sentence", b"sentence")])
        self.refused(toy, home, server, "SHA-256", force=True)
        assert (home / "toy" / "text").read_bytes() == TEXT

    def test_a_file_that_is_too_long_is_refused(self, server, toy, home):
        publish(server, toy, [TEXT + b"and more\n"])
        self.refused(toy, home, server, f"expected {len(TEXT):,} bytes, found {len(TEXT) + 9:,}")
        assert names(home) == [LOCK]

    def test_a_file_without_announced_length_is_cut_off_when_it_is_too_long(self, server, toy, home):
        publish(server, toy, [TEXT + b"and more\n"])
        server.script = ["no length"]
        self.refused(toy, home, server, f"expected {len(TEXT):,} bytes, found more")
        assert names(home) == [LOCK]

    def test_a_file_without_announced_length_is_fine(self, server, toy, home):
        server.script = ["no length"]
        fetch(toy, directory=home, base_url=server.url)
        assert (home / "toy" / "text").read_bytes() == TEXT

    def test_a_file_that_is_too_short_is_refused(self, server, toy, home):
        publish(server, toy, [TEXT[:-1]])
        self.refused(toy, home, server, f"expected {len(TEXT):,} bytes, found {len(TEXT) - 1:,}")
        assert names(home) == [LOCK]

    def test_not_found_is_final_and_names_address_and_status(self, server, toy, home):
        server.files.clear()
        message = self.refused(toy, home, server, "404 Not Found")
        assert f"{server.url}/some/one/" in message
        assert "--mirror" in message
        assert len(server.requests) == 1

    def test_a_server_error_is_tried_again_a_few_times(self, server, toy, home):
        server.script = [500] * 9
        self.refused(toy, home, server, "500 Internal Server Error, 3 attempts", attempts=3)
        assert len(server.requests) == 3

    def test_a_passing_server_error_is_survived(self, server, toy, home):
        server.script = [503, 429]
        fetch(toy, directory=home, base_url=server.url)
        assert (home / "toy" / "text").read_bytes() == TEXT

    def test_a_server_that_does_not_answer_is_given_up(self, server, toy, home):
        server.script = ["stall", "stall"]
        self.refused(toy, home, server, "did not answer in time, 2 attempts", attempts=2, timeout=0.2)

    def test_a_refused_connection_is_reported(self, server, toy, home):
        server.close()
        self.refused(toy, home, server, "connection refused", attempts=2)

    def test_something_that_is_no_web_server_is_reported(self, toy, home, monkeypatch):
        import socket

        monkeypatch.setenv("no_proxy", "127.0.0.1")
        with socket.create_server(("127.0.0.1", 0)) as listener:

            def talk():
                connection, _ = listener.accept()
                with connection:
                    connection.recv(1000)
                    connection.sendall(b"220 mail.example ESMTP\r\n")

            thread = threading.Thread(target=talk)
            thread.start()
            with pytest.raises(FetchError, match="BadStatusLine"):
                fetch(toy, directory=home, base_url=f"http://127.0.0.1:{listener.getsockname()[1]}", attempts=1)
            thread.join()

    def test_a_file_nobody_publishes_is_refused_before_any_request(self, server, home):
        card = make_card(make_entry("a", TEXT), make_entry("b", b"x\n", pinned=False, role="reference"))
        publish(server, make_card(card.files[0]), [TEXT])
        message = self.refused(card, home, server, "toy/test: b cannot be downloaded, no copy of some/one: b is pinned")
        assert str(home / "b") in message
        assert server.requests == []

    def test_a_converted_table_says_so(self, home):
        with pytest.raises(FetchError, match=r"converted from eliorsulem/SAMSA: Human_evaluation_benchmark\.ods"):
            fetch("samsa2018/ratings", directory=home)

    def test_a_damaged_copy_that_hides_the_cache_must_go_first(self, server, toy, home, monkeypatch):
        (home / "toy").mkdir()
        (home / "toy" / "text").write_bytes(b"nonsense")
        monkeypatch.setenv("PLAINWRIGHT_DATA", str(home))
        with pytest.raises(FetchError, match=f"--force --directory {home}"):
            fetch(toy, base_url=server.url)
        assert server.requests == []

    def test_a_file_in_the_way_of_the_directory_is_reported(self, server, toy, home):
        (home / "toy").write_text("in the way")
        self.refused(toy, home, server, "cannot be written .*--directory")

    def test_a_directory_in_the_way_of_the_file_is_reported(self, server, toy, home):
        (home / "toy" / "text").mkdir(parents=True)
        self.refused(toy, home, server, "cannot be written")

    @pytest.mark.parametrize(
        "mirror",
        ["file:///etc", "ftp://x/", "example.org", "http://", "http://a b/", "http://[", "http://x:y/"],
    )
    def test_a_mirror_that_is_no_web_address_is_refused(self, toy, home, mirror):
        with pytest.raises(DataError, match="mirror"):
            fetch(toy, directory=home, base_url=mirror)

    def test_an_exception_in_the_callback_keeps_the_part(self, server, toy, home):
        def stop(path, done, total):
            if done > 100_000:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fetch(toy, directory=home, base_url=server.url, progress=stop)
        assert names(home) == [LOCK, "toy/text.part"]
        assert (home / "toy" / "text.part").read_bytes() == TEXT[: (home / "toy" / "text.part").stat().st_size]


class TestTwoAtOnce:
    def test_threads_do_not_disturb_each_other(self, server, home):
        entries = [make_entry(f"toy/{k}", TEXT + b"%d" % k) for k in range(5)]
        card = make_card(*entries)
        publish(server, card, [TEXT + b"%d" % k for k in range(5)])
        with ThreadPoolExecutor(4) as pool:
            runs = list(pool.map(lambda _: fetch(card, directory=home, base_url=server.url), range(4)))
        assert len(server.requests) == 5
        assert sum(file.downloaded for run in runs for file in run) == 5
        assert names(home) == [LOCK, *(f"toy/{k}" for k in range(5))]

    def test_processes_do_not_disturb_each_other(self, server, toy, home):
        command = [sys.executable, "-c", PROCESS, str(home), server.url, TEXT.decode()[-200:]]
        server_text = TEXT[-200:]
        server.files[f"/some/one/{'0' * 40}/toy/text"] = server_text
        runs = [subprocess.Popen(command, cwd=Path(__file__).parents[2]) for _ in range(3)]
        assert [run.wait(60) for run in runs] == [0, 0, 0]
        assert (home / "toy" / "text").read_bytes() == server_text
        assert len(server.requests) == 1


PROCESS = """
import sys
from plainwright import corpora
from tests.corpora.toys import make_card, make_entry
home, url, text = sys.argv[1:]
corpora.fetch(make_card(make_entry("toy/text", text.encode())), directory=home, base_url=url)
"""

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
from plainwright import corpora
from plainwright.errors import FetchError
from tests.corpora.toys import make_card, make_entry
home, url, text = sys.argv[1:]
try:
    corpora.fetch(make_card(make_entry("toy/text", text.encode() * 9000)), directory=home, base_url=url)
except FetchError as error:
    print(error)
"""


class TestFullDisk:
    def expect(self, server, toy, directory, message):
        assert "more bytes are needed" in message
        kept = (directory / "toy" / "text.part").stat().st_size
        assert 0 < kept < len(TEXT)
        assert f"{len(TEXT) - kept:,} more bytes" in message
        assert names(directory) == [LOCK, "toy/text.part"]
        assert (directory / "toy" / "text.part").read_bytes() == TEXT[:kept]

    def test_a_full_file_system_keeps_what_fits_and_continues_when_there_is_room(self, server, toy, tmp_path, home):
        small = tmp_path / "small"
        small.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", str(small)]
        if sys.platform != "linux" or os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
            pytest.skip("needs the right to mount a small file system")
        try:
            with pytest.raises(FetchError, match="no space left on device") as caught:
                fetch(toy, directory=small, base_url=server.url)
            self.expect(server, toy, small, str(caught.value))
            kept = (small / "toy" / "text.part").stat().st_size
            subprocess.run(["mount", "-o", "remount,size=1m", str(small)], check=True)
            fetch(toy, directory=small, base_url=server.url)
            assert server.requests[-1][1] == f"bytes={kept}-"
            assert (small / "toy" / "text").read_bytes() == TEXT
        finally:
            subprocess.run(["umount", str(small)], check=True)

    def test_no_room_for_the_prepared_form_keeps_the_download(self, server, tmp_path, home):
        small = tmp_path / "small"
        small.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(small)]
        if sys.platform != "linux" or os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
            pytest.skip("needs the right to mount a small file system")
        card = make_card(make_entry("toy/text", TEXT.lower(), published=TEXT, prepare="lower"))
        publish(server, card, [TEXT])
        try:
            with pytest.raises(FetchError, match=f"no space left on device, {len(TEXT):,} more bytes"):
                fetch(card, directory=small, base_url=server.url)
            assert names(small) == [LOCK, "toy/text.part"]
            subprocess.run(["mount", "-o", "remount,size=1m", str(small)], check=True)
            fetch(card, directory=small, base_url=server.url)
            assert len(server.requests) == 1
            assert (small / "toy" / "text").read_bytes() == TEXT.lower()
        finally:
            subprocess.run(["umount", str(small)], check=True)

    @pytest.mark.skipif(sys.platform == "win32", reason="needs resource limits")
    def test_a_limit_on_file_size_is_reported_like_a_full_disk(self, server, home):
        line = "Some sentence of thirty bytes.\n"
        whole = line.encode() * 9000
        server.files[f"/some/one/{'0' * 40}/toy/text"] = whole
        command = [sys.executable, "-c", LIMITED, str(home), server.url, line]
        run = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=True)
        assert f"file too large, {len(whole) - 100_000:,} more bytes are needed" in run.stdout
        assert (home / "toy" / "text.part").read_bytes() == whole[:100_000]
        assert not (home / "toy" / "text").exists()


def test_only_fetch_loads_what_talks_to_the_network():
    code = (
        "import sys; from plainwright import corpora; corpora.cards(); corpora.verify('xu2016/outputs'); "
        "print([name for name in ('http.client', 'urllib.request', 'ssl', 'socket') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


UNDO = {
    "": lambda data: data,
    "gzip": lambda data: data,
    "unix-line-ends": lambda data: data.replace(b"\n", b"\r\n"),
}


def test_the_real_corpora_survive_the_way_through_a_mirror(server, home, monkeypatch):
    """Each published file is made from our copy where that is possible, served, fetched and compared."""
    monkeypatch.undo()
    cards = [card for card in corpora.cards() if card.fetchable and all(entry.prepare in UNDO for entry in card.files)]
    present = [card for card in cards if {status.state for status in corpora.verify(card)} == {"ok"}]
    if not present:
        pytest.skip("no registered corpus is on this machine")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    for card in present:
        contents = []
        for entry, path in zip(card.files, corpora.locate(card), strict=True):
            stored = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            contents.append(UNDO[entry.prepare](stored))
        publish(server, card, contents)
        fetch(card, directory=home, base_url=server.url)
        assert {(status.state, status.path.is_relative_to(home)) for status in corpora.verify(card, data=home)} == {
            ("ok", True)
        }
