"""The estimate of a level: its model, and how far it can be trusted on sentences that teachers graded."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from plainwright.check.features import FEATURES, features
from plainwright.check.level import level_name, level_values
from plainwright.check.passage import read_passage
from plainwright.corpora.lookup import directories

ROOT = Path(__file__).resolve().parents[2]


def data(name: str) -> Path:
    for folder in directories():
        if (folder / name).is_dir():
            return folder / name
    pytest.skip(f"{name} is not on this machine")


@pytest.fixture(scope="module")
def tool() -> dict:
    return runpy.run_path(str(ROOT / "tools" / "cefr_level.py"))


@pytest.mark.parametrize(("value", "name"), [(0.2, "A1"), (1.49, "A1"), (1.5, "A2"), (3.0, "B1"), (6.9, "C2")])
def test_a_level_is_the_nearest_number(value: float, name: str) -> None:
    assert level_name(value) == name


def test_each_feature_has_its_place() -> None:
    [sentence] = read_passage("We saw two dogs, and Anna smiled.").sentences
    values = dict(zip(FEATURES, features(sentence), strict=True))
    assert (values["words"], values["commas"], values["names"], values["numbers"]) == (7, 1, 1, 1)


def test_a_sentence_has_the_same_level_in_any_company() -> None:
    sentences = read_passage("We saw two dogs. The jurisdiction promulgated ordinances. It rained.").sentences
    alone = [level_values([sentence])[0] for sentence in sentences]
    assert list(level_values(sentences)) == alone
    assert level_values([]).tolist() == []


@pytest.mark.parametrize("part", ["Wikiauto_test", "SCoRE_test"])
def test_nine_of_ten_sentences_are_within_one_level_of_both_teachers(tool: dict, part: str) -> None:
    sentences, labels = tool["labelled"](data("cefr_sp") / f"CEFR-SP_{part}.txt")
    names = [level_name(value) for value in level_values(sentences)]
    found = [1 + ("A1", "A2", "B1", "B2", "C1", "C2").index(name) for name in names]
    near = [max(abs(level - label) for label in own) <= 1 for level, own in zip(found, labels, strict=True)]
    assert sum(near) / len(near) >= 0.9


@pytest.mark.parametrize("name", ["ADV-INT", "ADV-ELE", "ELE-INT"])
def test_pages_of_two_levels_are_put_in_order(tool: dict, name: str) -> None:
    grade, level = tool["in_order"](data("onestop_english") / f"{name}.txt")
    assert grade >= 0.9
    assert level >= 0.9


def test_the_model_that_ships_is_what_the_tool_makes(tool: dict, tmp_path: Path) -> None:
    tool["train"](data("cefr_sp"), tmp_path / "level.tsv")
    shipped = ROOT / "src" / "plainwright" / "check" / "level.tsv"
    rows = [
        [[*map(float, line.split("\t")[1:])] for line in path.read_text("utf-8").splitlines() if line[0] != "#"]
        for path in (tmp_path / "level.tsv", shipped)
    ]
    for made, kept in zip(*rows, strict=True):
        assert made == pytest.approx(kept, rel=1e-3, abs=1e-4)
