"""A second look at each edit, in the sentence where it stands.

A rule has a risk of its own, however it is used. But "serious" for "severe" is right in "severe problems" and wrong in
"severe hail". So what is known about the rule is put beside its place: what the language model thinks of both wordings
there, which words and parts of speech stand around, and whether the tagger reads the sentence the same way afterwards.
Gradient-boosted trees, learnt from verdicts on sentences that were read (`plainwright learn second-look`), make a risk
of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plainwright.arrays import Arrays, read_arrays, write_arrays
from plainwright.boosted import BoostedTrees
from plainwright.errors import DataError
from plainwright.lm import LanguageModel
from plainwright.text.frequencies import zipf
from plainwright.text.tagging import Tagger

__all__ = ["PLACE_FEATURES", "Place", "PlaceReader", "SecondLook"]

Array = npt.NDArray[np.float64]

_TAGS = (
    *("NN", "NNS", "NNP", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "JJ"),
    *("RB", "IN", "TO", "DT", "CC", "PRP", "RP", "CD", ",", "."),
)
_CLASSES = ("NN", "VB", "JJ", "RB")  # of the words that an edit replaces
_PREPOSITIONS = frozenset(("to", "of", "in", "by", "from", "with", "as", "into", "on", "for", "at"))
_ARTICLES = frozenset(("a", "an", "the"))
_QUOTES = frozenset(("``", "''", '"', "“", "”"))
_WINDOW = 4  # words on either side that the language model sees
_NEAR = 2
_EDGE_FREQUENCY = 8.0  # in place of a neighbour's, at either end of a sentence
_LM_FEATURES = ("lm gain", "lm gain left", "lm gain right", "lm of target")
_OTHER_FEATURES = (
    "source words",
    "target words",
    "target is tagged alike",
    "tags after stay",
    "tags before stay",
    "frequency before",
    "frequency after",
    "capital before",
    "capital after",
    "preposition before",
    "preposition after",
    "article before",
    "article after",
    "hyphen beside",
    "in quotation",
    "words of sentence",
    "place in sentence",
)
PLACE_FEATURES = (
    *_LM_FEATURES,
    *(f"{tag} before" for tag in _TAGS),
    *(f"{tag} after" for tag in _TAGS),
    *(f"{tag} second before" for tag in _TAGS),
    *(f"{tag} second after" for tag in _TAGS),
    *(f"first is {tag}" for tag in _CLASSES),
    *_OTHER_FEATURES,
)


_NAMES = ("rule_features", "place_features")  # arrays of a file that are not trees


@dataclass(frozen=True, slots=True)
class Place:
    """Describes an edit where it stands."""

    words: Sequence[str]  # of the sentence, in their own case
    tags: Sequence[str]
    start: int  # the first word that is replaced
    end: int  # after the last one
    target: tuple[str, ...]
    rule: Sequence[float]  # features of the rule

    @property
    def before(self) -> Sequence[str]:
        """The words in front of it."""
        return self.words[: self.start]

    @property
    def after(self) -> Sequence[str]:
        """The words behind it."""
        return self.words[self.end :]

    def edited(self) -> list[str]:
        """Return the words of the sentence after this edit alone."""
        return [*self.before, *self.target, *self.after]


class PlaceReader:
    """Turns places into numbers, with a model's own language model and tagger."""

    def __init__(self, lm: LanguageModel, tagger: Tagger) -> None:
        self._lm = lm
        self._tagger = tagger

    def rows(self, places: Sequence[Place]) -> Array:
        """Return one row for each: the features of its rule, then `PLACE_FEATURES`."""
        if not places:
            return np.zeros((0, len(PLACE_FEATURES)))
        scores = self._lm_rows(places)
        tags = self._tagger.tag_many([place.edited() for place in places])
        rows = [
            [*place.rule, *gains, *_around(place), *_others(place, tags_after)]
            for place, gains, tags_after in zip(places, scores, tags, strict=True)
        ]
        return np.array(rows, dtype=np.float64)

    def _lm_rows(self, places: Sequence[Place]) -> list[tuple[float, ...]]:
        windows: list[str] = []
        for place in places:
            start, end = place.start, place.end
            first, last = max(0, start - _WINDOW), end + _WINDOW
            before = " ".join(place.words[first:start]).lower()
            after = " ".join(place.words[end:last]).lower()
            near_before = " ".join(place.words[max(0, start - _NEAR) : start]).lower()
            near_after = " ".join(place.words[end : end + _NEAR]).lower()
            for text in (" ".join(place.words[start:end]).lower(), " ".join(place.target).lower()):
                windows += (f"{before} {text} {after}", f"{near_before} {text}", f"{text} {near_after}")
        found = np.array(self._lm.score_lines(windows, begin=False, end=False)).reshape(-1, 2, 3)
        gains = found[:, 1] - found[:, 0]
        return [(*gain, found[number, 1, 0]) for number, gain in enumerate(gains.tolist())]


_NO_TAG = (0.0,) * len(_TAGS)
_ONE_TAG = {tag: tuple(float(tag == other) for other in _TAGS) for tag in _TAGS}


def _around(place: Place) -> list[float]:
    tags = place.tags
    row: list[float] = []
    for number in (place.start - 1, place.end, place.start - 2, place.end + 1):
        row += _ONE_TAG.get(tags[number], _NO_TAG) if 0 <= number < len(tags) else _NO_TAG
    return row + [float(tags[place.start].startswith(tag)) for tag in _CLASSES]


def _others(place: Place, tags: Sequence[str]) -> list[float]:
    start, end, after = place.start, place.end, place.start + len(place.target)
    left = place.words[start - 1] if start else ""
    right = place.words[end] if end < len(place.words) else ""
    return [
        end - start,
        len(place.target),
        float(tags[start][:2] == place.tags[start][:2]),
        float(tags[after : after + _NEAR] == list(place.tags[end : end + _NEAR])),
        float(tags[max(0, start - _NEAR) : start] == list(place.tags[max(0, start - _NEAR) : start])),
        zipf(left.lower()) if left else _EDGE_FREQUENCY,
        zipf(right.lower()) if right else _EDGE_FREQUENCY,
        float(left[:1].isupper()),
        float(right[:1].isupper()),
        float(left.lower() in _PREPOSITIONS),
        float(right.lower() in _PREPOSITIONS),
        float(left.lower() in _ARTICLES),
        float(right.lower() in _ARTICLES),
        float("-" in (left, right)),
        float(sum(word in _QUOTES for word in place.before) % 2),
        len(place.words),
        start / len(place.words),
    ]


class SecondLook:
    """Estimates the risk of edits in their places, by trees over the rows of a `PlaceReader`."""

    def __init__(self, trees: BoostedTrees, rule_features: Sequence[str]) -> None:
        names = (*rule_features, *PLACE_FEATURES)
        if trees.features > len(names):
            msg = f"expected trees over at most {len(names)} features, found one that asks for number {trees.features}"
            raise DataError(msg)
        self.trees = trees
        self.rule_features = tuple(rule_features)

    @classmethod
    def open(cls, path: str | Path) -> SecondLook:
        """Read a file made by `plainwright learn second-look`."""
        arrays = read_arrays(path)
        try:
            return cls._from_arrays(arrays)
        except DataError as error:
            msg = f"{path}: {error}"
            raise DataError(msg) from None

    @classmethod
    def _from_arrays(cls, arrays: Arrays) -> SecondLook:
        names, places = (arrays.get(name, np.zeros(0)) for name in _NAMES)
        if names.dtype.kind != "U" or names.ndim != 1:
            msg = "expected the names of the features of rules, found none"
            raise DataError(msg)
        if places.dtype.kind != "U" or places.ravel().tolist() != list(PLACE_FEATURES):
            msg = "made by another version of plainwright; run `plainwright learn second-look` again"
            raise DataError(msg)
        trees = {name: array for name, array in arrays.items() if name not in _NAMES}
        return cls(BoostedTrees.from_arrays(trees), names.tolist())

    def save(self, path: str | Path) -> None:
        """Write all that `open` needs."""
        names = map(np.array, (self.rule_features, PLACE_FEATURES))
        write_arrays(path, {**self.trees.arrays(), **dict(zip(_NAMES, names, strict=True))})

    def risks(self, rows: Array) -> list[float]:
        """Return how likely each edit damages its sentence, from 0 to 1."""
        if not len(rows):
            return []
        risks: list[float] = (1 / (1 + np.exp(-self.trees.predict(rows)))).tolist()
        return risks
