"""Files in, rules out: `plainwright learn lexicon`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import numpy as np

from plainwright.errors import DataError
from plainwright.files import atomic_write_text, check_writable
from plainwright.learn.lexicon.evidence import Evidence, LemmaPair, gather
from plainwright.learn.lexicon.features import Estimate, FeatureMaker, Preference, risk_of, zipf_frequencies
from plainwright.learn.lexicon.judged import FIXED, Judgements
from plainwright.learn.lexicon.quality import Quality, Rows, learn_quality
from plainwright.learn.lexicon.risk import learn_risk
from plainwright.learn.lexicon.words import WordTable, inflected, lemma_of
from plainwright.learn.sources.result import rule_line

__all__ = ["LexiconOptions", "LexiconResult", "lexicon_files"]

Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much

_NEGATIONS = frozenset(("not", "no", "never", "none", "without", "neither", "nor"))
_FORMS_OF_BE = frozenset(("be", "am", "is", "are", "was", "were", "been", "being"))
_WITHOUT_DO_NOT = frozenset(
    ("VB", "VBN", "VBG")
)  # "will fail to" is no "will do not", "has failed to" no "has done not"
_RANGES = {"max_risk": (0, 1), "min_quality": (0, 1), "min_gain": (-9, 9), "max_source": (0, 9), "min_target": (0, 9)}


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconOptions:
    """Says which pairs become rules."""

    max_risk: float = 0.3  # of damage, of pairs that were judged
    min_quality: float = 0.5  # that the classifier must give a pair that nobody judged
    min_gain: float = 0.1  # in Zipf frequency, from source to target, for pairs that nobody judged
    max_source: float = 5.6  # Zipf frequency of a source that nobody needs to have replaced
    min_target: float = 3.0  # of a target that readers know
    seed: int = 1

    def check(self) -> None:
        """A `DataError` says which option is out of range."""
        for name, (least, most) in _RANGES.items():
            if not least <= (value := getattr(self, name)) <= most:
                msg = f"{name} must be from {least} to {most}, got {value}"
                raise DataError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconResult:
    """Counts what went in, what was left out and why, and what came out."""

    pairs: int
    kept: int
    written: int  # rules
    judged: int
    left_alone: int  # phrases
    auc: float | None
    dropped: Mapping[str, int] = field(default_factory=dict)


def lexicon_files(
    table: str | Path,
    output: str | Path,
    options: LexiconOptions | None = None,
    *,
    tagged: Sequence[str | Path],
    judged: Sequence[str | Path] = (),
    normal: str | Path | None = None,
    simple: str | Path | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> LexiconResult:
    """Write rules for the words of a table that `learn combine` wrote.

    `tagged` is text with parts of speech, `judged` are grades of pairs, `normal` and `simple` text in which to count
    what simple writing prefers. The number of threads does not change the result.
    """
    options = options or LexiconOptions()
    options.check()
    check_writable(output)
    judgements = Judgements.read(judged)
    preference = Preference.read(normal, simple)
    words = WordTable.read(tagged)
    evidence, names = gather(table, words, progress=progress)
    for pair in judgements.accepted():
        evidence.setdefault(pair, Evidence())
    maker = FeatureMaker(words, preference, names)
    chooser = _Chooser(options, words, judgements)
    pairs = sorted(filter(chooser.allows, evidence))
    rows = np.array([maker.row(pair, evidence[pair]) for pair in pairs])
    quality = learn_quality(pairs, rows, judgements.grades(), seed=options.seed, threads=threads)
    risks = learn_risk(pairs, rows, judgements.pairs, seed=options.seed)
    estimates = [_estimate(quality, risks, number) for number in range(len(pairs))]
    kept = [number for number, pair in enumerate(pairs) if chooser.likes(pair, estimates[number])]
    written = 0
    with atomic_write_text(output) as stream:
        for number in kept:
            pair = pairs[number]
            features = maker.of_rule(rows[number], judgements.pairs.get(pair), estimates[number])
            lines = list(_rules(pair, features, words))
            stream.writelines(lines)
            written += len(lines)
        nothing = maker.of_no_change(estimated=quality is not None)
        stream.writelines(rule_line("X", phrase, phrase, nothing) for phrase in sorted(judgements.left_alone))
        if not written and not judgements.left_alone:
            _refuse_nothing(output, len(evidence), chooser.dropped)
    return LexiconResult(
        pairs=len(evidence),
        kept=len(kept),
        written=written,
        judged=len(judgements.pairs),
        left_alone=len(judgements.left_alone),
        auc=None if quality is None else quality.auc,
        dropped=dict(chooser.dropped),
    )


def _refuse_nothing(output: str | Path, pairs: int, dropped: Counter[str]) -> NoReturn:
    reasons = "; ".join(f"{reason}: {count:,}" for reason, count in dropped.most_common(3))
    msg = f"{output}: no rules would be left of {pairs:,} pairs" + (f" ({reasons})" if reasons else "")
    raise DataError(msg)


class _Chooser:
    """Which pairs may become rules at all, and which are good enough."""

    def __init__(self, options: LexiconOptions, words: WordTable, judgements: Judgements) -> None:
        self._options = options
        self._words = words
        self._judgements = judgements
        self.dropped: Counter[str] = Counter()

    def allows(self, pair: LemmaPair) -> bool:
        """Whether the pair is worth a judgement; one that people made settles it."""
        return pair in self._judgements.pairs or self._without(self._objection(pair))

    def likes(self, pair: LemmaPair, estimate: Estimate | None) -> bool:
        """Whether the pair becomes rules."""
        return self._without(self._fault(pair, estimate))

    def _without(self, reason: str) -> bool:
        if reason:
            self.dropped[reason] += 1
        return not reason

    def _objection(self, pair: LemmaPair) -> str:
        before, after = zipf_frequencies(pair)
        if not _NEGATIONS.isdisjoint(pair.target.split()):
            return "a negation comes in"
        if len(pair.source) < 3 or before > self._options.max_source:
            return "the source is easy"
        if self._words.lemma_counts[pair.kind, pair.source] < 2:
            return "the source is hardly seen"
        if after < before + self._options.min_gain:
            return "the target is no commoner"
        if after < self._options.min_target:
            return "the target is rare"
        return ""

    def _fault(self, pair: LemmaPair, estimate: Estimate | None) -> str:
        judgement = self._judgements.pairs.get(pair)
        if judgement is None:
            doubtful = estimate is not None and estimate.sometimes < self._options.min_quality
            return "probably wrong" if doubtful else ""
        if judgement.grade == 0:
            return "judged wrong"
        return "judged risky" if risk_of(judgement, estimate) > self._options.max_risk else ""


def _estimate(quality: Quality | None, risks: Rows | None, number: int) -> Estimate | None:
    if quality is None:
        return None
    risk = None if risks is None else float(risks[number])
    return Estimate(float(quality.sometimes[number]), float(quality.always[number]), risk)


def _rules(pair: LemmaPair, features: str, words: WordTable) -> Iterator[str]:
    if pair.kind == FIXED:
        yield rule_line("X", pair.source, pair.target, features)
        return
    after = inflected(pair.target, pair.kind)
    for tag, sources in inflected(pair.source, pair.kind).items():
        for source in sources:
            target = _fitting(source, tag, after.get(tag, ()))
            if target and source != target and _is_used(source, tag, pair, words):
                yield rule_line(tag, source, target, features)


def _fitting(source: str, tag: str, targets: tuple[str, ...]) -> str:
    """The form of the target that agrees with whatever the source agreed with; nothing where none is sure to."""
    if not targets:
        return ""
    head, _, rest = targets[0].partition(" ")
    if tag in _WITHOUT_DO_NOT and head in ("do", "done", "doing") and rest.partition(" ")[0] == "not":
        return ""
    if head not in _FORMS_OF_BE:
        return targets[0]
    own = source.partition(" ")[0]
    if own not in _FORMS_OF_BE:
        return "" if tag == "VBD" else targets[0]  # "had the power" may need "was able" or "were able"
    return next((target for target in targets if target.partition(" ")[0] == own), "")


def _is_used(source: str, tag: str, pair: LemmaPair, words: WordTable) -> bool:
    """Whether text has this form, so that no room is lost on forms that lemminflect makes up."""
    return " " in source or tag in words.tag_shares(source) or lemma_of(source, pair.kind) == pair.source
