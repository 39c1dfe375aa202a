"""Which model is meant, and opening it.

The order: what the caller names, the directory in `$PLAINWRIGHT_MODEL`, the model that comes with the package.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from pathlib import Path

from plainwright.arguments import check_instance, check_path
from plainwright.decode.bundle import RULES, ModelBundle
from plainwright.errors import DataError, ModelMissingError
from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel
from plainwright.rewrite.judge import SecondLook
from plainwright.rewrite.passes import Passes
from plainwright.rewrite.pipeline import Pipeline
from plainwright.rewrite.registry import PROPOSERS, make_judges, make_proposer
from plainwright.rewrite.simplifier import OpenedFrom, Simplifier, scfg_pipeline
from plainwright.text.tagging import Tagger

__all__ = ["DEFAULT_MODEL", "MODEL_VARIABLE", "find_model", "load", "load_once", "open_bundle"]

MODEL_VARIABLE = "PLAINWRIGHT_MODEL"
DEFAULT_MODEL = Path(__file__).resolve().parents[1] / "models" / "default"


def find_model(model: str | Path | None = None) -> Path:
    """Find the directory of the model to use."""
    if model is not None:
        check_path(model, "load", "model")
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


def load(
    model: str | Path | None = None,
    *,
    strength: float = 0.0,
    proposers: Sequence[Sequence[str]] | None = None,
) -> Simplifier:
    """Load the simplifier in a model directory; `proposers` names others than the model does, by pass."""
    if proposers is not None and any(isinstance(names, str) or not names for names in proposers):
        msg = f"proposers are lists of names, one for each pass, as in [['words', 'scfg']]; got {proposers!r:.60}"
        raise DataError(msg)
    bundle = ModelBundle.load(find_model(model))
    passes = tuple(map(tuple, proposers or bundle.proposers))
    if proposers is not None or passes != ((RULES,),):
        PROPOSERS.warn_if_ignored(RULES)
    opened_from = OpenedFrom(bundle.directory.absolute(), strength, passes)
    return Simplifier(open_bundle(bundle, strength=strength, proposers=passes).pipeline, opened_from=opened_from)


def open_bundle(
    bundle: ModelBundle, *, strength: float = 0.0, proposers: Sequence[Sequence[str]] | None = None
) -> Simplifier:
    """Open the simplifier of a model whose files are where the bundle says."""
    check_instance(bundle, ModelBundle, "open_bundle", "bundle", "a ModelBundle, as ModelBundle.load returns it")
    rules = scfg_pipeline(
        [PackedGrammar.of_model(path) for path in bundle.grammar_paths],
        lm=None if bundle.language_model_path is None else LanguageModel.open(bundle.language_model_path, verify=True),
        tagger=None if bundle.tagger_path is None else Tagger.open(bundle.tagger_path),
        weights=bundle.weights,
        settings=bundle.decoder_settings(),
        second_look=None if bundle.second_look_path is None else SecondLook.open(bundle.second_look_path),
        sentence_risk=bundle.sentence_risk,
        strength=strength,
    )
    passes = tuple(map(tuple, bundle.proposers if proposers is None else proposers))
    pipelines = [_pipeline(rules, names, bundle) for names in passes]
    return Simplifier(pipelines[0] if len(pipelines) == 1 else Passes(pipelines))


def _pipeline(rules: Pipeline, names: Sequence[str], bundle: ModelBundle) -> Pipeline:
    """One pass: the proposers of these names, the model's rules among them if they are named."""
    options = bundle.options.get("proposers", {})
    [own] = rules.proposers
    proposers = [own if name == RULES else make_proposer(name, options.get(name, {})) for name in names]
    judges = [*rules.judges, *make_judges(bundle.judges, bundle.options.get("judges", {}))]
    return Pipeline(proposers, judges=judges, budget=rules.budget, tagger=rules.tagger)


def load_once(
    model: str | Path | None = None, *, strength: float = 0.0, proposers: Sequence[Sequence[str]] | None = None
) -> Simplifier:
    """The same, kept open for the next call until the model's `model.toml` is written again."""
    directory = find_model(model).absolute()
    try:
        stamp = (directory / "model.toml").stat().st_mtime_ns
    except OSError:
        stamp = 0  # `load` says what is wrong
    return _kept(directory, strength, None if proposers is None else tuple(map(tuple, proposers)), stamp)


@functools.lru_cache(maxsize=4)
def _kept(directory: Path, strength: float, proposers: tuple[tuple[str, ...], ...] | None, _stamp: int) -> Simplifier:
    return load(directory, strength=strength, proposers=proposers)
