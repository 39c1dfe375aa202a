"""The groups of Rank & Rate, by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.study.operations import OPERATIONS, operation, operations_of
from plainwright.study.scores import RatedOutputs

SOURCE = "The old bridge, which the army built in 1902, was closed on Monday because of the flood."


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("The army built the old bridge in 1902. It was closed on Monday.", "split"),
        ("The old bridge was closed on Monday because of the flood.", "deletion"),
        ("the old bridge was closed on Monday, because of the flood .", "deletion"),  # case and commas do not count
        ("The bridge closed.", "deletion"),
        ("They shut it.", "deletion"),  # less than half of the length, though in other words
        ("The old bridge was shut on Monday because of the flood.", "paraphrase"),  # one word is new
        ("The flood was closed on Monday because of the old bridge.", "paraphrase"),  # another order
        (SOURCE, "paraphrase"),  # nothing is left out
        ("", "deletion"),
    ],
)
def test_groups_by_hand(output, expected):
    assert operation(SOURCE, output) == expected


def test_an_abbreviation_is_no_split():
    assert operation("Dr. Smith met Mr. Jones in the garden.", "Dr. Smith met Mr. Jones there.") == "paraphrase"


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_have_a_group(source, output):
    assert operation(source, output) in OPERATIONS


def test_outputs_without_a_source_or_a_text_have_no_group():
    outputs = RatedOutputs(
        items=("a", "b"),
        systems=("x", "y"),
        sources=(SOURCE, None),
        outputs=(("They shut it.", None), ("One.", "Two.")),
    )
    assert operations_of(outputs) == {("a", "x"): "deletion"}
