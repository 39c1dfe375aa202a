"""The rewriter as a proposer: whole sentences in other words.

Edits of a rewrite hang together: half of one need not be a sentence. So they form one group, which stays or goes as a
whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from plainwright.rewrite.types import Edit, Proposal, Proposals, Sentence, without_surrogates
from plainwright.rewriter.controls import Controls
from plainwright.rewriter.finding import Level, find_rewriter
from plainwright.rewriter.model import Rewrite, Rewriter
from plainwright.text import ptb_tokenize
from plainwright.text.edits import edits_between

__all__ = ["RewriteProposal", "RewriterProposer", "Rewrites"]

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


@dataclass(frozen=True, slots=True)
class Rewrites:
    """Evidence: the level that was asked for, and how sure the model was."""

    level: str
    score: float

    def __str__(self) -> str:
        return f"the rewriter at level {self.level}, sure to {math.exp(self.score):.0%}"

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"kind": "rewrite", "level": self.level, "score": round(self.score, 4)}


class RewriteProposal(Proposal):
    """A rewrite of a whole sentence; `rewrite.score` says how sure the model was."""

    def __init__(self, sentence: Sentence, rewrite: Rewrite, level: str, origin: str) -> None:
        super().__init__(sentence, rewrite.text, score=rewrite.score, origin=origin)
        self.rewrite = rewrite
        self._evidence = (Rewrites(level, rewrite.score),)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What differs from the source; one group."""
        if self._edits is None:
            found = edits_between(self.sentence.text, self.text)
            self._edits = tuple(
                Edit(
                    kind=edit.kind,
                    source_span=edit.source_span,
                    target_span=edit.target_span,
                    source_text=edit.source_text,
                    target_text=edit.target_text,
                    group=0,
                    origin=self.origin,
                    evidence=self._evidence,
                )
                for edit in found
            )
        return self._edits

    def touching(self, tokens: Set[int]) -> frozenset[int]:
        """Return the one group if a protected token is gone; where it stands does not matter."""
        written = {token.text for token in ptb_tokenize(without_surrogates(self.text))}
        lost = any(self.sentence.tokens[number].text not in written for number in tokens)
        return frozenset((0,)) if lost and self.edits else frozenset()


class RewriterProposer:
    """Proposes what a rewriter writes; text that is no English prose is left alone."""

    name = "rewriter"
    asks_for_more = 4  # candidates, where none of the first may stay

    def __init__(
        self,
        directory: str | None = None,
        *,
        level: Level = "plain",
        length: float | None = None,
        similarity: float | None = None,
        rank: float | None = None,
        depth: float | None = None,
    ) -> None:
        self._controls = Controls(level=level, length=length, similarity=similarity, rank=rank, depth=depth)
        self._rewriter = Rewriter(find_rewriter(directory))

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[Proposals]:
        """Return at most `limit` rewrites of each sentence, the likeliest first."""
        texts = {number: one.text for number, one in enumerate(sentences) if _is_prose(one)}
        # What was found before is still there when a judge has refused it and more is asked for.
        known = [one.memo.setdefault((self, "rewrites"), []) for one in sentences]
        groups: dict[int, list[int]] = {}
        for number in texts:
            asked = len(known[number])
            if asked < limit:
                groups.setdefault(asked, []).append(number)
        for asked, numbers in groups.items():
            found = self._rewriter.rewrite(
                [texts[n] for n in numbers], controls=self._controls, candidates=limit, first=asked, threads=threads
            )
            for number, own in zip(numbers, found, strict=True):
                known[number].extend([*own, *[None] * (limit - asked - len(own))])
        return [self._proposals(one, own[:limit]) for one, own in zip(sentences, known, strict=True)]

    def _proposals(self, sentence: Sentence, rewrites: Sequence[Rewrite | None]) -> Proposals:
        texts = {rewrite.text: rewrite for rewrite in reversed(rewrites) if rewrite is not None}
        best_first = sorted(texts.values(), key=lambda rewrite: -rewrite.score)
        level = self._controls.level
        return Proposals([RewriteProposal(sentence, rewrite, level, self.name) for rewrite in best_first])


def _is_prose(sentence: Sentence) -> bool:
    """Return whether a sentence is English prose: enough words, most in small letters, some of them common."""
    text = sentence.text
    words = _WORD.findall(text)
    if len(words) < _FEWEST_WORDS or _UNLIKE_PROSE.search(text) or "\n" in text:
        return False
    small = sum(word[0].islower() for word in words)
    return small >= len(words) / 2 and any(word.lower() in _COMMON for word in words)
