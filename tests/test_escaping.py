"""Names and texts of others, in spreadsheets and on terminals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.escaping import plain_cell, printable, spreadsheet_cell

TEXTS = st.text(st.sampled_from("'=+-@\t\r\n＝1.e a") | st.characters())


@pytest.mark.parametrize(
    "text",
    ["=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "-", "-LRB- x", "-1e", "+"],
)
def test_what_a_spreadsheet_would_compute_gets_an_apostrophe(text: str) -> None:
    assert spreadsheet_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a", "a=1", " =1", "1-2", "'", "'quoted'", "-1", "+0.5", "-.5e-7", "-12."])
def test_other_texts_and_numbers_stay_as_they_are(text: str) -> None:
    assert spreadsheet_cell(text) == plain_cell(text) == text


@given(TEXTS)
def test_every_text_comes_back(text: str) -> None:
    cell = spreadsheet_cell(text)
    assert plain_cell(cell) == text
    assert cell in (text, f"'{text}")


def test_apostrophes_of_a_text_are_not_mistaken_for_ours() -> None:
    assert spreadsheet_cell("'=1") == "''=1"
    assert plain_cell("''=1") == "'=1"


@pytest.mark.parametrize(
    "control", ["\0", "\x07", "\x08", "\x1b", "\x7f", "\x9b", "\u2028", "\u202e", "\u2066", "\ud800"]
)
def test_what_a_terminal_would_obey_is_shown_and_not_done(control: str) -> None:
    assert printable(f"a{control}b") == printable(f"a{control}b", layout=True) == "a\ufffdb"


def test_names_are_one_line_texts_keep_their_lines_and_only_ours_keep_colours() -> None:
    text = "a\tb\r\nc\rd \x1b[1;31mred\x1b[0m \x1b[2Jé\xa0\u200d"
    assert printable(text, layout=True) == "a\tb\r\nc\ufffdd \ufffd[1;31mred\ufffd[0m \ufffd[2Jé\xa0\u200d"
    assert printable(text, colours=True) == "a\tb\r\nc\ufffdd \x1b[1;31mred\x1b[0m \ufffd[2Jé\xa0\u200d"
    assert printable("a\tb\nc\r\x1b[31m") == "a\ufffdb\ufffdc\ufffd\ufffd[31m"
