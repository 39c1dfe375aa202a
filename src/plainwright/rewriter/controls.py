"""What a rewrite is asked to be like: its level, and four ratios to its source.

The ratios are those of ACCESS (Martin et al., 2020), which LENS's generator has, too: length in characters, similarity,
rarity of the words, and depth of the syntax. Depth is measured without a parser, by the length of the longest sentence:
what is split or unnested has shorter ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from plainwright.errors import DataError
from plainwright.rewriter.finding import LEVELS, Level
from plainwright.text import split_sentences
from plainwright.text.frequencies import zipf

__all__ = ["CONTROLS", "STEPS", "Controls", "measured", "step_of"]

STEPS = 12  # of each control
_WORD = re.compile(r"[A-Za-z']+")
_UNKNOWN = 2.0  # Zipf frequency of a word that no list has
_HIGHEST = 8.0


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where the steps of a control lie."""

    first: float
    width: float


CONTROLS: Mapping[str, _Scale] = {
    "length": _Scale(0.3, 0.1),
    "similarity": _Scale(0.0, 0.09),
    "rank": _Scale(0.5, 0.06),
    "depth": _Scale(0.1, 0.1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """A level and, where they are wanted, ratios to the source; 1 is as much as the source has."""

    level: Level = "plain"
    length: float | None = None
    similarity: float | None = None
    rank: float | None = None
    depth: float | None = None

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            msg = f"level: expected one of {', '.join(LEVELS)}, got {self.level!r}"
            raise DataError(msg)
        for name in CONTROLS:
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 2:
                msg = f"{name}: expected a ratio from 0 to 2, got {value!r}"
                raise DataError(msg)

    def ratios(self) -> dict[str, float]:
        """Return the ratios that are given."""
        return {name: value for name in CONTROLS if (value := getattr(self, name)) is not None}


def step_of(name: str, ratio: float) -> int:
    """Return the step of a control that a ratio falls on."""
    scale = CONTROLS[name]
    return max(0, min(STEPS - 1, round((ratio - scale.first) / scale.width)))


def measured(source: str, target: str) -> dict[str, float]:
    """Return the four ratios of a rewrite to its source."""
    return {
        "length": len(target) / max(1, len(source)),
        "similarity": Indel.normalized_similarity(source.split(), target.split()),
        "rank": _rarity(target) / max(0.1, _rarity(source)),
        "depth": _longest(target) / _longest(source),
    }


def _rarity(text: str) -> float:
    """How rare the rarest quarter of the words is, on a scale of tenfolds."""
    words = _WORD.findall(text.lower())
    rarest = sorted((_HIGHEST - (zipf(word) or _UNKNOWN) for word in words), reverse=True)[: max(1, len(words) // 4)]
    return sum(rarest) / max(1, len(rarest))


def _longest(text: str) -> int:
    return max((len(sentence.split()) for sentence in split_sentences(text)), default=1) or 1
