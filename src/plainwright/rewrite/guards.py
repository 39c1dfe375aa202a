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


def propose(
    proposer: Proposer, sentences: Sequence[Sentence], *, limit: int, threads: int
) -> Sequence[Sequence[Proposal]]:
    """The proposals for every sentence; none for those where the proposer fails."""
    if not sentences:
        return []
    answer = _asked(
        proposer, lambda: proposer.propose(sentences, limit=limit, threads=threads), expected=len(sentences)
    )
    if answer is None:
        return [()] * len(sentences)
    if _is_ours(proposer):
        return answer
    return [_proposals(proposer, sentence, own, limit) for sentence, own in zip(sentences, answer, strict=True)]


def judge(judge: Judge, batch: Batch) -> Sequence[Sequence[Verdict]]:
    """A verdict on every proposal; what a judge cannot say is safe is forbidden."""
    answer = _asked(judge, lambda: judge.judge(batch), expected=len(batch))
    if answer is not None and _is_ours(judge):
        return answer
    rows: Sequence[object] = [()] * len(batch) if answer is None else answer
    return [
        _verdicts(judge, proposals, own, warn=answer is not None)
        for (_, proposals), own in zip(batch, rows, strict=True)
    ]


def choose(chooser: Chooser, shortlists: Sequence[Shortlist]) -> list[int]:
    """What a chooser takes of each shortlist; the first if it fails."""
    answer = _asked(chooser, lambda: chooser.choose(shortlists), expected=len(shortlists))
    if answer is None:
        return [0] * len(shortlists)
    for rank, shortlist in zip(answer, shortlists, strict=True):
        if isinstance(rank, bool) or not hasattr(rank, "__index__") or not 0 <= rank < len(shortlist.proposals):
            _warn(chooser, f"chose {rank!r:.60}, expected a number below {len(shortlist.proposals)}")
            return [0] * len(shortlists)
    return [int(rank) for rank in answer]


def _asked(
    part: Proposer | Judge | Chooser, ask: Callable[[], Sequence[Answer]], *, expected: int
) -> Sequence[Answer] | None:
    """What a part answers; None, and a warning, if it fails or answers for another number of sentences."""
    try:
        answer = ask()
    except MemoryError:
        raise
    except PlainwrightError as error:
        if _is_ours(part):
            raise
        _warn(part, f"raised {type(error).__name__}: {error}")
        return None
    except Exception as error:
        _warn(part, f"raised {type(error).__name__}: {error}")
        return None
    if isinstance(answer, str) or not hasattr(answer, "__len__") or len(answer) != expected:
        size = f"{len(answer)} entries" if hasattr(answer, "__len__") else type(answer).__name__
        _warn(part, f"returned {size}, expected a list with one entry for each of {expected} sentences")
        return None
    return answer


def _proposals(proposer: Proposer, sentence: Sentence, own: object, limit: int) -> Sequence[Proposal]:
    """The first proposals of a list, if they are some for this sentence; none otherwise."""
    if not isinstance(own, Sequence):
        _warn(proposer, f"returned {own!r:.60} for a sentence, expected a list of Proposal objects")
        return ()
    found = own[:limit]
    for proposal in found:
        problem = _problem(proposal, sentence)
        if problem:
            _warn(proposer, problem)
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


def _verdicts(judge: Judge, proposals: Sequence[Proposal], own: object, *, warn: bool) -> Sequence[Verdict]:
    if isinstance(own, Sequence) and len(own) == len(proposals):
        strange = [v for v, p in zip(own, proposals, strict=True) if not _is_verdict(v, p.groups)]
        if not strange:
            return own
        what = f"returned {strange[0]!r:.80}, expected a Verdict with a risk from 0 for each group"
    else:
        what = f"returned {own!r:.60}, expected a Verdict on each of {len(proposals)} proposals"
    if warn:
        _warn(judge, what)
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


def _warn(part: Proposer | Judge | Chooser, what: str) -> None:
    name = getattr(part, "name", type(part).__name__)
    warnings.warn(PlainwrightWarning(f"{name}: {what}; the text passes without it"), stacklevel=3)
