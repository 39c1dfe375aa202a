"""The findings of Kauchak's short paper on human evaluation, asked of public ratings: none of them is the paper's own.

Three questions: do the aspects that people rate pull against each other, how many sentences does a comparison of
systems need, and how many raters. Each set of ratings answers those that its shape allows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from plainwright.reproduce.choices import HUMAN_EVALUATION
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction, Sampling
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.ratings import Cube, Rating, Ratings, Scale, read_ratings
from plainwright.study.resample import resample_budget, resample_raters, resample_sizes
from plainwright.study.resample_result import Curve, CurvePoint, Protocol
from plainwright.study.tradeoff import tradeoff

__all__ = ["NEEDS", "TITLE", "findings", "spread_systems", "with_adequacy"]

TITLE = "Human evaluation: simplicity against adequacy, test-set size, number of raters"

Aspect = Literal["simplicity", "adequacy", "fluency"]
_OTHER_DATA = "other sentences, systems and raters than the paper's, on another scale"
_BUDGET = 100
_SYSTEMS_OF_THE_PAPER = 5
_SHOWN_SIZES = (10, 30, 50, 60, 100)
_ADEQUACY = "adequacy"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A registered set of ratings; `aspects` says what it calls those of the paper."""

    name: str
    corpus: str
    aspects: Mapping[Aspect, str]
    compares_systems: bool = False


_SOURCES = (
    _Source(
        name="ASSET, 15 raters",
        corpus="asset/ratings",
        aspects={"simplicity": "simplicity", "adequacy": "meaning", "fluency": "fluency"},
    ),
    _Source(
        name="SimpDA_2022, 3 raters",
        corpus="simpeval/simpDA_2022",
        aspects={"simplicity": "simplicity", "adequacy": "adequacy", "fluency": "fluency"},
    ),
    _Source(
        name="SimpLikert_2022, 3 raters",
        corpus="simpeval/simplikert_2022",
        aspects={"simplicity": "simplicity", "adequacy": "adequacy", "fluency": "fluency"},
    ),
    _Source(
        name="Sulem 2018, 3 raters",
        corpus="sulem2018/ratings",
        aspects={"simplicity": "simplicity", "adequacy": "meaning", "fluency": "grammaticality"},
        compares_systems=True,
    ),
    _Source(
        name="SAMSA, 5 raters",
        corpus="samsa2018/ratings",
        aspects={"simplicity": "structural simplicity", "adequacy": _ADEQUACY, "fluency": "grammaticality"},
        compares_systems=True,
    ),
    _Source(
        name="SimpEval_past, 5 raters",
        corpus="simpeval/past",
        aspects={"adequacy": "overall"},
        compares_systems=True,
    ),
)
NEEDS = tuple(source.corpus for source in _SOURCES)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Relation:
    """What section 3.1 says of two aspects."""

    first: Aspect
    second: Aspect
    r_squared: float | None  # None: none that is significant
    sign: Literal[-1, 0, 1]
    claim: str

    @property
    def r(self) -> float | None:
        return None if self.r_squared is None else self.sign * math.sqrt(self.r_squared)


_RELATIONS = (
    _Relation(
        first="simplicity",
        second="adequacy",
        r_squared=0.21,
        sign=-1,
        claim="simplicity is negatively correlated with adequacy (R2 = 0.21)",
    ),
    _Relation(
        first="adequacy",
        second="fluency",
        r_squared=0.07,
        sign=1,
        claim="adequacy is positively correlated with fluency (R2 = 0.07)",
    ),
    _Relation(
        first="simplicity",
        second="fluency",
        r_squared=None,
        sign=0,
        claim="there is no significant correlation between simplicity and fluency",
    ),
)
_TAU_OF_RATERS = {1: 0.92, 2: 0.95}  # section 3.2


@dataclass(frozen=True, kw_only=True)
class _Curves:
    """The three curves of one set of systems."""

    name: str
    sizes: Curve
    raters: Curve
    budget: Curve


def findings(data: Path | None = None, sampling: Sampling | None = None) -> Reproduction:
    """Check the paper's findings on public ratings."""
    sampling = sampling or Sampling()
    loaded = [(source, with_adequacy(read_ratings(source.corpus, data=data))) for source in _SOURCES]
    aspects = _aspects_block(loaded, sampling)
    protocol = Protocol(samples=max(2, sampling.resamples), seed=sampling.seed)
    curves = [
        curves
        for source, ratings in loaded
        if source.compares_systems
        for curves in _both_curves(source.name, ratings.cube(source.aspects["adequacy"]), protocol)
    ]
    return Reproduction(
        name="human-evaluation",
        title=TITLE,
        citation="Kauchak's short paper on human evaluation of text simplification",
        protocol=HUMAN_EVALUATION,
        blocks=(aspects, *_curve_blocks(curves)),
        findings=(*_aspect_findings(aspects), *_curve_findings(curves)),
        notes=(
            "SimpEval_past and SimpEval_2022 have one score of quality, so they know of no trade-off; SimpDA_2022 and "
            "SimpLikert_2022 rate the outputs of SimpEval_2022 on three aspects.",
            "ASSET has 15 raters but one output a sentence, by systems that the file does not name: no two systems can "
            "be compared, so nothing can be said of test-set size and raters.",
            "A curve compares samples with the data that they are drawn from. It has to come near 1 at their full "
            "size, so where it levels off says something of these data, not of what a larger set would show.",
            "Intervals of the curves hold the middle 95 % of the samples, which is what one study of that size may "
            "get; n counts the samples. Ratings are drawn from those there are: no curve knows of raters never asked.",
        ),
        sampling=sampling,
    )


def with_adequacy(ratings: Ratings) -> Ratings:
    """SAMSA's ratings with adequacy: 4 minus the mean of the information added and removed; others as they are."""
    wanted = ("information added", "information removed")
    if not set(wanted) <= set(ratings.aspects):
        return ratings
    scores: dict[tuple[str, str, str], dict[str, Rating]] = {}
    for row in ratings:
        if row.aspect in wanted:
            scores.setdefault((row.item, row.system, row.rater), {})[row.aspect] = row
    made = [
        replace(
            pair[wanted[0]],
            aspect=_ADEQUACY,
            score=4 - (pair[wanted[0]].score + pair[wanted[1]].score) / 2,
            scale=Scale(1, 3, 0.5),
        )
        for pair in scores.values()
        if len(pair) == len(wanted)
    ]
    return Ratings((*ratings.rows, *made))


def spread_systems(cube: Cube, number: int) -> Cube:
    """The scores of `number` systems spread evenly over the ranking of the means, the first and the last included."""
    ranking = np.argsort(-np.nanmean(cube.means, axis=0), kind="stable")
    places = np.round(np.linspace(0, len(ranking) - 1, number)).astype(int)
    chosen = np.sort(ranking[np.unique(places)])
    return replace(cube, systems=tuple(cube.systems[at] for at in chosen), scores=cube.scores[:, chosen])


def _aspects_block(loaded: Iterable[tuple[_Source, Ratings]], sampling: Sampling) -> Block:
    cells = [
        cell
        for relation in _RELATIONS
        for source, ratings in loaded
        if relation.first in source.aspects and relation.second in source.aspects
        for cell in _relation_cells(relation, source, ratings, sampling)
    ]
    return Block(
        title="Aspects against each other (section 3.1): one point an output, mean of its raters",
        cells=tuple(cells),
        methods={
            "R2": "of the straight line through the points; p by t-test, which takes the points as independent",
            "r": "Pearson's correlation; the paper's is the root of its R2 with the sign that it names",
        },
    )


def _relation_cells(relation: _Relation, source: _Source, ratings: Ratings, sampling: Sampling) -> Iterator[Cell]:
    found = tradeoff(
        ratings,
        source.aspects[relation.first],
        source.aspects[relation.second],
        resamples=sampling.resamples,
        seed=sampling.seed,
    ).relation("all outputs")
    for measure, paper, ours in (("R2", relation.r_squared, found.r_squared), ("r", relation.r, found.r)):
        cell = Cell(
            row=_pair(relation),
            column=f"{measure}, {source.name}",
            paper=paper,
            ours=ours.value,
            intervals={"sources": ours.interval} if ours.interval else {},
            p_value=ours.p_value if measure == "R2" else None,
            paper_p="<0.0001" if measure == "R2" and paper is not None else "",
            n=ours.n,
        )
        yield _explained(cell, ours)


def _pair(relation: _Relation) -> str:
    return f"{relation.first} - {relation.second}"


def _aspect_findings(block: Block) -> Iterator[Finding]:
    for relation in _RELATIONS:
        verdicts: dict[str, list[str]] = {"holds": [], "fails": [], "open": []}
        for cell in block.cells:
            if cell.row == _pair(relation) and cell.column.startswith("r, "):
                name = cell.column.removeprefix("r, ")
                verdicts[_verdict(relation.sign, cell)].append(f"{name}, r {_with_interval(cell)}")
        words = {
            "holds": "holds on",
            "fails": "does not hold on" if relation.sign == 0 else "the other way round on",
            "open": "open on",
        }
        yield Finding(
            relation.claim,
            "; ".join(f"{words[verdict]} {'; '.join(sets)}" for verdict, sets in verdicts.items() if sets) + ".",
        )


def _verdict(sign: int, cell: Cell) -> str:
    interval = cell.intervals.get("sources")
    if interval is None:
        return "open"
    if sign == 0:
        return "holds" if 0.0 in interval else "fails"
    if 0.0 in interval:
        return "open"
    return "holds" if (interval.low > 0) == (sign > 0) else "fails"


def _both_curves(name: str, cube: Cube, protocol: Protocol) -> Iterator[_Curves]:
    few = spread_systems(cube, _SYSTEMS_OF_THE_PAPER)
    for part in (cube, few):
        yield _Curves(
            name=f"{name}, {len(part.systems)} systems",
            sizes=resample_sizes(part, protocol),
            raters=resample_raters(part, protocol),
            budget=resample_budget(part, protocol, budget=_BUDGET),
        )


def _curve_blocks(curves: Sequence[_Curves]) -> Iterator[Block]:
    yield Block(
        title="Test-set size (section 3.2): mean tau with the verdicts of all sentences",
        cells=tuple(
            _curve_cell(part.name, f"{point.sentences} sentences", point)
            for part in curves
            for point in part.sizes.points
            if point.sentences in _SHOWN_SIZES or point == part.sizes.points[-1]
        ),
    )
    yield Block(
        title="Number of raters, all sentences (section 3.2)",
        cells=tuple(
            _curve_cell(part.name, _raters(point), point, paper=_TAU_OF_RATERS.get(point.raters))
            for part in curves
            for point in part.raters.points
        ),
    )
    yield Block(
        title=f"{_BUDGET} ratings a system, spent on sentences or on raters (section 3.2)",
        cells=tuple(
            _curve_cell(part.name, f"{point.sentences} x {_raters(point)}", point)
            for part in curves
            for point in part.budget.points
        ),
    )


def _raters(point: CurvePoint) -> str:
    return f"{point.raters} rater{'s' if point.raters > 1 else ''}"


def _curve_cell(row: str, column: str, point: CurvePoint, paper: float | None = None) -> Cell:
    tau = point.tau
    cell = Cell(
        row=row,
        column=column,
        paper=paper,
        ours=tau.value,
        intervals={"samples": tau.interval} if tau.interval else {},
        n=tau.n,
    )
    return _explained(cell, tau)


def _explained(cell: Cell, found: Estimate) -> Cell:
    return replace(cell, note=found.problem or (_OTHER_DATA if cell.difference else ""))


def _curve_findings(curves: Sequence[_Curves]) -> Iterator[Finding]:
    yield Finding(
        "with test-set sizes around 50-60 sentences the performance levels off",
        "; ".join(f"{part.name}: {_levelling(part.sizes)}" for part in curves) + ".",
    )
    yield Finding(
        "tau is 0.92 with a single rater and peaks at 0.95 with two; more do not significantly improve it",
        "; ".join(f"{part.name}: {_gain_after_two(part.raters)}" for part in curves) + ".",
    )
    yield Finding(
        f"with {_BUDGET} ratings, agreement falls monotonically as more raters are used for each sentence",
        "; ".join(f"{part.name}: {_falling(part.budget)}" for part in curves) + ".",
    )


def _levelling(curve: Curve) -> str:
    level, last = curve.levels_off, curve.points[-1]
    if level is None:
        return f"still rising at {last.sentences}, the most there are (tau {_with_samples(last)})"
    return f"at {level.sentences} (tau {_with_samples(level)})"


def _gain_after_two(curve: Curve) -> str:
    one, two, last = (curve.means[at] for at in (0, 1, -1))
    verdict = "more do not help" if last - two < curve.gain else "more still help"
    return f"{one:.3f} with one, {two:.3f} with two, {last:.3f} with {curve.points[-1].raters}: {verdict}"


def _falling(curve: Curve) -> str:
    shown = " ".join(f"{mean:.2f}" for mean in curve.means)
    errors = np.array([point.error for point in curve.points])
    steps = np.diff(curve.means)
    if (steps < -2 * np.hypot(errors[1:], errors[:-1])).all():
        return f"falls at every step ({shown})"
    return f"does not fall at every step by more than the error of {_samples(curve):,} samples ({shown})"


def _samples(curve: Curve) -> int:
    return max(point.tau.n for point in curve.points)


def _with_interval(cell: Cell) -> str:
    return f"{cell.ours:.2f} {_bounds(cell.intervals.get('sources'))}"


def _with_samples(point: CurvePoint) -> str:
    return f"{point.tau.value or 0:.2f} {_bounds(point.tau.interval)}"


def _bounds(interval: Interval | None) -> str:
    return "" if interval is None else f"[{interval.low:.2f} {interval.high:.2f}]"
