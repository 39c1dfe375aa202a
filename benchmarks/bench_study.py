"""Studies: 10,000 bootstrap samples of 12 systems x 70 sentences x 8 metrics, against a loop that does one at a time.

Run: python benchmarks/bench_study.py [--false-alarms]
The data are generated with a fixed seed: sentences of our own words, changed more by some systems than by others, and
ratings that follow the share of changed words, with noise. Values of loop and package are compared on the same
resamples first. Times are processor time of one core; the loop, with scipy's coefficients, as `nlpstats` and most
notebooks have it, is timed on fewer resamples.

With --false-alarms: how often tests and intervals find a difference between two metrics that are equally good, in
simulated studies, by what is exchanged or drawn again.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported

import argparse
import functools
import math
from collections.abc import Iterator

import numpy as np
import scipy.stats

from plainwright import metrics
from plainwright.study.correlation import Protocol, correlate_metrics
from plainwright.study.draws import draws
from plainwright.study.levels import Comparison, Level, PairLevel, SentenceLevel, SystemLevel
from plainwright.study.ratings import Cube, Rating, Ratings
from plainwright.study.scores import MetricScores, RatedOutputs, given_scores, score_outputs
from plainwright.study.taulike import Convention, Pairs
from timing import fastest, machine

ITEMS, SYSTEMS, RATERS, SAMPLES = 70, 12, 3, 10_000
LOOP_SAMPLES = 40
TARGET = 10.0  # seconds for all metrics
SCIPY = {"pearson": scipy.stats.pearsonr, "spearman": scipy.stats.spearmanr, "kendall": scipy.stats.kendalltau}
WORDS = """
    the old house garden river teacher child letter morning window market doctor village road winter story paper music
    table bread water stone light voice answer question journey picture bridge island summer kitchen
"""
SIMPLE = frozenset({"it", "they", "man", "thing", "place", "day", "time"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--false-alarms", action="store_true")
    chosen = parser.parse_args()
    print(machine("plainwright", "numpy", "scipy"), "| one core")
    if chosen.false_alarms:
        show_false_alarms()
    else:
        show_times()


def show_times() -> None:
    print(
        f"{SAMPLES:,} samples of inputs and systems, {SYSTEMS} systems x {ITEMS} sentences x 8 metrics; loop: scaled up"
    )
    print(f"{'level and coefficient':28}{'loop':>10}{'plainwright':>14}{'ratio':>9}{'target':>9}")
    for name, level in levels():
        check(level)
        ours = fastest(lambda level=level: resampled(level, SAMPLES), runs=3)
        loop = fastest(lambda level=level: looped(level, LOOP_SAMPLES), runs=2)
        loop *= SAMPLES / LOOP_SAMPLES
        print(f"{name:28}{loop:>8.1f} s{ours:>12.2f} s{loop / ours:>8.0f}x{TARGET:>7.0f} s", flush=True)


def levels() -> Iterator[tuple[str, Level]]:
    outputs, references = texts()
    scores = [score_outputs(outputs, metrics.create(name), references) for name in metrics.METRICS]
    cube = ratings_of(outputs)
    comparison = Comparison(
        aspect="simplicity",
        items=outputs.items,
        systems=outputs.systems,
        human=cube.means,
        metrics=tuple(scores),
        pairs=Pairs.of(cube, Convention(raters="majority", metric_ties="half")),
    )
    for coefficient in ("pearson", "spearman", "kendall"):
        yield f"system, {coefficient}", SystemLevel(comparison, coefficient)
    for coefficient in ("pearson", "spearman", "kendall"):
        yield f"sentence, {coefficient}", SentenceLevel(comparison, coefficient)
    yield "pairs, tau-like", PairLevel(comparison, "half")


def texts() -> tuple[RatedOutputs, dict[str, list[str]]]:
    generator = np.random.default_rng(1)
    sources = [" ".join(generator.choice(WORDS.split(), size=generator.integers(8, 25))) + " ." for _ in range(ITEMS)]
    rows = tuple(
        tuple(changed(source, (system + 1) / (SYSTEMS + 8), generator) for system in range(SYSTEMS))
        for source in sources
    )
    items = tuple(map(str, range(ITEMS)))
    references = {
        item: [changed(source, 0.3, generator) for _ in range(4)] for item, source in zip(items, sources, strict=True)
    }
    systems = tuple(f"system {number}" for number in range(SYSTEMS))
    return RatedOutputs(items=items, systems=systems, sources=tuple(sources), outputs=rows), references


def changed(source: str, share: float, generator: np.random.Generator) -> str:
    return " ".join(
        str(generator.choice(sorted(SIMPLE))) if word != "." and generator.random() < share else word
        for word in source.split()
    )


def ratings_of(outputs: RatedOutputs) -> Cube:
    generator = np.random.default_rng(2)
    quality = np.array(
        [[np.mean([word in SIMPLE for word in str(text).split()]) for text in row] for row in outputs.outputs]
    )
    scores = np.clip(np.round(100 * quality[..., None] + 15 * generator.normal(size=(ITEMS, SYSTEMS, RATERS))), 0, 100)
    return Cube(items=outputs.items, systems=outputs.systems, raters=tuple("abc"), scores=scores)


def blocks(level: Level, samples: int) -> Iterator:
    return draws(ITEMS, SYSTEMS, resampled="both", resamples=samples, seed=12345, cells=level.cells)


def resampled(level: Level, samples: int) -> np.ndarray:
    return np.concatenate([level.resampled(block) for block in blocks(level, samples)], axis=1)


def looped(level: Level, samples: int) -> np.ndarray:
    """The same, one resample and one metric at a time."""
    found = []
    for block in blocks(level, samples):
        for counts, systems in zip(block.inputs.astype(int), block.systems, strict=True):
            chosen = np.ix_(np.repeat(np.arange(ITEMS), counts), systems)
            found.append([of_resample(level, metric, chosen) for metric in level.comparison.metrics])
    return np.array(found).T


def of_resample(level: Level, metric: MetricScores, chosen: tuple) -> float:
    human = level.comparison.human[chosen]
    if isinstance(level, SystemLevel):
        values = [float(metric.values_from_stats(row)) for row in metric.stats[chosen].sum(axis=0)]
        return float(SCIPY[level.coefficient](values, human.mean(axis=0)).statistic)
    values = metric.sentences[chosen]
    if isinstance(level, SentenceLevel):
        return float(SCIPY[level.coefficient](values.ravel(), human.ravel()).statistic)
    return tau_of_loop(order_of(level)[chosen[0].ravel()], values, chosen[1].ravel())


@functools.cache
def order_of(level: PairLevel) -> np.ndarray:
    """Whom people prefer: shape (items, systems, systems)."""
    preferred = np.zeros((ITEMS, SYSTEMS, SYSTEMS))
    preferred[:, level.pairs.first, level.pairs.second] = level.pairs.preferred
    return preferred - preferred.swapaxes(1, 2)


def tau_of_loop(orders: np.ndarray, values: np.ndarray, systems: np.ndarray) -> float:
    agreed = pairs = 0.0
    for order, value in zip(orders[:, systems][:, :, systems].tolist(), values.tolist(), strict=True):
        for a in range(SYSTEMS):
            for b in range(a):
                if order[a][b]:
                    pairs += 1
                    if not math.isclose(value[a], value[b], rel_tol=1e-9):
                        agreed += order[a][b] if value[a] > value[b] else -order[a][b]
    return agreed / pairs


def check(level: Level) -> None:
    np.testing.assert_allclose(resampled(level, 10), looped(level, 10), atol=1e-9)


def show_false_alarms() -> None:
    """Two metrics see the same quality through noise of the same size; in half of the rows each misjudges systems."""
    studies = 200
    print(f"{studies} studies of 12 systems x 40 sentences, Pearson: share in which two equal metrics differ at 0.05")
    print(f"{'':52}{'test: what is exchanged':^30}{'interval: what is drawn':^30}")
    print(f"{'level':12}{'each metric misjudges':40}" + 2 * f"{'inputs':>10}{'systems':>10}{'both':>10}")
    for level in ("system", "sentence"):
        for misjudged in (0.0, 1.0):
            row = []
            found = {
                kind: [verdicts(level, misjudged, kind, seed) for seed in range(studies)]
                for kind in ("inputs", "systems", "both")
            }
            row += [np.mean([test for test, _ in pairs]) for pairs in found.values()]
            row += [np.mean([interval for _, interval in pairs]) for pairs in found.values()]
            label = "whole systems and single outputs" if misjudged else "single outputs"
            print(f"{level:12}{label:40}" + "".join(f"{share:>10.3f}" for share in row), flush=True)


def verdicts(level: str, misjudged: float, kind: str, seed: int) -> tuple[bool, bool]:
    items, systems = 40, 12
    generator = np.random.default_rng(seed)
    quality = generator.normal(size=systems) + generator.normal(size=(items, systems))
    people = quality + generator.normal(size=quality.shape)
    names = [str(number) for number in range(items)], [str(number) for number in range(systems)]
    scores = []
    for name in ("first", "second"):
        values = quality + misjudged * generator.normal(size=systems) + generator.normal(size=quality.shape)
        cells = {(names[0][i], names[1][j]): float(value) for (i, j), value in np.ndenumerate(values)}
        scores.append(given_scores(name, cells, items=names[0], systems=names[1]))
    rows = [
        Rating(item=names[0][i], system=names[1][j], rater="r", aspect="quality", score=float(score))
        for (i, j), score in np.ndenumerate(people)
    ]
    protocol = Protocol(level=level, coefficient="pearson", resampled=kind, exchanged=kind, resamples=200, seed=seed)
    [test] = correlate_metrics(Ratings(tuple(rows)), scores, protocol=protocol).differences
    return test.p_value < 0.05, 0 not in test.interval


if __name__ == "__main__":
    main()
