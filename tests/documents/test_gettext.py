"""Messages of programs: English translations become plainer, everything else stays."""

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.independent import MARK, assert_read_or_refused, marked

from plainwright.documents import Change, format_named, parse_document
from plainwright.errors import DataError

SOURCE = r"""# commence
msgid ""
msgstr ""
"Project-Id-Version: commence 1\n"
"Language: en_GB\n"
"Content-Type: text/plain; charset=UTF-8\n"

#: commence.c:12
#, c-format
msgid "commence"
msgstr "We commence with \"%s\" in <b>%(count)d files</b>."

msgctxt "commence"
msgid "many files"
msgid_plural "files"
msgstr[0] ""
"We commence the\n"
"work."
msgstr[1] "Files {name}"

#~ msgid "old"
#~ msgstr "We commence"
"""


def document(source):
    return parse_document(source.encode(), format_named("gettext"), "messages.po")


def replaced(source, old, new):
    own = document(source)
    places = [block.text.find(old) for block in own.blocks]
    return own.changed([[Change(at, at + len(old), new)] if at >= 0 else [] for at in places]).decode()


def test_translations_are_blocks_with_what_programs_need_fixed():
    blocks = document(SOURCE).blocks
    assert [block.text for block in blocks] == [
        'We commence with "%s" in <b>%(count)d files</b>.',
        "We commence the\nwork.",
        "Files {name}",
    ]
    fixed = [block.text[start:end] for block in blocks for start, end in block.fixed]
    assert fixed == ["%s", "<b>", "%(count)d", "</b>", "\n", "{name}"]


def test_another_reader_sees_no_other_change():
    changed = replaced(SOURCE, "commence", 'start "x"\\')
    before, after = polib.pofile(SOURCE), polib.pofile(changed)
    assert before.metadata == after.metadata
    for old, new in zip(before, after, strict=True):
        assert (old.msgid, old.msgctxt, old.comment, old.occurrences) == (
            new.msgid,
            new.msgctxt,
            new.comment,
            new.occurrences,
        )
        if not old.obsolete:
            assert new.msgstr == old.msgstr.replace("commence", 'start "x"\\')
    assert changed == SOURCE.replace("We commence with", r"We start \"x\"\\ with").replace(
        "We commence the", r"We start \"x\"\\ the"
    )


@pytest.mark.parametrize("language", ["de", "", "fr_CA"])
def test_other_languages_pass_as_they_are(language):
    assert document(SOURCE.replace("en_GB", language)).blocks == []


def test_what_has_no_messages_is_refused():
    with pytest.raises(DataError, match="expected messages of gettext"):
        document("Just text.")


def test_a_hostile_message_takes_no_time():
    source = f'msgid ""\nmsgstr "Language: en\\n"\n\nmsgid "a"\nmsgstr "%{"0" * 1_000_000} words"\n'
    assert document(source).changed([()]) == source.encode()


# fmt: off
PIECES = st.sampled_from([
    'msgid "a"\n', 'msgstr "some words"\n', '"more words\\n"\n', "#: x\n", "msgstr[0] ", '"', "\\", "%s", "\n", "{x}",
    "é", "😀",
])
# fmt: on


@given(st.lists(PIECES, max_size=20).map("".join))
def test_any_mixture_comes_back_and_changes_only_its_words(source):
    own = document(SOURCE + source)
    assert own.changed([()] * len(own.blocks)) == (SOURCE + source).encode()
    changed = own.changed(marked(own, 1)).decode()
    assert [block.kind for block in document(changed).blocks] == [block.kind for block in own.blocks]
    assert changed.count('"') == (SOURCE + source).count('"')
    assert MARK not in changed.partition("#: commence.c:12")[0]


@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_refused_in_a_sentence(data):
    assert_read_or_refused(SOURCE.encode() + data, "gettext")
