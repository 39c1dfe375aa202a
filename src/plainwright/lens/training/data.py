"""Ratings and references become examples: an output beside its source and references, and what people thought of it.

The target is the mean over raters of their z-scores, so that the scale of a rater, and the scale of a study, does not
matter (Maddela et al., 2023, section 3.1).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from plainwright.arguments import check_choice
from plainwright.errors import DataError, ReferenceShapeError
from plainwright.study.ratings import Ratings, Scale, standardised, zero_variance_raters
from plainwright.study.scores import RatedOutputs

__all__ = ["OWN_REFERENCES", "Example", "OwnReferences", "TrainingSet", "check_texts", "same_words", "training_set"]

OwnReferences = Literal["leave-out", "keep"]
OWN_REFERENCES: tuple[OwnReferences, ...] = get_args(OwnReferences)

_USUAL_SCALE = (0.0, 100.0)  # of Rank & Rate, on which LENS was trained
_SMALL_SCALE = 10.0  # scores that stay below are not out of 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Holds one output and what people thought of it."""

    item: str
    system: str
    source: str
    output: str
    references: tuple[str, ...]
    z: float  # the mean over raters
    like: Literal["source", "reference"] | None = None  # what the output repeats word for word


@dataclass(frozen=True, kw_only=True)
class TrainingSet:
    """Holds examples, the ratings behind them, and notes on what was left out and why."""

    examples: tuple[Example, ...]
    ratings: Ratings  # of one aspect, by the raters that count
    aspect: str
    notes: tuple[str, ...] = ()

    @cached_property
    def z(self) -> npt.NDArray[np.float64]:
        """The targets."""
        return np.array([example.z for example in self.examples])

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """What each example shares with others of the same source, whatever their items are called."""
        return tuple(same_words(example.source) for example in self.examples)

    def only(self, rows: npt.NDArray[np.int64]) -> TrainingSet:
        """Return these examples and their ratings alone."""
        chosen = tuple(self.examples[row] for row in rows.tolist())
        ratings = self.ratings.where(items={example.item for example in chosen})
        return replace(self, examples=chosen, ratings=ratings)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all texts and targets."""
        whole = hashlib.sha256()
        for example in self.examples:
            parts = (example.item, example.system, example.source, example.output, *example.references, repr(example.z))
            for part in parts:
                encoded = part.encode("utf-8", "surrogatepass")
                whole.update(len(encoded).to_bytes(8, "big") + encoded)
            whole.update(b"\n")
        return whole.hexdigest()


def training_set(
    ratings: Ratings,
    references: Mapping[str, Sequence[str]],
    *,
    aspect: str | None = None,
    own_references: OwnReferences = "leave-out",
) -> TrainingSet:
    """Gather every rated output whose text is known, with the references of its item.

    An output that is itself one of the references, as where writers of references were rated beside systems, would
    teach that being found among the references is what makes a text good. `leave-out` takes that one reference away
    from it, if there are others.
    """
    check_choice(own_references, OWN_REFERENCES, "choice of own references")
    chosen = ratings.where(aspect=_aspect(ratings, aspect))
    chosen, notes = _with_spread(chosen)
    notes += _scale_notes(chosen)
    outputs = _outputs(chosen)
    examples, missing = _examples(chosen, outputs, references)
    if missing:
        notes.append(f"{missing} rated outputs have no text and are left out")
    if own_references == "leave-out":
        examples, note = _without_own(examples)
        notes += note
    return TrainingSet(examples=tuple(examples), ratings=chosen, aspect=chosen.aspects[0], notes=tuple(notes))


def same_words(text: str) -> str:
    """Return a form that is equal for texts that differ in case and white space only."""
    return " ".join(text.casefold().split())


def _aspect(ratings: Ratings, wanted: str | None) -> str:
    if wanted is None:
        if len(ratings.aspects) > 1:
            msg = f"these ratings are of {', '.join(ratings.aspects)}; name the one to learn with --aspect"
            raise DataError(msg)
        return ratings.aspects[0]
    check_choice(wanted, ratings.aspects, "aspect", listing="these ratings have")
    return wanted


def _with_spread(ratings: Ratings) -> tuple[Ratings, list[str]]:
    """Keep only raters who gave outputs different scores."""
    alike = zero_variance_raters(ratings)
    if not alike:
        return standardised(ratings), []
    names = {rater.rater for rater in alike}
    kept = [rater for rater in ratings.raters if rater not in names]
    first = alike[0]
    if not kept:
        msg = (
            f"every rater gave one score to all outputs (rater {first.rater!r} gave {first.score:g} to all "
            f"{first.ratings}), so there is nothing to learn; give ratings that tell outputs apart"
        )
        raise DataError(msg)
    note = (
        f"{len(alike)} of {len(ratings.raters)} raters gave all outputs the same score and are left out (the first is "
        f"{first.rater!r} with {first.score:g}, {first.ratings} times)"
    )
    return standardised(ratings.where(raters=kept)), [note]


def _scale_notes(ratings: Ratings) -> list[str]:
    scales = {row.scale for row in ratings}
    shown = ", ".join(sorted(str(scale) for scale in scales if scale is not None))
    if len(scales - {None}) > 1:
        return [f"scores are on several scales ({shown}); the z-scores of each rater take that away"]
    [scale] = scales if len(scales) == 1 else [None]
    if isinstance(scale, Scale) and (scale.low, scale.high) == _USUAL_SCALE:
        return []
    low, high = min(row.score for row in ratings), max(row.score for row in ratings)
    if scale is None and _USUAL_SCALE[0] <= low and high <= _USUAL_SCALE[1] and high > _SMALL_SCALE:
        return []
    where = shown or f"between {low:g} and {high:g}"
    return [f"scores are on another scale than 0..100 ({where}); the z-scores of each rater take that away"]


def check_texts(ratings: Ratings) -> None:
    """Refuse ratings of texts that are not there."""
    if not any(row.output for row in ratings):
        msg = (
            "these ratings come without the texts that were rated, so nothing can be learnt from them; "
            "add the columns `source` and `output`"
        )
        raise DataError(msg)


def _outputs(ratings: Ratings) -> RatedOutputs:
    check_texts(ratings)
    outputs = RatedOutputs.of(ratings)
    without = [item for item, source in zip(outputs.items, outputs.sources, strict=True) if not source]
    if without:
        msg = f"LENS compares outputs with their source, and item {_some(without)} has none; add the column `source`"
        raise DataError(msg)
    return outputs


def _examples(
    ratings: Ratings, outputs: RatedOutputs, references: Mapping[str, Sequence[str]]
) -> tuple[list[Example], int]:
    """The examples, and how many rated outputs lack a text."""
    without = [item for item in outputs.items if not references.get(item)]
    if without:
        msg = (
            f"LENS learns from outputs beside references, and there are none for {_some(without)} of "
            f"{len(outputs.items)} items; add them, or leave these items out of the ratings"
        )
        raise ReferenceShapeError(msg)
    cube = ratings.cube(ratings.aspects[0], "z")
    examples, missing = [], 0
    for place, item in enumerate(outputs.items):
        for column, system in enumerate(outputs.systems):
            output, z = outputs.outputs[place][column], float(cube.means[place, column])
            if not np.isfinite(z):
                continue
            if output is None:
                missing += 1
                continue
            examples.append(
                Example(
                    item=item,
                    system=system,
                    source=str(outputs.sources[place]),
                    output=output,
                    references=tuple(references[item]),
                    z=z,
                    like=_likeness(output, str(outputs.sources[place]), references[item]),
                )
            )
    return examples, missing


def _likeness(output: str, source: str, references: Sequence[str]) -> Literal["source", "reference"] | None:
    words = same_words(output)
    if words == same_words(source):
        return "source"
    return "reference" if any(words == same_words(reference) for reference in references) else None


def _without_own(examples: Sequence[Example]) -> tuple[list[Example], list[str]]:
    kept, changed, only = [], 0, 0
    for example in examples:
        others = tuple(text for text in example.references if same_words(text) != same_words(example.output))
        only += not others
        changed += len(others) < len(example.references)
        kept.append(replace(example, references=others) if others else example)
    notes = []
    if changed:
        notes.append(
            f"{changed} of {len(examples)} outputs are themselves references; each is compared with the others only"
        )
    if only:
        notes.append(f"{only} of them have no other reference and keep it")
    return kept, notes


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0]!r}{more}"
