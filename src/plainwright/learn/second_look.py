"""From verdicts on sentences that were read to a second look at edits: `plainwright learn second-look`.

A line of a file of verdicts says which sentence was read, where in it which rule stood, and what the reader found:

    DIGEST<TAB>OFFSET<TAB>LABEL<TAB>SOURCE<TAB>TARGET<TAB>VERDICT

The digest is the beginning of the SHA-256 of the sentence as the text has it, so that the file holds no text of others;
the offset counts characters after the tokens were joined again. Verdicts are 2 (good), 1 (acceptable), 0 (damaging).
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.boosted import BoostedTrees
from plainwright.errors import DataError
from plainwright.files import check_writable
from plainwright.grammar import PackedGrammar
from plainwright.learn.lexicon.quality import Rows, scikit_learn
from plainwright.learn.parallel import read_text_lines
from plainwright.lm import LanguageModel
from plainwright.rewrite.judge import RISK, Place, PlaceReader, SecondLook
from plainwright.rewrite.protect import Protection
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewrite.types import Sentence
from plainwright.text import ptb_detokenize
from plainwright.text.tagging import Tagger

__all__ = ["SecondLookResult", "second_look_files", "sentence_digest"]

Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much

_DIGEST_LETTERS = 12
_VERDICTS = ("0", "1", "2")
_FOLDS = 5
_FEWEST = 200  # verdicts of each sort, below which nothing is learnt


@dataclass(frozen=True, slots=True)
class Verdict:
    """Holds what a reader said about one edit."""

    offset: int  # in characters, of the first one that is replaced
    label: str
    source: str
    target: str
    damaging: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondLookResult:
    """Counts what was read, and says what was learnt."""

    verdicts: int
    used: int  # whose sentence is in the text and whose rule is in the grammar
    damaging: int
    auc: float  # on sentences that were not learnt from
    auc_of_rules: float  # of the risk that the rules have by themselves, on the same


def sentence_digest(line: str) -> str:
    """By which files of verdicts name a sentence."""
    return hashlib.sha256(line.encode()).hexdigest()[:_DIGEST_LETTERS]


def second_look_files(
    verdicts: Sequence[str | Path],
    output: str | Path,
    *,
    text: Sequence[str | Path],
    grammar: str | Path,
    language_model: str | Path,
    tagger: str | Path,
    seed: int = 1,
    progress: Progress | None = None,
) -> SecondLookResult:
    """Learn from files of verdicts on the sentences of `text`, one tokenised sentence a line; write a second look."""
    check_writable(output)
    _, _, auc = scikit_learn(seed)
    said = read_verdicts(verdicts)
    rules = PackedGrammar.of_model(grammar)
    tags = Tagger.open(tagger)
    reader = PlaceReader(LanguageModel.open(language_model, verify=True), tags)
    if progress:
        progress("reading", 0, 1)
    places, damaging, groups = _places(said, text, rules, tags)
    total = sum(map(len, said.values()))
    if min(sum(damaging), len(damaging) - sum(damaging)) < _FEWEST:
        msg = (
            f"of {total:,} verdicts, {len(places):,} are on sentences of the text and rules of the grammar, "
            f"{sum(damaging):,} of them damaging; at least {_FEWEST} of each sort are needed; "
            "give the text and the grammar that the verdicts were made with, or read more edits"
        )
        raise DataError(msg)
    rows, wrong = reader.rows(places), np.array(damaging)
    if progress:
        progress("learning", 0, 1)
    predicted = _out_of_fold(rows, wrong, np.array(groups) % _FOLDS, seed)
    SecondLook(fitted_trees(rows, wrong, seed), rules.feature_names).save(output)
    own = rows[:, rules.feature_names.index(RISK)] if RISK in rules.feature_names else np.zeros(len(rows))
    return SecondLookResult(
        verdicts=total,
        used=len(places),
        damaging=int(wrong.sum()),
        auc=float(auc(wrong, predicted)),
        auc_of_rules=float(auc(wrong, own)),
    )


def read_verdicts(paths: Sequence[str | Path]) -> dict[str, list[Verdict]]:
    """Read verdicts by the digest of their sentence; a `DataError` names the line that is none."""
    found: defaultdict[str, list[Verdict]] = defaultdict(list)
    for path in paths:
        for number, line in enumerate(read_text_lines(path), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            digest, verdict = _parsed(line, f"{path}:{number}")
            found[digest].append(verdict)
    return dict(found)


def _parsed(line: str, place: str) -> tuple[str, Verdict]:
    fields = line.split("\t")
    if len(fields) != 6:
        expected = "digest, offset, label, source, target and verdict"
        msg = f"{place}: {expected} expected between tabs, got {len(fields)} fields"
        raise DataError(msg)
    digest, offset, label, source, target, verdict = fields
    if not (offset.isascii() and offset.isdecimal() and len(offset) < 10):
        msg = f"{place}: a number of characters expected, got {offset[:30]!r}"
        raise DataError(msg)
    if verdict not in _VERDICTS:
        msg = f"{place}: verdict 0, 1 or 2 expected, got {verdict[:30]!r}"
        raise DataError(msg)
    return digest, Verdict(int(offset), label, source, target, damaging=verdict == "0")


def _places(
    said: Mapping[str, list[Verdict]], text: Sequence[str | Path], grammar: PackedGrammar, tagger: Tagger
) -> tuple[list[Place], list[bool], list[int]]:
    """Places in the text that were judged, whether the edit is damaging, and a number for each line."""
    waiting = dict(said)
    places: list[Place] = []
    damaging: list[bool] = []
    groups: list[int] = []
    for line in (line for path in text for line in read_text_lines(path)):
        verdicts = waiting.pop(sentence_digest(line), ())
        if not verdicts:
            continue
        sentences = sentences_of(ptb_detokenize(line.split()), Protection())
        tags = tagger.tag_many([[token.text for token in sentence.tokens] for sentence in sentences])
        for verdict in verdicts:
            for place in _found(verdict, sentences, tags, grammar):
                places.append(place)
                damaging.append(verdict.damaging)
                groups.append(int(sentence_digest(line), 16))
    return places, damaging, groups


def _found(
    verdict: Verdict, sentences: Sequence[Sentence], tags: Sequence[Sequence[str]], grammar: PackedGrammar
) -> Iterator[Place]:
    rule = _rule_features(grammar, verdict)
    if rule is None:
        return
    words = verdict.source.split()
    for sentence, own_tags in zip(sentences, tags, strict=True):
        starts = {sentence.start + token.start: number for number, token in enumerate(sentence.tokens)}
        start = starts.get(verdict.offset)
        if start is None or not sentence.fixed.isdisjoint(range(start, start + len(words))):
            continue
        if sentence.words[start : start + len(words)] == words:
            own_words = [token.text for token in sentence.tokens]
            yield Place(own_words, own_tags, start, start + len(words), tuple(verdict.target.split()), rule)


def _rule_features(grammar: PackedGrammar, verdict: Verdict) -> list[float] | None:
    """None if the grammar has no such rule."""
    numbers = grammar.find(verdict.source)
    for number, line in zip(numbers, grammar.lines(numbers), strict=True):
        label, _, target, _ = line.split(" ||| ", 3)
        if label == f"[{verdict.label}]" and target == verdict.target:
            row: list[float] = grammar.features(range(number, number + 1))[0].tolist()
            return row
    return None


def new_classifier(seed: int) -> Any:
    """Return trees that are not fitted yet."""
    classifier, _, _ = scikit_learn(seed)
    return classifier(max_iter=300, max_leaf_nodes=31, min_samples_leaf=40, max_features=0.3, early_stopping=False)


def fitted_trees(rows: Rows, damaging: npt.NDArray[Any], seed: int) -> BoostedTrees:
    """Return trees whose value is the logarithm of the odds of damage."""
    with scikit_learn(seed)[1](1):  # one thread: the same trees on every machine
        model = new_classifier(seed).fit(rows, damaging)
    # Private names of scikit-learn, as in LENS; a test compares the values.
    trees = [predictors[0].nodes for predictors in model._predictors]
    return BoostedTrees.of_trees(trees, baseline=float(np.ravel(model._baseline_prediction)[0]))


def _out_of_fold(rows: Rows, damaging: npt.NDArray[Any], folds: npt.NDArray[Any], seed: int) -> Rows:
    """What is predicted for each row from sentences of the other folds."""
    predicted = np.zeros(len(rows))
    for fold in range(_FOLDS):
        learn, ask = folds != fold, folds == fold
        if ask.any():
            predicted[ask] = fitted_trees(rows[learn], damaging[learn], seed).predict(rows[ask])
    return predicted
