"""A whole training: vectors, features, members on folds, how much each counts, the final members, and the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.boosted import BoostedTrees
from plainwright.encoders.onnx import CARD_FILE, EncoderCard
from plainwright.lens.blas import one_blas_thread
from plainwright.lens.features import FEATURES, PAIR_FEATURES, resources_digest
from plainwright.lens.model import Features, LensModel, Mix, check_replaceable
from plainwright.lens.seen import SOURCE_MARKS, marks_of
from plainwright.lens.training.card import card_text
from plainwright.lens.training.data import TrainingSet
from plainwright.lens.training.folds import Fold, folds_of
from plainwright.lens.training.inputs import Progress
from plainwright.lens.training.needs import check_installed
from plainwright.lens.training.results import Agreement, agreements
from plainwright.lens.training.run import Fitted, Run
from plainwright.lens.training.settings import TrainingSettings
from plainwright.lens.training.stacking import Weights, cross_fitted, find_weights
from plainwright.lens.training.work import Work

__all__ = ["Description", "Outcome", "train"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """Holds what a model says of itself and of its data."""

    name: str
    version: str = "1"
    licence: str = "not stated"
    ratings: str = ""  # where they came from
    references: str = ""
    ratings_licence: str = "not stated"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Holds a trained model and how far it agrees with people on sources that it never saw."""

    model: LensModel
    agreements: tuple[Agreement, ...]
    weights: Weights
    predictions: Mapping[str, Array]  # out of fold, by member, and of the mix
    training: TrainingSet

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
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
    settings: TrainingSettings,
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
    # Sums must not depend on the machine's number of processors.
    with one_blas_thread():
        return _train(
            training,
            settings,
            Path(save),
            description,
            work=None if work is None else Path(work),
            resume=resume,
            threads=threads,
            resamples=resamples,
            tell=progress or (lambda what, done, total: None),
        )


def _train(
    training: TrainingSet,
    settings: TrainingSettings,
    save: Path,
    description: Description,
    *,
    work: Path | None,
    resume: bool,
    threads: int,
    resamples: int,
    tell: Progress,
) -> Outcome:
    check_replaceable(save)
    check_installed(settings)
    kept = work is not None
    folder = work if work is not None else save.with_name(f"{save.name}.training")
    folds = folds_of(
        training.groups,
        [example.system for example in training.examples],
        folds=settings.folds,
        by=settings.folds_by,
        seed=settings.seed,
    )
    place = Work(folder, {**settings.flat(), "data": training.digest}, resume=resume)
    run = Run(training, settings, place, threads=threads, tell=tell)
    if settings.fold is None:
        fitted, weights, predictions = _all_folds(run, folds)
        learnt = judged = training
    else:
        fold = folds[settings.fold]
        fitted, weights, predictions = _one_fold(run, fold, settings.fold)
        learnt, judged = training.only(fold.training), training.only(fold.judging)
    found = agreements(judged, predictions, resamples=resamples, seed=settings.seed)
    model = _saved(save, learnt, fitted, weights, description, found, settings)
    if not kept:
        place.remove()
    return Outcome(model=model, agreements=found, weights=weights, predictions=predictions, training=learnt)


def _all_folds(run: Run, folds: Sequence[Fold]) -> tuple[Fitted, Weights, dict[str, Array]]:
    """Members that learnt from everything, how much each counts, and what those of the folds say of what they miss."""
    parts = [*(fold.training for fold in folds), np.arange(len(run.training.examples))]
    *of_folds, final = run.members(dict(enumerate(parts)))
    everywhere = {str(member): run.out_of_fold(of_folds, member, folds) for member in run.settings.members}
    weights = find_weights(everywhere, run.rated_z)
    if len(everywhere) > 1:
        everywhere["mix"] = cross_fitted(everywhere, run.rated_z, run.fold_numbers(folds))
    return final, weights, run.by_references(everywhere)


def _one_fold(run: Run, fold: Fold, number: int) -> tuple[Fitted, Weights, dict[str, Array]]:
    """The one member that all but a fold make, as it is, and what it says of that fold."""
    [member] = run.settings.members
    [fitted] = run.members({number: fold.training})
    return fitted, Weights(0.0, {member: 1.0}), {member: fitted.predict(member, fold.judging)}


def _saved(
    save: Path,
    training: TrainingSet,
    fitted: Fitted,
    weights: Weights,
    description: Description,
    found: Sequence[Agreement],
    settings: TrainingSettings,
) -> LensModel:
    shares = weights.members
    companion = None
    if fitted.trees is not None or fitted.linear is not None:
        companion = BoostedTrees.weighted(
            None if fitted.trees is None else (fitted.trees, shares["trees"]),
            None if fitted.linear is None else (fitted.linear, shares["linear"]),
        )
    head = fitted.head
    return LensModel.save(
        save,
        encoder=fitted.encoder,
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
        card=card_text(
            description, training, settings, weights, found, encoder=EncoderCard.load(fitted.encoder / CARD_FILE).name
        ),
        settings=settings.flat(),
        provenance={
            "ratings": description.ratings,
            "references": description.references,
            "ratings_licence": description.ratings_licence,
            "data": training.digest,
            SOURCE_MARKS: marks_of(example.source for example in training.examples),
        },
    )
