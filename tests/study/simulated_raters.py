"""Studies with one bad rater among honest ones, made of random numbers whose law is known.

Honest raters see the true quality of an output through noise, of which a part goes with the sentence, have a mean and
a spread of their own, and round to the scale 1 to 5. `python -m tests.study.simulated_raters` counts over many such
studies how often each kind of bad rater is found, how often an honest one is blamed, and how often the interval of
alpha holds the truth.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from plainwright.study.agreement import krippendorff_alpha
from plainwright.study.raters import rater_reports
from plainwright.study.ratings import Rating, Ratings, Scale

ASPECT = "simplicity"
BAD = ("flat", "contrary", "random", "drift")
_SCALE = Scale(1, 5, 1)


def simulated_study(
    generator: np.random.Generator,
    bad: str | None = None,
    *,
    items: int = 25,
    systems: int = 4,
    raters: int = 5,
    reliability: float = 0.4,
) -> Ratings:
    """Ratings of which the first rater is of the `bad` kind; sentences are shown in random order, as blocks."""
    shape = (items, systems, raters)
    quality = generator.normal(0, 0.5, (items, 1)) + generator.normal(0, 0.5, (1, systems))
    quality = np.sqrt(reliability) * (quality + generator.normal(0, np.sqrt(0.5), (items, systems)))
    noise = np.sqrt(0.3) * generator.normal(size=(items, 1, raters)) + np.sqrt(0.7) * generator.normal(size=shape)
    spread = np.exp(generator.normal(0, 0.3, raters))
    seen = (quality[..., None] + np.sqrt(1 - reliability) * noise) * spread + generator.normal(0, 0.4, raters)
    blocks = np.stack([generator.permutation(items) for _ in range(raters)], axis=-1)[:, None, :]
    order = blocks * systems + np.argsort(generator.random(shape), axis=1)
    if bad == "contrary":
        seen[..., 0] *= -1
    elif bad == "random":
        seen[..., 0] = generator.normal(size=(items, systems))
    elif bad == "drift":  # by a standard deviation and a fifth of the rater's scores
        seen[..., 0] += 1.2 * spread[0] * (order[..., 0] / (items * systems - 1) - 0.5)
    scores = np.clip(np.rint(3 + 1.1 * seen), _SCALE.low, _SCALE.high)
    if bad == "flat":
        scores[..., 0] = np.where(generator.random((items, systems)) < 0.93, 4, scores[..., 0])
    return Ratings(
        tuple(
            Rating(
                item=str(i),
                system=str(s),
                rater="bad" if bad and r == 0 else f"honest {r}",
                aspect=ASPECT,
                score=float(scores[i, s, r]),
                scale=_SCALE,
                order=int(order[i, s, r]) + 1,
            )
            for i, s, r in np.ndindex(*shape)
        )
    )


def findings(
    bad: str | None, studies: int, *, seed: int = 1, items: int = 25
) -> tuple[Counter[str], Counter[str], int]:
    """What was found of the bad rater, what of honest ones, over how many honest raters."""
    generator = np.random.default_rng(seed)
    of_bad: Counter[str] = Counter()
    of_honest: Counter[str] = Counter()
    honest = 0
    for study in range(studies):
        for report in rater_reports(simulated_study(generator, bad, items=items), ASPECT, resamples=300, seed=study):
            kinds = [finding.kind for finding in report.findings]
            if report.rater == "bad":
                of_bad.update(kinds)
            else:
                of_honest.update(kinds)
                honest += 1
    return of_bad, of_honest, honest


def alpha_coverage(items: int, studies: int) -> float:
    """How often the 95 % interval holds the true alpha, 1/2: quality and noise have equal variance."""
    generator = np.random.default_rng(1)
    inside = 0
    for study in range(studies):
        scores = generator.normal(size=(items, 4, 1)) + generator.normal(size=(items, 4, 3))
        interval = krippendorff_alpha(scores, resamples=300, seed=study).interval
        assert interval is not None
        inside += 0.5 in interval
    return inside / studies


if __name__ == "__main__":
    STUDIES = 400
    for number in (12, 25, 40, 70):
        print(f"{number} items: the interval of alpha holds the truth in {alpha_coverage(number, 2000):.1%}")
    for number in (12, 25, 70):
        for kind in (None, *BAD):
            found, blamed, innocent = findings(kind, STUDIES, items=number)
            shown = ", ".join(f"{name} {count / STUDIES:.0%}" for name, count in found.most_common()) or "-"
            false = ", ".join(f"{name} {count / innocent:.1%}" for name, count in blamed.most_common()) or "none"
            print(f"{number} items, bad rater: {kind or 'none':<9} found: {shown:<40} honest ones blamed: {false}")
