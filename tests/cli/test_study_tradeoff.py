"""`plainwright study tradeoff`: tables, JSON and one sentence for what cannot be computed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.cli.rated import EXAMPLE, changed_example


def test_every_pair_of_aspects_has_a_table_and_sentences(plainwright: Run) -> None:
    done = plainwright("study", "tradeoff", EXAMPLE)
    assert (done.returncode, done.stderr) == (0, "")
    for pair in ("meaning against fluency", "simplicity against fluency", "simplicity against meaning"):
        assert f"{pair}: 48 outputs" in done.stdout
    assert done.stdout.count("within sources") == 3
    assert "Outputs with higher meaning have lower simplicity" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 120


def test_json_has_the_points_and_the_line_of_the_plot(plainwright: Run) -> None:
    done = plainwright("study", "tradeoff", EXAMPLE, "--aspect", "meaning,simplicity", "--resamples", 50, "--json")
    [found] = json.loads(done.stdout)["tradeoffs"]
    assert (found["first"], found["second"], found["outputs"], len(found["points"])) == (
        "meaning",
        "simplicity",
        48,
        48,
    )
    assert len(found["line"]) == 2
    assert set(found["relations"][0]["r"]) == {"value", "n", "interval", "confidence", "p_value"}


def test_a_constant_aspect_is_explained_beside_the_others(plainwright: Run, tmp_path: Path) -> None:
    def flat(row: dict[str, str]) -> dict[str, str]:
        return {**row, "score": "3"} if row["aspect"] == "fluency" else row

    path = changed_example(tmp_path / "flat.csv", flat)
    done = plainwright("study", "tradeoff", path)
    assert done.returncode == 0
    assert (
        "meaning against fluency: a trade-off with fluency needs ratings that differ, and every one is 3" in done.stdout
    )
    assert "simplicity against meaning: 48 outputs" in done.stdout
    problems = [
        pair
        for pair in json.loads(plainwright("study", "tradeoff", path, "--json").stdout)["tradeoffs"]
        if "problem" in pair
    ]
    assert [(pair["first"], pair["second"]) for pair in problems] == [("fluency", "meaning"), ("fluency", "simplicity")]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--aspect", "meaning"), "a trade-off needs two aspects, found only 'meaning'"),
        (("--aspect", "meaning,simplcity"), "did you mean simplicity?"),
        (("--resamples", "0"), "--resamples: expected a number from 1"),
    ],
)
def test_bad_input_is_one_sentence(plainwright: Run, arguments: tuple[str, ...], sentence: str) -> None:
    done = plainwright("study", "tradeoff", EXAMPLE, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert sentence in line


def test_two_sources_are_too_few(plainwright: Run, tmp_path: Path) -> None:
    path = changed_example(tmp_path / "two.csv", lambda row: row if row["item"] in ("1", "2") else None)
    done = plainwright("study", "tradeoff", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "at least 3 rated sources, found 2" in done.stderr
