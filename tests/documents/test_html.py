"""HTML: prose between tags is found to the byte, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.independent import assert_read_or_refused, difference, html_events, marked

from plainwright.documents import Change, format_named, format_of, parse_document
from plainwright.errors import DataError


def document(source):
    data = source if isinstance(source, bytes) else source.encode()
    return parse_document(data, format_named("html"), "page.html")


def texts(source):
    return [(block.kind, block.text) for block in document(source).blocks]


def replaced(source, *pairs):
    own = document(source)
    changes = [
        [
            Change(block.text.index(old), block.text.index(old) + len(old), new)
            for old, new in pairs
            if old in block.text
        ]
        for block in own.blocks
    ]
    return own.changed(changes)


def test_paragraphs_headings_items_cells_captions_and_quotations_are_blocks():
    source = """<h1>One <em>head</em></h1><p>A line
      and another.<p>Next<ul><li>first<li>second</ul>
      <blockquote><p>Said</p></blockquote>
      <table><caption>Words</caption><tr><th>Hard<td>Plain</table><div>Free<hr>text</div>"""
    assert texts(source) == [
        ("heading", "One head"),
        ("paragraph", "A line\nand another."),
        ("paragraph", "Next"),
        ("item", "first"),
        ("item", "second"),
        ("quotation", "Said"),
        ("caption", "Words"),
        ("cell", "Hard"),
        ("cell", "Plain"),
        ("paragraph", "Free"),
        ("paragraph", "text"),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "<script>prior to</script>",
        "<script src=x />prior to</script>",
        "<style>/* prior to */</style>",
        "<pre>prior to</pre>",
        "<pre><b>prior</b> to</pre>",
        "<textarea>prior to</textarea>",
        "<title>prior to</title>",
        "<select><option>prior to</select>",
        "<!-- prior to -->",
        "<!-- <p>prior to</p> -->",
        "<svg><text>prior to</text></svg>",
        "<address>prior to</address>",
        "<img alt='prior to'>",
        "<p translate=no>prior to</p>",
        "<p class='x notranslate'>prior to</p>",
        "<div lang=de><p>prior to</p></div>",
        "<?php echo 'a > prior to'; ?>",
        "<% if a > prior to %>",
        "<![CDATA[ prior to ]]>",
        "<table><tr><th>Year<th>Sum<tr><td>1990<td>12<tr><td>1991<td>14</table>",
    ],
)
def test_what_is_no_prose_is_no_block(source):
    assert texts(source) == []


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("<p>Use <code>a b</code> here.", ["a b"]),
        ("<p>Use <code><i>a</i> b</code> here.", ["a", " b"]),
        ("<p>H<sub>two</sub>O and <cite>A Book</cite>", ["two", "A Book"]),
        ("<p>He said <q>a word</q> here.", ["“", "”"]),
        ("<p>Line<br>two <img src=x>.", ["\n", "\ufffc"]),
        ("<p>Hello {{ user name }}.", ["{{ user name }}"]),
    ],
)
def test_code_titles_and_templates_are_fixed(source, fixed):
    [block] = document(source).blocks
    assert [block.text[start:end] for start, end in block.fixed] == fixed


def test_long_texts_are_prose_also_beside_figures():
    rows = "<tr><th>Year<th>Sum<tr><td>1990<td>12<tr><td>1991<td>It was paid prior to the end of the year."
    assert texts(f"<table>{rows}</table>") == [("cell", "It was paid prior to the end of the year.")]


def test_entities_are_read_and_new_text_is_escaped():
    source = "<p title='a word'>&Eacute;t&eacute; &amp; a word&nbsp;here &lt;b&gt;</p>"
    assert texts(source) == [("paragraph", "Été & a word\xa0here <b>")]
    expected = "<p title='a word'>&Eacute;t&eacute; &amp; a &lt;i&gt; &amp;amp; &quot;x&quot;&nbsp;here &lt;b&gt;</p>"
    assert replaced(source, ("word", '<i> &amp; "x"')).decode() == expected.replace("&quot;", '"')


def test_changes_keep_everything_around_them():
    source = "<p>We <b class=x>utilise</b>\r\n   it prior\r\n   to <a href='prior to'>noon</a>.\r\n"
    expected = "<p>We <b class=x>use</b>\r\n   it before <a href='prior to'>noon</a>.\r\n"
    assert replaced(source, ("utilise", "use"), ("prior\nto", "before")).decode() == expected


def test_a_page_keeps_its_encoding_and_says_what_that_cannot_write():
    source = "<meta charset=iso-8859-1><p>Caf\xe9 word</p>".encode("latin-1")
    assert texts(source) == [("paragraph", "Café word")]
    assert replaced(source, ("word", "→ é")) == b"<meta charset=iso-8859-1><p>Caf\xe9 &#8594; \xe9</p>"


@pytest.mark.parametrize("head", ["", "<meta charset=latin1>", "<?xml version='1.0' encoding='iso-8859-1'?>"])
def test_a_page_in_ascii_stays_in_ascii(head):
    assert replaced(head + "<p>Some word</p>", ("word", "café")) == f"{head}<p>Some caf&#233;</p>".encode()


def test_a_page_in_ascii_that_says_utf_8_gets_utf_8():
    assert replaced("<meta charset=UTF-8><p>word", ("word", "café")) == "<meta charset=UTF-8><p>café".encode()


def test_a_byte_order_mark_that_lies_is_not_doubled():
    source = b"\xef\xbb\xbf<meta charset=latin1><p>Caf\xe9 word</p>"
    assert replaced(source, ("word", "term")) == b"\xef\xbb\xbf<meta charset=latin1><p>Caf\xe9 term</p>"


@pytest.mark.parametrize(
    "data", [b"<p>Caf\xe9</p>", b"<meta charset=nonsense><p>\xe9", b"<meta charset=utf-16><p>\xe9", b"<p>\0"]
)
def test_bytes_that_are_no_text_are_refused(data):
    with pytest.raises(DataError, match=r"page\.html"):
        document(data)


def test_a_page_is_known_by_its_first_bytes():
    assert format_of("page", b"<!---->" * 500).name == "text"
    assert format_of("page", b"<!-- -- > -->" * 50 + b"<html>").name == "html"
    assert format_of("page", b"\n<!-- x --><!DOCTYPE HTML>").name == "html"
    assert format_of("page", b"Text about <html>").name == "text"
    assert format_of("page.txt", b"<html>").name == "text"


@pytest.mark.parametrize(
    "source",
    [
        "<div>" * 30_000,
        "</p>" * 30_000,
        "<p><span>" * 20_000,
        "&amp" * 30_000,
        "<" * 30_000,
        "</" * 500_000,
        "<!--" * 500_000,
        "<a x='" * 500_000,
        "<p>" + "{{" * 500_000,
        "<p>a" + " " * 1_000_000 + "b",
        "<i>" * 50_000 + "<b>" * 50_000 + "</i>" * 50_000,
        "<p><div>" + "<b>" * 50_000 + "<p></p>" * 50_000,
    ],
    ids=lambda source: source[:10],
)
def test_hostile_pages_take_no_time(source):
    own = document(source)
    assert own.changed([()] * len(own.blocks)) == source.encode()


# fmt: off
PIECES = st.sampled_from([
    " word ", " some words ", "<p>", "</p>", "<b>", "</b>", "<div>", "</div>", "<li>", "<ul>", "</ul>", "<table>",
    "<tr>", "<td>", "</table>", "<code>", "</code>", "<script>", "</script>", "<!--", "-->", "&amp;", "&eacute",
    "&", "<", ">", "<a href='x y'>", "</a>", "<br/>", "\n", "\r\n", "é", "😀", "<pre>", "</pre>", "<q>", "</q>",
    "<?php", "?>", "{{", "}}", "<!x", "<![x",
])
# fmt: on


def test_a_declaration_that_nobody_knows_is_left_alone():
    source = "<![word]><p>Some words</p><![endif"
    assert texts(source) == [("paragraph", "Some words")]
    assert replaced(source, ("Some words", "Other words")) == b"<![word]><p>Other words</p><![endif"


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_mixture_comes_back_and_another_reader_sees_no_other_change(source):
    own = document(source)
    assert own.changed([()] * len(own.blocks)) == source.encode()
    changed = own.changed(marked(own, 1)).decode()
    assert [block.kind for block in document(changed).blocks] == [block.kind for block in own.blocks]
    if "<?" not in source and "<!--" not in source:  # whose ends are read otherwise where they are damaged
        assert difference(html_events(source), html_events(changed)) is None


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_in_a_sentence(data):
    assert_read_or_refused(data, "html")
