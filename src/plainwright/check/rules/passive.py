"""Passives: who does it?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from plainwright.check.passage import Passage
from plainwright.check.rules.base import Rule
from plainwright.check.types import Finding, Scope

__all__ = ["Passive"]

# Participles that name a state, or that nobody would put in the active.
_STATES = frozenset(
    # One string reads better than fifty.
    "born located situated based supposed interested involved related married concerned dedicated called known "  # noqa: SIM905
    "named entitled titled intended meant required allowed permitted expected connected composed comprised gone tired "
    "worried pleased surprised excited bored satisfied disappointed confused embarrassed convinced prepared "
    "qualified experienced advanced complicated detailed aged closed".split()
)

_AUXILIARIES = frozenset(
    ("am", "is", "are", "was", "were", "be", "been", "being", "'s", "'re", "'m", "’s", "’re", "’m")
)


class Passive(Rule):
    """Finds verbs in the passive."""

    rule = "passive"
    meaning = "A verb is in the passive, so that the sentence need not say who does it."
    parses: ClassVar[bool] = True
    scope: ClassVar[Scope] = "structure"

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield every passive with what comes between its auxiliary and its participle."""
        for number in passage.prose:
            sentence, parse = passage.sentences[number], passage.parses[number]
            for token in parse:
                auxiliary = next((child for child in token.children if child.dep_ == "auxpass"), None)
                if auxiliary is None or not _is_passive(token, auxiliary):
                    continue
                agents = [child for child in token.children if child.dep_ == "agent"]
                doers = [doer for agent in agents for doer in agent.children if doer.dep_ == "pobj"]
                if doers:
                    message = f"passive; let the sentence begin with who does it ({doers[0].text})"
                else:
                    message = "passive; say who does it, if readers need to know"
                first = min(
                    (child for child in token.lefts if child.dep_ in ("aux", "auxpass")), key=lambda child: child.i
                )
                last = next(
                    (child for child in token.children if child.dep_ == "prt" and child.i == token.i + 1), token
                )
                yield self.found(passage, sentence, first.idx, last.idx + len(last.text), message)


def _is_passive(participle: Any, auxiliary: Any) -> bool:
    known = auxiliary.lower_ in _AUXILIARIES and auxiliary.i < participle.i
    return known and participle.tag_ == "VBN" and participle.lower_ not in _STATES
