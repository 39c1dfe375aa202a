"""Gradient-boosted trees over rows of features, as LENS and the second look at edits have them.

All trees lie in one set of flat arrays, the way scikit-learn's histogram boosting keeps a single one, and all rows go
down all trees at once. A model is a file of plain numbers; scikit-learn is needed for training only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.arrays import Arrays
from plainwright.errors import DataError

__all__ = ["BoostedTrees", "Linear"]

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_ROWS = 256  # that go down the trees together: 300 trees and their places fit into the cache of a processor
_STEPS = 4  # after which ways that have reached a leaf are put aside; most end long before the longest
_MOST_TREES = 10_000  # a model of ours has five times 300 at most
_DEEPEST = 1_000  # questions on the way to a leaf; trees of 31 leaves have 30 at most
_KINDS = {"feature": "iu", "threshold": "f", "left": "iu", "right": "iu", "value": "f", "roots": "iu", "baseline": "f"}
_LINEAR_KINDS = {"linear": "f", "intercept": "f"}
_SINGLE = ("baseline", "intercept")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Linear:
    """Sums weighted features. Beyond `low` and `high` a feature counts as if it were there."""

    weights: Array  # (features,)
    low: Array
    high: Array
    intercept: float

    def __post_init__(self) -> None:
        columns = (self.weights, self.low, self.high)
        if self.weights.ndim != 1 or any(column.shape != self.weights.shape for column in columns):
            msg = "expected one weight, lowest and highest value for each feature"
            raise DataError(msg)
        if not all(np.isfinite(numbers).all() for numbers in (*columns, self.intercept)):
            msg = "the linear function holds values that are not finite"
            raise DataError(msg)
        if (self.low > self.high).any():
            msg = "expected no lowest value of a feature above its highest"
            raise DataError(msg)

    def predict(self, features: Array) -> Array:
        """Return the value of each row of features."""
        used = np.clip(features[:, : len(self.weights)], self.low, self.high)
        # Row by row, and no product of matrices: a value must not depend on how many others are computed with it.
        total: Array = np.ascontiguousarray(used * self.weights).sum(axis=1)
        return total + self.intercept


@dataclass(frozen=True, kw_only=True, eq=False)
class BoostedTrees:
    """Sums regression trees, and a linear function if there is one. A node is a leaf if it is its own child."""

    feature: Integers  # which feature a node asks for; 0 in leaves
    threshold: Array  # features up to this one go to the left
    left: Integers
    right: Integers
    value: Array  # of leaves; 0 elsewhere
    roots: Integers  # where each tree starts
    baseline: float  # what the trees are added to
    linear: Linear | None = None

    def __post_init__(self) -> None:
        nodes = len(self.feature)
        columns = (self.feature, self.threshold, self.left, self.right, self.value)
        if any(column.shape != (nodes,) for column in columns) or self.roots.ndim != 1 or nodes == 0:
            msg = "expected one feature, threshold, value, left and right child for each node of the trees"
            raise DataError(msg)
        own = np.arange(nodes)
        leaf = self.left == own
        # Children come after their parents, so that no row can ever go round in circles.
        if not (np.where(leaf, self.right == own, (self.left > own) & (self.right > own)).all()):
            msg = "expected the children of a node after it in the list"
            raise DataError(msg)
        if any(((column < 0) | (column >= nodes)).any() for column in (self.left, self.right, self.roots)):
            msg = "expected the children of a node within the list"
            raise DataError(msg)
        # Every node has one parent at most: so one look at each is enough to follow all ways through the trees.
        below = np.concatenate([self.left[~leaf], self.right[~leaf], self.roots])
        if np.bincount(below, minlength=nodes).max() > 1 or len(self.roots) > _MOST_TREES or self._depth > _DEEPEST:
            msg = f"expected at most {_MOST_TREES:,} trees of at most {_DEEPEST:,} levels that share no node"
            raise DataError(msg)
        if (self.feature < 0).any() or len(self.roots) == 0:
            msg = "expected trees that ask for features by their numbers from 0"
            raise DataError(msg)
        if not all(np.isfinite(numbers).all() for numbers in (self.value, self.threshold[~leaf], self.baseline)):
            msg = "the trees hold values that are not finite"
            raise DataError(msg)

    @property
    def features(self) -> int:
        """How many features the trees ask for, at least."""
        return max(int(self.feature.max()) + 1, 0 if self.linear is None else len(self.linear.weights))

    @property
    def trees(self) -> int:
        """How many there are."""
        return len(self.roots)

    @classmethod
    def of_trees(cls, trees: Sequence[npt.NDArray[Any]], *, baseline: float) -> BoostedTrees:
        """From the nodes of trees as scikit-learn's histogram boosting keeps them (`predictor.nodes`).

        Read are the fields `is_leaf`, `feature_idx`, `num_threshold`, `left`, `right` and `value`. What scikit-learn
        does with missing values is left out: features are finite.
        """
        if not trees:
            msg = "expected at least one tree"
            raise DataError(msg)
        starts = np.cumsum([0, *map(len, trees)])[:-1]
        nodes = {name: np.concatenate([tree[name] for tree in trees]) for name in ("is_leaf", "left", "right", "value")}
        offset = np.repeat(starts, [len(tree) for tree in trees])
        leaf = nodes["is_leaf"].astype(bool)
        own = np.arange(len(leaf))
        feature = np.concatenate([tree["feature_idx"] for tree in trees]).astype(np.int64)
        threshold = np.concatenate([tree["num_threshold"] for tree in trees]).astype(np.float64)
        return cls(
            feature=np.where(leaf, 0, feature),
            threshold=np.where(leaf, 0.0, np.clip(threshold, -_LARGEST, _LARGEST)),
            left=np.where(leaf, own, nodes["left"].astype(np.int64) + offset),
            right=np.where(leaf, own, nodes["right"].astype(np.int64) + offset),
            value=np.where(leaf, nodes["value"].astype(np.float64), 0.0),
            roots=starts.astype(np.int64),
            baseline=float(baseline),
        )

    @classmethod
    def weighted(cls, trees: tuple[BoostedTrees, float] | None, linear: tuple[Linear, float] | None) -> BoostedTrees:
        """The weighted sum of trees and a linear function; at least one of them is needed."""
        whole, weight = trees or (_nothing(), 1.0)
        added, share = linear or (None, 0.0)
        if trees is None and added is None:
            msg = "expected trees or a linear function"
            raise DataError(msg)
        scaled = None
        if added is not None:
            scaled = replace(added, weights=added.weights * share, intercept=added.intercept * share)
        return replace(whole, value=whole.value * weight, baseline=whole.baseline * weight, linear=scaled)

    @classmethod
    def mean(cls, members: Sequence[BoostedTrees]) -> BoostedTrees:
        """Return trees whose value is the mean of those of `members`, as for several seeds."""
        if not members or any(member.linear is not None for member in members):
            msg = "expected at least one member of a mean, all of trees alone"
            raise DataError(msg)
        starts = np.cumsum([0, *(len(member.feature) for member in members)])[:-1]
        shifted = list(zip(members, map(int, starts), strict=True))
        return cls(
            feature=np.concatenate([member.feature for member in members]),
            threshold=np.concatenate([member.threshold for member in members]),
            left=np.concatenate([member.left + start for member, start in shifted]),
            right=np.concatenate([member.right + start for member, start in shifted]),
            value=np.concatenate([member.value for member in members]) / len(members),
            roots=np.concatenate([member.roots + start for member, start in shifted]),
            baseline=sum(member.baseline for member in members) / len(members),
        )

    def predict(self, features: Array) -> Array:
        """Return the value of each row of features."""
        if features.ndim != 2 or features.shape[1] < self.features:
            msg = f"expected rows of at least {self.features} features, got the shape {features.shape}"
            raise DataError(msg)
        if not np.isfinite(features).all():
            msg = "expected finite features"
            raise DataError(msg)
        blocks = [self._descend(features[start : start + _ROWS]) for start in range(0, len(features), _ROWS)]
        values = np.concatenate(blocks) if blocks else np.zeros(0)
        return values if self.linear is None else values + self.linear.predict(features)

    def _descend(self, features: Array) -> Array:
        rows, width = features.shape
        trees = len(self.roots)
        flat = np.ascontiguousarray(features).ravel()
        children = np.stack([self.right, self.left], axis=1).ravel()
        ends = np.tile(self.roots, rows)
        # The ways that go on, with the node where each is now and where its row starts.
        way, place, start = np.arange(rows * trees), ends, np.repeat(np.arange(rows) * width, trees)
        for step in range(1, self._depth + 1):
            goes_left = flat.take(start + self.feature.take(place)) <= self.threshold.take(place)
            place = children.take(2 * place + goes_left)
            if step % _STEPS == 0:
                ends[way] = place
                on = np.flatnonzero(self.left.take(place) != place)
                way, place, start = way.take(on), place.take(on), start.take(on)
        ends[way] = place
        # Along rows that are whole in memory numpy sums in an order that depends on their length alone.
        values: Array = self.value.take(ends).reshape(rows, trees).sum(axis=1) + self.baseline
        return values

    @cached_property
    def _depth(self) -> int:
        """How many questions the longest way to a leaf has."""
        place, depth = self.roots, 0
        while True:
            below = place[self.left[place] != place]
            if not len(below) or depth > _DEEPEST:
                return depth
            place, depth = np.concatenate([self.left[below], self.right[below]]), depth + 1

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all that `from_arrays` needs."""
        integers = {name: getattr(self, name).astype(np.int32) for name in ("feature", "left", "right", "roots")}
        numbers = {name: np.asarray(getattr(self, name), np.float64) for name in ("threshold", "value", "baseline")}
        found = {**integers, **numbers}
        if self.linear is not None:
            found["linear"] = np.stack([self.linear.weights, self.linear.low, self.linear.high])
            found["intercept"] = np.asarray(self.linear.intercept, np.float64)
        return found

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> BoostedTrees:
        """Undo `arrays`; what does not fit together is a `DataError`."""
        if not set(_KINDS) <= set(arrays) <= {*_KINDS, *_LINEAR_KINDS}:
            msg = f"expected the arrays {', '.join(sorted(_KINDS))}, found {', '.join(sorted(arrays))[:80] or 'none'}"
            raise DataError(msg)
        for name in arrays:
            kinds = {**_KINDS, **_LINEAR_KINDS}[name]
            if arrays[name].dtype.kind not in kinds or (name in _SINGLE and arrays[name].shape != ()):
                msg = f"expected other numbers in {name!r}, found {arrays[name].dtype} of shape {arrays[name].shape}"
                raise DataError(msg)
        return cls(
            **{name: arrays[name].astype(np.int64) for name in ("feature", "left", "right", "roots")},
            threshold=arrays["threshold"].astype(np.float64),
            value=arrays["value"].astype(np.float64),
            baseline=float(arrays["baseline"]),
            linear=_linear_in(arrays),
        )


def _linear_in(arrays: Arrays) -> Linear | None:
    if not any(name in arrays for name in _LINEAR_KINDS):
        return None
    if not all(name in arrays for name in _LINEAR_KINDS) or arrays["linear"].shape[:-1] != (3,):
        msg = "expected weights, lowest and highest values in 'linear', and an 'intercept'"
        raise DataError(msg)
    weights, low, high = arrays["linear"].astype(np.float64)
    return Linear(weights=weights, low=low, high=high, intercept=float(arrays["intercept"]))


def _nothing() -> BoostedTrees:
    """A single leaf of value 0."""
    no, zero = np.zeros(1, dtype=np.int64), np.zeros(1)
    return BoostedTrees(feature=no, threshold=zero, left=no, right=no, value=zero, roots=no, baseline=0.0)


_LARGEST = float(np.finfo(np.float64).max)  # stands for "everything", where scikit-learn writes infinity
