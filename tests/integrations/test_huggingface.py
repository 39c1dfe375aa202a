"""Metrics as Hugging Face's library calls them."""

from __future__ import annotations

import pytest

import plainwright
from plainwright.errors import DataError, UnknownNameError
from plainwright.integrations.huggingface import combine, load

SOURCES = ["The vessel was constructed in 1912.", "He resided there."]
PREDICTIONS = ["The ship was built in 1912.", "He lived there."]
REFERENCES = [["The ship was built in 1912.", "They built the ship in 1912."], ["He lived there."]]


def test_compute_gives_what_evaluate_gives() -> None:
    found = load("sari").compute(sources=SOURCES, predictions=PREDICTIONS, references=REFERENCES)
    whole = plainwright.evaluate(PREDICTIONS, sources=SOURCES, references=REFERENCES, metrics=["sari"], intervals=False)
    assert found == {"sari": whole.systems[0].scores["sari"].value}


def test_texts_may_be_added_before() -> None:
    metric = load("sari")
    metric.add(source=SOURCES[0], prediction=PREDICTIONS[0], references=REFERENCES[0])
    metric.add_batch(sources=SOURCES[1:], predictions=PREDICTIONS[1:], references=REFERENCES[1:])
    assert metric.compute() == load("sari").compute(sources=SOURCES, predictions=PREDICTIONS, references=REFERENCES)
    with pytest.raises(DataError, match="expected predictions, found none"):
        metric.compute()  # they were forgotten


def test_a_reference_may_be_a_string() -> None:
    found = load("bleu").compute(predictions=["He lived there."], references=["He lived there."])
    assert found == {"bleu": pytest.approx(100.0)}


def test_parts_come_on_request() -> None:
    found = load("sari", parts=True).compute(sources=SOURCES, predictions=PREDICTIONS, references=REFERENCES)
    assert {"sari", "sari_add", "sari_keep", "sari_delete"} <= set(found)


def test_several_metrics_in_one_call() -> None:
    found = combine(["sari", "fk"]).compute(sources=SOURCES, predictions=PREDICTIONS, references=REFERENCES)
    assert list(found) == ["sari", "fk"]


def test_options_are_those_of_the_metric() -> None:
    given = {"sources": SOURCES, "predictions": PREDICTIONS, "references": REFERENCES}
    assert load("sari", variant="easse").compute(**given) != load("sari", variant="xu2016").compute(**given)  # type: ignore[arg-type]


def test_unknown_names_and_uneven_columns_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="sarri"):
        load("sarri")
    with pytest.raises(DataError, match="expected as many sources as predictions, 2, found 1"):
        load("sari").compute(sources=SOURCES[:1], predictions=PREDICTIONS, references=REFERENCES)
    metric = load("fk")
    metric.add(source=SOURCES[0], prediction=PREDICTIONS[0])
    metric.add(prediction=PREDICTIONS[1])
    with pytest.raises(DataError, match="for all 2 predictions or for none, found 1 without"):
        metric.compute()
