"""`plainwright learn` through the real command."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
import typer

from plainwright.cli import main as cli

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def pairs(toy: Path) -> Path:
    (toy / "normal.txt").write_text("they purchased bread .\n\nshe purchased books .\n", encoding="utf-8")
    (toy / "simple.txt").write_text("they bought bread .\nx\nshe bought books .\n", encoding="utf-8")
    return toy


def test_text_becomes_rules_that_can_be_packed_and_looked_up(plainwright, pairs):
    done = plainwright("learn", "align", "normal.txt", "simple.txt", "--monolingual", "-o", "points.txt")
    assert (done.returncode, done.stderr) == (0, "plainwright: note: 1 pairs with an empty side skipped\n")
    assert done.stdout.splitlines()[0] == "points.txt\t3 pairs\t8 points"
    assert (pairs / "points.txt").read_text(encoding="utf-8") == "0-0 1-1 2-2 3-3\n\n0-0 1-1 2-2 3-3\n"

    files = ("normal.txt", "simple.txt", "points.txt")
    done = plainwright("learn", "extract", *files, "--no-identity", "-o", "rules.gz", "--json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    summary = json.loads(done.stdout)
    assert (summary["pairs"], summary["empty"], summary["too_long"]) == (3, 1, [])
    lines = gzip.decompress((pairs / "rules.gz").read_bytes()).decode().splitlines()
    assert len(lines) == summary["written"] < summary["distinct"]

    assert plainwright("grammar", "pack", "rules.gz", "-o", "rules.pack").returncode == 0
    found = json.loads(plainwright("grammar", "lookup", "rules.pack", "purchased", "--json").stdout)
    assert [candidate["target"] for candidate in found["candidates"]] == ["bought"]


def test_plain_rules_have_the_features_of_counts_only(plainwright, pairs):
    (pairs / "points.txt").write_text("0-0 1-1 2-2 3-3\n\n0-0 1-1 2-2 3-3\n", encoding="utf-8")
    files = ("normal.txt", "simple.txt", "points.txt")
    plainwright("learn", "extract", *files, "--plain", "--nonterminals", 0, "--min-count", 2, "-o", "rules.txt")
    lines = (pairs / "rules.txt").read_text(encoding="utf-8").splitlines()
    assert [line.split(" ||| ")[1] for line in lines] == [".", "purchased"]
    names = {feature.rpartition("=")[0] for feature in lines[0].split(" ||| ")[3].split()}
    assert len(names) == 12
    assert "Lexical" not in names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("align", "normal.txt", "short.txt"), "found normal.txt 3, short.txt 1"),
        (("align", "normal.txt", "latin.txt"), "latin.txt:2: "),
        (("align", "missing.txt", "simple.txt"), "missing.txt: no such file"),
        (("align", "normal.txt", "simple.txt", "--null", 1), "--null"),
        (("extract", "normal.txt", "simple.txt", "short.txt"), "found normal.txt 3, simple.txt 3, short.txt 1"),
        (("extract", "normal.txt", "simple.txt", "simple.txt"), "simple.txt:1: alignment points i-j"),
        (("extract", "normal.txt", "simple.txt", "simple.txt", "--analysis", "x"), "needs a side"),
    ],
)
def test_wrong_input_is_one_sentence_and_writes_nothing(plainwright, pairs, arguments, message):
    (pairs / "short.txt").write_text("0-0\n", encoding="utf-8")
    (pairs / "latin.txt").write_bytes(b"a\n\xe9\nb\n")
    before = sorted(pairs.iterdir())
    done = plainwright("learn", *arguments, "-o", "out.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(pairs.iterdir()) == before


@pytest.mark.parametrize("name", ["align", "extract"])
def test_every_option_is_documented(name):
    text = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
    learn = typer.main.get_command(cli.app).commands["learn"]  # type: ignore[attr-defined]
    options = [option for option in learn.commands[name].params if option.param_type_name == "option"]
    missing = [option.opts[0] for option in options if not re.search(rf"`{option.opts[0]}`", text)]
    assert missing == []
