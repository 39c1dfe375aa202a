"""Edits that read badly beside their neighbours."""

from __future__ import annotations

import pytest

from plainwright.rewrite import Proposal, Protection
from plainwright.rewrite.judge import Repetition
from plainwright.rewrite.sentences import one_sentence


# Written by hand: a sentence, a proposal for it, and what the forbidden edits would have written.
@pytest.mark.parametrize(
    ("source", "text", "forbidden"),
    [
        ("A beverage is no drink.", "A drink is no drink.", ["drink"]),
        ("Drinks are no beverage.", "Drinks are no drink.", ["drink"]),  # nor in the other number
        ("A beverage and a vessel.", "A drink and a ship.", []),
        ("The drinks were good.", "The drink were good.", []),  # it replaces its own plural
        ("He ran, and she fled.", "He ran, and she ran.", []),  # short words stand twice in many a sentence
        ("A beverage is no cold drink.", "A cold drink is no cold drink.", []),  # nor are phrases looked at
        ("It is a slightly old town.", "It is a a little old town.", ["a little"]),
        ("It is slightly old.", "It is a little old.", []),
        ("Slightly old.", "A little old.", []),
    ],
)
def test_no_edit_brings_a_word_or_an_article_again(source: str, text: str, forbidden: list[str]) -> None:
    sentence = one_sentence(source, Protection())
    proposal = Proposal(sentence, text)
    [[verdict]] = Repetition().judge([(sentence, [proposal])])
    assert [edit.target_text for edit in proposal.edits if edit.group in verdict.forbidden] == forbidden
    assert verdict.risks == (0.0,) * proposal.groups
