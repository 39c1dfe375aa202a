"""Rows of a table that are metrics, of which some may be chosen and some may not be installed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plainwright import metrics
from plainwright.arguments import check_choice
from plainwright.errors import MissingExtraError, ModelMissingError
from plainwright.metrics import Metric

__all__ = ["ChosenRows", "MetricRow", "check_names", "choose_rows"]


@dataclass(frozen=True, slots=True)
class MetricRow:
    """Names a row, how ours is computed, and the metric: None for one that an extra brings."""

    label: str
    method: str
    metric: Metric | None = None


@dataclass(frozen=True, slots=True)
class ChosenRows:
    """Holds by label the metrics, how they are computed, and why some are missing."""

    metrics: Mapping[str, Metric]
    methods: Mapping[str, str]
    missing: Mapping[str, str]

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each that is missing."""
        return tuple(f"{label} is left out: {reason}." for label, reason in self.missing.items())


def check_names(names: Sequence[str], known: Collection[str]) -> None:
    """Refuse what is not the name of a row."""
    for name in names:
        check_choice(name, known, "metric of this table")


def choose_rows(
    rows: Mapping[str, MetricRow], names: Sequence[str] | None, *, lens_model: Path | None = None
) -> ChosenRows:
    """Return the rows with these names; without names all that are installed. `lens_model` is that of LENS."""
    check_names(names or (), rows)
    found: dict[str, Metric] = {}
    missing: dict[str, str] = {}
    for name in dict.fromkeys(rows if names is None else names):
        row = rows[name]
        try:
            found[row.label] = _learned(name, lens_model) if row.metric is None else row.metric
        except (MissingExtraError, ModelMissingError) as error:
            if names is not None:  # asked for by name, so it must be there
                raise
            missing[row.label] = str(error)
    methods = {row.label: row.method for row in rows.values() if row.label in found}
    return ChosenRows(found, methods, missing)


def _learned(name: str, lens_model: Path | None) -> Metric:
    """A metric of an extra, with its model opened: what is missing shows before other rows take their time."""
    metric = metrics.create(name, **({"model": lens_model} if name == "lens" else {}))
    metric.sentence_score("A cat sat.", "A cat sat.", ["A cat sat."])
    return metric
