"""The feed-forward head while it is trained, in torch; what it learns is handed on as a `lens.head.Network`.

H has parts of unlike size, so the network sees each of its numbers less its mean over the training pairs and in units
of its deviation; both are multiplied into the first layer in the end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from plainwright.extras import extra_for
from plainwright.lens.head import BLOCKS, Layer, Network, representation
from plainwright.lens.training.inputs import Inputs

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["HeadModule", "Moments", "moments_of", "reference_loss", "torch_module"]

Array = npt.NDArray[np.float64]

_LEAST_DEVIATION = 1e-3  # of the mean deviation: numbers that hardly vary must not be blown up
_BLOCK = 256  # rows at once


def torch_module() -> Any:
    """Return torch, or name the extra to install."""
    with extra_for("training", "train"):
        import torch
    return torch


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Mean and deviation of every number of H, and of every feature."""

    mean: Array
    scale: Array
    feature_mean: Array
    feature_scale: Array


def moments_of(inputs: Inputs) -> Moments:
    """Return mean and deviation over all pairs of the rows."""
    sums = squares = np.zeros(BLOCKS * inputs.vectors.shape[1])
    count = 0
    for start in range(0, len(inputs), _BLOCK):
        pairs = inputs.rows(np.arange(start, min(start + _BLOCK, len(inputs)))).pairs()
        h = representation(
            pairs.sources[pairs.output_of], pairs.outputs[pairs.output_of], pairs.references[pairs.reference_of]
        )
        sums, squares, count = sums + h.sum(axis=0), squares + (h**2).sum(axis=0), count + len(h)
    mean = sums / count
    feature_mean = feature_scale = np.zeros(0)
    if inputs.pair_features is not None:
        values = inputs.pair_features[inputs.present].astype(np.float64)
        feature_mean, feature_scale = values.mean(axis=0), _scale(values.std(axis=0))
    return Moments(
        mean=mean,
        scale=_scale(np.sqrt(np.maximum(squares / count - mean**2, 0.0))),
        feature_mean=feature_mean,
        feature_scale=feature_scale,
    )


def reference_loss(z: Tensor, target: Tensor, present: Tensor, k: int | None) -> Tensor:
    """Squared error of each output, mean over its k highest values (all of them if None): equation 1 of the paper."""
    torch = torch_module()
    if k is not None and k < z.shape[1]:
        z, places = torch.where(present, z, -torch.inf).topk(k, dim=1)
        present = present.gather(1, places)
    counted = present.to(target.dtype)
    errors = torch.where(present, z - target[:, None], 0.0) ** 2
    return (errors * counted).sum(dim=1) / counted.sum(dim=1)


class HeadModule:
    """H and features, then layers down to one value; functions on plain tensors."""

    def __init__(
        self, moments: Moments, *, hidden: Sequence[int], dropout: float, gain: float = 1.0, generator: Any
    ) -> None:
        torch = torch_module()
        self.dropout = dropout
        self._generator = generator
        self._inside = len(moments.mean)
        scale = np.concatenate([moments.scale / gain, moments.feature_scale])
        self._mean = torch.tensor(np.concatenate([moments.mean, moments.feature_mean]), dtype=torch.float32)
        self._scale = torch.tensor(scale, dtype=torch.float32)
        self._moments = moments
        self.layers: list[tuple[Tensor, Tensor]] = []
        for width, into in zip((len(self._mean), *hidden), (*hidden, 1), strict=True):
            bound = 1 / math.sqrt(width)
            weight, bias = (
                (torch.rand(shape, generator=generator) * 2 - 1).mul_(bound).requires_grad_()
                for shape in ((into, width), (into,))
            )
            self.layers.append((weight, bias))

    @property
    def parameters(self) -> list[Tensor]:
        """What is learnt."""
        return [tensor for layer in self.layers for tensor in layer]

    def state(self) -> dict[str, Tensor]:
        """Return a copy of what is learnt."""
        return {str(number): tensor.detach().clone() for number, tensor in enumerate(self.parameters)}

    def load(self, state: Mapping[str, Tensor]) -> None:
        """Undo `state`."""
        torch = torch_module()
        with torch.no_grad():
            for number, tensor in enumerate(self.parameters):
                tensor.copy_(state[str(number)])

    def values(self, c: Tensor, s: Tensor, r: Tensor, features: Tensor | None, *, training: bool) -> Tensor:
        """Score c and s of shape (n, width) and r of shape (n, references, width): shape (n, references)."""
        torch = torch_module()
        weight, bias = self._first()
        width = s.shape[1]
        parts = [weight[:, at * width : (at + 1) * width] for at in range(BLOCKS)]
        # What knows the output alone is multiplied once for all its references.
        alone = torch.cat([s, s * c, (s - c).abs()], dim=1) @ torch.cat([parts[0], parts[2], parts[4]], dim=1).T
        s = s[:, None]
        x = (
            alone[:, None]
            + torch.cat([r, s * r, (s - r).abs()], dim=2) @ torch.cat([parts[1], parts[3], parts[5]], dim=1).T
        )
        if features is not None:
            x = x + features @ weight[:, self._inside :].T
        x = x + bias
        for weight, bias in self.layers[1:]:
            x = self._dropped(torch.tanh(x), training=training) @ weight.T + bias
        return x[..., 0]

    def network(self) -> Network:
        """Return what it has learnt, in the form that scores."""
        weight, bias = (tensor.detach().double().numpy() for tensor in self._first())
        has_features = len(self._moments.feature_mean) > 0
        if has_features:
            # Features stay apart: the form that scores standardises them itself.
            mean, scale = self._moments.feature_mean, self._moments.feature_scale
            own = weight[:, self._inside :]
            bias = bias + own @ mean
            weight = np.concatenate([weight[:, : self._inside], own * scale], axis=1)
        rest = [tuple(tensor.detach().double().numpy() for tensor in layer) for layer in self.layers[1:]]
        layers = [(weight, bias), *rest]
        return Network(
            layers=tuple(
                Layer(weight=w, bias=b, activation="identity" if number == len(layers) - 1 else "tanh")
                for number, (w, b) in enumerate(layers)
            ),
            standard=(self._moments.feature_mean, self._moments.feature_scale) if has_features else None,
        )

    def _first(self) -> tuple[Tensor, Tensor]:
        """The first layer for numbers as they are."""
        weight, bias = self.layers[0]
        weight = weight / self._scale
        return weight, bias - weight @ self._mean

    def _dropped(self, x: Tensor, *, training: bool) -> Tensor:
        if not training or self.dropout == 0:
            return x
        torch = torch_module()
        # With a generator of its own: trainings in several threads do not meet in torch's global one.
        kept = torch.rand(x.shape, generator=self._generator) >= self.dropout
        return x * kept / (1 - self.dropout)


def _scale(deviation: Array) -> Array:
    return np.maximum(deviation, _LEAST_DEVIATION * float(deviation.mean()) + 1e-12)
