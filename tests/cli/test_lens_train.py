"""`plainwright lens train` without torch: ridge regression on a tiny encoder, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.lens.tiny import save_tiny_encoder
from tests.lens.training.rated import toy_ratings

COLUMNS = ("item", "system", "rater", "aspect", "score", "source", "output")
QUICK = ("--no-neural", "--no-companion", "--folds", "2", "--resamples", "20", "--fewer-references", "none")


@pytest.fixture
def rated(toy: Path) -> Path:
    """ratings.csv, refs.tsv and the folder of an encoder."""
    ratings, references = toy_ratings(sources=6)
    with (toy / "ratings.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        writer.writerows([getattr(row, name) for name in COLUMNS] for row in ratings)
    sources = {row.item: row.source for row in ratings}
    lines = ["\t".join([str(sources[item]), *group]) for item, group in references.items()]
    (toy / "refs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    save_tiny_encoder(toy / "encoder")
    return toy


def arguments(*more: str) -> list[str]:
    return [
        *("lens", "train", "ratings.csv", "--references", "refs.tsv", "--save", "model", "--encoder", "encoder"),
        *(*QUICK, *more),
    ]


def test_a_model_comes_out_and_scores(plainwright, rated):
    done = plainwright(*arguments())
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "30 outputs of 5 systems, 6 sources, 3 raters, overall"
    assert "Pearson" in done.stdout
    info = json.loads(plainwright("lens", "info", "--lens-model", "model", "--json").stdout)
    assert info["name"] == "model"
    assert info["provenance"]["ratings"] == "ratings.csv"
    again = json.loads(plainwright(*arguments("--json")).stdout)
    assert [one["name"] for one in again["agreement"]] == ["linear"]
    assert again["seed"] == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--no-linear"], "a model needs a member"),
        (["--k", "0"], "--k: expected a number from 1, or all, found '0'"),
        (["--hidden", "64,no"], "--hidden: expected numbers"),
        (["--tune", "bottom"], "expected none, all or top:N"),
        (["--folds", "4"], "4 folds need at least 8 different source sentences, found 6"),
        (["--fold", "2"], "--fold: expected a number from 0 to 1, found 2"),
        (["--seeds", "0"], "--seeds: expected a number from 1 to 100, found 0"),
        (["--dropout", "1"], "--dropout: expected a number from 0 to below 1, found 1"),
        (["--spoilt-weight", "-1"], "--spoilt-weight: expected a number from 0, found -1"),
        (["--margin", "nan"], "--margin: expected a number from 0, found nan"),
        (["--aspect", "overal"], "did you mean overall?"),
        (["--encoder", "minilmm"], "did you mean minilm?"),
        (["--resume"], "expected a training to go on with, found none"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(plainwright, rated, more, message):
    done = plainwright(*arguments(*more))
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not list(rated.glob("model*"))


def test_references_of_other_sentences_are_refused(plainwright, rated):
    (rated / "refs.tsv").write_text("Another sentence .\tOther .\n", encoding="utf-8")
    done = plainwright(*arguments())
    assert done.returncode == 2
    assert "expected references for the sources of the ratings" in done.stderr


def test_ratings_without_texts_are_refused(plainwright, rated):
    rows = list(csv.reader((rated / "ratings.csv").read_text(encoding="utf-8").splitlines()))
    with (rated / "ratings.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(row[:5] for row in rows)
    done = plainwright(*arguments())
    assert done.returncode == 2
    assert "these ratings come without the texts that were rated" in done.stderr


def test_a_rater_who_tells_nothing_apart_is_named(plainwright, rated):
    text = (rated / "ratings.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(text.splitlines()))
    with (rated / "ratings.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([*row[:4], "50", *row[5:]] if row[2] == "r1" else row for row in rows)
    done = plainwright(*arguments())
    assert done.returncode == 0
    assert "1 of 3 raters gave all outputs the same score and are left out (the first is 'r1' with 50" in done.stderr
