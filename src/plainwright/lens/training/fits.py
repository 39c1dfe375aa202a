"""The fits of a training: what each needs, and how they run beside each other.

Each is decided by what it is given and by nothing else, so neither their order nor the number of processes matters.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from plainwright.boosted import BoostedTrees
from plainwright.lens.blas import one_blas_thread
from plainwright.lens.head import Head
from plainwright.lens.training.boosting import Boosting, fit_trees
from plainwright.lens.training.folds import Indices
from plainwright.lens.training.heads import HeadSettings, fit_head
from plainwright.lens.training.inputs import Inputs
from plainwright.lens.training.linear import fit_linear
from plainwright.lens.training.loop import Schedule

__all__ = ["MEMBERS", "Fit", "Member", "run_fits"]

Array = npt.NDArray[np.float64]
Arrays = Mapping[str, npt.NDArray[Any]]
Member = Literal["neural", "trees", "linear"]
MEMBERS: tuple[Member, ...] = get_args(Member)

_inputs: Inputs  # of a process that fits


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """One member from one part of the examples; `training` and `validation` are rows of the inputs."""

    name: str
    member: Member
    training: Indices
    validation: Indices  # empty for a linear member, which needs none
    groups: tuple[str, ...]  # the sources of `training`
    z: Array  # of all rows
    weights: Array  # of all rows
    seed: int
    head: HeadSettings
    schedule: Schedule
    boosting: Boosting
    checkpoint: Path

    def run(self, inputs: Inputs) -> Arrays:
        """Return the arrays of the member."""
        if self.member == "neural":
            network = fit_head(
                inputs,
                self.z,
                self.training,
                self.validation,
                self.head,
                self.schedule,
                weights=self.weights,
                seed=self.seed,
                checkpoint=self.checkpoint,
            )
            return Head(networks=(network,)).arrays()
        features = inputs.features
        assert features is not None
        if self.member == "trees":
            trees = fit_trees(
                features,
                self.z,
                self.training,
                self.validation,
                self.boosting,
                weights=self.weights,
                seed=self.seed,
            )
            return trees.arrays()
        rows = self.training
        linear = fit_linear(features[rows], self.z[rows], self.groups, weights=self.weights[rows], seed=self.seed)
        return BoostedTrees.weighted(None, (linear, 1.0)).arrays()


def run_fits(
    fits: Sequence[Fit],
    inputs: Inputs,
    stored: Path,
    *,
    processes: int,
    done: Callable[[str, Arrays], None],
) -> None:
    """Run all, and hand each to `done` when it is; `stored` is the file that other processes read the inputs from."""
    if processes == 1 or len(fits) < 2:
        for fit in fits:
            done(fit.name, fit.run(inputs))
        return
    # Processes and not threads: trees and small networks spend their time in the interpreter.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        min(processes, len(fits)), mp_context=context, initializer=_prepare, initargs=(str(stored),)
    ) as pool:
        futures = {pool.submit(_run, fit): fit.name for fit in fits}
        try:
            for future in as_completed(futures):
                done(futures[future], future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _prepare(stored: str) -> None:
    """Before the first fit of a process, while scikit-learn and torch are not loaded yet: one thread, never waiting."""
    global _inputs
    os.environ["OMP_NUM_THREADS"] = "1"
    with np.load(stored, allow_pickle=False) as arrays:
        _inputs = Inputs.from_arrays({name: arrays[name] for name in arrays.files})


def _run(fit: Fit) -> Arrays:
    with one_blas_thread():
        return fit.run(_inputs)
