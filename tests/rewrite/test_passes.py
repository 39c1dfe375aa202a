"""Edits of two passes as edits of one text; pipelines with several passes are in `test_pipeline.py`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.rewrite import Edit, Proposal, Protection
from plainwright.rewrite.passes import composed
from plainwright.rewrite.sentences import one_sentence
from plainwright.text.edits import apply_edits


def edits(source: str, text: str, origin: str) -> Sequence[Edit]:
    return Proposal(one_sentence(source, Protection()), text, origin=origin).edits


def through(source: str, middle: str, text: str) -> list[Edit]:
    return composed(source, text, edits(source, middle, "first"), edits(middle, text, "second"))


# Written by hand: three texts, and what one who only sees the first and the last would call the edits between them.
@pytest.mark.parametrize(
    ("source", "middle", "text", "expected"),
    [
        (  # apart
            "We utilise the residence.",
            "We use the residence.",
            "We use the home.",
            [("replace", "first", "utilise", "use"), ("replace", "second", "residence", "home")],
        ),
        (  # the same word twice
            "We utilise it.",
            "We employ it.",
            "We use it.",
            [("replace", "first+second", "utilise", "use")],
        ),
        (  # a word that came and went again
            "We go.",
            "We all go.",
            "We go.",
            [("replace", "first+second", "", "")],
        ),
        (  # inside what a split wrote
            "He saw Bob, who ran.",
            "He saw Bob. He ran.",
            "He saw Bob. That man ran.",
            [("split", "first+second", ", who", ". That man")],
        ),
        (  # after a text that has become shorter
            "However, we go to the residence.",
            "We go to the residence.",
            "We go to the home.",
            [("delete", "first", "However, we", "We"), ("replace", "second", "residence", "home")],
        ),
    ],
)
def test_edits_that_meet_are_one(
    source: str, middle: str, text: str, expected: list[tuple[str, str, str, str]]
) -> None:
    found = through(source, middle, text)
    assert [(e.kind, e.origin, e.source_text, e.target_text) for e in found] == expected


def test_edits_of_different_groups_that_meet_share_one() -> None:
    first = edits("We utilise big residences.", "We use large homes.", "first")
    second = edits("We use large homes.", "We live there.", "second")
    [edit] = composed("We utilise big residences.", "We live there.", first, second)
    assert (len({e.group for e in first}), edit.group, edit.target_text) == (1, 0, "live there")


TEXT = st.lists(st.sampled_from(["We ", "they ", "use ", "it", ", ", ". ", "and ", "A ", "home"]), max_size=8).map(
    "".join
)


@given(TEXT, TEXT, TEXT)
def test_they_rebuild_the_text_and_any_of_them_can_be_undone(source: str, middle: str, text: str) -> None:
    found = through(source, middle, text)
    assert apply_edits(source, found) == text
    for before, edit in zip([None, *found], found, strict=False):
        assert before is None or before.source_span[1] <= edit.source_span[0]
        assert text[slice(*edit.target_span)] == edit.target_text
    groups = {edit.group for edit in found}
    assert groups == set(range(len(groups)))
    positions = range(len(found))
    for undone in chain.from_iterable(combinations(positions, size) for size in range(min(2, len(found)) + 1)):
        rest = Proposal(one_sentence(source, Protection()), text, edits=found).without({found[n].group for n in undone})
        assert apply_edits(source, rest.edits) == rest.text
    assert apply_edits(source, found, without=set(positions)) == source
