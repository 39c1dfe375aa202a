"""Maddela et al. (2023), Tables 1 and 7: how large SimpEval is, and how three ways of rating rank six systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean

import numpy as np

from plainwright import corpora
from plainwright.metrics import SelfBLEU
from plainwright.metrics.base import Array
from plainwright.reproduce.lens2023 import alpha_cells
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction, Sampling
from plainwright.study.coefficients import average_ranks, kendall
from plainwright.study.draws import draws
from plainwright.study.estimate import Interval
from plainwright.study.ratings import Ratings, read_ratings
from plainwright.study.scores import MetricScores, RatedOutputs, score_outputs

__all__ = ["NEEDS_1", "NEEDS_7", "TABLE_1", "TABLE_7", "table1", "table7"]

TABLE_1 = "Maddela et al. (2023), Table 1: sizes of SimpEval_past and SimpEval_2022"
TABLE_7 = "Maddela et al. (2023), Table 7: how Rank & Rate, DA and Likert rank six systems"
_CITATION = "Maddela, Dou, Heineman and Xu (2023), ACL"
_PAST, _NEW, _TURK = "simpeval/past", "simpeval/2022", "turkcorpus/test.detok"
NEEDS_1 = (_PAST, _NEW, _TURK)

# Of the paper's text, where the numbers of Table 1 stand, too: our copy lacks the digits of the table.
_SIZES: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "SimpEval_past": (
        _PAST,
        {"sources": 100, "systems": 24, "outputs": 2400, "ratings": 12_000, "ratings of an output": 5},
    ),
    "SimpEval_2022": (
        _NEW,
        {"sources": 60, "systems": 6, "outputs": 360, "ratings": 1080, "ratings of an output": 3},
    ),
}
_LENGTHS = {"SimpEval_2022": 38.5, "TurkCorpus test": 19.7}

# Way of rating: registered ratings, and what is added to an aspect so that all have one scale.
_METHODS: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "Rank & Rate": (_NEW, {}),
    "DA": ("simpeval/simpDA_2022", {}),
    "Likert": ("simpeval/simplikert_2022", {"simplicity": 3}),
}
NEEDS_7 = tuple(corpus for corpus, _ in _METHODS.values())
_CHOICES = (
    "These choices were written down when the means of each system by aspect were known, and before anything else was.",
    "The same 360 outputs were rated in three ways. Rank & Rate asked for one score; DA and Likert asked for adequacy, "
    "fluency and simplicity. The paper does not say how three aspects make one ranking: we take the mean of the three, "
    "with Likert's simplicity, -2 to 2, moved to 1 to 5.",
    "An output has the mean of its raters' raw scores, a system the mean of its 60 outputs. Two rankings are compared "
    "by Kendall's tau over the six systems, 15 pairs.",
    "Intervals: 95 %, bootstrap samples of the 60 sources, the same for all ways of rating.",
)
_RATED = {"SimpEval_2022", "SimpDA_2022", "SimpLikert_2022"}


def table1(data: Path | None = None) -> Reproduction:
    """Count what is in the two sets of ratings."""
    ratings = {name: read_ratings(corpus, data=data) for name, (corpus, _) in _SIZES.items()}
    sizes = [
        Cell(row=name, column=column, paper=paper, ours=ours, digits=0)
        for name, (_, printed) in _SIZES.items()
        for (column, paper), ours in zip(printed.items(), _counted(ratings[name]), strict=True)
    ]
    texts = {
        "SimpEval_2022": _sources(ratings["SimpEval_2022"]),
        "TurkCorpus test": corpora.load(_TURK, data=data).sources,
    }
    lengths = [
        Cell(row=name, column="tokens of a source", paper=_LENGTHS[name], ours=_mean_words(lines), digits=1)
        for name, lines in texts.items()
    ]
    return Reproduction(
        name="lens2023-table1",
        title=TABLE_1,
        citation=_CITATION,
        blocks=(
            Block(title="Sizes", cells=tuple(sizes), methods={"ratings": "one by each rater of an output"}),
            Block(
                title="Length of the sources",
                cells=tuple(lengths),
                methods={"tokens of a source": "mean of the words between spaces, of raw text"},
            ),
        ),
        notes=(
            "The paper's numbers are those of its text (sections 1 and 3.1): our copy lacks the digits of the table.",
        ),
    )


def _counted(ratings: Ratings) -> tuple[float, ...]:
    outputs = {(row.item, row.system) for row in ratings}
    count = sum(1 for _ in ratings)
    return len({row.item for row in ratings}), len(ratings.systems), len(outputs), count, count / len(outputs)


def _sources(ratings: Ratings) -> list[str]:
    return list({row.item: row.source for row in ratings if row.source}.values())


def _mean_words(lines: Sequence[str]) -> float:
    return fmean(len(line.split()) for line in lines)


def table7(data: Path | None = None, sampling: Sampling | None = None) -> Reproduction:
    """Rank the six systems by each way of rating, and say how far the rankings agree."""
    sampling = sampling or Sampling()
    ratings = {method: read_ratings(corpus, data=data) for method, (corpus, _) in _METHODS.items()}
    systems = sorted(ratings["Rank & Rate"].systems)
    items = sorted({row.item for row in ratings["Rank & Rate"]})
    values = {method: _values(own, items, systems, shifts=_METHODS[method][1]) for method, own in ratings.items()}
    drawn = _drawn_counts(len(items), len(systems), sampling)
    means = Block(
        title="Means",
        cells=tuple(_mean_cells(values, systems, drawn)),
        methods={
            "Rank & Rate": "one score from 0 to 100, ranked beside the others (SimpEval_2022)",
            "DA": "mean of adequacy, fluency and simplicity, each from 0 to 100 (SimpDA_2022)",
            "Likert": "mean of adequacy and fluency, 1 to 5, and simplicity, -2 to 2, to which 3 is added "
            "(SimpLikert_2022)",
        },
    )
    rankings = Block(title="Ranks, 1 the best", cells=tuple(_rank_cells(values, systems)))
    agreement = Block(
        title="Kendall's tau of the ranking by two ways, over the six systems",
        cells=tuple(_tau_cells(values, drawn)),
    )
    alphas = Block(
        title="Agreement of the raters: Krippendorff's alpha (section 6.2)",
        cells=tuple(cell for cell in alpha_cells(data, sampling) if cell.row in _RATED),
    )
    copying = Block(
        title="Not in this table: how much the systems copy, self-BLEU as in Table 3",
        cells=tuple(_copying_cells(ratings["Rank & Rate"], systems, drawn)),
        methods={"self-BLEU": "BLEU of output and source, lower-cased; lower is less copying"},
    )
    return Reproduction(
        name="lens2023-table7",
        title=TABLE_7,
        citation=_CITATION,
        blocks=(means, rankings, agreement, alphas, copying),
        findings=(_similar_finding(agreement, values, systems), _alpha_finding(alphas)),
        notes=(
            *_CHOICES,
            "Our copy of the paper lacks the digits of Table 7, so no number of it stands beside the means.",
        ),
        sampling=sampling,
    )


def _values(ratings: Ratings, items: Sequence[str], systems: Sequence[str], *, shifts: Mapping[str, float]) -> Array:
    """The mean over aspects and raters of every output: shape (items, systems)."""
    aspects = []
    for aspect in ratings.aspects:
        cube = ratings.cube(aspect)
        rows, columns = map(cube.items.index, items), [cube.systems.index(system) for system in systems]
        aspects.append(cube.means[np.ix_(list(rows), columns)] + shifts.get(aspect, 0.0))
    mean: Array = np.mean(aspects, axis=0)
    return mean


def _drawn_counts(items: int, systems: int, sampling: Sampling) -> Array:
    """How often each source is drawn: shape (resamples, items)."""
    blocks = draws(
        items, systems, resampled="inputs", resamples=sampling.resamples, seed=sampling.seed, cells=items * systems
    )
    return np.concatenate([block.inputs for block in blocks])


def _mean_cells(values: Mapping[str, Array], systems: Sequence[str], drawn: Array) -> Iterator[Cell]:
    for at, system in enumerate(systems):
        for method, own in values.items():
            yield Cell(
                row=system,
                column=method,
                paper=None,
                ours=float(own[:, at].mean()),
                intervals=_intervals((drawn @ own[:, at]) / drawn.sum(axis=1)),
                n=len(own),
            )


def _intervals(sample: Array) -> dict[str, Interval]:
    interval = Interval.of(sample)
    return {} if interval is None else {"sources": interval}


def _ranks(values: Array) -> Array:
    ranks: Array = average_ranks(-values.mean(axis=0))
    return ranks


def _rank_cells(values: Mapping[str, Array], systems: Sequence[str]) -> Iterator[Cell]:
    ranks = {method: _ranks(own) for method, own in values.items()}
    order = np.argsort(ranks["Rank & Rate"], kind="stable")
    for at in order:
        for method in values:
            yield Cell(row=systems[at], column=method, paper=None, ours=float(ranks[method][at]), digits=0)


def _tau_cells(values: Mapping[str, Array], drawn: Array) -> Iterator[Cell]:
    for first, second in combinations(values, 2):
        whole = float(kendall(values[first].mean(axis=0), values[second].mean(axis=0)))
        sample = kendall(drawn @ values[first], drawn @ values[second])
        yield Cell(row=f"{first}, {second}", column="tau", paper=None, ours=whole, intervals=_intervals(sample), n=6)


def _copying_cells(ratings: Ratings, systems: Sequence[str], drawn: Array) -> Iterator[Cell]:
    outputs = RatedOutputs.of(ratings)
    scores: MetricScores = score_outputs(outputs, SelfBLEU(lowercase=True), None)
    whole, sample = scores.corpus(), scores.corpus(drawn)
    for system in systems:
        at = scores.systems.index(system)
        yield Cell(
            row=system,
            column="self-BLEU",
            paper=None,
            ours=float(whole[at]),
            intervals=_intervals(sample[:, at]),
            n=len(scores.items),
        )


def _similar_finding(agreement: Block, values: Mapping[str, Array], systems: Sequence[str]) -> Finding:
    taus = [
        f"{cell.row} {cell.ours:.2f} [{interval.low:.2f} {interval.high:.2f}]"
        for cell in agreement.cells
        if cell.ours is not None and (interval := cell.intervals.get("sources"))
    ]
    means = {method: own.mean(axis=0) for method, own in values.items()}
    moved = [
        f"{systems[one]} and {systems[other]}"
        for one, other in combinations(range(len(systems)), 2)
        if len({bool(mean[one] > mean[other]) for mean in means.values()}) > 1
    ]
    pairs = len(systems) * (len(systems) - 1) // 2
    ordered = f"all three give the same order to {pairs - len(moved)} of {pairs} pairs of systems"
    swapped = f"; not to {', '.join(moved)}" if moved else ""
    return Finding(
        "the three ways rank the systems similarly, with very slight differences",
        f"Kendall's tau: {'; '.join(taus)}. {ordered[0].upper()}{ordered[1:]}{swapped}.",
    )


def _alpha_finding(alphas: Block) -> Finding:
    order = sorted(alphas.cells, key=lambda cell: -(cell.ours or 0.0))
    paper = sorted(alphas.cells, key=lambda cell: -(cell.paper or 0.0))
    shown = ", ".join(
        f"{cell.row} {cell.ours:.2f} [{interval.low:.2f} {interval.high:.2f}]"
        for cell in order
        if (interval := cell.intervals.get("sources"))
    )
    first, second, *_ = (cell.intervals["sources"] for cell in order)
    apart = first.low > second.high
    verdict = "the same order" if order == paper else "another order"
    return Finding(
        "raters agree most with Rank & Rate: alpha 0.32, DA 0.25, Likert 0.23",
        f"{verdict}, with intervals that {'lie apart' if apart else 'overlap'}: {shown}.",
    )
