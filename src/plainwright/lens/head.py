"""The feed-forward head of LENS (Maddela et al., 2023, section 3.2), in numpy.

From the vectors c of the source, s of the output and r of one reference comes

    H = [s; r; s*c; s*r; |s-c|; |s-r|]

and from H, beside standardised features of the three texts if the model has any, a value by a small network. Several
networks, trained from unlike seeds, are averaged; the value of an output is the highest over its references.

The first layer is the dear one, and it is linear: the parts of H that know only the output, and those that know only
the reference, are multiplied once for each text, and only s*r and |s-r| for each pair. That is what makes all pairs of
many candidates affordable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.arrays import Arrays
from plainwright.errors import DataError

__all__ = ["ACTIVATIONS", "BLOCKS", "Head", "Layer", "Network", "Pairs", "representation"]

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

BLOCKS = 6  # of H, each as wide as a vector

# Rows that are multiplied at once. Fixed, with a short last block filled up: the order in which a product is summed
# depends on the shape of the matrices, and so a value would depend on what else was scored in the same call.
_ROWS = 16
_NORM_EPSILON = 1e-5  # torch's


def _sigmoid(x: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-np.clip(x, -500.0, 500.0)))


ACTIVATIONS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "identity": lambda x: x,
        "relu": lambda x: np.maximum(x, 0.0),
        "sigmoid": _sigmoid,
        "silu": lambda x: x * _sigmoid(x),
        "tanh": np.tanh,
    }
)


def representation(source: Array, output: Array, reference: Array) -> Array:
    """Return H of the paper, for vectors or for rows of them: shape (…, 6 * width)."""
    c, s, r = source, output, reference
    return np.concatenate([s, r, s * c, s * r, np.abs(s - c), np.abs(s - r)], axis=-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Says which vectors are compared: `sources[i]` belongs to `outputs[i]`; a pair is an output and a reference."""

    sources: Array  # (outputs, width)
    outputs: Array  # (outputs, width)
    references: Array  # (references, width)
    output_of: Indices  # (pairs,)
    reference_of: Indices  # (pairs,)
    features: Array | None = None  # (pairs, features), as they are


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layer:
    """Computes activation(weight x + bias)."""

    weight: Array  # (out, in)
    bias: Array  # (out,)
    activation: str = "identity"

    def __post_init__(self) -> None:
        if self.weight.ndim != 2 or self.bias.shape != self.weight.shape[:1]:
            msg = f"a layer needs a matrix and a bias for each of its rows, got {self.weight.shape}, {self.bias.shape}"
            raise DataError(msg)
        if self.activation not in ACTIVATIONS:
            msg = f"expected an activation among {', '.join(ACTIVATIONS)}, got {self.activation!r:.40}"
            raise DataError(msg)
        if not (np.isfinite(self.weight).all() and np.isfinite(self.bias).all()):
            msg = "a layer holds values that are not finite"
            raise DataError(msg)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _FirstLayer:
    """The first layer by what its parts meet, each as (in, out), with the scale and shift of a norm worked in."""

    output: Array
    reference: Array
    pair: Array
    features: Array
    total: Array  # of the weights of each row
    bias: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class Network:
    """One network: H (layer-normalised if there is a norm) and standardised features, then layers down to one value."""

    layers: tuple[Layer, ...]
    norm: tuple[Array, Array] | None = None  # scale and shift of each part of H
    standard: tuple[Array, Array] | None = None  # mean and scale of each feature

    def __post_init__(self) -> None:
        widths = [layer.weight.shape[1] for layer in self.layers[1:]]
        if [layer.weight.shape[0] for layer in self.layers] != [*widths, 1]:
            msg = "a network needs layers that fit each other and end in one value, got " + ", ".join(
                str(layer.weight.shape) for layer in self.layers
            )
            raise DataError(msg)
        inside = self.layers[0].weight.shape[1] - self.features
        if inside <= 0 or inside % BLOCKS:
            msg = f"the first layer needs {BLOCKS} vectors and {self.features} features, got {inside + self.features}"
            raise DataError(msg)
        for name, pair, size in (("norm", self.norm, inside), ("standard", self.standard, self.features)):
            if pair is None:
                continue
            if any(values.shape != (size,) or not np.isfinite(values).all() for values in pair):
                msg = f"expected two finite vectors of {size} as {name}, got {[values.shape for values in pair]}"
                raise DataError(msg)
        if self.standard is not None and not (self.standard[1] > 0).all():
            msg = "the scale of a feature must be above 0"
            raise DataError(msg)

    @property
    def features(self) -> int:
        """How many features stand beside H."""
        return 0 if self.standard is None else len(self.standard[0])

    @property
    def width(self) -> int:
        """Of the vectors."""
        return (int(self.layers[0].weight.shape[1]) - self.features) // BLOCKS

    def values(self, pairs: Pairs) -> Array:
        """Return the value of each pair."""
        x = self._first(pairs)
        x = ACTIVATIONS[self.layers[0].activation](x)
        for weight, layer in self._following:
            x = ACTIVATIONS[layer.activation](_product(x, weight) + layer.bias)
        return x[:, 0]

    def _first(self, pairs: Pairs) -> Array:
        """What the first layer makes of H and the features, before its activation."""
        first = self._prepared
        s, c, r = pairs.outputs, pairs.sources, pairs.references
        alone = np.concatenate([s, s * c, np.abs(s - c)], axis=1)
        together = _compared(s[pairs.output_of], r[pairs.reference_of])
        total: Array = (
            _product(alone, first.output)[pairs.output_of]
            + _product(r, first.reference)[pairs.reference_of]
            + _product(together, first.pair)
        )
        if self.norm is not None:
            mean, deviation = _moments(alone, r, together, pairs)
            total = (total - mean * first.total) / deviation
        total = total + first.bias
        if self.standard is not None:
            assert pairs.features is not None
            total = total + _product((pairs.features - self.standard[0]) / self.standard[1], first.features)
        return total

    @cached_property
    def _prepared(self) -> _FirstLayer:
        first, width, inside = self.layers[0], self.width, BLOCKS * self.width
        weight, bias = first.weight[:, :inside], first.bias
        if self.norm is not None:
            bias = bias + weight @ self.norm[1]
            weight = weight * self.norm[0]
        s, r, sc, sr, s_c, s_r = (weight[:, at * width : (at + 1) * width].T for at in range(BLOCKS))
        return _FirstLayer(
            output=np.concatenate([s, sc, s_c]),
            reference=np.ascontiguousarray(r),
            pair=np.concatenate([sr, s_r]),
            features=np.ascontiguousarray(first.weight[:, inside:].T),
            total=weight.sum(axis=1),
            bias=bias,
        )

    @cached_property
    def _following(self) -> list[tuple[Array, Layer]]:
        return [(np.ascontiguousarray(layer.weight.T), layer) for layer in self.layers[1:]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Head:
    """The networks of all seeds; a pair's value is their mean."""

    networks: tuple[Network, ...]

    def __post_init__(self) -> None:
        if not self.networks:
            msg = "a head needs at least one network"
            raise DataError(msg)
        if len({(network.width, network.features) for network in self.networks}) > 1:
            msg = "the networks of a head must take the same vectors and features"
            raise DataError(msg)

    @property
    def width(self) -> int:
        """Of the vectors that it takes."""
        return self.networks[0].width

    @property
    def features(self) -> int:
        """How many features of a pair it takes."""
        return self.networks[0].features

    def pair_values(self, pairs: Pairs) -> Array:
        """Return the value of each pair of an output and a reference: shape (pairs,)."""
        total = self.networks[0].values(pairs)
        for network in self.networks[1:]:
            total = total + network.values(pairs)
        return total / len(self.networks)

    def values(self, source: Array, output: Array, references: Array, features: Array | None = None) -> Array:
        """Return one output against each of its references: shape (references,)."""
        n = len(references)
        return self.pair_values(
            Pairs(
                sources=np.atleast_2d(source),
                outputs=np.atleast_2d(output),
                references=np.asarray(references),
                output_of=np.zeros(n, dtype=np.int64),
                reference_of=np.arange(n),
                features=features,
            )
        )

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all that `from_arrays` needs; weights in single precision, which is what they were trained in."""
        found: dict[str, npt.NDArray[Any]] = {}
        for seed, network in enumerate(self.networks):
            for number, layer in enumerate(network.layers):
                found[f"{seed}.layer.{number}.weight"] = layer.weight.astype(np.float32)
                found[f"{seed}.layer.{number}.bias"] = layer.bias.astype(np.float32)
                found[f"{seed}.layer.{number}.activation"] = np.array(layer.activation)
            for name, pair in (("norm", network.norm), ("standard", network.standard)):
                if pair is not None:
                    found[f"{seed}.{name}"] = np.stack(pair).astype(np.float64)
        return found

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Head:
        """Undo `arrays`; what does not fit together is a `DataError`."""
        left = dict(arrays)
        networks: list[Network] = []
        while f"{len(networks)}.layer.0.weight" in left:
            networks.append(_read_network(left, f"{len(networks)}"))
        if left:
            msg = f"expected the arrays of networks, found {min(left)!r:.40}"
            raise DataError(msg)
        return cls(networks=tuple(networks))


def _read_network(left: dict[str, npt.NDArray[Any]], seed: str) -> Network:
    layers: list[Layer] = []
    while (place := f"{seed}.layer.{len(layers)}") + ".weight" in left:
        layers.append(
            Layer(
                weight=_numbers(left, f"{place}.weight"),
                bias=_numbers(left, f"{place}.bias"),
                activation=str(left.pop(f"{place}.activation", "")),
            )
        )
    return Network(layers=tuple(layers), norm=_two(left, f"{seed}.norm"), standard=_two(left, f"{seed}.standard"))


def _two(left: dict[str, npt.NDArray[Any]], name: str) -> tuple[Array, Array] | None:
    if name not in left:
        return None
    values = _numbers(left, name)
    if values.ndim != 2 or len(values) != 2:
        msg = f"expected two rows in {name!r:.40}, found the shape {values.shape}"
        raise DataError(msg)
    return values[0], values[1]


def _numbers(left: dict[str, npt.NDArray[Any]], name: str) -> Array:
    values = left.pop(name, None)
    if values is None or values.dtype.kind != "f":
        msg = f"expected numbers in {name!r:.40}, found {'nothing' if values is None else values.dtype}"
        raise DataError(msg)
    numbers: Array = values.astype(np.float64)
    return numbers


def _compared(first: Array, second: Array) -> Array:
    return np.concatenate([first * second, np.abs(first - second)], axis=1)


def _moments(alone: Array, reference: Array, together: Array, pairs: Pairs) -> tuple[Array, Array]:
    """Mean and standard deviation of every H, as layer normalisation takes them, from sums over its parts."""
    size = alone.shape[1] + reference.shape[1] + together.shape[1]

    def summed(power: int) -> Array:
        parts: Sequence[Array] = [np.sum(part**power, axis=1) for part in (alone, reference, together)]
        mean: Array = (parts[0][pairs.output_of] + parts[1][pairs.reference_of] + parts[2]) / size
        return mean

    mean = summed(1)
    variance = np.maximum(summed(2) - mean**2, 0.0)
    return mean[:, None], np.sqrt(variance + _NORM_EPSILON)[:, None]


def _product(rows: Array, weight: Array) -> Array:
    """Rows @ weight, where each row of the result depends on that row alone, to the last bit."""
    n = len(rows)
    filled = -(-n // _ROWS) * _ROWS
    if filled != n:
        rows = np.concatenate([rows, np.zeros((filled - n, rows.shape[1]))])
    result = np.empty((filled, weight.shape[1]))
    for start in range(0, filled, _ROWS):
        np.matmul(rows[start : start + _ROWS], weight, out=result[start : start + _ROWS])
    answer: Array = result[:n]
    return answer
