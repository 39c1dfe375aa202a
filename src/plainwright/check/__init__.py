"""What makes a text hard to read, without changing it: grades, an estimate of its level, and findings by rule.

`check_text` takes a text, `check_document` a document, with places in its file. A rule is a small class in `rules/`,
known by name through `CHECKS`; packages add theirs with an entry point in the group `plainwright.checks`. The rules ask
our list of words, which is why this package stands above `plainwright.rewrite`.
"""

from __future__ import annotations

from plainwright.check.checking import check_blocks, check_text
from plainwright.check.files import CheckedFile, check_document
from plainwright.check.level import LEVELS, level_name
from plainwright.check.passage import Passage
from plainwright.check.registry import CHECKS
from plainwright.check.result import CheckedSentence, Report, RuleCard
from plainwright.check.types import Check, Finding, Prose, Settings

__all__ = [
    "CHECKS",
    "LEVELS",
    "Check",
    "CheckedFile",
    "CheckedSentence",
    "Finding",
    "Passage",
    "Prose",
    "Report",
    "RuleCard",
    "Settings",
    "check_blocks",
    "check_document",
    "check_text",
    "level_name",
]
