"""What a plan is asked and what it answers: the goal, the designs that a budget buys, and the best of them in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from plainwright.errors import DataError
from plainwright.study.checks import FEWEST_ITEMS, check_level
from plainwright.study.components import (
    Components,
)
from plainwright.study.estimate import Interval
from plainwright.study.ratings import Scale

__all__ = ["MOST_SENTENCES", "Design", "Goal", "Plan", "PowerCurve"]

Correction = Literal["holm", "bonferroni", "none"]
Compare = Literal["all", "baseline"]
MOST_SENTENCES = 10_000_000  # beyond this, "how many would be needed" is answered by "more than can be paid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Says what the study shall show, and what it may cost."""

    systems: int
    difference: float
    budget: int  # ratings: judgements of one output by one rater
    power: float = 0.8
    alpha: float = 0.05
    correction: Correction = "holm"
    compare: Compare = "all"  # every pair of systems, or each with one baseline
    same_raters: bool = True  # whoever rates a sentence rates the outputs of all systems for it
    max_raters: int = 10
    max_sentences: int | None = None  # how many there are

    def __post_init__(self) -> None:
        for message in _objections(self):
            raise DataError(message)
        check_level(self.alpha)

    @property
    def comparisons(self) -> int:
        """Pairs of systems that are tested."""
        return self.systems - 1 if self.compare == "baseline" else self.systems * (self.systems - 1) // 2

    @property
    def level(self) -> float:
        """What a single p-value must stay below: Holm's first step asks as much as Bonferroni."""
        return self.alpha if self.correction == "none" else self.alpha / self.comparisons

    def sentences(self, raters: int) -> int:
        """Return how many sentences the budget buys with so many raters for each output."""
        bought = self.budget // (self.systems * raters)
        return bought if self.max_sentences is None else min(bought, self.max_sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Describes one way to spend the budget."""

    sentences: int
    raters: int  # for each output
    ratings: int
    power: float
    power_interval: Interval | None  # from the sentences of the pilot
    detectable: float  # the difference that is found with the power asked for
    detectable_interval: Interval | None
    needed_sentences: int | None  # for the power asked for, with so many raters; None: out of reach
    needed_ratings: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerCurve:
    """Plots power over sentences at a number of raters, or over raters at a number of sentences."""

    over: Literal["sentences", "raters"]
    fixed: int  # the number of the other
    sizes: tuple[int, ...]
    powers: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Answers with every split of the budget, the best of them, and what it rests on."""

    goal: Goal
    scale: Scale | None
    components: Components
    origin: str  # where the components come from
    designs: tuple[Design, ...]  # one for each number of raters
    recommended: Design
    sentence_curves: tuple[PowerCurve, ...]  # for several numbers of raters
    rater_curve: PowerCurve  # at the recommended number of sentences
    public: Mapping[str, float]  # power of the recommended design if ratings spread as in public data
    assumptions: tuple[str, ...]

    @property
    def cheapest(self) -> Design | None:
        """The design that reaches the power asked for with the fewest ratings, within the budget or not."""
        reaching = [design for design in self.designs if design.needed_ratings is not None]
        return min(reaching, key=lambda design: design.needed_ratings or 0, default=None)

    @property
    def reached(self) -> bool:
        """Whether the recommended design has the power asked for."""
        return self.recommended.power >= self.goal.power

    @property
    def statement(self) -> str:
        """The answer in plain sentences."""
        return " ".join(_statements(self))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "goal": {**asdict(self.goal), "comparisons": self.goal.comparisons, "level": self.goal.level},
            "scale": None if self.scale is None else str(self.scale),
            "deviations": self.components.deviations(),
            "origin": self.origin,
            "recommended": self.recommended.to_dict(),
            "reached": self.reached,
            "designs": [design.to_dict() for design in self.designs],
            "sentence_curves": [curve.to_dict() for curve in self.sentence_curves],
            "rater_curve": self.rater_curve.to_dict(),
            "public": dict(self.public),
            "assumptions": list(self.assumptions),
            "statement": self.statement,
        }


def _objections(goal: Goal) -> Iterator[str]:
    """What makes the question one that has no answer."""
    if goal.systems < 2:
        yield f"a comparison needs at least 2 systems, got {goal.systems}"
    if not (goal.difference > 0 and math.isfinite(goal.difference)):
        yield f"the difference to find must be above 0, got {goal.difference:g}; no study can show that there is none"
    if goal.budget < goal.systems:
        yield (
            f"a budget of {goal.budget} ratings is below one for each of {goal.systems} systems; a study of "
            f"{FEWEST_ITEMS} sentences takes {FEWEST_ITEMS * goal.systems}"
        )
    if goal.budget < FEWEST_ITEMS * goal.systems:
        yield (
            f"a budget of {goal.budget} ratings for {goal.systems} systems buys {goal.budget // goal.systems} "
            f"sentences; {FEWEST_ITEMS} are needed, so at least {FEWEST_ITEMS * goal.systems} ratings"
        )
    if not 0 < goal.power < 1:
        yield f"power must lie between 0 and 1, got {goal.power:g}"
    if goal.power <= goal.alpha:
        yield f"a power of {goal.power:g} is no more than chance gives at a level of {goal.alpha:g}"
    if goal.max_raters < 1:
        yield f"an output needs at least 1 rater, got {goal.max_raters}"
    if goal.max_sentences is not None and goal.max_sentences < FEWEST_ITEMS:
        yield f"a study needs at least {FEWEST_ITEMS} sentences, got {goal.max_sentences}"


def _statements(result: Plan) -> Iterator[str]:
    goal, best = result.goal, result.recommended
    yield (
        f"Rate {best.sentences:,} sentences, {_counted(best.raters, 'rater')} an output: {best.ratings:,} ratings find "
        f"a difference of {goal.difference:g} with a probability of {_percent(best.power, best.power_interval)}."
    )
    cheapest = result.cheapest
    if result.reached and cheapest is not None and cheapest.needed_ratings is not None:
        if cheapest.needed_ratings < best.ratings:
            yield (
                f"For {goal.power:.0%}, {cheapest.needed_ratings:,} ratings are enough "
                f"({cheapest.needed_sentences:,} sentences x {cheapest.raters})."
            )
    elif not result.reached:
        yield f"No split of {goal.budget:,} ratings reaches {goal.power:.0%}; {_least_found(result)}."
        if cheapest is None:
            yield f"No number of ratings on {goal.max_sentences or MOST_SENTENCES:,} sentences reaches it."
        else:
            yield (
                f"For {goal.difference:g}, {cheapest.needed_ratings:,} ratings are needed "
                f"({cheapest.needed_sentences:,} sentences x {cheapest.raters})."
            )
    if result.public:
        low, high = min(result.public.values()), max(result.public.values())
        yield (
            f"In public ratings it would be {low:.0%} to {high:.0%}, depending on whose raters: a small pilot "
            "(--from) tells more."
        )
    double = next((design for design in result.designs if design.raters == 2), None)
    if best.raters == 1 and double is not None:
        yield (
            f"With one rater nobody knows whether raters agree: two for each of {double.sentences:,} sentences cost "
            f"{100 * (best.power - double.power):.0f} points of power."
        )


def _least_found(result: Plan) -> str:
    scale, least = result.scale, result.recommended.detectable
    if scale is not None and least > scale.high - scale.low:
        return f"no difference that fits on {scale} does"
    return f"that takes a difference of {least:.2g}"


def _percent(power: float, interval: Interval | None) -> str:
    return f"{power:.0%}" + ("" if interval is None else f" [{interval.low:.0%}, {interval.high:.0%}]")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
