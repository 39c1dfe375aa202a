"""A text, and blocks of a document, checked: what counts, what is found, and which of two findings is heard."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainwright import check
from plainwright.check import Passage, Report, Settings, check_blocks, check_text
from plainwright.check.files import check_document
from plainwright.check.places import Lines
from plainwright.documents import format_named, parse_document
from plainwright.errors import ArgumentTypeError, DataError, UnknownNameError
from plainwright.text.readability import readability_counts

HARD = "The municipal authority will commence the renovation of its premises prior to the conclusion of the year."
EASY = "The cat sat on the mat. It was a big cat. We gave it milk."


@dataclass(frozen=True)
class Block:
    text: str
    kind: str = "paragraph"
    fixed: tuple[tuple[int, int], ...] = ()


def words_of(report: Report) -> list[tuple[str, str]]:
    return [(finding.rule, finding.text) for finding in report.findings]


def test_a_hard_text_has_a_higher_grade_and_level_than_an_easy_one() -> None:
    hard, easy = (check_text(text, select=()) for text in (HARD, EASY))
    assert hard.grade > easy.grade + 8
    assert hard.level > easy.level + 1.5
    assert (easy.level_name, easy.reading_age) == ("A2", 5)


def test_the_grade_is_that_of_the_whole_text() -> None:
    counts = readability_counts(EASY)
    expected = 0.39 * counts.words / counts.sentences + 11.8 * counts.syllables / counts.words - 15.59
    assert check_text(EASY, select=()).grade == pytest.approx(expected)


def test_spans_are_code_points_of_the_text() -> None:
    text = f"😀 Größe: {HARD}\r\n\r\n{HARD}"
    report = check_text(text, ignore=["passive", "nested-sentence"])
    assert len(report.findings) > 4
    assert all(finding.text == text[finding.start : finding.end] for finding in report.findings)


def test_of_two_findings_about_the_same_words_the_first_rule_is_heard() -> None:
    text = "They conducted an analysis of it."
    assert words_of(check_text(text, ignore=["passive", "nested-sentence"])) == [
        ("hidden-verb", "conducted an analysis of")
    ]


def test_rules_are_selected_and_ignored_by_name() -> None:
    assert check_text(HARD, select=["filler"]).findings == []
    left = check_text(HARD, ignore=["hard-word", "passive", "nested-sentence"])
    assert "hard-word" not in left.counts
    assert {"hard-word", "passive", "nested-sentence"}.isdisjoint(left.rules)
    with pytest.raises(UnknownNameError, match=r"unknown check 'hardword'; did you mean hard-word"):
        check_text(HARD, select=["hardword"])


def test_what_the_user_keeps_is_not_found_fault_with() -> None:
    assert ("hard-word", "commence") in words_of(check_text(HARD, select=["hard-word"]))
    assert ("hard-word", "commence") not in words_of(check_text(HARD, select=["hard-word"], keep=["commence"]))


def test_lists_of_the_user_come_before_ours(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_text("commence\tverb\tbegin\n", encoding="utf-8")
    found = check_text(HARD, select=["hard-word"], words=[path]).findings
    assert found[0].suggestions == ("begin",)


def test_code_in_a_block_is_one_word_and_never_found_fault_with() -> None:
    text = "Run commence --prior-to and wait for the TMO."
    at = text.index("commence"), text.index(" and")
    report = check_blocks([Block(text, fixed=(at,))], select=["hard-word", "abbreviation"])
    assert words_of(report) == [("abbreviation", "TMO")]
    assert report.words == 7  # Run it and wait for the TMO


def test_headings_and_cells_have_no_grade() -> None:
    title = "Municipal renovation authorisation documentation"
    report = check_blocks([Block(title, "heading"), Block(EASY), Block(title, "cell")], select=["hard-word"])
    assert report.grade == pytest.approx(check_text(EASY, select=()).grade)
    assert len(report.sentences) == 3


def test_blocks_end_sentences() -> None:
    report = check_blocks([Block("one two three"), Block("four five six")], select=())
    assert [own.words for own in report.sentences] == [3, 3]
    assert [report.text[slice(*span)] for span in report.blocks] == ["one two three", "four five six"]


@pytest.mark.parametrize("text", ["", " \n", "… —", "日本語の文章です。", "\ud800 word", "word " * 5000])
def test_whatever_the_text_is_there_is_a_report(text: str) -> None:
    report = check_text(text, ignore=["passive", "nested-sentence"])
    assert isinstance(report.to_dict(), dict)


@pytest.mark.parametrize("text", ["هذا نص عربي طويل.", "日本語の文章です。", "Это длинное предложение."])
def test_text_in_other_scripts_has_no_grade(text: str) -> None:
    report = check_text(text, ignore=["passive", "nested-sentence"])
    assert (report.grade, report.level, report.findings) == (None, None, [])
    mixed = check_text(f"{EASY} {text}", select=())
    assert mixed.grade == pytest.approx(check_text(EASY, select=()).grade)


PIECES = (
    "We commence",
    " prior to",
    " the TMO (",
    "make a decision",
    " not",
    " unless",
    "\n- ",
    "\r\n",
    "\n\n",
    "😀",
    "”",
    "“",
    ".",
    " ",
)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=60))
def test_findings_stand_where_they_say_in_the_order_of_the_text(text: str) -> None:
    report = check_text(text, ignore=["passive", "nested-sentence"])
    assert all(finding.text == text[finding.start : finding.end] != "" for finding in report.findings)
    assert [own.start for own in report.findings] == sorted(own.start for own in report.findings)
    assert report == check_text(text, ignore=["passive", "nested-sentence"])
    assert all(text[own.start : own.end].strip() for own in report.sentences)


@settings(max_examples=40)
@given(st.lists(st.text(max_size=30), max_size=6), st.data())
def test_code_is_left_in_peace_wherever_it_stands(texts: list[str], data: st.DataObject) -> None:
    blocks = []
    for text in texts:
        ends = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4, unique=True)))
        blocks.append(Block(text, fixed=tuple(zip(ends[::2], ends[1::2], strict=False))))
    report = check_blocks(blocks, ignore=["passive", "nested-sentence", "long-sentence"])
    fixed = [
        (at + start, at + end) for (at, _), own in zip(report.blocks, blocks, strict=True) for start, end in own.fixed
    ]
    assert not any(own.start < end and start < own.end for own in report.findings for start, end in fixed)


def test_a_text_that_nobody_would_read_the_findings_of_is_refused() -> None:
    with pytest.raises(DataError, match=r"at most 5,000,000 characters, found 5,000,001; check it in parts"):
        check_text("a" * 5_000_001)


def test_something_else_than_a_text_is_refused() -> None:
    with pytest.raises(ArgumentTypeError):
        check_text(["a", "b"])  # type: ignore[arg-type]


def test_without_the_parser_its_rules_are_left_out_and_this_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    report = check_text("The letter was sent.")
    assert report.left_out == ["nested-sentence", "passive"]
    assert "pip install 'plainwright[syntax]'" in report.note
    assert "passive" not in [card.rule for card in report.rules]
    assert check_text("The letter was sent.", select=["filler"]).left_out == []


def test_a_table_has_a_row_for_each_finding() -> None:
    pytest.importorskip("pandas")
    table = check_text(HARD, select=["hard-word"]).to_pandas()
    assert table["text"].iloc[0] == "commence"


def test_a_check_of_ones_own_is_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shouting:
        rule = "shouting"
        meaning = "An exclamation mark."
        source = "our house style"
        link = "https://example.org"
        parses = False
        scope = "wording"

        def __init__(self, settings: Settings) -> None:
            pass

        def findings(self, passage: Passage) -> list[check.Finding]:
            at = passage.text.index("!")
            return [check.Finding(rule=self.rule, start=at, end=at + 1, text="!", message="calm down")]

    monkeypatch.setitem(check.CHECKS.parts, "shouting", Shouting)
    assert words_of(check_text("Now!", select=["shouting"])) == [("shouting", "!")]


def test_columns_are_counted_in_characters_or_in_utf_16() -> None:
    lines = Lines("one\n😀 two\r\nthree")
    assert lines.region(6, 9).to_dict() == {"line": 2, "column": 3, "end_line": 2, "end_column": 6}
    assert lines.region(6, 9, utf16=True).column == 4
    assert lines.region(11, 16).line == 3


def test_places_in_a_document_are_those_of_its_source() -> None:
    data = f"😀 First.\r\n\r\nThen 😀 we commence.\r\n{HARD}\r\n".encode()
    file = check_document(parse_document(data, format_named("text"), "letter"), "letter", select=["hard-word"])
    assert file.place(0) == "3:11"
    assert [data.decode()[slice(*span)] for span in file.spans] == [own.text for own in file.report.findings]


def test_a_document_that_is_no_text_has_paragraphs() -> None:
    document = parse_document(b"First.\n\nThen we commence.", format_named("text"), "letter")
    file = check_document(document, "letter", select=["hard-word"])
    assert replace(file, source=None).place(0) == "¶ 2"


def test_words_to_keep_are_whole_words() -> None:
    text = "We purchase it prior\nto noon."
    found = [own.text for own in check_text(text, select=["hard-word"]).findings]
    assert found == ["purchase", "prior\nto noon"]
    for keep, left in (("PRIOR to", ["purchase"]), ("chase", found), ("or", found), ("", found), (" ", found)):
        assert [own.text for own in check_text(text, select=["hard-word"], keep=[keep]).findings] == left


def test_many_abbreviations_take_no_time() -> None:
    names = ["".join(letters) for letters in islice(product("BCDFGHJKLMNPQ", repeat=5), 20_000)]
    report = check_text(" ".join(f"The {name} works." for name in names), select=["abbreviation"])
    assert len(report.findings) == len(names)
