"""Numbers that describe a pair of lemmas: what sources say, how hard both sides are, how they are used."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plainwright.errors import DataError
from plainwright.grammar.rules import format_value
from plainwright.learn.lexicon.evidence import REVERSE, Evidence, LemmaPair
from plainwright.learn.lexicon.judged import Judgement
from plainwright.learn.lexicon.words import WordTable
from plainwright.learn.parallel import read_text_lines
from plainwright.text import count_syllables
from plainwright.text.frequencies import zipf

__all__ = ["Estimate", "FeatureMaker", "Preference", "risk_of", "zipf_frequencies"]

_SAID = ("p(e|f)", "LogCount", "SenseShare")
_LARGEST_GAIN = 3.0  # in powers of ten of frequency, beyond which a word is not simpler for being more frequent
_RISKY = 0.25  # a careful model leaves rules above it alone; a bold one takes them
_PRIOR = 2.0  # occurrences that every word has in either text


@dataclass(frozen=True, slots=True)
class Estimate:
    """Says how likely a pair is right at least sometimes, nearly always, and does damage, by classifiers."""

    sometimes: float
    always: float
    risk: float | None = None  # None: too few sentences were read to tell


@dataclass(frozen=True, slots=True)
class Preference:
    """Measures how much more often simple text uses a word than normal text does."""

    normal: Counter[str]
    simple: Counter[str]
    larger: float  # logarithm of how much more normal text there is

    @classmethod
    def read(cls, normal: str | Path | None, simple: str | Path | None) -> Preference:
        """Count the words of two files, or of none: then no word is preferred."""
        if (normal is None) != (simple is None):
            msg = "normal and simple text go together, got one of them; give both, or neither"
            raise DataError(msg)
        normally, simply = _counted(normal), _counted(simple)
        return cls(normally, simply, _log_ratio(normally.total(), simply.total()))

    def of(self, word: str) -> float:
        """The logarithm of how much more often, pulled to nought where counts are small."""
        return _log_ratio(self.simple[word], self.normal[word]) + self.larger


def _counted(path: str | Path | None) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in read_text_lines(path) if path is not None else ():
        counts.update(line.lower().split())
    return counts


def _log_ratio(numerator: int, denominator: int) -> float:
    return math.log((numerator + _PRIOR) / (denominator + _PRIOR))


def zipf_frequencies(pair: LemmaPair) -> tuple[float, float]:
    """Return the Zipf frequency of the rarest word of each side."""
    return min(map(zipf, pair.source.split())), min(map(zipf, pair.target.split()))


class FeatureMaker:
    """Makes the rows that a classifier sees, and of them the features that rules have."""

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

    def __init__(self, words: WordTable, preference: Preference, said: Sequence[str]) -> None:
        self._words = words
        self._preference = preference
        self._said = said
        names = [*said, *self._OWN]
        self._told = [(place, name) for place, name in enumerate(names) if _tells_the_decoder(name)]

    def row(self, pair: LemmaPair, evidence: Evidence) -> list[float]:
        """All features; what no source knows is nan."""
        pooled = evidence.pooled()
        return [*(pooled.get(name, math.nan) for name in self._said), *self._own(pair)]

    def _own(self, pair: LemmaPair) -> list[float]:
        source, target = pair.source.split(), pair.target.split()
        before, after = zipf_frequencies(pair)
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

    def of_rule(self, row: NDArray[np.float64], judgement: Judgement | None, estimate: Estimate | None) -> str:
        """The features of a pair's rules as text; a presence that is not known is an absence."""
        known = {name: 0.0 if math.isnan(row[place]) and ":" not in name else row[place] for place, name in self._told}
        features = known | _verdict(known["SourceWords"], judgement, estimate)
        return " ".join(
            f"{name}={'NA' if math.isnan(value) else format_value(round(value, 3))}" for name, value in features.items()
        )

    def of_no_change(self, *, estimated: bool) -> str:
        """Those of a rule that changes nothing: all are nought."""
        verdict = _verdict(0.0, None, Estimate(0.0, 0.0) if estimated else None)
        presences = [name for _, name in self._told if ":" not in name]
        return " ".join(f"{name}=0" for name in (*presences, *verdict))


def _tells_the_decoder(name: str) -> bool:
    """The classifier sees everything; of what single sources say, rules carry how sure they are and no more."""
    source, _, said = name.rpartition(":")
    return not source or (not source.startswith(REVERSE) and said in _SAID)


def _verdict(source_words: float, judgement: Judgement | None, estimate: Estimate | None) -> dict[str, float]:
    risk = risk_of(judgement, estimate)
    features = {
        "Phrase": float(source_words > 1),
        "Grade": float(judgement.grade if judgement else 0),
        "Seen": math.log1p(judgement.seen if judgement else 0),
        "Risk": risk,
        "Risky": float(risk > _RISKY),
    }
    if estimate is not None:
        features |= {"Right": _log_odds(estimate.sometimes), "AlwaysRight": _log_odds(estimate.always)}
    return features


def risk_of(judgement: Judgement | None, estimate: Estimate | None) -> float:
    """Return the risk of damage as learnt from all verdicts, else from those on this pair, else from its looks."""
    if estimate is not None and estimate.risk is not None:
        return estimate.risk
    if judgement is not None:
        return judgement.risk
    return 0.5 if estimate is None else 1 - estimate.sometimes


def _log_odds(probability: float) -> float:
    return math.log((probability + 1e-3) / (1 - probability + 1e-3))
