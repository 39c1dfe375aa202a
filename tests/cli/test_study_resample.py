"""`plainwright study resample`: three curves, the protocol in words, and one sentence for what cannot be studied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.cli.rated import EXAMPLE, changed_example, on_sentences_of_its_own

_MEANING = ("study", "resample", EXAMPLE, "--aspect", "meaning", "--samples", 100)


def test_shows_three_curves_what_they_mean_and_how_it_was_done(plainwright: Run) -> None:
    done = plainwright(*_MEANING)
    assert (done.returncode, done.stderr) == (0, "")
    for title in ("Sentences, with all their raters", "Raters, with all sentences", "12 ratings a system"):
        assert title in done.stdout.splitlines()
    assert "100 samples with replacement for each size, seed 12345; paired t-test, two-sided, p < 0.01" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 120


def test_choices_of_the_protocol_are_options_and_stand_in_the_result(plainwright: Run) -> None:
    chosen = {
        "alpha": 0.05,
        "decision": "mean",
        "agreement": "matching",
        "undefined": "omit",
        "draw": "source",
        "sentences": "drawn",
        "budget_of": "study",
        "gain": 0.1,
        "seed": 7,
    }
    flags = [part for name, value in chosen.items() for part in (f"--{name.replace('_', '-')}", value)]
    done = plainwright(*_MEANING, "--sizes", "6,3", "--budget", 48, *flags, "--json")
    [result] = json.loads(done.stdout)["aspects"]
    assert result["protocol"] == {"samples": 100, **chosen}
    assert [point["sentences"] for point in result["sizes"]["points"]] == [3, 6]
    assert [(p["sentences"], p["raters"]) for p in result["budget"]["points"]] == [(12, 1), (6, 2), (4, 3)]


def test_an_aspect_without_differences_is_explained_beside_the_others(plainwright: Run) -> None:
    done = plainwright("study", "resample", EXAMPLE, "--samples", 50, "--alpha", 0.0001)
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "fluency: with all 12 sentences no two systems differ (paired t-test, p < 0.0001)" in text
    assert "meaning: 4 systems, 12 sources, up to 3 ratings an output" in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--sizes", "10,x"), "--sizes: expected whole numbers with commas between them, as in 10,20,50, found '10,x'"),
        (("--sizes", "1"), "--sizes: expected a number from 2"),
        (("--budget", "1"), "--budget: expected a number from 2"),
        (("--samples", "1"), "--samples: expected a number from 2"),
        (("--alpha", "2"), "between 0 and 1, got 2"),
        (("--budget-of", "study", "--budget", "7"), "a budget of 7 buys fewer than 2 sentences"),
    ],
)
def test_bad_numbers_are_one_sentence(plainwright: Run, arguments: tuple[str, ...], sentence: str) -> None:
    done = plainwright(*_MEANING, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert sentence in line


def test_one_system_cannot_be_studied_and_one_rater_only_in_part(plainwright: Run, tmp_path: Path) -> None:
    alone = changed_example(tmp_path / "alone.csv", lambda row: row if row["system"] == "copy" else None)
    done = plainwright("study", "resample", alone)
    assert (done.returncode, done.stdout) == (2, "")
    assert "these ratings have one, 'copy'; two are needed" in done.stderr
    single = changed_example(tmp_path / "single.csv", lambda row: row if row["rater"] == "ann" else None)
    done = plainwright("study", "resample", single, "--aspect", "meaning", "--samples", 50)
    assert done.returncode == 0
    assert "Raters, with all sentences: not studied, no output has two ratings of meaning" in done.stdout


def test_systems_on_sentences_of_their_own_cannot_be_compared(plainwright: Run, tmp_path: Path) -> None:
    apart = changed_example(tmp_path / "apart.csv", on_sentences_of_its_own)
    done = plainwright("study", "resample", apart, "--aspect", "meaning")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no two systems share more than 0 of 12; two are needed" in done.stderr
