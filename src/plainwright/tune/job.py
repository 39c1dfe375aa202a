"""A tuning run from files to a model directory: what `plainwright tune` does around the loop."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from plainwright.decode import DecoderSettings, SyntaxLabels
from plainwright.decode.bundle import ModelBundle
from plainwright.errors import DataError, UnknownNameError
from plainwright.evaluation import EvaluationSet
from plainwright.evaluation.textkind import detect
from plainwright.grammar import PackedGrammar
from plainwright.grammar.inspection import read_weights
from plainwright.lm import LanguageModel
from plainwright.text.tagging import Tagger
from plainwright.tune.decoding import DecoderFactory
from plainwright.tune.loop import TuningResult, TuningSet
from plainwright.tune.objective import Objective

__all__ = [
    "Start",
    "check_destination",
    "open_start",
    "parse_costs",
    "parse_objective",
    "save_model",
    "text_kind",
    "tuning_set",
]

_BLOCK = 1 << 20

# Where a model without weights begins: fluent, likely, and slow to change anything.
_FIRST_WEIGHTS = {
    "lm_0": 1.0,
    "lm_0_oov": -1.0,
    "WordPenalty": 0.5,
    "OOVPenalty": -1.0,
    "IdentityRule": 0.5,
    "p(e|f)": -0.5,
    "-logp(e2|e1)": -0.5,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A model before tuning: opened files and first weights."""

    bundle: ModelBundle | None  # None: from single files
    grammar_paths: tuple[Path, ...]
    lm_path: Path | None
    tagger_path: Path | None
    grammars: tuple[PackedGrammar, ...]
    lm: LanguageModel | None
    weights: Mapping[str, float]
    settings: DecoderSettings
    syntax: bool = False  # whether the input is parsed

    def digest(self, settings: DecoderSettings) -> str:
        """Return a digest of the files and the settings that decide what is decoded and taken."""
        risk = None if self.bundle is None else self.bundle.sentence_risk
        second_look = None if self.bundle is None else self.bundle.second_look_path
        digest = hashlib.sha256(repr((settings, risk, *(["syntax"] if self.syntax else []))).encode())
        for path in (*self.grammar_paths, self.lm_path, self.tagger_path, second_look):
            if path is None:
                continue
            with path.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    digest.update(block)
        return digest.hexdigest()

    def decoder(self, *, candidates: int, pop_limit: int | None, threads: int) -> DecoderFactory:
        """Return the decoder that tuning calls for tokenised text."""
        settings = replace(self.settings, candidates=candidates, pop_limit=pop_limit or self.settings.pop_limit)
        tagger = None if self.tagger_path is None else Tagger.open(self.tagger_path)
        return DecoderFactory(
            grammars=self.grammars,
            lm=self.lm,
            settings=settings,
            tagger=tagger,
            syntax=SyntaxLabels() if self.syntax else None,
            threads=threads,
        )

    def unfilled_labels(self) -> list[str]:
        """Return the labels of gaps that no word of the input can have, because nothing analyses it."""
        if self.syntax or self.tagger_path is not None:
            return []
        labels = {label for grammar in self.grammars for label in grammar.gap_labels}
        return sorted(labels - {self.settings.default_label})


def open_start(
    *,
    model: Path | None,
    grammars: Sequence[Path],
    lm: Path | None = None,
    tagger: Path | None = None,
    syntax: bool = False,
    weights: Path | None = None,
) -> Start:
    """Open a model directory, or single packed files."""
    if (model is None) == (not grammars):
        msg = "give either --model or --grammar, the rules to tune"
        raise DataError(msg)
    if model is not None and (lm is not None or tagger is not None or syntax):
        msg = "give --lm, --tagger and --syntax with --grammar; a model directory has its own"
        raise DataError(msg)
    if tagger is not None and syntax:
        msg = "give either --tagger or --syntax, which tags the input too"
        raise DataError(msg)
    bundle = None if model is None else ModelBundle.load(model)
    paths = tuple(grammars) if bundle is None else bundle.grammar_paths
    lm_path = lm if bundle is None else bundle.language_model_path
    opened = tuple(map(PackedGrammar if bundle is None else PackedGrammar.of_model, paths))
    given = read_weights(weights) if weights is not None else None if bundle is None else bundle.weights
    return Start(
        bundle=bundle,
        grammar_paths=paths,
        lm_path=lm_path,
        tagger_path=tagger if bundle is None else bundle.tagger_path,
        grammars=opened,
        lm=None if lm_path is None else LanguageModel.open(lm_path, verify=True),
        weights=_first_weights(opened, lm_path is not None) if given is None else given,
        settings=DecoderSettings() if bundle is None else bundle.decoder_settings(),
        syntax=syntax if bundle is None else bundle.syntax,
    )


def _first_weights(grammars: Sequence[PackedGrammar], has_lm: bool) -> dict[str, float]:
    named = {name for grammar in grammars for name in grammar.feature_names}
    built_in = {"WordPenalty", "OOVPenalty", "IdentityRule", *(("lm_0", "lm_0_oov") if has_lm else ())}
    return {name: weight for name, weight in _FIRST_WEIGHTS.items() if name in named | built_in}


def tuning_set(given: EvaluationSet) -> TuningSet:
    """Sources and references, which tuning cannot do without."""
    if given.sources is None or given.references is None:
        msg = f"{given.label}: tuning needs a source and at least one reference for every segment"
        raise DataError(msg)
    return TuningSet(sources=given.sources, references=given.references)


def text_kind(sets: Sequence[EvaluationSet]) -> Literal["raw", "tokenised"]:
    """Return what kind of text all sets hold; where nothing says so, by the look of the sources."""
    kinds = {given.label: given.tokens or detect(given.sources or ()).tokens for given in sets}
    if len({kind == "raw" for kind in kinds.values()}) > 1:
        shown = ", ".join(f"{label} {kind}" for label, kind in kinds.items())
        msg = f"expected all sets raw or all tokenised, found {shown}"
        raise DataError(msg)
    return "raw" if "raw" in kinds.values() else "tokenised"


def parse_costs(texts: Sequence[str], features: Sequence[str], optimiser: str) -> tuple[float, ...]:
    """Return the cost of each feature from items such as "Risk=0.05"; nothing if there are no items."""
    if not texts:
        return ()
    if optimiser != "risk":
        msg = f"costs need the optimiser risk, got {optimiser}"
        raise DataError(msg)
    costs = dict.fromkeys(features, 0.0)
    for text in texts:
        name, equals, number = text.rpartition("=")
        if not equals:
            msg = f"--cost {text}: expected FEATURE=COST, as in {text or 'Risk'}=0.05"
            raise DataError(msg)
        if name not in costs:
            kind, listing = "feature", "`plainwright grammar info` lists those of a grammar"
            raise UnknownNameError.suggest(kind, name, features, listing=listing)
        try:
            costs[name] = float(number)
        except ValueError:
            costs[name] = math.nan
        if not math.isfinite(costs[name]):
            msg = f"--cost {text}: expected a number behind '=', found {number[:30]!r}"
            raise DataError(msg)
    return tuple(costs.values())


def parse_objective(text: str, kind: Literal["raw", "tokenised"], *, lens_model: Path | None = None) -> Objective:
    """The objective for text of this kind; text that is tokenised already is not tokenised again."""
    raw = kind == "raw"
    tokenizer = "13a" if raw else "none"
    objective = Objective.parse(text, lambda metric: metric.options_for(raw=raw, tokenizer=tokenizer, model=lens_model))
    for _, metric in objective.terms:
        metric.signature()  # opens the model of a learned one: if it is missing, that is said before the work
    return objective


def check_destination(save: Path, model: Path | None) -> None:
    """Refuse a directory that could not become the tuned model, before the work that would be lost."""
    if save.exists() and not (model is not None and model.exists() and save.samefile(model)):
        msg = f"{save}: exists already; give --save another name, or remove it"
        raise DataError(msg)
    if not save.resolve().parent.is_dir():
        msg = f"{save}: cannot be written, {str(save.parent)!r} is not a directory"
        raise DataError(msg)


def save_model(start: Start, result: TuningResult, save: Path, *, sets: Sequence[str]) -> None:
    """Save the model with its new weights, as a directory of its own."""
    best = result.iterations[result.best - 1]
    provenance: dict[str, str | int | float] = {
        "tuned_on": sets[0],
        "objective": result.objective,
        "tuning_value": round(100 * best.tuning_value, 4),
        "iteration": result.best,
    }
    if best.held_out_value is not None:
        provenance |= {"held_out": sets[1], "held_out_value": round(100 * best.held_out_value, 4)}
    weights = {name: weight for name, weight in zip(result.features, result.weights, strict=True) if weight != 0}
    described = start.bundle or ModelBundle(
        name=save.name,
        version="1",
        licence="not stated",
        grammars=(),
        language_model=None,
        weights={},
        settings={"syntax": True} if start.syntax else {},
    )
    replace(described, weights=weights, provenance={**described.provenance, **provenance}).create(
        save,
        grammars=start.grammar_paths,
        language_model=start.lm_path,
        tagger=start.tagger_path,
        second_look=described.second_look_path,
        wordlist=described.wordlist_path,
    )
