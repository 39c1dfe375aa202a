from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lens.tiny import save_tiny_model

from plainwright import metrics
from plainwright.errors import DataError, MissingExtraError, PlainwrightError, ReferenceShapeError
from plainwright.evaluation import EvaluationSet, EvaluationSettings, evaluate
from plainwright.lens.features import resources_digest
from plainwright.lens.metric import LENS
from plainwright.lens.model import rescale

SOURCES = ["He purchased a car .", "The feline reclined on the mat ."]
OUTPUTS = ["He bought a car .", "The cat sat on the mat ."]
REFERENCES = [["He bought a car .", "He got a car ."], ["The cat lay on the mat ."]]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_tiny_model(tmp_path_factory.mktemp("metric") / "tiny")


def test_raw_means_raw_and_the_scale_is_the_normal_curve(model):
    raw = LENS(model=model, rescale=False)
    z = raw.scorer.scores(SOURCES, OUTPUTS, REFERENCES)
    assert raw.sentence_scores(SOURCES, OUTPUTS, REFERENCES).tolist() == z.tolist()
    assert LENS(model=model).sentence_scores(SOURCES, OUTPUTS, REFERENCES).tolist() == rescale(z).tolist()


def test_a_set_has_the_mean_of_its_outputs_and_intervals(model):
    metric = LENS(model=model)
    stats = metric.corpus_stats(SOURCES, OUTPUTS, REFERENCES)
    values = metric.sentence_scores(SOURCES, OUTPUTS, REFERENCES)
    assert metric.corpus_score(SOURCES, OUTPUTS, REFERENCES).value == pytest.approx(values.mean())
    low, high = metrics.bootstrap_interval(metric, stats, resamples=200, seed=1)
    assert values.min() <= low <= values.mean() <= high <= values.max()
    assert metrics.paired_bootstrap(metric, stats, stats, resamples=50, seed=1).difference == 0


def test_the_signature_names_all_that_decides_the_value(model):
    head = f"lens|model:tiny-1@{model.digest[:8]}|encoder:tiny"
    assert LENS(model=model).signature(REFERENCES).startswith(f"{head}|scale:0-100|refs:1-2|v:")
    assert LENS(model=model, rescale=False).signature().startswith(f"{head}|scale:z|v:")
    assert "|references:pseudo|" in LENS(model=model, pseudo_references=True).signature()
    other = replace(model, features=replace(model.features, resources="0" * 64))
    assert f"|resources:{resources_digest()[:8]}|" in LENS(model=other).signature()
    assert "trained with another language model" in LENS(model=other).remarks([], label="x")[0]


def test_candidates_prepared_and_in_pairs_have_the_same_values(model):
    metric = LENS(model=model)
    candidates = [*OUTPUTS, "", OUTPUTS[0]]
    prepared = metric.prepare(SOURCES[0], REFERENCES[0])
    one_by_one = [metric.sentence_score(SOURCES[0], text, REFERENCES[0]).value for text in candidates]
    assert prepared.score_many(candidates, threads=2).tolist() == one_by_one
    assert prepared.score_many([]).tolist() == []
    in_pairs = metric.pairwise(SOURCES[0], candidates, REFERENCES[0], threads=2)
    plain = metrics.Metric.pairwise(metric, SOURCES[0], candidates, REFERENCES[0])
    assert in_pairs.tolist() == plain.tolist()


ANYTHING = st.none() | st.integers() | st.text(max_size=5) | st.lists(st.none() | st.text(max_size=5), max_size=3)


@settings(max_examples=60)
@given(sources=ANYTHING, outputs=ANYTHING, references=ANYTHING | st.lists(ANYTHING, max_size=3))
def test_wrong_input_is_refused_with_our_error(model, sources, outputs, references):
    try:
        said = str(LENS(model=model).corpus_score(sources, outputs, references))
    except PlainwrightError as error:
        said = str(error)
    assert "\n" not in said


def test_without_references_the_way_out_is_told(model):
    with pytest.raises(ReferenceShapeError, match="lens score --pseudo FILE"):
        LENS(model=model).corpus_score(SOURCES, OUTPUTS, None)
    target = EvaluationSet(name=None, label="mine", segments=2, sources=tuple(SOURCES))
    with pytest.raises(DataError, match="lens needs references; mine has none; outputs of other systems"):
        evaluate(target, {"a": OUTPUTS}, EvaluationSettings(metrics=("lens",), lens_model=model.directory))
    with pytest.raises(ReferenceShapeError, match="references=None; outputs of other systems"):
        LENS(model=model).prepare(SOURCES[0], None)


def test_evaluating_tells_of_texts_that_are_empty_or_cut(model):
    long = "cat " * 500
    target = EvaluationSet(
        name=None, label="mine", segments=2, sources=tuple(SOURCES), references=((long, "a"), ("b", long))
    )
    result = evaluate(
        target, {"a": ["", long]}, EvaluationSettings(metrics=("lens",), lens_model=model.directory, resamples=10)
    )
    assert [warning for warning in result.warnings if warning.startswith("lens")] == [
        "lens: line 1 of reference 0 is longer than the encoder reads (200 pieces of words); the rest counts in words, "
        "not in vectors",
        "lens: line 2 of reference 1 is longer than the encoder reads (200 pieces of words); the rest counts in words, "
        "not in vectors",
        "lens: line 2 of output 'a' is longer than the encoder reads (200 pieces of words); the rest counts in words, "
        "not in vectors",
        "lens: line 1 of output 'a' is empty; it gets the lowest value",
    ]
    assert result.systems[0].segments["lens"][0] == pytest.approx(100 * 2.8665e-7, rel=1e-3)  # Phi(-5), by table


def evaluated(metric, outputs, **judges):
    target = EvaluationSet(name=None, label="mine", segments=2, sources=tuple(SOURCES), **judges)
    return evaluate(target, outputs, EvaluationSettings(metrics=(metric,), resamples=10))


def test_it_is_said_in_which_line_of_which_reference_a_text_was_cut(model):
    long = "cat " * 500
    cut = "is longer than the encoder reads (200 pieces of words); the rest counts in words, not in vectors"
    metric = LENS(model=model)
    result = evaluated(metric, {"a": OUTPUTS}, references=(("a", "b"), ("c", long)))
    assert result.warnings == (f"lens: line 2 of reference 1 {cut}",)
    result = evaluated(metric, {"a": OUTPUTS}, pseudo={"b": ("", "b"), "c": ("c", long)})
    assert result.warnings == (
        f"lens: line 2 of reference 1 {cut}",
    )  # that an empty line is no reference needs no word


def test_systems_with_pseudo_references(model):
    outputs = {"ours": tuple(OUTPUTS), "copy": tuple(SOURCES)}
    metric = LENS(model=model, pseudo_references=True)
    result = evaluated(metric, outputs, pseudo=outputs)
    assert result.warnings == ()
    ours, copy = result.systems
    expected = metric.corpus_score(SOURCES, OUTPUTS, [[text] for text in SOURCES])
    assert (ours.scores["lens"].value, ours.scores["lens"].signature) == (expected.value, expected.signature)
    assert copy.segments["lens"].tolist() == metric.sentence_scores(SOURCES, SOURCES, [[t] for t in OUTPUTS]).tolist()


def test_learned_metrics_are_created_by_name(model):
    metric = metrics.create("lens", model=model.directory, rescale=False)
    assert isinstance(metric, LENS)
    assert np.isfinite(metric.sentence_scores(SOURCES, OUTPUTS, REFERENCES)).all()
    with pytest.raises(DataError, match="lens: got an unexpected keyword argument 'variant'"):
        metrics.create("lens", variant="x")
    with pytest.raises(LookupError, match="did you mean lens"):
        metrics.create("lense")


@pytest.mark.parametrize(
    "code",
    [
        "import plainwright.lens",
        "import plainwright.metrics",
        "import plainwright.lens.metric",
        "import plainwright.lens.model",
        "import plainwright.cli.main",
        "from plainwright import metrics; metrics.create('lens')",
    ],
)
def test_onnxruntime_and_tokenizers_wait_until_text_is_scored(code):
    script = (
        f"{code}\nimport sys\nprint([name for name in ('onnxruntime', 'tokenizers', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("missing", ["onnxruntime", "tokenizers"])
def test_a_missing_extra_is_named(model, missing, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    fresh = replace(model)
    with pytest.raises(MissingExtraError, match=r"pip install 'plainwright\[lens\]'"):
        LENS(model=fresh).corpus_score(SOURCES, OUTPUTS, REFERENCES)


def test_systems_together_have_the_values_that_they_have_alone(model):
    metric = LENS(model=model)
    outputs = {"ours": OUTPUTS, "copy": SOURCES, "swapped": OUTPUTS[::-1]}
    together = metric.stats_of_systems(SOURCES, outputs, REFERENCES)
    assert list(together) == list(outputs)
    for name, lines in outputs.items():
        assert together[name].tolist() == metric.corpus_stats(SOURCES, lines, REFERENCES).tolist()
    with pytest.raises(DataError, match="one entry per segment"):
        metric.stats_of_systems(SOURCES, {"ours": OUTPUTS, "short": OUTPUTS[:1]}, REFERENCES)
