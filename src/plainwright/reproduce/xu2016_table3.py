"""Xu et al. (2016), Table 3: what two words may become, ranked by the model, the word itself among them.

Two answers. The authors' own weights are public, but of the 42 features of a rule only those that follow from its
words can be computed: the rest came with PPDB. And a model of ours ranks its own rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from plainwright import corpora, models
from plainwright.decode.bundle import ModelBundle
from plainwright.errors import ModelMissingError
from plainwright.grammar import PackedGrammar
from plainwright.grammar.features import PPDB_FEATURES, RELEASED_FEATURES, FeatureMaker, PhraseScorer
from plainwright.grammar.inspection import rank_candidates
from plainwright.grammar.rules import Rule
from plainwright.lm import LanguageModel
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction
from plainwright.reproduce.xu2016 import CITATION
from plainwright.study.coefficients import kendall

__all__ = ["NEEDS", "TABLE_3", "table3"]

NEEDS = ("xu2016/weights",)
TABLE_3 = "Xu et al. (2016), Table 3: candidates for two words, ranked by the model"

# Word: its candidates and their scores as printed.
_PAPER: Mapping[str, Mapping[str, float]] = {
    "principal": {
        "key": 4.515,
        "main": 4.514,
        "major": 4.358,
        "chief": 3.205,
        "core": 3.025,
        "principal": 2.885,
        "top": 2.600,
        "senior": 2.480,
        "lead": 2.377,
        "primary": 2.171,
        "prime": 1.432,
        "keynote": -0.795,
    },
    "able-bodied": {
        "valid": 6.435,
        "sound": 5.838,
        "healthy": 4.446,
        "able-bodied": 3.372,
        "job-ready": 1.611,
        "employable": -0.363,
        "non-disabled": -2.207,
    },
}
_LABEL = "JJ"
# Tried when the numbers were known: without which features of length the order is nearer to the paper's.
_LEFT_OUT: Mapping[str, tuple[str, ...]] = {
    "all that can be computed": (),
    "without CharLogCR": ("CharLogCR",),
    "without MaxDiffWordSylDiff and MaxDiffWordLenDiff": ("MaxDiffWordSylDiff", "MaxDiffWordLenDiff"),
}
_CHOICES = (
    "These choices were written down when the numbers were known; they are those of the first attempt, and what was "
    "tried later is shown apart.",
    "The candidates are those that the paper prints, as rules of one adjective for another; nothing else of PPDB is "
    "needed for the features that follow from a rule. Features that are missing count as 0. The language model is that "
    "of our model, in the place of Gigaword's.",
    "A model of ours ranks all rules that it has for the two words. Where it has several for the same two words, the "
    "one with the highest score counts. No change is the decoder's own rule, unless the grammar has one.",
    "Scores of different models lie on different scales: only ranks can be compared.",
)
_Scores = Mapping[str, Mapping[str, float]]  # word -> candidate -> score
_Features = Mapping[str, Mapping[str, Mapping[str, float]]]  # word -> candidate -> feature -> value


def table3(data: Path | None = None, *, model: Path | None = None) -> Reproduction:
    """Rank the paper's candidates by the authors' weights, and the rules of a model by its own."""
    notes = [
        "The first ranking falls behind the paper's by more the more letters a candidate saves, so a feature of length "
        "may be meant in another way than we compute it. Which one cannot be told without PPDB."
    ]
    try:
        bundle = ModelBundle.load(models.find("default") if model is None else model)
    except ModelMissingError as error:
        if model is not None:
            raise
        bundle = None
        notes.append(f"A model of ours is left out: {error}.")
    features, weights = _released(data, bundle)
    scores = _scored(features, weights)
    blocks = [_released_block(scores, features), _left_out_block(features, weights)]
    findings = [_ranking_finding("The authors' weights without PPDB's features", scores)]
    if bundle is not None:
        ours = _by_model(bundle)
        notes += [f"The model has no rule for {word}." for word in _PAPER if word not in ours]
        if ours:
            blocks.append(_model_block(bundle, ours))
            findings.append(_ranking_finding(f"The model {bundle.name!r}", ours))
    return Reproduction(
        name="xu2016-table3",
        title=TABLE_3,
        citation=CITATION,
        blocks=tuple(blocks),
        findings=tuple(findings),
        notes=(*_CHOICES, *notes),
    )


def _released(data: Path | None, bundle: ModelBundle | None) -> tuple[_Features, dict[str, float]]:
    """Return the features of the paper's candidates that follow from their words, and the authors' weights."""
    [[_, *lines]] = corpora.load_words("xu2016/weights", data=data)
    weights = {name: float(tuned) for name, _, _, tuned in (line.split("\t") for line in lines)}
    lm = None if bundle is None else bundle.language_model_path
    maker = FeatureMaker(language_model=None if lm is None else PhraseScorer(LanguageModel.open(lm)))
    features = {
        word: {target: _known(maker.complete(Rule(_LABEL, (word,), (target,), {}, ((0, 0),)))) for target in candidates}
        for word, candidates in _PAPER.items()
    }
    return features, weights


def _known(rule: Rule) -> dict[str, float]:
    return {name: value for name, value in rule.features.items() if value is not None}


def _scored(features: _Features, weights: Mapping[str, float], *, without: Sequence[str] = ()) -> _Scores:
    return {
        word: {
            target: sum(weights.get(name, 0.0) * value for name, value in values.items() if name not in without)
            for target, values in own.items()
        }
        for word, own in features.items()
    }


def _by_model(bundle: ModelBundle) -> _Scores:
    """Score the rules of a model, of each target the best; words without a rule are left out."""
    scores: dict[str, dict[str, float]] = {}
    for path in bundle.grammar_paths:
        grammar = PackedGrammar(path)
        for word in _PAPER:
            for candidate in rank_candidates(grammar, word, bundle.weights, reasons=0):
                own = scores.setdefault(word, {})
                own[candidate.target] = max(candidate.score, own.get(candidate.target, candidate.score))
    return scores


def _released_block(scores: _Scores, features: _Features) -> Block:
    total = len(PPDB_FEATURES) + len(RELEASED_FEATURES)
    known = {name for own in features.values() for values in own.values() for name in values}
    missing = [name for name in (*PPDB_FEATURES, *RELEASED_FEATURES) if name not in known]
    cause = f"{len(missing)} of the {total} features are missing, those that came with PPDB"
    cells = [
        replace(cell, note=cause) if cell.difference else cell
        for word, own in scores.items()
        for cell in _cells(word, own)
    ]
    return Block(
        title="The authors' weights, on the paper's candidates",
        cells=tuple(cells),
        methods={
            "score": f"tuned weights of the authors x {total - len(missing)} features; missing: {', '.join(missing)}",
            "rank": "place among the candidates of the word",
        },
    )


def _left_out_block(features: _Features, weights: Mapping[str, float]) -> Block:
    cells = [
        Cell(row=row, column=word, paper=None, ours=_tau(word, own))
        for row, without in _LEFT_OUT.items()
        for word, own in _scored(features, weights, without=without).items()
    ]
    return Block(
        title="Kendall's tau of that order with the paper's, by features (tried when the numbers were known)",
        cells=tuple(cells),
    )


def _tau(word: str, scores: Mapping[str, float]) -> float:
    shared = [target for target in scores if target in _PAPER[word]]
    return float(kendall([scores[target] for target in shared], [_PAPER[word][target] for target in shared]))


def _model_block(bundle: ModelBundle, scores: _Scores) -> Block:
    cause = "other rules, features and weights"
    cells = [
        replace(cell, note=cause) if cell.difference else cell
        for word, own in scores.items()
        for cell in _cells(word, own)
    ]
    return Block(
        title=f"The model {bundle.name!r}, on its own rules",
        cells=tuple(cells),
        methods={
            "score": "weights of the model x features of the rule; for the word itself, the weight of no change",
            "rank": "place among the rules of the word, and in the paper among its candidates",
        },
    )


def _cells(word: str, scores: Mapping[str, float]) -> Iterator[Cell]:
    ranked = sorted(scores, key=lambda target: (-scores[target], target))
    printed = list(_PAPER[word])
    for rank, target in enumerate(ranked, start=1):
        row = f"{word} → {target}"
        paper_rank = printed.index(target) + 1 if target in printed else None
        yield Cell(row=row, column="score", paper=_PAPER[word].get(target), ours=scores[target], digits=3)
        yield Cell(row=row, column="rank", paper=paper_rank, ours=rank, digits=0)


def _ranking_finding(whose: str, scores: _Scores) -> Finding:
    sentences = []
    for word, own in scores.items():
        shared = own.keys() & _PAPER[word].keys()
        ranked = sorted(own, key=lambda target: (-own[target], target))
        above = ranked[: ranked.index(word)] if word in own else []
        sentence = f"above {word} itself: {', '.join(above) or 'nothing'}"
        if len(shared) > 2:
            sentence += f" (Kendall's tau with the paper's order {_tau(word, own):+.2f}, {len(shared)} candidates)"
        sentences.append(sentence)
    claim = "simple words such as key and main rank above principal, valid, sound and healthy above able-bodied"
    return Finding(claim, f"{whose}: {'; '.join(sentences)}.")
