"""The printed table and what goes into its settings."""

from __future__ import annotations

import json

from plainwright.evaluation import Evaluation, EvaluationSet, EvaluationSettings, evaluate
from plainwright.evaluation.render import to_csv, to_json, to_table

SOURCES = ("The vessel was constructed, then sold.", "He resided nearby, alone.", "It commenced at noon, sharp.")
REFERENCES = (("The ship was built, then sold.",), ("He lived nearby, alone.",), ("It began at noon, sharp.",))
OUTPUTS = ("The ship was built, then sold off.", "He lived nearby, alone.", "It started at noon, sharp.")
TARGET = EvaluationSet(name=None, label="toy", segments=3, sources=SOURCES, references=REFERENCES)


def run(name: str = "ours", settings: EvaluationSettings | None = None) -> Evaluation:
    return evaluate(TARGET, {name: OUTPUTS}, settings or EvaluationSettings(metrics=("sari", "profile")))


def test_names_of_systems_are_not_markup() -> None:
    for name in ("run[red]2", ":tada:", "[/bold]"):
        assert to_table(run(name), width=160, colour=False).count(name) == 2  # scores and profile


def test_one_reference_is_not_plural() -> None:
    assert "3 segments, 1 reference\n" in to_table(run(), width=160, colour=False)


def test_no_resamples_are_reported_where_none_were_drawn() -> None:
    document = json.loads(to_json(run(settings=EvaluationSettings(metrics=("sari",), intervals=False))))
    assert document["resamples"] == 0


def test_the_variant_of_sari_does_not_change_other_metrics() -> None:
    settings = EvaluationSettings(metrics=("ld",), variants={"sari": "easse", "ld": "tokens"})
    assert "tok:13a" in run(settings=settings).systems[0].scores["ld"].signature


def test_a_value_that_does_not_exist_is_a_dash_or_an_empty_cell() -> None:
    numbers = ("1, 2.", "3, 4.", "5, 6.")  # no word, no lexical complexity
    target = EvaluationSet(name=None, label="toy", segments=3, sources=numbers)
    evaluation = evaluate(target, {"copy": numbers}, EvaluationSettings(metrics=("profile",)))
    assert "–\n" in to_table(evaluation, width=160, colour=False)
    assert "lexical_complexity,,,,,," in to_csv(evaluation)
    assert "nan" not in to_table(evaluation, width=160, colour=False) + to_csv(evaluation) + to_json(evaluation)


def test_intervals_are_explained_only_where_some_are_shown() -> None:
    assert "interval" in to_table(run(), width=160, colour=False)
    assert "interval" not in to_table(run(settings=EvaluationSettings(metrics=("profile",))), width=160, colour=False)
