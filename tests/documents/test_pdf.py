"""PDF as input: lines become paragraphs, and what belongs to the page is left out."""

import io
import zlib
from collections.abc import Sequence

import pytest
from pypdf import PdfReader, PdfWriter

from plainwright.documents import Change
from plainwright.documents.pdf import lines as pdf_lines
from plainwright.documents.pdf import read
from plainwright.errors import DataError, PlainwrightError

Placed = tuple[float, float, float, str, str]  # x, y, size, font, text


def pdf(*pages: Sequence[Placed]) -> bytes:
    """Write a PDF by hand: Helvetica is F1, Courier is F2."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects += [f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>" for name in ("Helvetica", "Courier")]
    kids = []
    for page in pages:
        shown = "\n".join(
            f"BT /{font} {size} Tf {x} {y} Td ({text.translate({40: chr(92) + '(', 41: chr(92) + ')'})}) Tj ET"
            for x, y, size, font, text in page
        )
        kids.append(f"{len(objects) + 1} 0 R")
        fonts = "<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
        box = "/MediaBox [0 0 612 792]"
        objects += [
            f"<< /Type /Page /Parent 2 0 R {box} /Resources {fonts} /Contents {len(objects) + 2} 0 R >>",
            f"<< /Length {len(shown)} >>\nstream\n{shown}\nendstream",
        ]
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    written, places = "%PDF-1.4\n", []
    for number, own in enumerate(objects, 1):
        places.append(len(written))
        written += f"{number} 0 obj\n{own}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    )
    return f"{written}{end}startxref\n{len(written)}\n%%EOF\n".encode("latin-1")


def page(*texts: str, top: float = 700, size: float = 10, font: str = "F1") -> list[Placed]:
    """Lines below each other."""
    return [(72, top - 12 * number, size, font, text) for number, text in enumerate(texts)]


def blocks(*pages: Sequence[Placed]) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in read(pdf(*pages), "a.pdf").blocks]


def test_lines_of_a_paragraph_are_joined_and_gaps_divide() -> None:
    first = page("We endeavour to utilize numerous tools and", "to commence the work that we were given")
    second = page("A second paragraph stands below a gap.", top=660)
    assert blocks([*first, *second]) == [
        ("paragraph", "We endeavour to utilize numerous tools and to commence the work that we were given"),
        ("paragraph", "A second paragraph stands below a gap."),
    ]


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("We have the infor-", "mation that you", "We have the information that you"),
        ("It is a well-", "known problem in", "It is a well-known problem in"),
        ("They went from A-", "Bonn to Cologne", "They went from A- Bonn to Cologne"),
        ("in the years 2019-", "2020 and later", "in the years 2019- 2020 and later"),
    ],
)
def test_divided_words_are_joined_and_compounds_keep_their_hyphen(first: str, second: str, joined: str) -> None:
    assert blocks(page(first, second)) == [("paragraph", joined)]


def test_larger_lines_are_headings_and_bullets_are_items() -> None:
    lines = [(72, 740, 18, "F1", "A title"), (72, 715, 14, "F1", "1. A section")]
    lines += page("This is the text of the section, which is longer", "than its headings are.", "- one thing", "- two")
    document = read(pdf(lines), "a.pdf")
    text = document.changed([[]] * len(document.blocks), markdown=True).decode()
    assert text == (
        "# A title\n\n## 1. A section\n\nThis is the text of the section, which is longer than its headings are.\n\n"
        "- one thing\n\n- two\n"
    )


def test_page_numbers_and_running_heads_are_left_out() -> None:
    pages = []
    for number, text in enumerate(["It goes on and on", "and on over", "all pages, to the end."], 4):
        head, foot = (72, 760, 8, "F1", "The annual report"), (300, 30, 8, "F1", f"Chapter {number % 2} {number}")
        pages.append([head, *page(text), foot])
    pages[0].insert(0, (72, 770, 20, "F1", "The annual report"))
    assert blocks(*pages) == [
        ("heading", "The annual report"),
        ("paragraph", "It goes on and on and on over all pages, to the end."),
    ]


def test_code_is_left_alone() -> None:
    document = read(pdf([*page("Call it in this way:"), *page("utilize(", "x)", top=670, font="F2")]), "a.pdf")
    assert document.blocks[1].kind == "code"
    assert document.blocks[1].fixed == ((0, 11),)
    assert document.changed([[], []], markdown=True).decode().endswith("```\nutilize(\nx)\n```\n")


def test_changes_go_into_the_text() -> None:
    document = read(pdf(page("We utilize it * now.")), "a.pdf")
    assert document.changed([[Change(3, 10, "use")]]) == b"We use it * now.\n"
    assert document.changed([[Change(3, 10, "use")]], markdown=True) == b"We use it \\* now.\n"


def locked() -> bytes:
    writer, buffer = PdfWriter(), io.BytesIO()
    writer.append(PdfReader(io.BytesIO(pdf(page("Secret.")))))
    writer.encrypt("a password", algorithm="RC4-128")
    writer.write(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (b"%PDF-1.4\n" + b"x" * 100, "damage"),
        (b"hello there, this is no PDF at all", "damage"),
        (pdf([]), "one without text; if it was scanned"),
        (locked(), "one with a password"),
    ],
)
def test_bad_files_are_refused_in_one_sentence(data: bytes, found: str) -> None:
    with pytest.raises(DataError, match=r"^a\.pdf: expected a PDF, found ") as error:
        read(data, "a.pdf")
    assert found in str(error.value)
    assert "\n" not in str(error.value)


def test_a_stream_that_grows_beyond_measure_is_refused() -> None:
    stream = zlib.compress(bytes(100 << 20), 9)
    old, new = b"/Length 0 >>\nstream\n\n", b"/Length %d /Filter /FlateDecode >>\nstream\n%s\n" % (len(stream), stream)
    with pytest.raises(DataError, match="found damage \\(Limit reached while decompressing"):
        read(pdf([]).replace(old, new), "a.pdf")


def test_text_beyond_all_measure_is_on_no_page() -> None:
    far = f"{10**40} 0 0 {10**40} 0 0 cm " * 9 + "BT /F1 10 Tf 1 1 Td (Far.) Tj ET"
    data = pdf([]).replace(b"/Length 0 >>\nstream\n\n", f"/Length {len(far)} >>\nstream\n{far}\n".encode())
    with pytest.raises(DataError, match="found one without text"):
        read(data, "a.pdf")


def test_too_many_pages_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_lines, "MAX_PAGES", 2)
    with pytest.raises(DataError, match="found 3 pages; at most 2 are read"):
        read(pdf(page("One"), page("Two"), page("Three")), "a.pdf")


def test_damaged_files_never_end_in_anything_but_our_errors(capfd: pytest.CaptureFixture[str]) -> None:
    data = pdf(page("We endeavour to utilize", "numerous tools."), page("And more."))
    refused = 0
    for place in range(0, len(data), 7):
        damaged = bytearray(data)
        damaged[place] ^= 0x15
        try:
            read(bytes(damaged), "a.pdf")
        except PlainwrightError:
            refused += 1
    assert refused > 0
    assert capfd.readouterr().err == ""
