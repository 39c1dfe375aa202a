"""What no rule may touch."""

from __future__ import annotations

import pytest

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
