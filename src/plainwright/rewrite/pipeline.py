"""One sentence flows one way: propose, judge, choose.

The unchanged sentence is always a candidate and always safe to return. Sentences go through every stage in batches, so
that models see many at once; order and values do not depend on threads or batch. A part from outside that fails costs
a warning, never the text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from plainwright.rewrite import guards
from plainwright.rewrite.judge.budget import RiskBudget
from plainwright.rewrite.types import Judge, Proposal, Proposals, Proposer, Sentence, Verdict
from plainwright.text.tagging import Tagger

__all__ = ["Candidates", "Pipeline"]

_MOST_ALTERNATIVES = 30  # proposals that are tried where the best one risks too much
_ALTERNATIVES = (
    slice(0, 3),
    slice(3, 8),
    slice(8, 16),
    slice(16, _MOST_ALTERNATIVES),
)  # the first few are often good enough


@dataclass(frozen=True, slots=True)
class Candidates:
    """Lists what may be taken for a sentence, best first; never empty, since the sentence itself may be taken."""

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
    """Asks proposers, has judges price their edits, and pays the prices from a risk budget.

    Proposals of all proposers are pooled, those of the first one first. Where its best proposal costs too much, the
    words of the dearest edits are protected and the proposer is asked again, or if it is none that heeds protection
    (`asks_again`), these edits are undone, and if nothing of a sentence's proposals is left, it is asked for as many
    as its `asks_for_more` says, unless it proposed the sentence itself; or if that changes more, another one of its
    proposals is taken, which puts the same words in another way.
    """

    def __init__(
        self,
        proposers: Sequence[Proposer],
        *,
        judges: Sequence[Judge] = (),
        budget: RiskBudget | None = None,
        tagger: Tagger | None = None,
        fixing: Callable[[Sentence], frozenset[int]] | None = None,
    ) -> None:
        self.proposers = tuple(proposers)
        self.judges = tuple(judges)
        self.budget = budget or RiskBudget()
        self.tagger = tagger
        self.fixing = fixing  # says which tokens of a tagged sentence are protected, if not only those found before

    def beside(self, judges: Sequence[Judge]) -> Pipeline:
        """Return the same pipeline with further judges."""
        both = (*self.judges, *judges)
        return Pipeline(self.proposers, judges=both, budget=self.budget, tagger=self.tagger, fixing=self.fixing)

    def __repr__(self) -> str:
        names = ", ".join([*(proposer.name for proposer in self.proposers), *(judge.name for judge in self.judges)])
        return f"Pipeline({names}, risk up to {self.budget.limit:g})"

    def candidates(self, sentences: Sequence[Sentence], *, limit: int = 1, threads: int = 1) -> list[Candidates]:
        """Return what may be taken for each sentence, at most `limit` from each proposer; `simplify` takes the first.

        The sentence itself comes last, if nobody proposed it before.
        """
        tagged = self._tagged(sentences, threads)
        pooled: list[list[Proposal]] = [[] for _ in tagged]
        notes = [""] * len(tagged)
        for proposer in self.proposers:
            settled = self._settled(proposer, tagged, limit, threads)
            for number, proposals in enumerate(self._allowed(settled, limit)):
                pooled[number] += proposals
                notes[number] = notes[number] or _note(settled[number].proposals)
        return [
            Candidates(sentence, self._distinct(sentence, own, limit), note if not own else "")
            for sentence, own, note in zip(tagged, pooled, notes, strict=True)
        ]

    def _distinct(self, sentence: Sentence, pooled: Sequence[Proposal], limit: int) -> list[Proposal]:
        """Each text once; where several proposers were asked, the sentence itself is nobody's first choice."""
        if limit == 1 and len(self.proposers) == 1 and pooled:
            return list(pooled)
        found = {proposal.text: proposal for proposal in reversed(pooled)}
        texts = dict.fromkeys(proposal.text for proposal in pooled)
        if len(self.proposers) > 1:
            texts.pop(sentence.text, None)
        texts.setdefault(sentence.text)
        least = min((proposal.score for proposal in pooled), default=math.nan)
        found.setdefault(sentence.text, Proposal(sentence, sentence.text, score=least))
        return [found[text] for text in texts]

    def verdicts(self, candidates: Sequence[Candidates]) -> list[Sequence[Verdict]]:
        """Return what all judges together say of every candidate."""
        if not self.judges:
            return [[Verdict((0.0,) * proposal.groups) for proposal in one.proposals] for one in candidates]
        return self._verdicts([(one.sentence, one.proposals) for one in candidates])

    def _tagged(self, sentences: Sequence[Sentence], threads: int) -> Sequence[Sentence]:
        if self.tagger is None:
            return sentences
        tokens = [[token.text for token in sentence.tokens] for sentence in sentences]
        tags = self.tagger.tag_many(tokens, threads=threads)
        tagged = [replace(one, tags=own, memo={}) for one, own in zip(sentences, tags, strict=True)]
        return tagged if self.fixing is None else [replace(one, fixed=self.fixing(one)) for one in tagged]

    def _settled(self, proposer: Proposer, sentences: Sequence[Sentence], limit: int, threads: int) -> list[_Settled]:
        """What one proposer has for each sentence, within the budget."""

        def propose(batch: Mapping[int, Sentence], limit: int) -> dict[int, _Settled]:
            lists = guards.propose(proposer, list(batch.values()), limit=limit, threads=threads)
            return {
                number: _Settled(sentence, proposals)
                for (number, sentence), proposals in zip(batch.items(), lists, strict=True)
            }

        whole = dict(enumerate(sentences))
        if not getattr(proposer, "asks_again", False):
            first = propose(whole, limit)
            done = self._trimmed(first)
            if (more := getattr(proposer, "asks_for_more", 0)) > limit:
                left_alone = {n for n, one in first.items() if len(one.proposals) and not _changes(one)}
                waiting = {n: one.sentence for n, one in done.items() if n not in left_alone and not _changes(one)}
                done |= self._trimmed(propose(waiting, more))
            return [_with_best_change(one) for one in done.values()]
        if not self.judges:
            return list(propose(whole, limit).values())
        done = first = propose(whole, max(limit, _MOST_ALTERNATIVES))
        over_budget = self._over_budget(first)
        changed = {number: first[number] for number in over_budget}
        while over_budget:
            again = {number: one for number, one in over_budget.items() if one.fixed != done[number].sentence.fixed}
            # What goes beyond the budget without touching a word, as an insertion does, can only be undone.
            stuck = {number: done[number] for number in over_budget if number not in again}
            careful = propose(again, limit)
            done = done | careful | self._trimmed(stuck)
            over_budget = self._over_budget(careful)
        return list((done | self._affordable_alternatives(done, changed)).values())

    def _over_budget(self, settled: Mapping[int, _Settled]) -> dict[int, Sentence]:
        """The sentences whose best proposal costs too much, with the words of its dearest edits protected."""
        judged = {number: one for number, one in settled.items() if len(one.proposals)}
        verdicts = self._verdicts([(one.sentence, one.proposals[:1]) for one in judged.values()])
        careful = {}
        for (number, one), [verdict] in zip(judged.items(), verdicts, strict=True):
            proposal = one.proposals[0]
            if groups := self.budget.overspent(proposal, verdict, spent=one.sentence.spent):
                spared = {token for group in groups for token in range(*proposal.source_tokens(group))}
                careful[number] = one.sentence.protecting(spared)
        return careful

    def _affordable_alternatives(
        self, careful: Mapping[int, _Settled], whole: Mapping[int, _Settled]
    ) -> dict[int, _Settled]:
        """Find the first proposals for the sentences as they were that the budget allows, unless they change less."""
        found = {}
        waiting = dict(whole)
        for ranks in _ALTERNATIVES:
            shown = {number: one.proposals[ranks] for number, one in waiting.items()}
            verdicts = self._verdicts([(waiting[number].sentence, own) for number, own in shown.items()])
            for (number, own), judged in zip(shown.items(), verdicts, strict=True):
                first = next(self._affordable(waiting[number].sentence, own, judged), None)
                if first is None:
                    continue
                other = replace(waiting.pop(number), best=ranks.start + first)
                before = careful[number]
                if other.proposals[other.best].changes >= before.proposals[before.best].changes:
                    found[number] = other
        return found

    def _trimmed(self, settled: Mapping[int, _Settled]) -> dict[int, _Settled]:
        """The same with those edits undone that cost too much, or that touch a protected token."""
        lists = {
            number: [proposal.without(proposal.touching(one.sentence.fixed)) for proposal in one.proposals]
            for number, one in settled.items()
        }
        waiting = [(number, rank) for number, own in lists.items() for rank in range(len(own))] if self.judges else []
        while waiting:  # what is left may be judged otherwise
            verdicts = self._verdicts([(settled[n].sentence, [lists[n][rank]]) for n, rank in waiting])
            changed = []
            for (number, rank), [verdict] in zip(waiting, verdicts, strict=True):
                before = lists[number][rank]
                spent = settled[number].sentence.spent
                after = before.without(self.budget.overspent(before, verdict, spent=spent))
                if after is not before:
                    lists[number][rank] = after
                    changed.append((number, rank))
            waiting = changed
        return {
            number: replace(one, proposals=Proposals(lists[number], note=_note(one.proposals)), best=0)
            for number, one in settled.items()
        }

    def _allowed(self, settled: Sequence[_Settled], limit: int) -> list[list[Proposal]]:
        """The proposals that cost no more than they may, the best first."""
        if limit == 1:
            return [[one.proposals[one.best]] if len(one.proposals) else [] for one in settled]
        if not self.judges:
            return [list(one.proposals[:limit]) for one in settled]
        verdicts = self._verdicts([(one.sentence, one.proposals) for one in settled])
        return [self._best_first(one, own)[:limit] for one, own in zip(settled, verdicts, strict=True)]

    def _best_first(self, settled: _Settled, verdicts: Sequence[Verdict]) -> list[Proposal]:
        affordable = self._affordable(settled.sentence, settled.proposals, verdicts)
        ranks = dict.fromkeys((settled.best, *affordable)) if verdicts else ()
        return [settled.proposals[rank] for rank in ranks]

    def _affordable(
        self, sentence: Sentence, proposals: Sequence[Proposal], verdicts: Sequence[Verdict]
    ) -> Iterator[int]:
        """Yield the ranks of the proposals that cost no more than the sentence may."""
        for rank, (proposal, verdict) in enumerate(zip(proposals, verdicts, strict=True)):
            if not self.budget.overspent(proposal, verdict, spent=sentence.spent):
                yield rank

    def _verdicts(self, batch: guards.Batch) -> list[Sequence[Verdict]]:
        """What all judges together say of every proposal."""
        joined: list[Sequence[Verdict]] = []
        for judge in self.judges:
            verdicts = guards.judge(judge, batch)
            both = zip(joined, verdicts, strict=True) if joined else ()
            joined = [list(map(Verdict.joined, mine, theirs)) for mine, theirs in both] or list(verdicts)
        return joined


def _changes(settled: _Settled) -> bool:
    """Return whether a proposal is anything but the sentence itself."""
    return any(one.text != settled.sentence.text for one in settled.proposals)


def _with_best_change(settled: _Settled) -> _Settled:
    """Return the same with the first proposal as the best that changes something, if any does."""
    ranks = (rank for rank, one in enumerate(settled.proposals) if one.text != settled.sentence.text)
    return replace(settled, best=next(ranks, 0))


def _note(proposals: Sequence[Proposal]) -> str:
    return proposals.note if isinstance(proposals, Proposals) else ""
