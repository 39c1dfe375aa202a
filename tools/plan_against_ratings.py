"""Does `study plan` promise what real ratings keep? Studies drawn from public ratings, beside the formula.

    python tools/plan_against_ratings.py [DATA]

For every pair of systems: its difference over all ratings, the power that the formula promises for it from the
components of the whole set, and the share of drawn studies (sentences and raters with replacement, the same raters
for all outputs of a sentence) in which a paired t-test at 0.05 finds it in the right direction.
"""

from __future__ import annotations

import sys

import numpy as np

from plainwright.study import student
from plainwright.study.components import estimate_components
from plainwright.study.ratings import Cube, read_ratings
from plainwright.study.verdicts import verdicts

SETS = (
    ("simpeval/past", "overall"),
    ("sulem2018/ratings", "meaning"),
    ("sulem2018/ratings", "simplicity"),
    ("samsa2018/ratings", "grammaticality"),
)
DESIGNS = ((20, 1), (50, 1), (50, 3))  # sentences, raters
STUDIES = 1000


def main() -> None:
    """Print the mean over pairs of systems of what is found and of what was promised, and how far pairs lie apart."""
    data = sys.argv[1] if len(sys.argv) > 1 else None
    print("ratings, aspect, sentences x raters: found, promised, root mean square of the difference")  # noqa: T201
    for name, aspect in SETS:
        cube = read_ratings(name, data=data).cube(aspect)
        for sentences, raters in DESIGNS:
            found, promised = compared(cube, sentences, raters)
            apart = float(np.sqrt(((found - promised) ** 2).mean()))
            print(  # noqa: T201
                f"{name}, {aspect}, {sentences} x {raters}: {found.mean():.3f}, {promised.mean():.3f}, {apart:.3f}"
            )


def compared(cube: Cube, sentences: int, raters: int) -> tuple[np.ndarray, np.ndarray]:
    """For each pair of systems the share of drawn studies that find it, and its promised power."""
    generator = np.random.default_rng(1)
    means = cube.means.mean(axis=0)
    first, second = np.triu_indices(len(means), 1)
    difference = means[first] - means[second]
    items = generator.integers(0, len(cube.items), size=(STUDIES, sentences))
    people = generator.integers(0, len(cube.raters), size=(STUDIES, sentences, raters))
    drawn = cube.scores[items[..., None], :, people].mean(axis=2)
    found = (verdicts(drawn, 0.05, centre=means) * np.sign(difference) > 0).mean(axis=0)
    variance = estimate_components(cube, resamples=0).components.difference(raters)
    promised = student.power(np.abs(difference) * np.sqrt(sentences / variance), np.array(sentences - 1), 0.05)
    return found, promised


if __name__ == "__main__":
    main()
