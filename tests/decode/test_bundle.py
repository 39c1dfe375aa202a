"""Model directories: written and read again, and every mistake named."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.decode.bundle import ModelBundle, Setting
from plainwright.errors import DataError, UnknownNameError

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)


def bundle(**changes: object) -> ModelBundle:
    values: dict[str, object] = {
        "name": "toy",
        "version": "1",
        "licence": "CC0-1.0",
        "grammars": ("rules.pack",),
        "language_model": "lm.pack",
        "weights": {"lm_0": 1.0, "p(e|f)": -0.25},
    }
    return ModelBundle(**{**values, **changes})  # type: ignore[arg-type]


def written(folder: Path, **changes: object) -> Path:
    for name in ("rules.pack", "lm.pack"):
        (folder / name).write_bytes(b"x")
    bundle(**changes).save(folder)
    return folder


@given(
    description=TEXT,
    weights=st.dictionaries(TEXT, NUMBER, max_size=5),
    settings=st.dictionaries(TEXT, st.one_of(TEXT, NUMBER, st.integers(-(2**40), 2**40), st.booleans()), max_size=5),
)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory,
    description: str,
    weights: dict[str, float],
    settings: dict[str, object],
) -> None:
    folder = written(tmp_path_factory.mktemp("model"), description=description, weights=weights, settings=settings)
    found = ModelBundle.load(folder)
    assert (found.description, dict(found.weights), dict(found.settings)) == (description, weights, settings)
    assert found.grammar_paths == (folder / "rules.pack",)
    assert found.language_model_path == folder / "lm.pack"


def test_a_model_may_have_no_language_model(tmp_path: Path) -> None:
    assert ModelBundle.load(written(tmp_path, language_model=None)).language_model_path is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('[model]\nname = 3\nversion = ""\nlicence = ""', r"model\.name: expected text, found 3"),
        ('[model]\nname = "a"\nversion = "1"', r"model\.licence: expected text, found nothing"),
        ("nonsense", "expected TOML"),
        ("model = 3", r"model: expected a table"),
    ],
)
def test_mistakes_in_the_file_are_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "model.toml").write_text(line, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        ModelBundle.load(tmp_path)


def test_weights_must_be_numbers(tmp_path: Path) -> None:
    path = written(tmp_path) / "model.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("= 1.0", '= "heavy"'), encoding="utf-8")
    with pytest.raises(DataError, match=r"weights\.lm_0: expected a finite number, found 'heavy'"):
        ModelBundle.load(tmp_path)


def test_a_name_that_no_file_can_have_is_of_none(tmp_path: Path) -> None:
    written(tmp_path, grammars=("x" * 1000,))
    with pytest.raises(DataError, match=r"model\.toml: "):
        ModelBundle.load(tmp_path)


@pytest.mark.parametrize("files", [{"grammars": ("../rules.pack",)}, {"language_model": "../lm.pack"}])
def test_files_outside_the_directory_are_refused(tmp_path: Path, files: dict[str, Any]) -> None:
    written(tmp_path, **files)
    with pytest.raises(DataError, match="names of files in the same directory"):
        ModelBundle.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("pop_limit", "many"), ("pop_limit", 2.5), ("pop_limit", True), ("span_limit", 10**12), ("default_label", 3)],
)
def test_settings_of_the_wrong_kind_are_named(tmp_path: Path, name: str, value: Setting) -> None:
    written(tmp_path, settings={name: value})
    with pytest.raises(DataError, match=rf"model\.toml: settings\.{name} must be"):
        ModelBundle.load(tmp_path).decoder_settings()


@pytest.mark.parametrize("value", [-0.1, True, "much", math.inf])
def test_a_limit_of_risk_that_is_none_is_named(tmp_path: Path, value: Setting) -> None:
    written(tmp_path, settings={"sentence_risk": value})
    with pytest.raises(DataError, match=r"model\.toml: settings\.sentence_risk: expected a number from 0"):
        _ = ModelBundle.load(tmp_path).sentence_risk


def test_the_limit_of_risk_is_the_simplifiers_and_not_the_decoders(tmp_path: Path) -> None:
    written(tmp_path, settings={"sentence_risk": 0.25, "pop_limit": 7})
    bundle = ModelBundle.load(tmp_path)
    assert (bundle.sentence_risk, bundle.decoder_settings().pop_limit) == (0.25, 7)
    assert ModelBundle.load(written(tmp_path)).sentence_risk is None


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "lm.pack").unlink()
    with pytest.raises(DataError, match=r"names 'lm\.pack', which is not in"):
        ModelBundle.load(tmp_path)


def test_no_directory(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected the directory of a model, found nothing"):
        ModelBundle.load(tmp_path / "nowhere")


def test_a_misspelt_setting_is_named(tmp_path: Path) -> None:
    written(tmp_path, settings={"pop_limt": 30})
    with pytest.raises(UnknownNameError, match=r"unknown setting in .*'pop_limt'; did you mean pop_limit"):
        ModelBundle.load(tmp_path).decoder_settings()
