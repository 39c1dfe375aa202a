"""A list as people write it: lines of `hard`, `kind`, `plain` and `when`, separated by tabs.

Whatever is wrong is said in one sentence with file and line. docs/wordlist.md describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from plainwright.errors import DataError
from plainwright.files import iter_lines
from plainwright.rewrite.wordlist.conditions import parse_conditions
from plainwright.text import ptb_tokenize
from plainwright.text.inflection import MODALS, VERB_TAGS, is_known_verb

__all__ = ["GAP", "KINDS", "Entry", "EntryKind", "Side", "read_entries", "slot_tag"]

EntryKind = Literal["verb", "noun", "adjective", "adverb", "phrase"]
KINDS: tuple[EntryKind, ...] = get_args(EntryKind)
GAP = "…"
_SLOTS = {f"{{{tag}}}": tag for tag in VERB_TAGS}
_HEADER = ("hard", "kind", "plain", "when")
_EXAMPLE = "write commence ⇥ verb ⇥ start, say, with tabs for the arrows"
_MOST_WORDS = 30  # of a side
_BRACE = re.compile(r"[{}]")


@dataclass(frozen=True, slots=True)
class Side:
    """The words of one side; the one at `head` inflects, none if that is -1."""

    words: tuple[str, ...]
    head: int

    @property
    def slot(self) -> str | None:
        """The slot among its words, if there is one."""
        return next((word for word in self.words if word in _SLOTS), None)

    @property
    def gaps(self) -> int:
        """How many gaps it has."""
        return self.words.count(GAP)


@dataclass(frozen=True, slots=True)
class Entry:
    """Pairs hard words with plain ones; equal sides mean that the words are left alone."""

    hard: Side
    kind: EntryKind
    plain: Side
    when: str
    source: str  # the name of the list
    line: int
    written: tuple[str, str]  # both sides as they stand in the list

    @property
    def names(self) -> bool:
        """Whether a hard word has capitals, and so stands for a name or an abbreviation."""
        return any(word != word.lower() and slot_tag(word) is None for word in self.hard.words)

    @property
    def protects(self) -> bool:
        """Whether the words are to be left alone."""
        return self.hard.words == self.plain.words


def slot_tag(word: str) -> str | None:
    """Return the tag that a slot such as `{VBG}` asks for; None for any other word."""
    return _SLOTS.get(word)


def read_entries(path: str | Path) -> list[Entry]:
    """Read a list; its entries call it by the name of the file."""
    return list(_entries(path, Path(path).name))


def _entries(path: str | Path, name: str) -> Iterator[Entry]:
    for number, line in enumerate(iter_lines(path), start=1):
        fields = [field.strip() for field in line.split("\t")]
        if not any(fields) or line.startswith("#") or (number == 1 and tuple(fields) == _HEADER):
            continue
        try:
            yield _entry(fields, name, number)
        except ValueError as error:
            msg = f"{path}:{number}: {error}"
            raise DataError(msg) from None


def _entry(fields: list[str], name: str, line: int) -> Entry:
    if not 2 <= len(fields) <= len(_HEADER):
        msg = f"expected hard, kind, plain and when, separated by tabs, found {len(fields)} of them; {_EXAMPLE}"
        raise ValueError(msg)
    hard, kind, plain, when = (*fields, "", "")[: len(_HEADER)]
    known = next((own for own in KINDS if own == kind), None)
    if known is None:
        msg = f"expected a kind ({', '.join(KINDS)}), found {kind!r:.60}; {_EXAMPLE}"
        raise ValueError(msg)
    left, right = _side(hard, known, "hard"), _side(plain, known, "plain")
    entry = Entry(left, known, right, " ".join(when.split()), name, line, (hard, plain))
    _check(entry)
    parse_conditions(entry.when)
    return entry


def _side(text: str, kind: EntryKind, name: str) -> Side:
    inflects = kind != "phrase" and not (name == "plain" and text.endswith("!"))
    words: list[str] = []
    marked: list[int] = []
    for item in text.removesuffix("!").split():
        if item.endswith("*") and len(item) > 1:
            marked.append(len(words))
        words += _tokens(item.removesuffix("*")) if item != "*" else []
    if len(marked) > 1 or len(words) > _MOST_WORDS:
        what = f"{len(marked)} of them marked" if len(marked) > 1 else f"{len(words)}"
        msg = f"expected at most {_MOST_WORDS} words on the {name} side, one of them marked with *, found {what}"
        raise ValueError(msg)
    if text and not words:
        msg = f"expected words on the {name} side, found {text!r}"
        raise ValueError(msg)
    head = marked[0] if marked else 0 if kind == "verb" else len(words) - 1
    return Side(tuple(words), head if inflects and words else -1)


def _tokens(item: str) -> list[str]:
    """The tokens of an item as text has them; slots and gaps are tokens of their own."""
    if item in _SLOTS or item == GAP:
        return [item]
    if _BRACE.search(item):
        msg = f"expected a slot ({' '.join(_SLOTS)}), found {item!r:.60}"
        raise ValueError(msg)
    found = [token.text for token in ptb_tokenize(f"{item} x")[:-1]]  # at the end of a text, "etc." would lose its dot
    return [word.lower() if word == "I" else word for word in found]


def _check(entry: Entry) -> None:
    hard, plain = entry.hard, entry.plain
    first, last = (hard.words[0], hard.words[-1]) if hard.words else ("", "")
    if not first or first == GAP or last == GAP or slot_tag(first):
        found = repr(" ".join(hard.words))[:60] if first else "none"
        msg = f"expected words on the hard side that begin with a word and end without a gap, found {found}"
        raise ValueError(msg)
    if hard.gaps > 1 or plain.gaps != hard.gaps:
        msg = f"expected one gap (…) on both sides or none, found {hard.gaps} and {plain.gaps}"
        raise ValueError(msg)
    slots = [sum(slot_tag(word) is not None for word in side.words) for side in (hard, plain)]
    if max(slots) > 1 or slots[1] > slots[0]:
        msg = f"expected one slot on the hard side and it or none on the plain side, found {slots[0]} and {slots[1]}"
        raise ValueError(msg)
    if entry.kind == "verb" and plain.head >= 0:
        verb = plain.words[plain.head]
        if not (is_known_verb(verb) or verb in MODALS or slot_tag(verb) or entry.protects):
            msg = (
                f"expected a verb that inflects on the plain side, found {verb!r:.60}; "
                "mark the verb with *, or end the side with ! if nothing inflects"
            )
            raise ValueError(msg)
