"""A or an, by the first sound."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.text import takes_an


# By ear; those of the first two lines are in the CMU dictionary, those after are judged by their letters.
@pytest.mark.parametrize("word", ["apple", "hour", "honest", "heir", "umbrella", "urn", "X-ray", "uninformed", "Owl"])
def test_vowel_sounds(word: str) -> None:
    assert takes_an(word)


@pytest.mark.parametrize("word", ["house", "unicorn", "one", "European", "user", "year", "UNESCO", "historic", "ewe"])
def test_consonant_sounds(word: str) -> None:
    assert not takes_an(word)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("F", True), ("U", False), ("XKCDX", True), ("BZW", False), ("honourspan", True), ("unibrowser", False)],
)
def test_what_the_dictionary_lacks(word: str, expected: bool) -> None:
    assert takes_an(word) == expected


def test_only_the_first_word_counts() -> None:
    assert takes_an("old house")
    assert not takes_an("house, old")
    assert not takes_an("...")


@given(st.text(max_size=20))
def test_any_text_is_taken(text: str) -> None:
    assert takes_an(text) in (True, False)
