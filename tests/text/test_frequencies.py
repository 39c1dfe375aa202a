"""Frequencies of words: what is searched for in the stored list is what a table of all words has."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from plainwright.text import frequencies
from plainwright.text.frequencies import frequency_list, zipf


# Printed by wordfreq.zipf_frequency(word, "en", wordlist="large") of wordfreq 3.1.1.
@pytest.mark.parametrize(("word", "expected"), [("the", 7.73), ("house", 5.71), ("dwelling", 3.74), ("xqzzy", 1.0)])
def test_values_are_those_of_wordfreq(word: str, expected: float) -> None:
    assert zipf(word) == pytest.approx(expected)


def test_a_search_in_the_stored_list_finds_what_the_table_has() -> None:
    table = {word: number for number, bucket in enumerate(frequencies._centibels()) for word in bucket}
    words = list(table)
    odd = [word for word in words if len(word.encode()) > 31 or not word.isascii()]  # stored in another way
    rng = random.Random(5)
    known = [*rng.sample(words, 150), *rng.sample(odd, 50), words[0], words[-1]]
    assert {word: frequencies._bucket(word) for word in known} == {word: table[word] for word in known}
    for unknown in ("", "x\ny", "\ud800", "a" * 300, "hous\x00e", words[0] + words[1] + "q"):
        assert frequencies._bucket(unknown) is None


def test_buckets_come_by_falling_frequency() -> None:
    first, *_, last = frequency_list()
    assert "the" in first
    assert zipf(first[0]) > zipf(last[0])


def test_a_sentence_is_simplified_without_the_table_and_without_looking_through_packages() -> None:
    code = (
        "import sys, plainwright; print(plainwright.simplify('The physician purchased a dwelling.'));"
        "from plainwright.text import frequencies;"
        "print(frequencies._table.cache_info().currsize, 'importlib.metadata' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "The doctor bought a home.\n0 False\n"
