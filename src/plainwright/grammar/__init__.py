"""Synchronous grammars: rules as text, their features, and the packed form that the decoder reads."""

from __future__ import annotations

from plainwright.grammar.packed import PackedGrammar, pack_files, pack_rules
from plainwright.grammar.rules import Nonterminal, Rule, Skipped, parse_rule, parse_source, read_rules, write_rules

__all__ = [
    "Nonterminal",
    "PackedGrammar",
    "Rule",
    "Skipped",
    "pack_files",
    "pack_rules",
    "parse_rule",
    "parse_source",
    "read_rules",
    "write_rules",
]
