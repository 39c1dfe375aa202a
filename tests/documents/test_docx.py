"""Word documents: what is read as prose, and that everything else stays."""

import io

import docx as python_docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from tests.documents.archives import TRACKING, WORD, members, packed, replacing, run, word

from plainwright.documents import Block, Change, apply_changes
from plainwright.documents.docx import read
from plainwright.documents.tracking import Tracking

W = f"{{{WORD}}}"


def blocks(body: str, **parts: str) -> list[Block]:
    return list(read(word(body, **parts), "a.docx").blocks)


def paragraph(*inside: str) -> str:
    return f"<w:p>{''.join(inside)}</w:p>"


def body_of(data: bytes) -> etree._Element:
    return etree.fromstring(members(data)["word/document.xml"])


def text_of(data: bytes, *, accept: bool) -> list[str]:
    """The paragraphs after all tracked changes were accepted or refused, by the rules of the format."""
    texts = []
    for found in body_of(data).iter(f"{W}p"):
        shown = []
        for element in found.iter(f"{W}t", f"{W}delText", f"{W}tab"):
            around = {own.tag for own in element.iterancestors()}
            if (f"{W}del" if accept else f"{W}ins") not in around:
                shown.append(element.text or "\t")
        texts.append("".join(shown))
    return texts


def test_a_paragraph_is_a_block_and_runs_of_equal_formatting_are_one() -> None:
    body = paragraph(
        run("We util", "<w:b/>"),
        '<w:proofErr w:type="spellStart"/>',
        run("ize", '<w:b/><w:lang w:val="en-GB"/>'),
        run(" it."),
    )
    assert blocks(body) == [Block("We utilize it.", "paragraph", (), (10,))]


def test_a_document_without_changes_comes_back_byte_for_byte() -> None:
    data = word(paragraph(run("We utilize it.")))
    document = read(data, "a.docx")
    assert document.changed([[]]) == data
    assert document.changed([[]], tracked=TRACKING) == data


def test_only_the_main_part_changes_and_members_keep_order_and_dates() -> None:
    data = word(paragraph(run("We utilize it.")), styles="<w:style/>")
    document = read(data, "a.docx")
    before, after = members(data), members(document.changed(replacing(document, ("utilize", "use"))))
    assert list(before) == list(after)
    assert {name for name in before if before[name] != after[name]} == {"word/document.xml"}


def test_a_clean_change_takes_the_formatting_of_its_run() -> None:
    document = read(word(paragraph(run("We "), run("utilize", "<w:b/>"), run(" it."))), "a.docx")
    data = document.changed(replacing(document, ("utilize", "use")))
    runs = python_docx.Document(io.BytesIO(data)).paragraphs[0].runs
    assert [(own.text, own.bold) for own in runs] == [("We ", None), ("use", True), (" it.", None)]


def test_a_change_over_several_equal_runs_leaves_one() -> None:
    document = read(word(paragraph(run("We ut"), run("ili"), run("ze it."))), "a.docx")
    data = document.changed(replacing(document, ("utilize", "use")))
    assert [own.text for own in python_docx.Document(io.BytesIO(data)).paragraphs[0].runs] == ["We use", " it."]


def test_a_tracked_change_keeps_both_texts_in_the_formatting_of_the_run() -> None:
    document = read(word(paragraph(run("We "), run("utilize it", "<w:b/>"), run("."))), "a.docx")
    data = document.changed(replacing(document, ("utilize", "use")), tracked=TRACKING)
    root = body_of(data)
    (deleted,), (inserted,) = root.iter(f"{W}del"), root.iter(f"{W}ins")
    for revision in (deleted, inserted):
        assert revision.get(f"{W}author") == "Ann Editor"
        assert revision.get(f"{W}date") == "2026-03-04T05:06:07Z"
        assert revision.find(f"{W}r/{W}rPr/{W}b") is not None
    assert deleted.get(f"{W}id") != inserted.get(f"{W}id")
    assert text_of(data, accept=True) == ["We use it."]
    assert text_of(data, accept=False) == ["We utilize it."]


def test_insertions_and_deletions_are_tracked_where_they_stand() -> None:
    document = read(word(paragraph(run("Very big."))), "a.docx")
    data = document.changed([[Change(0, 5, ""), Change(8, 8, " dogs")]], tracked=TRACKING)
    assert text_of(data, accept=True) == ["big dogs."]
    assert text_of(data, accept=False) == ["Very big."]


def test_a_change_inside_a_link_stays_inside_it() -> None:
    link = f'<w:hyperlink w:anchor="x">{run("utilize", "<w:i/>")}</w:hyperlink>'
    document = read(word(paragraph(run("We "), link, run(" it."))), "a.docx")
    assert document.blocks[0].joints == (3, 10)
    for tracked in (None, TRACKING):
        root = body_of(document.changed(replacing(document, ("utilize", "use")), tracked=tracked))
        (found,) = root.iter(f"{W}hyperlink")
        assert "".join(found.itertext(f"{W}t")) == "use"


FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
    f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run("seven")}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)


@pytest.mark.parametrize(
    "inside",
    [
        FIELD,
        f'<w:fldSimple w:instr="PAGE">{run("seven")}</w:fldSimple>',
        f'<w:ins w:id="1" w:author="B">{run("seven")}</w:ins>',
        f"<w:sdt><w:sdtPr/><w:sdtContent>{run('seven')}</w:sdtContent></w:sdt>",
        run("seven", '<w:rStyle w:val="HTMLCode"/>'),
    ],
    ids=["field", "simple field", "existing insertion", "content control", "code"],
)
def test_fields_controls_code_and_insertions_of_others_are_fixed(inside: str) -> None:
    styles = '<w:style w:styleId="HTMLCode"><w:name w:val="HTML Code"/></w:style>'
    (block,) = blocks(paragraph(run("On page "), inside, run(" here.")), styles=styles)
    assert block.text == "On page seven here."
    assert block.fixed == ((8, 13),)


def test_a_field_that_goes_on_over_paragraphs_fixes_them_all() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    found = blocks(paragraph(begin, run("One")) + paragraph(run("Two")) + paragraph(run("Three"), end, run(" four")))
    assert [(block.text, block.fixed) for block in found] == [
        ("One", ((0, 3),)),
        ("Two", ((0, 3),)),
        ("Three four", ((0, 5),)),
    ]


@pytest.mark.parametrize(
    ("inside", "text", "fixed"),
    [
        ("<w:r><w:tab/></w:r>", "\t", ((3, 4),)),
        ("<w:r><w:br/></w:r>", "\n", ((3, 4),)),
        ("<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>", "\ufffc", ((3, 4),)),
        ('<w:r><w:footnoteReference w:id="2"/></w:r>', "", ()),
        ('<w:bookmarkStart w:id="0" w:name="b"/>', "", ()),
        ('<w:commentRangeStart w:id="0"/>', "", ()),
        ('<w:del w:id="1" w:author="B"><w:r><w:delText>gone</w:delText></w:r></w:del>', "", ()),
        (run("secret", "<w:vanish/>"), "", ()),
    ],
    ids=["tab", "break", "equation", "footnote", "bookmark", "comment", "deletion", "hidden text"],
)
def test_what_is_no_text_is_a_joint(inside: str, text: str, fixed: tuple[tuple[int, int], ...]) -> None:
    (block,) = blocks(paragraph(run("One"), inside, run("two")))
    assert (block.text, block.fixed) == (f"One{text}two", fixed)
    assert 3 in block.joints


def test_a_footnote_mark_stays_behind_the_word_that_changes() -> None:
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    footnotes = f'<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r>{run("Utilize it.")}</w:p></w:footnote>'
    document = read(word(paragraph(run("We utilize"), note, run(" it.")), footnotes=footnotes), "a.docx")
    assert [block.text for block in document.blocks] == ["We utilize it.", "Utilize it."]
    for tracked in (None, TRACKING):
        data = document.changed(replacing(document, ("utilize", "use"), ("Utilize", "Use")), tracked=tracked)
        order = [own.text or "*" for own in body_of(data).iter(f"{W}t", f"{W}footnoteReference")]
        assert order in (["We use", "*", " it."], ["We ", "use", "*", " it."])
        assert b"Use" in members(data)["word/footnotes.xml"]


def test_kinds_come_from_styles_lists_and_tables() -> None:
    styles = (
        '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="Zitat"><w:name w:val="Quote"/></w:style>'
        '<w:style w:styleId="My"><w:name w:val="My title"/><w:basedOn w:val="berschrift1"/></w:style>'
        '<w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style>'
    )

    def styled(style: str, text: str) -> str:
        return paragraph(f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>', run(text))

    body = styled("berschrift1", "One") + styled("Zitat", "Two") + styled("My", "Three") + styled("Code", "four()")
    body += paragraph('<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>', run("Five"))
    body += f"<w:tbl><w:tr><w:tc>{paragraph(run('Six'))}</w:tc></w:tr></w:tbl>" + paragraph(run("Seven"))
    kinds = [(block.text, block.kind) for block in blocks(body, styles=styles)]
    assert kinds == [
        ("One", "heading"),
        ("Two", "quotation"),
        ("Three", "heading"),
        ("Five", "item"),
        ("Six", "cell"),
        ("Seven", "paragraph"),
    ]


def test_tables_of_figures_are_left_alone() -> None:
    def table(*rows: tuple[str, ...]) -> str:
        cells = ("".join(f"<w:tc>{paragraph(run(own))}</w:tc>" for own in row) for row in rows)
        return f"<w:tbl>{''.join(f'<w:tr>{own}</w:tr>' for own in cells)}</w:tbl>"

    body = table(("Year", "Persons"), ("2025", "1,200"), ("2026", "1,300")) + paragraph(run("Text"))
    body += table(("Who", "What"), ("Ann", "sends the form"), ("Bea", "reads it"))
    assert [block.text for block in blocks(body)][:3] == ["Text", "Who", "What"]


def test_text_in_a_table_is_prose_where_figures_are_few_or_it_is_long() -> None:
    def table(*rows: tuple[str, ...]) -> str:
        cells = ("".join(f"<w:tc>{paragraph(run(own))}</w:tc>" for own in row) for row in rows)
        return f"<w:tbl>{''.join(f'<w:tr>{own}</w:tr>' for own in cells)}</w:tbl>"

    body = table(("What", "Why", "Cost"), ("Desk", "Purchased prior to May", "120"))
    assert [block.text for block in blocks(body)] == ["What", "Why", "Cost", "Desk", "Purchased prior to May"]
    sentence = "The sum was paid prior to the end of the year."
    assert [block.text for block in blocks(table(("Year", "Sum"), ("2025", "12"), ("2026", sentence)))] == [sentence]


def test_a_table_of_contents_is_left_alone() -> None:
    gallery = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
    body = f"<w:sdt>{gallery}<w:sdtContent>{paragraph(run('Chapter one'))}</w:sdtContent></w:sdt>"
    assert [block.text for block in blocks(body + paragraph(run("Text")))] == ["Text"]


def test_changes_of_others_survive_and_numbers_stay_unique() -> None:
    others = '<w:bookmarkStart w:id="2147483647" w:name="b"/>'
    others += f'<w:ins w:id="7" w:author="B" w:date="2020-01-01T00:00:00Z">{run("very ")}</w:ins>'
    others += '<w:del w:id="8" w:author="B"><w:r><w:delText>quite </w:delText></w:r></w:del>'
    document = read(word(paragraph(run("We utilize "), others, run("large tools."))), "a.docx")
    data = document.changed(replacing(document, ("utilize", "use"), ("large", "big")), tracked=TRACKING)
    numbers = [own.get(f"{W}id") for own in body_of(data).iter(f"{W}ins", f"{W}del")]
    assert len(numbers) == len(set(numbers)) == 6
    assert max(map(int, numbers)) < 2**31 - 1
    assert text_of(data, accept=True) == ["We use very big tools."]
    assert text_of(data, accept=False) == ["We utilize quite large tools."]


@pytest.mark.parametrize("tracked", [True, False])
def test_comments_say_why(tracked: bool) -> None:
    document = read(word(paragraph(run("We utilize it."))), "a.docx")
    tracking = Tracking(author="Ann Editor", date=TRACKING.date, tracked=tracked, comments=True)
    data = document.changed(replacing(document, ("utilize", "use"), reason="a plainer word"), tracked=tracking)
    (comment,) = python_docx.Document(io.BytesIO(data)).comments
    assert (comment.author, comment.initials) == ("Ann Editor", "AE")
    assert comment.text == ("a plainer word" if tracked else "a plainer word (before: “utilize”)")
    assert text_of(data, accept=True) == ["We use it."]
    assert bool(list(body_of(data).iter(f"{W}del"))) == tracked


def test_comments_need_no_relationships_of_the_document() -> None:
    parts = members(word(paragraph(run("We utilize it."))))
    del parts["word/_rels/document.xml.rels"]
    document = read(packed(parts), "a.docx")
    changes = replacing(document, ("utilize", "use"), reason="plainer")
    data = document.changed(changes, tracked=Tracking(author="A", date=TRACKING.date, comments=True))
    assert [own.text for own in python_docx.Document(io.BytesIO(data)).comments] == ["plainer"]


@pytest.mark.parametrize("inside", ["<!-- note -->", "<?note?>", f'<w:bookmarkStart w:id="{"9" * 5000}" w:name="x"/>'])
def test_notes_in_the_markup_and_strange_numbers_do_no_harm(inside: str) -> None:
    document = read(word(paragraph(inside, run("We utilize it."))), "a.docx")
    data = document.changed(replacing(document, ("utilize", "use")), tracked=TRACKING)
    assert text_of(data, accept=True) == ["We use it."]


def test_comments_join_those_that_are_there() -> None:
    buffer = io.BytesIO()
    document = python_docx.Document()
    own = document.add_paragraph("We utilize it.")
    document.add_comment(own.runs, text="Mine", author="B", initials="B")
    document.save(buffer)
    read_back = read(buffer.getvalue(), "a.docx")
    tracking = Tracking(author="Ann", date=TRACKING.date, comments=True)
    data = read_back.changed(replacing(read_back, ("utilize", "use"), reason="why"), tracked=tracking)
    assert {(c.text, c.author) for c in python_docx.Document(io.BytesIO(data)).comments} == {
        ("Mine", "B"),
        ("why", "Ann"),
    }


def test_white_space_that_word_does_not_show_stays_hidden() -> None:
    body = "<w:p><w:r><w:t>\n  We utilize it.\n</w:t></w:r></w:p>"
    document = read(word(body), "a.docx")
    assert document.blocks[0].text == "We utilize it."
    assert text_of(document.changed(replacing(document, ("utilize", "use"))), accept=True) == ["We use it."]


def test_what_xml_cannot_hold_is_left_out() -> None:
    document = read(word(paragraph(run("One two."))), "a.docx")
    assert text_of(document.changed([[Change(0, 3, "A &\x00\n<b>")]]), accept=True) == ["A & <b> two."]


def test_strict_documents_are_read_and_written() -> None:
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    data = word(paragraph(run("We utilize it.")))
    changed = {name: own.replace(WORD.encode(), strict.encode()) for name, own in members(data).items()}
    document = read(packed(changed), "a.docx")
    tracking = Tracking(author="Ann", date=TRACKING.date, comments=True)
    written = members(document.changed(replacing(document, ("utilize", "use"), reason="why"), tracked=tracking))
    assert f"{{{strict}}}del" in {own.tag for own in etree.fromstring(written["word/document.xml"]).iter()}
    assert b"purl.oclc.org/ooxml/officeDocument/relationships/comments" in written["word/_rels/document.xml.rels"]


RUNS = st.lists(
    st.tuples(
        st.text(st.sampled_from("abc de"), min_size=1, max_size=5),
        st.sampled_from(["", "<w:b/>"]),
        st.sampled_from(["run", "run", "run", "link", "field", "ins", "del", "tab", "mark"]),
    ),
    min_size=1,
    max_size=8,
)


def _written(text: str, properties: str, kind: str) -> str:
    own = run(text, properties)
    return {
        "link": f'<w:hyperlink w:anchor="x">{own}</w:hyperlink>',
        "field": f'<w:fldSimple w:instr="PAGE">{own}</w:fldSimple>',
        "ins": f'<w:ins w:id="1" w:author="B">{own}</w:ins>',
        "del": f'<w:del w:id="1" w:author="B"><w:r><w:delText xml:space="preserve">{text}</w:delText></w:r></w:del>',
        "tab": "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r>",
        "mark": '<w:bookmarkStart w:id="0" w:name="b"/>',
    }.get(kind, own)


@settings(max_examples=150, deadline=None)
@given(RUNS, st.data())
def test_any_changes_accepted_give_the_new_text_and_refused_the_old(
    runs: list[tuple[str, str, str]], data: st.DataObject
) -> None:
    document = read(word(paragraph(run("x"), *(_written(*own) for own in runs))), "a.docx")
    (block,) = document.blocks
    changes, place = [], 0
    for edge in sorted({0, len(block.text), *block.joints}):
        if any(start < edge <= end for start, end in block.fixed) or edge == place:
            place = edge
            continue
        start = data.draw(st.integers(place, edge))
        end = data.draw(st.integers(start, edge))
        changes.append(Change(start, end, data.draw(st.sampled_from(["", "new", " n"]))))
        place = edge
    wanted = apply_changes(block.text, changes)
    before = text_of(word(paragraph(run("x"), *(_written(*own) for own in runs))), accept=False)
    tracked = document.changed([changes], tracked=TRACKING)
    clean = document.changed([changes])
    assert text_of(tracked, accept=True) == text_of(clean, accept=True) == [wanted]
    assert text_of(tracked, accept=False) == before
