"""A metric from outside the package: one file, known by name or given as an object, with options of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from tests.in_process import run

from plainwright import metrics
from plainwright.errors import DataError, UnknownNameError
from plainwright.evaluation import EvaluationSet, EvaluationSettings, evaluate
from plainwright.evaluation.render import to_table
from plainwright.metrics import METRICS, SARI, Metric
from plainwright.metrics.base import Array
from plainwright.report.names import meaning, metric_name
from plainwright.tune import Objective

SET = EvaluationSet(
    name=None, label="two lines", segments=2, sources=("a long line", "short"), references=(("a line",), ("short",))
)
OUTPUTS = {"mine": ("a line", "longer")}
QUICK = EvaluationSettings(intervals=False)


class Shorter(Metric):
    """Share of outputs that are shorter than their source, in %."""

    name = "shorter"
    heading = "SHORT"
    meaning = "how many outputs are shorter than their source"
    needs_references = False
    stat_names = ("shorter", "segments")
    variant_option = "unit"
    shown_parts = ("gain",)
    raw_options: ClassVar[Mapping[str, str]] = {"unit": "characters"}

    def __init__(self, *, unit: str = "words") -> None:
        self.unit = unit

    def config(self) -> dict[str, str]:
        return {"unit": self.unit}

    def _size(self, text: str) -> int:
        return len(text) if self.unit == "characters" else len(text.split())

    def _corpus_stats(self, sources, outputs, references, threads) -> Array:
        return np.array(
            [[self._size(o) < self._size(s), 1] for s, o in zip(sources, outputs, strict=True)], dtype=float
        )

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        value = 100 * stats[..., 0] / stats[..., 1]
        return {"shorter": value, "gain": value / 2}


@pytest.fixture
def registered() -> Iterator[None]:
    metrics.register(Shorter)
    yield
    del metrics._REGISTRY.parts["shorter"]


def test_an_object_is_scored_as_it_is() -> None:
    chosen = (Shorter(), Shorter(unit="characters"), "sari", SARI(variant="easse"))
    scores = evaluate(SET, OUTPUTS, EvaluationSettings(metrics=chosen, intervals=False)).systems[0].scores
    assert list(scores) == ["shorter", "shorter=2", "sari", "sari=2"]
    assert scores["shorter=2"].signature.startswith("shorter|unit:characters")
    assert "variant:easse" in scores["sari=2"].signature


@pytest.mark.usefixtures("registered")
def test_a_registered_metric_has_its_options_and_words_everywhere() -> None:
    evaluation = evaluate(SET, OUTPUTS, EvaluationSettings(metrics=("shorter",), intervals=False))
    assert "unit:characters" in evaluation.systems[0].scores["shorter"].signature  # what suits raw text
    asked = EvaluationSettings(metrics=("shorter",), variants={"shorter": ["words", "characters"]}, intervals=False)
    assert list(evaluate(SET, OUTPUTS, asked).systems[0].scores) == ["shorter=words", "shorter=characters"]
    assert "SHORT ↑" in to_table(evaluation, width=100, colour=False)
    assert "gain" in to_table(evaluation, width=100, colour=False)
    assert (metric_name("shorter"), meaning("shorter")) == ("SHORT", Shorter.meaning)
    assert Objective.parse("0.5*shorter:words+0.5*sari").name == "0.5*shorter:words+0.5*sari"


@pytest.mark.usefixtures("registered")
def test_the_command_line_knows_it(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("a long line\nshort\n")
    (tmp_path / "out.txt").write_text("a line\nlonger\n")
    files = ("--source", tmp_path / "in.txt", "--outputs", tmp_path / "out.txt")
    done = run("evaluate", *files, "--metrics", "shorter", "--variant", "shorter=words", "--json")
    [system] = json.loads(done.stdout)["systems"]
    assert system["scores"]["shorter"]["value"] == 50  # by hand: "a line" has two words of three, "longer" one of one


def test_an_installed_package_offers_metrics_by_entry_points(
    install: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install("plainwright.metrics", shorter=f"{__name__}:Shorter", broken="no.such.module:Metric")
    monkeypatch.setattr(metrics._REGISTRY, "parts", dict(METRICS))
    assert "shorter" in metrics.metric_names()
    assert metrics.create("shorter").signature().startswith("shorter|unit:words")
    with pytest.raises(DataError, match=r"metric 'broken' of 'no.such.module:Metric' cannot be loaded"):
        metrics.create("broken")
    with pytest.raises(UnknownNameError, match="unknown metric 'shortr'; did you mean shorter"):
        metrics.create("shortr")


def test_a_name_that_is_taken_or_missing_is_refused() -> None:
    class Mine(SARI):
        pass

    with pytest.raises(DataError, match="metric 'sari' is registered already"):
        metrics.register(Mine)
    with pytest.raises(DataError, match=r"expected a class on plainwright\.metrics\.Metric"):
        metrics.register(type("Nothing", (), {"name": "nothing"}))  # type: ignore[arg-type]
