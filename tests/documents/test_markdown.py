"""Markdown: prose is found to the byte, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.independent import assert_read_or_refused, difference, markdown_events, marked

from plainwright.documents import Change, format_named, parse_document


def document(source):
    return parse_document(source.encode(), format_named("markdown"), "page.md")


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
    return own.changed(changes).decode()


def test_paragraphs_headings_items_cells_quotations_and_notes_are_blocks():
    source = """# One *head*

A line
and another.

> Said
> by her.

- first
  more

  | a b | c d |
  |-----|-----|
  | e f | *g* |

Below
=====

[^1]: A note.
"""
    assert texts(source) == [
        ("heading", "One head"),
        ("paragraph", "A line\nand another."),
        ("quotation", "Said\nby her."),
        ("item", "first\nmore"),
        ("cell", "a b"),
        ("cell", "c d"),
        ("cell", "e f"),
        ("cell", "g"),
        ("heading", "Below"),
        ("note", "A note."),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "---\ntitle: prior to\n---\n",
        "```\nprior to\n```\n",
        "    prior to\n",
        "<div>\nprior to\n</div>\n",
        "<h3>prior to</h3>\n",
        "<!-- prior to -->\n",
        "[a]: http://example.org 'prior to'\n",
        "![prior to](image.png 'prior to')\n",
        "| year | sum |\n|---|---|\n| 1990 | 12 km |\n| 1991 | 14 km |\n",
    ],
)
def test_what_is_no_prose_is_no_block(source):
    assert texts(source) == []


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("Use `a b` here.", ["a b"]),
        ("See <http://example.org/a> now.", ["http://example.org/a"]),
        ("The sum $a + b$ is large.", ["$a + b$"]),
        ("See [the guide] now.\n\n[the guide]: x.html\n", ["the guide"]),
        ("He wrote [sic] that.", ["[sic]"]),
        ("Press <kbd>the key</kbd> now.", ["the key"]),
        ("Hello {{ user name }} and {% if x %}.", ["{{ user name }}", "{% if x %}"]),
        ("A [[wiki link]] here.", ["[", "[wiki link]", "]"]),
        ("Two&hellip; words", []),
    ],
)
def test_code_addresses_formulas_labels_and_templates_are_fixed(source, fixed):
    [block, *_] = document(source).blocks
    assert [block.text[start:end] for start, end in block.fixed] == fixed


def test_markup_is_not_read_but_has_joints():
    [block] = document('A **bold *and* word** and [a link](http://x.org "t")[^1].\n').blocks
    assert block.text == "A bold and word and a link."
    assert block.joints == (2, 7, 10, 15, 20, 26)


def test_changes_keep_everything_around_them():
    source = "> - We *utilise* `it`\r\n>   prior to **noon** &amp; go.\r\n"
    expected = "> - We *use* `it`\r\n>   before **noon** &amp; go.\r\n"
    assert replaced(source, ("utilise", "use"), ("prior to", "before")) == expected


def test_a_line_break_that_moves_takes_the_opening_of_the_line_along():
    assert replaced("> in order\n> to go on\n", ("in order\nto go", "to\ngo")) == "> to\n> go on\n"


def test_a_table_stays_in_columns():
    source = "| a b       | c d |\n|-----------|-----|\n| *utilise* | x   |\n| word      | y   |\n"
    expected = "| a b       | c d |\n|-----------|-----|\n| *use*     | x   |\n| longer word | y   |\n"
    assert replaced(source, ("utilise", "use"), ("word", "longer word")) == expected
    crooked = "| a b | c |\n|--|--|\n| utilise   | d |\n"
    assert replaced(crooked, ("utilise", "use")) == crooked.replace("utilise", "use")


def test_what_would_be_markup_is_escaped():
    special = "*star* [a] <b> `c` &amp; _x_"
    escaped = r"\*star\* \[a\] \<b> \`c\` \&amp; \_x\_"
    assert replaced("One word here.\n", ("word", special)) == f"One {escaped} here.\n"


def test_a_change_that_would_make_a_list_of_a_paragraph_is_left_out():
    source = "In 1986\nword here.\n\nAnother word.\n"
    assert replaced(source, ("word", "- word")) == "In 1986\nword here.\n\nAnother - word.\n"


def test_a_heading_that_the_page_links_to_keeps_its_name():
    source = "# Prior to noon!\n\n# Prior to ten\n\nSee [above](#prior-to-noon).\n"
    assert texts(source) == [("heading", "Prior to ten"), ("paragraph", "See above.")]


def test_too_many_marks_leave_a_paragraph_alone_instead_of_taking_minutes():
    assert texts("*a **b " * 5000 + "\n\nText.\n") == [("paragraph", "Text.")]


@pytest.mark.parametrize("text", ["{{", "[[", "{.", " \t"])
def test_hostile_paragraphs_take_no_time(text):
    source = f"a{text * 20_000}b\n\n" * 10
    own = document(source)
    assert own.changed([()] * len(own.blocks)) == source.encode()


# fmt: off
PIECES = st.sampled_from([
    "word", "**bold text**", "*em*", "`code`", "[link text](http://x.org)", "&amp;", "\\*", "\n", "  \n", " ", " ",
    "- ", "> ", "1. ", "# ", "\n\n", "| a | b |\n|---|---|\n", "```\n", "    ", "<b>", "</b>", "![alt](x)", "[^1]",
    "$x$", "é", "😀", "_", "*", "~~", "\r\n",
])
# fmt: on


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_mixture_comes_back_and_changes_only_where_it_should(source):
    own = document(source)
    assert own.changed([()] * len(own.blocks)) == source.encode()
    changed = own.changed(marked(own, 1)).decode()
    assert [block.kind for block in document(changed).blocks] == [block.kind for block in own.blocks]


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_in_a_sentence(data):
    assert_read_or_refused(data, "markdown")


def test_long_texts_are_prose_also_beside_figures():
    rows = "| 1990 | 12 km |\n| 1991 | It was paid prior to the end of the year. |\n"
    own = document(f"| year | sum |\n|---|---|\n{rows}")
    assert [block.text for block in own.blocks] == ["It was paid prior to the end of the year."]


def test_another_reader_sees_no_other_change():
    source = "# A heading\n\nSome *text with words* and `code here`.\n\n1. item text\n2. [link text](a%20b)\n"
    own = document(source)
    assert difference(markdown_events(source), markdown_events(own.changed(marked(own, 2, 1.0)).decode())) is None
