"""From texts to LENS values: a model applied to many outputs at once.

A value depends on its own source, output and references alone, to the last bit: not on what else is scored in a call,
on the order, or on the number of threads.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError, ReferenceShapeError
from plainwright.lens.blas import one_blas_thread
from plainwright.lens.features import FEATURES, Passage, Row, SourcePairs, feature_matrix, resources_digest
from plainwright.lens.head import Pairs
from plainwright.lens.model import LIMIT, LensModel, find_model
from plainwright.lens.passages import PassageStore
from plainwright.metrics.base import References, Texts

__all__ = ["WORST", "Scorer", "open_scorer"]

Array = npt.NDArray[np.float64]
Segment = tuple[str, str, tuple[str, ...]]  # source, output, references

WORST = -LIMIT  # of an output without a word: nothing is said, so nothing is asked of the model
_SEGMENTS = 256  # looked at together: all their passages must be in memory at once


class Scorer:
    """Scores with a model, and remembers the texts that it has read; models of one encoder may share `passages`."""

    def __init__(self, model: LensModel, *, passages: PassageStore | None = None) -> None:
        self.model = model
        self._set_columns = _columns(model, "set", model.features.set)
        self._pair_columns = _columns(model, "pair", model.features.pair)
        self._store = passages
        self._source_pairs = SourcePairs()

    @property
    def uses_features(self) -> bool:
        """Whether any member looks at more than vectors."""
        return bool(self.model.features.pair or self.model.features.set)

    @property
    def resources(self) -> str:
        """Digest of the language model and the tagger that features are made with."""
        return resources_digest()

    @property
    def resources_changed(self) -> bool:
        """Whether they are others than in training."""
        return self.uses_features and self.model.features.resources not in ("", self.resources)

    def scores(self, sources: Texts, outputs: Texts, references: References, *, threads: int = 1) -> Array:
        """The z of every output, with `references[i]` those of segment i; equal segments are scored once."""
        rows = [
            (source, output, tuple(group)) for source, output, group in zip(sources, outputs, references, strict=True)
        ]
        _check_texts(rows)
        for number, (_, _, group) in enumerate(rows):
            if not group:
                msg = f"segment {number}: expected at least one reference, got none"
                raise ReferenceShapeError(msg)
        distinct = list(dict.fromkeys(row for row in rows if _has_words(row[1])))
        values: dict[Segment, float] = {}
        for start in range(0, len(distinct), _SEGMENTS):
            block = distinct[start : start + _SEGMENTS]
            values.update(zip(block, self._block(block, threads).tolist(), strict=True))
        return np.array([values.get(row, WORST) for row in rows])

    def pairwise(self, source: str, candidates: Sequence[str], references: Sequence[str], *, threads: int = 1) -> Array:
        """Return the z of every candidate with every single reference, in one pass: shape (candidates, references)."""
        _check_texts([(source, candidate, ()) for candidate in candidates])
        _check_texts([(source, source, tuple(references))])
        result = np.full((len(candidates), len(references)), WORST)
        spoken = [text for text in dict.fromkeys(candidates) if _has_words(text)]
        given = list(dict.fromkeys(references))
        if not spoken or not given:
            return result
        known = self._passages.get([source, *spoken, *given], threads=threads)
        rows = [(known[source], known[text], [known[one]]) for text in spoken for one in given]
        table = dict(zip(spoken, self._values(rows).reshape(len(spoken), len(given)), strict=True))
        columns = [given.index(text) for text in references]
        for place, candidate in enumerate(candidates):
            if candidate in table:
                result[place] = table[candidate][columns]
        return result

    def was_truncated(self, text: str) -> bool:
        """Return whether the encoder could not read a text, scored before, to its end."""
        return self._passages.was_truncated(text)

    @property
    def _passages(self) -> PassageStore:
        if self._store is None:
            self._store = PassageStore(self.model.encoder)
        return self._store

    def _block(self, block: Sequence[Segment], threads: int) -> Array:
        known = self._passages.get(_texts(block), threads=threads)
        return self._values(
            [(known[source], known[output], [known[text] for text in group]) for source, output, group in block]
        )

    def _values(self, rows: Sequence[Row]) -> Array:
        """The z of every row."""
        with one_blas_thread():
            return self._mixed(rows)

    def _mixed(self, rows: Sequence[Row]) -> Array:
        model = self.model
        whole, single = self._tables(rows)
        companion = None
        if model.companion is not None:
            assert whole is not None
            companion = model.companion.predict(whole[:, self._set_columns])
        return model.mix.z(self._neural(rows, single), companion)

    def _tables(self, rows: Sequence[Row]) -> tuple[Array | None, Array | None]:
        """Features of the rows, and of every output with each reference alone; made together, they share most work."""
        wholes = list(rows) if self.model.companion is not None else []
        singles = []
        if self.model.head is not None and self._pair_columns:
            singles = [(source, output, [one]) for source, output, group in rows for one in group]
        if wholes and len(singles) == len(wholes):  # one reference each: the same rows
            wholes = []
        table = feature_matrix([*wholes, *singles], known=self._source_pairs)
        whole, single = table[: len(wholes)], table[len(wholes) :]
        return whole if wholes else single, single if singles else None

    def _neural(self, rows: Sequence[Row], table: Array | None) -> Array | None:
        """The highest value over the references of every row; `table` has the features of each by itself."""
        head = self.model.head
        if head is None:
            return None
        features = None if table is None else table[:, self._pair_columns]
        sizes = [len(group) for _, _, group in rows]
        values = head.pair_values(_pairs(rows, sizes, features))
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        best: Array = np.maximum.reduceat(values, starts)
        return best


def open_scorer(model: str | Path | LensModel | None = None) -> Scorer:
    """The scorer of a model, kept open for the next call until its `model.toml` is written again."""
    if isinstance(model, LensModel):
        return Scorer(model)
    directory = find_model(model).absolute()
    try:
        stamp = (directory / "model.toml").stat().st_mtime_ns
    except OSError:
        stamp = 0  # opening it says what is wrong
    return _kept(directory, stamp)


@functools.lru_cache(maxsize=2)
def _kept(directory: Path, _stamp: int) -> Scorer:
    return Scorer(LensModel.open(directory))


def _pairs(rows: Sequence[Row], sizes: Sequence[int], features: Array | None) -> Pairs:
    """All outputs with all their references; a reference of many outputs is taken once."""
    references: dict[int, Passage] = {}
    outputs: dict[tuple[int, int], tuple[Passage, Passage]] = {}
    for source, output, group in rows:
        outputs.setdefault((id(source), id(output)), (source, output))
        references.update((id(one), one) for one in group)
    output_at = {key: at for at, key in enumerate(outputs)}
    reference_at = {key: at for at, key in enumerate(references)}
    places = [output_at[id(source), id(output)] for source, output, _ in rows]
    return Pairs(
        sources=_stacked([source for source, _ in outputs.values()]),
        outputs=_stacked([output for _, output in outputs.values()]),
        references=_stacked(list(references.values())),
        output_of=np.repeat(places, sizes),
        reference_of=np.array([reference_at[id(one)] for _, _, group in rows for one in group]),
        features=features,
    )


def _stacked(passages: Sequence[Passage]) -> Array:
    return np.stack([passage.encoded.vector for passage in passages]).astype(np.float64)


def _texts(block: Sequence[Segment]) -> Iterator[str]:
    for source, output, references in block:
        yield source
        yield output
        yield from references


def _has_words(text: str) -> bool:
    return bool(text.strip())


def _check_texts(rows: Sequence[Segment]) -> None:
    for number, row in enumerate(rows):
        for text in (row[0], row[1], *row[2]):
            if not isinstance(text, str):
                msg = f"segment {number}: expected a string, got {text!r:.40}"
                raise DataError(msg)


def _columns(model: LensModel, kind: str, names: Sequence[str]) -> list[int]:
    places = {name: at for at, name in enumerate(FEATURES)}
    for name in names:
        if name not in places:
            msg = (
                f"{model.directory / 'model.toml'}: features.{kind}: expected features that this version knows, "
                f"found {name!r:.60}; update plainwright, or train the model again"
            )
            raise DataError(msg)
    return [places[name] for name in names]
