"""Outputs of other systems in the place of references."""

from __future__ import annotations

import pytest

from plainwright.errors import DataError, ReferenceShapeError
from plainwright.evaluation import EvaluationSet, EvaluationSettings, evaluate, pseudo_references
from plainwright.metrics import SARI


def test_a_system_is_compared_with_the_others() -> None:
    pseudo = {"a": ["1", "2"], "b": ["3", ""], "c": ["4", "5"]}
    assert pseudo_references("a", ["1", "2"], pseudo) == (("3", "4"), ("5",))
    assert pseudo_references("x", ["1", "9"], pseudo) == (("1", "3", "4"), ("2", "5"))
    with pytest.raises(ReferenceShapeError, match="no other output"):
        pseudo_references("a", ["1", "2"], {"a": ["1", "2"]})
    with pytest.raises(DataError, match="segment 2: expected an output of another system"):
        pseudo_references("a", ["1", "2"], {"b": ["3", " "]})


def test_each_system_is_scored_against_the_others() -> None:
    sources = ("the cat sat down", "a big dog")
    outputs = {"a": ("the cat sat", "a dog"), "b": ("a cat sat", "the dog")}
    target = EvaluationSet(name=None, label="mine", segments=2, sources=sources, pseudo=outputs)
    first, second = evaluate(target, outputs, EvaluationSettings(metrics=(SARI(),), resamples=10)).systems
    assert first.scores["sari"].value == SARI().corpus_score(sources, outputs["a"], [[t] for t in outputs["b"]]).value
    assert second.scores["sari"].value == SARI().corpus_score(sources, outputs["b"], [[t] for t in outputs["a"]]).value
    assert first.scores["sari"].interval is not None
