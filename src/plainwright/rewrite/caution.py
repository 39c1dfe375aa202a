"""A limit to what one sentence may risk.

A reader stumbles over a sentence if any of its edits is wrong, so what counts is the risk of all of them together. The
safest edits stay; the words of the others are protected, and the sentence is decoded again. So are words that would
become a word which the sentence has already: who writes both "beverage" and "drink" means two things. And no article
follows another, as where "slightly" becomes "a little" in "a slightly larger town".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plainwright.decode import Candidate, Step

__all__ = ["words_to_spare"]

_ROUNDING = 1e-6  # packed grammars have single precision
_ARTICLES = frozenset(("a", "an", "the"))
_SHORT = 3  # letters of words that stand twice in many a sentence


def words_to_spare(
    candidate: Candidate, words: Sequence[str], risk: Callable[[Step], float], limit: float
) -> frozenset[int]:
    """The source tokens of edits that a sentence must do without, so that what is left risks no more than `limit`."""
    steps = [step for step in candidate.derivation if step.kind == "rule"]
    spared: set[int] = set()
    total = 0.0
    for step in sorted(steps, key=lambda step: (risk(step), step.source)):
        if _repeats(candidate, words, step) or _doubles_an_article(candidate, words, step):
            spared.update(range(*step.source))
            continue
        total += risk(step)
        if total > limit + _ROUNDING:
            spared.update(range(*step.source))
    return frozenset(spared)


def _repeats(candidate: Candidate, words: Sequence[str], step: Step) -> bool:
    """Whether the rule brings a single word that stands elsewhere in the source, in either number."""
    target = candidate.tokens[slice(*step.target)]
    if len(target) != 1 or len(target[0]) <= _SHORT:
        return False
    start, end = step.source
    elsewhere = {word.removesuffix("s") for word in (*words[:start], *words[end:])}
    return target[0].removesuffix("s") in elsewhere


def _doubles_an_article(candidate: Candidate, words: Sequence[str], step: Step) -> bool:
    start = step.source[0]
    return start > 0 and words[start - 1] in _ARTICLES and candidate.tokens[step.target[0]] in _ARTICLES
