"""Where an entry may be used: what stands before and after it, its form, and whether it opens the sentence.

Conditions are written as `next=to,VB* prev!=not form=VBZ noun=copy,letter !start`. Values in lower case are words,
those in upper case are tags, a trailing `*` is a prefix; `^` is the start of the sentence and `$` its end. All
conditions must hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

from plainwright.text.inflection import inflections
from plainwright.text.spelling import common_spelling

__all__ = ["Condition", "Neighbour", "Place", "parse_conditions"]

_NEXT, _PREVIOUS, _FORM, _START = "next", "prev", "form", "start"
_NOUN, _SUBJECT = "noun", "subject"
_HEADS = (_NOUN, _SUBJECT)  # of noun phrases
_LISTED = (_NEXT, _PREVIOUS, _FORM, *_HEADS)


class Neighbour(NamedTuple):
    """A word beside a match with its tag, and whether the sentence has no words there or beyond."""

    word: str
    tag: str
    is_edge: bool


class Place(Protocol):
    """Where a match stands; each part is looked up only when a condition asks for it."""

    @property
    def form(self) -> str:
        """The tag of the word that inflects."""

    @property
    def before(self) -> Neighbour:
        """The word before it."""

    @property
    def after(self) -> Neighbour:
        """The word after it."""

    @property
    def nouns(self) -> Sequence[Neighbour]:
        """The heads of the noun phrases that follow it."""

    @property
    def subjects(self) -> Sequence[Neighbour]:
        """The heads of the noun phrases before it and its auxiliaries."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition; `values` are the words, tags or prefixes of which any, or if negated none, must be there."""

    name: str
    negated: bool
    values: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()

    def holds(self, place: Place) -> bool:
        """Return whether it holds where a match stands."""
        return self._is_there(place) != self.negated

    def _is_there(self, place: Place) -> bool:
        if self.name == _START:
            return place.before.is_edge
        if self.name == _FORM:
            return self._has(place.form)
        if self.name in _HEADS:
            heads = place.nouns if self.name == _NOUN else place.subjects
            # Of "coats and shoes", each must be listed; where the condition is negated, neither may be.
            fitting = [self._has(head.word) or self._has(head.tag) for head in heads]
            return bool(fitting) and (any if self.negated else all)(fitting)
        word, tag, is_edge = place.before if self.name == _PREVIOUS else place.after
        edge = "^" if self.name == _PREVIOUS else "$"
        return self._has(word) or self._has(tag) or (is_edge and edge in self.values)

    def _has(self, value: str) -> bool:
        return value in self.values or (bool(self.prefixes) and value.startswith(self.prefixes))


@lru_cache(maxsize=65536)
def parse_conditions(text: str) -> Sequence[Condition]:
    """Return the conditions of a text; a `ValueError` says what is wrong with it."""
    return tuple(map(_condition, text.split()))


def _condition(text: str) -> Condition:
    if text in (_START, f"!{_START}"):
        return Condition(_START, negated=text.startswith("!"))
    name, equals, listed = text.partition("=")
    negated = name.endswith("!")
    name = name.removesuffix("!")
    values = [value or "," for value in listed.split(",")]  # a comma by itself is meant
    edges = {"^", "$"}.intersection(values) if name in _HEADS else ()
    if not equals or not listed or name not in _LISTED or "*" in values or edges:
        msg = f"expected conditions such as next=to,VB* prev!=not form=VBZ noun=copy or !start, found {text!r:.60}"
        raise ValueError(msg)
    prefixes = tuple(value[:-1] for value in values if value.endswith("*"))
    whole = frozenset(_compared(value) for value in values if not value.endswith("*"))
    if name in _HEADS:
        nouns = [value for value in whole if value.islower()]
        whole |= {common_spelling(form) for noun in nouns for form in inflections(noun, "noun").get("NNS", ())}
    return Condition(name, negated, whole, prefixes)


def _compared(value: str) -> str:
    """The value as words and tags are compared with it."""
    return "i" if value == "I" else common_spelling(value)
