"""LENS models that were trained for a comparison: a folder of them by kind and fold, and what they say of outputs.

`plainwright lens train --fold` leaves a fold of the sources out, and its model knows the sources that it learnt from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from plainwright.arrays import read_arrays, write_arrays
from plainwright.errors import DataError
from plainwright.lens.model import LensModel
from plainwright.lens.passages import PassageStore
from plainwright.lens.scorer import Scorer
from plainwright.lens.seen import SOURCE_MARKS, count_seen
from plainwright.lens.training.inputs import Triple
from plainwright.lens.training.work import digest_of
from plainwright.metrics.base import Array

__all__ = ["VALUES", "Kind", "TrainedModel", "TrainedModels"]

VALUES = "values"  # the folder beside the models that has what they said


@dataclass(frozen=True, slots=True, order=True)
class Kind:
    """Says in what models of a comparison differ, but for their fold."""

    encoder: str
    layers: str  # "frozen", "all layers", "top 4 layers"
    k: str  # "k = n", "top 3"

    @property
    def tuned(self) -> bool:
        """Whether the encoder learnt."""
        return self.layers != "frozen"

    @property
    def label(self) -> str:
        """For tables."""
        return f"{self.encoder}, {self.layers}, {self.k}"

    @classmethod
    def of(cls, model: LensModel) -> Kind:
        """Read it off the settings that a model was trained with."""
        settings = model.settings
        layers = settings.get("tuning_layers", "frozen" if settings.get("tuning") == "none" else "none")
        layers = {"none": "all layers", "frozen": "frozen"}.get(str(layers), f"top {layers} layers")
        k = settings.get("head_k", "none")
        return cls(Path(str(settings["encoder"])).name, layers, "k = n" if k == "none" else f"top {k}")


@dataclass(frozen=True, kw_only=True, eq=False)
class TrainedModel:
    """Holds a model and the fold that it never saw."""

    model: LensModel
    kind: Kind
    fold: int
    values: Path  # where what it says is kept
    read: dict[str, PassageStore] = field(default_factory=dict)  # by encoder: texts that models of it have read

    @classmethod
    def open(cls, directory: Path, *, read: dict[str, PassageStore] | None = None) -> TrainedModel:
        """Read a model that `lens train --fold` has made; models that are given the same `read` share it."""
        model = LensModel.open(directory)
        fold = model.settings.get("fold", "none")
        if not isinstance(fold, int) or model.companion is not None or model.features.pair:
            msg = (
                f"{directory}: expected a model of one fold without features, found another; train it with "
                "`plainwright lens train --fold N --no-companion --no-linear --no-features`"
            )
            raise DataError(msg)
        values = directory.parent / VALUES
        return cls(model=model, kind=Kind.of(model), fold=fold, values=values, read={} if read is None else read)

    def learnt_from(self, source: str) -> bool:
        """Return whether it was trained on outputs of this source."""
        return count_seen(str(self.model.provenance.get(SOURCE_MARKS, "")), [source]) > 0

    def pairwise(self, rated: Sequence[Triple], *, threads: int = 1) -> Array:
        """The z of every output with each of its references: shape (outputs, most references), NaN behind the last.

        With several references z is the highest of them. What was computed before is read.
        """
        texts = [(one.source, one.output, list(one.references)) for one in rated]
        path = self.values / f"{digest_of(self.model.digest, texts)[:32]}.npz"
        if path.is_file():
            return read_arrays(path)["z"]
        rows = [(one.source, one.output, (text,)) for one in rated for text in one.references]
        encoder = self.model.encoder
        passages = self.read.setdefault(encoder.digest, PassageStore(encoder))
        z = Scorer(self.model, passages=passages).scores(*zip(*rows, strict=True), threads=threads)
        table = np.full((len(rated), max(len(one.references) for one in rated)), np.nan)
        table[[[at < len(one.references) for at in range(table.shape[1])] for one in rated]] = z
        path.parent.mkdir(exist_ok=True)
        write_arrays(path, {"z": table})
        return table


@dataclass(frozen=True, kw_only=True)
class TrainedModels:
    """Holds the models of a folder, by kind and fold."""

    models: Mapping[Kind, Mapping[int, TrainedModel]] = field(repr=False)

    @classmethod
    def read(cls, directory: str | Path) -> TrainedModels:
        """Open every model in a folder; each fold of a kind may be there once."""
        directory = Path(directory)
        found: dict[Kind, dict[int, TrainedModel]] = {}
        read: dict[str, PassageStore] = {}
        for path in sorted(directory.glob("*/model.toml")):
            one = TrainedModel.open(path.parent, read=read)
            folds = found.setdefault(one.kind, {})
            if one.fold in folds:
                msg = f"{path.parent}: expected one model of a kind and fold, found a second ({one.kind.label})"
                raise DataError(msg)
            folds[one.fold] = one
        if not found:
            msg = f"{directory}: expected a folder with LENS models of `plainwright lens train --fold`, found none"
            raise DataError(msg)
        return cls(models={kind: dict(sorted(found[kind].items())) for kind in sorted(found)})

    def all(self) -> tuple[TrainedModel, ...]:
        """Every model, kind by kind."""
        return tuple(model for folds in self.models.values() for model in folds.values())

    def places(self, kind: Kind, folds: Sequence[int] | None = None) -> list[int]:
        """Where in `all` the models of a kind stand; of these folds, if they are given."""
        everything = self.all()
        return [at for at, one in enumerate(everything) if one.kind == kind and (folds is None or one.fold in folds)]

    def pairs(self) -> tuple[tuple[Kind, Kind], ...]:
        """Kinds that differ in one thing: encoder, whether it learnt, or k; the later in order is first."""
        kinds = list(self.models)
        found = []
        for one in kinds:
            for other in kinds:
                differs = (one.k != other.k, one.tuned != other.tuned, one.encoder != other.encoder)
                if sum(differs) == 1 and (one.k > other.k or one.tuned > other.tuned or one.encoder > other.encoder):
                    found.append((one, other))
        return tuple(sorted(found, key=lambda pair: (pair[0].k == pair[1].k, pair[0].tuned == pair[1].tuned, pair)))
