"""The outcome of `plainwright evaluate`: systems, scores, intervals and comparisons, ready to print or plot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from plainwright.arguments import check_text
from plainwright.extras import extra_for
from plainwright.metrics.base import Metric
from plainwright.metrics.result import Score

if TYPE_CHECKING:
    from pandas import DataFrame

_WIDTH = 120  # of the table that `print` shows

__all__ = ["Comparison", "Evaluation", "SystemResult", "metric_and_variant"]


def metric_and_variant(column: str) -> tuple[str, str]:
    """Return what a column of scores holds: "sari=easse" is SARI in the variant easse, "sari" SARI in no named variant.

    Only where several variants of one metric are scored do the names of their columns name them.
    """
    check_text(column, "metric_and_variant", "column")
    metric, _, variant = column.partition("=")
    return metric, variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Compares one system with the best one by one metric."""

    best: str
    difference: float  # this system minus the best
    p_value: float
    test: str  # "bootstrap" or "randomisation"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemResult:
    """Holds the outputs and scores of one system, for the whole set and for each segment."""

    name: str
    outputs: tuple[str, ...]
    scores: Mapping[str, Score]  # metric -> corpus score; "sari=easse" where several variants of a metric are scored
    # Value per segment: "sari", "bleu", … and parts such as "sari.add"; nan where a segment has no value.
    segments: Mapping[str, npt.NDArray[np.float64]]
    comparisons: Mapping[str, Comparison]  # as in `scores` -> against the best; the best itself is absent


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Holds the results of all systems on one set."""

    dataset: str | None  # registered name, None for plain files
    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]  # references[i] belongs to segment i
    systems: tuple[SystemResult, ...]
    kinds: Mapping[str, type[Metric]]  # as in `scores` -> class of the metric
    warnings: tuple[str, ...]
    confidence: float
    resamples: int
    seed: int
    version: str

    def __repr__(self) -> str:
        systems = ", ".join(system.name for system in self.systems)
        return f"Evaluation({self.dataset or 'your texts'}: {systems}; {', '.join(self.kinds)})"

    def __str__(self) -> str:
        from plainwright.evaluation.render import to_table

        return to_table(self, width=_WIDTH, colour=False)

    def _repr_html_(self) -> str:
        """A table of scores for notebooks; signatures show on hover."""
        head = "".join(f"<th>{escape(kind.heading or column)}</th>" for column, kind in self.kinds.items())
        rows = "".join(
            f"<tr><th>{escape(system.name)}</th>"
            + "".join(f'<td title="{escape(score.signature)}">{score.short()}</td>' for score in system.scores.values())
            + "</tr>"
            for system in self.systems
        )
        return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def to_pandas(self, *, per_sentence: bool = False) -> DataFrame:
        """Return scores with systems as rows; with `per_sentence`, a row for each system and segment."""
        with extra_for("a table of scores", "pandas"):
            import pandas
        if per_sentence:
            tables = [pandas.DataFrame(dict(system.segments)) for system in self.systems]
            return pandas.concat(tables, keys=[system.name for system in self.systems], names=["system", "segment"])
        rows = [{column: score.value for column, score in system.scores.items()} for system in self.systems]
        return pandas.DataFrame(rows, index=[system.name for system in self.systems])

    def to_dict(self, *, per_sentence: bool = False) -> dict[str, object]:
        """Return the JSON form."""
        from plainwright.evaluation.render import to_json

        document: dict[str, object] = json.loads(to_json(self, per_sentence=per_sentence))
        return document

    @property
    def higher_is_better(self) -> dict[str, bool | None]:
        """As in `scores` -> direction, None for neutral profiles."""
        return {column: kind.higher_is_better for column, kind in self.kinds.items()}
