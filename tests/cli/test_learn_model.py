"""`plainwright learn model`: parts in, a directory out that `simplify` can use, or nothing at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.toy_tags import SENTENCES, SMALL

from plainwright.decode.bundle import ModelBundle
from plainwright.grammar import pack_files
from plainwright.learn.tagger import learn_tagger

RULES = "[VBD] ||| purchased ||| bought ||| good=1 ||| 0-0\n[X] ||| automobile ||| car ||| good=1 ||| 0-0\n"


@pytest.fixture
def parts(toy: Path) -> Path:
    (toy / "rules.txt").write_text(RULES, encoding="utf-8")
    pack_files([toy / "rules.txt"], toy / "rules.pack")
    (toy / "weights.txt").write_text("good 1\n", encoding="utf-8")
    (toy / "wrong.txt").write_text("godo 1\n", encoding="utf-8")
    (toy / "CARD").write_text("# Toy\n", encoding="utf-8")
    learn_tagger(SENTENCES, SMALL).save(toy / "small.tagger")
    return toy


def test_parts_become_a_model_that_simplifies(plainwright, parts):
    described = ("--name", "toy", "--version-name", "2", "--licence", "CC0-1.0", "--description", "A toy.")
    settings = ("--setting", "pop_limit=30", "longest_match=true", "default_label=X")
    files = ("--weights", "weights.txt", "--card", "CARD", "--tagger", "small.tagger", "-o", "model")
    done = plainwright("learn", "model", "rules.pack", *described, *settings, *files)
    assert (done.returncode, done.stderr) == (0, "")
    size = sum(path.stat().st_size for path in (parts / "model").iterdir())
    assert done.stdout == f"model\t{size:,} bytes\t1 weights\n"
    names = sorted(path.name for path in (parts / "model").iterdir())
    assert names == ["CARD.md", "model.toml", "rules.pack", "small.tagger"]
    bundle = ModelBundle.load(parts / "model")
    assert (bundle.name, bundle.version, bundle.licence, bundle.description) == ("toy", "2", "CC0-1.0", "A toy.")
    assert bundle.settings == {"pop_limit": 30, "longest_match": True, "default_label": "X"}
    (parts / "in.txt").write_text("He purchased an automobile.\n", encoding="utf-8")
    assert "a car" in plainwright("simplify", "in.txt", "--model", "model").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rules.pack", "--setting", "pop_limit"), "--setting: NAME=VALUE expected, got 'pop_limit'"),
        (
            ("rules.pack", "--setting", "pop_limit=many"),
            "from 0 to 2147483647, got 'many'",
        ),
        (("rules.pack", "--setting", "pop_limit=[30]"), "pop_limit must be a whole number"),
        (("rules.pack", "--setting", "derivations=null"), "derivations must be a whole number"),
        (("rules.pack", "--setting", "longest_match=1"), "longest_match must be true or false, got 1"),
        (("rules.pack", "--setting", "longest=true"), "did you mean longest_match"),
        (("rules.pack", "--weights", "wrong.txt"), "unknown feature 'godo'; did you mean good"),
        (("rules.pack", "--weights", "missing.txt"), "missing.txt: no such file"),
        (("missing.pack",), "missing.pack: no such file"),
        (("small.tagger",), "small.tagger: "),
        (("rules.pack", "--lm", "rules.pack"), "rules.pack: "),
        (("rules.pack", "--tagger", "rules.pack"), "rules.pack: "),
        (("rules.pack", "--card", "missing.md"), "no such file"),
        (("rules.pack", "rules.pack"), "two files of a model are called the same"),
    ],
)
def test_what_simplify_would_refuse_is_refused_and_leaves_nothing_behind(plainwright, parts, arguments, message):
    before = sorted(parts.iterdir())
    done = plainwright("learn", "model", *arguments, "-o", "model")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(parts.iterdir()) == before


@pytest.mark.parametrize(("place", "message"), [("there", "there: exists already"), ("no/model", "is not a directory")])
def test_a_directory_that_cannot_be_made_is_refused(plainwright, parts, place, message):
    (parts / "there").mkdir()
    (parts / "there" / "precious").touch()
    done = plainwright("learn", "model", "rules.pack", "-o", place)
    assert done.returncode == 2
    assert message in done.stderr
    assert [path.name for path in (parts / "there").iterdir()] == ["precious"]
