"""What a check of a text gives: its grades, its level and its findings, for people and programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plainwright.check.level import level_name
from plainwright.check.types import Check, Finding
from plainwright.extras import extra_for
from plainwright.text.grades import Grades, reading_age
from plainwright.text.language import may_be_english

__all__ = ["CheckedSentence", "Report", "RuleCard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCard:
    """Says what a check looks for, and whose advice that is."""

    rule: str
    meaning: str
    source: str
    link: str

    @classmethod
    def of(cls, check: Check) -> RuleCard:
        """Return the card of a check."""
        return cls(rule=check.rule, meaning=check.meaning, source=check.source, link=check.link)

    def to_dict(self) -> dict[str, str]:
        """Return the JSON form."""
        return {"rule": self.rule, "meaning": self.meaning, "source": self.source, "link": self.link}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSentence:
    """A sentence: where it stands, how long it is, and its level as a number from 1 (A1) to 6 (C2)."""

    start: int
    end: int
    words: int
    level: float

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        name = level_name(self.level)
        return {"span": [self.start, self.end], "words": self.words, "level": name, "level_value": round(self.level, 2)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Holds what was found in one text; spans are those of `text`, which joins the blocks of a document."""

    text: str
    blocks: Sequence[tuple[int, int]]  # where each block stands in the text
    sentences: Sequence[CheckedSentence]  # headings and cells of tables are none
    words: int
    grades: Grades | None  # None where there are no words
    findings: Sequence[Finding]
    rules: Sequence[RuleCard]  # of the checks that were made
    left_out: Sequence[str] = ()  # checks that were not made, because something is not installed
    note: str = ""  # what is missing

    @property
    def grade(self) -> float | None:
        """The grade by Flesch and Kincaid."""
        return None if self.grades is None else self.grades.flesch_kincaid

    @property
    def may_be_english(self) -> bool:
        """Whether grades and findings mean something: they are made for English."""
        return may_be_english(self.text)

    @property
    def reading_age(self) -> int | None:
        """The age at which American pupils reach the grade."""
        return None if self.grade is None else reading_age(self.grade)

    @property
    def level(self) -> float | None:
        """The mean level of the sentences, from 1 (A1) to 6 (C2)."""
        return None if not self.sentences else sum(own.level for own in self.sentences) / len(self.sentences)

    @property
    def level_name(self) -> str | None:
        """The mean level as the CEFR calls it; an estimate."""
        return None if self.level is None else level_name(self.level)

    @property
    def counts(self) -> dict[str, int]:
        """How often each rule found something, the most frequent first."""
        found = [finding.rule for finding in self.findings]
        return {rule: found.count(rule) for rule in sorted(set(found), key=lambda rule: (-found.count(rule), rule))}

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form, without the text."""
        level = None if self.level is None else round(self.level, 2)
        return {
            "words": self.words,
            "grade": None if self.grade is None else round(self.grade, 2),
            "reading_age": self.reading_age,
            "grades": None if self.grades is None else {k: round(v, 2) for k, v in self.grades.to_dict().items()},
            "level": self.level_name,
            "level_value": level,
            "counts": self.counts,
            "findings": [finding.to_dict() for finding in self.findings],
            "sentences": [sentence.to_dict() for sentence in self.sentences],
            "rules": [card.to_dict() for card in self.rules],
            "left_out": list(self.left_out),
        }

    def to_pandas(self) -> Any:
        """Return a table with a row for each finding."""
        with extra_for("a table of findings", "pandas"):
            import pandas
        columns = ["rule", "start", "end", "text", "message", "suggestions"]
        rows = [[getattr(finding, name) for name in columns] for finding in self.findings]
        return pandas.DataFrame(rows, columns=columns)
