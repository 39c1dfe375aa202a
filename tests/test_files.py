"""Files that lie about their size, never end or are no text: refused before they fill the memory."""

from __future__ import annotations

import gzip
import io
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.toy_set import write_set

from plainwright.errors import DataError
from plainwright.files import MAX_LINE, iter_lines, read_bytes, read_lines, read_text

TWO_GIGABYTES = 2 << 30


def run_limited(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command in a process that may take two gigabytes and a minute."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (TWO_GIGABYTES, TWO_GIGABYTES))

    return subprocess.run(
        [sys.executable, "-m", "plainwright", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=limit,
        env={"OPENBLAS_NUM_THREADS": "1"},
    )


def test_evaluate_refuses_a_device_that_never_ends(tmp_path: Path) -> None:
    toy = write_set(tmp_path)
    files = ("--source", toy / "source.txt", "--references", toy / "reference.0.txt")
    done = run_limited("evaluate", *files, "--outputs", "/dev/zero")
    assert done.returncode == 2
    assert done.stderr == (
        "plainwright: /dev/zero:1: expected text, found a NUL byte; is this a binary file, or UTF-16?\n"
    )


@pytest.mark.parametrize("read", [read_text, read_lines, lambda path: list(iter_lines(path))])
def test_no_reader_of_text_waits_for_the_end_of_a_device(read) -> None:
    with pytest.raises(DataError, match="/dev/zero:1: expected text, found a NUL byte"):
        read("/dev/zero")


def test_bytes_are_read_up_to_the_limit_and_no_further(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 5)
    assert read_bytes(tmp_path / "file", most=5) == b"x" * 5
    for path, most in ((tmp_path / "file", 4), ("/dev/zero", 3_000_000)):
        with pytest.raises(DataError, match=f"{path}: expected a file of at most {most:,} bytes, found more; is it"):
            read_bytes(path, most=most)


def test_the_limit_of_a_text_is_on_what_gzip_becomes(tmp_path: Path) -> None:
    path = tmp_path / "bomb.txt.gz"
    path.write_bytes(gzip.compress(b"a\n" * 500_000))
    assert path.stat().st_size < 5_000
    assert len(read_text(path, most=1_000_000)) == 1_000_000
    with pytest.raises(DataError, match=r"bomb.txt.gz: expected a file of at most 999,999 bytes, found more"):
        read_text(path, most=999_999)


def test_a_text_too_large_to_be_read_whole_is_to_be_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainwright.files.MAX_TEXT", 5)
    path = tmp_path / "text.txt"
    path.write_text("a b\nc d\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"5 bytes, found more; split it into several \(only `simplify` reads files of"):
        read_lines(path)
    assert list(iter_lines(path)) == ["a b", "c d"]


def test_a_line_without_an_end_is_refused_before_all_of_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "endless.txt"
    path.write_text("first\n" + "x" * (3 * MAX_LINE), encoding="utf-8")
    lines = iter_lines(path)
    assert next(lines) == "first"
    with pytest.raises(DataError, match=r"endless.txt:2: .* a line of more than 100,000 characters"):
        next(lines)


@given(st.text(alphabet="aé\U0001f600\r\n\ufeff\u2028", max_size=30).filter(bool))
def test_lines_are_those_of_the_whole_text_wherever_pieces_end(tmp_path_factory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "pieces.txt"
    # Behind so many bytes the text straddles the end of the first piece, which is 65,536 bytes long.
    for padding in (0, 65_520):
        content = "." * padding + text
        path.write_bytes(content.encode())
        whole = content.removeprefix("\ufeff")
        assert read_text(path) == whole
        expected = whole.split("\n")[: -1 if whole.endswith("\n") else None] if whole else None
        if expected is None:
            with pytest.raises(DataError, match="found an empty file"):
                read_lines(path)
        else:
            assert read_lines(path) == list(iter_lines(path)) == [line.removesuffix("\r") for line in expected]


def test_a_byte_order_mark_that_arrives_in_parts_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(1)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Slow("\ufeffé\n".encode())))
    assert read_lines("-") == ["é"]
