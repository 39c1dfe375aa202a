"""Tables that people can read at any width; JSON and CSV that programs can read."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from tests.toy_set import CAREFUL, HASTY, REFERENCES, SOURCES

import plainwright
from plainwright.evaluation import Evaluation, EvaluationSet, EvaluationSettings, evaluate
from plainwright.evaluation.render import to_csv, to_json, to_table

TARGET = EvaluationSet(name=None, label="toy", segments=4, sources=SOURCES, references=REFERENCES)
ALL_METRICS = ("sari", "bleu", "fk", "fkbleu", "ibleu", "ld", "tbleu", "splits", "profile")


@pytest.fixture(scope="module")
def two() -> Evaluation:
    return evaluate(TARGET, {"careful": CAREFUL, "hasty": HASTY}, EvaluationSettings(resamples=100))


@pytest.fixture(scope="module")
def wordless() -> Evaluation:
    """An output without words has no lexical complexity."""
    return evaluate(TARGET, {"stops": (".",) * 4}, EvaluationSettings(resamples=10))


def no_constant(name: str) -> float:
    raise AssertionError(name)


def test_json_is_valid_and_complete(two: Evaluation) -> None:
    document = json.loads(to_json(two), parse_constant=no_constant)
    assert [system["name"] for system in document["systems"]] == ["careful", "hasty"]
    assert (document["segments"], document["seed"], document["resamples"]) == (4, 12345, 100)
    score = document["systems"][0]["scores"]["sari"]
    assert score["value"] == two.systems[0].scores["sari"].value  # all digits
    assert set(score["parts"]) == {"add", "keep", "delete"}
    assert score["interval"] == list(two.systems[0].scores["sari"].interval or ())
    assert score["signature"] == two.systems[0].scores["sari"].signature
    assert document["systems"][1]["comparisons"]["sari"]["best"] == "careful"
    assert "per_sentence" not in document["systems"][0]


def test_json_has_the_values_of_each_segment_when_asked(two: Evaluation) -> None:
    document = json.loads(to_json(two, per_sentence=True))
    values = document["systems"][0]["per_sentence"]
    assert values["sari"] == two.systems[0].segments["sari"].tolist()
    assert {len(column) for column in values.values()} == {4}


def test_a_value_that_does_not_exist_is_null_in_json_and_nothing_in_csv(wordless: Evaluation) -> None:
    document = json.loads(to_json(wordless, per_sentence=True), parse_constant=no_constant)
    system = document["systems"][0]
    assert system["scores"]["profile"]["parts"]["lexical_complexity"] is None
    assert system["per_sentence"]["profile.lexical_complexity"] == [None] * 4
    rows = list(csv.DictReader(io.StringIO(to_csv(wordless))))
    [row] = [row for row in rows if row["part"] == "lexical_complexity"]
    assert row["value"] == ""
    for row in csv.DictReader(io.StringIO(to_csv(wordless, per_sentence=True))):
        assert row["profile.lexical_complexity"] == ""


def test_a_value_that_does_not_exist_is_a_dash_in_the_table(wordless: Evaluation) -> None:
    text = to_table(wordless, width=80, colour=False)
    assert "nan" not in text
    assert "–" in text


def test_csv_has_a_row_for_each_system_metric_and_part(two: Evaluation) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(two))))
    found = {(row["system"], row["metric"], row["part"]): row for row in rows}
    expected = {
        (system.name, metric, part)
        for system in two.systems
        for metric, score in system.scores.items()
        for part in ("", *score.parts)
    }
    assert set(found) == expected
    assert len(rows) == len(expected)
    headline = found["hasty", "sari", ""]
    assert float(headline["value"]) == two.systems[1].scores["sari"].value
    assert float(headline["p_value"]) == two.systems[1].comparisons["sari"].p_value
    assert headline["signature"].startswith("sari|")


def test_csv_of_each_sentence_has_a_row_for_each_system_and_segment(two: Evaluation) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(two, per_sentence=True))))
    assert [(row["system"], row["segment"]) for row in rows] == [
        (name, str(number)) for name in ("careful", "hasty") for number in (1, 2, 3, 4)
    ]
    assert [float(row["bleu"]) for row in rows[:4]] == two.systems[0].segments["bleu"].tolist()


@pytest.mark.parametrize("per_sentence", [False, True])
def test_no_system_name_becomes_a_formula_in_a_spreadsheet(per_sentence: bool) -> None:
    evaluation = evaluate(TARGET, {"=cmd()": CAREFUL, "+1": HASTY}, EvaluationSettings(resamples=10))
    rows = list(csv.DictReader(io.StringIO(to_csv(evaluation, per_sentence=per_sentence))))
    assert {row["system"] for row in rows} == {"'=cmd()", "+1"}  # a number stays one
    assert {system["name"] for system in json.loads(to_json(evaluation))["systems"]} == {"=cmd()", "+1"}


@pytest.mark.parametrize("colour", [False, True])
def test_no_name_moves_the_cursor(colour: bool) -> None:
    target = EvaluationSet(name=None, label="toy", segments=4, sources=SOURCES, references=REFERENCES)
    plain, odd = (
        to_table(
            evaluate(target, {name: CAREFUL, "b": HASTY}, EvaluationSettings(resamples=10)), width=100, colour=colour
        )
        for name in ("a\ufffd[2Jb", "a\x1b[2Jb")
    )
    assert odd == plain
    assert "a\ufffd[2Jb" in odd


def test_a_system_name_with_commas_quotes_and_breaks_survives_csv_and_json() -> None:
    name = 'a,"b"\n[red]:cat:'
    result = evaluate(TARGET, {name: CAREFUL}, EvaluationSettings(metrics=("fk",), intervals=False))
    assert next(csv.DictReader(io.StringIO(to_csv(result))))["system"] == name
    assert json.loads(to_json(result))["systems"][0]["name"] == name


@pytest.mark.parametrize("name", ["[red]x[/red]", "[/nonsense]", ":cat:", "a[1]", "\\[b]"])
@pytest.mark.parametrize("colour", [False, True])
def test_a_system_name_is_never_read_as_markup(name: str, colour: bool) -> None:
    result = evaluate(TARGET, {name: CAREFUL}, EvaluationSettings(intervals=False))
    assert to_table(result, width=100, colour=colour).count(name) == 2  # in the scores and in the profile


@pytest.mark.parametrize("width", [80, 81, 100, 160])
@pytest.mark.parametrize("name", ["s", "Simple Wikipedia", "a-very-long-name-without-any-space-" * 3])
@pytest.mark.parametrize("metrics", [None, ALL_METRICS])
def test_no_number_is_cut_at_any_width(width: int, name: str, metrics: tuple[str, ...] | None) -> None:
    result = evaluate(TARGET, {name: CAREFUL, "hasty": HASTY}, EvaluationSettings(resamples=100, metrics=metrics))
    text = to_table(result, width=width, colour=False)
    tables = text.partition("Below each value")[0]
    assert "…" not in text
    assert max(map(len, tables.splitlines())) <= width
    numbers = re.findall(r"(?<![\w.-])-?\d+\.\d\d(?![\d])", tables)
    expected = []
    for system in result.systems:
        for metric, score in system.scores.items():
            assert score.interval is not None
            if metric != "profile":
                expected.append(f"{score.value:.2f}")
                assert "{:.1f} to {:.1f}".format(*score.interval) in tables
            if metric in ("sari", "splits", "profile"):
                expected += [f"{value:.2f}" for value in score.parts.values()]
    assert sorted(numbers) == sorted(expected)
    folded = "".join(line[: width // 4].strip() for line in tables.splitlines())
    assert name in folded


def test_columns_stand_below_their_headings(two: Evaluation) -> None:
    lines = to_table(two, width=120, colour=False).splitlines()
    header = lines[1]
    for row in (lines[2], lines[4]):
        for part in ("add", "keep", "delete"):
            end = header.index(f" {part}") + len(part) + 1
            assert row[end - 3] == "."  # two decimals, the last digit below the last letter


def test_the_star_marks_what_differs_from_the_best() -> None:
    target = EvaluationSet(name="x/y", label="x/y", segments=40, sources=SOURCES * 10, references=REFERENCES * 10)
    result = evaluate(target, {"careful": CAREFUL * 10, "hasty": HASTY * 10}, EvaluationSettings(metrics=("sari",)))
    text = to_table(result, width=80, colour=False)
    assert text.startswith("x/y: 40 segments, 2 references\n")
    assert re.search(r"^careful +\d+\.\d\d  ", text, flags=re.MULTILINE)
    assert re.search(r"^hasty +\d+\.\d\d\* ", text, flags=re.MULTILINE)
    assert "* differs from the best system at p < 0.05 by approximate randomisation." in text


def test_headings_show_the_direction_and_the_footer_the_signatures(two: Evaluation) -> None:
    text = to_table(two, width=160, colour=False)
    assert "SARI ↑" in text
    assert "FK ↓" in text
    assert "95% interval, 100 bootstrap resamples of the segments, seed 12345" in text
    for score in two.systems[0].scores.values():
        assert f"\n{score.signature}\n" in text


def test_one_system_without_intervals_is_a_short_table() -> None:
    result = evaluate(TARGET, {"careful": CAREFUL}, EvaluationSettings(metrics=("fk",), intervals=False))
    expected = result.systems[0].scores["fk"]
    assert to_table(result, width=80, colour=False) == (
        f"your files: 4 segments, 2 references\nsystem   FK ↓\ncareful  {expected.value:.2f}\n\n{expected.signature}\n"
    )


def test_colour_only_adds_escapes(two: Evaluation) -> None:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", to_table(two, width=100, colour=True)).replace(" (bold)", "")
    lines = [line.rstrip() for line in plain.splitlines()]
    assert lines == to_table(two, width=100, colour=False).splitlines()


def test_varying_numbers_of_references_are_a_range() -> None:
    target = EvaluationSet(
        name=None, label="toy", segments=2, sources=SOURCES[:2], references=(REFERENCES[0], REFERENCES[1][:1])
    )
    text = to_table(
        evaluate(target, {"careful": CAREFUL[:2]}, EvaluationSettings(resamples=10)), width=80, colour=False
    )
    assert text.startswith("your files: 2 segments, 1 to 2 references\n")
    assert "refs:1-2" in text


def test_variants_of_a_metric_stand_side_by_side() -> None:
    settings = EvaluationSettings(metrics=("sari",), variants={"sari": ["easse", "xu2016"]}, intervals=False)
    result = evaluate(TARGET, {"careful": CAREFUL, "hasty": HASTY}, settings)
    header, *rows = to_table(result, width=160, colour=False).splitlines()[1:4]
    parts = ["add", "keep", "delete"]
    assert header.split() == ["system", "SARI", "easse", "↑", *parts, "SARI", "xu2016", "↑", *parts]
    for row, system in zip(rows, result.systems, strict=True):
        easse, xu2016 = (system.scores[f"sari={variant}"] for variant in ("easse", "xu2016"))
        shown = [easse.value, *easse.parts.values(), xu2016.value, *xu2016.parts.values()]
        assert row.split() == [system.name, *(f"{value:.2f}" for value in shown)]
    scores = json.loads(to_json(result))["systems"][0]["scores"]
    assert {name: score["metric"] for name, score in scores.items()} == {"sari=easse": "sari", "sari=xu2016": "sari"}
    listed = [row["metric"] for row in csv.DictReader(io.StringIO(to_csv(result))) if not row["part"]]
    assert listed == ["sari=easse", "sari=xu2016"] * 2


def test_a_table_is_text_in_a_notebook_as_well(monkeypatch):
    """Where rich thinks that it runs in Jupyter, it shows text instead of writing it to its stream."""
    evaluation = plainwright.evaluate(["A cat sat."], metrics=["fk"], intervals=False)
    expected = str(evaluation)
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert "FK" in expected
    assert str(evaluation) == expected
