"""Several pipelines one after another: say, first split sentences, then replace words in what came out.

Every pass but the last takes its first choice. Its text is cut into sentences again, and each goes through the next
pass. In the end the edits of all passes are those of one text, and where they meet they are one. All passes pay from
one risk budget: what an earlier one spent on a sentence is gone for the later ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from plainwright.rewrite.judge.budget import RiskBudget
from plainwright.rewrite.pipeline import Candidates, Pipeline
from plainwright.rewrite.sentences import joined_text, sentences_of
from plainwright.rewrite.types import Edit, Proposal, Sentence, Span, Verdict
from plainwright.text.edits import EditKind

__all__ = ["Passes", "composed"]


class Passes:
    """Pipelines that see each other's output; to everybody else they are one."""

    def __init__(self, passes: Sequence[Pipeline]) -> None:
        self.passes = tuple(passes)

    def __repr__(self) -> str:
        return f"Passes({', '.join(map(repr, self.passes))})"

    def candidates(self, sentences: Sequence[Sentence], *, limit: int = 1, threads: int = 1) -> list[Candidates]:
        """Do as `Pipeline.candidates`, with what the last pass has for the choices of those before it."""
        first, *others = self.passes
        found = first.candidates(sentences, limit=1 if others else limit, threads=threads)
        if not others:
            return found
        best = [replace(one, proposals=one.proposals[:1]) for one in found]
        done = [_Done.after_first(*pair) for pair in zip(best, first.verdicts(best), strict=True)]
        for number, pipeline in enumerate(others, start=2):
            done = _next_pass(pipeline, done, number, limit if pipeline is others[-1] else 1, threads)
        return [one.candidates for one in done]


@dataclass(frozen=True, slots=True)
class _Done:
    """What the passes so far made of a sentence, and how much of its risk budget their first choice has spent."""

    candidates: Candidates
    spent: float

    @classmethod
    def after_first(cls, candidates: Candidates, verdicts: Sequence[Verdict]) -> _Done:
        noted = replace(candidates, note=_note("", 1, [candidates]))
        return cls(noted, _Part(candidates, verdicts).cost(0))

    def sentences(self) -> list[Sentence]:
        """Cut the text of the first choice into sentences, for the next pass."""
        source, chosen = self.candidates.sentence, self.candidates.proposals[0]
        whole = chosen.text == source.text
        alone = _spans_after(source.alone, chosen.edits)
        own = [replace(source, start=0)] if whole else sentences_of(chosen.text, source.protection, alone)
        final = [edit.target_span for edit in chosen.edits if edit.final]
        return [replace(sentence.protecting(_inside(sentence, final)), spent=self.spent) for sentence in own]


def _spans_after(spans: Sequence[Span], edits: Sequence[Edit]) -> list[Span]:
    """Where spans of a text stand after edits; one that an edit touches covers all that the edit wrote."""

    def moved(place: int, *, after: bool) -> int:
        shift = 0
        for edit in edits:
            start, end = edit.source_span
            if end <= place and (after or start < end or end < place):
                shift += len(edit.target_text) - len(edit.source_text)
            elif start < place:
                return edit.target_span[1 if after else 0]
        return place + shift

    return [(moved(start, after=False), moved(end, after=True)) for start, end in spans]


def _inside(sentence: Sentence, spans: Sequence[Span]) -> frozenset[int]:
    """The tokens of a sentence that these spans of its text touch."""
    return frozenset(
        number
        for number, token in enumerate(sentence.tokens)
        for start, end in spans
        if sentence.start + token.start < end and sentence.start + token.end > start
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """What a pass found for one of the sentences that the pass before it wrote, and what the judges say of it."""

    candidates: Candidates
    verdicts: Sequence[Verdict]

    def ranked(self, rank: int) -> int:
        return min(rank, len(self.candidates.proposals) - 1)

    def proposal(self, rank: int) -> Proposal:
        return self.candidates.proposals[self.ranked(rank)]

    def cost(self, rank: int) -> float:
        verdict = self.verdicts[self.ranked(rank)]
        unchanged = self.proposal(rank).text == self.candidates.sentence.text
        return 0.0 if unchanged else verdict.risk + sum(verdict.risks)


def _next_pass(pipeline: Pipeline, done: Sequence[_Done], number: int, limit: int, threads: int) -> list[_Done]:
    def ask(sentences: Mapping[int, Sequence[Sentence]]) -> dict[int, list[_Part]]:
        found = pipeline.candidates([one for own in sentences.values() for one in own], limit=limit, threads=threads)
        parts = map(_Part, found, pipeline.verdicts(found))
        return {position: [next(parts) for _ in own] for position, own in sentences.items()}

    budget = pipeline.budget
    sentences = {position: one.sentences() for position, one in enumerate(done)}
    parts = ask(sentences)
    # Each part alone keeps to the budget of the sentence that it comes from; where all together do not, they share it.
    again = {}
    for position, own in parts.items():
        spent = done[position].spent
        if not budget.covers(spent + sum(part.cost(0) for part in own)):
            shares = budget.shares([part.verdicts[0] for part in own], spent=spent)
            pairs = zip(sentences[position], shares, strict=True)
            again[position] = [replace(sentence, spent=budget.limit - share) for sentence, share in pairs]
    parts |= ask(again)
    return [_joined(one, parts[position], number, limit, budget) for position, one in enumerate(done)]


def _joined(done: _Done, parts: Sequence[_Part], number: int, limit: int, budget: RiskBudget) -> _Done:
    """Join the proposals for the parts of a sentence: the best of all, then the second best, and so on."""
    if not parts:
        return done
    first = done.candidates.proposals[0]
    proposals = []
    for rank in range(min(limit, max(len(part.candidates.proposals) for part in parts))):
        if rank and not budget.covers(done.spent + sum(part.cost(rank) for part in parts)):
            continue
        chosen = [part.proposal(rank) for part in parts]
        text = joined_text(first.text, [(proposal.sentence, proposal.text) for proposal in chosen])
        proposals.append(
            Proposal(
                first.sentence,
                text,
                score=_total(proposal.score for proposal in (first, *chosen)),
                origin="+".join(dict.fromkeys(name for name in (first.origin, *(p.origin for p in chosen)) if name)),
                edits=composed(first.sentence.text, text, first.edits, _in_text(chosen)),
            )
        )
    note = _note(done.candidates.note, number, [part.candidates for part in parts])
    spent = done.spent + sum(part.cost(0) for part in parts)
    return _Done(replace(done.candidates, proposals=proposals, note=note), spent)


def _note(before: str, number: int, candidates: Sequence[Candidates]) -> str:
    """Add the notes of a pass, which say why it proposed nothing, to those of the passes before it."""
    own = dict.fromkeys(f"pass {number}: {one.note}" for one in candidates if one.note)
    return "; ".join((*([before] if before else ()), *own))


def _total(scores: Iterable[float]) -> float:
    """Sum the scores of all passes that proposed something."""
    known = [score for score in scores if not math.isnan(score)]
    return sum(known) if known else math.nan


def _in_text(chosen: Sequence[Proposal]) -> list[Edit]:
    """The edits of sentences as edits of the text that they make up."""
    edits = []
    shift = groups = 0
    for proposal in chosen:
        start = proposal.sentence.start
        for edit in proposal.edits:
            edits.append(replace(edit.shifted(start, start + shift), group=edit.group + groups))
        shift += len(proposal.text) - len(proposal.sentence.text)
        groups += proposal.groups
    return edits


@dataclass(slots=True)
class _Cluster:
    """Edits of two passes that meet, and from where to where in the text between the passes they reach."""

    middle: Span
    first: list[Edit]
    second: list[Edit]


def composed(source: str, text: str, first: Sequence[Edit], second: Sequence[Edit]) -> list[Edit]:
    """Join edits: `first` leads from `source` to a text in the middle, `second` from there to `text`."""
    clusters = list(_clusters(first, second))
    names = _group_names(first, second, clusters)
    edits = []
    before = after = 0  # how much longer the middle is than the source, and the text than the middle, so far
    for cluster in clusters:
        start, end = cluster.middle
        grown = sum(len(edit.target_text) - len(edit.source_text) for edit in cluster.first)
        grows = sum(len(edit.target_text) - len(edit.source_text) for edit in cluster.second)
        source_span, target_span = (start - before, end - before - grown), (start + after, end + after + grows)
        together = cluster.first + cluster.second
        edits.append(
            Edit(
                kind=_kind(together),
                source_span=source_span,
                target_span=target_span,
                source_text=source[slice(*source_span)],
                target_text=text[slice(*target_span)],
                group=names[(0, cluster.first[0].group) if cluster.first else (1, cluster.second[0].group)],
                origin="+".join(dict.fromkeys(edit.origin for edit in together)),
                evidence=tuple(evidence for edit in together for evidence in edit.evidence),
                final=all(edit.final for edit in together),
            )
        )
        before, after = before + grown, after + grows
    return edits


def _clusters(first: Sequence[Edit], second: Sequence[Edit]) -> Iterator[_Cluster]:
    items = [(edit.target_span, 0, edit) for edit in first] + [(edit.source_span, 1, edit) for edit in second]
    cluster: _Cluster | None = None
    for span, which, edit in sorted(items, key=lambda item: item[:2]):
        if cluster is not None and span[0] < cluster.middle[1]:
            cluster.middle = cluster.middle[0], max(cluster.middle[1], span[1])
        else:
            if cluster is not None:
                yield cluster
            cluster = _Cluster(span, [], [])
        (cluster.second if which else cluster.first).append(edit)
    if cluster is not None:
        yield cluster


def _group_names(
    first: Sequence[Edit], second: Sequence[Edit], clusters: Sequence[_Cluster]
) -> dict[tuple[int, int], int]:
    """New numbers for the groups of both passes; groups whose edits meet become one."""
    members = [(0, edit.group) for edit in first] + [(1, edit.group) for edit in second]
    leader = {member: member for member in members}

    def found(member: tuple[int, int]) -> tuple[int, int]:
        while leader[member] != member:
            member = leader[member]
        return member

    for cluster in clusters:
        together = [(0, edit.group) for edit in cluster.first] + [(1, edit.group) for edit in cluster.second]
        for member in together[1:]:
            leader[found(member)] = found(together[0])
    numbers = {own: number for number, own in enumerate(dict.fromkeys(map(found, members)))}
    return {member: numbers[found(member)] for member in members}


def _kind(edits: Sequence[Edit]) -> EditKind:
    if len(edits) == 1:
        return edits[0].kind
    kinds = {edit.kind for edit in edits}
    structural: tuple[EditKind, ...] = ("split", "join", "reorder")
    return next((kind for kind in structural if kind in kinds), "replace")
