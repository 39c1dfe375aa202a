"""A second look at edits in their places, and a simplifier that takes one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.toy_model import simplifier_of

from plainwright.arrays import read_arrays, write_arrays
from plainwright.boosted import BoostedTrees
from plainwright.decode.bundle import ModelBundle
from plainwright.errors import DataError
from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel
from plainwright.models import find
from plainwright.rewrite import load
from plainwright.rewrite.judge import PLACE_FEATURES, Place, PlaceReader, SecondLook
from plainwright.text.tagging import Tagger

DEFAULT_MODEL = find("default")

RULES = (
    "[X] ||| residence ||| house ||| good=2 Risk=0.1 ||| 0-0",
    "[X] ||| residence ||| abode ||| good=1 Risk=0.3 ||| 0-0",
    "[X] ||| edifice ||| building ||| good=2 Risk=0.1 ||| 0-0",
)


@pytest.fixture(scope="module")
def lm() -> LanguageModel:
    return LanguageModel.open(DEFAULT_MODEL / "lm.pack")


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger.open(DEFAULT_MODEL / "tagger.pack")


@pytest.fixture
def grammar(tmp_path: Path) -> PackedGrammar:
    path = tmp_path / "rules.txt"
    path.write_text("\n".join(RULES) + "\n")
    return PackedGrammar.from_text(path)


def look_at(name: str, grammar: PackedGrammar, *, above: float = 0.5, low: float = -4, high: float = 4) -> SecondLook:
    """One question: is the feature of this name greater than `above`? Then the edit is dangerous."""
    names = (*grammar.feature_names, *PLACE_FEATURES)
    trees = BoostedTrees(
        feature=np.array([names.index(name), 0, 0]),
        threshold=np.array([above, 0.0, 0.0]),
        left=np.array([1, 1, 2]),
        right=np.array([2, 1, 2]),
        value=np.array([0.0, low, high]),
        roots=np.array([0]),
        baseline=0.0,
    )
    return SecondLook(trees, grammar.feature_names)


def values(reader: PlaceReader, tagger: Tagger, text: str, source: str, target: str) -> dict[str, float]:
    words = text.split()
    start = words.index(source)
    place = Place(words, tagger.tag(words), start, start + 1, tuple(target.split()), (7.0,))
    [row] = reader.rows([place])
    assert row[0] == 7.0  # what the rule says comes first
    return dict(zip(PLACE_FEATURES, row[1:], strict=True))


def test_every_feature_has_a_name_of_its_own() -> None:
    assert len(set(PLACE_FEATURES)) == len(PLACE_FEATURES)


def test_the_language_model_prefers_the_wording_that_is_used(lm: LanguageModel, tagger: Tagger) -> None:
    reader = PlaceReader(lm, tagger)
    fits = values(reader, tagger, "He was severely injured in the accident .", "severely", "badly")
    odd = values(reader, tagger, "He was severely injured in the accident .", "severely", "table")
    assert fits["lm gain"] > odd["lm gain"]
    assert fits["lm gain left"] > odd["lm gain left"]
    assert fits["lm gain right"] > odd["lm gain right"]
    assert fits["target is tagged alike"] > odd["target is tagged alike"]


def test_what_stands_around_an_edit_is_seen(lm: LanguageModel, tagger: Tagger) -> None:
    around = values(PlaceReader(lm, tagger), tagger, "He bought the residence of Anna .", "residence", "house")
    seen = {name for name in PLACE_FEATURES if around[name] == 1}
    assert {"DT before", "IN after", "NNP second after", "article before", "preposition after", "first is NN"} <= seen
    assert not {"capital before", "capital after", "article after", "in quotation", "hyphen beside"} & seen
    assert around["words of sentence"] == 7
    assert around["place in sentence"] == pytest.approx(3 / 7)
    quoted = values(PlaceReader(lm, tagger), tagger, "He said `` the residence '' .", "residence", "house")
    assert quoted["in quotation"] == 1


def test_the_edges_of_a_sentence_are_no_neighbours(lm: LanguageModel, tagger: Tagger) -> None:
    alone = values(PlaceReader(lm, tagger), tagger, "residence", "residence", "house")
    assert not any(
        alone[name] for name in PLACE_FEATURES if name.endswith((" before", " after")) and "freq" not in name
    )
    assert alone["frequency before"] == alone["frequency after"] == 8


def test_no_edits_have_no_risks(lm: LanguageModel, tagger: Tagger, grammar: PackedGrammar) -> None:
    rows = PlaceReader(lm, tagger).rows([])
    assert look_at("capital after", grammar).risks(rows) == []


def test_an_edit_is_left_out_where_it_is_dangerous(lm: LanguageModel, tagger: Tagger, grammar: PackedGrammar) -> None:
    simplifier = simplifier_of(
        [grammar],
        lm=lm,
        tagger=tagger,
        weights={"good": 9.0},
        second_look=look_at("capital after", grammar),
        sentence_risk=0.25,
    )
    assert simplifier.simplify("The residence burned.").text == "The house burned."
    assert simplifier.simplify("The residence Bellevue burned.").text == "The residence Bellevue burned."
    # Without a second look the rule counts as it counts everywhere.
    blind = simplifier_of([grammar], lm=lm, tagger=tagger, weights={"good": 9.0}, sentence_risk=0.25)
    assert blind.simplify("The residence Bellevue burned.").text == "The house Bellevue burned."


def test_another_wording_is_taken_where_the_best_is_dangerous(
    lm: LanguageModel, tagger: Tagger, grammar: PackedGrammar
) -> None:
    simplifier = simplifier_of(
        [grammar],
        lm=lm,
        tagger=tagger,
        weights={"good": 9.0},
        second_look=look_at("good", grammar, above=1.5),
        sentence_risk=0.25,
    )
    assert simplifier.simplify("The residence and the edifice burned.").text == "The abode and the edifice burned."


def test_what_is_saved_says_the_same(tmp_path: Path, grammar: PackedGrammar) -> None:
    look = look_at("capital after", grammar)
    path = tmp_path / "look.npz"
    look.save(path)
    again = SecondLook.open(path)
    rows = np.random.default_rng(1).random((50, len(grammar.feature_names) + len(PLACE_FEATURES)))
    assert again.risks(rows) == look.risks(rows)
    assert again.rule_features == tuple(grammar.feature_names)
    assert all(0 < risk < 1 for risk in again.risks(rows))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"place_features": np.array(["other"])}, "made by another version of plainwright"),
        ({"rule_features": np.zeros(3)}, "the names of the features of rules"),
        ({"feature": np.array([10_000, 0, 0])}, "asks for number 10001"),
        ({"value": np.array([0.0, np.inf, 0.0])}, "not finite"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_in_one_sentence(
    tmp_path: Path, grammar: PackedGrammar, change: dict[str, np.ndarray], problem: str
) -> None:
    path = tmp_path / "look.npz"
    look_at("capital after", grammar).save(path)
    write_arrays(path, {**read_arrays(path), **change})
    with pytest.raises(DataError, match=problem) as error:
        SecondLook.open(path)
    assert str(path) in str(error.value)


def test_it_needs_what_it_reads_with_and_the_rules_it_was_learnt_for(
    lm: LanguageModel, tagger: Tagger, grammar: PackedGrammar, tmp_path: Path
) -> None:
    look = look_at("capital after", grammar)
    with pytest.raises(DataError, match="needs a language model and a tagger"):
        simplifier_of([grammar], tagger=tagger, weights={}, second_look=look)
    other = tmp_path / "other.txt"
    other.write_text("[X] ||| a ||| b ||| kind=1 ||| 0-0\n")
    with pytest.raises(DataError, match="learnt for other rules"):
        simplifier_of([PackedGrammar.from_text(other)], lm=lm, tagger=tagger, weights={}, second_look=look)


def test_a_model_directory_keeps_it(tmp_path: Path, grammar: PackedGrammar) -> None:
    (tmp_path / "rules.txt").write_text("\n".join(RULES) + "\n")
    from plainwright.grammar import pack_files

    pack_files([tmp_path / "rules.txt"], tmp_path / "rules.pack")
    look_at("capital after", grammar).save(tmp_path / "look.npz")
    bundle = ModelBundle(
        name="small", version="1", licence="none", grammars=(), language_model=None, weights={"good": 9.0},
        settings={"sentence_risk": 0.25},
    )  # fmt: skip
    bundle.create(
        tmp_path / "model",
        grammars=[tmp_path / "rules.pack"],
        language_model=DEFAULT_MODEL / "lm.pack",
        tagger=DEFAULT_MODEL / "tagger.pack",
        second_look=tmp_path / "look.npz",
    )
    assert load(tmp_path / "model").simplify("The residence Bellevue burned.").text.startswith("The residence")
    (tmp_path / "model" / "look.npz").unlink()
    with pytest.raises(DataError, match=r"names 'look\.npz', which is not in"):
        load(tmp_path / "model")
