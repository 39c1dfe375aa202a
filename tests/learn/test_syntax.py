"""From hand-made analyses to constituents and labels."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright import _core
from plainwright.errors import DataError
from plainwright.learn.syntax import Analysis, constituents, parse_analysis, span_labels


def analysis(*rows: tuple[str, str, int, str]) -> Analysis:
    return Analysis(*zip(*rows, strict=True))


# "The board made a big effort for the plan ." with the dependencies of spaCy's scheme.
EFFORT = analysis(
    ("The", "DT", 1, "det"),
    ("board", "NN", 2, "nsubj"),
    ("made", "VBD", 2, "ROOT"),
    ("a", "DT", 5, "det"),
    ("big", "JJ", 5, "amod"),
    ("effort", "NN", 2, "dobj"),
    ("for", "IN", 5, "prep"),
    ("the", "DT", 8, "det"),
    ("plan", "NN", 6, "pobj"),
    (".", ".", 2, "punct"),
)

# "people who have been seen and heard"
PEOPLE = analysis(
    ("people", "NNS", 0, "ROOT"),
    ("who", "WP", 4, "nsubjpass"),
    ("have", "VBP", 4, "aux"),
    ("been", "VBN", 4, "auxpass"),
    ("seen", "VBN", 0, "relcl"),
    ("and", "CC", 4, "cc"),
    ("heard", "VBN", 4, "conj"),
)


def test_constituents_of_a_clause():
    assert constituents(EFFORT) == [
        (0, 10, "S"),
        (0, 9, "S"),
        (0, 2, "NP"),
        (2, 9, "VP"),
        (3, 9, "NP"),
        (3, 6, "NP"),
        (6, 9, "PP"),
        (7, 9, "NP"),
    ]


def test_relative_clauses_auxiliaries_and_coordination():
    assert constituents(PEOPLE) == [
        (0, 7, "NP"),
        (1, 7, "SBAR"),
        (1, 5, "SBAR"),
        (2, 7, "VP"),
        (2, 5, "VP"),
        (3, 7, "VP"),
        (3, 5, "VP"),
        (4, 7, "VP"),
    ]


@pytest.mark.parametrize(
    ("span", "label"),
    [
        ((1, 2), "NN"),  # a single token has its tag
        ((0, 2), "NP"),
        ((2, 6), "VP/PP"),  # as "make a significant contribution" in Table 1 of Xu et al. (2016)
        ((0, 3), "S/NP"),  # a sentence that lacks a noun phrase on its right
        ((4, 9), "NP\\DT"),
        ((0, 6), "S/PP"),
        ((3, 5), "NP/NN"),
        ((5, 7), "NN+IN"),
        ((4, 7), "JJ+NN+IN"),
        ((1, 5), "X"),
    ],
)
def test_labels_by_hand(span, label):
    assert span_labels(EFFORT)[span] == label


def test_a_subtree_with_holes_is_no_phrase():
    crossing = analysis(("a", "NN", 2, "nsubj"), ("b", "NN", 1, "ROOT"), ("c", "NN", 1, "dobj"))
    assert (0, 3, "NP") in constituents(crossing)  # b's own
    assert all(label != "NP" or span != (0, 2) for *span, label in constituents(crossing))


@st.composite
def analyses(draw):
    size = draw(st.integers(1, 8))
    tags = st.sampled_from(["NN", "VB", "IN", "DT", "JJ", "RB", ".", "WP", "CC", "CD"])
    relations = st.sampled_from(["nsubj", "mark", "conj", "cc", "punct", "prep", "dobj", "ROOT"])
    rows = [draw(st.lists(kind, min_size=size, max_size=size)) for kind in (tags, relations)]
    heads = draw(st.lists(st.integers(0, size - 1), min_size=size, max_size=size))
    return Analysis(tuple("w" * size), tuple(rows[0]), tuple(heads), tuple(rows[1]))


@given(analyses())
def test_any_analysis_has_labels_and_survives_its_line(made):
    assert parse_analysis(str(made)) == made
    found = constituents(made)
    assert len({(first, last) for first, last, _ in found}) == len(found)
    labels = span_labels(made)
    size = len(made.tokens)
    assert len(labels) == size * (size + 1) // 2
    for first, last, label in found:
        assert labels[first, last] == label
    for i, tag in enumerate(made.tags):
        assert labels[i, i + 1] == tag


@given(st.text(max_size=40))
def test_any_text_is_an_analysis_or_refused(text):
    with contextlib.suppress(DataError):
        parse_analysis(text)
    with contextlib.suppress(ValueError):
        assert len(_core.span_labels(2, text)) == 2


def test_too_many_labels_are_refused():
    with pytest.raises(ValueError, match="at most 255"):
        _core.span_labels(300, " ".join(f"T{k}" for k in range(300)))
