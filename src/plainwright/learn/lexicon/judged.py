"""What people said about replacements after reading them.

A line has a kind (noun, verb, adjective, adverb, or fixed for words that are taken as they stand), what is replaced,
what replaces it, and a grade, between tabs; and if the replacement was also read in sentences, in how many of them it
was good, acceptable and damaging:

    verb<TAB>obtain<TAB>get<TAB>2<TAB>7<TAB>1<TAB>0

2: right in nearly every sentence. 1: right in many, wrong in others. 0: wrong. Lemmas stand for all of their forms. A
fixed phrase that replaces itself is to be left alone, whatever is known about its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from plainwright.errors import DataError
from plainwright.learn.lexicon.evidence import LemmaPair
from plainwright.learn.lexicon.words import KINDS, is_word
from plainwright.learn.parallel import read_text_lines

__all__ = ["FIXED", "Judgement", "Judgements"]

FIXED = "fixed"
_GRADES = ("0", "1", "2")
_RISKS = {2: 0.15, 1: 0.39, 0: 0.8}  # of damage; 2 and 1 about as found in the first 11,804 verdicts, 0 a guess
_TRUST = 2.0  # sentences that a grade is worth
_MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class Judgement:
    """Holds a grade, and the verdicts on single sentences."""

    grade: int
    good: int = 0
    acceptable: int = 0
    damaging: int = 0

    @property
    def seen(self) -> int:
        """Sentences in which the replacement was read."""
        return self.good + self.acceptable + self.damaging

    @property
    def risk(self) -> float:
        """How likely the replacement damages the next sentence: what the grade suggests, corrected by verdicts."""
        return (self.damaging + _TRUST * _RISKS[self.grade]) / (self.seen + _TRUST)


@dataclass(slots=True)
class Judgements:
    """Holds judgements of pairs, and phrases to be left alone."""

    pairs: dict[LemmaPair, Judgement] = field(default_factory=dict)
    left_alone: set[str] = field(default_factory=set)

    @classmethod
    def read(cls, paths: Iterable[str | Path]) -> Judgements:
        """Read files; a `DataError` names the line that is no judgement, or that contradicts an earlier one."""
        known = cls()
        for path in paths:
            for number, line in enumerate(read_text_lines(path), start=1):
                if not line.strip() or line.startswith("#"):
                    continue
                try:
                    known._add(*_parse(line))
                except DataError as error:
                    msg = f"{path}:{number}: {error}"
                    raise DataError(msg) from None
        return known

    def _add(self, pair: LemmaPair, judgement: Judgement) -> None:
        if pair.source == pair.target:
            self.left_alone.add(pair.source)
        elif self.pairs.setdefault(pair, judgement) != judgement:
            msg = f"{pair.source!r} -> {pair.target!r} was judged differently before"
            raise DataError(msg)

    def grades(self) -> dict[LemmaPair, int]:
        """Return what a classifier learns from."""
        return {pair: judgement.grade for pair, judgement in self.pairs.items()}

    def accepted(self) -> Iterator[LemmaPair]:
        """Yield pairs that are right at least sometimes."""
        return (pair for pair, judgement in self.pairs.items() if judgement.grade > 0)


def _parse(line: str) -> tuple[LemmaPair, Judgement]:
    fields = [" ".join(part.split()) for part in line.split("\t")]
    if len(fields) not in (4, 7):
        msg = f"kind, source, target, grade and perhaps three counts expected between tabs, got {len(fields)} fields"
        raise DataError(msg)
    kind, source, target, grade, *counts = fields
    if kind not in (*KINDS, FIXED):
        msg = f"a kind expected ({', '.join(KINDS)} or {FIXED}), got {kind[:30]!r}"
        raise DataError(msg)
    if grade not in _GRADES:
        msg = f"grade 0, 1 or 2 expected, got {grade[:30]!r}"
        raise DataError(msg)
    for count in counts:
        if not (count.isascii() and count.isdecimal() and len(count) < 10):
            msg = f"a count of sentences expected, got {count[:30]!r}"
            raise DataError(msg)
    for side in (source, target):
        words = side.split()
        if not 1 <= len(words) <= _MOST_WORDS or not all(is_word(word) or word == "'s" for word in words):
            msg = f"one to {_MOST_WORDS} words in lower case expected, got {side[:60]!r}"
            raise DataError(msg)
    if source == target and kind != FIXED:
        msg = f"two different sides expected, got {source!r} twice"
        raise DataError(msg)
    return LemmaPair(kind, source, target), Judgement(int(grade), *map(int, counts))
