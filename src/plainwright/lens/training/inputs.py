"""What the members of a model see of the examples: vectors and features, computed once for all folds and seeds.

The vectors come from the encoder that will score, in the precision in which it will score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from plainwright.encoders import Encoder
from plainwright.lens.features import FEATURES, PAIR_FEATURES, Passage, feature_matrix, pair_features, readable
from plainwright.lens.head import Pairs

__all__ = ["Inputs", "Progress", "Triple", "encode_examples"]

Array = npt.NDArray[np.float64]
Vectors = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]
Progress = Callable[[str, int, int], None]

_BLOCK = 64  # texts between two reports of progress


class Triple(Protocol):
    """Holds an output beside its source and references."""

    @property
    def source(self) -> str:
        """The text that was simplified."""

    @property
    def output(self) -> str:
        """What became of it."""

    @property
    def references(self) -> tuple[str, ...]:
        """What people made of it; at least one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Inputs:
    """Holds a row for each example. References are places in `vectors`; behind the last one of a row stands -1."""

    vectors: Vectors  # (texts, width)
    source: Indices  # (rows,)
    output: Indices  # (rows,)
    references: Indices  # (rows, most references)
    features: Array | None  # (rows, features), of the whole set of references
    pair_features: Vectors | None  # (rows, most references, features), of each reference alone

    def __len__(self) -> int:
        return len(self.output)

    @property
    def present(self) -> npt.NDArray[np.bool_]:
        """Where there is a reference."""
        return np.asarray(self.references >= 0)

    def rows(self, chosen: Indices) -> Inputs:
        """Return only these rows."""
        return Inputs(
            vectors=self.vectors,
            source=self.source[chosen],
            output=self.output[chosen],
            references=self.references[chosen],
            features=None if self.features is None else self.features[chosen],
            pair_features=None if self.pair_features is None else self.pair_features[chosen],
        )

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all that `from_arrays` needs."""
        named = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {name: values for name, values in named.items() if values is not None}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Inputs:
        """Undo `arrays`."""
        return cls(
            vectors=arrays["vectors"],
            source=arrays["source"],
            output=arrays["output"],
            references=arrays["references"],
            features=arrays.get("features"),
            pair_features=arrays.get("pair_features"),
        )

    def pairs(self) -> Pairs:
        """Every output with each of its references, row after row, as a head takes them."""
        present = self.present
        rows, columns = np.nonzero(present)
        return Pairs(
            sources=self.vectors[self.source].astype(np.float64),
            outputs=self.vectors[self.output].astype(np.float64),
            references=self.vectors.astype(np.float64),
            output_of=rows,
            reference_of=self.references[rows, columns],
            features=None if self.pair_features is None else self.pair_features[rows, columns].astype(np.float64),
        )

    def highest(self, values: Array) -> Array:
        """Return the highest of the values of a row's pairs."""
        filled = np.full(self.references.shape, -np.inf)
        filled[self.present] = values
        return np.asarray(filled.max(axis=1))


def encode_examples(
    examples: Sequence[Triple],
    encoder: Encoder,
    *,
    features: bool = True,
    pairs: bool = True,
    threads: int = 1,
    progress: Progress | None = None,
) -> Inputs:
    """Encode all texts and, if asked for, make the features of all outputs (and of all pairs, for a head)."""
    tell = progress or (lambda what, done, total: None)
    texts = list(dict.fromkeys(text for one in examples for text in (one.source, one.output, *one.references)))
    passages: list[Passage] = []
    vectors = np.zeros((len(texts), encoder.width), dtype=np.float32)
    for start in range(0, len(texts), _BLOCK):
        tell("encoding", start, len(texts))
        block = texts[start : start + _BLOCK]
        encoded = encoder.encode([readable(text) for text in block], threads=threads)
        vectors[start : start + len(block)] = [one.vector for one in encoded]
        if features:
            passages += [Passage.of(text, one) for text, one in zip(block, encoded, strict=True)]
    place = {text: at for at, text in enumerate(texts)}
    most = max(len(one.references) for one in examples)
    references = np.full((len(examples), most), -1, dtype=np.int64)
    for row, one in enumerate(examples):
        references[row, : len(one.references)] = [place[text] for text in one.references]
    source = np.array([place[one.source] for one in examples], dtype=np.int64)
    output = np.array([place[one.output] for one in examples], dtype=np.int64)
    inputs = Inputs(
        vectors=vectors, source=source, output=output, references=references, features=None, pair_features=None
    )
    return _with_features(inputs, passages, pairs=pairs, tell=tell) if features else inputs


def _with_features(inputs: Inputs, passages: Sequence[Passage], *, pairs: bool, tell: Progress) -> Inputs:
    """Rows of one source together: they share what is computed of the source and its references."""
    rows, most = inputs.references.shape
    whole = np.zeros((rows, len(FEATURES)))
    single = np.zeros((rows, most, len(PAIR_FEATURES) if pairs else 0), dtype=np.float32)
    done = 0
    for source in dict.fromkeys(inputs.source.tolist()):
        tell("features", done, rows)
        chosen = np.flatnonzero(inputs.source == source)
        c = passages[source]
        beside = {row: [passages[at] for at in inputs.references[row] if at >= 0] for row in chosen.tolist()}
        whole[chosen] = feature_matrix([(c, passages[inputs.output[row]], beside[row]) for row in beside])
        if pairs:
            _fill_pairs(single, inputs, passages, source, chosen)
        done += len(chosen)
    return replace(inputs, features=whole, pair_features=single if pairs else None)


def _fill_pairs(single: Vectors, inputs: Inputs, passages: Sequence[Passage], source: int, chosen: Indices) -> None:
    """Features of the pairs of some rows of one source; an output that comes again is compared once."""
    for output in np.unique(inputs.output[chosen]).tolist():
        rows = chosen[inputs.output[chosen] == output]
        references = np.unique(inputs.references[rows])
        references = references[references >= 0]
        texts = [passages[at] for at in references.tolist()]
        values = pair_features(passages[source], [passages[output]], texts)[0].astype(np.float32)
        present = inputs.references[rows] >= 0
        filled = values[np.searchsorted(references, np.maximum(inputs.references[rows], references[0]))]
        single[rows] = np.where(present[..., None], filled, 0)
