"""How to spend ratings: the power of a study before anybody is paid.

Two systems are compared by a paired t-test over sentences, on the mean rating of each output. The variance of a
sentence's difference is 2 (system x item + noise / raters): more raters shrink the noise only, more sentences shrink
everything. So the power of each split of a budget follows from the noncentral t distribution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from plainwright.errors import DataError
from plainwright.metrics.base import Array
from plainwright.study import student
from plainwright.study.checks import FEWEST_ITEMS
from plainwright.study.components import (
    Components,
    ComponentsEstimate,
    difference_variance,
    estimate_components,
    unseparated,
)
from plainwright.study.estimate import Interval
from plainwright.study.plan_result import MOST_SENTENCES, Design, Goal, Plan, PowerCurve
from plainwright.study.ratings import Ratings, Scale
from plainwright.study.ratings.table import Values
from plainwright.study.spread import PUBLIC, usual_components

__all__ = ["plan", "plan_from_public", "plan_from_ratings", "power_of"]

_CURVE_POINTS = 40
_CURVE_RATERS = (1, 2, 3, 5, 10)


def plan(
    goal: Goal,
    components: Components,
    *,
    pilot: ComponentsEstimate | None = None,
    scale: Scale | None = None,
    origin: str = "as given",
    public: Mapping[str, Components] | None = None,
) -> Plan:
    """Plan how to spend the budget if ratings spread as `components` say.

    `pilot` is where they were estimated, if so: its bootstrap samples become intervals. `public` are others that
    the recommended design is tried with.
    """
    _check_difference(goal, scale)
    if components.difference(1, same_raters=goal.same_raters) <= 0:
        msg = "without any spread between ratings every difference is certain; give --interaction-sd or --noise-sd"
        raise DataError(msg)
    counts = [raters for raters in range(1, goal.max_raters + 1) if goal.sentences(raters) >= FEWEST_ITEMS]
    designs = _designs(goal, components, pilot, counts)
    # Of equal power, to what can be printed, the first needs fewer raters.
    recommended = max(designs, key=lambda design: round(design.power, 4))
    most = min(2 * goal.sentences(1), goal.max_sentences or 2 * goal.sentences(1))
    curves = {*(raters for raters in _CURVE_RATERS if raters <= goal.max_raters), recommended.raters}
    others = {
        name: float(power_of(goal, spread, recommended.sentences, recommended.raters))
        for name, spread in (public or {}).items()
    }
    return Plan(
        goal=goal,
        scale=scale,
        components=components,
        origin=origin,
        designs=designs,
        recommended=recommended,
        sentence_curves=tuple(_over_sentences(goal, components, raters, most) for raters in sorted(curves)),
        rater_curve=_over_raters(goal, components, recommended.sentences),
        public=others,
        assumptions=tuple(_assumptions(goal, origin)),
    )


def plan_from_ratings(
    goal: Goal,
    ratings: Ratings,
    aspect: str,
    *,
    name: str = "the pilot",
    values: Values = "raw",
    scale: Scale | None = None,
    deviations: Mapping[str, float | None] | None = None,
    resamples: int = 1000,
    seed: int = 12345,
) -> tuple[Plan, ComponentsEstimate]:
    """A plan from a pilot, or from any ratings like those to come; `deviations` replace what is known better."""
    given = {key: value for key, value in (deviations or {}).items() if value is not None}
    shown = _scale_of(ratings, aspect, scale) if values == "raw" else None
    cube = ratings.cube(aspect, values)
    pilot = estimate_components(cube, resamples=resamples, seed=seed)
    missing = pilot.deviations["system_item"]
    if missing.value is None and "system_item" not in given:
        msg = (
            f"{name}: ratings that {unseparated(cube)} do not show how much a system's quality changes from "
            "sentence to sentence; give --interaction-sd, or ratings of two systems by two raters"
        )
        raise DataError(msg)
    pilot = pilot.with_deviations(**given)
    origin = f"{aspect} in {name}, {pilot.ratings:,} ratings" + (", but for what was given" if given else "")
    return plan(goal, pilot.components, pilot=pilot, scale=shown, origin=origin), pilot


def plan_from_public(goal: Goal, scale: Scale, *, deviations: Mapping[str, float | None] | None = None) -> Plan:
    """Plan with the spread of public ratings, each relative to the width of its scale."""
    given = {key: value for key, value in (deviations or {}).items() if value is not None}
    width = scale.high - scale.low
    public = {name: spread.scaled(width).with_deviations(**given) for name, spread in PUBLIC.items()}
    usual = usual_components(scale).with_deviations(**given)
    origin = f"the median of {len(PUBLIC)} public sets of ratings" + (", but for what was given" if given else "")
    if {"system_item", "residual"} <= given.keys() and (goal.same_raters or "rater" in given):
        return plan(goal, usual, scale=scale)
    return plan(goal, usual, scale=scale, origin=origin, public=public)


def power_of(goal: Goal, components: Components, sentences: Array | int, raters: Array | int) -> Array:
    """Return the probability that a true difference between two systems is found."""
    return _powers(goal, components.difference(raters, same_raters=goal.same_raters), sentences)


def _scale_of(ratings: Ratings, aspect: str, stated: Scale | None) -> Scale | None:
    """The scale of an aspect; one that is stated otherwise, or two of them, are an error."""
    found = {row.scale for row in ratings if row.aspect == aspect and row.scale is not None}
    if len(found) > 1:
        listing = " and ".join(sorted(map(str, found)))
        msg = f"{aspect} was rated on different scales, {listing}; bring the ratings to one scale first"
        raise DataError(msg)
    own = next(iter(found), None)
    if own is not None and stated is not None and (own.low, own.high) != (stated.low, stated.high):
        msg = f"{aspect} was rated on {own}, not on {stated}; leave out --scale and give the difference on {own}"
        raise DataError(msg)
    return own or stated


def _powers(goal: Goal, variance: Array, sentences: Array | int) -> Array:
    sentences = np.asarray(sentences, dtype=np.float64)
    with np.errstate(divide="ignore"):  # without any spread a difference is certain: infinitely many errors away
        errors = goal.difference * np.sqrt(sentences / variance)
    return student.power(errors, sentences - 1, goal.level)


def _designs(
    goal: Goal, components: Components, pilot: ComponentsEstimate | None, counts: Sequence[int]
) -> tuple[Design, ...]:
    raters = np.array(counts, dtype=np.float64)
    sentences = np.array([goal.sentences(count) for count in counts])
    variance = components.difference(raters, same_raters=goal.same_raters)
    powers = _powers(goal, variance, sentences)
    errors = student.noncentrality(goal.power, sentences - 1, goal.level)
    detectable = errors * np.sqrt(variance / sentences)
    needed = _needed_sentences(goal, variance)
    if pilot is not None and pilot.resampled:
        varied = {name: values[:, None] for name, values in pilot.resampled.items()}
        resampled = difference_variance(varied, raters, same_raters=goal.same_raters)
        power_intervals = _intervals(_powers(goal, resampled, sentences))
        detectable_intervals = _intervals(errors * np.sqrt(resampled / sentences))
    else:
        power_intervals = detectable_intervals = [None] * len(counts)
    return tuple(
        Design(
            sentences=int(sentences[place]),
            raters=count,
            ratings=goal.systems * int(sentences[place]) * count,
            power=float(powers[place]),
            power_interval=power_intervals[place],
            detectable=float(detectable[place]),
            detectable_interval=detectable_intervals[place],
            needed_sentences=needed[place],
            needed_ratings=_times(needed[place], count * goal.systems),
        )
        for place, count in enumerate(counts)
    )


def _intervals(samples: Array) -> list[Interval | None]:
    return [Interval.of(column) for column in samples.T]


def _times(number: int | None, factor: int) -> int | None:
    return None if number is None else number * factor


def _needed_sentences(goal: Goal, variance: Array) -> list[int | None]:
    """The fewest sentences with the power asked for, at each variance; None where there are none."""
    most = goal.max_sentences or MOST_SENTENCES
    low, high = np.full(variance.shape, FEWEST_ITEMS), np.full(variance.shape, most)
    reachable = _powers(goal, variance, high) >= goal.power
    while (low < high).any():
        middle = (low + high) // 2
        enough = _powers(goal, variance, middle) >= goal.power
        low, high = np.where(enough, low, np.minimum(middle + 1, high)), np.where(enough, middle, high)
    return [int(number) if there else None for number, there in zip(high, reachable, strict=True)]


def _over_sentences(goal: Goal, components: Components, raters: int, most: int) -> PowerCurve:
    sizes = _round_sizes(most)
    powers = power_of(goal, components, sizes, raters)
    return PowerCurve(
        over="sentences", fixed=raters, sizes=tuple(sizes.astype(int).tolist()), powers=tuple(powers.tolist())
    )


def _round_sizes(most: int) -> Array:
    """Multiples of 1, 2 or 5 times a power of ten, about `_CURVE_POINTS` of them, up to `most` and with it."""
    wanted = most / _CURVE_POINTS
    step = next(step for power in range(9) for step in (10**power, 2 * 10**power, 5 * 10**power) if step >= wanted)
    sizes = np.arange(step, most + 1, step)
    return np.unique([FEWEST_ITEMS, *sizes[sizes > FEWEST_ITEMS], most]).astype(np.float64)


def _over_raters(goal: Goal, components: Components, sentences: int) -> PowerCurve:
    counts = np.arange(1.0, goal.max_raters + 1)
    powers = power_of(goal, components, sentences, counts)
    return PowerCurve(
        over="raters", fixed=sentences, sizes=tuple(counts.astype(int).tolist()), powers=tuple(powers.tolist())
    )


def _check_difference(goal: Goal, scale: Scale | None) -> None:
    if scale is not None and goal.difference > scale.high - scale.low:
        msg = (
            f"a difference of {goal.difference:g} does not fit on a scale of {scale}; "
            "give the difference in points of the scale, or the scale that is meant"
        )
        raise DataError(msg)


def _assumptions(goal: Goal, origin: str) -> Iterator[str]:
    yield (
        "A rating is what one rater says of one output on one aspect; if raters answer several questions about an "
        "output at once, the budget counts outputs that are looked at."
    )
    yield f"Ratings will spread as they do here: {origin}; and as much for one system as for another."
    if goal.same_raters:
        yield (
            "All systems are rated on the same sentences, and whoever rates a sentence rates the outputs of all "
            "systems for it, so that kind and harsh raters cancel."
        )
    else:
        yield (
            "All systems are rated on the same sentences, but each output by raters of its own, so that kind and harsh "
            "raters do not cancel."
        )
    yield (
        "Raters come from a large pool, drawn anew for each sentence. If the same few rate everything, the result "
        "holds for these people; others may prefer other systems."
    )
    yield "Sentences are a random sample of the texts that the conclusion is about."
    yield (
        "Two systems are compared by a paired t-test over sentences, two-sided; means over dozens of sentences are "
        "near enough to normal."
    )
    if goal.correction == "none" or goal.comparisons == 1:
        yield f"Each comparison is tested at {goal.alpha:g}" + (
            ", without correction: with many of them some will seem to differ by chance."
            if goal.comparisons > 1
            else "."
        )
    else:
        name = "Holm" if goal.correction == "holm" else "Bonferroni"
        yield (
            f"{goal.comparisons} comparisons, corrected after {name}: a p-value must stay below {goal.alpha:g} / "
            f"{goal.comparisons}"
            + (" (the first step of Holm; later steps ask for less)." if goal.correction == "holm" else ".")
        )
    yield (
        "The power is that of one comparison, whose true difference is the one given. That all of several true "
        "differences are found is less likely."
    )
