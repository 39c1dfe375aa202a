"""Plain text as a document, and what every document has in common."""

import sys

import pytest

from plainwright.documents import Block, Change, check_changes, format_named, parse_document, read_document, reading
from plainwright.errors import DataError, LengthMismatchError, MissingExtraError, UnknownNameError


def written(folder, data, name="letter.txt"):
    path = folder / name
    path.write_bytes(data)
    return read_document(path)


def test_every_paragraph_is_a_block(tmp_path):
    document = written(tmp_path, b"One line.\nAnother.\n\n \n  Indented here.\n\n---\n")
    assert [block.text for block in document.blocks] == ["One line.\nAnother.", "Indented here."]


@pytest.mark.parametrize(
    "data", [b"", b"\n\n", b"\xef\xbb\xbfText.\r\n\r\nMore.\r\n", b"No end", "Zürich.\n\n東京。".encode()]
)
def test_without_changes_the_bytes_come_back(tmp_path, data):
    document = written(tmp_path, data)
    assert document.changed([()] * len(document.blocks)) == data


def test_changes_leave_byte_order_mark_and_line_ends_alone(tmp_path):
    document = written(tmp_path, b"\xef\xbb\xbfWe utilise it.\r\n\r\n  We\r\ncommence.\r\n")
    changes = [[Change(3, 10, "use")], [Change(4, 12, "start")]]
    assert document.changed(changes) == b"\xef\xbb\xbfWe use it.\r\n\r\n  We\r\nstart.\r\n"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ([Change(3, 99, "")], "inside its text"),
        ([Change(5, 6, ""), Change(0, 1, "")], "from left to right"),
        ([Change(8, 9, "")], "fixed"),
        ([Change(1, 4, "")], "joint"),
    ],
)
def test_a_change_that_does_not_fit_is_refused(changes, problem):
    block = Block("some code()", "paragraph", fixed=((5, 11),), joints=(2,))
    if problem == "from left to right":
        block = Block("some code()", "paragraph")
    with pytest.raises(DataError, match=problem):
        check_changes([block], [changes])


def test_changes_are_given_for_every_block(tmp_path):
    with pytest.raises(LengthMismatchError):
        written(tmp_path, b"Text.").changed([])


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"%PDF-1.7\n", "a PDF"),
        (b"PK\x03\x04....", "a zip archive"),
        (b"\xd0\xcf\x11\xe0....", "save it as .docx without a password"),
        (b"\xff\xfeT\0", "UTF-16"),
        (b"a\0b", "NUL"),
        (b"caf\xe9", "0xe9"),
    ],
)
def test_what_is_no_text_is_refused_in_a_sentence(tmp_path, data, found):
    with pytest.raises(DataError, match=found) as error:
        written(tmp_path, data)
    assert "\n" not in str(error.value)


def test_an_unknown_format_is_named(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"Text.")
    with pytest.raises(UnknownNameError, match="did you mean text"):
        read_document(tmp_path / "a.txt", as_format="txt")


def test_a_giant_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(reading, "LARGEST", 10)
    with pytest.raises(DataError, match=r"expected Markdown of at most 10 bytes, found 12; split it"):
        parse_document(b"twelve bytes", format_named("markdown"), "book.md")


def test_a_missing_package_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "tree_sitter", None)
    for name in ("markdown", "markdown_prose"):
        monkeypatch.delitem(sys.modules, f"plainwright.documents.{name}", raising=False)
    with pytest.raises(MissingExtraError, match=r"reading Markdown needs tree-sitter; install it with `pip install"):
        parse_document(b"text", format_named("markdown"), "book.md")
