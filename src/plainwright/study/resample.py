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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.metrics.base import Array
from plainwright.study import student
from plainwright.study.checks import check_cube, check_level
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.ratings import Cube, Ratings
from plainwright.study.ratings.table import Values

__all__ = [
    "CHOICES",
    "Agreement",
    "Curve",
    "CurvePoint",
    "Protocol",
    "Resampling",
    "default_sizes",
    "resample",
    "resample_budget",
    "resample_raters",
    "resample_sizes",
    "verdict_agreement",
    "verdicts",
]

Decision = Literal["t-test", "mean"]
Agreement = Literal["tau-b", "tau-a", "matching", "outcomes"]
Undefined = Literal["zero", "omit"]
Draw = Literal["output", "source"]
Sentences = Literal["kept", "drawn"]
BudgetOf = Literal["system", "study"]
Verdicts = npt.NDArray[np.int8]

_BLOCK_CELLS = 4_000_000  # scores held at once
_LARGEST_SIZE = 100  # sentences, as in the paper

# Every choice that the paper leaves open: the first option of each is the default.
CHOICES: dict[str, dict[str, str]] = {
    "decision": {
        "t-test": "two systems differ if a paired t-test over sentences says so; otherwise there is no difference",
        "mean": "the system with the higher mean is better, whatever a test says",
    },
    "agreement": {
        "tau-b": "over pairs of systems, verdicts being 1, 0 and -1: sum of products / root of the product of the sums "
        "of squares; a pair without a difference is left out if both sides agree on it, and lowers the value if not",
        "tau-a": "sum of products / number of pairs; a pair without a difference holds the value down, so that even "
        "equal verdicts stay below 1",
        "matching": "(pairs with the same verdict - pairs with another) / number of pairs; no difference on both sides "
        "is agreement",
        "outcomes": "Kendall's tau-b of the two lists of verdicts, each pair of systems one observation; depends on "
        "the order in which systems are listed",
    },
    "undefined": {
        "zero": "a sample in which no pair differs has agreed on nothing: 0",
        "omit": "a sample in which no pair differs is left out of the mean and counted",
    },
    "draw": {
        "output": "raters are drawn anew for each output",
        "source": "raters are drawn once for each source, and all its outputs get their ratings",
    },
    "sentences": {
        "kept": "when raters are drawn, the sentences stay as they are",
        "drawn": "when raters are drawn, as many sentences as there are are drawn as well, with replacement",
    },
    "budget_of": {
        "system": "the budget counts the ratings of one system: sentences x raters",
        "study": "the budget counts all ratings: sentences x raters x systems",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """The choices that can change a number; `CHOICES` says what each option means."""

    samples: int = 1000
    alpha: float = 0.01
    decision: Decision = "t-test"
    agreement: Agreement = "tau-b"
    undefined: Undefined = "zero"
    draw: Draw = "output"
    sentences: Sentences = "kept"
    budget_of: BudgetOf = "system"
    gain: float = 0.02  # a curve has levelled off where no further step adds as much
    seed: int = 12345

    def __post_init__(self) -> None:
        if self.samples < 2:
            msg = f"at least 2 samples are needed, got {self.samples}"
            raise DataError(msg)
        check_level(self.alpha)
        for name, options in CHOICES.items():
            if getattr(self, name) not in options:
                msg = f"{name} must be one of {', '.join(options)}, got {getattr(self, name)!r}"
                raise DataError(msg)

    @property
    def choices(self) -> tuple[str, ...]:
        """What was chosen, in words."""
        test = f"paired t-test, two-sided, p < {self.alpha:g}" if self.decision == "t-test" else "no test"
        return (
            f"{self.samples:,} samples with replacement for each size, seed {self.seed}; {test}",
            *(f"{name} {getattr(self, name)}: {options[getattr(self, name)]}" for name, options in CHOICES.items()),
            f"a curve levels off at the smallest size after which no step adds {self.gain:g} or more",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """Describes studies of one size. The interval holds the middle of the samples: what one such study may get."""

    sentences: int
    raters: int
    tau: Estimate
    error: float  # standard error of the mean tau, from the number of samples alone
    same: float  # shares of the pairs of systems: the verdict of all ratings,
    missed: float  # no difference where there is one,
    invented: float  # a difference where all ratings show none,
    reversed: float  # the opposite

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "tau": self.tau.to_dict()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Agreement over sizes; without points, `problem` says why there are none."""

    over: Literal["sentences", "raters", "budget"]
    points: tuple[CurvePoint, ...]
    gain: float
    budget: int | None = None
    problem: str = ""

    @property
    def means(self) -> tuple[float, ...]:
        """Mean tau of each point; 0 where no sample had one."""
        return tuple(point.tau.value or 0.0 for point in self.points)

    @property
    def levels_off(self) -> CurvePoint | None:
        """The first point after which no step adds `gain` or more; None if the last step still does."""
        steps = np.diff(self.means)
        rising = np.flatnonzero(steps >= self.gain)
        first = int(rising[-1]) + 1 if len(rising) else 0
        return self.points[first] if first < len(self.points) - 1 else None

    @property
    def best(self) -> CurvePoint | None:
        """The point with the highest mean tau, the first of equals."""
        return max(self.points, key=lambda point: point.tau.value or 0.0, default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        level = self.levels_off
        return {
            "over": self.over,
            "budget": self.budget,
            "points": [point.to_dict() for point in self.points],
            "levels_off": None if level is None else {"sentences": level.sentences, "raters": level.raters},
            "problem": self.problem or None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """Answers the three questions of the paper for one aspect."""

    aspect: str
    values: Values
    systems: tuple[str, ...]
    items: int
    raters: int  # the most ratings that an output has
    protocol: Protocol
    reference: tuple[int, ...]  # verdicts of all ratings: first with second, first with third, …
    sizes: Curve
    rater_counts: Curve
    budget: Curve

    @property
    def statement(self) -> str:
        """What the curves mean, in plain sentences."""
        return " ".join(_statements(self))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "aspect": self.aspect,
            "values": self.values,
            "systems": list(self.systems),
            "items": self.items,
            "raters": self.raters,
            "protocol": asdict(self.protocol),
            "choices": list(self.protocol.choices),
            "reference": list(self.reference),
            "sizes": self.sizes.to_dict(),
            "rater_counts": self.rater_counts.to_dict(),
            "budget": self.budget.to_dict(),
            "statement": self.statement,
        }


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


def resample_budget(
    cube: Cube, protocol: Protocol | None = None, *, budget: int | None = None, counts: Sequence[int] | None = None
) -> Curve:
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
    chosen = range(1, pool.raters + 1) if counts is None else counts
    points = tuple(pool.point(each // count, count) for count in chosen if each // count >= 2)
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


def verdicts(samples: Array, alpha: float | None, *, centre: Array | None = None) -> Verdicts:
    """For each pair of systems 1 (the first is better), -1 or 0: shape (samples, pairs).

    `samples` has the shape (samples, sentences, systems), NaN where an output is missing; a pair is tested on the
    sentences that have both. `alpha` is the level of a paired t-test, None takes the higher mean. `centre`, a score
    for each system near its mean, keeps digits.
    """
    _, size, systems = samples.shape
    centre = np.zeros(systems) if centre is None else centre
    count, total, squares = _pair_sums(samples - centre)
    first, second = np.triu_indices(systems, 1)
    safe = np.maximum(count, 1)
    mean = centre[first] - centre[second] + total / safe
    variance = np.maximum(squares - total**2 / safe, 0.0) / np.maximum(count - 1, 1)
    # Equal outputs have equal ratings; what rounding leaves of their difference is no difference.
    scale = max(float(np.nanmax(np.abs(samples), initial=0.0)), 1e-300)
    mean = np.where(np.abs(mean) <= 1e-9 * scale, 0.0, mean)
    if alpha is None:
        return np.where(count > 0, np.sign(mean), 0).astype(np.int8)
    variance = np.where(variance <= 1e-13 * scale**2, 0.0, variance)
    thresholds = student.critical_value(alpha, np.arange(size + 1) - 1.0)
    threshold = np.where(count > 1, thresholds[count.astype(np.int64)], 0.0)
    significant = (count > 1) & (mean**2 * count > threshold**2 * variance)
    return np.where(significant, np.sign(mean), 0).astype(np.int8)


def _pair_sums(scores: Array) -> tuple[Array, Array, Array]:
    """Of each pair of systems: sentences with both, and the sums of differences and of their squares."""
    samples, size, systems = scores.shape
    first, second = np.triu_indices(systems, 1)
    present = np.isfinite(scores)
    if present.all():
        products = scores.transpose(0, 2, 1) @ scores
        own = np.diagonal(products, axis1=1, axis2=2)
        sums = scores.sum(axis=1)
        squares = own[:, first] + own[:, second] - 2 * products[:, first, second]
        return np.full((samples, len(first)), float(size)), sums[:, first] - sums[:, second], squares
    filled = np.where(present, scores, 0.0)
    there = present.astype(np.float64)
    flipped = filled.transpose(0, 2, 1)
    count = there.transpose(0, 2, 1) @ there
    sums = flipped @ there
    own = (flipped**2) @ there
    products = flipped @ filled
    squares = own[:, first, second] + own[:, second, first] - 2 * products[:, first, second]
    return count[:, first, second], sums[:, first, second] - sums[:, second, first], squares


def verdict_agreement(reference: Verdicts, found: Verdicts, agreement: Agreement = "tau-b") -> Array:
    """Agreement of each row of `found` with `reference`, NaN where it is not defined; `CHOICES` has the formulas."""
    return _AGREEMENTS[agreement](reference.astype(np.float64), found.astype(np.float64))


def _tau_b(reference: Array, found: Array) -> Array:
    products = found @ reference
    size = np.sqrt((found**2).sum(axis=1) * (reference**2).sum())
    return np.where(size > 0, products / np.where(size > 0, size, 1.0), np.nan)


def _tau_a(reference: Array, found: Array) -> Array:
    return np.asarray(found @ reference / len(reference))


def _matching(reference: Array, found: Array) -> Array:
    return np.asarray(2 * (found == reference).mean(axis=1) - 1)


def _outcomes(reference: Array, found: Array) -> Array:
    """Tau-b of two lists over three values, from the table of how often each two values meet."""
    values = (-1.0, 0.0, 1.0)
    table = np.stack([np.stack([((reference == u) & (found == v)).sum(axis=1) for v in values]) for u in values])
    table = table.astype(np.float64)
    agree = sum(table[u, v] * table[u + 1 :, v + 1 :].sum(axis=(0, 1)) for u in range(2) for v in range(2))
    differ = sum(table[u, v] * table[u + 1 :, :v].sum(axis=(0, 1)) for u in range(2) for v in range(1, 3))
    every = len(reference) * (len(reference) - 1) / 2
    tied = [(side * (side - 1) / 2).sum(axis=0) for side in (table.sum(axis=1), table.sum(axis=0))]
    size = np.sqrt((every - tied[0]) * (every - tied[1]))
    return np.where(size > 0, (agree - differ) / np.where(size > 0, size, 1.0), np.nan)


_AGREEMENTS: dict[Agreement, Callable[[Array, Array], Array]] = {
    "tau-b": _tau_b,
    "tau-a": _tau_a,
    "matching": _matching,
    "outcomes": _outcomes,
}


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


def _statements(result: Resampling) -> Iterator[str]:
    yield _size_statement(result.sizes)
    yield _rater_statement(result.rater_counts)
    yield _budget_statement(result.budget)
    if max(point.sentences for point in (*result.sizes.points, *result.budget.points)) > result.items:
        yield (
            f"Samples of more than {result.items} sentences repeat sentences as if they were new, and find more than "
            "new ones would."
        )


def _size_statement(curve: Curve) -> str:
    largest, level = curve.points[-1], curve.levels_off
    if level is None:
        return (
            f"Agreement still rises at {largest.sentences} sentences: a larger test set would tell more systems apart."
        )
    return (
        f"Agreement levels off at {level.sentences} sentences (tau {_shown(level)}); {largest.sentences} reach "
        f"{_shown(largest)}."
    )


def _rater_statement(curve: Curve) -> str:
    if curve.problem:
        return f"The number of raters cannot be studied: {curve.problem}."
    single, last, level = curve.points[0], curve.points[-1], curve.levels_off
    ending = "still rises at the last" if level is None else f"levels off at {level.raters}"
    return (
        f"With all sentences, one rating an output reaches {_shown(single)} and {last.raters} reach {_shown(last)}; "
        f"the curve {ending}."
    )


def _budget_statement(curve: Curve) -> str:
    best = curve.best
    if best is None or len(curve.points) < 2:
        return f"A budget of {curve.budget} has only one split here."
    falls = all(step < 0 for step in np.diff(curve.means))
    return (
        f"Of the splits of {curve.budget} ratings, {best.sentences} sentences x {best.raters} agree best "
        f"(tau {_shown(best)}); agreement {'falls' if falls else 'does not fall'} with every further rater."
    )


def _shown(point: CurvePoint) -> str:
    interval = point.tau.interval
    if point.tau.value is None or interval is None:
        return "none"
    return f"{point.tau.value:.2f} [{interval.low:.2f}, {interval.high:.2f}]"
