"""Xu et al. (2016), Figure 2: BLEU against SARI, sentence by sentence, re-told as numbers with intervals.

The plot needs outputs only, and those of three systems are public: these are the paper's own data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plainwright import corpora
from plainwright.metrics import BLEU, SARI
from plainwright.metrics.base import Array
from plainwright.reproduce.choices import XU2016_FIGURE2
from plainwright.reproduce.rated_sets import (
    SIMPEVAL_PAST,
    SULEM2018,
    drawn_sources,
    of_drawn,
    simpeval_past,
    sulem2018,
)
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction, Sampling
from plainwright.study.coefficients import average_ranks, spearman
from plainwright.study.estimate import Interval
from plainwright.study.scores import RatedOutputs, score_outputs

__all__ = ["NEEDS", "TITLE", "divergence", "figure2"]

NEEDS = ("turkcorpus/test", "xu2016/outputs", *SULEM2018, *SIMPEVAL_PAST)
TITLE = "Xu et al. (2016), Figure 2: sentences with a high BLEU and a low SARI"

_PERFECT = 99.995  # prints as 100.00
_APART = 0.25  # of the length of the list
_TOP_QUARTER = 0.75
_ANY_TWO_APART = (1 - _APART) ** 2  # of two unrelated rankings

_OUTPUTS = {
    "PBMT-R": "PBMT-R",
    "SBMT (PPDB + FKBLEU)": "SBMT-FKBLEU",
    "SBMT (PPDB + SARI)": "SBMT-SARI",
    "Simple Wikipedia": "Simple Wikipedia",
}
_ALL_FOUR = "all four"
_POOLED = len(_OUTPUTS)  # its place in the list of sets

# Systems of the other sets that return their input.
_COPIES = ("Identity", "copy")

# Column -> how it is computed.
_MEASURES = {
    "Spearman": "rank correlation of sentence BLEU and sentence SARI",
    "apart, %": f"sentences whose places in the two rankings differ by more than {_APART:.0%} of the list; "
    f"{100 * _ANY_TWO_APART:.2f} % for two unrelated rankings",
    "perfect and high, %": "of the sentences with BLEU 100, those in the highest quarter by SARI; n counts the perfect",
    "SARI of perfect, 5th": "5th percentile of SARI among the sentences with BLEU 100",
    "SARI of perfect, median": "their median",
    "SARI of perfect, 95th": "95th percentile",
}


@dataclass(frozen=True, kw_only=True)
class _Scored:
    """Sentence scores of a set: shape (sources, systems), NaN where there is no output."""

    name: str
    bleu: Array
    sari: Array

    def of_system(self, at: int, name: str) -> _Scored:
        """One system alone."""
        return _Scored(name=name, bleu=self.bleu[:, [at]], sari=self.sari[:, [at]])


def figure2(data: Path | None = None, sampling: Sampling | None = None) -> Reproduction:
    """Measure how far sentence BLEU and sentence SARI go apart."""
    sampling = sampling or Sampling()
    blocks = tuple(
        Block(
            title=title,
            cells=tuple(cell for scored in sets for cell in _cells(scored, sampling)),
            methods=_MEASURES if at == 0 else {},
        )
        for at, (title, sets) in enumerate(
            {
                "The paper's own outputs, 359 sentences each": _paper_outputs(data),
                "Other outputs, not the paper's": _other_outputs(data),
            }.items()
        )
    )
    return Reproduction(
        name="xu2016-figure2",
        title=TITLE,
        citation="Xu, Napoles, Pavlick, Chen and Callison-Burch (2016), TACL 4",
        protocol=XU2016_FIGURE2,
        blocks=blocks,
        findings=tuple(_findings([cell for block in blocks for cell in block.cells])),
        notes=(
            "The figure prints no numbers, so there is none of the paper's beside ours.",
            "The output of SBMT (PPDB + BLEU) is the input, and is left out with it; Identity and copy likewise.",
            "Simple Wikipedia and some systems of SimpEval_past are people's texts. Where one equals a reference, BLEU "
            "is perfect and SARI high, although nothing was copied.",
            "An interval without width says that all perfect sentences agree, not that others would.",
        ),
        sampling=sampling,
    )


def divergence(bleu: Array, sari: Array) -> dict[str, Array]:
    """Compute the measures of Figure 2 over the last axis; NaN marks missing outputs and undefined results."""
    count = np.isfinite(bleu).sum(axis=-1)
    distance = np.abs(average_ranks(bleu) - average_ranks(sari))
    apart = (distance > _APART * count[..., None]).sum(axis=-1) / count
    perfect = bleu >= _PERFECT
    high = sari >= np.nanquantile(sari, _TOP_QUARTER, axis=-1, keepdims=True)
    number = perfect.sum(axis=-1)
    share = np.where(number > 0, (perfect & high).sum(axis=-1) / np.maximum(number, 1), np.nan)
    low, middle, top = _percentiles(np.where(perfect, sari, np.nan), (0.05, 0.5, 0.95))
    return dict(zip(_MEASURES, (spearman(bleu, sari), 100 * apart, 100 * share, low, middle, top), strict=True))


def _percentiles(values: Array, shares: tuple[float, ...]) -> Array:
    """Along the last axis, without NaN; NaN where nothing else is there. The first axis is that of `shares`."""
    rows = values.reshape(-1, values.shape[-1])
    found = np.full((len(shares), len(rows)), np.nan)
    for at, row in enumerate(rows):
        there = row[np.isfinite(row)]
        if len(there):
            found[:, at] = np.quantile(there, shares)
    return found.reshape(len(shares), *values.shape[:-1])


def _cells(scored: _Scored, sampling: Sampling) -> list[Cell]:
    point = divergence(scored.bleu.ravel(), scored.sari.ravel())
    drawn = drawn_sources(len(scored.bleu), sampling)
    resampled = divergence(of_drawn(scored.bleu, drawn), of_drawn(scored.sari, drawn))
    total, perfect = int(np.isfinite(scored.bleu).sum()), int((scored.bleu >= _PERFECT).sum())
    cells = []
    for measure in _MEASURES:
        value, interval = float(point[measure]), Interval.of(resampled[measure])
        there = np.isfinite(value)
        cells.append(
            Cell(
                row=scored.name,
                column=measure,
                paper=None,
                ours=value if there else None,
                note="" if there else "no sentence has a perfect BLEU",
                digits=2 if measure == "Spearman" else 1,
                intervals={"sources": interval} if there and interval else {},
                n=perfect if "perfect" in measure else total,
            )
        )
    return cells


def _paper_outputs(data: Path | None) -> list[_Scored]:
    corpus = corpora.load("turkcorpus/test", data=data)
    lines = {**corpus.systems, **corpora.load_outputs("xu2016/outputs", data=data)}
    items = tuple(map(str, range(len(corpus.sources))))
    outputs = RatedOutputs(
        items=items,
        systems=tuple(_OUTPUTS),
        sources=tuple(corpus.sources),
        outputs=tuple(zip(*(lines[name] for name in _OUTPUTS.values()), strict=True)),
    )
    references = dict(zip(items, corpus.references, strict=True))
    scored = _scored(_ALL_FOUR, outputs, references, tokenised=True)
    return [*(scored.of_system(at, name) for at, name in enumerate(_OUTPUTS)), scored]


def _other_outputs(data: Path | None) -> list[_Scored]:
    found = []
    for rated in (sulem2018(data), simpeval_past(data)):
        systems = [system for system in rated.ratings.systems if system not in _COPIES]
        outputs = RatedOutputs.of(rated.ratings.where(systems=systems))
        found.append(_scored(rated.name, outputs, rated.references, tokenised=rated.tokenised))
    return found


def _scored(name: str, outputs: RatedOutputs, references: Mapping[str, Sequence[str]], *, tokenised: bool) -> _Scored:
    bleu = score_outputs(outputs, BLEU(average="sentence", lowercase=True), references)
    sari = score_outputs(outputs, SARI(tokenizer="none" if tokenised else "13a"), references)
    return _Scored(name=name, bleu=bleu.sentences, sari=sari.sentences)


def _findings(cells: Sequence[Cell]) -> Iterator[Finding]:
    by_measure = {measure: [cell for cell in cells if cell.column == measure] for measure in _MEASURES}
    rank, apart, share, low, _, top = by_measure.values()
    yield Finding(
        "the scores of many sentences substantially diverge",
        f"in per cent of the outputs, {_ends(apart)} stand more than a quarter of the list apart, where unrelated "
        f"rankings would have {100 * _ANY_TWO_APART:.0f}; the rank correlation runs from {_ends(rank)}.",
    )
    yield Finding(
        "few of the sentences that scored perfectly in BLEU receive a high score from SARI",
        "; ".join(f"{cell.row}: {_verdict(cell, below=100 * (1 - _TOP_QUARTER))}" for cell in share) + ".",
    )
    yield Finding(
        "sentences with a BLEU of 1.0 receive a range of scores from SARI",
        f"the middle nine tenths of them run, in points of SARI, from {_shown(low[_POOLED])} to {_shown(top[_POOLED])} "
        "for the paper's own outputs; each set is in the table.",
    )


def _verdict(cell: Cell, *, below: float) -> str:
    interval = cell.intervals.get("sources")
    if interval is None:
        return cell.note
    verdict = "holds" if interval.high < below else "fails" if interval.low > below else "open"
    return f"{verdict}, {_shown(cell)} % of {cell.n} are in the highest quarter"


def _ends(cells: Sequence[Cell]) -> str:
    """The lowest and the highest of the sets."""
    known = sorted((cell for cell in cells if cell.ours is not None), key=lambda cell: cell.ours or 0.0)
    return " to ".join(f"{_shown(cell)} ({cell.row})" for cell in (known[0], known[-1]))


def _shown(cell: Cell) -> str:
    interval = cell.intervals.get("sources")
    if cell.ours is None or interval is None:
        return "(none)"
    low, high = (f"{end:.{cell.digits}f}" for end in (interval.low, interval.high))
    return f"{cell.ours:.{cell.digits}f} [{low} {high}]"
