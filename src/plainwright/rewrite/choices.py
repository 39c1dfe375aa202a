"""What else could stand where an edit is, for writers to choose from.

Only where it can be put there as it is: one word made way for what one rule wrote, and other rules of the same part of
speech write something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plainwright.rewrite.propose.scfg import AppliedRule
from plainwright.rewrite.types import Edit
from plainwright.text.articles import takes_an

__all__ = ["other_words"]

_PLAIN = re.compile(r"[a-z]+(?: [a-z]+)*")


def other_words(edits: Sequence[Edit], text: str) -> list[str]:
    """Return the other words for a group of edits, whose spans are those of the `text` as it was written."""
    if len(edits) != 1 or len(edits[0].evidence) != 1:
        return []
    [edit], [rule] = edits, edits[0].evidence
    source, target = edit.source_text.lower(), edit.target_text.lower()
    if not isinstance(rule, AppliedRule) or (rule.source, rule.target) != (source, target) or not source.isalpha():
        return []
    found = (own.target for own in rule.candidates if own.label == rule.label and own.target != target)
    plain = [own for own in dict.fromkeys(found) if _PLAIN.fullmatch(own) and source not in own.split()]
    if text[: edit.target_span[0]].lower().split()[-1:] in (["a"], ["an"]):
        plain = [own for own in plain if takes_an(own) == takes_an(target)]
    return [own[0].upper() + own[1:] if edit.target_text[0].isupper() else own for own in plain]
