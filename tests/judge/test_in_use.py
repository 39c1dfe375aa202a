"""The judge as a metric, as a judge of the pipeline, as a chooser, and what it says of words."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.in_process import run
from tests.judge.tiny import save_tiny_judge, score

from plainwright import evaluation, metrics
from plainwright.errors import DataError, ModelMissingError
from plainwright.judge import open_judge
from plainwright.judge.explain import explain
from plainwright.judge.finding import JUDGE_VARIABLE
from plainwright.rewrite import Pipeline, Proposal, Protection, RiskBudget, Simplifier
from plainwright.rewrite.choose import best_by_metric, chooser
from plainwright.rewrite.registry import make_judges
from plainwright.rewrite.sentences import sentences_of
from plainwright.tune import Objective

SOURCE = "He bought a mat."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    directory = save_tiny_judge(tmp_path / "tiny")
    monkeypatch.setenv(JUDGE_VARIABLE, str(directory))
    return directory


class Wordings:
    """Proposes what it was given."""

    name = "wordings"

    def __init__(self, *texts):
        self._texts = texts

    def propose(self, sentences, *, limit, threads):
        return [[Proposal(one, text, origin=self.name) for text in self._texts][:limit] for one in sentences]


def test_evaluate_gives_the_mean_of_overall_and_the_other_scores_as_parts(folder):
    metric = metrics.create("judge")
    result = metric.corpus_score([SOURCE, SOURCE], ["He bought a car.", "He bought a mat."], None)
    # By hand, from the worth of words in tests/judge/tiny.py.
    assert result.value == pytest.approx((score(1 - 2) + score(1)) / 2, abs=1e-4)
    assert result.parts == pytest.approx(
        {"meaning": (score(-2) + score()) / 2, "grammar": score(), "simplicity": score(1)}, abs=1e-4
    )
    assert result.signature.startswith("judge|model:tiny-1@")


def test_the_metric_has_intervals_and_works_in_evaluate_without_references(folder):
    target = evaluation.EvaluationSet(name=None, label="mine", segments=6, sources=(SOURCE,) * 6)
    outputs = {"one": ["He bought a car."] * 3 + ["He bought a cat."] * 3, "same": [SOURCE] * 6}
    settings = evaluation.EvaluationSettings(metrics=("judge",), resamples=50)
    found = evaluation.evaluate(target, outputs, settings).systems[0].scores["judge"]
    low, high = found.interval
    assert low < found.value < high


def test_it_can_be_tuned_to(folder):
    objective = Objective.parse("judge")
    prepared = objective.prepare(SOURCE, [])
    values = objective.values(objective.stats(prepared, ["He bought a car.", "He bought a mat."]))
    assert values[0] < values[1]


def test_what_is_empty_long_or_foreign_is_said(folder):
    texts = ["", "le la du au en et un ce", "the mat " * 40, "the cat sat"]
    said = metrics.create("judge").remarks(texts, label="the sources")
    assert [remark.partition(";")[0].partition(", ")[0] for remark in said] == [
        "judge: line 1 of the sources is empty",
        "judge: line 3 of the sources is long: the judge reads 40 pieces of words of both texts at once",
        "judge: line 2 of the sources looks like another language than English",
    ]


def test_without_a_judge_the_metric_says_that_none_is_installed(monkeypatch):
    monkeypatch.delenv(JUDGE_VARIABLE, raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelMissingError, match="no judge is installed"):
        metrics.create("judge").sentence_score("a", "a", None)


def test_in_a_pipeline_the_edit_that_damages_goes_and_the_others_stay(folder):
    [judge] = make_judges(["judge"], {})
    pipeline = Pipeline([Wordings("She bought a car.")], judges=[judge], budget=RiskBudget(0.2))
    # "car" lowers meaning from 88 to 50, which risks 37 % by the curve; "She" costs nothing.
    assert Simplifier(pipeline).simplify(SOURCE).text == "She bought a mat."


def test_groups_together_cost_what_the_proposal_risks(folder):
    [judge] = make_judges(["judge"], {"judge": {"directory": str(folder)}})
    [sentence] = sentences_of(SOURCE, Protection())
    proposals = [Proposal(sentence, text) for text in ("She bought a car.", SOURCE)]
    [[verdict, copy]] = judge.judge([(sentence, proposals)])
    [whole] = open_judge(folder).risks([SOURCE], ["She bought a car."])
    assert verdict.risks == pytest.approx((0, whole), abs=1e-6)
    assert copy.risks == ()


def test_the_chooser_takes_what_the_judge_likes_best(folder):
    proposals = Wordings("He bought a car.", "She bought a mat.", "He bought, bought a mat.")
    simplifier = Simplifier(Pipeline([proposals]))
    [best] = simplifier.stream([SOURCE], rerank=chooser("judge"))
    assert best.text == "He bought, bought a mat."  # "bought" is worth one more
    alone = best_by_metric(SOURCE, ["a car", "a mat"], [0.0, 0.0], metric=metrics.create("judge"))
    assert alone == 1


def test_mbr_needs_a_metric_that_compares_with_references(folder):
    with pytest.raises(DataError, match="judge looks at no references, so it cannot compare candidates"):
        chooser("mbr", utility="judge")


def test_references_that_the_judge_would_not_look_at_are_refused(folder):
    judge = metrics.create("judge")
    with pytest.raises(DataError, match="pseudo_references: expected a metric that looks at references, found judge"):
        chooser("metric", utility="judge", pseudo_references=3)
    with pytest.raises(DataError, match="references: expected a metric that looks at references, found judge"):
        best_by_metric(SOURCE, ["a car", "a mat"], [0.0, 0.0], metric=judge, references=["a mat"])
    with pytest.raises(DataError, match="utility: expected mbr or metric with it, found judge"):
        chooser("judge", utility="lens")


def test_edits_that_lowered_a_score_come_first(folder):
    explained = explain(open_judge(folder), SOURCE, "She bought a car.")
    assert explained.by == "edits"
    worst, harmless = explained.blames
    assert (worst.source, worst.output) == ("mat", "car")
    assert worst.gains["meaning"] == pytest.approx(score() - score(-2), abs=1e-4)
    assert np.allclose(list(harmless.gains.values()), 0, atol=1e-4)


def test_words_are_left_out_where_there_are_no_edits_to_undo(folder):
    explained = explain(open_judge(folder), "A cat sat.", "A cat sat.")
    assert explained.by == "words"
    assert explained.blames[0].output == "cat"
    assert explained.blames[0].output_spans == ((2, 5),)


@pytest.mark.parametrize(("source", "output", "which"), [("", "a", "source"), ("a", " ", "output")])
def test_empty_texts_have_nothing_to_explain(folder, source, output, which):
    with pytest.raises(DataError, match=f"expected a {which} to explain, found one without a word"):
        explain(open_judge(folder), source, output)


def test_commands_score_and_explain(folder, tmp_path):
    (tmp_path / "source.txt").write_text(f"{SOURCE}\nThe cat sat.\n")
    (tmp_path / "mine.txt").write_text("He bought a car.\nThe cat sat.\n")
    scored = run(
        "judge",
        "score",
        "--source",
        tmp_path / "source.txt",
        "--outputs",
        tmp_path / "mine.txt",
        "--json",
        "--model",
        folder,
    )
    assert scored.returncode == 0, scored.stderr
    assert '"judge"' in scored.stdout
    shown = run("judge", "explain", SOURCE, "She bought a car.")
    assert "if 'mat' were still there instead of 'car'" in shown.stdout, shown.stderr
    document = json.loads(run("judge", "explain", SOURCE, "She bought a car.", "--json").stdout)
    assert document["blames"][0]["output"] == "car"


@pytest.mark.parametrize(
    ("source", "output", "said"),
    [
        ("He bought a mat.", "She bought a very big mat.", "  without 'very big'"),
        ("He bought a mat in May.", "She bought a mat.", "  if 'in May' were still there"),
        ("He bought  a mat.", "She bought a mat.", "  with the white space of the source"),
    ],
)
def test_what_was_added_or_dropped_is_said_as_such(folder, source, output, said):
    shown = run("judge", "explain", source, output, "--by", "edits")
    assert any(line.endswith(said) for line in shown.stdout.splitlines()), shown
