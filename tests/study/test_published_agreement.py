"""Agreement on published ratings, beside what the papers print; the choices are in docs/studies/agreement.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainwright.study.agreement import krippendorff_alpha, repeated_kappa
from plainwright.study.ratings import Ratings, Scale, read_ratings, standardised

# Maddela et al. (2023), section 3.1: interval alpha on z-scores.
SIMPEVAL = {"simpeval/past": 0.70, "simpeval/2022": 0.32}


@pytest.mark.parametrize("name", SIMPEVAL)
def test_alpha_of_simpeval_is_that_of_its_paper(name: str, data_dir: Path) -> None:
    ratings = standardised(read_ratings(name, data=data_dir))
    estimate = krippendorff_alpha(ratings.cube("overall", "z").scores)
    assert estimate.value == pytest.approx(SIMPEVAL[name], abs=0.01)
    assert estimate.interval is not None
    assert SIMPEVAL[name] in estimate.interval


@pytest.fixture(scope="module")
def benchmark(data_dir: Path) -> Ratings:
    parts = [read_ratings(name, data=data_dir) for name in ("sulem2018/ratings", "hsplit/ratings")]
    return Ratings(tuple(row for part in parts for row in part))


def test_kappa_of_meaning_in_the_benchmark_of_sulem_is_that_of_the_paper(benchmark: Ratings) -> None:
    result = repeated_kappa(benchmark.cube("meaning").scores, Scale(1, 5, 1))
    assert result.median.n == 32 * 70
    assert result.median.value == pytest.approx(0.77, abs=0.005)  # Sulem et al. (2018), section 4.1


@pytest.mark.parametrize(("aspect", "paper"), [("grammaticality", 0.42), ("simplicity", 0.59)])
def test_kappa_of_other_aspects_is_not_and_the_documentation_says_so(
    benchmark: Ratings, aspect: str, paper: float
) -> None:
    scale = Scale(1, 5, 1) if aspect == "grammaticality" else Scale(-2, 2, 1)
    interval = repeated_kappa(benchmark.cube(aspect).scores, scale).median.interval
    assert interval is not None
    assert paper not in interval
