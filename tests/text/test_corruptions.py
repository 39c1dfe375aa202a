"""Texts spoilt on purpose: by hand, and what holds for any text."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.errors import DataError
from plainwright.text.corruptions import drop_words, generator_of, scramble_words, split_in_middle

TEN = "One two three four five six seven eight nine ten."
WORDS = st.lists(st.text("abcXYZ09", min_size=1, max_size=6), min_size=2, max_size=40)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def changed_places(first: str, second: str) -> int:
    return sum(a != b for a, b in zip(first.split(), second.split(), strict=True))


@pytest.mark.parametrize(("share", "left"), [(0.0, 10), (0.01, 9), (0.1, 9), (0.25, 7), (0.9, 1), (1.0, 1)])
def test_the_share_of_words_that_is_dropped(share: float, left: int) -> None:
    # 0.25 of ten is 2.5, rounded up; the least is one word, and one is left.
    assert len(drop_words(TEN, share, rng()).split()) == left


@pytest.mark.parametrize(("share", "moved"), [(0.0, 0), (0.05, 2), (0.3, 3), (1.0, 10)])
def test_the_share_of_words_that_is_scrambled(share: float, moved: int) -> None:
    # Two at least, since one word alone has no other place.
    assert changed_places(TEN, scramble_words(TEN, share, rng())) == moved


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The old cat slept well.", "The old cat. slept well."),
        ("Two words.", "Two. words."),
        ("The cat, which slept, is old.", "The cat, which. slept, is old."),
        ("The old cat , which slept , is grey .", "The old cat , which . slept , is grey ."),
        ("Alone.", "Alone."),
        ("...", "..."),
        ("", ""),
    ],
)
def test_the_period_in_the_middle(text: str, expected: str) -> None:
    assert split_in_middle(text) == expected


def test_final_marks_stay_at_the_end() -> None:
    for spoilt in (drop_words(TEN, 0.9, rng()), scramble_words(TEN, 1.0, rng()), split_in_middle(TEN)):
        assert spoilt.endswith(".")
        assert not spoilt.endswith("..")
    assert scramble_words("a b c d ?!", 1.0, rng()).endswith(" ?!")


def test_marks_that_stand_alone_do_not_move() -> None:
    text = "a , b , c , d , e ."
    assert scramble_words(text, 1.0, rng()).split()[1::2] == [",", ",", ",", ",", "."]
    assert Counter(drop_words(text, 0.5, rng()).split())[","] == 4


@pytest.mark.parametrize("text", ["", " ", "word", "Word.", "...", "the the THE the"])
def test_what_cannot_be_scrambled_stays(text: str) -> None:
    assert scramble_words(text, 0.5, rng()) == text


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_a_share_is_between_0_and_1(share: float) -> None:
    for spoil in (drop_words, scramble_words):
        with pytest.raises(DataError, match="between 0 and 1"):
            spoil(TEN, share, rng())


def test_chance_comes_from_the_text_and_the_seed() -> None:
    assert generator_of(TEN, 1).random() == generator_of(TEN, 1).random()
    assert len({generator_of(text, seed).random() for text in (TEN, "Another.") for seed in (1, 2)}) == 4


@given(words=WORDS, share=st.floats(0.01, 1.0), seed=st.integers(0, 9))
def test_dropping_leaves_the_order(words: list[str], share: float, seed: int) -> None:
    left = drop_words(" ".join(words), share, np.random.default_rng(seed)).split()
    later = iter(words)
    assert 0 < len(left) < len(words)
    assert all(word in later for word in left)  # a subsequence: each is found behind the one before


@given(words=WORDS, share=st.floats(0.01, 1.0), seed=st.integers(0, 9))
def test_scrambling_keeps_the_words_and_moves_what_it_can(words: list[str], share: float, seed: int) -> None:
    spoilt = scramble_words(" ".join(words), share, np.random.default_rng(seed)).split()
    different = len({word.casefold() for word in words})
    assert sorted(spoilt) == sorted(words)
    moved = changed_places(" ".join(words), " ".join(spoilt))
    assert moved == (0 if different < 2 else min(different, max(2, int(share * len(words) + 0.5))))


@given(words=WORDS)
def test_splitting_adds_one_period_near_the_middle(words: list[str]) -> None:
    first, second = split_in_middle(" ".join(words) + "!").split(". ")
    assert [*first.split(), *second.split()] == [*words[:-1], words[-1] + "!"]
    assert 0 <= len(first.split()) - len(second.split()) <= 1


@given(st.text(max_size=60), st.integers(0, 9))
def test_any_text_is_taken(text: str, seed: int) -> None:
    for spoil in (drop_words, scramble_words):
        first, again = (spoil(text, 0.1, generator_of(text, seed)) for _ in range(2))
        assert first == again
    assert len(split_in_middle(text)) <= len(text) + 2
