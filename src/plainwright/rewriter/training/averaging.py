"""The end of a training: the mean of the weights that were kept, and what it loses on held-out pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.rewriter.training.batches import as_arrays, held_out_batches, longest
from plainwright.rewriter.training.checkpoints import snapshots
from plainwright.rewriter.training.layout import Matrices
from plainwright.rewriter.training.loop import TrainingJob
from plainwright.rewriter.training.network import Network
from plainwright.rewriter.training.pairs import Pairs
from plainwright.rewriter.training.rounding import rounded

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["averaged", "held_out_loss", "with_trained"]


def averaged(job: TrainingJob) -> npt.NDArray[np.float32]:
    """Return the mean of all weights that were kept for it."""
    paths = snapshots(job.folder)
    total = np.zeros(job.layout.size)
    for step in job.averaged_steps:
        if step not in paths:
            msg = f"{job.folder}: expected the weights after step {step}, found none; run the training again"
            raise DataError(msg)
        total += np.load(paths[step], allow_pickle=False)
    return (total / len(job.averaged_steps)).astype(np.float32)


def with_trained(
    weights: Matrices, flat: npt.NDArray[np.float32], job: TrainingJob
) -> dict[str, npt.NDArray[np.float32]]:
    """Return all matrices of a model, with the trained ones in place of those of the base."""
    trained = {place.name: flat[place.start : place.end].reshape(place.shape) for place in job.layout.trained}
    return {**weights, **trained}


def held_out_loss(job: TrainingJob, weights: Matrices, *, is_rounded: bool) -> float | None:
    """Return the mean loss of a token of held-out rewrites; None if nothing is held out."""
    import torch

    batches = held_out_batches(Pairs.read(job.pairs), job.tokens, job.training)
    if not batches:
        return None
    kind = getattr(torch, job.training.precision)
    tensors: dict[str, Tensor] = {}
    for place in (*job.layout.trained, *job.layout.frozen):
        exact = torch.from_numpy(weights[place.name])
        kept = rounded(exact, place.bits) if is_rounded and place.bits is not None else exact
        tensors[place.name] = kept.to(kind)
    network = Network.build(
        job.sizes, frozen_layers=0, written=job.tokens.first_control, positions=longest(job.training)
    )
    loss, targets = 0.0, 0
    with torch.no_grad():
        for batch in batches:
            some, count = network.loss(tensors, as_arrays(batch))
            loss, targets = loss + some.item(), targets + count
    return loss / max(1, targets)
