"""Sentences that are plain enough stay out of the pipeline."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from tests.toy_model import write_model

import plainwright

RULES = "[VB] ||| purchase ||| buy ||| good=3 ||| 0-0\n"
EASY, HARD = "They may purchase it. ", "Inexperienced individuals purchase unnecessary refrigeration. "


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"), RULES)


def test_only_hard_sentences_are_rewritten(model: Path) -> None:
    gated = plainwright.load(model, max_grade=8)
    result = gated.simplify(EASY + HARD + EASY)
    assert result.text == EASY + HARD.replace("purchase", "buy") + EASY
    assert [len(sentence.edits) for sentence in result.sentences] == [0, 1, 0]
    assert plainwright.simplify([EASY, HARD], model, max_grade=8) == [EASY, HARD.replace("purchase", "buy")]


def test_the_gate_is_the_same_for_all_threads_and_batches(model: Path) -> None:
    gated = plainwright.load(model, max_grade=8)
    texts = [EASY * n + HARD for n in range(5)]
    assert gated.simplify_all(texts, threads=2) == [gated.simplify(text).text for text in texts]


def test_a_simplifier_with_a_gate_survives_pickling(model: Path) -> None:
    again = pickle.loads(pickle.dumps(plainwright.load(model, max_grade=8)))
    assert again.simplify(EASY).text == EASY


def test_text_that_is_no_unicode_passes(model: Path) -> None:
    assert plainwright.load(model, max_grade=8).simplify("a \ud800 b.").text == "a \ud800 b."


def test_a_grade_has_to_be_a_number(model: Path) -> None:
    with pytest.raises(TypeError, match="load takes max_grade as a number, a grade of school, got a str"):
        plainwright.load(model, max_grade="8")  # type: ignore[arg-type]
