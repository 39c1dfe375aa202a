"""Marks of the sources that a model has learnt from."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_process import run
from tests.lens.tiny import save_tiny_model

from plainwright.evaluation import EvaluationSet, EvaluationSettings, evaluate
from plainwright.lens.metric import LENS
from plainwright.lens.seen import SOURCE_MARKS, count_seen, marks_of
from plainwright.study.ratings import read_ratings
from plainwright.study.scoring import score_ratings

TRAINED_ON = ["The cat sat on the mat.", "He didn't go (at first)."]


def test_a_sentence_is_known_again_in_other_tokens_and_case() -> None:
    marks = marks_of(TRAINED_ON)
    assert count_seen(marks, ["the cat sat on the mat .", "he did n't go -lrb- at first -rrb- ."]) == 2
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


EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that learnt from two of the twelve rated sources of the examples."""
    sources = [row.source or "" for row in read_ratings(EXAMPLES / "ratings.csv") if row.item in ("1", "2")]
    return save_tiny_model(tmp_path_factory.mktemp("seen") / "tiny", trained_on=sources).directory


def test_a_study_says_that_the_metric_learnt_from_these_sources(taught: Path) -> None:
    ratings = read_ratings(EXAMPLES / "ratings.csv")
    references = [EXAMPLES / "ratings.references.tsv"]
    _, notes = score_ratings(
        ratings, metrics=["lens", "sari"], references=references, settings=EvaluationSettings(lens_model=taught)
    )
    [note] = [note for note in notes if "learnt from" in note]
    assert "2 of these 12 sources" in note
    assert note.startswith("lens: tiny-1@")


def test_the_command_prints_the_note_on_any_number_of_threads(taught: Path) -> None:
    arguments = ("study", "correlate", EXAMPLES / "ratings.csv", "--references", EXAMPLES / "ratings.references.tsv")
    options = ("--metrics", "lens", "--lens-model", taught, "--resamples", 20)
    one, three = (run(*arguments, *options, "--threads", threads) for threads in (1, 3))
    assert (one.returncode, one.stderr) == (0, "")
    assert "2 of these 12 sources" in " ".join(one.stdout.split())
    assert one.stdout == three.stdout
    refused = run(*arguments, *options, "--threads", 0)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--threads: expected a number from 1" in refused.stderr


def test_an_evaluation_says_so_too_and_only_then(taught: Path) -> None:
    learnt = next(str(row.source) for row in read_ratings(EXAMPLES / "ratings.csv"))
    for source, expected in ((learnt, 1), ("The cat sat.", 0)):
        target = EvaluationSet(name=None, label="toy", segments=1, sources=(source,), references=(("A cat.",),))
        done = evaluate(
            target, {"copy": [source]}, EvaluationSettings(metrics=("lens",), lens_model=taught, intervals=False)
        )
        assert sum("learnt from" in warning for warning in done.warnings) == expected


def test_marks_are_not_shown_to_people(taught: Path) -> None:
    assert LENS(model=taught).scorer.model.provenance[SOURCE_MARKS]
    shown = run("lens", "info", "--lens-model", taught, "--json").stdout
    assert '"name": "tiny"' in shown
    assert SOURCE_MARKS not in shown
