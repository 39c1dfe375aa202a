"""All forms of an entry: the hard words as they stand in text, and for each tag what to write.

Hard words are in the one spelling of `common_spelling`, plain words as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from plainwright.rewrite.wordlist.written import Entry, slot_tag
from plainwright.text.inflection import MODALS, Forms, WordKind, inflections
from plainwright.text.spelling import common_spelling

__all__ = ["ANY_TAG", "COMPARATIVES", "Surface", "surfaces"]

ANY_TAG = "*"
COMPARATIVES = ("more", "most")  # adverbs of degree that become an ending
_ENDINGS = {"adjective": ("JJR", "JJS"), "adverb": ("RBR", "RBS")}
_BE = "be"


class Surface(NamedTuple):
    """One way in which hard words stand in text."""

    words: tuple[str, ...]
    head: int  # which word must have the tag; -1 if none
    plain: Mapping[str, tuple[str, ...]]  # what to write by tag; or after "more" and "most"


def surfaces(entry: Entry) -> Iterator[Surface]:
    """Yield every way in which the hard words of an entry may stand in text, each once."""
    hard = tuple(_matched(word) for word in entry.hard.words)
    if entry.kind == "phrase":
        yield Surface(hard, -1, {ANY_TAG: entry.plain.words})
        return
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    own = inflections(entry.hard.words[entry.hard.head], entry.kind)
    for tag, spelt in own.items():
        for form in spelt:
            plain = _plain(entry, entry.kind, tag, form)
            if plain is not None:
                found.setdefault(_matched(form), {}).setdefault(tag, plain)
    base = _matched(entry.hard.words[entry.hard.head])
    if entry.kind in _ENDINGS and base in found:
        found[base] |= _compared(entry)
    for form, by_tag in found.items():
        words = (*hard[: entry.hard.head], form, *hard[entry.hard.head + 1 :])
        yield Surface(words, entry.hard.head, by_tag)


def _matched(word: str) -> str:
    """The word as tokens are compared with it; names keep their capitals."""
    return common_spelling(word) if word == word.lower() else word


def _plain(entry: Entry, kind: WordKind, tag: str, form: str) -> tuple[str, ...] | None:
    """The plain words where the hard ones have a form; None if they have none for it."""
    words, head = entry.plain.words, entry.plain.head
    if entry.protects:
        return (*words[: entry.hard.head], form, *words[entry.hard.head + 1 :])
    if head < 0:
        return words
    if tag in (*_ENDINGS["adjective"], *_ENDINGS["adverb"]) and len(words) > 1:
        return None
    written = _inflected(words[head], kind, tag, form)
    return None if written is None else (*words[:head], written, *words[head + 1 :])


def _inflected(word: str, kind: WordKind, tag: str, hard: str) -> str | None:
    if slot_tag(word):
        return f"{{{tag}}}"
    if word in MODALS and kind == "verb":
        return word if tag in ("VBP", "VBZ") else None
    forms: Forms = inflections(word, kind)
    if kind == "verb" and word == _BE and tag in ("VBP", "VBD"):
        # Which of "am" and "are", "was" and "were" it is, only another form of "be" can tell; "I" is looked for later.
        return hard if hard in forms[tag] else forms[tag][0] if tag == "VBP" else None
    return forms[tag][0] if tag in forms else None


def _compared(entry: Entry) -> dict[str, tuple[str, ...]]:
    """What stands for "more" or "most" and the hard word; nothing if the plain side is a phrase."""
    if len(entry.plain.words) != 1 or entry.protects:
        return {}
    [word] = entry.plain.words
    forms = inflections(word, entry.kind)
    pairs = zip(COMPARATIVES, _ENDINGS[entry.kind], strict=True)
    return {degree: (forms[tag][0],) if tag in forms else (degree, word) for degree, tag in pairs}
