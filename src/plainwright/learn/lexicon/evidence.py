"""What the sources know about pairs of lemmas, pooled over the forms in which they know it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from plainwright.errors import DataError
from plainwright.learn.lexicon.words import WordTable, is_word, lemma_of
from plainwright.learn.parallel import read_text_lines
from plainwright.learn.sources.wordnet import TAGS

__all__ = ["REVERSE", "Evidence", "LemmaPair", "gather"]

_MOST_TARGET_WORDS = 3
REVERSE = "Reverse"
_COUNT = "LogCount"
_TOLD = 100_000

Progress = Callable[[str, int, int], None]  # what is being done, how much of it, of how much
_VERB_TAGS = frozenset(TAGS["verb"])


class LemmaPair(NamedTuple):
    """A part of speech, what is replaced and what replaces it; in phrases one word is a lemma, the others fixed."""

    kind: str
    source: str
    target: str


@dataclass(slots=True)
class Evidence:
    """Holds what the sources say about each form of a pair: names and values of features."""

    forms: list[Sequence[tuple[str, float]]] = field(default_factory=list)

    def add(self, features: Sequence[tuple[str, float]]) -> None:
        """Add what the sources say about one more form."""
        self.forms.append(features)

    def names(self) -> Iterator[str]:
        """Return the names of all features, some of them several times."""
        return (name for features in self.forms for name, _ in features)

    def pooled(self) -> dict[str, float]:
        """One value for each feature: counts are added up, presences kept, others averaged."""
        values: dict[str, list[float]] = {}
        for features in self.forms:
            for name, value in features:
                values.setdefault(name, []).append(value)
        return {name: _pool(name, several) for name, several in values.items()}


def _pool(name: str, values: list[float]) -> float:
    if name.endswith(_COUNT):
        largest = max(values)
        return largest + math.log(sum(math.exp(value - largest) for value in values))
    if ":" not in name:
        return max(values)  # whether, or how many
    return sum(values) / len(values)


def gather(
    table: str | Path, words: WordTable, *, progress: Progress | None = None
) -> tuple[dict[LemmaPair, Evidence], list[str]]:
    """Return the pairs of a table that `learn combine` wrote whose source is one word, and the names of their features.

    What the table says about the opposite direction is kept too, under `Reverse:…`.
    """
    rules = dict(_one_word_rules(table, progress))
    found: dict[LemmaPair, Evidence] = {}
    for (source, target), features in rules.items():
        pairs = set(_lemma_pairs(source, target, words))
        if not pairs:
            continue
        try:
            known = _numbers(features)
            if (target, source) in rules:
                known += [(_reverse(name), value) for name, value in _numbers(rules[target, source])]
        except ValueError as error:
            msg = f"{table}: {source!r} and {target!r}: a feature expected as NAME=NUMBER, got {error}"
            raise DataError(msg) from None
        for pair in pairs:
            found.setdefault(pair, Evidence()).add(known)
    return found, sorted({name for evidence in found.values() for name in evidence.names()})


def _one_word_rules(path: str | Path, progress: Progress | None) -> Iterator[tuple[tuple[str, str], str]]:
    number = 0
    for number, line in enumerate(read_text_lines(path), start=1):
        if progress is not None and number % _TOLD == 0:
            progress("reading rules", number, 0)
        fields = line.split(" ||| ", 3)
        if len(fields) < 4:
            msg = f"{path}:{number}: a rule expected, got {line[:60]!r}"
            raise DataError(msg)
        _, source, target, rest = fields
        # Most sources are phrases: to look for a space is quickest.
        if " " not in source and is_word(source) and _usable_target(target):
            yield (source, target), rest.partition(" |||")[0]
    if number == 0:
        msg = f"{path}: expected rules, found an empty file"
        raise DataError(msg)


def _usable_target(target: str) -> bool:
    return target.count(" ") < _MOST_TARGET_WORDS and all(map(is_word, target.split(" ")))


def _numbers(features: str) -> list[tuple[str, float]]:
    """Names and values of features that are known; a `ValueError` for anything else."""
    return [known for known in map(_number, features.split()) if known is not None]


@lru_cache(maxsize=100_000)  # most are 0 or 1
def _number(piece: str) -> tuple[str, float] | None:
    name, _, text = piece.rpartition("=")
    if text == "NA":
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not name or not math.isfinite(value):
        raise ValueError(repr(piece[:60]))
    return name, value


@cache
def _reverse(name: str) -> str:
    return f"{REVERSE}:{name}"


def _lemma_pairs(source: str, target: str, words: WordTable) -> Iterator[LemmaPair]:
    """Both sides must be seen in the same form, so that every form of the one has its match."""
    parts = target.split(" ")
    for tag, kind in words.kinds(source).items():
        head = 0 if tag in _VERB_TAGS else len(parts) - 1
        if tag not in words.tag_shares(parts[head]):
            continue
        before, after = lemma_of(source, kind), lemma_of(parts[head], kind)
        if before and after and before != after:
            yield LemmaPair(kind, before, " ".join([*parts[:head], after, *parts[head + 1 :]]))
