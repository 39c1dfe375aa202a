"""Which examples train and which judge: a source is never on both sides, and by choice a system neither.

Outputs of one source resemble each other, and so do those of one system. A model that has seen either looks better than
it is: what matters is how it judges new sources, and new systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from plainwright.arguments import check_choice
from plainwright.errors import DataError

__all__ = ["FOLDS_BY", "Fold", "FoldsBy", "folds_of", "parts_of"]

FoldsBy = Literal["source", "source-system"]
FOLDS_BY: tuple[FoldsBy, ...] = get_args(FoldsBy)

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """Says which examples train, and which judge."""

    training: Indices
    judging: Indices


def parts_of(groups: Sequence[str], parts: int, *, seed: int) -> Indices:
    """Return the part of each example, from 0: whole groups, shuffled, with as equal numbers of groups as can be."""
    names = sorted(set(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    part = {names[group]: place % parts for place, group in enumerate(order)}
    return np.array([part[group] for group in groups], dtype=np.int64)


def folds_of(
    sources: Sequence[str], systems: Sequence[str], *, folds: int, by: FoldsBy = "source", seed: int = 0
) -> list[Fold]:
    """Return folds in which every example judges once.

    By source and system there are `folds` times `folds`: what judges are the outputs of some systems for some sources,
    what trains are those of all other systems for all other sources.
    """
    check_choice(by, FOLDS_BY, "kind of folds")
    kinds = {"source sentences": sources} if by == "source" else {"source sentences": sources, "systems": systems}
    for what, names in kinds.items():
        _check(what, len(set(names)), folds)
    of_source = parts_of(sources, folds, seed=seed)
    if by == "source":
        return [Fold(np.flatnonzero(of_source != fold), np.flatnonzero(of_source == fold)) for fold in range(folds)]
    of_system = parts_of(systems, folds, seed=seed + 1)
    found = [
        Fold(
            np.flatnonzero((of_source != first) & (of_system != second)),
            np.flatnonzero((of_source == first) & (of_system == second)),
        )
        for first in range(folds)
        for second in range(folds)
    ]
    return [fold for fold in found if len(fold.judging)]


def _check(what: str, found: int, folds: int) -> None:
    # Two in each fold: training leaves a part of its own out, to know when to stop.
    if folds < 2 or found < 2 * folds:
        msg = f"{folds} folds need at least {2 * max(folds, 2)} different {what}, found {found}"
        msg += "; give 2 folds or more" if folds < 2 else "; give fewer --folds, or more ratings"
        raise DataError(msg)
