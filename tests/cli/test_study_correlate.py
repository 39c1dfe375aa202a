"""`plainwright study correlate` on the example ratings, and what it says of input that cannot be used."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests import in_process
from tests.cli.rated import EXAMPLE as RATINGS
from tests.cli.rated import changed_example

REFERENCES = RATINGS.with_name("ratings.references.tsv")


@pytest.fixture
def correlate():
    """The command with few resamples: these tests look at what is said, not at how sure it is."""

    def call(*arguments, ratings: object = RATINGS):
        return in_process.run("study", "correlate", ratings, "--resamples", 50, *arguments)

    return call


@pytest.fixture
def changed(tmp_path):
    """The example ratings with rows left out or changed."""
    return lambda change: changed_example(tmp_path / "changed.csv", change)


def scores_file(path: Path, value) -> Path:
    lines = ["item,system,metric,value"]
    with RATINGS.open(encoding="utf-8", newline="") as stream:
        outputs = dict.fromkeys((row["item"], row["system"]) for row in csv.DictReader(stream))
    lines += [f"{item},{system},mine,{value(item, system)}" for item, system in outputs]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_table_says_what_was_done_and_what_it_means(correlate):
    done = correlate("--references", REFERENCES)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].endswith("ratings.csv: 4 metrics against people's ratings")
    assert lines[1].startswith("Spearman's rho of systems, raw ratings; 95 % intervals from 50 resamples")
    assert [line.split()[0] for line in lines[3:8]] == ["metric", "sari", "bleu", "-fk", "ld"]
    assert "even a perfect order of 4 systems comes about by chance" in " ".join(done.stdout.split())
    assert "4 systems can be exchanged in so few ways" in done.stdout
    assert "nan" not in done.stdout.lower()
    assert max(map(len, lines)) <= 120


def test_json_holds_everything_and_no_nan(correlate):
    done = correlate("--references", REFERENCES, "--level", "sentence", "--coefficient", "kendall", "--json")
    found = json.loads(done.stdout, parse_constant=pytest.fail)
    assert found["protocol"]["level"] == "sentence"
    assert found["protocol"]["coefficient"] == "kendall"
    assert len(found["correlations"]) == 12
    assert {"metric", "aspect", "value", "n", "interval", "p_value"} <= set(found["correlations"][0])
    assert len(found["differences"]) == 18
    assert found["signatures"]["sari"].startswith("sari|variant:xu2016")
    assert len(found["conclusions"]) == 3


def test_pairs_by_operation_show_their_counts(correlate):
    arguments = ("--references", REFERENCES, "--level", "pairs", "--aspect", "simplicity", "--by-operation")
    found = json.loads(correlate(*arguments, "--raters", "majority", "--json").stdout)
    assert found["protocol"]["convention"]["min_difference"] == pytest.approx(0.2)  # 5 % of 1..5
    assert found["protocol"]["convention"]["raters"] == "majority"
    whole = [one for one in found["correlations"] if "operation" not in one]
    assert all(sum(one["pairs"].values()) == one["n"] > 0 for one in whole)
    done = correlate(*arguments)
    assert "pairs: any two outputs of a source; raters: unanimous, difference of each above 0.2" in done.stdout
    assert "concordant / discordant / tied" in done.stdout
    assert "paraphrase only" in done.stdout


def test_a_named_convention_and_a_change_of_it(correlate):
    done = correlate(
        "--references", REFERENCES, "--convention", "wmt14", "--level", "pairs", "--raters", "majority", "--json"
    )
    convention = json.loads(done.stdout)["protocol"]["convention"]
    assert convention == {
        "min_difference": 0,
        "at_least": False,
        "raters": "majority",
        "difference": "each",
        "metric_ties": "half",
        "pairs": "any",
    }


def test_only_outputs_of_one_operation_can_be_compared(correlate):
    arguments = ("--metrics", "ld,fk", "--level", "pairs", "--pairs", "same-operation", "--aspect", "simplicity")
    same = json.loads(correlate(*arguments, "--json").stdout)["correlations"][0]["n"]
    every = json.loads(correlate(*arguments[:4], *arguments[6:], "--json").stdout)["correlations"][0]["n"]
    assert 0 < same < every


def test_values_from_elsewhere_join_in(correlate, tmp_path):
    file = scores_file(tmp_path / "mine.csv", lambda item, system: len(system) + int(item) / 100)
    found = json.loads(correlate("--scores", file, "--metrics", "ld", "--json").stdout)
    assert list(found["signatures"]) == ["ld", "mine"]
    assert found["signatures"]["mine"] is None
    turned = json.loads(correlate("--scores", file, "--metrics", "ld", "--lower-is-better", "mine", "--json").stdout)
    values = [
        {one["aspect"]: one["value"] for one in result["correlations"] if one["metric"].endswith("mine")}
        for result in (found, turned)
    ]
    assert values[0]["simplicity"] == pytest.approx(-values[1]["simplicity"])


def test_without_texts_only_given_values_are_compared(correlate, changed, tmp_path):
    bare = changed(lambda row: {**row, "source": "", "output": ""})
    file = scores_file(tmp_path / "mine.csv", lambda item, system: len(system))
    done = correlate("--scores", file, ratings=bare)
    assert done.returncode == 0
    assert "No texts in these ratings: only the given values are compared." in done.stdout
    assert "mine: values as given" in done.stdout


def test_references_line_by_line(correlate, tmp_path):
    lines = [line.split("\t")[1] for line in REFERENCES.read_text(encoding="utf-8").splitlines()]
    file = tmp_path / "lines.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = correlate("--references", file, "--metrics", "bleu")
    assert "refs:1" in done.stdout
    file.write_text("\n".join(lines[:5]) + "\n", encoding="utf-8")
    done = correlate("--references", file, "--metrics", "bleu")
    assert done.returncode == 2
    assert "expected one reference a line for each of the 12 rated items, found 5 lines" in done.stderr


def test_a_system_that_is_a_reference_is_told_of(correlate, changed):
    texts = dict(line.split("\t")[:2] for line in REFERENCES.read_text(encoding="utf-8").splitlines())
    file = changed(lambda row: {**row, "output": texts[row["source"]]} if row["system"] == "copy" else row)
    done = correlate("--references", REFERENCES, ratings=file)
    assert "System 'copy' is a reference on every item" in done.stdout
    done = correlate("--references", REFERENCES, "--without", "copy", ratings=file)
    assert "is a reference" not in done.stdout
    assert "(3 systems)" in done.stdout


def test_without_references_what_needs_none_is_compared(correlate):
    done = correlate()
    assert "Sari is left out: it needs references." in done.stdout
    assert "-fk" in done.stdout


def test_two_variants_of_a_metric_are_two_metrics(correlate):
    done = correlate("--references", REFERENCES, "--metrics", "sari", "--variant", "easse", "xu2016")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()[3:6]] == ["metric", "sari=easse", "sari=xu2016"]


# Bad input: a statement or an error in one sentence, never a traceback.


def test_gaps_are_stated(correlate, changed):
    file = changed(lambda row: None if (row["item"], row["system"]) == ("2", "copy") else row)
    done = correlate("--references", REFERENCES, ratings=file)
    assert done.returncode == 0
    assert "1 of 4 systems were not rated on every item (copy on 11 of 12)" in done.stdout


def test_one_system_is_a_problem_in_words(correlate, changed):
    done = correlate(ratings=changed(lambda row: row if row["system"] == "copy" else None))
    assert done.returncode == 0
    assert "a correlation needs at least 3 points with both values, found 1" in done.stdout
    assert "nothing can be computed" in done.stdout


def test_two_items_have_no_intervals(correlate, changed):
    done = correlate(
        "--references", REFERENCES, ratings=changed(lambda row: row if row["item"] in ("1", "2") else None)
    )
    assert done.returncode == 0
    assert "drawing items again needs at least 3 of them, found 2" in " ".join(done.stdout.split())
    assert "without intervals nothing follows" in " ".join(done.stdout.split())


def test_a_constant_metric_is_a_problem_in_words(correlate, tmp_path):
    done = correlate("--scores", scores_file(tmp_path / "flat.csv", lambda *_: 7), "--metrics", "ld")
    assert done.returncode == 0
    assert "mine of systems is the same (7) at all 4 points" in " ".join(done.stdout.split())


def test_values_beyond_what_can_be_summed_are_refused(correlate, tmp_path):
    done = correlate("--scores", scores_file(tmp_path / "huge.csv", lambda *_: "-1e308"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "huge.csv:2: a score of -1e+308 cannot be computed with; expected scores up to 1e+12" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metrics", "sari"], "sari needs references, and none are given"),
        (["--metrics", "sarri"], "unknown metric 'sarri'; did you mean sari"),
        (["--variant", "bleu=x"], "unknown metric in --variant 'bleu'"),
        (["--aspect", "simplcity"], "unknown aspect 'simplcity'; did you mean simplicity"),
        (["--without", "copi"], "unknown system in --without 'copi'; did you mean copy"),
        (
            ["--level", "sentence", "--raters", "mean"],
            "--raters says which pairs count, and --level sentence has no pairs",
        ),
        (["--at-least"], "--at-least says which pairs count, and --level system has no pairs"),
        (["--convention", "wmt14"], "--convention says which pairs count, and --level system has no pairs"),
        (
            ["--level", "pairs", "--coefficient", "pearson"],
            "--level pairs and --coefficient pearson do not go together",
        ),
        (["--level", "pairs", "--min-difference", "-1"], "the minimum difference must be a number from 0 up"),
        (["--scores", "no.csv"], "no.csv"),
        (["--lower-is-better", "lens"], "unknown given metric 'lens'"),
        (["--references", "no.tsv"], "no.tsv"),
        (["--seed", "-1"], "--seed: expected a number from 0"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(correlate, arguments, message):
    done = correlate(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_no_texts_and_no_values(correlate, changed):
    done = correlate(ratings=changed(lambda row: {**row, "source": "", "output": ""}))
    assert done.returncode == 2
    assert "these ratings come without the texts that were rated" in done.stderr


def test_outputs_in_another_case_than_their_sources_are_told_of(correlate, changed):
    file = changed(lambda row: {**row, "source": row["source"].lower()})
    note = "sources are lower-cased, and the outputs of 4 of 4 systems are not (copy is the first)"
    assert note in " ".join(correlate("--metrics", "ld", ratings=file).stdout.split())
    assert "lower-cased" not in correlate("--metrics", "ld", "--lowercase", ratings=file).stdout
    assert "lower-cased" not in correlate("--metrics", "ld").stdout


def test_what_a_conclusion_says_is_not_said_again(correlate, changed):
    done = correlate("--references", REFERENCES, ratings=changed(lambda row: {**row, "score": "3"}))
    assert done.stdout.count("at all 4 points, so nothing can vary") == 3
    assert "significantly" not in done.stdout


def test_an_item_without_references(correlate, tmp_path):
    file = tmp_path / "some.tsv"
    file.write_text("\n".join(REFERENCES.read_text(encoding="utf-8").splitlines()[:-2]) + "\n", encoding="utf-8")
    done = correlate("--references", file, "--metrics", "sari")
    assert done.returncode == 2
    assert "sari needs references of every item, and there are none for '11' and 1 more" in done.stderr
    file.write_text("Another sentence .\tAnother one .\n", encoding="utf-8")
    done = correlate("--references", file, "--metrics", "sari")
    assert "expected references for the sources of the ratings" in done.stderr


def test_several_scales_need_a_difference(correlate, changed):
    file = changed(lambda row: {**row, "scale": "0..100"} if row["aspect"] == "meaning" else row)
    done = correlate("--level", "pairs", ratings=file)
    assert done.returncode == 2
    assert "needs one scale, found several scales; give --min-difference or --scale" in done.stderr
    assert correlate("--level", "pairs", "--min-difference", "0", ratings=file).returncode == 0
