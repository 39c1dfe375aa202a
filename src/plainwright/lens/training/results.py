"""How far the members of a model and their mix agree with people on sources that they never saw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.lens.training.data import TrainingSet
from plainwright.study.correlation import Protocol, correlate_metrics
from plainwright.study.estimate import Estimate
from plainwright.study.scores import given_scores

__all__ = ["Agreement", "agreements"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Compares one member, or the mix, with the mean z-scores of outputs."""

    name: str
    pearson: Estimate
    spearman: Estimate
    error: float  # root of the mean squared error, in units of z

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "name": self.name,
            "pearson": self.pearson.to_dict(),
            "spearman": self.spearman.to_dict(),
            "error": self.error,
        }


def agreements(
    training: TrainingSet, predictions: Mapping[str, Array], *, resamples: int, seed: int
) -> tuple[Agreement, ...]:
    """Return each prediction against people; intervals by drawing sources again."""
    examples = training.examples
    scores = [
        given_scores(
            name,
            {(example.item, example.system): float(z) for example, z in zip(examples, values, strict=True)},
            items=training.ratings.items,
            systems=training.ratings.systems,
        )
        for name, values in predictions.items()
    ]
    found: dict[str, list[Estimate]] = {}
    for coefficient in ("pearson", "spearman"):
        protocol = Protocol(
            level="sentence",
            coefficient=coefficient,
            values="z",
            resampled="inputs",
            exchanged="inputs",
            resamples=resamples,
            seed=seed,
        )
        # One metric at a time: tests between members are not asked for, and cost most.
        found[coefficient] = [
            correlate_metrics(training.ratings, [score], protocol=protocol).correlations[0].estimate for score in scores
        ]
    return tuple(
        Agreement(
            name=name,
            pearson=found["pearson"][place],
            spearman=found["spearman"][place],
            error=float(np.sqrt(((values - training.z) ** 2).mean())),
        )
        for place, (name, values) in enumerate(predictions.items())
    )
