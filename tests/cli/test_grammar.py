"""`plainwright grammar`: what the command line adds to the library."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel

GOOD = "[VB] ||| purchase ||| buy ||| p(e|f)=0.6 ||| 0-0\n"


@pytest.fixture
def rules(toy: Path) -> Path:
    (toy / "rules.txt").write_text(GOOD, encoding="utf-8")
    return toy / "rules.txt"


def test_scores_of_a_language_model_become_features(plainwright: Run, rules: Path, toy: Path) -> None:
    (toy / "text.txt").write_text("we buy bread\nthey buy milk\nthey purchase it\n", encoding="utf-8")
    assert plainwright("lm", "build", "text.txt", "--order", 2, "--save", "m.lm").returncode == 0
    models = ("--lm", "m.lm", "--simple-lm", "m.lm")
    done = plainwright("grammar", "pack", "rules.txt", "-o", "r.pack", "--compute", *models)
    assert (done.returncode, done.stderr) == (0, "")
    [rule] = PackedGrammar(toy / "r.pack").rules()
    model = LanguageModel.open(toy / "m.lm")
    source, target = (model.score(word, begin=False, end=False) for word in ("purchase", "buy"))
    assert rule.features["SourceGigaLM"] == pytest.approx(source, abs=1e-4)
    assert rule.features["TargetGigaLM"] == pytest.approx(target, abs=1e-4)
    assert rule.features["GigaLMDiff"] == pytest.approx(target - source, abs=1e-4)
    for side in ("Source{}", "Target{}", "{}Diff"):
        assert rule.features[side.format("SimpleLM")] == rule.features[side.format("GigaLM")]


# Written by hand: a bad line, and what must be said of it.
BAD = [
    ("[VB] ||| purchase ||| buy\n", "5 or 6 fields expected"),
    ("[NP] ||| the [NN,1] of [NP,2] ||| [NP,2] 's ||| f=1 ||| 0-0\n", "the same nonterminals on both sides expected"),
    ("[NP] ||| [NN,1] x ||| y [NP,1] ||| f=1 ||| 0-0\n", "the same nonterminals on both sides expected"),
    ("[JJ] ||| a ||| b ||| f=low ||| 0-0\n", "a number or NA expected for the feature 'f'"),
    ("JJ ||| a ||| b ||| f=1 ||| 0-0\n", "a left-hand side [LABEL] expected"),
    ("[JJ] ||| a ||| b ||| f=1 ||| 0-x\n", "alignment"),
]


@pytest.mark.parametrize(("line", "problem"), BAD)
@pytest.mark.parametrize("options", [(), ("--compute",)])
def test_malformed_rules_are_named_or_counted(
    plainwright: Run, toy: Path, line: str, problem: str, options: tuple[str, ...]
) -> None:
    (toy / "bad.txt").write_text(GOOD + line + GOOD.replace("buy", "get"), encoding="utf-8")
    strict = plainwright("grammar", "pack", "bad.txt", "-o", "x.pack", *options)
    assert (strict.returncode, strict.stdout, strict.stderr.count("\n")) == (2, "", 1)
    assert strict.stderr.startswith("plainwright: bad.txt:2: ")
    assert problem in strict.stderr
    assert not (toy / "x.pack").exists()
    lenient = plainwright("grammar", "pack", "bad.txt", "-o", "x.pack", "--lenient", "--json", *options)
    assert lenient.returncode == 0
    assert json.loads(lenient.stdout)["skipped"] == 1
    assert json.loads(lenient.stdout)["rules"] == 2
    assert "warning: 1 malformed line skipped" in lenient.stderr


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--lm", "m.lm"), "--lm: expected --compute with it"),
        (("--simple-lm", "m.lm"), "--simple-lm: expected --compute with it"),
        (("--families",), "--families: expected --compute with it"),
        (("--compute", "--lm", "absent.lm"), "absent.lm: no such file"),
        (("--compute", "--lm", "rules.txt"), "rules.txt"),
    ],
)
def test_options_that_do_not_fit_are_told(
    plainwright: Run, rules: Path, toy: Path, arguments: tuple[str, ...], problem: str
) -> None:
    done = plainwright("grammar", "pack", "rules.txt", "-o", "x.pack", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert problem in done.stderr
    assert not (toy / "x.pack").exists()


def test_weights_that_name_unknown_features_are_told(plainwright: Run, rules: Path, toy: Path) -> None:
    plainwright("grammar", "pack", "rules.txt", "-o", "r.pack")
    (toy / "weights.txt").write_text("p(e|g) 1\n", encoding="utf-8")
    done = plainwright("grammar", "lookup", "r.pack", "purchase", "--weights", "weights.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert "unknown feature 'p(e|g)'; did you mean p(e|f)" in done.stderr


def test_a_pack_of_another_version_damage_and_foreign_files_are_told(plainwright: Run, rules: Path, toy: Path) -> None:
    plainwright("grammar", "pack", "rules.txt", "-o", "r.pack")
    packed = (toy / "r.pack").read_bytes()
    # The version is the 32-bit number after the eight bytes of the name.
    for data, problem in [
        (packed[:8] + b"\x09\0\0\0" + packed[12:], "version 9"),
        (packed[:-1], "damaged"),
        (packed[:-9] + bytes([packed[-9] ^ 1]) + packed[-8:], "damaged"),
        (b"something else", "not a packed grammar"),
        (b"", "not a packed grammar"),
    ]:
        (toy / "bad.pack").write_bytes(data)
        done = plainwright("grammar", "info", "bad.pack")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert problem in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told(plainwright: Run, rules: Path) -> None:
    done = plainwright("grammar", "pack", "rules.txt", "-o", "/dev/full")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "plainwright: /dev/full: cannot be written (no space left on device)\n"


def test_without_weights_a_rule_of_unknown_probability_comes_last(plainwright: Run, toy: Path) -> None:
    rules = "[X] ||| big ||| large ||| p(e|f)=2.5 ||| 0-0\n[X] ||| big ||| great ||| other=1 ||| 0-0\n"
    (toy / "rules.txt").write_text(rules, encoding="utf-8")
    assert plainwright("grammar", "pack", "rules.txt", "-o", "r.pack").returncode == 0
    shown = json.loads(plainwright("grammar", "lookup", "r.pack", "big", "--json").stdout)
    assert [candidate["target"] for candidate in shown["candidates"]] == ["large", "great"]
