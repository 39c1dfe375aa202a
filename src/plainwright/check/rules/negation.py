"""Two negatives that make a positive."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainwright.check.passage import Passage
from plainwright.check.rules.base import Rule
from plainwright.check.types import Finding

__all__ = ["DoubleNegative"]

_NOT = r"(?:not|never|n['’]t|cannot)"
_NEGATIVE = "|".join(
    # What the two of them say, after the words that say it.
    (
        "un(?:common|usual|likely|reasonable|important|known|aware|able|necessary|fair|true|helpful|clear|happy|pleasant"
        "|familiar|expected|interesting|successful|welcome|founded|justified|willing|related|heard|limited)",
        "in(?:significant|frequent|frequently|correct|accurate|appropriate|valid|considerable|consistent|sensitive"
        "|different|compatible|conceivable|effective)",
        "im(?:possible|probable|material|plausible|practical)",
        "ir(?:relevant|regular)|il(?:legal|logical)|dis(?:similar|honest|satisfied)",
    )
)
_VERBS = (
    r"(?:fail|fails|failing|deny|denies|lack|lacks|refuse|refuses|neglect|neglects|prohibit|prohibits|forbid|forbids|"
    r"preclude|precludes|omit|omits)"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bnot(?:\s+(?:at\s+all|so|entirely|altogether|wholly))?\s+(?:an?\s+)?(?:{_NEGATIVE})\b",
        rf"\b\w*{_NOT}\s+{_VERBS}\b",
        rf"\b\w*{_NOT}\b(?:\s+[\w’'-]+){{0,8}}\s+unless\b",
        r"\bnot\s+without\b",
        r"\bno\s+(?:fewer|less)\s+than\b",
        r"\bnone\s+(?:\w+\s+){0,3}un\w+ed\b",
    )
)


class DoubleNegative(Rule):
    """Finds negatives that take each other back."""

    rule = "double-negative"
    meaning = "Two negatives make readers work out the positive."

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield the words from one negative to the other."""
        for sentence in passage.sentences:
            end = 0
            matches = (match for pattern in _PATTERNS for match in pattern.finditer(sentence.text))
            for match in sorted(matches, key=lambda own: own.start()):
                if match.start() >= end:
                    yield self.found(passage, sentence, *match.span(), "two negatives; say what is so")
                    end = match.end()
