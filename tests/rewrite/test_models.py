"""Which model is meant: the caller's, the environment's, the one that ships, or a sentence that says what to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.toy_model import write_model

import plainwright
from plainwright.decode.bundle import ModelBundle
from plainwright.errors import DataError, ModelMissingError
from plainwright.learn.tagger import TaggerOptions, learn_tagger
from plainwright.rewrite import models


def make_model(folder: Path, target: str) -> Path:
    return write_model(folder, f"[VB] ||| purchase ||| {target} ||| good=3 ||| 0-0\n")


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PLAINWRIGHT_MODEL", raising=False)
    monkeypatch.setattr("plainwright.models.folder", lambda: tmp_path / "shipped")


def test_the_caller_comes_first_then_the_environment_then_what_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shipped").mkdir()
    make_model(tmp_path / "shipped" / "default", "get")
    assert plainwright.simplify("They purchase it.") == "They get it."
    monkeypatch.setenv("PLAINWRIGHT_MODEL", str(make_model(tmp_path / "environment", "buy")))
    assert plainwright.simplify("They purchase it.") == "They buy it."
    named = make_model(tmp_path / "named", "take")
    assert plainwright.simplify("They purchase it.", named) == "They take it."
    assert plainwright.load(named).simplify("Purchase!").text == "Take!"


def test_without_any_model_the_way_out_is_named() -> None:
    with pytest.raises(
        ModelMissingError, match=r"'plainwright\[en\]'`, or name another one \(--model DIR.*PLAINWRIGHT_MODEL"
    ):
        plainwright.simplify("x")


def test_a_wrong_environment_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAINWRIGHT_MODEL", "nowhere")
    with pytest.raises(DataError, match="PLAINWRIGHT_MODEL: expected the directory of a model, found 'nowhere'"):
        plainwright.load()


def test_words_are_kept_also_when_given_as_one_string(tmp_path: Path) -> None:
    model = make_model(tmp_path, "buy")
    assert plainwright.simplify("They purchase it.", model, keep="purchase") == "They purchase it."
    assert plainwright.simplify("They purchase it.", model, keep=["purchase it"]) == "They purchase it."


def test_a_model_stays_open_until_it_is_written_again(tmp_path: Path) -> None:
    model = make_model(tmp_path, "buy")
    first = models.load_once(model)
    assert models.load_once(model) is first
    (model / "model.toml").touch()
    assert models.load_once(model) is not first


def test_a_tagger_tells_which_rules_fit(tmp_path: Path) -> None:
    rules = "[NN] ||| feature ||| part ||| good=0.4 ||| 0-0\n[VB] ||| feature ||| show ||| good=0.4 ||| 0-0\n"
    model = write_model(tmp_path / "model", rules, weights={"good": 1.0, "IdentityRule": 0.5, "LabelAgrees": 1.0})
    sentences = [
        (["The", "feature", "is", "new", "."], ["DT", "NN", "VBZ", "JJ", "."]),
        (["It", "will", "feature", "them", "."], ["PRP", "MD", "VB", "PRP", "."]),
        (["A", "part", "is", "old", "."], ["DT", "NN", "VBZ", "JJ", "."]),
        (["It", "can", "show", "you", "."], ["PRP", "MD", "VB", "PRP", "."]),
    ]
    learn_tagger(sentences * 5, TaggerOptions(min_count=1)).save(model / "tagger.pack")
    text = "The feature is new. It will feature them."
    assert plainwright.simplify(text, model) == text  # nobody says which word is which
    replace(ModelBundle.load(model), tagger="tagger.pack").save(model)
    assert plainwright.load(model).simplify(text).text == "The part is new. It will show them."
    (model / "tagger.pack").unlink()
    with pytest.raises(DataError, match=r"names 'tagger\.pack', which is not in"):
        plainwright.load(model)
