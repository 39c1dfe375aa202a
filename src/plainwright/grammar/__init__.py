"""Synchronous grammars: rules as text, their features, and the packed form that the decoder reads."""

from __future__ import annotations

from plainwright.grammar.rules import Nonterminal, Rule, Skipped, parse_rule, read_rules, write_rules

__all__ = ["Nonterminal", "Rule", "Skipped", "parse_rule", "read_rules", "write_rules"]
