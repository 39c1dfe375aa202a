"""One sentence flows one way: propose, judge, choose.

The unchanged sentence is always a candidate and always safe to return. Sentences go through every stage in batches, so
that models see many at once; order and values do not depend on threads or batch. A part from outside that fails costs
a warning, never the text.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from plainwright.errors import PlainwrightError, PlainwrightWarning
from plainwright.rewrite.judge.budget import RiskBudget
from plainwright.rewrite.protect import Protection
from plainwright.rewrite.types import (
    Chooser,
    Judge,
    Proposal,
    Proposals,
    Proposer,
    Sentence,
    Shortlist,
    Verdict,
)
from plainwright.text.tagging import Tagger

__all__ = ["Candidates", "Pipeline", "choose"]

Answer = TypeVar("Answer")

_OTHER_WAYS = 30  # proposals among which another wording is looked for, where the best one risks too much
_LOOKS = (
    slice(0, 3),
    slice(3, 8),
    slice(8, 16),
    slice(16, _OTHER_WAYS),
)  # most often one of the first few may be taken


@dataclass(frozen=True, slots=True)
class Candidates:
    """A sentence and what may be taken for it, best first; never empty, because the sentence itself may be."""

    sentence: Sentence
    proposals: Sequence[Proposal]
    note: str = ""  # why nothing was proposed


@dataclass(frozen=True, slots=True)
class _Settled:
    """A sentence, what was proposed for it, and the position of the best proposal that may be taken."""

    sentence: Sentence
    proposals: Sequence[Proposal]
    best: int = 0


class Pipeline:
    """Proposers, judges who price their edits, and the budget that the prices are paid from.

    Proposals of all proposers are pooled, those of the first one first. Where its best proposal costs too much, the
    words of the dearest edits are protected and the proposer is asked again, or if it is none that heeds protection
    (`asks_again`), these edits are undone; or if that changes more, another one of its proposals is taken, which puts
    the same words in another way.
    """

    def __init__(
        self,
        proposers: Sequence[Proposer],
        *,
        judges: Sequence[Judge] = (),
        budget: RiskBudget | None = None,
        tagger: Tagger | None = None,
    ) -> None:
        self.proposers = tuple(proposers)
        self.judges = tuple(judges)
        self.budget = budget or RiskBudget()
        self.tagger = tagger

    def __repr__(self) -> str:
        names = ", ".join([*(proposer.name for proposer in self.proposers), *(judge.name for judge in self.judges)])
        return f"Pipeline({names}, risk up to {self.budget.limit:g})"

    def candidates(
        self,
        sentences: Sequence[Sentence],
        *,
        limit: int = 1,
        threads: int = 1,
        protection: Protection | None = None,
    ) -> list[Candidates]:
        """What may be taken for each sentence, at most `limit` from each proposer; `simplify` takes the first.

        What is protected, sentences know; `protection` is for further passes (`Passes`), which cut them anew.
        """
        del protection
        tagged = self._tagged(sentences, threads)
        pooled: list[list[Proposal]] = [[] for _ in tagged]
        notes = [""] * len(tagged)
        for proposer in self.proposers:
            settled = self._settled(proposer, tagged, limit, threads)
            for number, proposals in enumerate(self._allowed(settled, limit)):
                pooled[number] += proposals
                notes[number] = notes[number] or getattr(settled[number].proposals, "note", "")
        return [
            Candidates(sentence, own or [Proposal(sentence, sentence.text, score=math.nan)], note if not own else "")
            for sentence, own, note in zip(tagged, pooled, notes, strict=True)
        ]

    def _tagged(self, sentences: Sequence[Sentence], threads: int) -> Sequence[Sentence]:
        if self.tagger is None:
            return sentences
        tokens = [[token.text for token in sentence.tokens] for sentence in sentences]
        tags = self.tagger.tag_many(tokens, threads=threads)
        return [
            Sentence(one.text, one.start, one.tokens, one.fixed, own) for one, own in zip(sentences, tags, strict=True)
        ]

    def _settled(self, proposer: Proposer, sentences: Sequence[Sentence], limit: int, threads: int) -> list[_Settled]:
        """What one proposer has for each sentence, within the budget."""

        def propose(batch: Mapping[int, Sentence], limit: int) -> dict[int, _Settled]:
            own = list(batch.values())
            lists = _guarded(
                proposer, lambda: proposer.propose(own, limit=limit, threads=threads), expected=len(own), of=Proposal
            )
            return {
                number: _Settled(sentence, proposals)
                for number, sentence, proposals in zip(batch, own, lists or [()] * len(own), strict=True)
            }

        whole = dict(enumerate(sentences))
        if not self.judges:
            return list(propose(whole, limit).values())
        if not getattr(proposer, "asks_again", False):
            return [self._trimmed(one) for one in propose(whole, limit).values()]
        done = first = propose(whole, max(limit, _OTHER_WAYS))
        again = self._protecting(first)
        changed = {number: first[number] for number in again}
        while again:
            careful = propose(again, limit)
            done = done | careful
            again = self._protecting(careful)
        return list((done | self._bolder(done, changed)).values())

    def _protecting(self, settled: Mapping[int, _Settled]) -> dict[int, Sentence]:
        """The sentences whose best proposal costs too much, with the words of some edits protected."""
        asked = {number: one for number, one in settled.items() if len(one.proposals)}
        verdicts = self._verdicts([(one.sentence, one.proposals[:1]) for one in asked.values()])
        careful = {}
        for (number, one), [verdict] in zip(asked.items(), verdicts, strict=True):
            proposal = one.proposals[0]
            if groups := self.budget.overspent(proposal, verdict):
                spared = {token for group in groups for token in range(*proposal.source_tokens(group))}
                careful[number] = one.sentence.protecting(spared)
        return careful

    def _bolder(self, careful: Mapping[int, _Settled], whole: Mapping[int, _Settled]) -> dict[int, _Settled]:
        """For sentences that were protected: the first proposal without that may be taken, unless it does less."""
        bolder = {}
        waiting = dict(whole)
        for look in _LOOKS:
            shown = {number: one.proposals[look] for number, one in waiting.items()}
            verdicts = self._verdicts([(waiting[number].sentence, own) for number, own in shown.items()])
            for (number, own), judged in zip(shown.items(), verdicts, strict=True):
                ranks = (n for n, pair in enumerate(zip(own, judged, strict=True)) if not self.budget.overspent(*pair))
                first = next(ranks, None)
                if first is None:
                    continue
                other = replace(waiting.pop(number), best=look.start + first)
                before = careful[number]
                if other.proposals[other.best].changes >= before.proposals[before.best].changes:
                    bolder[number] = other
        return bolder

    def _trimmed(self, settled: _Settled) -> _Settled:
        """The same with those edits undone that cost too much."""
        proposals = []
        for proposal in settled.proposals:
            before, after = None, proposal
            while after is not before:  # what is left may be judged otherwise
                [[verdict]] = self._verdicts([(settled.sentence, [after])])
                before, after = after, after.without(self.budget.overspent(after, verdict))
            proposals.append(after)
        return replace(settled, proposals=proposals)

    def _allowed(self, settled: Sequence[_Settled], limit: int) -> list[list[Proposal]]:
        """The proposals that cost no more than they may, the best first."""
        if limit == 1:
            return [[one.proposals[one.best]] if len(one.proposals) else [] for one in settled]
        if not self.judges:
            return [list(one.proposals[:limit]) for one in settled]
        verdicts = self._verdicts([(one.sentence, one.proposals) for one in settled])
        return [self._best_first(one, own)[:limit] for one, own in zip(settled, verdicts, strict=True)]

    def _best_first(self, settled: _Settled, verdicts: Sequence[Verdict]) -> list[Proposal]:
        affordable = [
            rank
            for rank, pair in enumerate(zip(settled.proposals, verdicts, strict=True))
            if rank != settled.best and not self.budget.overspent(*pair)
        ]
        return [settled.proposals[rank] for rank in (settled.best, *affordable)] if verdicts else []

    def _verdicts(self, batch: Sequence[tuple[Sentence, Sequence[Proposal]]]) -> list[Sequence[Verdict]]:
        """What all judges together say of every proposal."""
        joined: list[Sequence[Verdict]] = []
        for judge in self.judges:
            verdicts = _guarded(judge, functools.partial(judge.judge, batch), expected=len(batch), of=Verdict)
            if verdicts is None:  # nobody can say what is safe
                return [[Verdict((math.inf,) * proposal.groups) for proposal in own] for _, own in batch]
            joined = (
                [list(map(Verdict.joined, *both)) for both in zip(joined, verdicts, strict=True)]
                if joined
                else list(verdicts)
            )
        return joined


def choose(chooser: Chooser, shortlists: Sequence[Shortlist]) -> list[int]:
    """What a chooser takes of each shortlist; the first if it fails."""
    chosen = _guarded(chooser, lambda: chooser.choose(shortlists), expected=len(shortlists))
    return [0] * len(shortlists) if chosen is None else list(chosen)


def _guarded(
    part: Proposer | Judge | Chooser, ask: Callable[[], Sequence[Answer]], *, expected: int, of: type | None = None
) -> Sequence[Answer] | None:
    """What a part of the pipeline answers; None, and a warning, if it fails or the answer has another shape."""
    try:
        answer = ask()
    except (PlainwrightError, MemoryError):
        raise
    except Exception as error:
        _warn(part, f"raised {type(error).__name__}: {error}")
        return None
    if not isinstance(answer, Sequence) or len(answer) != expected:
        size = f"{len(answer)} entries" if isinstance(answer, Sequence) else type(answer).__name__
        _warn(part, f"returned {size}, expected a list with one entry for each of {expected} sentences")
        return None
    if of is not None:
        strange = next((own for own in answer if not _is_list_of(own, of)), None)
        if strange is not None:
            _warn(part, f"returned {strange!r:.60} for a sentence, expected a list of {of.__name__} objects")
            return None
    return answer


def _is_list_of(own: object, kind: type) -> bool:
    if isinstance(own, Proposals):
        return True  # whose members are made when they are asked for
    return isinstance(own, Sequence) and all(isinstance(member, kind) for member in own)


def _warn(part: Proposer | Judge | Chooser, what: str) -> None:
    name = getattr(part, "name", type(part).__name__)
    warnings.warn(PlainwrightWarning(f"{name}: {what}; the text passes without it"), stacklevel=2)
