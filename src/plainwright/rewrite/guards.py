"""What parts from outside answer, checked before anybody relies on it.

A part that raises, or whose answer has another shape than it should, costs a warning that names it; the text passes
without it. Parts of this package are not checked again and again.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import TypeVar

from plainwright.errors import PlainwrightError, PlainwrightWarning
from plainwright.rewrite.types import Chooser, Judge, Proposal, Proposer, Sentence, Shortlist, Verdict
from plainwright.text.edits import apply_edits

__all__ = ["choose", "judge", "propose"]

Answer = TypeVar("Answer")
Batch = Sequence[tuple[Sentence, Sequence[Proposal]]]
_PASSES = "the text passes without it"


def propose(
    proposer: Proposer, sentences: Sequence[Sentence], *, limit: int, threads: int
) -> Sequence[Sequence[Proposal]]:
    """Return the proposals for every sentence; none for those where the proposer fails.

    If it fails on many sentences at once, it is asked again for each alone, so that one cannot spoil the others.
    """

    def ask(batch: Sequence[Sentence]) -> Sequence[Sequence[Proposal]]:
        return _asked(proposer, lambda: proposer.propose(batch, limit=limit, threads=threads), expected=len(batch))

    if not sentences:
        return []
    failures: list[_PartError] = []
    try:
        answer = ask(sentences)
    except _PartError as failure:
        answer = [()] * len(sentences) if len(sentences) == 1 else [_alone(ask, one, failures) for one in sentences]
        failures = failures or [failure]
    if not _is_ours(proposer):
        answer = [_proposals(sentence, own, limit, failures) for sentence, own in zip(sentences, answer, strict=True)]
    if failures:
        some = any(len(own) for own in answer)
        _warn(proposer, failures[0], "the sentences it fails on pass without it" if some else _PASSES)
    return answer


def _alone(
    ask: Callable[[Sequence[Sentence]], Sequence[Sequence[Proposal]]], sentence: Sentence, failures: list[_PartError]
) -> Sequence[Proposal]:
    try:
        return ask([sentence])[0]
    except _PartError as failure:
        failures.append(failure)
        return ()


def judge(judge: Judge, batch: Batch) -> Sequence[Sequence[Verdict]]:
    """A verdict on every proposal; what a judge cannot say is safe is forbidden."""
    failures: list[_PartError] = []
    try:
        answer = _asked(judge, lambda: judge.judge(batch), expected=len(batch))
    except _PartError as failure:
        failures.append(failure)
        answer = [()] * len(batch)
    if failures or not _is_ours(judge):
        answer = [_verdicts(proposals, own, failures) for (_, proposals), own in zip(batch, answer, strict=True)]
    if failures:
        _warn(judge, failures[0])
    return answer


def choose(chooser: Chooser, shortlists: Sequence[Shortlist]) -> list[int]:
    """Return what a chooser takes of each shortlist; the first proposal if it fails."""
    try:
        answer = _asked(chooser, lambda: chooser.choose(shortlists), expected=len(shortlists))
        for rank, shortlist in zip(answer, shortlists, strict=True):
            if isinstance(rank, bool) or not hasattr(rank, "__index__") or not 0 <= rank < len(shortlist.proposals):
                msg = f"chose {rank!r:.60}, expected a number below {len(shortlist.proposals)}"
                raise _PartError(msg)
    except _PartError as failure:
        _warn(chooser, failure)
        return [0] * len(shortlists)
    return [int(rank) for rank in answer]


class _PartError(Exception):
    """A part raised, or answered with something else than it should; the message says what it did."""


def _asked(part: Proposer | Judge | Chooser, ask: Callable[[], Sequence[Answer]], *, expected: int) -> Sequence[Answer]:
    """Return what a part answers, if that is an answer for each sentence."""
    try:
        answer = ask()
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, PlainwrightError) and _is_ours(part):
            raise
        msg = f"raised {type(error).__name__}: {error}"
        raise _PartError(msg) from error
    if isinstance(answer, str) or not hasattr(answer, "__len__") or len(answer) != expected:
        size = f"{len(answer)} entries" if hasattr(answer, "__len__") else type(answer).__name__
        msg = f"returned {size}, expected a list with one entry for each of {expected} sentences"
        raise _PartError(msg)
    return answer


def _proposals(sentence: Sentence, own: object, limit: int, failures: list[_PartError]) -> Sequence[Proposal]:
    """Return the first proposals of a list, if they are some for this sentence; none otherwise."""
    if not isinstance(own, Sequence):
        failures.append(_PartError(f"returned {own!r:.60} for a sentence, expected a list of Proposal objects"))
        return ()
    found = own if len(own) <= limit else own[:limit]  # a slice would lose the note
    for proposal in found:
        if problem := _problem(proposal, sentence):
            failures.append(_PartError(problem))
            return ()
    return found


def _problem(proposal: object, sentence: Sentence) -> str | None:
    if not isinstance(proposal, Proposal) or not isinstance(proposal.text, str):
        return f"returned {[proposal]!r:.60} for a sentence, expected a list of Proposal objects"
    if proposal.sentence.text != sentence.text:
        return f"proposed {proposal.text!r:.40} for another sentence than {sentence.text!r:.40}"
    if any(edit.group < 0 for edit in proposal.edits):
        return "returned an edit whose group is below 0"
    try:
        rebuilt = apply_edits(sentence.text, proposal.edits)
    except PlainwrightError:
        rebuilt = None
    if rebuilt != proposal.text:
        return f"returned edits that do not lead to its text {proposal.text!r:.40}"
    return None


def _verdicts(proposals: Sequence[Proposal], own: object, failures: list[_PartError]) -> Sequence[Verdict]:
    if isinstance(own, Sequence) and len(own) == len(proposals):
        strange = [v for v, p in zip(own, proposals, strict=True) if not _is_verdict(v, p.groups)]
        if not strange:
            return own
        what = f"returned {strange[0]!r:.80}, expected a Verdict with a risk from 0 for each group"
    else:
        what = f"returned {own!r:.60}, expected a Verdict on each of {len(proposals)} proposals"
    failures.append(_PartError(what))
    return [Verdict((0.0,) * proposal.groups, frozenset(range(proposal.groups))) for proposal in proposals]


def _is_verdict(verdict: object, groups: int) -> bool:
    if not isinstance(verdict, Verdict) or not isinstance(verdict.risks, tuple) or len(verdict.risks) != groups:
        return False
    risks = (*verdict.risks, verdict.risk)
    return all(isinstance(risk, int | float) and risk >= 0 and not math.isnan(risk) for risk in risks) and all(
        group in range(groups) for group in verdict.forbidden
    )


def _is_ours(part: object) -> bool:
    return type(part).__module__.startswith("plainwright.")


def _warn(part: Proposer | Judge | Chooser, failure: _PartError, outcome: str = _PASSES) -> None:
    name = getattr(part, "name", type(part).__name__)
    warnings.warn(PlainwrightWarning(f"{name}: {failure}; {outcome}"), stacklevel=3)
