"""What the sources know about pairs of lemmas, pooled over the forms in which they know it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
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
    """Features of a pair; those of several forms are averaged, and counts are added up."""

    features: dict[str, list[float]] = field(default_factory=dict)
    forms: int = 0

    def add(self, features: Iterable[tuple[str, float]]) -> None:
        """What the sources say about one more form."""
        self.forms += 1
        for name, value in features:
            self.features.setdefault(name, []).append(value)

    def pooled(self) -> dict[str, float]:
        """One value for each feature."""
        return {name: _pool(name, values) for name, values in self.features.items()}


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
    """The pairs of a table that `learn combine` wrote whose source is one word, and the names of their features.

    What the table says about the opposite direction is kept too, under `Reverse:…`.
    """
    rules = dict(_one_word_rules(table, progress))
    found: dict[LemmaPair, Evidence] = {}
    for (source, target), features in rules.items():
        pairs = list(dict.fromkeys(_lemma_pairs(source, target, words)))
        if not pairs:
            continue
        try:
            said, reverse = _numbers(features), _numbers(rules.get((target, source), ""))
        except ValueError:
            msg = f"{table}: {source!r} -> {target!r}: a feature expected as NAME=NUMBER, got {features[:60]!r}"
            raise DataError(msg) from None
        known = [*said, *((f"{REVERSE}:{name}", value) for name, value in reverse)]
        for pair in pairs:
            found.setdefault(pair, Evidence()).add(known)
    names = sorted({name for evidence in found.values() for name in evidence.features})
    return found, names


def _one_word_rules(path: str | Path, progress: Progress | None) -> Iterator[tuple[tuple[str, str], str]]:
    number = 0
    for number, line in enumerate(read_text_lines(path), start=1):
        if progress is not None and number % _TOLD == 0:
            progress("reading rules", number, 0)
        fields = line.split(" ||| ")
        if len(fields) < 4:
            msg = f"{path}:{number}: a rule expected, got {line[:60]!r}"
            raise DataError(msg)
        if is_word(fields[1]) and _usable_target(fields[2]):
            yield (fields[1], fields[2]), fields[3].removesuffix(" |||")  # a rule without alignment may end so
    if number == 0:
        msg = f"{path}: expected rules, found an empty file"
        raise DataError(msg)


def _usable_target(target: str) -> bool:
    words = target.split(" ")
    return len(words) <= _MOST_TARGET_WORDS and all(map(is_word, words))


def _numbers(features: str) -> list[tuple[str, float]]:
    """Names and values of features that are known; a `ValueError` for anything else."""
    numbers = []
    for piece in features.split():
        name, _, value = piece.rpartition("=")
        if value != "NA":
            numbers.append((name, float(value)))
            if not name or not math.isfinite(numbers[-1][1]):
                raise ValueError
    return numbers


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
