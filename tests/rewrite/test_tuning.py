"""What tuning improves is what readers get: its candidates come from the pipeline that `simplify` uses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.toy_model import write_model

from plainwright import corpora
from plainwright.errors import DataError
from plainwright.models import find
from plainwright.rewrite import load
from plainwright.rewrite.tuning import PipelineFactory, pipeline_factory
from plainwright.text.edits import apply_edits
from plainwright.tune.job import open_start

DEFAULT_MODEL = find("default")

RULES = (
    "[NN] ||| residence ||| home ||| good=2 Risk=0.1 ||| 0-0\n"
    "[NN] ||| edifice ||| house ||| good=2 Risk=0.4 ||| 0-0\n"
    "[VB] ||| purchase ||| buy ||| good=2 Risk=0.1 ||| 0-0\n"
)


def factory_of(model: Path, candidates: int = 20) -> tuple[PipelineFactory, np.ndarray]:
    start = open_start(model=model, grammars=[])
    factory = pipeline_factory(start, candidates=candidates, pop_limit=None, threads=2)
    return factory, np.array(factory.start(start.weights))


def test_no_candidate_risks_more_than_a_sentence_may(tmp_path: Path) -> None:
    model = write_model(tmp_path / "model", RULES, sentence_risk=0.2)
    factory, weights = factory_of(model)
    [found] = factory(weights, ["A residence and an edifice. They purchase it."], best_only=False)
    assert found.texts[0] == "A home and an edifice. They buy it."
    assert not any("house" in text for text in found.texts)
    assert found.features.shape == (len(found.texts), len(factory.feature_names))


def test_features_of_a_text_are_the_sums_of_its_sentences(tmp_path: Path) -> None:
    factory, weights = factory_of(write_model(tmp_path / "model", RULES))
    one, other, both = (
        found.features[0]
        for found in factory(
            weights, ["A residence.", "They purchase it.", "A residence. They purchase it."], best_only=True
        )
    )
    assert both == pytest.approx(one + other)


def test_a_sentence_that_is_too_long_is_named(tmp_path: Path) -> None:
    factory, weights = factory_of(write_model(tmp_path / "model", RULES, max_tokens=4))
    with pytest.raises(DataError, match="segment 2 has 6 tokens, more than 4"):
        factory(weights, ["Short.", "This one is too long."], best_only=True)


def test_the_best_candidate_is_what_simplify_writes(data_dir: Path) -> None:
    lines = corpora.load("asset/valid", data=data_dir).sources[:500]
    factory, weights = factory_of(DEFAULT_MODEL, candidates=40)
    simplifier = load(DEFAULT_MODEL, engine="rules")
    written = [simplifier.simplify(line) for line in lines]
    for best_only in (True, False):
        found = factory(weights, lines, best_only=best_only)
        assert [own.texts[0] for own in found] == [result.text for result in written]
    for line, result in zip(lines, written, strict=True):
        assert apply_edits(line, result.edits) == result.text


@pytest.mark.slow
@pytest.mark.parametrize("strength", [0, 1])
@pytest.mark.parametrize("name", ["asset/valid", "turkcorpus/test.detok", "wikisplit/test"])
def test_edits_rebuild_what_the_default_model_writes(
    data_dir: Path, whole_corpora: bool, name: str, strength: float
) -> None:
    every = 1 if whole_corpora else {"asset/valid": 3, "wikisplit/test": 10}.get(name, 1)
    lines = corpora.load(name, data=data_dir).sources[::every]
    simplifier = load(DEFAULT_MODEL, strength=strength)
    for line in lines:
        result = simplifier.simplify(line, alternatives=0)
        assert apply_edits(line, result.edits) == result.text
