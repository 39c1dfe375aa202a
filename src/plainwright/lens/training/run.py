"""The parts of a training: the examples of each fold, and all of them, with the encoder, inputs and members of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright import __version__
from plainwright.boosted import BoostedTrees, Linear
from plainwright.encoders import OnnxEncoder, encoder_folder
from plainwright.encoders.onnx import CARD_FILE
from plainwright.errors import DataError
from plainwright.lens.features import FEATURES, resources_digest
from plainwright.lens.head import Head
from plainwright.lens.training.data import TrainingSet
from plainwright.lens.training.fewer import with_fewer_references
from plainwright.lens.training.fits import Fit, Member, run_fits
from plainwright.lens.training.folds import Fold, Indices, parts_of
from plainwright.lens.training.inputs import Inputs, Progress, Triple, encode_examples
from plainwright.lens.training.settings import TrainingSettings
from plainwright.lens.training.spoilt import spoilt_examples, spoilt_targets
from plainwright.lens.training.tuning import Tuning, tune_encoder
from plainwright.lens.training.work import Work, digest_of

__all__ = ["Fitted", "Run"]

Array = npt.NDArray[np.float64]

_INPUTS_FORMAT = 3  # a new number whenever vectors or features of the same text change, so that no old ones are read
_INNER_PARTS = 5  # of the training sources, one of which tells a member when to stop


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Holds what one part of the examples has made."""

    head: Head | None
    trees: BoostedTrees | None
    linear: Linear | None
    inputs: Callable[[Indices], Inputs]  # of some rows
    encoder: Path  # its directory

    def predict(self, member: Member, rows: Indices) -> Array:
        """Return what a member says of examples."""
        chosen = self.inputs(rows)
        if member == "neural":
            assert self.head is not None
            return chosen.highest(self.head.pair_values(chosen.pairs()))
        model = self.trees if member == "trees" else self.linear
        assert model is not None
        assert chosen.features is not None
        return model.predict(chosen.features)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Part:
    """Examples that train, and what is known of them before any member is fitted."""

    name: str
    number: int
    rows: Indices
    spoilt: Indices  # rows of the spoilt texts of the same sources
    z: Array  # of all rows, spoilt ones too
    inner: Indices  # the inner part of each of `rows`


class Run:
    """Trains once on all parts."""

    def __init__(
        self, training: TrainingSet, settings: TrainingSettings, work: Work, *, threads: int, tell: Progress
    ) -> None:
        self.training, self.settings, self.work = training, settings, work
        self._threads, self._tell = threads, tell
        self._spoilt = spoilt_examples(training.examples, settings.corruptions, seed=settings.seed)
        self._fewer = with_fewer_references(training.examples, settings.fewer, seed=settings.seed)
        self._rated = np.array([*range(len(training.examples)), *(text.row for text in self._fewer)])
        self._more: list[Triple] = [*(text.example for text in self._fewer), *self._spoilt]
        self._groups = np.array(
            [*(training.groups[row] for row in self._rated), *(text.group for text in self._spoilt)]
        )
        self._weights = np.concatenate(
            [np.ones(len(self._rated)), np.full(len(self._spoilt), settings.spoilt_weight, dtype=np.float64)]
        )

    @property
    def rated_z(self) -> Array:
        """Targets of all rated outputs, beside all references and then beside fewer."""
        z: Array = self.training.z[self._rated]
        return z

    def members(self, parts: Mapping[int, Indices]) -> list[Fitted]:
        """Return the members that each of these parts of the examples makes; its number decides its chance."""
        described = [self._part(number, rows) for number, rows in parts.items()]
        if self.settings.tuning is not None:
            return [self._with_tuned_encoder(part, self.settings.tuning) for part in described]
        encoder = _exported(self.settings.encoder, self.work, self._tell)
        inputs, stored = self._inputs(encoder)
        self._run([fit for part in described for fit in self._fits(part)], inputs, stored)
        return [self._gathered(part, inputs.rows, encoder) for part in described]

    def out_of_fold(self, fitted: Sequence[Fitted], member: Member, folds: Sequence[Fold]) -> Array:
        """Predict every rated output, beside all references and fewer, by members that did not learn from its fold."""
        whole = np.zeros(len(self._rated))
        for one, fold in zip(fitted, folds, strict=True):
            rows = self._with_fewer(fold.judging)
            whole[rows] = one.predict(member, rows)
        return whole

    def fold_numbers(self, folds: Sequence[Fold]) -> Indices:
        """Return the fold in which each rated output judges."""
        numbers = np.zeros(len(self.training.examples), dtype=np.int64)
        for number, fold in enumerate(folds):
            numbers[fold.judging] = number
        whole: Indices = numbers[self._rated]
        return whole

    def by_references(self, predictions: Mapping[str, Array]) -> dict[str, Array]:
        """Return what each member says beside all references, and what the last one (the mix) says beside fewer."""
        rated = len(self.training.examples)
        found = {name: values[:rated] for name, values in predictions.items()}
        name, values = list(predictions.items())[-1]
        counts = np.array([text.count for text in self._fewer], dtype=np.int64)
        for count in dict.fromkeys(counts.tolist()):
            chosen = rated + np.flatnonzero(counts == count)
            beside = found[name].copy()
            beside[self._rated[chosen]] = values[chosen]
            found[f"{name}, {count} reference{'s' * (count > 1)}"] = beside
        return found

    def _with_fewer(self, rows: Indices) -> Indices:
        """These examples, and the same outputs beside fewer references."""
        return np.flatnonzero(np.isin(self._rated, rows))

    def _part(self, number: int, rows: Indices) -> _Part:
        sources = {self.training.groups[row] for row in rows.tolist()}
        start = len(self._rated)
        spoilt = [start + at for at, text in enumerate(self._spoilt) if text.group in sources]
        groups = self._groups[rows].tolist()
        targets = np.zeros(0)
        if self._spoilt:
            examples = [self.training.examples[row] for row in rows.tolist()]
            targets = spoilt_targets(self._spoilt, examples, margin=self.settings.margin)
        return _Part(
            name=f"part-{number}",
            number=number,
            rows=rows,
            spoilt=np.array(spoilt, dtype=np.int64),
            z=np.concatenate([self.rated_z, targets]),
            inner=parts_of(groups, min(_INNER_PARTS, len(set(groups))), seed=self.settings.seed + 2),
        )

    def _split(self, part: _Part, left_out: int, *, fewer: bool) -> tuple[Indices, Indices]:
        """Rows that train, with spoilt texts among them, and rows that tell when to stop."""
        training, validation = part.rows[part.inner != left_out], part.rows[part.inner == left_out]
        held = np.isin(self._groups[part.spoilt], np.unique(self._groups[validation]))
        if fewer:
            training, validation = self._with_fewer(training), self._with_fewer(validation)
        return np.concatenate([training, part.spoilt[~held]]), validation

    def _inputs(self, encoder_files: Path) -> tuple[Inputs, Path]:
        """Vectors and features by this encoder, and the file that has them."""
        encoder = OnnxEncoder.open(encoder_files)
        members = self.settings.members
        features = members != ("neural",) or self.settings.features
        pairs = self.settings.features and "neural" in members
        texts = [(one.source, one.output, *one.references) for one in self._more]
        made_of = [_INPUTS_FORMAT, encoder.digest, self.training.digest, texts, features, pairs]
        if features:
            made_of += [__version__, resources_digest(), FEATURES]
        digest = digest_of(*made_of)
        arrays = self.work.cached(digest)
        if arrays is None:
            examples = [*self.training.examples, *self._more]
            computed = encode_examples(
                examples, encoder, features=features, pairs=pairs, threads=self._threads, progress=self._tell
            )
            arrays = computed.arrays()
            self.work.keep(digest, arrays)
        return Inputs.from_arrays(arrays), self.work.inputs_path(digest)

    def _fits(self, part: _Part) -> Iterator[Fit]:
        settings = self.settings
        for count in range(settings.seeds):
            # An encoder that was tuned has seen all sources but those of one inner part.
            left_out = 0 if settings.tuning is not None else count % (int(part.inner.max()) + 1)
            seed = settings.seed + 1000 * part.number + count
            for member in settings.members:
                if member == "trees" or (member == "neural" and not self._joint):
                    # A head sees one reference at a time, so fewer of them tell it nothing new.
                    training, validation = self._split(part, left_out, fewer=member == "trees")
                    yield self._fit(part, f"{part.name}-{member}-{count}", member, training, validation, seed)
        if "linear" in settings.members:
            everything = np.concatenate([self._with_fewer(part.rows), part.spoilt])
            yield self._fit(part, f"{part.name}-linear", "linear", everything, part.rows[:0], settings.seed)

    def _fit(self, part: _Part, name: str, member: Member, training: Indices, validation: Indices, seed: int) -> Fit:
        return Fit(
            name=name,
            member=member,
            training=training,
            validation=validation,
            groups=tuple(self._groups[training].tolist()),
            z=part.z,
            weights=self._weights,
            seed=seed,
            head=self.settings.head,
            schedule=self.settings.schedule,
            boosting=self.settings.boosting,
            checkpoint=self.work.fit_path(name, ".pt"),
        )

    def _run(self, fits: Sequence[Fit], inputs: Inputs, stored: Path) -> None:
        """Those that are not done yet."""
        waiting = [fit for fit in fits if self.work.load(fit.name) is None]
        finished = len(fits) - len(waiting)
        self._tell("training", finished, len(fits))

        def done(name: str, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
            nonlocal finished
            self.work.save(name, arrays)
            finished += 1
            self._tell("training", finished, len(fits))

        run_fits(waiting, inputs, stored, processes=self._threads, done=done)

    def _gathered(self, part: _Part, inputs: Callable[[Indices], Inputs], encoder: Path) -> Fitted:
        members = self.settings.members
        names = [f"{part.name}-{{}}-{count}" for count in range(self.settings.seeds)]
        heads = [f"{part.name}-joint"] if self._joint else [name.format("neural") for name in names]
        networks = [
            network
            for name in (heads if "neural" in members else ())
            for network in Head.from_arrays(self._done(name)).networks
        ]
        trees = [
            BoostedTrees.from_arrays(self._done(name.format("trees"))) for name in (names if "trees" in members else ())
        ]
        linear = BoostedTrees.from_arrays(self._done(f"{part.name}-linear")).linear if "linear" in members else None
        return Fitted(
            head=Head(networks=tuple(networks)) if networks else None,
            trees=BoostedTrees.mean(trees) if trees else None,
            linear=linear,
            inputs=inputs,
            encoder=encoder,
        )

    def _done(self, name: str) -> dict[str, npt.NDArray[Any]]:
        arrays = self.work.load(name)
        assert arrays is not None
        return arrays

    @property
    def _joint(self) -> bool:
        """Whether the head is the one that was trained with the encoder, which knows no features."""
        return self.settings.tuning is not None and not self.settings.features

    def _with_tuned_encoder(self, part: _Part, tuning: Tuning) -> Fitted:
        encoder = self._tuned(part, tuning)
        if self._joint and self.settings.members == ("neural",):  # nothing more to train
            return self._gathered(part, lambda rows: self._encoded(rows, encoder), encoder)
        inputs, stored = self._inputs(encoder)
        self._run(list(self._fits(part)), inputs, stored)
        return self._gathered(part, inputs.rows, encoder)

    def _encoded(self, rows: Indices, encoder: Path) -> Inputs:
        """Vectors of some examples alone."""
        examples = [*self.training.examples, *self._more]
        chosen = [examples[row] for row in rows.tolist()]
        opened = OnnxEncoder.open(encoder)
        return encode_examples(chosen, opened, features=False, threads=self._threads, progress=self._tell)

    def _tuned(self, part: _Part, tuning: Tuning) -> Path:
        """The encoder of a part, trained with a head and exported; taken up where it was left."""
        from plainwright.encoders.export import export_encoder
        from plainwright.encoders.local import load_local_model

        name = f"{part.name}-joint"
        directory = self.work.fit_path(f"{part.name}-encoder", "")
        if (directory / CARD_FILE).is_file():
            return directory
        label, folder = encoder_folder(self.settings.encoder)
        if (folder / CARD_FILE).is_file():
            msg = f"{folder}: an exported encoder cannot be tuned; name the Hugging Face folder that it was made from"
            raise DataError(msg)
        training, validation = self._split(part, 0, fewer=False)
        tuned = tune_encoder(
            load_local_model(folder, name=label),
            [*self.training.examples, *self._more],
            part.z,
            training,
            validation,
            tuning,
            self.settings.head,
            self.settings.schedule,
            weights=self._weights,
            seed=self.settings.seed + 1000 * part.number,
            threads=self._threads,
            checkpoint=self.work.fit_path(name, ".pt"),
            tell=lambda done, total: self._tell(f"tuning the encoder of {part.name}", done, total),
        )
        self._tell("exporting the encoder", 0, 0)
        export_encoder(replace(tuned.encoder, name=f"{label}-tuned"), directory)
        self.work.save(name, Head(networks=(tuned.network,)).arrays())
        return directory


def _exported(name: str, work: Work, tell: Progress) -> Path:
    """The folder of an encoder that onnxruntime can run; made from the one named if it is none yet."""
    label, folder = encoder_folder(name)
    if (folder / CARD_FILE).is_file():
        return folder
    made = work.folder / f"encoder-{digest_of(str(folder.resolve()))[:16]}"
    if not (made / CARD_FILE).is_file():
        from plainwright.encoders.export import export_encoder
        from plainwright.encoders.local import load_local_model

        tell("exporting the encoder", 0, 0)
        export_encoder(load_local_model(folder, name=label), made)
    return made
