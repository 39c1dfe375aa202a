"""Xu et al. (2016), Figure 3: metrics against human scores of sentences, on other ratings than the paper's.

The plots print no numbers. Table 7 has Spearman's rho of the same points, and sections 4.3 and 4.4 say what the
plots show; both are asked of public ratings here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from plainwright.metrics import BLEU, FK, FKBLEU, IBLEU, SARI, Metric, NegativeLevenshtein
from plainwright.metrics.base import Array
from plainwright.reproduce.choices import XU2016_FIGURE3
from plainwright.reproduce.rated_sets import (
    ASSET,
    SIMPDA_2022,
    SIMPEVAL_PAST,
    SULEM2018,
    RatedSet,
    asset,
    drawn_sources,
    of_drawn,
    simpda_2022,
    simpeval_past,
    sulem2018,
)
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction, Sampling
from plainwright.study.coefficients import average_ranks, pearson
from plainwright.study.estimate import Interval
from plainwright.study.scores import score_outputs

__all__ = ["NEEDS", "TITLE", "figure3"]

NEEDS = (*SULEM2018, *ASSET, *SIMPDA_2022, *SIMPEVAL_PAST)
TITLE = "Xu et al. (2016), Figure 3: sentence scores of metrics against human scores"

_ASPECTS = ("Grammar", "Meaning", "Simplicity")
# Table 7: Spearman's rho and p with Grammar, Meaning and Simplicity+, as printed.
_PAPER: Mapping[str, tuple[tuple[float, str], ...]] = {
    "FK": ((-0.002, "~.976"), (0.136, "<.010"), (0.147, "<.010")),
    "BLEU, one": ((0.366, "<.001"), (0.459, "<.001"), (0.151, "<.005")),
    "BLEU, all": ((0.589, "<.001"), (0.701, "<.001"), (0.111, "<.050")),
    "iBLEU, one": ((0.313, "<.001"), (0.397, "<.001"), (0.149, "<.005")),
    "iBLEU, all": ((0.492, "<.001"), (0.609, "<.001"), (0.141, "<.010")),
    "FKBLEU, all": ((0.349, "<.001"), (0.410, "<.001"), (0.235, "<.001")),
    "SARI, all": ((0.342, "<.001"), (0.397, "<.001"), (0.343, "<.001")),
}
_NEARNESS = "nearness"
_OTHER_DATA = "other sentences, systems and raters; the paper's simplicity counts paraphrases"
_ONE_REFERENCE = f"{_OTHER_DATA}; one reference, the paper has eight"
_METHODS = {
    "one, all": "against the first reference or against all of the set; SimpDA_2022 has one",
    "BLEU, iBLEU, FKBLEU": "as in Table 5, lower-cased",
    "FK": "the released formula on tokenised text, the plain one elsewhere; higher is harder",
    "SARI": "the authors' released scorer (variant xu2016), 13a tokens on raw text",
    _NEARNESS: "minus the edit distance to the source in tokens, for each token of the longer text",
}


def figure3(data: Path | None = None, sampling: Sampling | None = None) -> Reproduction:
    """Compare metrics with human scores, and check what the paper concludes from its plots."""
    sampling = sampling or Sampling()
    sets = [_Points.of(rated, sampling) for rated in (sulem2018(data), asset(data), simpda_2022(data))]
    quality = _Points.of(simpeval_past(data), sampling)
    return Reproduction(
        name="xu2016-figure3",
        title=TITLE,
        citation="Xu, Napoles, Pavlick, Chen and Callison-Burch (2016), TACL 4; with other data than theirs",
        protocol=XU2016_FIGURE3,
        blocks=(
            *(_block(points, _METHODS if at == 0 else {}) for at, points in enumerate([*sets, quality])),
            _claims_block(sets),
        ),
        findings=tuple(_findings(sets)),
        notes=(
            "None of these ratings is the paper's: those were not published, as its authors say.",
            "The p-values of Table 7 fit 356 to 365 points and no other number, which suggests one point for each "
            "of the 359 test sentences. The paper does not say of which system.",
            "SimpEval_past has one score of quality, so it says nothing of the claims on single aspects.",
        ),
        sampling=sampling,
    )


@dataclass(frozen=True, kw_only=True)
class _Points:
    """A set's metrics and aspects as ranks of its outputs: by name, of all and of every resample."""

    name: str
    number: int
    one_reference: bool
    ranks: Mapping[str, Array]  # shape (outputs,)
    drawn: Mapping[str, Array]  # shape (resamples, outputs)

    @classmethod
    def of(cls, rated: RatedSet, sampling: Sampling) -> _Points:
        """Only outputs that have all metrics and all aspects take part."""
        outputs = rated.outputs
        values = {
            name: score_outputs(outputs, metric, references).sentences for name, metric, references in _metrics(rated)
        }
        for aspect, name in rated.aspects.items():
            cube = rated.ratings.cube(name)
            assert (cube.items, cube.systems) == (outputs.items, outputs.systems)
            values[aspect] = cube.means
        complete = np.all([np.isfinite(part) for part in values.values()], axis=0)
        kept = {name: np.where(complete, part, np.nan) for name, part in values.items()}
        sources = drawn_sources(len(outputs.items), sampling)
        return cls(
            name=rated.name,
            number=int(complete.sum()),
            one_reference="BLEU, all" not in values,
            ranks={name: average_ranks(part[complete]) for name, part in kept.items()},
            drawn={name: average_ranks(of_drawn(part, sources)) for name, part in kept.items()},
        )

    def rho(self, first: str, second: str) -> tuple[float, Array]:
        """Spearman's rho, and that of every resample: Pearson's r of the ranks."""
        return (
            float(pearson(self.ranks[first], self.ranks[second])),
            pearson(self.drawn[first], self.drawn[second]),
        )


def _metrics(rated: RatedSet) -> Iterator[tuple[str, Metric, Mapping[str, Sequence[str]]]]:
    first = {item: group[:1] for item, group in rated.references.items()}
    several = any(len(group) > 1 for group in rated.references.values())
    fk: Literal["released", "plain"] = "released" if rated.tokenised else "plain"
    yield "FK", FK(variant=fk), {}
    yield "BLEU, one", BLEU(average="sentence", lowercase=True), first
    if several:
        yield "BLEU, all", BLEU(average="sentence", lowercase=True), rated.references
    yield "iBLEU, one", IBLEU(lowercase=True), first
    if several:
        yield "iBLEU, all", IBLEU(lowercase=True), rated.references
    yield "FKBLEU, all", FKBLEU(fk_variant=fk, lowercase=True), rated.references
    yield "SARI, all", SARI(tokenizer="none" if rated.tokenised else "13a"), rated.references
    yield _NEARNESS, NegativeLevenshtein(unit="tokens", tokenizer="13a", lowercase=True, normalise=True), {}


def _block(points: _Points, methods: Mapping[str, str]) -> Block:
    aspects = [name for name in points.ranks if name not in _PAPER and name != _NEARNESS]
    cells = []
    for metric in points.ranks:
        if metric in aspects:
            continue
        for at, aspect in enumerate(aspects):
            printed = _PAPER[metric][at] if metric in _PAPER and aspect in _ASPECTS else None
            cells.append(_cell(metric, aspect, points, *points.rho(metric, aspect), printed=printed))
    return Block(
        title=f"{points.name}: Spearman's rho over {points.number} outputs", cells=tuple(cells), methods=methods
    )


def _cell(
    row: str,
    column: str,
    points: _Points,
    value: float,
    resampled: Array,
    *,
    printed: tuple[float, str] | None = None,
) -> Cell:
    interval = Interval.of(resampled)
    there = bool(np.isfinite(value))
    note = "" if printed is None else _ONE_REFERENCE if points.one_reference and row.endswith("all") else _OTHER_DATA
    return Cell(
        row=row,
        column=column,
        paper=None if printed is None else printed[0],
        paper_p="" if printed is None else printed[1],
        ours=value if there else None,
        note=note if there else "all scores are equal, so nothing can vary with them",
        digits=3,
        intervals={"sources": interval} if there and interval else {},
        n=points.number,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A sentence of sections 4.3 and 4.4, and the number whose sign decides it."""

    text: str
    label: str
    expected: Literal[-1, 1]
    number: Callable[[_Points], tuple[float, Array]]


def _with(first: str, second: str) -> Callable[[_Points], tuple[float, Array]]:
    return lambda points: points.rho(_named(points, first), second)


def _minus(
    one: Callable[[_Points], tuple[float, Array]], other: Callable[[_Points], tuple[float, Array]]
) -> Callable[[_Points], tuple[float, Array]]:
    def difference(points: _Points) -> tuple[float, Array]:
        (value, resampled), (other_value, other_resampled) = one(points), other(points)
        return value - other_value, resampled - other_resampled

    return difference


def _named(points: _Points, metric: str) -> str:
    """`BLEU` against all references, or against the only one."""
    return next((name for name in (f"{metric}, all", f"{metric}, one", metric) if name in points.ranks), metric)


_CLAIMS = (
    _Claim(text="BLEU goes with grammar", label="BLEU ~ Grammar", expected=1, number=_with("BLEU", "Grammar")),
    _Claim(text="BLEU goes with meaning", label="BLEU ~ Meaning", expected=1, number=_with("BLEU", "Meaning")),
    _Claim(
        text="BLEU goes less with simplicity than with meaning",
        label="BLEU: Meaning - Simplicity",
        expected=1,
        number=_minus(_with("BLEU", "Meaning"), _with("BLEU", "Simplicity")),
    ),
    _Claim(text="SARI goes with simplicity", label="SARI ~ Simplicity", expected=1, number=_with("SARI", "Simplicity")),
    _Claim(
        text="SARI goes with simplicity more than BLEU does",
        label="Simplicity: SARI - BLEU",
        expected=1,
        number=_minus(_with("SARI", "Simplicity"), _with("BLEU", "Simplicity")),
    ),
    _Claim(
        text="outputs with few changes get a high grammar",
        label="nearness ~ Grammar",
        expected=1,
        number=_with(_NEARNESS, "Grammar"),
    ),
    _Claim(
        text="outputs with few changes get a high meaning",
        label="nearness ~ Meaning",
        expected=1,
        number=_with(_NEARNESS, "Meaning"),
    ),
    _Claim(
        text="BLEU rewards outputs with few changes",
        label="nearness ~ BLEU",
        expected=1,
        number=lambda points: points.rho(_NEARNESS, _named(points, "BLEU")),
    ),
    _Claim(
        text="SARI does not reward outputs with few changes",
        label="nearness ~ SARI",
        expected=-1,
        number=lambda points: points.rho(_NEARNESS, _named(points, "SARI")),
    ),
    _Claim(
        text="outputs with few changes do not get a high simplicity",
        label="nearness ~ Simplicity",
        expected=-1,
        number=_with(_NEARNESS, "Simplicity"),
    ),
)


def _claims_block(sets: Sequence[_Points]) -> Block:
    return Block(
        title="What the paper reads from the plots: the number that decides each claim",
        cells=tuple(_claim_cell(claim, points) for claim in _CLAIMS for points in sets),
        methods={
            "~": "Spearman's rho",
            "-": "difference of two, both taken from the same resample",
        },
    )


def _claim_cell(claim: _Claim, points: _Points) -> Cell:
    return _cell(claim.label, points.name, points, *claim.number(points))


def _findings(sets: Sequence[_Points]) -> Iterator[Finding]:
    for claim in _CLAIMS:
        parts = []
        for points in sets:
            parts.append(f"{points.name} {_verdict(_claim_cell(claim, points), claim.expected)}")
        yield Finding(claim.text, "; ".join(parts) + ".")


def _verdict(cell: Cell, expected: int) -> str:
    interval = cell.intervals.get("sources")
    if cell.ours is None or interval is None:
        return f"cannot say: {cell.note}"
    if 0.0 in interval:
        verdict = "open"
    else:
        verdict = "holds" if (interval.low > 0) == (expected > 0) else "fails"
    value, low, high = (f"{round(number, 2) + 0.0:.2f}" for number in (cell.ours, interval.low, interval.high))
    return f"{verdict}, {value} [{low} {high}]"
