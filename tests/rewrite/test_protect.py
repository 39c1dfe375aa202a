"""What no rule may touch."""

from __future__ import annotations

import re
import sys
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.rewrite.protect import Protection, protected_tokens
from plainwright.text import ptb_tokenize


def reasons(text: str, **options: object) -> dict[str, str]:
    tokens = ptb_tokenize(text)
    found = protected_tokens(text, tokens, Protection(**options))  # type: ignore[arg-type]
    return {token.text: reason for token, reason in zip(tokens, found, strict=True) if reason}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See https://example.org/a?b=c now.", {"https://example.org/a?b=c": "address"}),
        ("Mail me at ann.b@example.org today.", {"ann.b@example.org": "address"}),
        (r"Copy c:\temp\list to ~/lists now.", {r"c:\temp\list": "address", "~/lists": "address"}),
        ("Look in /usr/share and ./here too.", {"/usr/share": "address", "./here": "address"}),
        ("Use this and/or that.", {}),
        ("It cost 3,500 in 1999.", {"3,500": "number", "1999": "number"}),
        ("The 19th floor.", {"19th": "number"}),
        ("An mp3 about covid-19.", {"mp3": "number", "covid-19": "number"}),
        ("We met Anna in Oslo.", {"Anna": "name", "Oslo": "name"}),
        ("Mary Smith came.", {"Mary": "name", "Smith": "name"}),
        ("The man came.", {}),
        ("NASA and the iPhone.", {"NASA": "name", "iPhone": "name"}),
        ("He and I left.", {}),
        ("The word Слово stays.", {"Слово": "script"}),
    ],
)
def test_recognised_without_help(text: str, expected: dict[str, str]) -> None:
    assert reasons(text) == expected


def test_words_and_phrases_of_the_user_are_kept_whatever_their_case() -> None:
    found = reasons("The Principal investigator spoke.", keep=("principal  investigator", "spoke"))
    assert found == {"Principal": "keep", "investigator": "keep", "spoke": "keep"}


def test_a_kept_word_is_no_part_of_a_longer_one() -> None:
    assert reasons("the principals spoke", keep=("principal",)) == {}


def test_names_and_numbers_can_be_given_up() -> None:
    assert reasons("We met Anna in 1999.", names=False, numbers=False) == {}


# Marks inside and at the ends of phrases, word characters outside ASCII, every kind of white space.
PHRASE_TEXT = st.text(alphabet="aAbB_1é\u0301É+.' \t\n\u00a0", max_size=8)


@given(PHRASE_TEXT, st.lists(PHRASE_TEXT, max_size=5))
def test_phrases_stand_where_one_regular_expression_for_each_finds_them(text: str, phrases: list[str]) -> None:
    expected = set()
    for phrase in phrases:
        if words := r"\s+".join(map(re.escape, phrase.split())):
            # Inside a look-ahead, so that overlapping ones are found too.
            pattern = rf"(?<!\w)(?=({words})(?!\w))"
            expected |= {match.span(1) for match in re.finditer(pattern, text, re.IGNORECASE)}
    assert set(Protection(keep=tuple(phrases)).kept_spans(text)) == expected


def test_the_work_for_a_sentence_does_not_grow_with_the_number_of_phrases() -> None:
    def calls(phrases: int) -> int:
        protection = Protection(keep=tuple(f"phrase number {i}" for i in range(phrases)))
        text = "They saw phrase number 3 of many."
        tokens = ptb_tokenize(text)
        count = 0

        def profile(frame: FrameType, event: str, argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        previous = sys.getprofile()
        sys.setprofile(profile)
        try:
            found = protected_tokens(text, tokens, protection)
        finally:
            sys.setprofile(previous)
        assert found[2:5] == ["keep"] * 3
        return count

    calls(10)  # fills the caches of `re`
    assert calls(2_000) == calls(10)
