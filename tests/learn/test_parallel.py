"""Lines of files that are read in blocks are those that the file has."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainwright.errors import DataError
from plainwright.grammar import rules
from plainwright.learn.parallel import read_text_lines

PIECES = st.sampled_from([b"a", b"\n", b"\r", b"\r\n", "é".encode(), b"\xff", b"\0", "\u2028".encode(), b"\n\n", b" "])


def lines_one_by_one(content: bytes) -> tuple[list[str], int | None]:
    """The lines that can be read, and the number of the first that is no UTF-8."""
    lines: list[str] = []
    for raw in content.removesuffix(b"\n").split(b"\n") if content else ():
        try:
            lines.append(raw.removesuffix(b"\r").decode("utf-8"))
        except UnicodeDecodeError:
            return lines, len(lines) + 1
    return lines, None


@given(st.lists(PIECES, max_size=30).map(b"".join), st.integers(2, 40))
@example(b"a\nb\n\xc3", 2)
def test_blocks_of_any_size_give_the_lines_of_the_file(tmp_path_factory, content, size):
    path = tmp_path_factory.mktemp("lines") / "text.gz"
    content = content.replace(b"\0", b"")
    path.write_bytes(gzip.compress(content))
    wanted, bad = lines_one_by_one(content)
    found: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "_BLOCK", size)
        reader = read_text_lines(path)
        if bad is None:
            assert list(reader) == wanted
            return
        with pytest.raises(DataError, match=rf"text\.gz:{bad}: UTF-8 text expected, found byte 0x"):
            found.extend(reader)
    assert found == wanted


def test_a_nul_byte_is_named_with_its_line(tmp_path):
    (tmp_path / "text").write_bytes(b"one\ntwo\0\n")
    with pytest.raises(DataError, match=r"text:2: expected text, found a NUL byte"):
        list(read_text_lines(tmp_path / "text"))
