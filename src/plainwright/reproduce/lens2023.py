"""Maddela et al. (2023), Table 2: do metrics prefer the outputs of SimpEval_2022 that people prefer?

The paper states one protocol and its code follows another; both are computed, with the number of pairs that each
number rests on. BERTScore and LENS are ours, over another encoder than the paper's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from plainwright import corpora
from plainwright.metrics import BLEU, FK, FKBLEU, IBLEU, SARI, TBLEU, NegativeLevenshtein
from plainwright.metrics.base import Array
from plainwright.reproduce.choices import LENS2023_TABLE2
from plainwright.reproduce.metric_rows import ChosenRows, MetricRow, choose_rows
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction, Sampling
from plainwright.study.agreement import krippendorff_alpha
from plainwright.study.draws import Resampled, draws
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.levels import Comparison, Level, PairLevel
from plainwright.study.operations import operations_of
from plainwright.study.ratings import Cube, Ratings, read_ratings, standardised
from plainwright.study.ratings.raw import RawTable, read_table
from plainwright.study.scores import MetricScores, RatedOutputs, score_outputs
from plainwright.study.taulike import CONVENTIONS, Convention, Pairs

__all__ = ["METRICS", "NEEDS", "TITLE", "alpha_cells", "attainable", "published_kinds", "published_z", "table2"]

TITLE = "Maddela et al. (2023), Table 2: tau of metrics on SimpEval_2022, and the raters' agreement"

_RATINGS = "simpeval/2022"
_ASPECT = "overall"
_COLUMNS = ("paraphrase", "split", "all")
_KINDS = {"Paraphrases": "paraphrase", "Splittings": "split", "Deletions": "deletion"}
METRICS: Mapping[str, MetricRow] = {  # by their names on the command line
    "sari": MetricRow("SARI", "variant xu2016, lower-cased, 13a tokens", SARI(tokenizer="13a")),
    "sari-easse": MetricRow(
        "SARI (EASSE)", "variant easse, F1 for delete as well; added when its values were known", SARI(variant="easse")
    ),
    "bleu": MetricRow(
        "BLEU",
        "of a sentence, lower-cased, 13a tokens, exponential smoothing",
        BLEU(average="sentence", lowercase=True),
    ),
    "fk": MetricRow(
        "FKGL", "the grade itself: a positive tau means that people prefer the harder text", FK(variant="plain")
    ),
    "ibleu": MetricRow("iBLEU", "alpha 0.9; not in the paper", IBLEU(lowercase=True)),
    "fkbleu": MetricRow("FKBLEU", "not in the paper", FKBLEU(fk_variant="plain", lowercase=True)),
    "tbleu": MetricRow("T-BLEU", "against the reference; not in the paper", TBLEU(lowercase=True)),
    "ld": MetricRow(
        "-LD", "minus the edit distance to the source; not in the paper", NegativeLevenshtein(lowercase=True)
    ),
    "bertscore": MetricRow("BERTScore", "F1 over the encoder of LENS; the paper's is over RoBERTa"),
    "lens": MetricRow("LENS", "the model that comes with plainwright, not the authors'"),
}
# The text of the paper has the three numbers for `all`; our copy of it lacks the other cells of the table.
_PAPER = {"SARI": 0.149, "BERTScore": 0.112, "LENS": 0.331}
_LEARNED = tuple(row.label for row in METRICS.values() if row.metric is None)
_Z_SCORE = re.compile(r"rating_\d+_z_?score")
_RESAMPLED: Mapping[str, Resampled] = {"sources": "inputs", "both": "both"}
_NOT_CHOSEN = "not among the metrics that were asked for"
_OTHER_MODEL = "other weights than the authors', over a smaller encoder"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Protocol:
    """Which outputs are compared with which reference, and which pairs count."""

    title: str
    convention: Convention
    reference: str = "Human 1 Writing"
    keep_reference: bool = False
    cause: str = "the paper's numbers come from the released protocol, see what follows"


_PROTOCOLS = (
    _Protocol(
        title="Stated protocol, Human 1 the reference",
        convention=CONVENTIONS["lens2023"],
    ),
    _Protocol(
        title="Stated protocol, Human 2 the reference",
        convention=CONVENTIONS["lens2023"],
        reference="Human 2 Writing",
    ),
    _Protocol(
        title="Released protocol",
        convention=CONVENTIONS["lens2023-code"],
        keep_reference=True,
        cause="one pair: the released code splits words as NLTK does, with which SARI comes to 49 of 329 pairs, 0.149",
    ),
    _Protocol(
        title="Third reading, all six systems",
        convention=replace(CONVENTIONS["lens2023"], difference="mean"),
        keep_reference=True,
    ),
    _Protocol(
        title="Third reading, the writer of the reference left out",
        convention=replace(CONVENTIONS["lens2023"], difference="mean"),
    ),
)


def table2(
    data: Path | None = None,
    sampling: Sampling | None = None,
    *,
    metrics: Sequence[str] | None = None,
    threads: int = 1,
    lens_model: Path | None = None,
) -> Reproduction:
    """Compute the rows of Table 2 that public data allow, and the alphas of sections 3.1 and 6.2."""
    sampling = sampling or Sampling()
    rows = choose_rows(METRICS, metrics, lens_model=lens_model)
    ratings = read_ratings(_RATINGS, data=data)
    kinds = published_kinds(data)
    scores = {
        writer: _scores(ratings, rows, writer, threads)
        for writer in dict.fromkeys(protocol.reference for protocol in _PROTOCOLS)
    }
    blocks = [
        Block(
            title=f"{protocol.title}: {_explained(protocol)}",
            cells=(
                *_tau_cells(protocol, ratings, scores[protocol.reference], kinds, sampling),
                *_missing_cells(rows),
            ),
            methods=rows.methods if at == 0 else {},
        )
        for at, protocol in enumerate(_PROTOCOLS)
    ]
    agreement = Block(
        title="Agreement of the raters: Krippendorff's alpha, interval distance (sections 3.1 and 6.2)",
        cells=tuple(alpha_cells(data, sampling)),
    )
    return Reproduction(
        name="lens2023-table2",
        title=TITLE,
        citation="Maddela, Dou, Heineman and Xu (2023), ACL",
        protocol=LENS2023_TABLE2,
        blocks=(*blocks, agreement),
        findings=(*_tau_findings(blocks), _pairs_finding(blocks), _kinds_finding(ratings, kinds)),
        notes=(
            "Our copy of the paper has the numbers of its text but not the digits of Table 2: of SimpEval_2022 only "
            "those of SARI, BERTScore and LENS for all kinds. Its columns on Wiki-DA and Newsela-Likert are left out.",
            "The row called BLEU in the released code is another measure, GLEU; FKGL is the grade there, not negated.",
            "Where the writer of the reference stays a system, that writer competes with a perfect score by "
            "construction.",
            *rows.notes,
        ),
        sampling=sampling,
    )


def _explained(protocol: _Protocol) -> str:
    convention = protocol.convention
    raters = "all raters agree" if convention.raters == "unanimous" else "most raters agree"
    difference = "" if convention.difference == "each" else f", means more than {convention.min_difference:g} apart"
    pairs = "any two outputs" if convention.pairs == "any" else "two outputs of the same kind"
    writer = "stays a system" if protocol.keep_reference else "is left out"
    return f"{raters}{difference}, {pairs}, the writer {writer}"


def _scores(ratings: Ratings, rows: ChosenRows, writer: str, threads: int) -> list[MetricScores]:
    """Every metric on all outputs, with the text of one writer as the reference."""
    references = {row.item: (row.output,) for row in ratings if row.system == writer and row.output}
    outputs = RatedOutputs.of(ratings)
    return [
        score_outputs(outputs, metric, references, name=name, threads=threads) for name, metric in rows.metrics.items()
    ]


def _tau_cells(
    protocol: _Protocol,
    ratings: Ratings,
    scores: Sequence[MetricScores],
    kinds: Mapping[tuple[str, str], str],
    sampling: Sampling,
) -> Iterator[Cell]:
    systems = [system for system in ratings.systems if protocol.keep_reference or system != protocol.reference]
    cube = ratings.where(systems=systems).cube(_ASPECT)
    pairs = Pairs.of(cube, protocol.convention, kinds)
    taus = {
        column: _taus(cube, scores, pairs if column == "all" else pairs.of_operation(column), protocol, sampling)
        for column in _COLUMNS
    }
    for at, metric in enumerate(scores):
        cause = _OTHER_MODEL if metric.name in _LEARNED else protocol.cause
        for column in _COLUMNS:
            yield _tau_cell(metric.name, column, *taus[column][at], cause=cause)


def _missing_cells(rows: ChosenRows) -> Iterator[Cell]:
    """What the paper has and we do not."""
    for name, tau in _PAPER.items():
        if name not in rows.metrics:
            reason = rows.missing.get(name, _NOT_CHOSEN)
            yield Cell(row=name, column="all", paper=tau, ours=None, note=reason, digits=3)


def _taus(
    cube: Cube, scores: Sequence[MetricScores], pairs: Pairs, protocol: _Protocol, sampling: Sampling
) -> list[tuple[Estimate, dict[str, Interval]]]:
    """Of each metric, tau and its intervals by what is resampled."""
    metrics = tuple(metric.arranged(cube.items, cube.systems) for metric in scores)
    comparison = Comparison(
        aspect=_ASPECT, items=cube.items, systems=cube.systems, human=cube.means, metrics=metrics, pairs=pairs
    )
    level = PairLevel(comparison, protocol.convention.metric_ties)
    resampled = {name: _resampled(level, kind, sampling) for name, kind in _RESAMPLED.items()}
    return [
        (
            level.estimate(at, "two-sided"),
            {name: interval for name, values in resampled.items() if (interval := Interval.of(values[at]))},
        )
        for at in range(len(scores))
    ]


def _resampled(level: Level, kind: Resampled, sampling: Sampling) -> Array:
    """Tau of every metric in every resample."""
    comparison = level.comparison
    blocks = draws(
        len(comparison.items),
        len(comparison.systems),
        resampled=kind,
        resamples=sampling.resamples,
        seed=sampling.seed,
        cells=level.cells,
    )
    return np.concatenate([level.resampled(block) for block in blocks], axis=1)


def _tau_cell(row: str, column: str, tau: Estimate, intervals: Mapping[str, Interval], *, cause: str) -> Cell:
    cell = Cell(
        row=row,
        column=column,
        paper=_PAPER.get(row) if column == "all" else None,
        ours=tau.value,
        digits=3,
        intervals={} if tau.value is None else intervals,
        n=tau.n,
    )
    return replace(cell, note=tau.problem or (cause if cell.difference else ""))


def _raw(name: str, data: Path | None) -> RawTable:
    return read_table(corpora.locate(name, data=data)[0])


def published_kinds(data: Path | None = None) -> dict[tuple[str, str], str]:
    """Return the kind of each output of SimpEval_2022, by item and system: paraphrase, split or deletion."""
    return {
        (str(row.cells["original_id"]), str(row.cells["system"])): _KINDS[str(row.cells["sentence_type"])]
        for row in _raw(_RATINGS, data).rows
    }


_ALPHAS = (
    # Name, registered ratings, the paper's alpha, whether z-scores are published.
    ("SimpEval_past", "simpeval/past", 0.70, True),
    ("SimpEval_2022", "simpeval/2022", 0.32, True),
    ("SimpDA_2022", "simpeval/simpDA_2022", 0.25, False),
    ("SimpLikert_2022", "simpeval/simplikert_2022", 0.23, False),
)
NEEDS = tuple(corpus for _, corpus, _, _ in _ALPHAS)


def alpha_cells(data: Path | None, sampling: Sampling) -> Iterator[Cell]:
    """Yield the raters' agreement on each set beside the paper's."""
    for name, corpus, paper, published in _ALPHAS:
        scores = published_z(_raw(corpus, data)) if published else _own_z(read_ratings(corpus, data=data))
        alpha = krippendorff_alpha(scores, "interval", resamples=sampling.resamples, seed=sampling.seed)
        cell = Cell(
            row=name,
            column="published z-scores" if published else "z-scores by rater and aspect",
            paper=paper,
            ours=alpha.value,
            intervals={} if alpha.interval is None else {"sources": alpha.interval},
            n=alpha.n,
        )
        yield replace(cell, note=alpha.problem or (_alpha_cause(cell, published) if cell.difference else ""))


def _alpha_cause(cell: Cell, published: bool) -> str:
    if not published:
        return "the paper does not say how three aspects make one alpha"
    assert cell.ours is not None
    if math.floor(100 * cell.ours) / 100 == cell.paper:
        return f"the paper's digits seem to be cut, not rounded: {cell.row} is {cell.ours:.4f}"
    return "unknown: the same ratings, z-scores and distance"


def published_z(table: RawTable) -> Array:
    """Return the z-scores in a file of SimpEval: shape (items, systems, ratings of an output)."""
    columns = [column for column in table.columns if _Z_SCORE.fullmatch(column)]
    items, systems = (
        {name: at for at, name in enumerate(dict.fromkeys(str(row.cells[key]) for row in table.rows))}
        for key in ("original_id", "system")
    )
    scores = np.full((len(items), len(systems), len(columns)), np.nan)
    for row in table.rows:
        place = items[str(row.cells["original_id"])], systems[str(row.cells["system"])]
        scores[place] = [float(row.cells[column]) for column in columns]
    return scores


def _own_z(ratings: Ratings) -> Array:
    """Z-scores of all aspects, those of an output side by side as if of several systems."""
    cubes = [standardised(ratings).cube(aspect, "z") for aspect in ratings.aspects]
    return np.concatenate([cube.scores for cube in cubes], axis=1)


def _tau_findings(blocks: Sequence[Block]) -> Iterator[Finding]:
    for name, paper in _PAPER.items():
        cells = [block.cell(name, "all") for block in blocks]
        if all(cell.ours is None for cell in cells):
            continue
        sentences = [
            f"{protocol.title[0].lower()}{protocol.title[1:]} {_against(cell, paper)}"
            for protocol, cell in zip(_PROTOCOLS, cells, strict=True)
        ]
        yield Finding(f"{name} has a tau of {paper} on SimpEval_2022", "; ".join(sentences) + ".")


def _against(cell: Cell, paper: float) -> str:
    interval = cell.intervals.get("sources")
    if cell.ours is None or interval is None:
        return cell.note
    shown = f"{cell.ours:.3f} [{interval.low:.3f} {interval.high:.3f}] from {cell.n} pairs"
    contents = {
        (True, True): "contains the paper's and zero",
        (True, False): "contains the paper's and not zero",
        (False, True): "contains zero and not the paper's",
        (False, False): "contains neither the paper's nor zero",
    }
    return f"{shown}, which {contents[paper in interval, 0.0 in interval]}"


def _pairs_finding(blocks: Sequence[Block]) -> Finding:
    """Which numbers of pairs can give the published values: with n pairs tau is a whole number over n."""
    numbers = sorted({cell.n for block in blocks for cell in block.cells if cell.column == "all" and cell.n})
    parts = []
    for number in numbers:
        fitting = [f"{name} {value}" for name, value in _PAPER.items() if attainable(value, number)]
        parts.append(f"{number} pairs can give {', '.join(fitting) or 'none'}")
    return Finding(
        "the pairs are those on which all raters agree (section 4.1)",
        f"tau is a whole number of pairs over their number. Of the published values, {'; '.join(parts)}.",
    )


def attainable(tau: float, pairs: int) -> bool:
    """Return whether some split of `pairs` into concordant and discordant has a tau that prints as this one."""
    return any(round((2 * concordant - pairs) / pairs, 3) == tau for concordant in range(pairs + 1))


def _kinds_finding(ratings: Ratings, kinds: Mapping[tuple[str, str], str]) -> Finding:
    by_rule = operations_of(RatedOutputs.of(ratings))
    same = sum(by_rule[place] == kind for place, kind in kinds.items())
    return Finding(
        "outputs are grouped by rule into splits, deletions and paraphrases, and raters may correct it (section 6.1)",
        f"our reading of the rules gives the published kind for {same} of {len(kinds)} outputs.",
    )
