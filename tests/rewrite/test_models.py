"""Which model is meant: the caller's, the environment's, the one that ships, or a sentence that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.toy_model import write_model

import plainwright
from plainwright.errors import DataError, ModelMissingError
from plainwright.rewrite import models


def make_model(folder: Path, target: str) -> Path:
    return write_model(folder, f"[VB] ||| purchase ||| {target} ||| good=3 ||| 0-0\n")


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PLAINWRIGHT_MODEL", raising=False)
    monkeypatch.setattr(models, "DEFAULT_MODEL", tmp_path / "shipped")


def test_the_caller_comes_first_then_the_environment_then_what_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_model(tmp_path / "shipped", "get")
    assert plainwright.simplify("They purchase it.") == "They get it."
    monkeypatch.setenv("PLAINWRIGHT_MODEL", str(make_model(tmp_path / "environment", "buy")))
    assert plainwright.simplify("They purchase it.") == "They buy it."
    named = make_model(tmp_path / "named", "take")
    assert plainwright.simplify("They purchase it.", named) == "They take it."
    assert plainwright.load(named).simplify("Purchase!").text == "Take!"


def test_without_any_model_the_way_out_is_named() -> None:
    with pytest.raises(ModelMissingError, match=r"--model DIR.*PLAINWRIGHT_MODEL.*docs/simplify.md"):
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
