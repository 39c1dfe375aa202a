"""`plainwright study ratings`: what it prints, writes and refuses."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from plainwright.study.ratings import read_ratings
from plainwright.study.ratings.layout import COLUMNS

from .conftest import Run

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "ratings.csv"
HEADER = "item,system,rater,aspect,score"


@pytest.fixture
def example(toy: Path) -> Path:
    return Path(shutil.copy(EXAMPLE, toy / "ratings.csv"))


def test_counts_scales_and_gaps_stand_in_a_table(plainwright: Run, example: Path) -> None:
    rows = example.read_text().splitlines(keepends=True)
    example.write_text("".join(row for row in rows if not row.startswith("12,") or ",short," not in row))
    done = plainwright("study", "ratings", "ratings.csv")
    assert (done.returncode, done.stderr) == (0, "")
    title, _, header, *body = done.stdout.splitlines()
    assert title == "ratings.csv: 423 ratings by 3 raters of 4 systems on 12 items"
    assert header.split()[:4] == ["aspect", "scale", "ratings", "items"]
    assert body[0].split()[4:9] == ["141", "12", "4", "3", "2"]
    assert body[0].endswith(" 3    1 of 48")
    assert body[4:] == ["Nobody rated fluency, meaning, simplicity of 1 output, by system: short (1)."]


def test_json_is_one_object_with_the_same(plainwright: Run, example: Path) -> None:
    done = plainwright("study", "ratings", example, "--json", "--ddof", "1")
    found = json.loads(done.stdout)
    assert (found["ratings"], found["items"], found["ddof"], found["notes"]) == (432, 12, 1, [])
    assert [aspect["aspect"] for aspect in found["aspects"]] == ["fluency", "meaning", "simplicity"]
    assert found["aspects"][2]["scale"] == "1..5 by 1"


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "csv.gz"])
def test_the_long_table_is_saved_with_z_scores_and_can_be_read_again(
    plainwright: Run, example: Path, ending: str
) -> None:
    target = example.with_name(f"long.{ending}")
    done = plainwright("study", "ratings", "ratings.csv", "--save", target.name)
    assert done.returncode == 0
    assert done.stdout.endswith(f"\nSaved 432 ratings as long.{ending}.\n")
    again = read_ratings(target)
    assert [row.score for row in again] == [row.score for row in read_ratings(example)]
    assert all(row.z is not None for row in again)
    first = plainwright("study", "ratings", "ratings.csv").stdout.splitlines()[1:]
    assert plainwright("study", "ratings", target.name).stdout.splitlines()[1:] == first


def test_the_choice_of_ddof_reaches_the_z_scores(plainwright: Run, toy: Path) -> None:
    (toy / "r.csv").write_text(f"{HEADER}\n1,a,x,s,1\n2,a,x,s,3\n")
    for ddof, expected in (("0", "-1"), ("1", "-0.7071067811865475")):
        assert plainwright("study", "ratings", "r.csv", "-o", "z.csv", "--ddof", ddof).returncode == 0
        with (toy / "z.csv").open(newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert tuple(rows[0]) == COLUMNS
        assert rows[0]["z"] == expected


def test_columns_layout_and_scale_can_be_told(plainwright: Run, toy: Path) -> None:
    (toy / "r.csv").write_text("id,system,who,aspect,score\n1,a,x,s,1\n2,a,x,s,3\n")
    told = ["--columns", "item=id, rater=who", "--scale", "1..5 by 1", "--layout", "long"]
    done = plainwright("study", "ratings", "r.csv", *told)
    assert done.returncode == 0
    assert "1..5 by 1" in done.stdout


def test_a_file_with_a_column_for_each_aspect_is_read(plainwright: Run, toy: Path) -> None:
    (toy / "r.csv").write_text("item,system,rater,ease,sense\n1,a,x,1,2\n2,a,x,3,4\n")
    found = json.loads(plainwright("study", "ratings", "r.csv", "--scores-in", "ease, sense", "--json").stdout)
    assert [(aspect["aspect"], aspect["mean"]) for aspect in found["aspects"]] == [("ease", 2), ("sense", 3)]


def test_standard_input_is_read(plainwright: Run) -> None:
    done = plainwright("study", "ratings", "-", text=f"{HEADER}\n1,a,x,s,1\n")
    assert done.returncode == 0
    assert done.stdout.startswith("-: 1 rating by 1 rater of 1 system on 1 item\n")


def test_names_cannot_move_the_cursor(plainwright: Run, toy: Path) -> None:
    (toy / "r.csv").write_text(f"{HEADER}\n1,a,x,s\x1b[2J,1\n")
    done = plainwright("study", "ratings", "r.csv")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout


BAD = f"{HEADER}\n1,a,x,s,1\n1,a,x,s,2\n"


@pytest.mark.parametrize(
    ("text", "arguments", "problem"),
    [
        (
            BAD,
            [],
            "r.csv: expected one rating of an output by a rater and aspect, found the same again in lines 2 and 3",
        ),
        ("", [], "r.csv: expected a table of ratings, found an empty file"),
        (f"{HEADER}\n1,a,x,s,7\n", ["--scale", "1..5 by 1"], "found 7 in line 2 (1..5 by 1), 1 of 1 ratings"),
        (f"{HEADER}\n1,a,x,s,7\n", ["--scale", "1-5"], "expected a scale such as '1..5 by 1' or '0..100', found '1-5'"),
        (f"{HEADER}\n1,a,x,s,7\n", ["--columns", "item"], "--columns: expected NAME=COLUMN for each column once"),
        (f"{HEADER}\n1,a,x,s,7\n", ["--columns", "item=a,item=b"], "--columns: expected NAME=COLUMN for each column"),
        (f"{HEADER}\n1,a,x,s,7\n", ["--columns", "itm=item"], "unknown column 'itm'; did you mean item"),
        (f"{HEADER}\n1,a,x,s,7\n", ["--layout", "sulem"], "unknown layout 'sulem'; did you mean sulem2018"),
        (
            f"{HEADER}\n1,a,x,s,7\n",
            ["--ddof", "2"],
            "expected ddof 0 (the deviation divides by n) or 1 (by n - 1), found 2",
        ),
        (f"{HEADER}\n1,a,x,s,7\n", ["--save", "r.csv"], "r.csv: the result would replace one of the inputs"),
        (f"{HEADER}\n1,a,x,s,7\n", ["--save", "no/r.csv"], "no/r.csv: cannot be written, 'no' does not exist"),
        (f"{HEADER}\n1,a,x,s,7\n", ["--save", "r.xlsx"], "r.xlsx: expected a name that ends in .csv, .tsv, .jsonl or"),
    ],
)
def test_a_mistake_is_one_sentence_and_nothing_is_written(
    plainwright: Run, toy: Path, text: str, arguments: list[str], problem: str
) -> None:
    (toy / "r.csv").write_text(text)
    before = {path: path.read_bytes() for path in toy.iterdir()}
    done = plainwright("study", "ratings", "r.csv", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("plainwright: ")
    assert done.stderr.count("\n") == 1
    assert problem in done.stderr
    assert {path: path.read_bytes() for path in toy.iterdir()} == before


def test_a_bad_table_leaves_the_file_to_be_saved_as_it_was(plainwright: Run, toy: Path) -> None:
    (toy / "r.csv").write_text(BAD)
    (toy / "long.csv").write_text("precious")
    assert plainwright("study", "ratings", "r.csv", "--save", "long.csv").returncode == 2
    assert (toy / "long.csv").read_text() == "precious"


def test_registered_ratings_are_read_by_name(plainwright: Run, data_dir: Path) -> None:
    done = plainwright("study", "ratings", "simpeval/2022", "--data", data_dir)
    assert done.returncode == 0
    assert done.stdout.startswith("simpeval/2022: 1,080 ratings by 5 raters of 6 systems on 60 items\n")


def test_registered_ratings_that_are_not_here_are_told_with_the_way_to_them(plainwright: Run, tmp_path: Path) -> None:
    home = {"PLAINWRIGHT_DATA": str(tmp_path / "none"), "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    done = plainwright("study", "ratings", "simplicity-da/ratings", env=home)
    assert done.returncode == 2
    assert "get it with `plainwright corpora fetch simplicity-da/ratings`" in done.stderr


@pytest.mark.parametrize("command", ["ratings", "agree", "correlate", "tradeoff", "resample", "report"])
def test_scores_beyond_what_can_be_summed_are_refused_by_every_command(
    plainwright: Run, toy: Path, command: str
) -> None:
    rows = "".join(
        f"{item},{system},x,s,{sign}1e308\n" for item in range(4) for system, sign in (("a", ""), ("b", "-"))
    )
    (toy / "huge.csv").write_text(f"{HEADER}\n{rows}")
    done = plainwright("study", command, "huge.csv", "--save" if command == "report" else "--html", "page.html")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "plainwright: huge.csv: a score of 1e+308 cannot be computed with; expected scores up to 1e+12\n"
    )
    assert not (toy / "page.html").exists()
