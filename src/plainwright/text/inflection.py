"""Forms of English words: by rule, and by a table of those that the rules get wrong.

The table (`inflections.tsv`, made by `tools/make_inflections.py`) has the irregular and the doubling verbs, irregular
plurals, and all adjectives and adverbs that take an ending. Everything else is regular, so the forms of any word are
known wherever plainwright runs, and are the same there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

from plainwright.text.lemmas import lemmas_by_ending

__all__ = ["MODALS", "VERB_TAGS", "WordKind", "base_of", "inflections", "is_known_verb", "regular_forms"]

WordKind = Literal["verb", "noun", "adjective", "adverb"]

VERB_TAGS = ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG")
MODALS = frozenset(("can", "could", "may", "might", "must", "shall", "should", "will", "would"))
_TAGS: dict[str, tuple[str, ...]] = {
    "verb": VERB_TAGS,
    "noun": ("NN", "NNS"),
    "adjective": ("JJ", "JJR", "JJS"),
    "adverb": ("RB", "RBR", "RBS"),
}
_HISSES = re.compile(r"(?:s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_SHORT_WORD = re.compile(r"[^aeiou]*(?:qu)?[aeiou][bdfgklmnprtvz]$")  # stop, quit: the last letter doubles
_SILENT_E = re.compile(r"[^eoy]e$")

Forms = Mapping[str, tuple[str, ...]]  # by tag, the usual spelling first


@cache
def inflections(word: str, kind: WordKind) -> Forms:
    """Return the forms of a word by tag, the usual spelling first; a tag that it has no form for is absent."""
    return {**regular_forms(word, kind), **_table()[0].get((kind, word), {})}


@cache
def base_of(form: str, tag: str) -> str | None:
    """Return the verb that has this form for a tag; None if no common verb has."""
    by_form, known = _table()[1:]
    short = (form[:-3], form[:-4] + "ie") if form.endswith("ing") else ()  # going, dying
    candidates = (*by_form.get(form, ()), *lemmas_by_ending(form), *short)
    fits = {word for word in candidates if word in known and form in inflections(word, "verb").get(tag, ())}
    return min(fits, key=known.__getitem__, default=None)


def is_known_verb(word: str) -> bool:
    """Return whether a word is a common verb in its base form."""
    return word in _table()[2]


def regular_forms(word: str, kind: WordKind) -> dict[str, tuple[str, ...]]:
    """Return the forms that the rules give; adjectives and adverbs have only the base form by rule."""
    base, *others = _TAGS[kind]
    forms: dict[str, tuple[str, ...]] = {base: (word,)}
    if kind == "noun":
        forms["NNS"] = (_with_s(word),)
    elif kind == "verb":
        past, participle = _past(word), _with_ing(word)
        forms |= dict(zip(others, ((word,), (_with_s(word),), (past,), (past,), (participle,)), strict=True))
    return forms


def _with_s(word: str) -> str:
    if _HISSES.search(word):
        return word + "es"
    return word[:-1] + "ies" if _CONSONANT_Y.search(word) else word + "s"


def _past(word: str) -> str:
    if word.endswith("e"):
        return word + "d"
    if _CONSONANT_Y.search(word):
        return word[:-1] + "ied"
    return _doubled(word) + "ed"


def _with_ing(word: str) -> str:
    if word.endswith("ie"):
        return word[:-2] + "ying"
    if _SILENT_E.search(word):
        return word[:-1] + "ing"
    return _doubled(word) + "ing"


def _doubled(word: str) -> str:
    return word + word[-1] if _SHORT_WORD.match(word) else word


@cache
def _table() -> tuple[dict[tuple[str, str], Forms], dict[str, list[str]], dict[str, int]]:
    """The forms that are no regular ones; the verbs by such forms; and the rank of each known verb."""
    forms: dict[tuple[str, str], Forms] = {}
    by_form: dict[str, list[str]] = {}
    known: dict[str, int] = {}
    for kind, word, own in _rows():
        if kind == "verb":
            known[word] = len(known)
        if own:
            forms[kind, word] = own
        if kind == "verb" and own:
            for form in dict.fromkeys(form for spelt in own.values() for form in spelt):
                by_form.setdefault(form, []).append(word)
    return forms, by_form, known


def _rows() -> Iterator[tuple[str, str, Forms]]:
    text = files("plainwright.text").joinpath("inflections.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        kind, word, *forms = line.split("\t")
        pairs = (form.split("=") for form in forms)
        yield kind, word, {tag: tuple(spelt.split(",")) for tag, spelt in pairs}
