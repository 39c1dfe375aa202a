"""What checks share: where they come from, and how a finding is made of characters of a sentence."""

from __future__ import annotations

from typing import ClassVar

from plainwright.check.passage import Passage
from plainwright.check.types import Finding, Scope, Settings
from plainwright.rewrite.types import Sentence
from plainwright.text.inflection import VERB_TAGS, base_of

__all__ = ["GOV_UK", "GOV_UK_LINK", "PLAIN_LANGUAGE", "PLAIN_LANGUAGE_LINK", "Rule", "verb_of"]

PLAIN_LANGUAGE = "plainlanguage.gov"
PLAIN_LANGUAGE_LINK = "https://www.plainlanguage.gov/guidelines/"
GOV_UK = "GOV.UK content design"
GOV_UK_LINK = "https://www.gov.uk/guidance/content-design/writing-for-gov-uk"


class Rule:
    """Base of the checks that come with plainwright."""

    rule: ClassVar[str]
    meaning: ClassVar[str]
    source: ClassVar[str] = PLAIN_LANGUAGE
    link: ClassVar[str] = PLAIN_LANGUAGE_LINK
    parses: ClassVar[bool] = False
    scope: ClassVar[Scope] = "wording"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def found(
        self, passage: Passage, sentence: Sentence, start: int, end: int, message: str, *suggestions: str
    ) -> Finding:
        """Return a finding at characters of a sentence."""
        start, end = start + sentence.start, end + sentence.start
        return Finding(
            rule=self.rule,
            start=start,
            end=end,
            text=passage.text[start:end],
            message=message,
            suggestions=suggestions,
        )


def verb_of(word: str, tag: str) -> str | None:
    """Return the base form of a verb; None if it is no verb that we know."""
    return base_of(word.lower(), tag) if tag in VERB_TAGS else None
