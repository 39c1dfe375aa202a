"""What resampling is asked and what it answers: the protocol with all its choices, curves, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from plainwright.errors import DataError
from plainwright.study.checks import check_level
from plainwright.study.estimate import Estimate
from plainwright.study.ratings.table import Values
from plainwright.study.verdicts import Agreement

__all__ = ["CHOICES", "Curve", "CurvePoint", "Protocol", "Resampling"]

Decision = Literal["t-test", "mean"]
Undefined = Literal["zero", "omit"]
Draw = Literal["output", "source"]
Sentences = Literal["kept", "drawn"]
BudgetOf = Literal["system", "study"]
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
