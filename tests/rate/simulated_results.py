"""How often the results of a study say what is true: `python -m tests.rate.simulated_results` prints the rates.

They stand in docs/rate/results.md. Each rate is over simulated studies whose truth is known, see `simulated_pages`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from tests.rate.simulated_pages import OVERALL, SCALE, SimulatedRater, SimulatedStudy, honest

from plainwright.rate.results.bias import position_bias
from plainwright.rate.results.quality import quality_of
from plainwright.rate.results.systems import SystemTest, rank_systems
from plainwright.rate.results.table import judgements_of, main_rows, ratings_of
from plainwright.study.ratings import standardised


@dataclass(frozen=True)
class PositionRates:
    """Shares of studies, and the mean of what was found."""

    found: float  # overall, at the level of 0.05
    covered: float  # the interval holds the truth
    any_rater: float  # at least one rater named
    mean: float


def position_rates(planted: float, studies: int, *, raters: int = 5, items: int = 20, seed: int = 1) -> PositionRates:
    """Studies in which every rater has the planted effect."""
    study = SimulatedStudy(
        systems=(70, 62, 55, 50, 45, 60), items=items, raters=honest(raters, position=planted), degraded=0, repeats=0
    )
    found, covered, named, values = 0, 0, 0, []
    for number in range(studies):
        bias = position_bias(judgements_of(study.record(seed * 100_000 + number)), "overall", SCALE)
        change = bias.overall.change
        assert change.value is not None
        assert change.interval is not None
        assert change.p_value is not None
        found += change.p_value < 0.05
        covered += planted in change.interval
        named += bool(bias.found)
        values.append(change.value)
    return PositionRates(found / studies, covered / studies, named / studies, float(np.mean(values)))


def finding_rates(
    studies: int, *, items: int, degraded: float, repeats: int, seed: int = 1
) -> tuple[Counter[str], Counter[str], int]:
    """Findings about the careless one of four raters, findings about the others, and how many others there were."""
    raters = [*honest(3), SimulatedRater(name="careless", careless=True)]
    study = SimulatedStudy(items=items, raters=raters, degraded=degraded, repeats=repeats)
    careless: Counter[str] = Counter()
    others: Counter[str] = Counter()
    for number in range(studies):
        for quality in quality_of(study.record(seed * 100_000 + number), resamples=200):
            kinds = {finding.kind for finding in quality.findings}
            (careless if quality.rater == "careless" else others).update(kinds)
    return careless, others, 3 * studies


def cluster_rates(
    systems: Sequence[float], studies: int, *, items: int = 30, test: SystemTest = "permutation", seed: int = 1
) -> Counter[int]:
    """How often the systems fall into how many clusters."""
    study = SimulatedStudy(systems=systems, items=items, degraded=0, repeats=0)
    counts: Counter[int] = Counter()
    for number in range(studies):
        rows = main_rows(judgements_of(study.record(seed * 100_000 + number)))
        ranking = rank_systems(
            standardised(ratings_of(rows)), OVERALL.name, test=test, trials=2000, resamples=2, seed=number
        )
        counts[len(ranking.clusters)] += 1
    return counts


def mean_coverage(studies: int, *, items: int = 30, seed: int = 1) -> float:
    """How often the interval of a system's mean holds the truth; the raters are those it is about."""
    study = SimulatedStudy(systems=(60, 50), items=items, raters=honest(3), degraded=0, repeats=0, rounded=False)
    inside = 0
    for number in range(studies):
        rows = main_rows(judgements_of(study.record(seed * 100_000 + number)))
        ranking = rank_systems(standardised(ratings_of(rows)), OVERALL.name, trials=1, resamples=1000, seed=number)
        interval = next(system for system in ranking.systems if system.system == "system 0").raw.interval
        assert interval is not None
        inside += 60.0 in interval
    return inside / studies


def repeat_coverage(studies: int, *, repeats: int = 6, seed: int = 1) -> float:
    """How often Fisher's interval holds the true correlation of a rater with the same rater, page effects included."""
    rater = SimulatedRater(name="one", noise=8, page_noise=3)
    study = SimulatedStudy(
        systems=(60, 60, 60, 60), items=repeats, raters=[rater], degraded=0, repeats=repeats, rounded=False
    )
    truth = 10**2 / (10**2 + 8**2 + 3**2)
    inside = 0
    for number in range(studies):
        [quality] = quality_of(replace(study).record(seed * 100_000 + number), resamples=2)
        interval = quality.repeats.correlation.interval
        assert interval is not None
        inside += truth in interval
    return inside / studies


def main() -> None:
    """Print all rates."""
    for raters, items, planted in ((5, 20, 0.0), (5, 20, 3.0), (5, 20, 6.0), (1, 5, 0.0), (1, 5, 6.0)):
        rates = position_rates(planted, 1000, raters=raters, items=items)
        print(
            f"{raters} raters, {items} items, position effect {planted:g}: found in {rates.found:.1%}, "
            f"mean {rates.mean:+.2f}, interval holds it in {rates.covered:.1%}, "
            f"some rater named in {rates.any_rater:.1%}"
        )
    for items, degraded, repeats in ((10, 0.5, 2), (20, 0.5, 4), (40, 0.5, 8)):
        careless, others, number = finding_rates(300, items=items, degraded=degraded, repeats=repeats)
        shown = ", ".join(f"{kind} {count / 300:.0%}" for kind, count in sorted(careless.items())) or "-"
        blamed = ", ".join(f"{kind} {count / number:.1%}" for kind, count in sorted(others.items())) or "nothing"
        print(
            f"{items} items, {items // 2} damaged copies, {repeats} repeats: careless rater: {shown}; others: {blamed}"
        )
    for test in ("permutation", "wilcoxon"):
        for systems in ((60,) * 6, (66, 60, 60), (70, 60, 50)):
            counts = cluster_rates(systems, 1000, test=test)  # type: ignore[arg-type]
            shown = ", ".join(f"{number}: {count / 1000:.1%}" for number, count in sorted(counts.items()))
            print(f"{test}, true means {systems}: number of clusters {shown}")
    print(f"the interval of a mean holds the truth in {mean_coverage(1000):.1%}")
    print(f"Fisher's interval of repeats holds the truth in {repeat_coverage(2000):.1%}")


if __name__ == "__main__":
    main()
