"""The features of an output beside its source and references, one row for each output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from plainwright.errors import ReferenceShapeError
from plainwright.lens.features.agreement import AGREEMENT, SUPPORT, Backing, agreement
from plainwright.lens.features.edits import EDITS, edits
from plainwright.lens.features.matching import MATCHES, matches
from plainwright.lens.features.passage import Passage
from plainwright.lens.features.profile import PROFILE
from plainwright.metrics import BLEU, SARI
from plainwright.metrics.base import Array

__all__ = [
    "DESCRIPTIONS",
    "FEATURES",
    "PAIR_FEATURES",
    "Row",
    "SourcePairs",
    "feature_matrix",
    "pair_features",
    "set_features",
]

Row = tuple[Passage, Passage, Sequence[Passage]]  # source, output, references

_SARI = SARI(variant="easse", tokenizer="none", lowercase=False)
_BLEU = BLEU(tokenizer="none", effective_order=True)
_SARI_PARTS = ("sari", "add", "keep", "delete")


def _with_references(values: Mapping[str, str]) -> dict[str, str]:
    best = {f"references.{name}_best": f"{text}: the best reference" for name, text in values.items()}
    average = {f"references.{name}_mean": f"{text}: mean of the references" for name, text in values.items()}
    return best | average


DESCRIPTIONS: Mapping[str, str] = {
    **{f"source_difference.{name}": f"{text}: output less source" for name, text in PROFILE.items()},
    **{f"reference_difference.{name}": f"{text}: output less mean of the references" for name, text in PROFILE.items()},
    **{f"edit.{name}": text for name, text in EDITS.items()},
    **{f"source.{name}": f"{text} (the source)" for name, text in MATCHES.items()},
    **_with_references({**AGREEMENT, **MATCHES}),
    **{f"gain.{name}": f"{text}: mean of the references, output less source" for name, text in MATCHES.items()},
    **{f"support.{name}": text for name, text in SUPPORT.items()},
    "references.fewness": "1 divided by the number of references",
    "overlap.sari": "SARI (`easse`) of this output alone",
    "overlap.add": "its part for added words",
    "overlap.keep": "its part for kept words",
    "overlap.delete": "its part for deleted words",
    "overlap.bleu": "BLEU of this output alone",
    "overlap.bleu_source": "BLEU with the source as the reference",
}
FEATURES: tuple[str, ...] = tuple(DESCRIPTIONS)

# With one reference, its best value and its mean are one.
_PAIR_COLUMNS = [
    number for number, name in enumerate(FEATURES) if not (name.startswith("references.") and name.endswith("_mean"))
]
PAIR_FEATURES: tuple[str, ...] = tuple(FEATURES[number] for number in _PAIR_COLUMNS)


def set_features(source: Passage, output: Passage, references: Sequence[Passage]) -> Array:
    """Return one output beside its source and all references, in the order of `FEATURES`."""
    row: Array = feature_matrix([(source, output, references)])[0]
    return row


class SourcePairs:
    """Keeps how sources match their references from call to call: every system on a set meets the same ones.

    For texts of one encoder only. Safe to share between threads.
    """

    def __init__(self, limit: int = 100_000) -> None:
        self._limit = limit  # pairs, of less than a kilobyte each
        self._kept: dict[tuple[str, str], Array] = {}

    def get(self, source: Passage, reference: Passage) -> Array | None:
        """Return the values of a pair, if they are known."""
        return self._kept.get((source.text, reference.text))

    def keep(self, source: Passage, reference: Passage, values: Array) -> None:
        """Keep values for `get` to return."""
        if len(self._kept) >= self._limit:
            self._kept = {}
        self._kept[source.text, reference.text] = values


def feature_matrix(rows: Sequence[Row], *, known: SourcePairs | None = None) -> Array:
    """Return the features of many outputs: shape (rows, features). What is `known` is not made again."""
    if not rows:
        return np.zeros((0, len(FEATURES)))
    maker = _Maker(known or SourcePairs())
    ordered = [(source, output, _ordered(references)) for source, output, references in rows]
    table = np.empty((len(rows), len(FEATURES)))
    own = len(FEATURES) - len(_SARI_PARTS) - 2
    for values, row in zip(table, ordered, strict=True):
        values[:own] = maker.row(*row)
    table[:, own:] = _overlap(ordered)
    return table


def pair_features(source: Passage, outputs: Sequence[Passage], references: Sequence[Passage]) -> Array:
    """Return every output with every reference alone: shape (outputs, references, pair features)."""
    rows = [(source, output, [reference]) for output in outputs for reference in references]
    table: Array = feature_matrix(rows)[:, _PAIR_COLUMNS]
    return table.reshape(len(outputs), len(references), len(PAIR_FEATURES))


def _ordered(references: Sequence[Passage]) -> list[Passage]:
    """References in an order of their own, so that the order they are given in changes not even a last digit."""
    if not references:
        msg = "features need at least one reference for every output"
        raise ReferenceShapeError(msg)
    return sorted(references, key=lambda passage: (passage.line, passage.text))


class _Maker:
    """Makes rows, and keeps what several rows of a call have in common."""

    def __init__(self, known: SourcePairs) -> None:
        self._known = known
        self._sides: dict[tuple[int, int], Array] = {}
        self._pairs: dict[tuple[int, int], Array] = {}
        self._backings: dict[tuple[int, ...], Backing] = {}

    def row(self, source: Passage, output: Passage, references: Sequence[Passage]) -> Array:
        self._recall(source, references)
        best, average = self._with_references(output, references)
        gain = average - self._with_references(source, references)[1]
        return np.concatenate(
            [
                output.profile - source.profile,
                output.profile - _mean_profile(references),
                self._side(source, output),
                best,
                average,
                gain[len(AGREEMENT) :],
                self._backing(source, references).values(output),
                [1 / len(references)],
            ]
        )

    def _side(self, source: Passage, output: Passage) -> Array:
        key = (id(source), id(output))
        if key not in self._sides:
            self._sides[key] = np.array([*edits(source, output).values(), *matches(output, [source])[0]])
        return self._sides[key]

    def _backing(self, source: Passage, references: Sequence[Passage]) -> Backing:
        key = (id(source), *map(id, references))
        if key not in self._backings:
            self._backings[key] = Backing(source, references)
        return self._backings[key]

    def _recall(self, source: Passage, references: Sequence[Passage]) -> None:
        """Pairs of the source, from earlier calls or for later ones."""
        missing = [reference for reference in references if (id(source), id(reference)) not in self._pairs]
        unknown = []
        for reference in missing:
            values = self._known.get(source, reference)
            if values is None:
                unknown.append(reference)
            else:
                self._pairs[id(source), id(reference)] = values
        if unknown:
            self._with_references(source, unknown)
            for reference in unknown:
                self._known.keep(source, reference, self._pairs[id(source), id(reference)])

    def _with_references(self, output: Passage, references: Sequence[Passage]) -> tuple[Array, Array]:
        """The highest values over the references, and their means."""
        missing = [reference for reference in references if (id(output), id(reference)) not in self._pairs]
        if missing:
            for reference, matched in zip(missing, matches(output, missing), strict=True):
                values = np.concatenate([agreement(output, reference), matched])
                self._pairs[id(output), id(reference)] = values
        found = [self._pairs[id(output), id(reference)] for reference in references]
        if len(found) == 1:  # most rows, and NumPy's overhead would be most of their time
            return found[0], found[0]
        table = np.stack(found)
        return table.max(axis=0), table.mean(axis=0)


def _mean_profile(references: Sequence[Passage]) -> Array:
    if len(references) == 1:
        return references[0].profile
    profile: Array = np.mean([reference.profile for reference in references], axis=0)
    return profile


def _overlap(rows: Sequence[Row]) -> Array:
    sources = [source.line for source, _, _ in rows]
    outputs = [output.line for _, output, _ in rows]
    references = [[reference.line for reference in row[2]] for row in rows]
    parts = _SARI.parts_from_stats(_SARI.corpus_stats(sources, outputs, references))
    bleu = _BLEU.values_from_stats(_BLEU.corpus_stats(None, outputs, references))
    copied = _BLEU.values_from_stats(_BLEU.corpus_stats(None, outputs, [[source] for source in sources]))
    return np.stack([*(parts[name] for name in _SARI_PARTS), bleu, copied], axis=1)
