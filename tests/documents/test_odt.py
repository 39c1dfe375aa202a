"""OpenDocument texts: what is read as prose, and that everything else stays."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from tests.documents.archives import TRACKING, members, opendocument, packed, replacing, text_members

from plainwright.documents import Block, Change, apply_changes
from plainwright.documents.odt import read
from plainwright.documents.odt.names import DC, OFFICE, TEXT
from plainwright.documents.tracking import Tracking
from plainwright.errors import DataError

BOLD = '<style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
SESSION = (
    '<style:style style:name="T9" style:family="text"><style:text-properties '
    'xmlns:officeooo="http://openoffice.org/2009/office" officeooo:rsid="0012ab"/></style:style>'
)
STYLES = BOLD + SESSION


def blocks(body: str, *, styles: str = STYLES) -> list[Block]:
    return list(read(opendocument(body, styles=styles), "a.odt").blocks)


def paragraph(inside: str) -> str:
    return f"<text:p>{inside}</text:p>"


def bold(text: str) -> str:
    return f'<text:span text:style-name="T1">{text}</text:span>'


def root_of(data: bytes) -> etree._Element:
    return etree.fromstring(members(data)["content.xml"])


def shown(data: bytes, *, accept: bool) -> list[str]:
    """The paragraphs after all tracked changes were accepted or refused, by the rules of the format."""
    root = root_of(data)
    body = root.find(f".//{OFFICE}text")
    kept = {}
    for region in body.iter(f"{TEXT}changed-region"):
        content = region.find(f"{TEXT}deletion/{TEXT}p")
        kept[region.get(f"{TEXT}id")] = None if content is None else _text(content, {}, accept=True)
    return [_text(own, kept, accept=accept) for own in body if own.tag in (f"{TEXT}p", f"{TEXT}h")]


def _text(element: etree._Element, kept: dict[str, str | None], *, accept: bool) -> str:
    """White space that the format ignores is marked by a form feed, and then taken out."""
    pieces: list[str] = []
    hidden: set[str] = set()

    def add(text: str | None) -> None:
        if text and not hidden:
            pieces.append(re.sub("[ \t\n]", "\f", text))

    def walk(own: etree._Element) -> None:
        change = own.get(f"{TEXT}change-id")
        if own.tag == f"{TEXT}s":
            pieces.append("" if hidden else " " * int(own.get(f"{TEXT}c", "1")))
        elif own.tag == f"{TEXT}tab":
            pieces.append("" if hidden else "\t")
        elif own.tag == f"{TEXT}change":
            pieces.append("" if accept else kept[change] or "")
        elif own.tag == f"{TEXT}change-start" and not accept and kept[change] is None:
            hidden.add(change)
        elif own.tag == f"{TEXT}change-end":
            hidden.discard(change)
        elif own.tag not in (f"{OFFICE}annotation", f"{TEXT}note"):
            add(own.text)
            for child in own:
                walk(child)
                add(child.tail)

    walk(element)
    text = re.sub("^\f+", "", "".join(pieces))
    return re.sub("\f+", " ", text)


def test_paragraphs_and_headings_are_blocks_and_unseen_spans_are_no_joints() -> None:
    spans = 'We <text:span text:style-name="T9">util</text:span>ize it.'
    found = blocks(f"<text:h>A title</text:h>{paragraph(spans)}")
    assert found == [Block("A title", "heading"), Block("We utilize it.", "paragraph")]


def test_formatting_links_and_marks_are_joints() -> None:
    link = '<text:a xlink:href="http://example.org/">our site</text:a>'
    (block,) = blocks(paragraph(f"We {bold('utilize')} {link}<text:bookmark text:name='b'/>."))
    assert block == Block("We utilize our site.", "paragraph", (), (3, 10, 11, 19))


def test_white_space_is_read_as_the_format_has_it() -> None:
    (block,) = blocks(paragraph("\n  One   two\n <text:s text:c='2'/>three<text:tab/>four<text:line-break/> five "))
    assert block.text == "One two   three\tfour\n five "
    assert block.fixed == ((8, 10), (15, 16), (20, 21))
    (block,) = blocks(paragraph(f"One<text:s text:c='{'9' * 5000}'/>two"))
    assert block.text == "One two"


def test_a_document_without_changes_comes_back_byte_for_byte() -> None:
    data = opendocument(paragraph("We utilize it."))
    document = read(data, "a.odt")
    assert document.changed([[]]) == document.changed([[]], tracked=TRACKING) == data


def test_only_the_content_changes_and_the_type_stays_first_and_stored() -> None:
    data = opendocument(paragraph("We utilize it."))
    document = read(data, "a.odt")
    changed = document.changed(replacing(document, ("utilize", "use")))
    before, after = members(data), members(changed)
    assert list(before) == list(after)
    assert {name for name in before if before[name] != after[name]} == {"content.xml"}
    assert changed[30:76] == b"mimetypeapplication/vnd.oasis.opendocument.text"[:46]


def test_a_clean_change_takes_the_formatting_of_its_span() -> None:
    document = read(opendocument(paragraph(f"We {bold('utilize')} it."), styles=STYLES), "a.odt")
    root = root_of(document.changed(replacing(document, ("utilize", "use"))))
    assert root.find(f".//{TEXT}span").text == "use"


def test_a_tracked_change_keeps_both_texts() -> None:
    document = read(opendocument(paragraph(f"We {bold('utilize it')}."), styles=STYLES), "a.odt")
    data = document.changed(replacing(document, ("utilize", "use")), tracked=TRACKING)
    root = root_of(data)
    assert {own.text for own in root.iter(f"{DC}creator")} == {"Ann Editor"}
    assert {own.text for own in root.iter(f"{DC}date")} == {"2026-03-04T05:06:07Z"}
    assert root.find(f".//{TEXT}deletion/{TEXT}p/{TEXT}span").text == "utilize"
    assert shown(data, accept=True) == ["We use it."]
    assert shown(data, accept=False) == ["We utilize it."]


def test_spaces_beside_a_deleted_word_survive() -> None:
    document = read(opendocument(paragraph("A quite big dog.")), "a.odt")
    data = document.changed([[Change(2, 7, ""), Change(11, 15, "")]], tracked=TRACKING)
    assert shown(data, accept=True) == ["A  big."]
    assert shown(data, accept=False) == ["A quite big dog."]


@pytest.mark.parametrize(
    "inside",
    [
        '<text:page-number text:select-page="current">seven</text:page-number>',
        '<text:bookmark-ref text:ref-name="b">seven</text:bookmark-ref>',
        "<text:meta>seven</text:meta>",
        '<text:change-start text:change-id="c1"/>seven<text:change-end text:change-id="c1"/>',
        '<text:span text:style-name="Source_20_Text">seven</text:span>',
    ],
    ids=["field", "reference", "metadata", "existing insertion", "code"],
)
def test_fields_code_and_insertions_of_others_are_fixed(inside: str) -> None:
    region = '<text:changed-region text:id="c1"><text:insertion/></text:changed-region>'
    changes = f"<text:tracked-changes>{region}</text:tracked-changes>"
    (block,) = blocks(changes + paragraph(f"On page {inside} here."))
    assert block.text == "On page seven here."
    assert block.fixed == ((8, 13),)


def test_an_insertion_of_another_may_go_on_over_paragraphs_and_tables() -> None:
    changes = '<text:tracked-changes><text:changed-region xml:id="c1" text:id="c1"><text:insertion/>'
    changes += "</text:changed-region></text:tracked-changes>"
    table = "<table:table><table:table-row><table:table-cell><text:p>Two<text:change-end text:change-id='c1'/>"
    table += "</text:p></table:table-cell></table:table-row></table:table>"
    body = f"{changes}<text:p>Zero</text:p><text:change-start text:change-id='c1'/><text:p>One</text:p>{table}"
    found = blocks(body + "<text:p>Three</text:p>")
    assert [bool(block.fixed) for block in found] == [False, True, True, False]


def test_notes_comments_and_frames_are_apart_from_their_paragraph() -> None:
    citation = "<text:note-citation>1</text:note-citation>"
    note = f"<text:note>{citation}<text:note-body><text:p>A note.</text:p></text:note-body></text:note>"
    comment = "<office:annotation><dc:creator>B</dc:creator><text:p>A comment.</text:p></office:annotation>"
    frame = '<draw:frame text:anchor-type="as-char"><draw:image/></draw:frame>'
    box = '<draw:frame text:anchor-type="paragraph"><draw:text-box><text:p>A box.</text:p></draw:text-box></draw:frame>'
    found = blocks(paragraph(f"One{note} two{comment} three {frame}{box} four."))
    assert [(block.text, block.kind, block.fixed) for block in found] == [
        ("One two three \ufffc four.", "paragraph", ((14, 15),)),
        ("A note.", "note", ()),
        ("A box.", "paragraph", ()),
    ]
    assert found[0].joints[:2] == (3, 7)


def test_kinds_come_from_styles_lists_and_tables() -> None:
    styles = (
        '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/>'
        '<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>'
    )
    body = '<text:p text:style-name="P1">One</text:p><text:p text:style-name="P2">two()</text:p>'
    body += "<text:list><text:list-item><text:p>Three</text:p></text:list-item></text:list>"
    row = "<table:table-row><table:table-cell><text:p>Four</text:p></table:table-cell></table:table-row>"
    body += f"<table:table>{row}</table:table>"
    body += "<text:table-of-content><text:index-body><text:p>Five</text:p></text:index-body></text:table-of-content>"
    body += '<text:section text:protected="true"><text:p>Six</text:p></text:section>'
    body += '<text:p text:style-name="Title">Seven</text:p>'
    kinds = [(block.text, block.kind) for block in blocks(body, styles=styles)]
    assert kinds == [("One", "quotation"), ("Three", "item"), ("Four", "cell"), ("Seven", "heading")]


def test_tables_of_figures_are_left_alone() -> None:
    def row(*cells: str) -> str:
        inside = "".join(f"<table:table-cell><text:p>{own}</text:p></table:table-cell>" for own in cells)
        return f"<table:table-row>{inside}</table:table-row>"

    head = f"<table:table-header-rows>{row('Year', 'Persons')}</table:table-header-rows>"
    body = f"<table:table>{head}{row('2025', '1,200')}{row('2026', '1,300')}</table:table><text:p>Text</text:p>"
    assert [block.text for block in blocks(body)] == ["Text"]
    sentence = "The sum was paid prior to the end of the year."
    assert [block.text for block in blocks(body.replace("2026", sentence))] == [sentence, "Text"]


@pytest.mark.parametrize("tracked", [True, False])
def test_comments_say_why(tracked: bool) -> None:
    document = read(opendocument(paragraph("We utilize it.")), "a.odt")
    tracking = Tracking(author="Ann Editor", date=TRACKING.date, tracked=tracked, comments=True)
    data = document.changed(replacing(document, ("utilize", "use"), reason="a plainer word"), tracked=tracking)
    (comment,) = root_of(data).iter(f"{OFFICE}annotation")
    assert comment.find(f"{DC}creator").text == "Ann Editor"
    assert comment.find(f"{TEXT}p").text == ("a plainer word" if tracked else "a plainer word (before: “utilize”)")
    assert shown(data, accept=True) == ["We use it."]


def test_changes_of_others_survive() -> None:
    changes = (
        '<text:tracked-changes><text:changed-region text:id="c1"><text:insertion/></text:changed-region>'
        '<text:changed-region text:id="plainwright1"><text:deletion><text:p>quite<text:s/></text:p>'
        "</text:deletion></text:changed-region></text:tracked-changes>"
    )
    inside = "We utilize <text:change-start text:change-id='c1'/>very <text:change-end text:change-id='c1'/>"
    body = changes + paragraph(f"{inside}<text:change text:change-id='plainwright1'/>large tools.")
    document = read(opendocument(body), "a.odt")
    data = document.changed(replacing(document, ("utilize", "use"), ("large", "big")), tracked=TRACKING)
    assert shown(data, accept=True) == ["We use very big tools."]
    assert shown(data, accept=False) == ["We utilize quite large tools."]


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"content.xml": b"\x00\x01"}, "found damaged XML in content.xml"),
        ({"META-INF/manifest.xml": "<m><encryption-data/></m>"}, "found one with a password"),
        ({"content.xml": "<office/>"}, "found an archive without a text; sheets"),
    ],
)
def test_what_is_no_text_is_refused(changed: dict[str, str | bytes], found: str) -> None:
    with pytest.raises(DataError, match=r"^a\.odt: expected an OpenDocument text, ") as error:
        read(packed(text_members("") | changed), "a.odt")
    assert found in str(error.value)


RUNS = st.lists(
    st.tuples(
        st.text(st.sampled_from("abc de"), min_size=1, max_size=5),
        st.sampled_from(["plain", "plain", "bold", "session", "link", "field", "spaces", "mark"]),
    ),
    min_size=1,
    max_size=8,
)


def _written(text: str, kind: str) -> str:
    return {
        "bold": bold(text),
        "session": f'<text:span text:style-name="T9">{text}</text:span>',
        "link": f'<text:a xlink:href="x">{text}</text:a>',
        "field": f"<text:author-name>{text.replace(' ', 'x')}</text:author-name>",
        "spaces": "<text:s text:c='3'/>",
        "mark": '<text:bookmark text:name="b"/>',
    }.get(kind, text)


@settings(max_examples=200, deadline=None)
@given(RUNS, st.data())
def test_any_changes_accepted_give_the_new_text_and_refused_the_old(
    runs: list[tuple[str, str]], data: st.DataObject
) -> None:
    source = opendocument(paragraph("x" + "".join(_written(*own) for own in runs) + "x"), styles=STYLES)
    document = read(source, "a.odt")
    (block,) = document.blocks
    assert shown(source, accept=False) == [block.text]
    changes, place = [], 0
    for edge in sorted({0, len(block.text), *block.joints}):
        if any(start < edge <= end for start, end in block.fixed) or edge == place:
            place = edge
            continue
        start = data.draw(st.integers(place, edge))
        end = data.draw(st.integers(start, edge))
        changes.append(Change(start, end, data.draw(st.sampled_from(["", "new", " n", "n  "]))))
        place = edge
    tracked = document.changed([changes], tracked=TRACKING)
    clean = document.changed([changes])
    assert shown(tracked, accept=True) == shown(clean, accept=True) == [apply_changes(block.text, changes)]
    assert shown(tracked, accept=False) == [block.text]
