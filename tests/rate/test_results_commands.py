"""`rate export` and `rate analyse` as an organiser would use them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from tests.in_process import run
from tests.lens.tiny import save_tiny_encoder
from tests.rate.acting import finish_page, join
from tests.rate.playing import NOW

from plainwright.lens.training.data import training_set
from plainwright.rate.store.assignment import next_assignment
from plainwright.rate.store.database import Database
from plainwright.rate.study_file import read_study_file
from plainwright.study.ratings import read_ratings
from plainwright.study.ratings.raw import read_table

ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = ("careful", "cautious", "hasty")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of the examples that three raters have finished, each with a taste of their own."""
    path = tmp_path_factory.mktemp("study") / "study.toml"
    outputs = [f"{name}={ROOT / 'examples' / name}.txt" for name in SYSTEMS]
    done = run("rate", "init", path, "--source", ROOT / "examples" / "source.txt", "--outputs", *outputs)
    assert done.returncode == 0, done.stderr
    database = Database.open(read_study_file(path).database)
    for number, label in enumerate(("Ann", "Ben", "Cleo")):
        with database.writing() as connection:
            rater = join(connection, label, NOW)
            now = NOW
            while next_assignment(connection, rater.id, now) is not None:
                finish_page(connection, rater.id, now, score=lambda card, n=number: (13 * n + 7 * len(card.text)) % 101)
                now += 100
    database.close()
    return path


def test_an_export_is_read_by_every_command_of_study(study, tmp_path):
    path = tmp_path / "ratings.csv"
    done = run("rate", "export", study, "-o", path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == [
        f"Saved {len(read_ratings(path))} ratings as {path}.",
        f"Saved the means and deviations behind z-scores as {tmp_path / 'ratings.normalisation.json'}.",
    ]
    references = ROOT / "examples" / "reference.1.txt"
    for command in (
        ["study", "ratings", path],
        ["study", "agree", path, "--resamples", "20", "--draws", "20"],
        ["study", "correlate", path, "--references", references, "--metrics", "sari", "--resamples", "20"],
        ["study", "report", path, "--save", tmp_path / "page.html", "--resamples", "20"],
    ):
        done = run(*command)
        assert done.returncode == 0, done.stderr
    assert "careful" in (tmp_path / "page.html").read_text()


def test_lens_train_takes_an_export_as_it_is(study, tmp_path):
    path = tmp_path / "ratings.csv"
    assert run("rate", "export", study, "-o", path).returncode == 0
    save_tiny_encoder(tmp_path / "encoder")
    references = ROOT / "examples" / "reference.1.txt"
    done = run(
        *("lens", "train", path, "--references", references, "--save", tmp_path / "model"),
        *("--encoder", tmp_path / "encoder", "--no-neural", "--no-companion", "--folds", "2", "--resamples", "20"),
        *("--fewer-references", "none"),
    )
    assert done.returncode == 0, done.stderr
    assert "3 systems" in done.stdout.splitlines()[0]
    assert "3 raters, overall" in done.stdout.splitlines()[0]


@pytest.mark.parametrize("extension", ["csv", "tsv", "jsonl", "parquet"])
def test_lens_learns_from_an_export_in_any_format(study, extension, tmp_path):
    path = tmp_path / f"ratings.{extension}"
    assert run("rate", "export", study, "-o", path).returncode == 0
    ratings = read_ratings(path)
    references = {item: ["A reference ."] for item in ratings.items}
    examples = training_set(ratings, references).examples
    assert {example.system for example in examples} == set(SYSTEMS)
    assert len(examples) == len(ratings.items) * len(SYSTEMS)


@pytest.mark.parametrize("values", ["raw", "z"])
def test_analyse_says_what_study_agree_says(study, values, tmp_path):
    path = tmp_path / "ratings.parquet"
    assert run("rate", "export", study, "-o", path).returncode == 0
    agree = json.loads(run("study", "agree", path, "--values", values, "--json").stdout)
    found = json.loads(run("rate", "analyse", study, "--json").stdout)
    assert found["aspects"][0]["agreement"][values] == agree["aspects"][0]
    assert found["study_file"] == str(study)


def test_analyse_prints_systems_raters_and_what_was_done(study, tmp_path):
    page = tmp_path / "page.html"
    done = run("rate", "analyse", study, "--html", page, "--test", "wilcoxon", "--values", "z", "--correction", "none")
    assert done.returncode == 0, done.stderr
    for words in (*SYSTEMS, "alpha (interval)", "cluster", "r with the others", "Wilcoxon's signed ranks", "(none)"):
        assert words in done.stdout
    assert "compared by z-scores" in done.stdout
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_analyse_says_what_was_tried(study):
    items = len((ROOT / "examples" / "source.txt").read_text().splitlines())
    done = run("rate", "analyse", study, "--resamples", "20")
    assert f"test: all {2**items:,} signs of items, corrected" in " ".join(done.stdout.split())
    found = json.loads(run("rate", "analyse", study, "--resamples", "20", "--json").stdout)["aspects"][0]["systems"]
    assert (found["trials"], found["exact"]) == (2**items, True)


def test_the_same_study_is_analysed_the_same_every_time(study):
    first, second = (run("rate", "analyse", study, "--resamples", "50", "--trials", "50").stdout for _ in range(2))
    assert first == second


def test_everything_and_the_layout_of_simpeval(study, tmp_path):
    assert run("rate", "export", study, "--all", "-o", tmp_path / "all.jsonl").returncode == 0
    assert "training" in read_table(tmp_path / "all.jsonl").columns
    done = run("rate", "export", study, "--layout", "simpeval", "--ddof", "1", "-o", tmp_path / "s.csv")
    assert "outputs as" in done.stderr
    assert read_table(tmp_path / "s.csv").columns[-1] == "rating_3_zscore"
    assert read_ratings(tmp_path / "s.csv").raters == ("1", "2", "3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["export", "--save", "r.xlsx"], "expected a name that ends in .csv"),
        (["export", "--save", "-"], "-: expected the name of a table, beside which another file is written"),
        (["export", "--pairs"], "expected a study of pairs"),
        (["export", "--aspect", "overal"], "did you mean overall"),
        (["export", "--ddof", "2"], "--ddof: expected a number from 0 to 1, found 2"),
        (["export", "--normalisation", "none.json"], "none.json: no such file"),
        (["export", "--save", "missing/r.csv"], "'missing' does not exist"),
        (["analyse", "--aspect", "fluency"], "this study has overall"),
        (["analyse", "--trials", "0"], "--trials: expected a number from 1"),
        (["analyse", "--significance", "2"], "the level must lie between 0 and 1"),
        (["analyse", "--resamples", "0"], "--resamples: expected a number from 1"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_written(study, arguments, message, tmp_path):
    command, *others = arguments
    done = run("rate", command, study, *others, cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_no_result_replaces_the_study_itself(study):
    before = study.read_bytes()
    database = study.with_name("study.db")
    link = study.with_name("link.csv")
    link.symlink_to(database)
    done = run("rate", "export", study, "-o", link)
    assert (done.returncode, "would replace one of the inputs" in done.stderr) == (2, True)
    done = run("rate", "analyse", study, "--html", study)
    assert (done.returncode, "would replace one of the inputs" in done.stderr) == (2, True)
    link.unlink()
    assert study.read_bytes() == before


@pytest.fixture
def own_files(study, tmp_path) -> Path:
    """A folder with the same study, and all that it is made from beside it."""
    for name in ("study.toml", "study.db", "instructions.md", "consent.md"):
        shutil.copyfile(study.with_name(name), tmp_path / name)
    for name in ("source.csv", "careful.csv", "reference.csv"):
        (tmp_path / name).write_text("one\n")
    return tmp_path / "study.toml"


def with_material(path: Path, lines: str) -> None:
    head, _, tail = path.read_text().partition("[material]\n")
    path.write_text(f"{head}[material]\n{lines}\n[training]{tail.partition('[training]')[2]}")


FILES = 'source = "source.csv"\nreferences = ["reference.csv"]\n[material.outputs]\ncareful = "careful.csv"'


@pytest.mark.parametrize("name", ["source.csv", "careful.csv", "reference.csv", "instructions.md", "consent.md"])
def test_no_result_replaces_what_the_study_was_made_from(own_files, name):
    with_material(own_files, FILES)
    path = own_files.with_name(name)
    before = path.read_bytes()
    commands = [["analyse", own_files, "--html", path]]
    if name.endswith(".csv"):
        commands.append(["export", own_files, "-o", path])
    for command in commands:
        done = run("rate", *command)
        assert (done.returncode, "would replace one of the inputs" in done.stderr) == (2, True)
    assert path.read_bytes() == before


def test_no_result_replaces_the_table_that_the_study_was_made_from(own_files):
    with_material(own_files, 'simpeval = "source.csv"')
    done = run("rate", "export", own_files, "-o", own_files.with_name("source.csv"))
    assert (done.returncode, "would replace one of the inputs" in done.stderr) == (2, True)
    nowhere = {"PLAINWRIGHT_DATA": str(own_files.parent)}
    for gone in ("simpeval/2022", "simpeval/1999", "gone.csv"):
        with_material(own_files, f'simpeval = "{gone}"')
        assert run("rate", "export", own_files, "-o", own_files.with_name("r.csv"), env=nowhere).returncode == 0


def test_a_study_that_nobody_has_rated_says_so(tmp_path):
    outputs = [f"{name}={ROOT / 'examples' / name}.txt" for name in SYSTEMS]
    path = tmp_path / "study.toml"
    run("rate", "init", path, "--source", ROOT / "examples" / "source.txt", "--outputs", *outputs)
    done = run("rate", "analyse", path)
    assert (done.returncode, "no page is finished yet" in done.stderr) == (2, True)
    done = run("rate", "export", path, "-o", tmp_path / "r.csv")
    assert (done.returncode, "no page is finished yet" in done.stderr) == (2, True)
    assert not (tmp_path / "r.csv").exists()
    assert not (tmp_path / "r.normalisation.json").exists()
