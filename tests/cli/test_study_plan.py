"""`plainwright study plan`: the answer, what it rests on, and questions that have none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.cli.rated import EXAMPLE, changed_example, on_sentences_of_its_own

_QUESTION = ("study", "plan", "--systems", "4", "--difference", "0.2", "--budget", "1200")


def test_answers_with_a_table_of_splits_and_what_it_assumes(plainwright: Run) -> None:
    done = plainwright(*_QUESTION)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "4 systems, a difference of 0.2 on 1..5, 1,200 ratings"
    assert "Rate 300 sentences, 1 rater an output: 1,200 ratings find a difference of 0.2" in done.stdout
    for heading in (
        "Power by sentences (across) and raters an output (down), whatever it costs",
        "What this assumes",
        "Spread of ratings (the median of 6 public sets of ratings)",
    ):
        assert heading in lines
    assert max(map(len, lines)) <= 120


def test_json_has_designs_curves_and_assumptions(plainwright: Run) -> None:
    document = json.loads(plainwright(*_QUESTION, "--json").stdout)
    assert document["goal"]["comparisons"] == 6
    assert [design["raters"] for design in document["designs"]] == list(range(1, 11))
    assert [curve["fixed"] for curve in document["sentence_curves"]] == [1, 2, 3, 5, 10]
    assert document["rater_curve"]["sizes"] == list(range(1, 11))
    assert len(document["public"]) == 6
    assert document["assumptions"]


def test_a_pilot_brings_its_scale_spread_and_intervals(plainwright: Run) -> None:
    done = plainwright(*_QUESTION, "--from", EXAMPLE, "--aspect", "meaning", "--json")
    document = json.loads(done.stdout)
    assert document["scale"] == "1..5 by 1"
    assert document["recommended"]["power_interval"]["low"] < document["recommended"]["power"]
    assert document["pilot"]["deviations"]["residual"]["interval"]
    text = plainwright(*_QUESTION, "--from", EXAMPLE, "--aspect", "meaning").stdout
    assert f"Spread of ratings (meaning in {EXAMPLE}, 144 ratings)" in text


def test_given_deviations_and_limits_are_used(plainwright: Run) -> None:
    given = ("--item-sd", "1", "--interaction-sd", "0.4", "--rater-sd", "0.3", "--noise-sd", "0.6")
    limits = (
        "--max-sentences",
        "100",
        "--max-raters",
        "4",
        "--raters",
        "different",
        "--power",
        "0.9",
        "--alpha",
        "0.01",
    )
    others = ("--correction", "bonferroni", "--compare", "baseline", "--scale", "0..10")
    document = json.loads(plainwright(*_QUESTION, *given, *limits, *others, "--json").stdout)
    assert document["deviations"]["residual"] == pytest.approx(0.6)
    assert document["goal"]["level"] == pytest.approx(0.01 / 3)
    assert document["public"] == {}
    assert document["scale"] == "0..10"
    assert (document["recommended"]["sentences"], document["recommended"]["raters"]) == (100, 3)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--budget", "3"), "a budget of 3 ratings is below one for each of 4 systems"),
        (("--difference", "0"), "the difference to find must be above 0, got 0"),
        (("--difference", "-1"), "the difference to find must be above 0, got -1"),
        (("--systems", "1"), "--systems: expected a number from 2 to 1,000, found 1"),
        (("--difference", "20"), "a difference of 20 does not fit on a scale of 1..5"),
        (("--scale", "five"), "expected a scale such as"),
        (("--noise-sd", "-1"), "--noise-sd: expected a standard deviation from 0 to 1,000,000, found -1"),
        (("--aspect", "meaning"), "--aspect needs ratings to take it from; give --from RATINGS"),
        (("--from", EXAMPLE), "these ratings have 3 aspects, fluency, meaning, simplicity; choose one with --aspect"),
        (("--from", EXAMPLE, "--aspect", "meaning", "--scale", "0..100"), "rated on 1..5 by 1, not on 0..100"),
        (("--from", EXAMPLE, "--aspect", "mening"), "did you mean meaning?"),
        (("--from", "nowhere.csv"), "nowhere.csv"),
    ],
)
def test_questions_without_an_answer_are_one_sentence(
    plainwright: Run, arguments: tuple[object, ...], sentence: str
) -> None:
    done = plainwright(*_QUESTION, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert sentence in line


def test_a_pilot_by_one_rater_asks_for_the_interaction(plainwright: Run, tmp_path: Path) -> None:
    single = changed_example(tmp_path / "single.csv", lambda row: row if row["rater"] == "ann" else None)
    done = plainwright(*_QUESTION, "--from", single, "--aspect", "meaning")
    assert (done.returncode, done.stdout) == (2, "")
    assert "ratings that have one rating for each output do not show" in done.stderr
    assert "give --interaction-sd" in done.stderr
    assert plainwright(*_QUESTION, "--from", single, "--aspect", "meaning", "--interaction-sd", "0.4").returncode == 0


def test_a_pilot_without_a_shared_sentence_asks_for_the_interaction(plainwright: Run, tmp_path: Path) -> None:
    apart = changed_example(tmp_path / "apart.csv", on_sentences_of_its_own)
    done = plainwright(*_QUESTION, "--from", apart, "--aspect", "meaning")
    assert (done.returncode, done.stdout) == (2, "")
    assert "ratings that have no sentence with outputs of two systems do not show" in done.stderr
