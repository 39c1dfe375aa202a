"""Forbids edits that read badly beside their neighbours, however safe their rules are.

Who writes both "beverage" and "drink" means two things, so no edit may bring a word that the sentence has already. And
no article follows another, as where "slightly" becomes "a little" in "a slightly larger town".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from plainwright.rewrite.types import Proposal, Sentence, Span, Verdict

__all__ = ["Repetition"]

_ARTICLES = frozenset(("a", "an", "the"))
_SHORT = 3  # letters of words that stand twice in many a sentence


class Repetition:
    """Forbids edits that repeat a word or an article."""

    name = "repetition"

    def judge(self, batch: Sequence[tuple[Sentence, Sequence[Proposal]]]) -> list[list[Verdict]]:
        """Return a verdict on every proposal of every sentence."""
        return [self._verdicts(sentence, proposals) for sentence, proposals in batch]

    def _verdicts(self, sentence: Sentence, proposals: Sequence[Proposal]) -> list[Verdict]:
        forbids = sentence.memo.get(self)
        if forbids is None:
            forbids = sentence.memo[self] = _Reader(sentence)
        return [_verdict(proposal, forbids) for proposal in proposals]


def _verdict(proposal: Proposal, forbids: _Reader) -> Verdict:
    places = [(proposal.source_tokens(group), proposal.written(group)) for group in range(proposal.groups)]
    forbidden = () if proposal.curated else (group for group, place in enumerate(places) if forbids[place])
    return Verdict((0.0,) * len(places), frozenset(forbidden))


class _Reader(dict[tuple[Span, tuple[str, ...]], bool]):
    """Whether words read badly in a place of one sentence; worked out once for all proposals that put them there."""

    def __init__(self, sentence: Sentence) -> None:
        self._words = sentence.words
        self._stems = Counter(word.removesuffix("s") for word in self._words)

    def __missing__(self, key: tuple[Span, tuple[str, ...]]) -> bool:
        (start, end), written = key
        self[key] = _repeats(written, self._words[start:end], self._stems) or _doubles_an_article(
            written, self._words, start
        )
        return self[key]


def _repeats(written: Sequence[str], replaced: Sequence[str], stems: Counter[str]) -> bool:
    """Whether an edit brings a single word that stands elsewhere in the source, in either number."""
    if len(written) != 1 or len(written[0]) <= _SHORT:
        return False
    stem = written[0].removesuffix("s")
    return stems[stem] > sum(word.removesuffix("s") == stem for word in replaced)


def _doubles_an_article(written: Sequence[str], words: Sequence[str], start: int) -> bool:
    return start > 0 and words[start - 1] in _ARTICLES and bool(written) and written[0] in _ARTICLES
