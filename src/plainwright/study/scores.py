"""What metrics say of rated outputs: statistics and values by item and system.

A metric's statistics sum, so the value of a system on any choice or resample of items is one product of weights with
them. Values that were computed elsewhere join in through a file, with their mean as a system's value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError, ReferenceShapeError
from plainwright.metrics.base import Array, Metric, mean_stats
from plainwright.study.checks import check_size
from plainwright.study.ratings.cells import name_in, optional_number
from plainwright.study.ratings.raw import read_table
from plainwright.study.ratings.table import Ratings

if TYPE_CHECKING:
    from plainwright.evaluation.sets import EvaluationSet

__all__ = [
    "MetricScores",
    "RatedOutputs",
    "given_scores",
    "read_scores",
    "references_for",
    "score_outputs",
]

_SAME_SENTENCE = 0.8  # share of words in common; sources of one item in SimpDA differ in a word or a space
_COLUMNS = ("item", "system", "metric", "value")

Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class RatedOutputs:
    """Holds the texts behind ratings; None where a system has no output for an item."""

    items: tuple[str, ...]
    systems: tuple[str, ...]
    sources: tuple[str | None, ...]  # by item
    outputs: tuple[tuple[str | None, ...], ...]  # by item, then by system
    reworded: tuple[str, ...] = ()  # items whose source stands in the ratings in slightly different words

    @classmethod
    def of(cls, ratings: Ratings) -> RatedOutputs:
        """Collected from the rows; rows that contradict each other are an error.

        Of a source in slightly different words, as some are published, the wording of most ratings counts.
        """
        wordings: dict[str, Counter[str]] = {}
        outputs: dict[tuple[str, str], str] = {}
        for row in ratings:
            if row.source is not None:
                wordings.setdefault(row.item, Counter())[row.source] += 1
            if row.output is not None and outputs.setdefault((row.item, row.system), row.output) != row.output:
                raise _contradiction(row.item, "output", row.system)
        sources = {item: _usual_wording(item, found) for item, found in wordings.items()}
        if not outputs:
            msg = (
                "these ratings come without the texts that were rated, so no metric can be computed; add a column "
                "`output` (and `source`), or give the metrics' values in a file of item, system, metric and value"
            )
            raise DataError(msg)
        return cls(
            items=ratings.items,
            systems=ratings.systems,
            sources=tuple(map(sources.get, ratings.items)),
            outputs=tuple(tuple(outputs.get((item, system)) for system in ratings.systems) for item in ratings.items),
            reworded=tuple(item for item, found in wordings.items() if len(found) > 1),
        )

    @property
    def present(self) -> Booleans:
        """Where there is an output: shape (items, systems)."""
        return np.array([[text is not None for text in row] for row in self.outputs], dtype=bool)


@dataclass(frozen=True, kw_only=True)
class MetricScores:
    """Holds one metric on rated outputs: its statistics, and how sums of them become values."""

    name: str
    items: tuple[str, ...]
    systems: tuple[str, ...]
    stats: Array  # shape (items, systems, statistics); NaN where there is no output
    values_from_stats: Callable[[Array], Array] = field(repr=False)
    higher_is_better: bool | None = True
    signature: str | None = None  # None: given by the user, we cannot say how they were made
    unused: int = 0  # rows of the user's file that belong to no rated output

    @cached_property
    def present(self) -> Booleans:
        """Which outputs have statistics: shape (items, systems)."""
        return np.asarray(np.isfinite(self.stats).all(axis=-1))

    @cached_property
    def sentences(self) -> Array:
        """The value of every output: shape (items, systems); NaN where there is none."""
        return self._values(np.where(self.present[..., None], self.stats, 0.0), self.present)

    def corpus(self, weights: Array | None = None) -> Array:
        """Score every system over items with `weights`: shape (…, systems) for weights of shape (…, items).

        A weight says how often an item occurs; without weights each occurs once. NaN where a system has no output.
        """
        if weights is None:
            weights = np.ones(len(self.items))
        filled = np.where(self.present[..., None], self.stats, 0.0)
        sums = weights @ filled.reshape(len(self.items), -1)
        counts = weights @ self.present.astype(np.float64)
        return self._values(sums.reshape(*weights.shape[:-1], len(self.systems), -1), counts > 0)

    def where(self, present: Booleans) -> MetricScores:
        """The same, with gaps wherever `present` is false."""
        return replace(self, stats=np.where(present[..., None], self.stats, np.nan))

    def arranged(self, items: Sequence[str], systems: Sequence[str]) -> MetricScores:
        """The same for these items and systems, in their order; unknown ones are gaps."""
        stats = np.full((len(items), len(systems), self.stats.shape[-1]), np.nan)
        rows = {name: i for i, name in enumerate(self.items)}
        columns = {name: i for i, name in enumerate(self.systems)}
        to_rows = [i for i, name in enumerate(items) if name in rows]
        to_columns = [j for j, name in enumerate(systems) if name in columns]
        from_rows = [rows[items[i]] for i in to_rows]
        from_columns = [columns[systems[j]] for j in to_columns]
        stats[np.ix_(to_rows, to_columns)] = self.stats[np.ix_(from_rows, from_columns)]
        return replace(self, items=tuple(items), systems=tuple(systems), stats=stats)

    def oriented(self) -> MetricScores:
        """The same if higher is better, else negated and called `-name`, so that all metrics point one way."""
        if self.higher_is_better is not False:
            return self
        values_from_stats = self.values_from_stats
        return replace(
            self,
            name=f"-{self.name}",
            values_from_stats=lambda stats: -values_from_stats(stats),
            higher_is_better=True,
        )

    def _values(self, sums: Array, there: Booleans) -> Array:
        # A metric may divide by what is 0 in an empty text; the NaN that results means "no value".
        with np.errstate(divide="ignore", invalid="ignore"):
            if there.all():
                values = np.asarray(self.values_from_stats(sums), dtype=np.float64)
            else:
                values = np.full(there.shape, np.nan)
                values[there] = self.values_from_stats(sums[there])
        return np.where(np.isfinite(values), values, np.nan)


def score_outputs(
    outputs: RatedOutputs,
    metric: Metric,
    references: Mapping[str, Sequence[str]] | None = None,
    *,
    name: str | None = None,
    threads: int = 1,
) -> MetricScores:
    """The metric on every rated output; `references` are those of each item, by its id."""
    places = [(i, j) for i, row in enumerate(outputs.outputs) for j, text in enumerate(row) if text is not None]
    items = [outputs.items[i] for i, _ in places]
    texts = [str(outputs.outputs[i][j]) for i, j in places]
    sources = _sources(outputs, metric, places) if metric.needs_source else None
    groups = _groups(metric, items, references) if metric.needs_references else None
    found = metric.corpus_stats(sources, texts, groups, threads=threads)
    stats = np.full((len(outputs.items), len(outputs.systems), found.shape[-1]), np.nan)
    stats[tuple(np.array(places).T)] = found
    return MetricScores(
        name=name or metric.name,
        items=outputs.items,
        systems=outputs.systems,
        stats=stats,
        values_from_stats=metric.values_from_stats,
        higher_is_better=metric.higher_is_better,
        signature=metric.signature(groups),
    )


def given_scores(
    name: str,
    values: Mapping[tuple[str, str], float],
    *,
    items: Sequence[str],
    systems: Sequence[str],
    higher_is_better: bool | None = True,
) -> MetricScores:
    """A metric whose value of each (item, system) is known; a system's value is the mean."""
    cells = np.array([[values.get((item, system), np.nan) for system in systems] for item in items], dtype=np.float64)
    cells = cells.reshape(len(items), len(systems))
    used = int(np.isfinite(cells).sum())
    if used == 0:
        item, system = next(iter(values), ("", ""))
        msg = (
            f"the scores of {name} belong to no rated output: they are of items such as {item!r} and systems such as "
            f"{system!r}, the ratings of {_some(items)} and {_some(systems)}; use the names of the ratings"
        )
        raise DataError(msg)
    return MetricScores(
        name=name,
        items=tuple(items),
        systems=tuple(systems),
        stats=np.where(np.isfinite(cells)[..., None], mean_stats(cells), np.nan),
        values_from_stats=_mean_from_stats,
        higher_is_better=higher_is_better,
        unused=len(values) - used,
    )


def read_scores(path: Path | str, ratings: Ratings) -> list[MetricScores]:
    """Read values from a CSV, TSV, JSONL or Parquet file with the columns item, system, metric and value; by metric."""
    table = read_table(path)
    missing = [column for column in _COLUMNS if column not in table.columns]
    if missing:
        msg = (
            f"{table.name}: expected the columns {', '.join(_COLUMNS)}, found {', '.join(table.columns)}; "
            f"add {', '.join(missing)}"
        )
        raise DataError(msg)
    by_metric: dict[str, dict[tuple[str, str], float]] = {}
    for row in table.rows:
        item, system, metric = (name_in(table, row, column) for column in _COLUMNS[:3])
        values = by_metric.setdefault(metric, {})
        if (item, system) in values:
            msg = f"{table.place(row)}: a second value of {metric!r} for item {item!r}, system {system!r}; keep one"
            raise DataError(msg)
        value = optional_number(table, row, "value")
        if value is None:
            msg = f"{table.place(row)}: expected a number for 'value', found nothing; leave the row out"
            raise DataError(msg)
        check_size(value, table.place(row))
        values[item, system] = value
    return [
        given_scores(name, values, items=ratings.items, systems=ratings.systems) for name, values in by_metric.items()
    ]


def references_for(outputs: RatedOutputs, target: EvaluationSet) -> dict[str, tuple[str, ...]]:
    """Find references by item, in a set by the item's source; or by its id, where the set has ids for sources.

    Case and white space do not count. Items that the set does not know are left out.
    """
    if target.references is None or target.sources is None:
        msg = f"{target.label}: expected a source and its references on each line, found no references"
        raise ReferenceShapeError(msg)
    known: dict[str, tuple[str, ...]] = {}
    ambiguous: set[str] = set()
    for text, group in zip(target.sources, target.references, strict=True):
        if known.setdefault(_key(text), group) != group:
            ambiguous.add(_key(text))
    found = {}
    for item, source in zip(outputs.items, outputs.sources, strict=True):
        keys = [key for key in (_key(source or ""), _key(item)) if key in known]
        if not keys:
            continue
        if keys[0] in ambiguous:
            msg = f"{target.label}: the source of item {item!r} occurs twice, with other references; keep one of them"
            raise DataError(msg)
        found[item] = known[keys[0]]
    return found


def _usual_wording(item: str, wordings: Counter[str]) -> str:
    """What most ratings of an item have as its source; another sentence among them is an error."""
    (usual, _), *others = wordings.most_common()
    for other, _ in others:
        if SequenceMatcher(None, usual.split(), other.split(), autojunk=False).ratio() < _SAME_SENTENCE:
            raise _contradiction(item, "source")
    return usual


def _contradiction(item: str, what: str, system: str | None = None) -> DataError:
    where = f"item {item!r}" if system is None else f"item {item!r}, system {system!r}"
    return DataError(
        f"{where}: expected one {what} in all its ratings, found different ones; "
        "give different texts different items or systems"
    )


def _sources(outputs: RatedOutputs, metric: Metric, places: Iterable[tuple[int, int]]) -> list[str]:
    without = [item for item, source in zip(outputs.items, outputs.sources, strict=True) if source is None]
    if without:
        msg = f"{metric.name} compares with the source; the ratings have none for {_some(without)}, add it"
        raise DataError(msg)
    return [str(outputs.sources[i]) for i, _ in places]


def _groups(
    metric: Metric, items: Sequence[str], references: Mapping[str, Sequence[str]] | None
) -> list[Sequence[str]]:
    if references is None:
        msg = f"{metric.name} needs references, and none are given; give them, or choose metrics that need none"
        raise ReferenceShapeError(msg)
    without = [item for item in dict.fromkeys(items) if not references.get(item)]
    if without:
        msg = (
            f"{metric.name} needs references of every item, and there are none for {_some(without)}; "
            "add them, or leave these items out of the ratings"
        )
        raise ReferenceShapeError(msg)
    return [references[item] for item in items]


def _some(names: Sequence[str]) -> str:
    """The first name, and how many more there are."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]!r}{more}"


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def _mean_from_stats(stats: Array) -> Array:
    return np.asarray(stats[..., 0] / stats[..., 1])
