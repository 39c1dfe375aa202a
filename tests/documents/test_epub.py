"""EPUB books: pages change, and everything else stays."""

import zipfile
from io import BytesIO

import pytest
from tests.documents.archives import members, packed, replacing

from plainwright.documents import read_document
from plainwright.documents.epub import read
from plainwright.errors import DataError

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile '
    'full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
PACKAGE = """<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>
<manifest>
<item id="two" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="css" href="style.css" media-type="text/css"/>
</manifest>
<spine><itemref idref="one"/><itemref idref="nav"/><itemref idref="two"/><itemref idref="gone"/></spine></package>"""


def page(body: str, head: str = "<title/>") -> str:
    return f'<html xmlns="http://www.w3.org/1999/xhtml"><head>{head}<script src="x"/></head><body>{body}</body></html>'


def book_members() -> dict[str, str | bytes]:
    return {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": PACKAGE,
        "OEBPS/text/two b.xhtml": '<?xml version="1.0"?>\r\n' + page("<p>They utilize it&#160;too.</p>"),
        "OEBPS/text/one.xhtml": page("<h1>How to\n utilize it</h1><a id='x'/><p>We <b>utilize</b> it &amp; go.</p>"),
        "OEBPS/nav.xhtml": page("<nav><ol><li><a href='x'>How to utilize it</a></li></ol></nav>"),
        "OEBPS/style.css": "p {}",
        "OEBPS/font.ttf": b"\x00\x01",
    }


def test_pages_are_read_in_the_order_of_the_book() -> None:
    document = read(packed(book_members()), "a.epub")
    assert [(block.kind, " ".join(block.text.split())) for block in document.blocks] == [
        ("heading", "How to utilize it"),
        ("paragraph", "We utilize it & go."),
        ("paragraph", "They utilize it too."),
    ]


def test_a_book_without_changes_comes_back_byte_for_byte() -> None:
    data = packed(book_members())
    assert read(data, "a.epub").changed([[], [], []]) == data


def test_only_the_words_that_change_differ() -> None:
    data = packed(book_members())
    document = read(data, "a.epub")
    changed = document.changed(replacing(document, ("utilize", "use")))
    before, after = members(data), members(changed)
    assert list(before) == list(after)
    for name in before:
        plainer = name.startswith("OEBPS/text/")
        assert after[name] == (before[name].replace(b"utilize", b"use") if plainer else before[name]), name
    with zipfile.ZipFile(BytesIO(changed)) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type, first.header_offset) == ("mimetype", zipfile.ZIP_STORED, 0)


def test_fonts_may_be_encrypted_and_pages_may_not(tmp_path) -> None:
    def encryption(path: str) -> str:
        return f'<encryption><EncryptedData><CipherReference URI="{path}"/></EncryptedData></encryption>'

    fonts = packed(book_members() | {"META-INF/encryption.xml": encryption("OEBPS/font.ttf")})
    assert len(read(fonts, "a.epub").blocks) == 3
    (tmp_path / "a.epub").write_bytes(
        packed(book_members() | {"META-INF/encryption.xml": encryption("OEBPS/text/one.xhtml")})
    )
    with pytest.raises(DataError, match=r"found one that is encrypted \(DRM\)"):
        read_document(tmp_path / "a.epub")


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"META-INF/container.xml": "<a"}, "damaged XML in META-INF/container.xml"),
        ({"META-INF/container.xml": "<a/>"}, "an archive without "),
        ({"OEBPS/book.opf": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}, "a document type in OEBPS/book.opf"),
    ],
)
def test_damaged_books_are_refused(changed: dict[str, str | bytes], found: str) -> None:
    with pytest.raises(DataError, match=r"^a\.epub: expected an EPUB book, found ") as error:
        read(packed(book_members() | changed), "a.epub")
    assert found in str(error.value)


def test_an_old_document_type_is_no_harm() -> None:
    old = '<?xml version="1.0"?><!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "x.dtd">'
    package = PACKAGE.replace('<?xml version="1.0"?>', old)
    assert len(read(packed(book_members() | {"OEBPS/book.opf": package}), "a.epub").blocks) == 3
