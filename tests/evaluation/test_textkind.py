"""Tokenised or raw, cased or lower-cased: told from the text, with the evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.toy_set import RAW, SOURCES

from plainwright import corpora
from plainwright.errors import CorpusMissingError
from plainwright.evaluation.textkind import detect


def test_spaced_punctuation_is_tokenised_and_attached_punctuation_is_raw() -> None:
    assert detect(SOURCES).tokens == "tokenised"
    assert detect(RAW).tokens == "raw"


def test_evidence_counts_by_hand() -> None:
    # SOURCES: 2 + 1 + 0 + 2 commas and 4 full stops, all alone.
    assert detect(SOURCES).evidence == "9 punctuation marks stand alone, 0 are attached to words"
    assert detect(RAW).evidence == "0 punctuation marks stand alone, 9 are attached to words"


def test_one_sentence_is_enough() -> None:
    assert detect(["He sat down."]).tokens == "raw"
    assert detect(["He sat down ."]).tokens == "tokenised"


def test_text_without_marks_or_of_both_kinds_is_unclear() -> None:
    assert detect(["no marks here", "nor here"]).tokens == "unclear"
    assert detect([*SOURCES, *RAW]).tokens == "unclear"
    assert detect([]).tokens == "unclear"


def test_abbreviations_inside_a_tokenised_line_do_not_count() -> None:
    assert detect(["Mr. Smith of the U.S. Army met Dr. Jones , Jr. , in St. Louis ."]).tokens == "tokenised"


def test_case_is_told_by_the_share_of_lines_with_capitals() -> None:
    assert detect(SOURCES).case == "cased"
    assert detect([line.lower() for line in SOURCES]).case == "lower"


@pytest.mark.parametrize("card", corpora.cards(kind="set"), ids=lambda card: card.name)
def test_agrees_with_the_card_of_every_registered_set(card: corpora.Card) -> None:
    try:
        corpus = corpora.load(card)
    except CorpusMissingError as error:
        pytest.skip(str(error))
    kind = detect(corpus.sources)
    expected = {"raw": ("raw", "cased"), "tokenised-lower": ("tokenised", "lower")}
    assert (kind.tokens, kind.case) == expected.get(corpus.text, ("tokenised", "cased"))


@given(st.lists(st.text(max_size=30), max_size=5))
def test_any_text_has_a_kind(lines: list[str]) -> None:
    kind = detect(lines)
    assert kind.attached >= 0
    assert kind.separate >= 0
