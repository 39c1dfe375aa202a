"""Archives of strangers: one sentence for whatever is wrong with them."""

import io
import sys
import zipfile
from contextlib import suppress

import pytest
from tests.documents.archives import members, packed, replacing, run, word, word_members

from plainwright.documents import archive as archives
from plainwright.documents import format_named, parse_document
from plainwright.documents.archive import Archive
from plainwright.documents.docx import read
from plainwright.errors import DataError, MissingExtraError, PlainwrightError

GOOD = word(f"<w:p>{run('We utilize it.')}</w:p>")


def encrypted(data: bytes) -> bytes:
    """Set the flag of encryption in every header, as a password does."""
    changed = bytearray(data)
    for mark, flag in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.find(mark)
        while place >= 0:
            changed[place + flag] |= 1
            place = data.find(mark, place + 1)
    return bytes(changed)


def twice() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document1.xml", "a")
        archive.writestr("word/document2.xml", "b")
    return buffer.getvalue().replace(b"document2", b"document1")


BOMB = (
    '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]><a>&d;</a>'
)
FILE = '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>'


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (b"Dear Sir or Madam", "something else"),
        (b"%PDF-1.4", "a PDF"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "one with a password"),
        (GOOD[: len(GOOD) // 2], "a damaged archive"),
        (encrypted(GOOD), "one with a password"),
        (twice(), "two members of one name"),
        (packed({"../../evil": "x"}), "'../../evil' would be written outside"),
        (packed({"/etc/passwd": "x"}), "'/etc/passwd' would be written outside"),
        (packed({"C:\\evil": "x"}), "would be written outside"),
        (packed({"hello.txt": "x"}), "an archive without one"),
        (packed(word_members("") | {"word/document.xml": "<w:document"}), "damaged XML in word/document.xml"),
        (packed(word_members("") | {"word/document.xml": ""}), "damaged XML in word/document.xml"),
        (packed(word_members("") | {"word/document.xml": "<html/>"}), "something else in word/document.xml"),
        (packed(word_members("") | {"word/document.xml": BOMB}), "a document type in word/document.xml"),
        (packed(word_members("") | {"word/document.xml": FILE}), "a document type in word/document.xml"),
        (packed(word_members("") | {"word/document.xml": "<a>" * 5000}), "damaged XML in word/document.xml"),
    ],
)
def test_bad_archives_are_refused_in_one_sentence(data: bytes, found: str) -> None:
    with pytest.raises(DataError, match=r"^letter\.docx: expected a Word document, found ") as error:
        read(data, "letter.docx")
    assert found in str(error.value)
    assert "\n" not in str(error.value)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = packed({f"word/{number}.xml": bytes(1 << 20) for number in range(3)})
    assert len(bomb) < 10_000
    monkeypatch.setattr(archives, "MAX_UNPACKED", 1 << 21)
    monkeypatch.setattr(zipfile.ZipFile, "open", None)
    with pytest.raises(DataError, match="found 3,145,728 bytes when unpacked; at most 2,097,152 are read"):
        Archive(bomb, "bomb.docx", kind="a Word document")


def test_a_giant_part_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_PART", 1000)
    with pytest.raises(DataError, match=r"in word/document\.xml; at most 1,000 are read, so split the document"):
        read(word(f"<w:p>{run('word ' * 300)}</w:p>"), "a.docx")


def test_too_many_members_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    with pytest.raises(DataError, match="at most 3 are read"):
        read(GOOD, "a.docx")


def test_a_member_whose_bytes_do_not_fit_its_checksum_is_found_before_anything_is_written() -> None:
    data = bytearray(GOOD)
    place = GOOD.index(b"word/media/image1.png") + len("word/media/image1.png")
    data[place + 3] ^= 0xFF
    document = read(bytes(data), "a.docx")
    with pytest.raises(DataError, match=r"'word/media/image1\.png' is damaged"):
        document.changed(replacing(document, ("utilize", "use")))


def test_macros_pass_through_inert() -> None:
    macro = b"Sub AutoOpen()"
    document = read(
        packed(word_members(f"<w:p>{run('We utilize it.')}</w:p>") | {"word/vbaProject.bin": macro}), "a.docm"
    )
    assert members(document.changed(replacing(document, ("utilize", "use"))))["word/vbaProject.bin"] == macro


def test_damaged_documents_never_end_in_anything_but_our_errors() -> None:
    """One byte in every ten is changed in turn; what can still be read must also be written."""
    for place in range(0, len(GOOD), 10):
        data = bytearray(GOOD)
        data[place] ^= 0x5A
        with suppress(PlainwrightError):
            document = read(bytes(data), "a.docx")
            document.changed(replacing(document, ("utilize", "use")))


@pytest.mark.parametrize("module", ["lxml", "pypdf"])
def test_without_the_extra_one_sentence_says_how_to_get_it(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    data, known = (GOOD, "docx") if module == "lxml" else (b"%PDF-1.4", "pdf")
    with pytest.raises(
        MissingExtraError, match=rf"needs {module}; install it with `pip install 'plainwright\[documents\]'`"
    ):
        parse_document(data, format_named(known), "a")
