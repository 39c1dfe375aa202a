"""Which model is meant, and opening it.

The order: what the caller names, the directory in `$PLAINWRIGHT_MODEL`, the model that comes with the package.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path

from plainwright.decode.bundle import ModelBundle
from plainwright.errors import DataError, ModelMissingError
from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel
from plainwright.rewrite.second_look import SecondLook
from plainwright.rewrite.simplifier import Simplifier
from plainwright.text.tagging import Tagger

__all__ = ["DEFAULT_MODEL", "MODEL_VARIABLE", "find_model", "load", "load_once", "open_bundle"]

MODEL_VARIABLE = "PLAINWRIGHT_MODEL"
DEFAULT_MODEL = Path(__file__).resolve().parents[1] / "models" / "default"


def find_model(model: str | Path | None = None) -> Path:
    """The directory of the model to use."""
    if model is not None:
        return Path(model)
    if named := os.environ.get(MODEL_VARIABLE):
        if not Path(named).is_dir():
            msg = f"{MODEL_VARIABLE}: expected the directory of a model, found {named!r}"
            raise DataError(msg)
        return Path(named)
    if DEFAULT_MODEL.is_dir():
        return DEFAULT_MODEL
    msg = (
        "no model to simplify with: name the directory of one (--model DIR, or model= from Python) "
        f"or set {MODEL_VARIABLE} to it; docs/simplify.md shows how to make one"
    )
    raise ModelMissingError(msg)


def load(model: str | Path | None = None, *, strength: float = 0.0) -> Simplifier:
    """The simplifier in a model directory, ready for text."""
    return open_bundle(ModelBundle.load(find_model(model)), strength=strength)


def open_bundle(bundle: ModelBundle, *, strength: float = 0.0) -> Simplifier:
    """The simplifier of a model whose files are where the bundle says."""
    return Simplifier(
        [PackedGrammar.of_model(path) for path in bundle.grammar_paths],
        lm=None if bundle.language_model_path is None else LanguageModel.open(bundle.language_model_path, verify=True),
        tagger=None if bundle.tagger_path is None else Tagger.open(bundle.tagger_path),
        weights=bundle.weights,
        settings=bundle.decoder_settings(),
        second_look=None if bundle.second_look_path is None else SecondLook.open(bundle.second_look_path),
        sentence_risk=bundle.sentence_risk,
        strength=strength,
    )


def load_once(model: str | Path | None = None, *, strength: float = 0.0) -> Simplifier:
    """The same, kept open for the next call until the model's `model.toml` is written again."""
    directory = find_model(model).absolute()
    try:
        stamp = (directory / "model.toml").stat().st_mtime_ns
    except OSError:
        stamp = 0  # `load` says what is wrong
    return _kept(directory, strength, stamp)


@functools.lru_cache(maxsize=4)
def _kept(directory: Path, strength: float, _stamp: int) -> Simplifier:
    return load(directory, strength=strength)
