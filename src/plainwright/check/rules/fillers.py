"""Words that say nothing, and words that take back what others say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainwright.check.passage import Passage
from plainwright.check.rules.base import Rule
from plainwright.check.types import Finding

__all__ = ["Filler"]

_FILLERS = (
    r"it (?:should|must|may) be (?:noted|mentioned|pointed out|emphasi[sz]ed|remembered) that",
    r"it is (?:important|interesting|worthwhile|useful) to (?:note|mention|remember|point out) that",
    r"it is worth (?:noting|mentioning|remembering|pointing out) that",
    r"please (?:note|be advised|be aware) that",
    r"needless to say",
    r"as a matter of fact",
    r"for all intents and purposes",
    r"at the end of the day",
    r"it goes without saying(?: that)?",
    r"the fact of the matter is(?: that)?",
    r"what this means is that",
    r"basically|literally|obviously|of course|essentially|as it were|so to speak|if you will",
)
_HEDGES = (
    r"it (?:would|may|might|could) (?:appear|seem) (?:that|to)",
    r"it (?:may|might|could) (?:well )?be the case that",
    r"there is (?:a|some) (?:possibility|chance) that",
    r"to (?:some|a certain|a greater or lesser) (?:extent|degree)",
    r"in some (?:sense|way or other)",
    r"more or less|somewhat|arguably|in a manner of speaking|as far as (?:I|we) know",
    r"(?:sort|kind) of (?=\w+(?:ed|ing)\b)",
)
_EMPTY, _HEDGE = "adds nothing; leave it out", "a hedge; say it outright, or say how sure you are"
_PATTERN = re.compile(rf"\b(?:(?P<filler>{'|'.join(_FILLERS)})|(?P<hedge>{'|'.join(_HEDGES)}))\b", re.IGNORECASE)


class Filler(Rule):
    """Finds fillers and hedges."""

    rule = "filler"
    meaning = "Words that add nothing, or that hedge what the sentence says."

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield each of them."""
        for sentence in passage.sentences:
            text = re.sub(r"\s", " ", sentence.text)
            for match in _PATTERN.finditer(text):
                message = _EMPTY if match["filler"] else _HEDGE
                yield self.found(passage, sentence, *match.span(), message)
