"""What an import reports, and the lines of rules that need no aligner."""

from __future__ import annotations

from dataclasses import dataclass, field

from plainwright.grammar.rules import Skipped

__all__ = ["ImportResult", "plain_alignment", "rule_line"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportResult:
    """Counts the entries, and the rules that came of them."""

    read: int
    written: int
    skipped: Skipped = field(default_factory=Skipped)  # lines that are no entries, if that was allowed


def plain_alignment(source: str, target: str) -> str:
    """Between one word and one word there is only one alignment; of anything else the resources know none."""
    return "0-0" if target and " " not in source and " " not in target else ""


def rule_line(label: str, source: str, target: str, features: str) -> str:
    """Return a rule as PPDB text, with the alignment that needs no aligner."""
    return f"[{label}] ||| {source} ||| {target} ||| {features} ||| {plain_alignment(source, target)}\n"
