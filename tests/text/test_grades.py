"""School grades by formula: values by hand, from counts that are easy to divide."""

from __future__ import annotations

import pytest

from plainwright.text import ReadabilityCounts, readability_counts
from plainwright.text.grades import grades, reading_age

# 10 words a sentence, 1.5 syllables and 4.5 letters a word, a fifth of the words with three syllables or more.
COUNTS = ReadabilityCounts(sentences=10, words=100, syllables=150, characters=480, letters=450, polysyllables=20)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("flesch_kincaid", 6.01),  # 0.39 * 10 + 11.8 * 1.5 - 15.59
        ("flesch", 69.785),  # 206.835 - 1.015 * 10 - 84.6 * 1.5
        ("gunning_fog", 12.0),  # 0.4 * (10 + 20)
        ("smog", 11.2083),  # 1.043 * sqrt(60) + 3.1291
        ("coleman_liau", 7.7),  # 0.0588 * 450 - 0.296 * 10 - 15.8
        ("ari", 6.178),  # 4.71 * 4.8 + 0.5 * 10 - 21.43
    ],
)
def test_each_formula_by_hand(name: str, value: float) -> None:
    known = grades(COUNTS)
    assert known is not None
    assert known.to_dict()[name] == pytest.approx(value, abs=5e-4)


def test_a_text_without_words_has_no_grade() -> None:
    assert grades(readability_counts("… !")) is None


def test_pupils_are_six_when_they_start() -> None:
    assert [reading_age(grade) for grade in (-2.0, 1.0, 8.0)] == [5, 6, 13]
