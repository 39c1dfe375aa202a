"""Several pipelines one after another: say, first split sentences, then replace words in what came out.

Every pass but the last takes its first choice. Its text is cut into sentences again, and each goes through the next
pass. In the end the edits of all passes are those of one text, and where they meet they are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plainwright.rewrite.pipeline import Candidates, Pipeline
from plainwright.rewrite.protect import Protection
from plainwright.rewrite.sentences import joined_text, sentences_of
from plainwright.rewrite.types import Edit, Proposal, Sentence, Span
from plainwright.text.edits import EditKind

__all__ = ["Passes", "composed"]


class Passes:
    """Pipelines that see each other's output; to everybody else they are one."""

    def __init__(self, passes: Sequence[Pipeline]) -> None:
        self.passes = tuple(passes)

    def __repr__(self) -> str:
        return f"Passes({', '.join(map(repr, self.passes))})"

    def candidates(
        self,
        sentences: Sequence[Sentence],
        *,
        limit: int = 1,
        threads: int = 1,
        protection: Protection | None = None,
    ) -> list[Candidates]:
        """As `Pipeline.candidates`, with what the last pass has for the choices of those before it."""
        first, *others = self.passes
        done = first.candidates(sentences, limit=1 if others else limit, threads=threads)
        for number, pipeline in enumerate(others, start=2):
            last = number == len(self.passes)
            done = _next_pass(pipeline, done, limit if last else 1, threads, protection or Protection())
        return done


def _next_pass(
    pipeline: Pipeline, done: Sequence[Candidates], limit: int, threads: int, protection: Protection
) -> list[Candidates]:
    chosen = [one.proposals[0] for one in done]
    parts = [
        sentences_of(proposal.text, protection) if proposal.edits else [replace(proposal.sentence, start=0)]
        for proposal in chosen
    ]
    found = iter(pipeline.candidates([part for own in parts for part in own], limit=limit, threads=threads))
    return [
        replace(one, proposals=list(_joined(proposal, [next(found) for _ in own], limit)))
        for one, proposal, own in zip(done, chosen, parts, strict=True)
    ]


def _joined(first: Proposal, parts: Sequence[Candidates], limit: int) -> Iterator[Proposal]:
    """Proposals for a whole sentence: the best of all its parts, then the second best, as long as there are any."""
    for rank in range(min(limit, max((len(part.proposals) for part in parts), default=0))):
        chosen = [part.proposals[min(rank, len(part.proposals) - 1)] for part in parts]
        text = joined_text(first.text, [(proposal.sentence, proposal.text) for proposal in chosen])
        origin = "+".join(dict.fromkeys(name for name in (first.origin, *(p.origin for p in chosen)) if name))
        edits = composed(first.sentence.text, text, first.explained(alternatives=0), _in_text(chosen))
        yield Proposal(first.sentence, text, score=sum(p.score for p in chosen), origin=origin, edits=edits)
    if not parts:
        yield first


def _in_text(chosen: Sequence[Proposal]) -> list[Edit]:
    """The edits of sentences as edits of the text that they make up."""
    edits = []
    shift = groups = 0
    for proposal in chosen:
        start = proposal.sentence.start
        for edit in proposal.explained(alternatives=0):
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
    """The edits from `source` to `text`, where `first` leads to a text in the middle and `second` on from there."""
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
