"""BERTScore (Zhang et al., 2020): how well the pieces of an output match those of a reference in an encoder's eyes.

Every piece finds the nearest piece of the other text by the cosine of their vectors. Precision is the mean over the
output's pieces, recall over the reference's, F1 their harmonic mean. Of several references the best counts, for each
of the three by itself, as in the package `bert-score`.
"""

from __future__ import annotations

import csv
import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from plainwright.encoders import Encoded, Encoder, OnnxEncoder, Vectors, open_encoder
from plainwright.encoders.cache import TextCache
from plainwright.errors import DataError
from plainwright.files import read_lines
from plainwright.lens.model import find_model
from plainwright.metrics.base import Array, Metric, Prepared, References, Texts, as_data_error
from plainwright.metrics.remarks import places

__all__ = ["BERTScore"]

_SEGMENTS = 64  # encoded together: the vectors of all their pieces must be in memory at once
_NAMES = ("precision", "recall", "bertscore")


class BERTScore(Metric):
    """F1 of greedily matched pieces, with precision and recall; 100 for equal texts, higher is better.

    `encoder` is an encoder, a name or a folder (see `open_encoder`), or None for that of the LENS model in use. `idf`
    weighs each piece by its rarity: among the references of the call for True, or among the texts given. `baseline` is
    a file of the form that `bert-score` has, `LAYER,P,R,F`, whose values become 0.
    """

    name: ClassVar[str] = "bertscore"
    stat_names = (*_NAMES, "segments")
    heading = "BERTScore"
    meaning = "likeness of pieces of words in the eyes of an encoder (Zhang et al., 2020)"
    model_option = "encoder"
    costly: ClassVar[bool] = True
    reads_raw_text: ClassVar[bool] = True
    needs_source = False

    def __init__(
        self,
        *,
        encoder: Encoder | str | Path | None = None,
        idf: bool | Sequence[str] = False,
        baseline: str | Path | None = None,
    ) -> None:
        if isinstance(idf, str):
            msg = f"bertscore: idf must be True, False or a list of texts, got the string {idf[:40]!r}"
            raise DataError(msg)
        self.idf = idf
        self.baseline = baseline
        self._encoder = encoder
        self._truncated: set[str] = set()
        self._empty: set[str] = set()

    @cached_property
    def encoder(self) -> Encoder:
        """What gives the vectors, opened when it is first asked for."""
        if self._encoder is None:
            return OnnxEncoder.open(find_model())
        if isinstance(self._encoder, str | Path):
            return open_encoder(self._encoder)
        return self._encoder

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        encoder = self.encoder
        settings: dict[str, str | int | float] = {
            "encoder": f"{encoder.name}@{encoder.digest[:8]}",
            "layer": encoder.layer,
            "idf": _idf_label(self.idf),
        }
        if self.baseline is not None:
            settings["baseline"] = "/".join(f"{100 * value:.4g}" for value in self._baseline)
        return settings

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`; rescaling a mean is the mean of rescaled values."""
        means = stats[..., :-1] / stats[..., -1:]
        values = 100.0 * (means - self._baseline) / (1.0 - self._baseline)
        return {name: values[..., column] for column, name in enumerate(_NAMES)}

    @as_data_error
    def prepare(self, source: str | None, references: Sequence[str] | None) -> Prepared:
        """See `Metric.prepare`; what is known of the references is kept."""
        if self.idf is True:
            msg = "bertscore: how rare a piece is cannot be told from the references of one segment; give idf texts"
            raise DataError(msg)
        return super().prepare(source, references)

    def remarks(self, texts: Sequence[str], *, label: str) -> list[str]:
        """See `Metric.remarks`: what was cut off, and what had no words."""
        found = []
        cut = [number for number, text in enumerate(texts, start=1) if text in self._truncated]
        if cut:
            found.append(
                f"bertscore: {places(cut)} of {label} is longer than the encoder reads "
                f"({self.encoder.max_pieces} pieces of words); the rest does not count"
            )
        empty = [number for number, text in enumerate(texts, start=1) if text in self._empty]
        if empty:
            found.append(f"bertscore: {places(empty)} of {label} is empty; its value is 0 before any rescaling")
        return found

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        rarity = self._rarity(references, threads)
        table = np.ones((len(outputs), len(self.stat_names)))
        for start in range(0, len(outputs), _SEGMENTS):
            block = slice(start, start + _SEGMENTS)
            texts = [*outputs[block], *chain.from_iterable(references[block])]
            known = self._pieces.get(texts, threads=threads)
            for row, output, group in zip(table[block], outputs[block], references[block], strict=True):
                row[:-1] = np.max([_matched(known[output], known[text], rarity) for text in group], axis=0)
        return table

    @cached_property
    def _pieces(self) -> TextCache[_Pieces]:
        def make(texts: Sequence[str], threads: int) -> list[_Pieces]:
            encoded = self.encoder.encode(texts, threads=threads)
            self._truncated.update(text for text, one in zip(texts, encoded, strict=True) if one.truncated)
            self._empty.update(text for text, one in zip(texts, encoded, strict=True) if one.special.all())
            return list(map(_Pieces.of, encoded))

        return TextCache(make, size=lambda pieces: pieces.directions.nbytes + pieces.ids.nbytes)

    def _rarity(self, references: Sequence[Sequence[str]], threads: int) -> _Rarity | None:
        if self.idf is False:
            return None
        if self.idf is True:
            return self._rarity_among(list(chain.from_iterable(references)), threads)
        return self._given_rarity

    @cached_property
    def _given_rarity(self) -> _Rarity:
        assert not isinstance(self.idf, bool)
        return self._rarity_among(self.idf, threads=1)

    def _rarity_among(self, texts: Sequence[str], threads: int) -> _Rarity:
        known = self._pieces.get(texts, threads=threads)
        return _Rarity.among(known[text].ids for text in texts)

    @cached_property
    def _baseline(self) -> Array:
        """Of precision, recall and F1, from 0 to 1; zeros if there is none."""
        if self.baseline is None:
            return np.zeros(len(_NAMES))
        return _read_baseline(self.baseline, self.encoder.layer)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Pieces:
    """A text, ready to be matched."""

    directions: Vectors  # of its pieces, special ones too, each of length 1
    ids: npt.NDArray[np.int64]
    counts: npt.NDArray[np.bool_]  # whether a piece counts; special ones may only be matched
    is_empty: bool

    @classmethod
    def of(cls, encoded: Encoded) -> _Pieces:
        lengths = np.linalg.norm(encoded.tokens, axis=1, keepdims=True)
        return cls(
            directions=encoded.tokens / np.maximum(lengths, np.finfo(np.float32).tiny),
            ids=encoded.ids,
            # By number: who writes "[SEP]" into a text gets the same piece as its end.
            counts=~np.isin(encoded.ids, encoded.ids[encoded.special]),
            is_empty=bool(encoded.special.all()),
        )


class _Rarity:
    """Inverse document frequency of pieces: log((N + 1) / (n + 1)), with n of N texts that have the piece."""

    def __init__(self, texts: int, frequencies: Mapping[int, int]) -> None:
        self._weights = {piece: math.log((texts + 1) / (n + 1)) for piece, n in frequencies.items()}
        self._unseen = math.log(texts + 1)

    @classmethod
    def among(cls, texts: Iterable[npt.NDArray[np.int64]]) -> _Rarity:
        frequencies: Counter[int] = Counter()
        number = 0
        for ids in texts:
            frequencies.update(set(ids.tolist()))
            number += 1
        return cls(number, frequencies)

    def of(self, ids: npt.NDArray[np.int64]) -> Array:
        return np.array([self._weights.get(piece, self._unseen) for piece in ids.tolist()])


def _matched(output: _Pieces, reference: _Pieces, rarity: _Rarity | None) -> tuple[float, float, float]:
    """Precision, recall and F1, from -1 to 1; 0 where a side is empty."""
    if output.is_empty or reference.is_empty:
        return 0.0, 0.0, 0.0
    cosines = output.directions @ reference.directions.T
    precision = _weighted_mean(cosines.max(axis=1), output, rarity)
    recall = _weighted_mean(cosines.max(axis=0), reference, rarity)
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0


def _weighted_mean(best: Vectors, pieces: _Pieces, rarity: _Rarity | None) -> float:
    weights = pieces.counts.astype(np.float64) if rarity is None else rarity.of(pieces.ids)
    total = weights.sum()
    return float(weights @ best.astype(np.float64) / total) if total else 0.0


def _read_baseline(path: str | Path, layer: int) -> Array:
    """The row of a layer."""
    lines = read_lines(path)
    if [name.strip() for name in lines[0].split(",")] != ["LAYER", "P", "R", "F"]:
        msg = f"{path}:1: expected the columns LAYER,P,R,F, found {lines[0]!r:.60}"
        raise DataError(msg)
    for number, row in enumerate(csv.reader(lines[1:]), start=2):
        try:
            found, *values = map(float, row)
        except ValueError:
            found, values = math.nan, []
        if len(values) != len(_NAMES) or not all(-1 <= value < 1 for value in values):
            msg = f"{path}:{number}: expected a layer and three numbers below 1, found {','.join(row)!r:.60}"
            raise DataError(msg)
        if found == layer:
            return np.array(values)
    msg = f"{path}: expected a row for layer {layer}, which the encoder gives, found none"
    raise DataError(msg)


def _idf_label(idf: bool | Sequence[str]) -> str:
    if isinstance(idf, bool):
        return "references" if idf else "no"
    digest = hashlib.sha256("\0".join(idf).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{len(idf)}@{digest[:8]}"
