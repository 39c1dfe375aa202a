"""Abbreviations that the text never explains."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainwright.check.passage import Passage
from plainwright.check.rules.base import GOV_UK, Rule
from plainwright.check.types import Finding
from plainwright.text.frequencies import zipf
from plainwright.text.inflection import base_of

__all__ = ["Abbreviation"]

_LETTERS = r"([A-Z](?:[A-Z]|&(?=[A-Z])){1,5})"
_CAPITALS = re.compile(rf"(?<![\w.’'&/-]){_LETTERS}(?:s|'s|’s)?(?![\w&’'/-])")
_NAME = re.compile(rf"(?<!\w){_LETTERS}s?\b")  # also where it is explained, as in brackets
_ROMAN = re.compile(r"M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_WORDS = re.compile(r"[^\W\d_]+")
_GRAMMAR = frozenset(("a", "and", "de", "for", "in", "of", "on", "the", "to"))
_NEAR = 16  # characters before an abbreviation that are looked at
_BEFORE = re.compile(r"\((?:the |or )?[“\"‘']?$")  # long form (the “NAME”)
_AFTER = re.compile(
    r"[”\"’']?,?\s*(?:\((?:the )?(?P<long>[A-Za-z][^)]*[a-z]{3})|(?:is |which )?(?:short|stands?)\s+for\b)"
)
_WORD, _LONG_WORD = 4.7, 4.2  # on the Zipf scale: NOT, ALL and ASIDE are words, written large
# Better known than what they stand for, or no abbreviation at all.
_KNOWN = frozenset(
    # One string reads better than a hundred.
    "UK US USA EU UN TV PC CD DVD OK ID AM PM BC AD BCE CE GMT UTC FAQ CEO DNA HIV AIDS BBC CNN FBI CIA NASA NATO "  # noqa: SIM905
    "UNESCO UNICEF PDF USB WWW HTTP HTTPS URL HTML CSS XML JSON CSV SQL SMS GPS VAT PIN ATM VIP DIY SOS PS PO NB RSVP "
    "MP MPS PHD MA BA MBA MSC BSC DR MR MRS MS ST JR SR CPU GPU RAM ROM IP API ASCII UTF GNU MIT BSD GPL ISBN ISO IBM "
    "XX XXX TODO NOTE README UNIX OS USSR UFO USD EUR GBP KB MB GB TB".split()
)


class Abbreviation(Rule):
    """Finds the first use of each abbreviation that is nowhere explained."""

    rule = "abbreviation"
    meaning = "An abbreviation is not explained, here or before."
    source = f"plainlanguage.gov; {GOV_UK}"

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield each unknown abbreviation once, where it first stands."""
        seen = set(_KNOWN)
        initials, explained = _initials(passage.text), _explained(passage.text)
        for number in passage.prose:
            sentence = passage.sentences[number]
            if _is_shouted(sentence.text):
                continue
            for match in _CAPITALS.finditer(sentence.text):
                name = match[1]
                if name in seen or _ROMAN.fullmatch(name) or _is_word(name.lower()):
                    continue
                at = sentence.start + match.start(1)
                if passage.is_fixed(at):
                    continue
                seen.add(name)
                if name not in explained and name.replace("&", "") not in initials:
                    message = "not explained; write it out where it first stands, with the short form in brackets"
                    yield self.found(passage, sentence, *match.span(1), message)


def _is_word(name: str) -> bool:
    """Whether it is rather a word than an abbreviation; long ones need not be as common for that."""
    return zipf(name) > (_WORD if len(name) < 4 else _LONG_WORD) or base_of(name, "VBZ") is not None


def _is_shouted(text: str) -> bool:
    """Whether most letters are capitals, so that they tell nothing."""
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(map(str.isupper, letters)) > len(letters)


def _explained(text: str) -> set[str]:
    """The abbreviations of which the text has "long form (NAME)", "NAME (long form)" or "NAME, short for"."""
    names = set()
    for found in _NAME.finditer(text):
        after = _AFTER.match(text, found.end())
        if (after and (after["long"] is None or after["long"][0].upper() == found[1][0])) or _BEFORE.search(
            text[max(0, found.start() - _NEAR) : found.start()]
        ):
            names.add(found[1])
    return names


def _initials(text: str) -> str:
    """The initials of all words but those of grammar; a dot for each word without a capital."""
    words = (word for word in _WORDS.findall(text) if word not in _GRAMMAR)
    return "".join(word[0] if word[0].isupper() and word[1:].islower() else "." for word in words)
