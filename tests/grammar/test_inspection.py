"""Ranking the candidates of a phrase, reading weights, METEOR's table, and the commands."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import pytest

from plainwright.decode import Decoder, DecoderSettings
from plainwright.errors import DataError, UnknownNameError
from plainwright.grammar import PackedGrammar, parse_rule
from plainwright.grammar.convert import meteor_rule, read_meteor
from plainwright.grammar.features import FeatureMaker
from plainwright.grammar.inspection import DECODER_FEATURES, rank_candidates, read_weights, usable_weights
from plainwright.grammar.packed import pack_blocks

LINES = [
    "[JJ] ||| principal ||| main ||| p(e|f)=1 MaxWordSylDiff=-2 Identity=0 ||| 0-0",
    "[JJ] ||| principal ||| chief ||| p(e|f)=1.5 MaxWordSylDiff=-2 Identity=0 ||| 0-0",
    "[JJ] ||| principal ||| principal ||| p(e|f)=0.5 MaxWordSylDiff=0 Identity=1 ||| 0-0",
    "[NN] ||| principal ||| head ||| p(e|f)=2 MaxWordSylDiff=-2 Identity=0 ||| 0-0",
    "[NN] ||| house ||| home ||| p(e|f)=2 MaxWordSylDiff=0 Identity=0 ||| 0-0",
    "[NN] ||| house ||| dwelling ||| p(e|f)=4 MaxWordSylDiff=1 Identity=0 ||| 0-0",
]
WEIGHTS = {"p(e|f)": -1.0, "MaxWordSylDiff": -0.5}


@pytest.fixture
def grammar(tmp_path):
    pack_blocks([("rules", "\n".join(LINES).encode())], tmp_path / "g.pack")
    return PackedGrammar(tmp_path / "g.pack")


def test_candidates_are_ranked_and_explained_against_no_change(grammar):
    found = rank_candidates(grammar, "principal", WEIGHTS)
    # By hand: main -1 + 1 = 0, chief -0.5, principal -0.5, head -1; ties by target.
    assert [(c.target, c.score) for c in found] == [("main", 0), ("chief", -0.5), ("principal", -0.5), ("head", -1)]
    reasons = {reason.feature: reason.effect for reason in found[0].reasons}
    assert reasons == {"MaxWordSylDiff": 1.0, "p(e|f)": -0.5}
    assert found[0].against == found[3].against == "identity"
    assert found[2].identity
    assert found[2].reasons == ()


def test_without_identity_the_next_candidate_is_compared(grammar):
    first, last = rank_candidates(grammar, "house", WEIGHTS)
    assert (first.target, first.against, last.against) == ("home", "next", "none")
    assert first.reasons[0].effect == pytest.approx(2.0)


def test_the_decoder_s_own_identity_is_ranked_where_the_grammar_has_none(grammar):
    found = rank_candidates(grammar, "house", {**WEIGHTS, "IdentityRule": -3.0})
    # By hand: home -2, no change -3, dwelling -4 - 0.5.
    assert [(c.target, c.score) for c in found] == [("home", -2), ("house", -3), ("dwelling", -4.5)]
    assert [(c.identity, c.number is None) for c in found] == [(False, False), (True, True), (False, False)]
    assert [c.against for c in found] == ["identity", "none", "identity"]
    assert {reason.feature: reason.effect for reason in found[0].reasons} == {"IdentityRule": 3.0, "p(e|f)": -2.0}


def test_the_decoder_s_own_identity_agrees_with_the_decoder(grammar):
    weights = {**WEIGHTS, "IdentityRule": -3.0}
    decoded = Decoder([grammar], weights=weights, settings=DecoderSettings(candidates=3)).decode([["house"]])[0]
    ranked = rank_candidates(grammar, "house", weights)
    assert [(one.text, one.score) for one in decoded] == [(c.target, pytest.approx(c.score)) for c in ranked]


def test_an_identity_of_the_grammar_stands_alone(grammar):
    found = rank_candidates(grammar, "principal", {**WEIGHTS, "IdentityRule": 9.0})
    assert sum(c.identity for c in found) == 1
    assert rank_candidates(grammar, "unheard of", {"IdentityRule": 9.0}) == []


def test_a_label_can_be_chosen_and_an_unknown_source_is_empty(grammar):
    assert [c.target for c in rank_candidates(grammar, "principal", WEIGHTS, label="NN")] == ["head"]
    assert rank_candidates(grammar, "unheard of", WEIGHTS) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("w.txt", "p(e|f) -1\n\nMaxWordSylDiff\t-0.5\n"),
        ("w.tsv", "feature\tgroup\tinitial\ttuned\np(e|f)\tppdb\t3\t-1\nMaxWordSylDiff\tppdb\t3\t-0.5\n"),
        ("w.json", '{"p(e|f)": -1, "MaxWordSylDiff": -0.5}'),
        ("model.toml", '[model]\nname = "x"\n[weights]\n"p(e|f)" = -1\nMaxWordSylDiff = -0.5\n'),
    ],
)
def test_weights_are_read_in_every_form(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_weights(tmp_path / name) == WEIGHTS


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("w.txt", "a 1\nb two\n"),
        ("w.txt", "a 1\na 2\n"),
        ("w.json", "[1]"),
        ("w.json", "{"),
        ("w.json", '{"a": "b"}'),
        ("w.json", '{"a": NaN}'),
        ("w.txt", "a nan\n"),
        ("m.toml", "[weights]\na = inf"),
        ("m.toml", "x = "),
        ("m.toml", "x = 1"),
    ],
)
def test_bad_weights_are_errors(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=name):
        read_weights(tmp_path / name)


def test_weights_of_unknown_features_are_errors_and_of_absent_ones_are_told(grammar):
    with pytest.raises(UnknownNameError, match="did you mean MaxWordSylDiff"):
        usable_weights({"MaxWordSyllableDiff": 1.0}, grammar)
    usable, lacking = usable_weights({"p(e|f)": 1.0, "lm_0": 1.0, "GigaLMDiff": 1.0}, grammar)
    assert usable == {"p(e|f)": 1.0}
    assert lacking == ["GigaLMDiff"]


def test_weights_of_the_decoder_are_known(grammar):
    """A tuned model has them all: `lookup --weights model.toml` must take it."""
    assert set(DECODER_FEATURES) == set(Decoder([], weights={}).feature_names)
    assert usable_weights(dict.fromkeys(DECODER_FEATURES, 1.0), grammar) == ({"IdentityRule": 1.0}, [])


def test_lines_of_meteor_become_rules():
    maker = FeatureMaker()
    rule = meteor_rule("purchase\tbuy\t0.25", maker)
    assert rule.lhs == "X"
    assert rule.features["p(e|f)"] == pytest.approx(-math.log(0.25), abs=1e-5)
    assert rule.features["CharCountDiff"] == -5
    assert rule.alignment == ((0, 0),)
    assert meteor_rule("in order to\tto\t1.5", maker).alignment == ()
    assert parse_rule(str(rule)) == rule
    for line in ("a\tb", "a\tb\tc", "a\tb\t0", "\tb\t1", "a\tb\tnan", "[A,1]\tb\t1"):
        with pytest.raises(DataError):
            meteor_rule(line, maker)


def test_the_genuine_table_can_be_read(data_dir):
    path = data_dir / "paraphrase" / "meteor-1.5-paraphrase-en.filtered.tsv.gz"
    reader = read_meteor(path)
    for _, rule in zip(range(200), reader, strict=False):
        assert parse_rule(str(rule)) == rule
        assert len(rule.features) >= 24


def run(*arguments):
    command = [sys.executable, "-m", "plainwright", "grammar", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_commands_from_text_to_text(tmp_path):
    (tmp_path / "rules").write_text("\n".join([*LINES, "no rule"]) + "\n", encoding="utf-8")
    refused = run("pack", tmp_path / "rules", "-o", tmp_path / "g")
    assert refused.returncode == 2
    assert "rules:7: 5 or 6 fields expected" in refused.stderr
    packed = run("pack", tmp_path / "rules", "-o", tmp_path / "g", "--lenient", "--json")
    assert packed.returncode == 0, packed.stderr
    assert json.loads(packed.stdout)["rules"] == 6
    assert json.loads(packed.stdout)["skipped"] == 1
    shown = run("info", tmp_path / "g").stdout
    assert "JJ 3, NN 3" in shown
    assert "exactly" in shown
    text = run("unpack", tmp_path / "g").stdout.splitlines()
    assert sorted(text) == sorted(LINES)
    assert run("unpack", tmp_path / "g", "-o", tmp_path / "again").returncode == 0
    assert (tmp_path / "again").read_text(encoding="utf-8").splitlines() == text


def test_lookup_prints_table_3(tmp_path, grammar):
    (tmp_path / "w").write_text("p(e|f) -1\nMaxWordSylDiff -0.5\nlm_0 1\n", encoding="utf-8")
    found = run("lookup", grammar.path, "principal", "--weights", tmp_path / "w")
    assert found.returncode == 0, found.stderr
    first = found.stdout.splitlines()[0]
    assert first.startswith("principal → main")
    assert "against no change: MaxWordSylDiff +1.000, p(e|f) -0.500" in first
    as_json = json.loads(run("lookup", grammar.path, "principal", "--json").stdout)
    assert as_json["candidates"][0]["target"] == "principal"
    nothing = run("lookup", grammar.path, "unheard of")
    assert nothing.returncode == 1
    assert "no rule has the source" in nothing.stderr


def test_pack_from_meteor(tmp_path):
    (tmp_path / "table").write_text("purchase\tbuy\t0.25\npurchase\tacquire\t0.5\n", encoding="utf-8")
    assert run("pack", tmp_path / "table", "--from", "meteor", "--families", "-o", tmp_path / "g").returncode == 0
    assert [rule.target for rule in PackedGrammar(tmp_path / "g").rules()] == [("acquire",), ("buy",)]
