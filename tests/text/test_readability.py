"""Readability counts: by hand, against the Python twin, and at the edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.syllables import tokenised_counts

from plainwright.errors import DataError, UnknownNameError
from plainwright.text import (
    ReadabilityCounts,
    count_syllables,
    readability_counts,
    readability_counts_lines,
)

_any_text = st.text(st.characters(exclude_categories=["Cs", "Cn"], max_codepoint=0x1FFFF))
_token_text = st.lists(st.sampled_from(["about", "-lrb-", ",", "--", "unlikely", "é", "1990", "\u2003", "a-b"])).map(
    " ".join
)


def test_counts_of_raw_text_by_hand() -> None:
    found = readability_counts("Dr. Smith saw it. It was—he said—an enormous cat!")
    assert found == ReadabilityCounts(
        sentences=2,
        words=11,
        syllables=13,  # CMU dictionary: e-nor-mous 3, ten others 1 (its first "dr" is "drive")
        characters=41,
        letters=36,
        polysyllables=1,
    )


def test_counts_of_tokenised_text_by_hand() -> None:
    found = readability_counts("the employee , -lrb- sat -rrb- .", mode="tokenised")
    assert found == ReadabilityCounts(sentences=1, words=7, syllables=10, characters=26, letters=20, polysyllables=0)


@given(st.lists(st.one_of(_any_text, _token_text), max_size=8), st.integers(1, 3))
def test_tokenised_counts_equal_the_twin(lines: list[str], threads: int) -> None:
    found = readability_counts_lines(lines, mode="tokenised", threads=threads)
    assert found.shape == (len(lines), 6)
    assert found.dtype == np.float64
    assert found.tolist() == [tokenised_counts(line) for line in lines]


@given(st.lists(st.sampled_from(["cat", "enormous", "1990", "well-known", "they're", "NATO"]), min_size=1, max_size=9))
def test_plain_counts_are_those_of_the_words(words: list[str]) -> None:
    found = readability_counts(" ".join(words) + ".")
    syllables = [count_syllables(word) for word in words]
    assert (found.sentences, found.words, found.syllables) == (1, len(words), sum(syllables))
    assert found.polysyllables == sum(count >= 3 for count in syllables)


@given(_any_text)
def test_any_text_has_counts(text: str) -> None:
    found = readability_counts(text)
    assert found.sentences <= found.words
    assert found.letters <= found.characters == len("".join(text.split()))
    assert found.letters == sum(character.isalpha() for character in text)


def test_punctuation_alone_is_no_sentence_and_no_text_has_no_counts() -> None:
    assert readability_counts("... !").sentences == 0
    assert readability_counts_lines(["", " \n"]).sum() == 0
    assert readability_counts_lines([]).shape == (0, 6)


def test_a_line_of_one_megabyte_and_a_nul_character_pass() -> None:
    assert readability_counts("It is. " * 150_000).sentences == 150_000
    assert readability_counts("a\0b").words == 1


def test_wrong_input_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown readability mode 'tokenized'; did you mean tokenised"):
        readability_counts("a", mode="tokenized")
    with pytest.raises(DataError, match=r"lines\[2\] holds a lone surrogate"):
        readability_counts_lines(["a", "b", "\udc80"])
    with pytest.raises(TypeError, match="takes lines as a list of strings, got an int at position 0"):
        readability_counts_lines([3])  # type: ignore[list-item]


def test_turkcorpus_counts_equal_the_twin(data_dir: Path) -> None:
    lines = (data_dir / "turkcorpus/tok_lower/test.norm").read_text(encoding="utf-8").split("\n")
    found = readability_counts_lines(lines, mode="tokenised", threads=2)
    assert found.tolist() == [tokenised_counts(line) for line in lines]
