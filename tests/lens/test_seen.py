"""Marks of the sources that a model has learnt from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plainwright.lens.seen import count_seen, marks_of

TRAINED_ON = ["The cat sat on the mat.", "He didn't go (at first)."]


def test_a_sentence_is_known_again_in_other_tokens_and_case() -> None:
    marks = marks_of(TRAINED_ON)
    assert count_seen(marks, ["the cat sat on the mat .", "he did n't go ( at first ) ."]) == 2
    assert count_seen(marks, ["The cat sat on a mat.", "The cat sat."]) == 0


def test_each_counts_once() -> None:
    assert count_seen(marks_of(TRAINED_ON), [TRAINED_ON[0], TRAINED_ON[0].upper(), "Another."]) == 1


def test_marks_do_not_tell_the_text_nor_the_order() -> None:
    marks = marks_of(TRAINED_ON)
    assert marks == marks_of(reversed(TRAINED_ON))
    assert "cat" not in marks
    assert len(marks.split()) == 2


def test_a_model_without_marks_has_seen_nothing() -> None:
    assert count_seen("", TRAINED_ON) == 0


@given(st.lists(st.text(max_size=30)), st.lists(st.text(max_size=30)))
def test_what_was_marked_is_seen(trained: list[str], others: list[str]) -> None:
    marks = marks_of(trained)
    assert count_seen(marks, trained) == len(marks.split())
    assert count_seen(marks, [*trained, *others]) == len(marks.split())
