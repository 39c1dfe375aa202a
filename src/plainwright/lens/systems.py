"""LENS of whole systems: the library behind `plainwright lens score`.

LENS compares with references. Where there are none, outputs of other systems can stand in for them: what several
systems agree on is seldom the worst of what could be said. Such values rank systems on the same text and the same
pseudo-references; they say little beside values with people's references, and their signature tells them apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plainwright.errors import DataError, ReferenceShapeError
from plainwright.lens.metric import LENS
from plainwright.metrics.base import Array
from plainwright.metrics.remarks import remarks_on_texts

__all__ = ["ScoredSystem", "pseudo_references", "score_systems"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredSystem:
    """The values of one system."""

    name: str
    value: float  # their mean
    segments: Array
    signature: str


def score_systems(
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]] | None,
    *,
    pseudo: Mapping[str, Sequence[str]] | None = None,
    metric: LENS | None = None,
    threads: int = 1,
) -> tuple[list[ScoredSystem], list[str]]:
    """Every system, and remarks on their texts; `pseudo` has outputs of systems that stand in for `references`."""
    metric = metric or LENS(pseudo_references=references is None)
    if references is None and not pseudo:
        msg = f"LENS compares with references, and there are none; {metric.without_references}"
        raise ReferenceShapeError(msg)
    groups = {
        name: pseudo_references(name, lines, pseudo or {}) if references is None else references
        for name, lines in outputs.items()
    }
    if references is None:
        stats = {
            name: metric.corpus_stats(sources, lines, groups[name], threads=threads) for name, lines in outputs.items()
        }
    else:
        stats = metric.stats_of_systems(sources, outputs, references, threads=threads)
    results = [
        ScoredSystem(
            name=name,
            value=float(metric.values_from_stats(own.sum(axis=0))),
            segments=metric.values_from_stats(own),
            signature=metric.signature(groups[name]),
        )
        for name, own in stats.items()
    ]
    judges = references if references is not None else list(zip(*(pseudo or {}).values(), strict=True))
    return results, list(remarks_on_texts([metric], sources=sources, references=judges, outputs=outputs))


def pseudo_references(name: str, lines: Sequence[str], pseudo: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Of every segment, what the other systems made of it; a system is no judge of itself, nor is an empty line."""
    others = [list(other) for other in pseudo.values() if list(other) != list(lines)]
    if not others:
        msg = f"output {name!r} has no other output to be compared with; give at least one of another system"
        raise ReferenceShapeError(msg)
    groups = [[text for text in column if text.strip()] for column in zip(*others, strict=True)]
    for number, group in enumerate(groups, start=1):
        if not group:
            msg = f"segment {number}: expected an output of another system than {name!r}, found only empty lines"
            raise DataError(msg)
    return groups
