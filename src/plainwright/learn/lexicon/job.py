"""Files in, rules out: `plainwright learn lexicon`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plainwright.errors import DataError
from plainwright.files import atomic_write_text, check_writable
from plainwright.grammar.rules import format_value
from plainwright.learn.lexicon.evidence import REVERSE, Evidence, LemmaPair, gather
from plainwright.learn.lexicon.judged import FIXED, Judgement, Judgements
from plainwright.learn.lexicon.quality import Quality, learn_quality
from plainwright.learn.lexicon.words import WordTable, inflected, lemma_of, log_ratio
from plainwright.learn.parallel import read_text_lines
from plainwright.learn.sources.result import plain_alignment
from plainwright.text import count_syllables
from plainwright.text.frequencies import zipf

__all__ = ["LexiconOptions", "LexiconResult", "lexicon_files"]

Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much

Row = NDArray[np.float64]

_NEGATIONS = frozenset(("not", "no", "never", "none", "without", "neither", "nor"))
_SAID = ("p(e|f)", "LogCount", "SenseShare")
_LARGEST_GAIN = 3.0  # in powers of ten of frequency, beyond which a word is not simpler for being more frequent


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconOptions:
    """Which pairs become rules."""

    max_risk: float = 0.3  # of damage, of pairs that were judged
    min_quality: float = 0.5  # that the classifier must give a pair that nobody judged
    min_gain: float = 0.1  # in Zipf frequency, from source to target, for pairs that nobody judged
    max_source: float = 5.6  # Zipf frequency of a source that nobody needs to have replaced
    min_target: float = 3.0  # of a target that readers know
    seed: int = 1

    def check(self) -> None:
        """A `DataError` says which option is out of range."""
        for name in ("max_risk", "min_quality"):
            if not 0 <= (value := getattr(self, name)) <= 1:
                msg = f"{name} must be from 0 to 1, got {value}"
                raise DataError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class LexiconResult:
    """What went in, what was left out and why, and what came out."""

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
    progress: Progress | None = None,
) -> LexiconResult:
    """Write rules for the words of a table that `learn combine` wrote.

    `tagged` is text with parts of speech, `judged` are grades of pairs, `normal` and `simple` text in which to count
    what simple writing prefers.
    """
    options = options or LexiconOptions()
    options.check()
    check_writable(output)
    judgements = Judgements.read(judged)
    words = WordTable.read(tagged)
    evidence, names = gather(table, words, progress=progress)
    for pair in judgements.accepted():
        evidence.setdefault(pair, Evidence())
    maker = _FeatureMaker(words, _Preference.read(normal, simple), names)
    chooser = _Chooser(options, words, judgements)
    pairs = sorted(pair for pair in evidence if chooser.allows(pair, evidence[pair]))
    rows = np.array([maker.row(pair, evidence[pair]) for pair in pairs]).reshape(len(pairs), -1)
    grades = {pair: judgement.grade for pair, judgement in judgements.pairs.items()}
    quality = learn_quality(pairs, rows, grades, seed=options.seed) if judged else None
    kept = [number for number, pair in enumerate(pairs) if chooser.likes(pair, number, quality)]
    written = 0
    with atomic_write_text(output) as stream:
        for number in kept:
            features = maker.named(rows[number], judgements.pairs.get(pairs[number]), quality, number)
            for line in _rules(pairs[number], features, words):
                stream.write(line)
                written += 1
        for phrase in sorted(judgements.left_alone):
            stream.write(_line("X", phrase, phrase, maker.nothing))
    return LexiconResult(
        pairs=len(evidence),
        kept=len(kept),
        written=written,
        judged=len(judgements.pairs),
        left_alone=len(judgements.left_alone),
        auc=None if quality is None else quality.auc,
        dropped=dict(chooser.dropped),
    )


@dataclass(frozen=True, slots=True)
class _Preference:
    """How much more often simple text uses a word than normal text does."""

    normal: Counter[str]
    simple: Counter[str]
    larger: float  # logarithm of how much more normal text there is

    @classmethod
    def read(cls, normal: str | Path | None, simple: str | Path | None) -> _Preference:
        counted = [Counter[str](), Counter[str]()]
        for path, counts in zip((normal, simple), counted, strict=True):
            for line in read_text_lines(path) if path is not None else ():
                counts.update(line.lower().split())
        normally, simply = counted
        return cls(normally, simply, log_ratio(normally.total(), simply.total()))

    def of(self, word: str) -> float:
        return log_ratio(self.simple[word], self.normal[word]) + self.larger


class _Chooser:
    """Which pairs may become rules at all, and which are good enough."""

    def __init__(self, options: LexiconOptions, words: WordTable, judgements: Judgements) -> None:
        self._options = options
        self._words = words
        self._judgements = judgements
        self.dropped: Counter[str] = Counter()

    def allows(self, pair: LemmaPair, evidence: Evidence) -> bool:
        """Whether the pair is worth a judgement; one that people made settles it."""
        if pair in self._judgements.pairs:
            return True
        reason = self._objection(pair, evidence)
        if reason:
            self.dropped[reason] += 1
        return not reason

    def _objection(self, pair: LemmaPair, evidence: Evidence) -> str:
        before, after = _frequencies(pair)
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

    def likes(self, pair: LemmaPair, number: int, quality: Quality | None) -> bool:
        """Whether the pair becomes rules."""
        judgement = self._judgements.pairs.get(pair)
        if judgement is not None:
            reason = "judged wrong" if judgement.grade == 0 else "judged risky"
            fine = judgement.grade > 0 and judgement.risk <= self._options.max_risk
            self.dropped[reason] += not fine
            return fine
        if quality is not None and quality.sometimes[number] < self._options.min_quality:
            self.dropped["probably wrong"] += 1
            return False
        return True


def _frequencies(pair: LemmaPair) -> tuple[float, float]:
    """Zipf frequency of the rarest word of each side."""
    return min(map(zipf, pair.source.split())), min(map(zipf, pair.target.split()))


class _FeatureMaker:
    """Numbers that describe a pair: what sources say, how hard both sides are, how they are used."""

    _OWN = (
        "ZipfSource",
        "ZipfTarget",
        "ZipfGain",
        "SimplerSource",
        "SimplerGain",
        "LettersGain",
        "SyllablesGain",
        "SourceWords",
        "TargetWords",
        "TagsShared",
    )

    def __init__(self, words: WordTable, preference: _Preference, names: Sequence[str]) -> None:
        self._words = words
        self._preference = preference
        self._names = [*names, *self._OWN]
        self._sources = len(names)
        self.nothing = "Phrase=0"  # features of a rule that changes nothing

    def row(self, pair: LemmaPair, evidence: Evidence) -> list[float]:
        """All features; what no source knows is nan."""
        pooled = evidence.pooled()
        return [*(pooled.get(name, math.nan) for name in self._names[: self._sources]), *self._own(pair)]

    def _own(self, pair: LemmaPair) -> list[float]:
        source, target = pair.source.split(), pair.target.split()
        before, after = _frequencies(pair)
        simpler_before = min(map(self._preference.of, source))
        simpler_after = min(map(self._preference.of, target))
        return [
            before,
            after,
            min(_LARGEST_GAIN, after - before),
            simpler_before,
            simpler_after - simpler_before,
            max(map(len, source)) - max(map(len, target)),
            max(map(count_syllables, source)) - max(map(count_syllables, target)),
            len(source),
            len(target),
            self._tags_shared(pair),
        ]

    def _tags_shared(self, pair: LemmaPair) -> float:
        """How alike both sides are used: 1 if their words have the same tags equally often."""
        one, other = self._words.tag_shares(pair.source), self._words.tag_shares(pair.target)
        return sum(min(share, other.get(tag, 0.0)) for tag, share in one.items())

    def named(self, row: Row, judgement: Judgement | None, quality: Quality | None, number: int) -> str:
        """The features of a rule as text; a presence that is not known is an absence."""
        features = {
            name: 0.0 if math.isnan(value) and ":" not in name else value
            for name, value in zip(self._names, row, strict=True)
            if _tells_the_decoder(name)
        }
        features["Phrase"] = float(features["SourceWords"] > 1)
        features["Grade"] = float(judgement.grade if judgement else 0)
        features["Seen"] = math.log1p(judgement.seen if judgement else 0)
        features["Risk"] = _risk(judgement, quality, number)
        if quality is not None:
            features["Right"] = _log_odds(quality.sometimes[number])
            features["AlwaysRight"] = _log_odds(quality.always[number])
        self.nothing = " ".join(f"{name}=0" for name in features if ":" not in name)
        return " ".join(
            f"{name}={'NA' if math.isnan(value) else format_value(round(value, 3))}" for name, value in features.items()
        )


def _risk(judgement: Judgement | None, quality: Quality | None, number: int) -> float:
    if judgement is not None:
        return judgement.risk
    return 0.5 if quality is None else 1 - float(quality.sometimes[number])


def _tells_the_decoder(name: str) -> bool:
    """The classifier sees everything; of what single sources say, rules carry how sure they are and no more."""
    source, _, said = name.rpartition(":")
    return not source or (not source.startswith(REVERSE) and said in _SAID)


def _log_odds(probability: float) -> float:
    return math.log((probability + 1e-3) / (1 - probability + 1e-3))


def _rules(pair: LemmaPair, features: str, words: WordTable) -> Iterator[str]:
    if pair.kind == FIXED:
        yield _line("X", pair.source, pair.target, features)
        return
    after = inflected(pair.target, pair.kind)
    for tag, sources in inflected(pair.source, pair.kind).items():
        for source in sources:
            for target in after.get(tag, ())[:1]:
                if source != target and _is_used(source, tag, pair, words):
                    yield _line(tag, source, target, features)


def _is_used(source: str, tag: str, pair: LemmaPair, words: WordTable) -> bool:
    """Whether text has this form, so that no room is lost on forms that lemminflect makes up."""
    return " " in source or tag in words.tag_shares(source) or lemma_of(source, pair.kind) == pair.source


def _line(label: str, source: str, target: str, features: str) -> str:
    return f"[{label}] ||| {source} ||| {target} ||| {features} ||| {plain_alignment(source, target)}\n"
