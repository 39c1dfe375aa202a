"""SimpEval 2022, a real study: in, and out again row for row; agreement as `study agree` has it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from tests.in_process import run

from plainwright import corpora

NAME = "simpeval/2022"


@pytest.fixture(scope="module")
def study(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("simpeval") / "study.toml"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAINWRIGHT_DATA", str(data_dir))
        done = run("rate", "init", path, "--simpeval", NAME, "--with-ratings")
    assert done.returncode == 0, done.stderr
    return path


def rows_in(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_it_comes_out_row_for_row(study, data_dir, tmp_path):
    [released, *_] = corpora.locate(NAME, data=data_dir)
    back = tmp_path / "back.csv"
    done = run("rate", "export", study, "--layout", "simpeval", "-o", back, "--normalisation", released)
    assert done.returncode == 0, done.stderr
    expected, found = rows_in(released), rows_in(back)
    assert len(expected) == len(found) == 360
    assert list(expected[0]) == list(found[0])
    for before, after in zip(expected, found, strict=True):
        for column, text in before.items():
            if column.endswith("_zscore"):
                assert float(after[column]) == pytest.approx(float(text), abs=1e-12)
            else:
                assert after[column] == text


def test_z_scores_of_its_own_are_not_the_released_ones(study, data_dir, tmp_path):
    # 0.0576: what docs/rate/results.md says of ratings that were not released
    back = tmp_path / "back.csv"
    run("rate", "export", study, "--layout", "simpeval", "-o", back)
    [released, *_] = corpora.locate(NAME, data=data_dir)
    apart = [
        abs(float(after[column]) - float(before[column]))
        for before, after in zip(rows_in(released), rows_in(back), strict=True)
        for column in (f"rating_{k}_zscore" for k in (1, 2, 3))
    ]
    assert max(apart) == pytest.approx(0.0576, abs=1e-4)


@pytest.mark.parametrize("values", ["raw", "z"])
def test_agreement_is_that_of_study_agree(study, values, data_dir):
    options = ("--resamples", "200", "--seed", "7")
    agree = json.loads(
        run(
            "study", "agree", NAME, "--values", values, "--json", "--data", data_dir, "--draws", "1000", *options
        ).stdout
    )["aspects"][0]
    found = json.loads(run("rate", "analyse", study, "--json", "--trials", "50", *options).stdout)
    ours = found["aspects"][0]["agreement"][values]
    for key in ("alpha", "items", "systems", "outputs", "ratings", "scale", "statement"):
        assert ours[key] == agree[key]
    # Raters have other names here, and numbers that are the same.
    assert ours["correlations"]["mean"] == agree["correlations"]["mean"]
    assert [report["mean"] for report in ours["raters"]] == [report["mean"] for report in agree["raters"]]
    assert [report["with_others"] for report in ours["raters"]] == [report["with_others"] for report in agree["raters"]]


def test_people_write_best_and_t5_last(study):
    found = json.loads(run("rate", "analyse", study, "--json", "--resamples", "50").stdout)["aspects"][0]["systems"]
    assert found["clusters"] == [
        ["Human 2 Writing", "Human 1 Writing", "GPT-3-few-shot"],
        ["GPT-3-zero-shot"],
        ["Muss"],
        ["T5-3B"],
    ]


def test_nothing_is_said_of_places_that_are_not_known(study):
    done = run("rate", "analyse", study, "--resamples", "20", "--trials", "20")
    assert "nobody knows in what order outputs were shown" in " ".join(done.stdout.split())
