"""Parting long text: nothing is lost, and how it arrives changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.rewrite import paragraphs as module
from plainwright.rewrite.paragraphs import paragraphs

TEXT = st.text(alphabet="ab. \n\r\t\u2029", max_size=80)


def test_blank_lines_end_a_paragraph() -> None:
    assert list(paragraphs(["One.\nStill one.\n\n  \nTwo.\n"])) == ["One.\nStill one.\n\n  \n", "Two.\n"]
    assert list(paragraphs(["\n\n x"])) == ["\n\n x"]
    assert list(paragraphs([])) == []


def test_lines_end_after_their_line_feed() -> None:
    assert list(paragraphs(["a\r\n\nb"], lines=True)) == ["a\r\n", "\n", "b"]


@given(text=TEXT, cut=st.integers(0, 80), lines=st.booleans())
def test_the_parts_make_the_text_whatever_the_pieces(text: str, cut: int, lines: bool) -> None:
    whole = list(paragraphs([text], lines=lines))
    assert "".join(whole) == text
    assert list(paragraphs([text[:cut], text[cut:]], lines=lines)) == whole
    assert list(paragraphs(text, lines=lines)) == whole


@given(text=TEXT)
def test_long_paragraphs_are_parted_the_same_way_whatever_the_pieces(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "LONGEST", 10)
        whole = list(paragraphs([text]))
        assert "".join(whole) == text
        assert all(len(part) <= 10 for part in whole)
        assert list(paragraphs(text)) == whole


def test_a_long_paragraph_is_parted_between_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 30)
    parts = list(paragraphs(["The cat sat. The dog ran. The bird sang. It rained."]))
    assert parts == ["The cat sat. The dog ran. ", "The bird sang. It rained."]
