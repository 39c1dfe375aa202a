"""From verdicts on sentences to a second look at edits."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from plainwright.cli.main import app
from plainwright.errors import DataError
from plainwright.grammar import pack_files
from plainwright.learn.second_look import (
    fitted_trees,
    new_classifier,
    read_verdicts,
    second_look_files,
    sentence_digest,
)
from plainwright.lm import LanguageModel
from plainwright.models import find
from plainwright.rewrite.judge import Place, PlaceReader, SecondLook
from plainwright.text.tagging import Tagger

DEFAULT_MODEL = find("default")

pytest.importorskip("sklearn")

NAMES = ("Bellevue", "Sanssouci", "Balmoral", "Osborne")
MONTHS = ("January", "March", "May", "July", "September")


def sentences() -> list[tuple[str, bool]]:
    """Some with the name of a house, where it must stay a residence."""
    found = []
    for number in range(60):
        for month in MONTHS:
            name = NAMES[number % len(NAMES)]
            found.append((f"In {month} 19{number} the residence {name} was sold .", True))
            found.append((f"In {month} 19{number} the residence near the river was sold .", False))
    return found


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("second-look")
    rules = folder / "rules.txt"
    rules.write_text("[X] ||| residence ||| house ||| Risk=0.3 ||| 0-0\n")
    pack_files([rules], folder / "rules.pack")
    with gzip.open(folder / "text.gz", "wt") as stream:
        stream.writelines(f"{line}\n" for line, _ in sentences())
    (folder / "verdicts.tsv").write_text(
        "# a comment\n"
        + "".join(
            f"{sentence_digest(line)}\t{line.index('residence')}\tX\tresidence\thouse\t{0 if damaging else 2}\n"
            for line, damaging in sentences()
        )
    )
    return {
        "grammar": folder / "rules.pack",
        "language_model": DEFAULT_MODEL / "lm.pack",
        "tagger": DEFAULT_MODEL / "tagger.pack",
        "text": folder / "text.gz",
        "verdicts": folder / "verdicts.tsv",
        "folder": folder,
    }


def learn(files: dict[str, Path], verdicts: Path, output: Path):
    parts = {name: files[name] for name in ("grammar", "language_model", "tagger")}
    return second_look_files([verdicts], output, text=[files["text"]], **parts)


@pytest.fixture(scope="module")
def learnt(files: dict[str, Path]):
    return learn(files, files["verdicts"], files["folder"] / "look.npz")


def test_what_readers_refuse_is_risky_in_the_next_sentence_of_its_kind(files: dict[str, Path], learnt) -> None:
    result = learnt
    assert (result.verdicts, result.used, result.damaging) == (600, 600, 300)
    assert result.auc > 0.99
    assert result.auc_of_rules == 0.5  # a single rule cannot tell sentences apart
    look = SecondLook.open(files["folder"] / "look.npz")
    tagger = Tagger.open(files["tagger"])
    reader = PlaceReader(LanguageModel.open(files["language_model"]), tagger)
    places = []
    for text in ("Yesterday the residence Bellevue burned .", "Yesterday the residence near here burned ."):
        words = text.split()
        places.append(Place(words, tagger.tag(words), 2, 3, ("house",), (0.3,)))
    named, plain = look.risks(reader.rows(places))
    assert named > 0.8
    assert plain < 0.2


def test_it_is_written_the_same_every_time(files: dict[str, Path], learnt, tmp_path: Path) -> None:
    assert learn(files, files["verdicts"], tmp_path / "look.npz") == learnt
    assert (tmp_path / "look.npz").read_bytes() == (files["folder"] / "look.npz").read_bytes()


def test_trees_say_what_scikit_learn_says() -> None:
    """The nodes are read from private places of scikit-learn."""
    random = np.random.default_rng(4)
    rows = random.random((800, 6))
    damaging = rows[:, 0] + 0.3 * random.random(800) > 0.7
    expected = new_classifier(1).fit(rows, damaging).decision_function(rows)
    assert fitted_trees(rows, damaging, 1).predict(rows) == pytest.approx(expected, abs=1e-9)


def test_verdicts_on_other_text_or_other_rules_are_not_used(files: dict[str, Path], tmp_path: Path) -> None:
    line, _ = sentences()[0]
    offset = line.index("residence")
    more = tmp_path / "more.tsv"
    more.write_text(
        files["verdicts"].read_text()
        + f"{sentence_digest('Nobody wrote this .')}\t0\tX\tresidence\thouse\t0\n"
        + f"{sentence_digest(line)}\t{offset}\tX\tresidence\tmansion\t0\n"
        + f"{sentence_digest(line)}\t{offset}\tNN\tresidence\thouse\t0\n"
        + f"{sentence_digest(line)}\t{offset + 1}\tX\tresidence\thouse\t0\n"
    )
    result = learn(files, more, tmp_path / "look.npz")
    assert (result.verdicts, result.used) == (604, 600)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("only\tthree\tfields", "digest, offset, label, source, target and verdict expected between tabs, got 3"),
        ("abc\tx\tX\ta\tb\t1", "a number of characters expected, got 'x'"),
        ("abc\t-1\tX\ta\tb\t1", "a number of characters expected, got '-1'"),
        ("abc\t1\tX\ta\tb\t3", "verdict 0, 1 or 2 expected, got '3'"),
    ],
)
def test_a_line_that_is_no_verdict_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "verdicts.tsv"
    path.write_text(f"# first\n{line}\n")
    with pytest.raises(DataError, match=problem) as error:
        read_verdicts([path])
    assert f"{path}:2:" in str(error.value)


def test_few_verdicts_teach_nothing_and_leave_nothing(files: dict[str, Path], tmp_path: Path) -> None:
    few = tmp_path / "few.tsv"
    few.write_text("".join(files["verdicts"].read_text().splitlines(keepends=True)[:50]))
    with pytest.raises(DataError, match="at least 200 of each sort are needed"):
        learn(files, few, tmp_path / "look.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["few.tsv"]


def test_the_command_says_what_it_learnt(files: dict[str, Path], tmp_path: Path) -> None:
    parts = [f"--grammar={files['grammar']}", f"--lm={files['language_model']}", f"--tagger={files['tagger']}"]
    command = ["learn", "second-look", str(files["verdicts"]), f"--text={files['text']}", *parts]
    done = CliRunner().invoke(app, [*command, "--save", str(tmp_path / "look.npz"), "--quiet"])
    assert done.exit_code == 0, done.output
    assert "600 of 600 verdicts\t300 of them damaging" in done.stdout
