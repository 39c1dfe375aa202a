"""`plainwright study report` and `--html`: whole pages on disk, and nothing at all when the input is bad."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
QUICK = ("--resamples", "20")

# Each command with what its page is about.
COMMANDS = {
    "ratings": ("ratings", ("ratings.csv",)),
    "agree": ("agreement", ("ratings.csv", *QUICK)),
    "correlate": ("correlation", ("ratings.csv", "--references", "ratings.references.tsv", *QUICK)),
    "tradeoff": ("tradeoffs", ("ratings.csv", *QUICK)),
    "resample": ("resampling", ("ratings.csv", "--samples", "20", "--aspect", "simplicity")),
    "plan": ("plan", ("--systems", "4", "--difference", "0.2", "--budget", "1200")),
}


@pytest.fixture
def rated(toy: Path) -> Path:
    """The directory of the small files, with the example ratings."""
    for name in ("ratings.csv", "ratings.references.tsv"):
        shutil.copy(EXAMPLES / name, toy / name)
    return toy


def sections(page: Path) -> list[str]:
    return re.findall(r'<section id="([^"]+)"', page.read_text(encoding="utf-8"))


def test_writes_the_whole_page_and_prints_its_name(plainwright: Run, rated: Path) -> None:
    done = plainwright(
        "study", "report", "ratings.csv", "--references", "ratings.references.tsv", *QUICK, "--title", "A <b>"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "study.html\n", "")
    assert sections(rated / "study.html") == ["ratings", "agreement", "correlation", "tradeoffs", "resampling"]
    assert "<h1>A &lt;b&gt;</h1>" in (rated / "study.html").read_text(encoding="utf-8")
    assert not list(rated.glob(".*"))


def test_the_title_names_the_ratings_and_not_where_they_lie(plainwright: Run, rated: Path) -> None:
    (rated / "deep" / "down").mkdir(parents=True)
    shutil.move(rated / "ratings.csv", rated / "deep" / "down" / "ratings.v2.csv")
    done = plainwright("study", "ratings", "deep/down/ratings.v2.csv", "--html", "page.html")
    assert done.returncode == 0
    page = (rated / "page.html").read_text(encoding="utf-8")
    assert "<title>Ratings: ratings.v2</title>" in page
    assert "deep" not in page


def test_without_references_metrics_that_need_none_are_compared_and_the_others_named(
    plainwright: Run, rated: Path
) -> None:
    done = plainwright("study", "report", "ratings.csv", *QUICK, "-o", "page.html")
    assert done.returncode == 0
    page = (rated / "page.html").read_text(encoding="utf-8")
    assert "sari is left out: it needs references" in page
    assert "−FK grade" in page


def test_ratings_without_texts_make_a_page_that_says_why_there_are_no_metrics(plainwright: Run, rated: Path) -> None:
    rows = ["item,system,rater,aspect,score"]
    rows += [f"{i},{s},{r},simplicity,{(i * 7 + s * 3 + r) % 5}" for i in range(6) for s in range(3) for r in range(2)]
    (rated / "bare.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = plainwright("study", "report", "bare.csv", *QUICK, "-o", "page.html")
    assert (done.returncode, done.stderr) == (0, "")
    page = (rated / "page.html").read_text(encoding="utf-8")
    assert "No metric can be compared with people: these ratings come without the texts" in page
    assert "A trade-off needs two aspects" in page


def test_the_same_input_gives_the_same_bytes(plainwright: Run, rated: Path) -> None:
    for name in ("one.html", "two.html"):
        plainwright("study", "report", "ratings.csv", *QUICK, "-o", name, "--aspect", "simplicity,meaning")
    assert (rated / "one.html").read_bytes() == (rated / "two.html").read_bytes()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_writes_its_part_as_a_page(plainwright: Run, rated: Path, name: str) -> None:
    section, arguments = COMMANDS[name]
    plain = plainwright("study", name, *arguments)
    done = plainwright("study", name, *arguments, "--html", "page.html")
    assert (done.returncode, done.stdout, done.stderr) == (0, plain.stdout, "Saved page.html.\n")
    assert sections(rated / "page.html") == [section]


def test_json_stays_one_object_beside_a_page(plainwright: Run, rated: Path) -> None:
    done = plainwright("study", "agree", "ratings.csv", *QUICK, "--json", "--html", "page.html")
    assert json.loads(done.stdout)["aspects"]
    assert (rated / "page.html").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("report", "ratings.csv", "-o", "ratings.csv"), "would replace one of the inputs"),
        (("report", "ratings.csv", "--references", "r.tsv", "-o", "r.tsv"), "would replace one of the inputs"),
        (("report", "ratings.csv", "-o", "absent/page.html"), "'absent' does not exist"),
        (("report", "ratings.csv", "--metrics", "sary"), "unknown metric 'sary'; did you mean sari?"),
        (("report", "ratings.csv", "--metrics", "sari"), "needs references"),
        (("report", "ratings.csv", "--aspect", "simplicty"), "did you mean simplicity?"),
        (("report", "ratings.csv", "--resamples", "1"), "--resamples: expected a number from 2"),
        (("report", "ratings.csv", "--without", "nobody"), "unknown system in --without 'nobody'"),
        (("report", "missing.csv"), "missing.csv"),
        (("agree", "ratings.csv", "--html", "ratings.csv"), "would replace one of the inputs"),
        (("tradeoff", "ratings.csv", "--html", "absent/page.html"), "'absent' does not exist"),
        (("plan", *COMMANDS["plan"][1], "--html", "."), "found a directory"),
        (("plan", *COMMANDS["plan"][1], "--from", "ratings.csv", "--html", "ratings.csv"), "would replace one"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else " ".join(value[:1]),
)
def test_bad_input_is_one_sentence_status_2_and_nothing_written(
    plainwright: Run, rated: Path, arguments: tuple[str, ...], expected: str
) -> None:
    shutil.copy(rated / "ratings.references.tsv", rated / "r.tsv")
    before = {path: path.read_bytes() for path in rated.iterdir()}
    done = plainwright("study", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith("plainwright: ")
    assert expected in sentence
    assert {path: path.read_bytes() for path in rated.iterdir()} == before
