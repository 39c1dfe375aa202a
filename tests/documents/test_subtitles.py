"""Subtitles: every cue is a block, times and styles stay, and no line becomes too long."""

import re

import pysubs2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.documents.independent import assert_read_or_refused, marked

from plainwright.documents import Change, format_named, parse_document
from plainwright.errors import DataError

SRT = """1\r
00:00:01,000 --> 00:00:02,500\r
<i>We will commence</i>\r
the work soon.\r
\r
2\r
00:00:03,000 --> 00:00:04,000 X1:40\r
JOHN: Purchase it! [purchases loudly]\r
"""
VTT = """WEBVTT

STYLE
::cue { color: commence }

NOTE commence

intro
00:01.000 --> 00:02.000 align:start
<v Roger>We commence &amp; go.
"""
ASS = """[Script Info]
Title: commence

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,commence
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}We commence{\\i0}, now\\Nor later.
"""


def document(source):
    return parse_document(source.encode(), format_named("subtitles"), "film.srt")


def replaced(source, old, new):
    own = document(source)
    places = [block.text.find(old) for block in own.blocks]
    return own.changed([[Change(at, at + len(old), new)] if at >= 0 else [] for at in places]).decode()


@pytest.mark.parametrize(
    ("source", "texts", "fixed"),
    [
        (
            SRT,
            ["We will commence\nthe work soon.", "JOHN: Purchase it! [purchases loudly]"],
            ["JOHN:", "[purchases loudly]"],
        ),
        (VTT, ["We commence &amp; go."], ["&amp;"]),
        (ASS, ["We commence, now\nor later."], ["\n"]),
    ],
)
def test_the_text_of_every_cue_is_a_block(source, texts, fixed):
    blocks = document(source).blocks
    assert [block.text for block in blocks] == texts
    assert [block.text[start:end] for block in blocks for start, end in block.fixed] == fixed


@pytest.mark.parametrize(("source", "form"), [(SRT, "srt"), (VTT, "vtt"), (ASS, "ass")])
def test_another_reader_sees_the_same_times_and_styles(source, form):
    changed = replaced(source, "commence", "start")
    before, after = (pysubs2.SSAFile.from_string(text, format_=form) for text in (source, changed))
    assert [(event.start, event.end, event.style, event.name) for event in before] == [
        (event.start, event.end, event.style, event.name) for event in after
    ]
    old, new = (" ".join(event.text for event in events if not event.is_comment) for events in (before, after))
    assert new == old.replace("commence", "start")
    assert changed == source.replace("We will commence", "We will start").replace("We commence", "We start")


def test_a_line_does_not_become_longer_than_lines_may_be():
    assert replaced(SRT, "soon", "before the sun is high in the sky and") == SRT
    assert "the work before too long." in replaced(SRT, "soon", "before too long")


def test_a_cue_ends_at_the_next_one_also_without_an_empty_line():
    source = "1\n00:01.000 --> 00:02.000\nOne.\n2\n00:03.000 --> 00:04.000\nTwo.\n"
    assert [block.text for block in document(source).blocks] == ["One.", "Two."]


def test_what_has_no_times_is_refused():
    with pytest.raises(DataError, match="expected subtitles with times"):
        document("Just text.")


@pytest.mark.parametrize("text", ["[" * 500_000, "(" * 500_000, "a" + " " * 500_000 + "b"], ids=("[", "(", "blanks"))
def test_hostile_subtitles_take_no_time(text):
    source = f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n"
    own = document(source)
    assert own.changed([()] * len(own.blocks)) == source.encode()


# fmt: off
PIECES = st.sampled_from([
    "1\n", "00:00:01,000 --> 00:00:02,000\n", "some words here\n", "\n", "\r\n", "<i>", "</i>", "{\\an8}", "-->",
    "WEBVTT\n", "NOTE x\n", "[Events]\nFormat: Layer, Text\n", "Dialogue: 0,some words\\N", "[sound]", "♪ la la", "é",
    "😀",
])
# fmt: on


@given(st.lists(PIECES, max_size=20).map("".join))
def test_any_mixture_comes_back_and_changes_only_its_words(source):
    try:
        own = document(source)
    except DataError:
        return
    assert own.changed([()] * len(own.blocks)) == source.encode()
    before, after = (re.sub("[a-z]{3,}", "w", text) for text in (source, own.changed(marked(own, 1)).decode()))
    assert before == after


@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_refused_in_a_sentence(data):
    assert_read_or_refused(b"00:00:01,000 --> 00:00:02,000\n" + data, "subtitles")
