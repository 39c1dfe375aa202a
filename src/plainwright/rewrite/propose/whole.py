"""Proposals that put a whole sentence anew.

Their edits hang together: half of a rewrite need not be a sentence. So they form one group, which stays or goes as a
whole, and a protected word may stand anywhere as long as it is there.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace

from plainwright.rewrite.types import Edit, Evidence, Proposal, Sentence, without_surrogates
from plainwright.text import ptb_tokenize

__all__ = ["WholeProposal", "is_prose"]

_FEWEST_WORDS = 4
_WORD = re.compile(r"[A-Za-z][a-z'’]*")
_UNLIKE_PROSE = re.compile(r"[{}<>|=\\]|\w\(\)|;\s*$|\t|^\s*[#*$>]")
# Any English sentence of some length has a few of these.
_COMMON = frozenset(
    # One string reads better than fifty.
    "the of and to a in is that it was for on are as with his they at be this from have or by one had not but what all "  # noqa: SIM905
    "were when we there can an your which their said if do will each about how up out them then she many some so these "
    "would other into has more her two like him see could no than first been its who now my over you he our".split()
)


class WholeProposal(Proposal):
    """A whole sentence in other words, with the evidence that all its edits share."""

    def __init__(
        self, sentence: Sentence, text: str, *, score: float = 0.0, origin: str, evidence: tuple[Evidence, ...] = ()
    ) -> None:
        super().__init__(sentence, text, score=score, origin=origin)
        self._evidence = evidence

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Return what differs from the source; one group."""
        if self._edits is None:
            self._edits = tuple(replace(edit, group=0, evidence=self._evidence) for edit in super().edits)
        return self._edits

    def touching(self, tokens: Set[int]) -> frozenset[int]:
        """Return the one group if a protected token is gone."""
        written = {token.text for token in ptb_tokenize(without_surrogates(self.text))}
        lost = any(self.sentence.tokens[number].text not in written for number in tokens)
        return frozenset((0,)) if lost and self.edits else frozenset()


def is_prose(text: str) -> bool:
    """Return whether a text is English prose: enough words, most in small letters, some of them common."""
    words = _WORD.findall(text)
    if len(words) < _FEWEST_WORDS or _UNLIKE_PROSE.search(text) or "\n" in text:
        return False
    small = sum(word[0].islower() for word in words)
    return small >= len(words) / 2 and any(word.lower() in _COMMON for word in words)
