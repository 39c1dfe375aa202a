"""`plainwright study agree`: what it prints, what programs read, and one sentence for what cannot be done."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Run
from tests.study.simulated_raters import simulated_study

from plainwright.study.agreement import krippendorff_alpha, repeated_kappa
from plainwright.study.ratings import Ratings, Scale, read_ratings

QUICK = ("--resamples", 100, "--draws", 50)  # where the test is not about the numbers
EXAMPLE = Path(__file__).parents[2] / "examples" / "ratings.csv"


def _write(path: Path, ratings: Ratings, scale: str = "1..5 by 1") -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", "system", "rater", "aspect", "score", "scale", "order"])
        for row in ratings:
            writer.writerow([row.item, row.system, row.rater, row.aspect, row.score, scale, row.order])
    return path


def test_a_table_for_people_and_a_sentence_on_each_aspect(plainwright: Run) -> None:
    done = plainwright("study", "agree", EXAMPLE)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 120
    [row] = [line for line in lines if line.startswith("meaning  ")]
    cube = read_ratings(EXAMPLE).cube("meaning")
    alpha = krippendorff_alpha(cube.scores)
    kappa = repeated_kappa(cube.scores, Scale(1, 5, 1)).median
    for estimate in (alpha, kappa):
        assert estimate.interval is not None
        assert f"{estimate.value:.2f} [{estimate.interval.low:.2f}, {estimate.interval.high:.2f}]" in row
    assert sum("as much as ratings dealt out at random would" in line for line in lines) == 3
    assert sum(line.startswith("ann ") for line in lines) == 3


def test_json_has_every_number_with_its_interval(plainwright: Run) -> None:
    done = plainwright("study", "agree", EXAMPLE, "--json", "--aspect", "simplicity", "--values", "z", "--seed", 3)
    document = json.loads(done.stdout)
    [aspect] = document["aspects"]
    assert (aspect["aspect"], aspect["values"], aspect["level"], aspect["seed"]) == ("simplicity", "z", "interval", 3)
    assert (aspect["items"], aspect["systems"], aspect["outputs"], aspect["ratings"]) == (12, 4, 48, 144)
    for name in ("alpha", "kappa"):
        low, high = aspect[name]["interval"]
        assert low < aspect[name]["value"] < high
    assert aspect["kappa"]["rounding"] == "away"
    assert len(aspect["correlations"]["pairs"]) == 3
    assert [report["rater"] for report in aspect["raters"]] == ["ann", "ben", "cleo"]
    assert all("drift" in report and "with_others" in report for report in aspect["raters"])


def test_level_rounding_and_draws_reach_the_numbers(plainwright: Run) -> None:
    def aspect(*arguments: object) -> dict[str, dict[str, float]]:
        done = plainwright("study", "agree", EXAMPLE, "--json", "--aspect", "simplicity", "--resamples", 50, *arguments)
        found: dict[str, dict[str, float]] = json.loads(done.stdout)["aspects"][0]
        return found

    usual = aspect()
    assert aspect("--level", "nominal")["alpha"]["value"] < usual["alpha"]["value"]
    other = aspect("--rounding", "down", "--draws", 50)["kappa"]
    assert (other["rounding"], other["draws"]) == ("down", 50)
    assert other["value"] != usual["kappa"]["value"]


def test_raters_who_stand_out_get_a_sentence(plainwright: Run, tmp_path: Path) -> None:
    study = simulated_study(np.random.default_rng(1), "contrary")
    done = plainwright("study", "agree", _write(tmp_path / "ratings.csv", study), "--draws", 50)
    assert done.returncode == 0
    [finding] = [line for line in done.stdout.splitlines() if line.startswith("  ! ")]
    assert "rater 'bad' goes against the others" in finding


def test_two_raters_have_cohens_kappa(plainwright: Run, tmp_path: Path) -> None:
    study = simulated_study(np.random.default_rng(1), raters=2)
    done = plainwright("study", "agree", _write(tmp_path / "ratings.csv", study), "--json", *QUICK)
    kappa = json.loads(done.stdout)["aspects"][0]["kappa"]
    assert 0 < kappa["value"] < 1
    assert "draws" not in kappa


def test_without_steps_there_is_alpha_and_a_reason_for_no_kappa(plainwright: Run, tmp_path: Path) -> None:
    study = simulated_study(np.random.default_rng(1))
    done = plainwright("study", "agree", _write(tmp_path / "ratings.csv", study, scale="1..5"), *QUICK)
    assert "There is no kappa: kappa needs a scale with steps, and 1..5 has none; use alpha." in done.stdout
    done = plainwright("study", "agree", _write(tmp_path / "ratings.csv", study, scale=""), *QUICK)
    assert "scale not stated" in done.stdout
    assert "There is no kappa: kappa needs one scale with steps" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("keep", "reason"),
    [
        (lambda row: row.rater == "honest 1", "agreement needs at least two raters, found 1"),
        (lambda row: row.item in "01", "agreement needs at least 3 items that two raters have rated, found 2"),
        (lambda row: int(row.item) % 5 == int(row.rater[-1]), "no output was rated by two raters"),
        (lambda row: row.score == 3, "without any difference, agreement cannot be told from chance"),
    ],
)
def test_what_cannot_be_computed_is_said_and_nothing_is_nan(
    plainwright: Run, tmp_path: Path, keep: object, reason: str
) -> None:
    study = simulated_study(np.random.default_rng(1))
    kept = Ratings(tuple(row for row in study if keep(row)))  # type: ignore[operator]
    done = plainwright("study", "agree", _write(tmp_path / "ratings.csv", kept), *QUICK)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"There is no alpha: {reason}" in " ".join(done.stdout.split()) or (
        "There is no alpha: all " in done.stdout and reason in " ".join(done.stdout.split())
    )
    assert "nan" not in done.stdout
    as_json = plainwright("study", "agree", tmp_path / "ratings.csv", "--json", *QUICK)
    assert reason in json.loads(as_json.stdout)["aspects"][0]["alpha"]["problem"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--aspect", "simplcity"], "unknown aspect 'simplcity'; did you mean simplicity?"),
        (["--draws", "0"], "--draws: expected a number from 1 to 100,000, found 0"),
        (["--resamples", "0"], "--resamples: expected a number from 1 to 1,000,000, found 0"),
        (["--level", "ordnal"], "--level"),
    ],
)
def test_wrong_options_are_one_line(plainwright: Run, arguments: list[str], message: str) -> None:
    done = plainwright("study", "agree", EXAMPLE, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("plainwright: ")
    assert message in line


def test_ratio_level_on_negative_scores_is_explained(plainwright: Run, tmp_path: Path) -> None:
    study = simulated_study(np.random.default_rng(1))
    done = plainwright(
        "study", "agree", _write(tmp_path / "ratings.csv", study), "--values", "z", "--level", "ratio", *QUICK
    )
    assert done.returncode == 0
    assert "There is no alpha: the ratio level needs scores of 0 or more" in done.stdout
