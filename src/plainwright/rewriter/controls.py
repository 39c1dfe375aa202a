"""What a rewrite is asked to be like: its level, and four ratios to its source.

The ratios are those of ACCESS (Martin et al., 2020), which LENS's generator has, too: length in characters, similarity,
rarity of the words, and depth of the syntax. Depth is measured without a parser, by the length of the longest sentence:
what is split or unnested has shorter ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from plainwright.errors import DataError
from plainwright.rewriter.finding import LEVELS, Level
from plainwright.tables import TableReader
from plainwright.text import split_sentences
from plainwright.text.frequencies import zipf

__all__ = ["CONTROLS", "CONTROL_TOKENS", "HIGHEST_RATIO", "STEPS", "Controls", "PromptTokens", "measured", "step_of"]

STEPS = 12  # of each control
HIGHEST_RATIO = 2.0
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
# All tokens that say what a rewrite is to be like, in the order in which a vocabulary has them.
CONTROL_TOKENS = tuple(
    f"<{name}>" for name in (*LEVELS, *(f"{control}{step}" for control in CONTROLS for step in range(STEPS)))
)


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
            if value is not None and not 0 <= value <= HIGHEST_RATIO:
                msg = f"{name}: expected a ratio from 0 to {HIGHEST_RATIO:g}, got {value!r}"
                raise DataError(msg)

    def ratios(self) -> dict[str, float]:
        """Return the ratios that are given."""
        return {name: value for name in CONTROLS if (value := getattr(self, name)) is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTokens:
    """The tokens around a text in the vocabulary of a rewriter: the same when it learns and when it rewrites."""

    begin: int
    end: int
    levels: Mapping[str, int]
    controls: Mapping[str, int]  # the first step of each

    @classmethod
    def numbered(cls, first: int, *, begin: int, end: int) -> PromptTokens:
        """Return them for a vocabulary that has `CONTROL_TOKENS` from `first` on."""
        levels: dict[str, int] = {level: first + number for number, level in enumerate(LEVELS)}
        after = first + len(LEVELS)
        controls = {name: after + STEPS * number for number, name in enumerate(CONTROLS)}
        return cls(begin=begin, end=end, levels=levels, controls=controls)

    @classmethod
    def read(cls, table: TableReader) -> PromptTokens:
        """Read what `table` returned."""
        return cls(
            begin=table.whole("begin"),
            end=table.whole("end"),
            levels={level: table.whole(level) for level in LEVELS},
            controls={name: table.whole(name) for name in CONTROLS},
        )

    @property
    def first_control(self) -> int:
        """The first of `CONTROL_TOKENS`; all before it is text."""
        return min(self.levels.values())

    def table(self) -> dict[str, int]:
        """Return all numbers by name."""
        return {"begin": self.begin, "end": self.end, **self.levels, **self.controls}

    def prompt(self, source: Sequence[int], controls: Controls) -> tuple[int, ...]:
        """Return what the model reads before it writes: the source, then what is asked for."""
        steps = (self.controls[name] + step_of(name, ratio) for name, ratio in controls.ratios().items())
        return (self.begin, *source, self.levels[controls.level], *steps)

    def read_only(self) -> list[int]:
        """Return the tokens that are never written."""
        steps = [first + step for first in self.controls.values() for step in range(STEPS)]
        return [self.begin, *self.levels.values(), *steps]


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
