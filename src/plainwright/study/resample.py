"""How many sentences and raters would have been enough? Studies of every size, drawn from one that was made.

The protocol is that of Kauchak's short paper on human evaluation: smaller studies are drawn with replacement from the
ratings, every pair of systems gets a verdict (better, worse, no difference) from a paired t-test over sentences, and
the verdicts are compared with those of all ratings by Kendall's tau. The paper leaves much open; each choice is a
field of `Protocol`, with what the paper says, or else what we take it to mean, as the default.

A sample is an array of sentences and systems. The t-tests of all pairs of systems come from one matrix product of that
array with itself, so that a thousand samples take a fraction of a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.metrics.base import Array
from plainwright.study.checks import check_cube
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.ratings import Cube, Ratings
from plainwright.study.ratings.table import Values
from plainwright.study.resample_result import Curve, CurvePoint, Protocol, Resampling
from plainwright.study.verdicts import Verdicts, verdict_agreement, verdicts

__all__ = ["default_sizes", "resample", "resample_budget", "resample_raters", "resample_sizes"]

_BLOCK_CELLS = 4_000_000  # scores held at once
_LARGEST_SIZE = 100  # sentences, as in the paper


def resample(
    ratings: Ratings,
    aspect: str,
    *,
    values: Values = "raw",
    protocol: Protocol | None = None,
    sizes: Sequence[int] | None = None,
    budget: int | None = None,
) -> Resampling:
    """All three curves of one aspect; those of raters say why they are empty if each output has one rating."""
    protocol = protocol or Protocol()
    cube = ratings.cube(aspect, values)
    pool = _Pool(cube, protocol)
    single = f"no output has two ratings of {aspect}" if pool.raters < 2 else ""
    empty = Curve(over="raters", points=(), gain=protocol.gain, problem=single)
    return Resampling(
        aspect=aspect,
        values=values,
        systems=cube.systems,
        items=len(cube.items),
        raters=pool.raters,
        protocol=protocol,
        reference=tuple(int(verdict) for verdict in pool.reference),
        sizes=resample_sizes(cube, protocol, sizes=sizes),
        rater_counts=empty if single else resample_raters(cube, protocol),
        budget=resample_budget(cube, protocol, budget=budget),
    )


def resample_sizes(cube: Cube, protocol: Protocol | None = None, *, sizes: Sequence[int] | None = None) -> Curve:
    """Try test sets of different sizes, each sentence with all its ratings."""
    protocol = protocol or Protocol()
    pool = _Pool(cube, protocol)
    chosen = default_sizes(len(cube.items)) if sizes is None else tuple(sizes)
    if not chosen or min(chosen) < 2:
        msg = f"a paired t-test needs at least 2 sentences, got sizes {', '.join(map(str, chosen)) or 'none'}"
        raise DataError(msg)
    points = tuple(pool.point(size, None) for size in chosen)
    return Curve(over="sentences", points=points, gain=protocol.gain)


def resample_raters(cube: Cube, protocol: Protocol | None = None, *, counts: Sequence[int] | None = None) -> Curve:
    """Resample all sentences, each output with 1, 2 … ratings drawn from its own."""
    protocol = protocol or Protocol()
    pool = _Pool(cube, protocol)
    chosen = range(1, pool.raters + 1) if counts is None else counts
    if pool.raters < 2:
        msg = "the number of raters can be studied only if outputs have two ratings or more, found one each"
        raise DataError(msg)
    if not chosen or min(chosen) < 1:
        msg = f"expected numbers of raters from 1, got {', '.join(map(str, chosen)) or 'none'}"
        raise DataError(msg)
    size = len(cube.items)
    points = tuple(pool.point(size, count, keep=protocol.sentences == "kept") for count in chosen)
    return Curve(over="raters", points=points, gain=protocol.gain)


def resample_budget(cube: Cube, protocol: Protocol | None = None, *, budget: int | None = None) -> Curve:
    """Every split of a number of ratings into sentences and raters, sentences rounded down.

    The budget is by default what one rating of 100 sentences, or of all if there are fewer, takes.
    """
    protocol = protocol or Protocol()
    pool = _Pool(cube, protocol)
    if budget is None:
        budget = min(len(cube.items), _LARGEST_SIZE) * (1 if protocol.budget_of == "system" else len(cube.systems))
    each = budget if protocol.budget_of == "system" else budget // len(cube.systems)
    if each < 2:
        msg = f"a budget of {budget} buys fewer than 2 sentences with one rating for each of the systems"
        raise DataError(msg)
    counts = range(1, pool.raters + 1)
    points = tuple(pool.point(each // count, count) for count in counts if each // count >= 2)
    return Curve(over="budget", points=points, gain=protocol.gain, budget=budget)


def default_sizes(items: int) -> tuple[int, ...]:
    """Return 10, 20 … 100 sentences, no more than there are; smaller steps where there are fewer than 30."""
    step = 10 if items >= 30 else max(1, items // 6)
    return tuple(size for size in range(step, min(items, _LARGEST_SIZE) + 1, step) if size >= 2)


class _Pool:
    """The ratings that samples are drawn from, and the verdicts that they are measured by."""

    def __init__(self, cube: Cube, protocol: Protocol) -> None:
        _check(cube)
        self.protocol = protocol
        self.means = cube.means
        self.scores = cube.scores
        self.counts = np.isfinite(cube.scores).sum(axis=2)
        self.raters = int(self.counts.max())
        self.centre = np.nanmean(self.means, axis=0)
        self.reference = self._verdicts(self.means[None])[0]
        if protocol.agreement != "matching" and not self.reference.any():
            msg = (
                f"with all {len(cube.items)} sentences no two systems differ (paired t-test, p < {protocol.alpha:g}), "
                "so there is nothing that a smaller study could find again"
            )
            raise DataError(msg)

    @cached_property
    def _packed(self) -> Array:
        """Each output's scores, its gaps behind them: raters lose their names, which drawing does not need."""
        order = np.argsort(np.isnan(self.scores), axis=2, kind="stable")
        return np.nan_to_num(np.take_along_axis(self.scores, order, axis=2)[:, :, : self.raters])

    @cached_property
    def _raters_of_sources(self) -> npt.NDArray[np.int64]:
        """How many raters each source has; they must have rated all of its outputs."""
        rated = np.isfinite(self.scores)
        present = rated.any(axis=2, keepdims=True)
        uneven = (rated != (rated.any(axis=1, keepdims=True) & present)).any(axis=(1, 2))
        if uneven.any():
            msg = (
                f"raters can be drawn by source only if each rated all outputs of the source, which is not so for "
                f"{int(uneven.sum())} of {len(uneven)} sources; draw them by output"
            )
            raise DataError(msg)
        return np.asarray(self.counts.max(axis=1))

    def point(self, size: int, raters: int | None, *, keep: bool = False) -> CurvePoint:
        """Samples of `size` sentences with `raters` ratings each, or all that there are."""
        # A stream of its own for each size: a point does not depend on which others are asked for.
        generator = np.random.default_rng([self.protocol.seed, size, raters or 0, int(keep)])
        found = np.concatenate([self._verdicts(sample) for sample in self._samples(generator, size, raters, keep)])
        taus = verdict_agreement(self.reference, found, self.protocol.agreement)
        if self.protocol.undefined == "zero":
            taus = np.nan_to_num(taus)
        defined = taus[np.isfinite(taus)]
        return CurvePoint(
            sentences=size,
            raters=self.raters if raters is None else raters,
            tau=_estimate(taus),
            error=float(defined.std(ddof=1) / math.sqrt(len(defined))) if len(defined) > 1 else 0.0,
            same=float((found == self.reference).mean()),
            missed=float(((found == 0) & (self.reference != 0)).mean()),
            invented=float(((found != 0) & (self.reference == 0)).mean()),
            reversed=float((found * self.reference < 0).mean()),
        )

    def _samples(self, generator: np.random.Generator, size: int, raters: int | None, keep: bool) -> Iterator[Array]:
        """Blocks of samples: arrays of samples, sentences and systems."""
        items, systems = self.means.shape
        left = self.protocol.samples
        rows = max(1, _BLOCK_CELLS // (size * systems * (raters or 1)))
        while left > 0:
            block = min(rows, left)
            left -= block
            if keep:
                drawn = np.broadcast_to(np.arange(items), (block, items))
            else:
                drawn = generator.integers(0, items, size=(block, size))
            yield self.means[drawn] if raters is None else self._rated(generator, drawn, raters)

    def _rated(self, generator: np.random.Generator, drawn: npt.NDArray[np.int64], raters: int) -> Array:
        """Mean scores of the drawn sentences when each output has `raters` ratings drawn from its own."""
        counts = self.counts[drawn]
        if self.protocol.draw == "source":
            chances = generator.random((*drawn.shape, 1, raters))
            among = self._raters_of_sources[drawn][..., None, None]
        else:
            chances = generator.random((*counts.shape, raters))
            among = counts[..., None]
        places = (chances * among).astype(np.int64)
        # Flat places in the packed scores: one gather instead of a copy of each sentence's row.
        _, systems, width = self._packed.shape
        start = (drawn[..., None] * systems + np.arange(systems)) * width
        scores = self._packed.ravel()[start[..., None] + places].mean(axis=-1)
        return np.where(counts > 0, scores, np.nan)

    def _verdicts(self, samples: Array) -> Verdicts:
        if self.protocol.decision == "mean":
            return verdicts(samples, None, centre=self.centre)
        return verdicts(samples, self.protocol.alpha, centre=self.centre)


def _estimate(taus: Array) -> Estimate:
    defined = taus[np.isfinite(taus)]
    if len(defined) == 0:
        return Estimate(value=None, n=len(taus), problem="no sample found any difference between systems")
    return Estimate(value=float(defined.mean()), n=len(defined), interval=Interval.of(taus))


def _check(cube: Cube) -> None:
    if len(cube.systems) < 2:
        msg = f"resampling compares systems, and these ratings have one, {cube.systems[0]!r}; two are needed"
        raise DataError(msg)
    check_cube(cube, "resampling")
    rated = np.isfinite(cube.means).astype(np.int64)
    shared = int(np.triu(rated.T @ rated, 1).max())
    if shared < 2:
        msg = (
            "resampling compares systems on the same sentences, and no two systems share more than "
            f"{shared} of {len(cube.items)}; two are needed"
        )
        raise DataError(msg)
