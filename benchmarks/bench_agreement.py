"""Intervals of agreement: a thousand resamples as weights, beside krippendorff and scikit-learn called anew for each.

Run: python benchmarks/bench_agreement.py
Scores: random, 70 items by 12 systems by 3 raters, 1 to 5, a tenth missing, fixed seed; kappa without gaps. Both sides
resample the same items, and their intervals must be equal. Processor time of one thread, the fastest of several runs.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Callable
from typing import get_args

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score

from plainwright.study.agreement import Level, cohen_kappa, krippendorff_alpha
from plainwright.study.estimate import Estimate
from timing import fastest, machine

ITEMS, SYSTEMS, RATERS = 70, 12, 3
RESAMPLES, SEED = 1000, 12345


def main() -> None:
    print(machine("plainwright", "numpy", "krippendorff", "scikit-learn"))
    generator = np.random.default_rng(1)
    quality = generator.normal(size=(ITEMS, SYSTEMS, 1))
    whole = np.clip(np.rint(3 + quality + generator.normal(size=(ITEMS, SYSTEMS, RATERS))), 1, 5)
    gappy = np.where(generator.random(whole.shape) < 0.1, np.nan, whole)
    for level in get_args(Level):
        compare(
            f"alpha, {level}",
            lambda level=level: krippendorff_alpha(gappy, level, resamples=RESAMPLES, seed=SEED),
            gappy,
            lambda scores, level=level: krippendorff.alpha(scores.reshape(-1, RATERS).T, level_of_measurement=level),
        )
    compare(
        "kappa, quadratic",
        lambda: cohen_kappa(whole[..., 0], whole[..., 1], weights="quadratic", resamples=RESAMPLES, seed=SEED),
        whole,
        lambda scores: cohen_kappa_score(scores[..., 0].ravel(), scores[..., 1].ravel(), weights="quadratic"),
    )


def compare(name: str, ours: Callable[[], Estimate], scores: np.ndarray, peer: Callable[[np.ndarray], float]) -> None:
    draws = np.random.default_rng(SEED).multinomial(ITEMS, np.full(ITEMS, 1 / ITEMS), size=RESAMPLES)

    def one_by_one() -> list[float]:
        return [peer(np.repeat(scores, times, axis=0)) for times in draws]

    interval = ours().interval
    assert interval is not None
    np.testing.assert_allclose([interval.low, interval.high], np.quantile(one_by_one(), [0.025, 0.975]), atol=1e-9)
    own = fastest(ours)
    other = fastest(one_by_one, runs=2)
    print(f"{name:<17} {1000 * other:8.0f} ms {1000 * own:8.1f} ms {other / own:8.0f}x")


if __name__ == "__main__":
    main()
