"""Sentences that are long, and sentences whose clauses stand in clauses that stand in clauses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from plainwright.check.passage import Passage
from plainwright.check.rules.base import GOV_UK, GOV_UK_LINK, Rule
from plainwright.check.types import Finding, Scope

__all__ = ["LongSentence", "NestedSentence"]

_CLAUSES = frozenset(("advcl", "relcl", "ccomp", "csubj", "csubjpass"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "expl"))
_DEEPEST = 2  # a clause may stand in a clause of the main one


class LongSentence(Rule):
    """Finds sentences with more words than readers take in at once."""

    rule = "long-sentence"
    meaning = "A sentence has more words than readers take in at once."
    source = GOV_UK
    link = GOV_UK_LINK
    scope: ClassVar[Scope] = "sentence"

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield every long sentence that is no title."""
        most = self.settings.sentence_words
        for number in passage.prose:
            sentence, words = passage.sentences[number], passage.words[number]
            if words > most:
                message = f"{words} words; split it, or cut it to {most} or fewer"
                yield self.found(passage, sentence, 0, len(sentence.text), message)


class NestedSentence(Rule):
    """Finds sentences with a clause in a clause in a clause."""

    rule = "nested-sentence"
    meaning = "A sentence has clauses inside clauses inside clauses."
    source = "plainlanguage.gov: one idea in each sentence; the limit is ours"
    parses: ClassVar[bool] = True
    scope: ClassVar[Scope] = "sentence"

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield every sentence whose clauses go deeper than two."""
        for number in passage.prose:
            sentence, parse = passage.sentences[number], passage.parses[number]
            depth = max((_depth(token) for token in parse if _is_clause(token)), default=0)
            if depth > _DEEPEST:
                message = f"clauses inside clauses, {depth} deep; give each idea its own sentence"
                yield self.found(passage, sentence, 0, len(sentence.text), message)


def _is_clause(token: Any) -> bool:
    """Whether a token is the verb of a dependent clause with a subject of its own; what somebody said is none."""
    if token.dep_ not in _CLAUSES or not any(child.dep_ in _SUBJECTS for child in token.children):
        return False
    if token.dep_ != "ccomp":
        return True
    return token.i > token.head.i and not any(own.text == ":" for own in token.doc[token.head.i : token.i])


def _depth(token: Any) -> int:
    return 1 + sum(map(_is_clause, token.ancestors))
