"""A training of encoder and decoder, in the loop that trains decoders."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plainwright.rewriter.training.layout import Layout, Matrices, Place
from plainwright.rewriter.training.loop import TrainingJob, TrainingProcess
from plainwright.rewriter.training.pairs import Pairs
from plainwright.rewriter.training.pivot.batches import as_packed_arrays, held_out_packed, pass_packed
from plainwright.rewriter.training.pivot.marian import Sizes
from plainwright.rewriter.training.pivot.network import PivotNetwork

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["PivotJob", "PivotProcess", "held_out_loss", "pivot_layout"]


def pivot_layout(weights: Matrices, frozen_layers: int) -> Layout:
    """Place all matrices; frozen layers and the vocabulary are not trained."""
    trained, frozen, at = [], [], 0
    for name, matrix in weights.items():
        layer, dot, _ = name.partition(".")
        if dot and int(layer) >= frozen_layers:
            trained.append(Place(name, matrix.shape, at, None))
            at = trained[-1].end
        else:
            frozen.append(Place(name, matrix.shape, 0, None))
    return Layout(tuple(trained), tuple(frozen))


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotJob(TrainingJob):
    """A training whose pairs are read by an encoder and written by a decoder."""

    sizes: Sizes

    @property
    def process(self) -> type[TrainingProcess]:
        """What each process runs."""
        return PivotProcess


def _network(job: PivotJob) -> PivotNetwork:
    """Build the network of a training."""
    training = job.training
    return PivotNetwork.build(
        job.sizes,
        frozen_layers=training.frozen_layers,
        positions=training.width,
        dropout=training.dropout,
        compiled=training.compile,
    )


class PivotProcess(TrainingProcess):
    """One of the processes."""

    job: PivotJob

    def _build(self) -> Any:
        return _network(self.job)

    def _held_out(self) -> list[Any]:
        return held_out_packed(self.pairs, self.job.tokens, self.job.training)

    def _steps_of(self, number: int) -> list[list[Any]]:
        return list(pass_packed(self.pairs, self.job.tokens, self.job.training, number))

    def _arrays(self, batch: Any) -> Any:
        return as_packed_arrays(batch)

    def _gradient(self, weights: dict[str, Tensor], batch: Any) -> tuple[float, int, int]:
        # What is left out depends on what is read, and not on how often the training was stopped.
        import torch

        torch.manual_seed(zlib.crc32(as_packed_arrays(batch).sources.tobytes()))
        return super()._gradient(weights, batch)


def held_out_loss(job: PivotJob, weights: Matrices) -> float | None:
    """Return the mean loss of a token of held-out rewrites; None if nothing is held out."""
    import torch

    batches = held_out_packed(Pairs.read(job.pairs), job.tokens, job.training)
    if not batches:
        return None
    network, tensors = _network(job), {name: torch.from_numpy(value) for name, value in weights.items()}
    loss, targets = 0.0, 0
    with torch.no_grad():
        for batch in batches:
            some, count = network.loss(tensors, as_packed_arrays(batch))
            loss, targets = loss + some.item(), targets + count
    return loss / max(1, targets)
