"""A whole training: vectors, features, members on folds, how much each counts, the final members, and the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError, UnknownNameError
from plainwright.lens.companion import Companion, Linear
from plainwright.lens.encoders import Encoder, OnnxEncoder, encoder_folder
from plainwright.lens.encoders.onnx import CARD_FILE
from plainwright.lens.features import FEATURES, PAIR_FEATURES, resources_digest
from plainwright.lens.head import Head, Network
from plainwright.lens.model import Features, LensModel, Mix, check_replaceable
from plainwright.lens.seen import SOURCE_MARKS, marks_of
from plainwright.lens.training.boosting import Boosting
from plainwright.lens.training.card import card_text
from plainwright.lens.training.data import TrainingSet
from plainwright.lens.training.fewer import with_fewer_references
from plainwright.lens.training.fits import MEMBERS, Fit, Member, run_fits
from plainwright.lens.training.folds import Fold, FoldsBy, Indices, folds_of, parts_of
from plainwright.lens.training.heads import HeadSettings
from plainwright.lens.training.inputs import Inputs, Progress, Triple, encode_examples
from plainwright.lens.training.loop import Schedule
from plainwright.lens.training.results import Agreement, agreements
from plainwright.lens.training.spoilt import CORRUPTIONS, Corruptions, spoilt_examples, spoilt_targets
from plainwright.lens.training.stacking import Weights, cross_fitted, find_weights
from plainwright.lens.training.work import Work, digest_of

__all__ = ["MEMBERS", "Description", "Member", "Outcome", "Settings", "train"]

Array = npt.NDArray[np.float64]

_INNER_PARTS = 5  # of the training sources, one of which tells a member when to stop
_FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that decides what is learnt, but for the data."""

    encoder: str = "minilm"
    members: tuple[Member, ...] = MEMBERS
    features: bool = True  # beside H in the head
    seeds: int = 5  # heads, and sets of trees, that are averaged
    folds: int = 5
    folds_by: FoldsBy = "source"
    head: HeadSettings = field(default_factory=HeadSettings)
    schedule: Schedule = field(default_factory=lambda: Schedule(patience=4))
    boosting: Boosting = field(default_factory=Boosting)
    fewer: tuple[int, ...] = (1, 3)  # numbers of references beside which each output is seen as well
    corruptions: Corruptions = "none"
    margin: float = 0.5  # by which a spoilt text is worth less than what was spoilt
    spoilt_weight: float = 1.0  # of a spoilt text beside a rated one
    seed: int = 0

    def __post_init__(self) -> None:
        unknown = [name for name in self.members if name not in MEMBERS]
        if unknown or not self.members:
            listing = f"choose among {', '.join(MEMBERS)}"
            raise UnknownNameError.suggest(
                kind="member", name=unknown[0] if unknown else "", known=MEMBERS, listing=listing
            )
        if self.corruptions not in CORRUPTIONS:
            listing = f"choose one of {', '.join(CORRUPTIONS)}"
            raise UnknownNameError.suggest(
                kind="choice of corruptions", name=self.corruptions, known=CORRUPTIONS, listing=listing
            )
        if any(count < 1 for count in self.fewer):
            msg = f"expected numbers of references from 1, got {', '.join(map(str, self.fewer))}"
            raise DataError(msg)
        if self.seeds < 1:
            msg = f"expected at least 1 seed, got {self.seeds}"
            raise DataError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a model says of itself and of its data."""

    name: str
    version: str = "1"
    licence: str = "not stated"
    ratings: str = ""  # where they came from
    references: str = ""
    ratings_licence: str = "not stated"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A trained model and how far it agrees with people on sources that it never saw."""

    model: LensModel
    agreements: tuple[Agreement, ...]
    weights: Weights
    predictions: Mapping[str, Array]  # out of fold, by member, and of the mix
    training: TrainingSet

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "model": str(self.model.directory),
            "bytes": self.model.bytes,
            "examples": len(self.training.examples),
            "sources": len(set(self.training.groups)),
            "systems": len(self.training.ratings.systems),
            "raters": len(self.training.ratings.raters),
            "aspect": self.training.aspect,
            "agreement": [agreement.to_dict() for agreement in self.agreements],
            "weights": {"intercept": self.weights.intercept, **self.weights.members},
            "notes": list(self.training.notes),
        }


def train(
    training: TrainingSet,
    settings: Settings,
    save: str | Path,
    description: Description,
    *,
    work: str | Path | None = None,
    resume: bool = False,
    threads: int = 1,
    resamples: int = 1000,
    progress: Progress | None = None,
) -> Outcome:
    """Train and save a model.

    `work` keeps what is computed on the way (by default a directory beside the model, which goes when it is done).
    """
    save = Path(save)
    check_replaceable(save)
    kept = work is not None
    folder = Path(work) if work is not None else save.with_name(f"{save.name}.training")
    folds = folds_of(
        training.groups,
        [example.system for example in training.examples],
        folds=settings.folds,
        by=settings.folds_by,
        seed=settings.seed,
    )
    place = Work(folder, {**_flat(settings), "data": training.digest}, resume=resume)
    run = _Run(training, settings, place, threads=threads, tell=progress or (lambda what, done, total: None))
    members = run.members(folds)
    everywhere: dict[str, Array] = {member: run.out_of_fold(members, member, folds) for member in settings.members}
    weights = find_weights(everywhere, run.rated_z)
    if len(everywhere) > 1:
        everywhere["mix"] = cross_fitted(everywhere, run.rated_z, run.fold_numbers(folds))
    predictions = run.by_references(everywhere)
    found = agreements(training, predictions, resamples=resamples, seed=settings.seed)
    model = _saved(save, run, members[-1], weights, description, found, settings)
    if not kept:
        place.remove()
    return Outcome(model=model, agreements=found, weights=weights, predictions=predictions, training=training)


@dataclass(frozen=True, slots=True)
class _Fitted:
    """The members that one part of the examples has made."""

    head: Head | None
    trees: Companion | None
    linear: Linear | None


class _Run:
    """The inputs of a training, and all its fits."""

    def __init__(self, training: TrainingSet, settings: Settings, work: Work, *, threads: int, tell: Progress) -> None:
        self.training, self.settings, self.work = training, settings, work
        self._threads, self._tell = threads, tell
        self._fewer = with_fewer_references(training.examples, settings.fewer, seed=settings.seed)
        self._rated = np.array([*range(len(training.examples)), *(text.row for text in self._fewer)])
        self._spoilt = spoilt_examples(training.examples, settings.corruptions, seed=settings.seed)
        self.encoder_files = _encoder_files(settings.encoder, work, tell)
        self.encoder = OnnxEncoder.open(self.encoder_files)
        self.inputs = self._inputs(self.encoder)
        self._groups = np.array(
            [*(training.groups[row] for row in self._rated), *(text.group for text in self._spoilt)]
        )

    def members(self, folds: Sequence[Fold]) -> list[_Fitted]:
        """Those of every fold, then those of all examples."""
        everything = np.arange(len(self.training.examples))
        parts = {f"fold-{number}": fold.training for number, fold in enumerate(folds)}
        parts[_FINAL] = everything
        self._run([fit for number, (part, rows) in enumerate(parts.items()) for fit in self._fits(part, rows, number)])
        return [self._gathered(part) for part in parts]

    @property
    def rated_z(self) -> Array:
        """Targets of all rated outputs, beside all references and then beside fewer."""
        z: Array = self.training.z[self._rated]
        return z

    def out_of_fold(self, members: Sequence[_Fitted], member: Member, folds: Sequence[Fold]) -> Array:
        """What a member says of every rated output, beside all references and fewer, having seen no other fold's."""
        whole = np.zeros(len(self._rated))
        for fitted, fold in zip(members, folds, strict=False):
            rows = self._with_fewer(fold.judging)
            whole[rows] = self.predict(fitted, member, rows)
        return whole

    def fold_numbers(self, folds: Sequence[Fold]) -> Indices:
        """The fold in which each rated output judges."""
        numbers = np.zeros(len(self.training.examples), dtype=np.int64)
        for number, fold in enumerate(folds):
            numbers[fold.judging] = number
        whole: Indices = numbers[self._rated]
        return whole

    def by_references(self, predictions: Mapping[str, Array]) -> dict[str, Array]:
        """What each member says beside all references, and what the last one (the mix) says beside fewer."""
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

    def predict(self, fitted: _Fitted, member: Member, rows: Indices) -> Array:
        """What a member says of examples."""
        chosen = self.inputs.rows(rows)
        if member == "neural":
            assert fitted.head is not None
            return chosen.highest(fitted.head.pair_values(chosen.pairs()))
        assert chosen.features is not None
        model = fitted.trees if member == "trees" else fitted.linear
        assert model is not None
        return model.predict(chosen.features)

    def _inputs(self, encoder: Encoder) -> Inputs:
        wanted = {
            "features": self.settings.features or self.settings.members != ("neural",),
            "pairs": self.settings.features and "neural" in self.settings.members,
        }
        more: list[Triple] = [*(text.example for text in self._fewer), *self._spoilt]
        texts = [(text.source, text.output, *text.references) for text in more]
        made_of = [encoder.digest, self.training.digest, texts, wanted]
        if wanted["features"]:
            made_of += [resources_digest(), FEATURES]
        self._digest = digest_of(*made_of)
        arrays = self.work.cached(self._digest)
        if arrays is not None:
            return Inputs.from_arrays(arrays)
        examples: list[Triple] = [*self.training.examples, *more]
        inputs = encode_examples(examples, encoder, **wanted, threads=self._threads, progress=self._tell)
        self.work.keep(self._digest, inputs.arrays())
        return inputs

    def _fits(self, part: str, rows: Indices, number: int) -> Iterator[Fit]:
        """The fits of one part of the examples."""
        settings = self.settings
        spoilt = self._spoilt_rows(rows)
        z = np.concatenate([self.rated_z, self._spoilt_z(rows)])
        weights = np.concatenate([np.ones(len(self._rated)), np.full(len(self._spoilt), settings.spoilt_weight)])
        groups = self._groups[rows].tolist()
        inner = parts_of(groups, min(_INNER_PARTS, len(set(groups))), seed=settings.seed + 2)

        def fit(name: str, member: Member, training: Indices, validation: Indices, seed: int) -> Fit:
            return Fit(
                name=name,
                member=member,
                training=training,
                validation=validation,
                groups=tuple(self._groups[training].tolist()),
                z=z,
                weights=weights,
                seed=seed,
                head=settings.head,
                schedule=settings.schedule,
                boosting=settings.boosting,
                checkpoint=self.work.fit_path(name, ".pt"),
            )

        for count in range(settings.seeds):
            left_out = inner == count % (int(inner.max()) + 1)
            validation = rows[left_out]
            held = np.isin(self._groups[spoilt], np.unique(self._groups[validation]))
            seed = settings.seed + 1000 * number + count
            if "neural" in settings.members:
                # A head sees one reference at a time, so fewer of them tell it nothing new.
                within = np.concatenate([rows[~left_out], spoilt[~held]])
                yield fit(f"{part}-neural-{count}", "neural", within, validation, seed)
            if "trees" in settings.members:
                within = np.concatenate([self._with_fewer(rows[~left_out]), spoilt[~held]])
                yield fit(f"{part}-trees-{count}", "trees", within, self._with_fewer(validation), seed)
        if "linear" in settings.members:
            within = np.concatenate([self._with_fewer(rows), spoilt])
            yield fit(f"{part}-linear", "linear", within, rows[:0], settings.seed)

    def _with_fewer(self, rows: Indices) -> Indices:
        """These examples, and the same outputs beside fewer references."""
        return np.flatnonzero(np.isin(self._rated, rows))

    def _spoilt_rows(self, rows: Indices) -> Indices:
        """Where the spoilt texts of the training sources are."""
        sources = {self.training.groups[row] for row in rows.tolist()}
        start = len(self._rated)
        return np.array([start + at for at, text in enumerate(self._spoilt) if text.group in sources], dtype=np.int64)

    def _spoilt_z(self, rows: Indices) -> Array:
        """Targets of all spoilt texts, from the training examples alone."""
        if not self._spoilt:
            return np.zeros(0)
        examples = [self.training.examples[row] for row in rows.tolist()]
        return spoilt_targets(self._spoilt, examples, margin=self.settings.margin)

    def _run(self, fits: Sequence[Fit]) -> None:
        """Those that are not done yet."""
        waiting = [fit for fit in fits if self.work.load(fit.name) is None]
        finished = len(fits) - len(waiting)
        self._tell("training", finished, len(fits))

        def done(name: str, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
            nonlocal finished
            self.work.save(name, arrays)
            finished += 1
            self._tell("training", finished, len(fits))

        run_fits(waiting, self.inputs, self.work.inputs_path(self._digest), processes=self._threads, done=done)

    def _gathered(self, part: str) -> _Fitted:
        members, seeds = self.settings.members, range(self.settings.seeds)
        networks: list[Network] = []
        trees: list[Companion] = []
        for count in seeds:
            if "neural" in members:
                networks += Head.from_arrays(self._done(f"{part}-neural-{count}")).networks
            if "trees" in members:
                trees.append(Companion.from_arrays(self._done(f"{part}-trees-{count}")))
        linear = Companion.from_arrays(self._done(f"{part}-linear")).linear if "linear" in members else None
        return _Fitted(
            head=Head(networks=tuple(networks)) if networks else None,
            trees=Companion.mean(trees) if trees else None,
            linear=linear,
        )

    def _done(self, name: str) -> dict[str, npt.NDArray[Any]]:
        arrays = self.work.load(name)
        assert arrays is not None
        return arrays


def _encoder_files(name: str, work: Work, tell: Progress) -> Path:
    """The folder of an encoder that onnxruntime can run; made from the one named if it is none yet."""
    label, folder = encoder_folder(name)
    if (folder / CARD_FILE).is_file():
        return folder
    made = work.folder / "encoder"
    if not (made / CARD_FILE).is_file():
        from plainwright.lens.encoders.export import export_encoder
        from plainwright.lens.encoders.local import load_local_model

        tell("exporting the encoder", 0, 0)
        export_encoder(load_local_model(folder, name=label), made)
    return made


def _saved(
    save: Path,
    run: _Run,
    fitted: _Fitted,
    weights: Weights,
    description: Description,
    found: Sequence[Agreement],
    settings: Settings,
) -> LensModel:
    shares = weights.members
    companion = None
    if fitted.trees is not None or fitted.linear is not None:
        companion = Companion.weighted(
            None if fitted.trees is None else (fitted.trees, shares["trees"]),
            None if fitted.linear is None else (fitted.linear, shares["linear"]),
        )
    head = fitted.head
    flat = {name: value for name, value in _flat(settings).items() if name != "encoder"}
    return LensModel.save(
        save,
        encoder=run.encoder_files,
        head=head,
        companion=companion,
        mix=Mix(
            intercept=weights.intercept, neural=shares.get("neural", 0.0), companion=0.0 if companion is None else 1.0
        ),
        features=Features(
            pair=PAIR_FEATURES if head is not None and head.features else (),
            set=FEATURES if companion is not None else (),
            resources=resources_digest(),
        ),
        name=description.name,
        version=description.version,
        licence=description.licence,
        card=card_text(description, run.training, settings, weights, found, encoder=run.encoder.name),
        settings=flat,
        provenance={
            "ratings": description.ratings,
            "references": description.references,
            "ratings_licence": description.ratings_licence,
            "data": run.training.digest,
            SOURCE_MARKS: marks_of(example.source for example in run.training.examples),
        },
    )


def _flat(settings: Settings) -> dict[str, Any]:
    """The settings under simple names."""
    flat: dict[str, Any] = {}
    for entry in fields(settings):
        value = getattr(settings, entry.name)
        if entry.name in ("head", "schedule", "boosting"):
            flat.update({f"{entry.name}_{name}": _plain(part) for name, part in asdict(value).items()})
        else:
            flat[entry.name] = _plain(value)
    return flat


def _plain(value: Any) -> Any:
    if value is None:
        return "none"
    return ",".join(map(str, value)) if isinstance(value, tuple) else value
