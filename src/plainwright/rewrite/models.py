"""Which model is meant, and opening it.

The order: what the caller names, the directory in `$PLAINWRIGHT_MODEL`, the model of plainwright-en.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

from plainwright import models as shipped
from plainwright.arguments import check_choice, check_instance, check_path, refuse
from plainwright.decode import SyntaxLabels
from plainwright.decode.bundle import RULES, ModelBundle
from plainwright.errors import DataError, MissingExtraError, ModelMissingError
from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel
from plainwright.rewrite.grade_gate import GradeGate
from plainwright.rewrite.judge import SecondLook
from plainwright.rewrite.passes import Passes
from plainwright.rewrite.pipeline import Pipeline
from plainwright.rewrite.propose.wordlist import WordlistProposer
from plainwright.rewrite.registry import (
    FIDELITY,
    PROMPT,
    PROPOSERS,
    REWRITE_RISK,
    REWRITER,
    SYNTAX,
    WORDLIST,
    Endpoint,
    make_judges,
    make_proposer,
)
from plainwright.rewrite.simplifier import OpenedFrom, Simplifier, scfg_pipeline
from plainwright.rewrite.types import Proposer
from plainwright.rewrite.wordlist import WordList
from plainwright.rewriter.finding import REWRITER_VARIABLE, Level, check_rewriter, is_declined, is_named_or_installed
from plainwright.text.parser import check_english_model
from plainwright.text.tagging import Tagger

__all__ = [
    "ENGINES",
    "MODEL_VARIABLE",
    "Engine",
    "Split",
    "find_model",
    "load",
    "load_once",
    "open_bundle",
]

Engine = Literal["best", "split", "rewriter", "rules", "prompt"]
ENGINES: tuple[Engine, ...] = get_args(Engine)
Split = Literal["helpful", "all"]
SPLITS: tuple[Split, ...] = get_args(Split)
_SHORTER = 0.75  # of the length, where less is asked for
PassNames = tuple[tuple[str, ...], ...]
Words = str | Path | Sequence[str | Path]  # files with lists of words
_RULES_ALONE: PassNames = ((RULES,),)
_REWRITER_FIRST: PassNames = ((REWRITER, RULES),)
_SPLITTER_FIRST: PassNames = ((SYNTAX,),)
_OF_ENGINES: dict[Engine, PassNames] = {
    "split": _SPLITTER_FIRST,
    "rewriter": _REWRITER_FIRST,
    "rules": _RULES_ALONE,
    "prompt": ((PROMPT, RULES),),
}

MODEL_VARIABLE = "PLAINWRIGHT_MODEL"


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
    return shipped.find("default", otherwise=f"or name another one (--model DIR, model= from Python, {MODEL_VARIABLE})")


def load(
    model: str | Path | None = None,
    *,
    engine: Engine = "best",
    level: Level = "plain",
    shorter: bool = False,
    strength: float = 0.0,
    proposers: Sequence[Sequence[str]] | None = None,
    split: Split | None = None,
    endpoint: Endpoint | None = None,
    words: Words = (),
    max_grade: float | None = None,
) -> Simplifier:
    """Load the simplifier in a model directory.

    The `engine` says who proposes. "best" asks those that the model names and that are installed: the model that comes
    with plainwright splits sentences and then replaces words by its list, with a `strength` above 0 also by its rules;
    or where somebody named a rewriter, it asks that and then the rules. "split" only splits sentences, "rules" asks the
    rules alone, "rewriter" a rewriter before them, "prompt" the language model at an `endpoint`. `proposers` names
    others, by pass. With `split`, sentences are split first, whoever proposes then: "helpful" splits where that helps a
    reader, "all" wherever grammar allows. The `level` is what splitting and the rewriter aim at; `shorter` asks the
    rewriter for about three quarters of the length.
    `words` are files with lists of hard words and plain ones; they come before everything else and win.
    Sentences whose Flesch-Kincaid grade is not above `max_grade` are left as they are.
    """
    check_choice(engine, ENGINES, "engine", listing="choose among")
    _check_split(split, level)
    if proposers is not None and any(isinstance(names, str) or not names for names in proposers):
        msg = f"proposers are lists of names, one for each pass, as in [['wordlist', 'scfg']]; got {proposers!r:.60}"
        raise DataError(msg)
    bundle = ModelBundle.load(find_model(model))
    if engine == "prompt" or endpoint is not None:
        bundle = _with_endpoint(bundle, endpoint or Endpoint())
    note = ""
    if proposers is not None:
        passes = tuple(map(tuple, proposers))
    elif engine == "best":
        passes, note = _installed(bundle, bold=strength > 0)
    else:
        passes = _OF_ENGINES[engine]
    if not {RULES, SYNTAX, WORDLIST}.issuperset(itertools.chain(*passes)):
        PROPOSERS.warn_if_ignored(RULES)
    if split is not None and not any(SYNTAX in names for names in passes):
        passes = (*_SPLITTER_FIRST, *passes)
    bundle = _with_splitting(bundle, split, rewords=engine != "split")
    files = _files(words)
    opened_from = OpenedFrom(
        bundle.directory.absolute(), level, shorter, strength, passes, endpoint, files, max_grade, engine, split
    )
    opened = open_bundle(bundle, level=level, shorter=shorter, strength=strength, proposers=passes, words=files)
    gated = opened.pipeline if max_grade is None else GradeGate(opened.pipeline, max_grade)
    return Simplifier(gated, opened_from=opened_from, note=note)


def _check_split(split: Split | None, level: Level) -> None:
    if split is None:
        return
    check_choice(split, SPLITS, "split", listing="choose among")
    if level == "light":
        msg = "split: expected the level plain or easy with it, found light, which keeps sentences whole"
        raise DataError(msg)


def _with_splitting(bundle: ModelBundle, split: Split | None, *, rewords: bool) -> ModelBundle:
    """Return the model with a splitter that goes as far as asked."""
    asked: dict[str, bool] = {} if rewords else {"rewords": False}
    asked |= {"everywhere": True} if split == "all" else {}
    proposers = bundle.options.get("proposers", {})
    changed = {**proposers, SYNTAX: {**proposers.get(SYNTAX, {}), **asked}}
    return replace(bundle, options={**bundle.options, "proposers": changed}) if asked else bundle


def _files(words: Words) -> tuple[Path, ...]:
    """Return the files that were named, one or several."""
    if isinstance(words, str | Path):
        words = [words]
    elif isinstance(words, bytes) or not isinstance(words, Iterable):
        refuse(words, "load", "words", "a path or a list of paths")
    files = list(words)
    for file in files:
        check_path(file, "load", "words")
    return tuple(Path(file).absolute() for file in files)


def _with_endpoint(bundle: ModelBundle, endpoint: Endpoint) -> ModelBundle:
    """Return the model with another language model to ask."""
    proposers = bundle.options.get("proposers", {})
    asked = {**proposers, PROMPT: endpoint.over(proposers.get(PROMPT, {}))}
    return replace(bundle, options={**bundle.options, "proposers": asked})


def _installed(bundle: ModelBundle, *, bold: bool) -> tuple[PassNames, str]:
    """Return who proposes of those that would if all worked, and what to say of the others."""
    named = bundle.proposers
    if bold and not any(RULES in names for names in named):
        named = (*named, *_RULES_ALONE)
    # The model that ships asks a rewriter where somebody put one.
    is_ours = _ships(bundle) and is_named_or_installed() and not is_declined()
    passes, notes = _REWRITER_FIRST if is_ours else named, []
    for name, check in ((REWRITER, check_rewriter), (SYNTAX, _check_parser)):
        if not any(name in names for names in passes):
            continue
        try:
            check()
        except (ModelMissingError, MissingExtraError) as error:
            passes = named if is_ours and name == REWRITER else _without(name, passes)
            if name != REWRITER or not is_declined():
                notes.append(str(error))
    return passes, f"left out: {'; '.join(notes)}" if notes else ""


def _ships(bundle: ModelBundle) -> bool:
    return shipped.is_installed("default") and bundle.directory.resolve() == shipped.find("default").resolve()


def _check_parser() -> None:
    check_english_model("splitting sentences", otherwise="or do without (--proposers wordlist)")


def _without(name: str, passes: PassNames) -> PassNames:
    left = tuple(tuple(other for other in names if other != name) for names in passes)
    return tuple(names for names in left if names) or _RULES_ALONE


def open_bundle(
    bundle: ModelBundle,
    *,
    level: Level = "plain",
    shorter: bool = False,
    strength: float = 0.0,
    proposers: Sequence[Sequence[str]] | None = None,
    words: Sequence[Path] = (),
) -> Simplifier:
    """Open the simplifier of a model whose files are where the bundle says; `words` are lists of the user's."""
    check_instance(bundle, ModelBundle, "open_bundle", "bundle", "a ModelBundle, as ModelBundle.load returns it")
    rules = scfg_pipeline(
        [PackedGrammar.of_model(path) for path in bundle.grammar_paths],
        lm=None if bundle.language_model_path is None else LanguageModel.open(bundle.language_model_path, verify=True),
        tagger=None if bundle.tagger_path is None else Tagger.open(bundle.tagger_path),
        syntax=SyntaxLabels() if bundle.syntax else None,
        weights=bundle.weights,
        settings=bundle.decoder_settings(),
        second_look=None if bundle.second_look_path is None else SecondLook.open(bundle.second_look_path),
        sentence_risk=bundle.sentence_risk,
        strength=strength,
    )
    passes = tuple(map(tuple, bundle.proposers if proposers is None else proposers))
    controls: dict[str, Any] = {"level": level} | ({"length": _SHORTER} if shorter else {})
    listed = _wordlist(bundle, passes, words, tagged=rules.tagger is not None)
    if words and not any(WORDLIST in names for names in passes):
        passes = ((WORDLIST,), *passes)
    made: dict[str, Proposer] = {RULES: rules.proposers[0]} | ({} if listed is None else {WORDLIST: listed})
    pipelines = [_pipeline(rules, names, bundle, controls, made, listed) for names in passes]
    return Simplifier(pipelines[0] if len(pipelines) == 1 else Passes(pipelines))


def _wordlist(
    bundle: ModelBundle, passes: PassNames, words: Sequence[Path], *, tagged: bool
) -> WordlistProposer | None:
    """Open the lists of the user, and that of the model if a pass names it; None if nobody needs any."""
    named = any(WORDLIST in names for names in passes)
    if not named and not words:
        return None
    if not tagged:
        msg = (
            f"{bundle.directory / 'model.toml'}: expected a tagger in [files], which lists of words need, found none; "
            "use another model, or do without the list"
        )
        raise DataError(msg)
    lists = [WordList.read(file) for file in words]
    if named and bundle.wordlist_path is not None:
        lists.append(WordList.open(bundle.wordlist_path))
    if not lists:
        msg = (
            f"{bundle.directory / 'model.toml'}: expected a list for the proposer 'wordlist', found none; "
            "name one in [files], or give your own with --words FILE"
        )
        raise DataError(msg)
    return WordlistProposer(lists)


def _pipeline(
    rules: Pipeline,
    names: Sequence[str],
    bundle: ModelBundle,
    controls: Mapping[str, Any],
    made: dict[str, Proposer],
    listed: WordlistProposer | None,
) -> Pipeline:
    """Make one pass: the proposers of these names, those that another pass has `made` already among them."""
    options = dict(bundle.options.get("proposers", {}))
    options[REWRITER] = {**options.get(REWRITER, {}), **controls}
    options[SYNTAX] = {**options.get(SYNTAX, {}), "level": controls["level"]}
    for name in names:
        if name not in made:
            made[name] = make_proposer(name, options.get(name, {}))
    proposers = [made[name] for name in names]
    needed = [FIDELITY] if not {PROMPT, REWRITER}.isdisjoint(names) else []
    needed += [REWRITE_RISK] if REWRITER in names else []
    named = tuple(dict.fromkeys((*bundle.judges, *needed)))
    judges = [*rules.judges, *make_judges(named, bundle.options.get("judges", {}))]
    fixing = None if listed is None else listed.fixed_for_lists if WORDLIST in names else listed.fixed
    return Pipeline(proposers, judges=judges, budget=rules.budget, tagger=rules.tagger, fixing=fixing)


def load_once(
    model: str | Path | None = None,
    *,
    engine: Engine = "best",
    level: Level = "plain",
    shorter: bool = False,
    strength: float = 0.0,
    proposers: Sequence[Sequence[str]] | None = None,
    split: Split | None = None,
    endpoint: Endpoint | None = None,
    words: Words = (),
    max_grade: float | None = None,
) -> Simplifier:
    """Load the same, and keep it open until a file with settings or words changes or another rewriter is named."""
    directory, files = find_model(model).absolute(), _files(words)
    state = (*map(_stamp, (directory / "model.toml", *files)), os.environ.get(REWRITER_VARIABLE))
    passes = None if proposers is None else tuple(map(tuple, proposers))
    return _kept(directory, engine, level, shorter, strength, passes, split, endpoint, files, max_grade, state)


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0  # `load` says what is wrong


@functools.lru_cache(maxsize=4)
def _kept(
    directory: Path,
    engine: Engine,
    level: Level,
    shorter: bool,
    strength: float,
    proposers: PassNames | None,
    split: Split | None,
    endpoint: Endpoint | None,
    words: tuple[Path, ...],
    max_grade: float | None,
    _state: tuple[int | str | None, ...],
) -> Simplifier:
    return load(
        directory,
        engine=engine,
        level=level,
        shorter=shorter,
        strength=strength,
        proposers=proposers,
        split=split,
        endpoint=endpoint,
        words=words,
        max_grade=max_grade,
    )
