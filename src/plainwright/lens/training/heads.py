"""Heads on vectors that stay as they are: the encoder is frozen, so a training takes seconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from plainwright.lens.head import Network
from plainwright.lens.training.folds import Indices
from plainwright.lens.training.inputs import Inputs
from plainwright.lens.training.loop import Schedule, fit
from plainwright.lens.training.network import HeadModule, moments_of, reference_loss, torch_module

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["HeadSettings", "fit_head"]

Array = npt.NDArray[np.float64]

_VALIDATION_ROWS = 256  # at once


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadSettings:
    """Sets the network and its optimiser."""

    hidden: tuple[int, ...] = (64, 32)
    dropout: float = 0.15  # the paper's
    k: int | None = None  # the highest values of an output that count; None: all
    rate: float = 1e-3
    decay: float = 0.1  # of weights
    gain: float = 0.03  # of H beside features: its numbers are many, and would drown them
    gain_alone: float = 0.1  # of H without features


def fit_head(
    inputs: Inputs,
    z: Array,
    training: Indices,
    validation: Indices,
    settings: HeadSettings,
    schedule: Schedule,
    *,
    weights: Array | None = None,
    seed: int,
    checkpoint: Path | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Network:
    """Fit a network; it is left in the state of the epoch with the least loss on `validation`."""
    torch = torch_module()
    torch.set_num_threads(1)  # sums must not depend on the number of threads; trainings run beside each other instead
    trainee = _Heads(inputs, z, settings, weights=weights, training=training, seed=seed)
    fit(trainee, training, validation, schedule, seed=seed, sources=inputs.source, checkpoint=checkpoint, tell=tell)
    return trainee.module.network()


class _Heads:
    """A head and its data as the loop sees them."""

    def __init__(
        self, inputs: Inputs, z: Array, settings: HeadSettings, *, weights: Array | None, training: Indices, seed: int
    ) -> None:
        torch = torch_module()
        self._generator = torch.Generator().manual_seed(seed)
        gain = settings.gain_alone if inputs.pair_features is None else settings.gain
        moments = moments_of(inputs.rows(training))
        self.module = HeadModule(
            moments, hidden=settings.hidden, dropout=settings.dropout, gain=gain, generator=self._generator
        )
        self._settings = settings
        self._vectors = torch.from_numpy(inputs.vectors)
        self._source, self._output = torch.from_numpy(inputs.source), torch.from_numpy(inputs.output)
        self._references = torch.from_numpy(np.maximum(inputs.references, 0))
        self._present = torch.from_numpy(inputs.present)
        self._features = None if inputs.pair_features is None else torch.from_numpy(inputs.pair_features)
        self._z = torch.tensor(z, dtype=torch.float32)
        self._weights = torch.tensor(np.ones(len(z)) if weights is None else weights, dtype=torch.float32)
        self._optimiser = torch.optim.AdamW(self.module.parameters, lr=settings.rate, weight_decay=settings.decay)

    def begin(self, epoch: int, seed: int) -> None:
        """See `Trainee`."""
        self._generator.manual_seed(int(np.random.default_rng([seed, epoch, 1]).integers(2**62)))

    def step(self, rows: Indices) -> None:
        """See `Trainee`."""
        losses, weights = self._losses(rows, training=True)
        self._optimiser.zero_grad()
        ((losses * weights).sum() / weights.sum()).backward()
        self._optimiser.step()

    def loss(self, rows: Indices) -> float:
        """See `Trainee`."""
        torch = torch_module()
        total = count = 0.0
        with torch.no_grad():
            for start in range(0, len(rows), _VALIDATION_ROWS):
                losses, weights = self._losses(rows[start : start + _VALIDATION_ROWS], training=False)
                total += float((losses * weights).sum())
                count += float(weights.sum())
        return total / count

    def state(self) -> Mapping[str, Any]:
        """See `Trainee`."""
        return self.module.state()

    def load(self, state: Mapping[str, Any]) -> None:
        """See `Trainee`."""
        self.module.load(state)

    def optimiser_state(self) -> Any:
        """See `Trainee`."""
        return self._optimiser.state_dict()

    def load_optimiser(self, state: Any) -> None:
        """See `Trainee`."""
        self._optimiser.load_state_dict(state)

    def _losses(self, rows: Indices, *, training: bool) -> tuple[Tensor, Tensor]:
        at = torch_module().from_numpy(np.ascontiguousarray(rows))
        z = self.module.values(
            self._vectors[self._source[at]],
            self._vectors[self._output[at]],
            self._vectors[self._references[at]],
            None if self._features is None else self._features[at],
            training=training,
        )
        return reference_loss(z, self._z[at], self._present[at], self._settings.k), self._weights[at]
