"""What controls and repeats say about one rater: damaged copies, the source and the reference, the same page twice.

Where an output has several aspects, it is judged by its total: the mean over aspects of the share of the scale, 0 to 1.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from plainwright.metrics.base import Array
from plainwright.rate.material import Control
from plainwright.rate.results.record import RatedPage
from plainwright.rate.results.rows import Judgement
from plainwright.study import student
from plainwright.study.estimate import Estimate, Interval

__all__ = [
    "Degraded",
    "Repeats",
    "Standing",
    "Total",
    "degraded_of",
    "repeats_of",
    "standing_of",
    "standings",
    "totals",
]

_FEWEST_PAIRS = 4  # Fisher's interval of a correlation divides by n - 3
_FEWEST_FOR_INTERVALS = 3
_DIGITS = 9  # of a total, from 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Degraded:
    """How often a damaged copy got less than its original from the same rater."""

    below: int
    equal: int
    above: int
    share: Estimate  # below, of all; Wilson's interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a control stands among the other outputs of its item: 0 below all, 1 above all, equal ones half."""

    control: Control
    own: Estimate
    others: float | None  # mean of the other raters on the same items; None if nobody else rated them
    difference: Estimate  # own less others, item by item


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """The same outputs, or pairs, a second time: how far the two judgements are apart, and how they go together."""

    items: int
    difference: Estimate  # mean of absolute differences, as a share of the scale
    by_chance: float | None  # what it would be if the second scores were dealt out at random
    correlation: Estimate  # Pearson's, Fisher's interval


@dataclass(frozen=True, slots=True)
class Total:
    """An output as one rater saw it, one number for all aspects; one entry for each who made it."""

    item: str
    system: str
    card: str
    control: Control | None
    of: str | None
    repeat: bool
    value: float


def totals(rows: Iterable[Judgement]) -> Mapping[str, Sequence[Total]]:
    """By rater, all outputs that were rated outside of training."""
    shares: dict[tuple[str, str, str, bool], list[tuple[float, Judgement]]] = defaultdict(list)
    for row in rows:
        if not row.training:
            share = (row.score - row.scale.low) / (row.scale.high - row.scale.low)
            shares[row.rater, row.item, row.system, row.repeat].append((share, row))
    totals: dict[str, list[Total]] = defaultdict(list)
    for (rater, item, system, repeat), found in shares.items():
        row = found[0][1]
        # Rounded, for equal totals that were added up in another order are not the same number.
        value = round(sum(share for share, _ in found) / len(found), _DIGITS)
        totals[rater].append(Total(item, system, row.card, row.control, row.of, repeat, value))
    return totals


def degraded_of(outputs: Sequence[Total], *, pairs: bool) -> Degraded:
    """Of pairs, a copy is compared with nothing but its original, so its share of wins says it all."""
    originals = {(total.item, total.system): total for total in outputs if not total.control and not total.repeat}
    differences = []
    for total in outputs:
        if total.control != "degraded" or total.repeat:
            continue
        original = originals.get((total.item, total.of or ""))
        if pairs:
            differences.append(0.5 - total.value)
        elif original is not None and original.card != total.card:
            differences.append(original.value - total.value)
    n, below = len(differences), sum(difference > 0 for difference in differences)
    equal = sum(difference == 0 for difference in differences)
    share = Estimate(value=None, n=0, problem="the rater has seen no degraded copy with its original")
    if n:
        share = Estimate(value=below / n, n=n, interval=_wilson(below, n))
    return Degraded(below=below, equal=equal, above=n - below - equal, share=share)


def _wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's (1927) interval of a share, which stays within 0 and 1."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach), confidence)


@dataclass(frozen=True, slots=True)
class Twice:
    """Something that a rater judged on two occasions."""

    item: str
    once: float
    again: float


def outputs_twice(outputs: Sequence[Total]) -> list[Twice]:
    """The distinct outputs that a rater scored a second time."""
    first = {(total.item, total.card): total.value for total in outputs if not total.repeat}
    again = {(total.item, total.card): total.value for total in outputs if total.repeat}
    return [Twice(key[0], first[key], value) for key, value in again.items() if key in first]


def choices_twice(pages: Sequence[RatedPage]) -> list[Twice]:
    """The pairs between which a rater chose a second time: how far for the one that comes first in the study."""
    choices: dict[bool, dict[tuple[str, frozenset[str]], float]] = {False: {}, True: {}}
    for page in pages:
        chosen = page.work.answers.preferences.values()
        first = min(page.cards, key=lambda card: card.number).id
        wins = [0.5 if card is None else float(card == first) for card in chosen]
        choices[page.repeat][page.item, frozenset(card.id for card in page.cards)] = sum(wins) / len(wins)
    return [Twice(key[0], choices[False][key], value) for key, value in choices[True].items() if key in choices[False]]


def repeats_of(both: Sequence[Twice]) -> Repeats:
    """How far a rater's second judgements are from the first."""
    if not both:
        nothing = Estimate(value=None, n=0, problem="the rater has seen nothing a second time")
        return Repeats(items=0, difference=nothing, by_chance=None, correlation=nothing)
    once = np.array([pair.once for pair in both])
    twice = np.array([pair.again for pair in both])
    apart = np.abs(once - twice)
    return Repeats(
        items=len({pair.item for pair in both}),
        difference=Estimate(value=float(apart.mean()), n=len(both), interval=_mean_interval(apart)),
        by_chance=float(np.abs(once[:, None] - twice[None, :]).mean()),
        correlation=_self_correlation(once, twice),
    )


def _mean_interval(values: Array) -> Interval | None:
    n = len(values)
    if n < _FEWEST_FOR_INTERVALS:
        return None
    reach = student.threshold(0.05, n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return Interval(float(values.mean()) - reach, float(values.mean()) + reach)


def _self_correlation(once: Array, twice: Array) -> Estimate:
    n = len(once)
    if n < _FEWEST_PAIRS:
        return Estimate(value=None, n=n, problem=f"a correlation needs at least {_FEWEST_PAIRS} outputs, found {n}")
    if np.ptp(once) == 0 or np.ptp(twice) == 0:
        return Estimate(value=None, n=n, problem="all outputs got the same score, so nothing can correlate")
    r = float(np.clip(np.corrcoef(once, twice)[0, 1], -1, 1))
    if abs(r) > 1 - 1e-12:
        return Estimate(value=r, n=n, interval=Interval(r, r))
    reach = NormalDist().inv_cdf(0.975) / math.sqrt(n - 3)
    return Estimate(value=r, n=n, interval=Interval(math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)))


def standings(totals: Mapping[str, Sequence[Total]], *, pairs: bool) -> dict[Control, dict[str, dict[str, float]]]:
    """By control and item, the standing that each rater gave it; of pairs, its share of wins."""
    standings: dict[Control, dict[str, dict[str, float]]] = {}
    for rater, own in totals.items():
        by_item: dict[str, list[Total]] = defaultdict(list)
        for total in own:
            if not total.repeat:
                by_item[total.item].append(total)
        for item, outputs in by_item.items():
            for control in (total for total in outputs if total.control in ("source", "reference")):
                # Each distinct output counts once, and damaged ones are no yardstick.
                others = {o.card: o.value for o in outputs if not o.control and o.card != control.card}
                if others or pairs:
                    won = [(o < control.value) + (o == control.value) / 2 for o in others.values()]
                    standing = control.value if pairs else sum(won) / len(won)
                    assert control.control is not None
                    standings.setdefault(control.control, {}).setdefault(item, {})[rater] = standing
    return standings


def standing_of(rater: str, control: Control, by_item: Mapping[str, Mapping[str, float]]) -> Standing:
    """That of one rater, beside what others gave on the same items."""
    own = np.array([given[rater] for given in by_item.values() if rater in given])
    shared = [given for given in by_item.values() if rater in given and len(given) > 1]
    others = np.array([(sum(given.values()) - given[rater]) / (len(given) - 1) for given in shared])
    apart = np.array([given[rater] for given in shared]) - others
    return Standing(
        control=control,
        own=_mean(own, f"the rater has seen no {control} among outputs"),
        others=float(others.mean()) if len(others) else None,
        difference=_mean(apart, f"nobody else has rated the {control} on the same items"),
    )


def _mean(values: Array, problem: str) -> Estimate:
    n = len(values)
    if n == 0:
        return Estimate(value=None, n=0, problem=problem)
    mean, p_value = float(values.mean()), None
    if n >= _FEWEST_FOR_INTERVALS and np.ptp(values) > 0:
        p_value = student.p_value(mean / (float(values.std(ddof=1)) / math.sqrt(n)), n - 1)
    return Estimate(value=mean, n=n, interval=_mean_interval(values), p_value=p_value)
