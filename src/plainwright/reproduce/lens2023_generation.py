"""Maddela et al. (2023), Tables 3 and 4: LENS as the objective of training and of decoding, with our own generator.

A generator is a rewriter, a directory that `plainwright learn rewriter` made: one by likelihood (MLE), one that went on
by minimum risk (MRT). MBR takes of the candidates of the first the one that LENS prefers beside all of them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from plainwright import corpora, metrics
from plainwright.errors import DataError
from plainwright.metrics import BLEU, FK, SARI, Metric, SelfBLEU
from plainwright.metrics.base import Array
from plainwright.reproduce import blind
from plainwright.reproduce.choices import LENS2023_GENERATION
from plainwright.reproduce.metric_rows import ChosenRows, MetricRow, choose_rows
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction, Sampling
from plainwright.rewrite.choose.utility import minimum_bayes_risk
from plainwright.rewriter.finding import find_rewriter
from plainwright.rewriter.model import Rewrite, Rewriter
from plainwright.study.draws import draws
from plainwright.study.estimate import Interval
from plainwright.study.scores import MetricScores, RatedOutputs, score_outputs

__all__ = ["METRICS", "NEEDS", "TABLE_3", "TABLE_4", "Generation", "Pool", "Sentences", "table3", "table4"]

NEEDS = ("asset/valid",)
TABLE_3 = "Maddela et al. (2023), Table 3: LENS in training and in decoding"
TABLE_4 = "Maddela et al. (2023), Table 4: more candidates for the model's own choice and for LENS"
_CITATION = "Maddela, Dou, Heineman and Xu (2023), ACL"
_NO_NUMBERS = "The paper's generators are T5 models on other sentences, so none of its numbers stands beside ours."
_SELF = "self-BLEU"
_FEW = 10  # the paper's beam for MLE

METRICS: Mapping[str, MetricRow] = {  # by their names on the command line
    "lens": MetricRow("LENS", "mean of sentences, the model that comes with plainwright"),
    "sari": MetricRow("SARI", "mean of sentences, variant xu2016, lower-cased, 13a tokens", SARI(tokenizer="13a")),
    "bleu": MetricRow("BLEU", "counts pooled over the sentences, lower-cased, 13a tokens", BLEU(lowercase=True)),
    "fk": MetricRow("FK", "grade of the whole text; lower is easier", FK(variant="plain")),
    "self-bleu": MetricRow(
        _SELF, "BLEU with the source as the reference; lower is less copying", SelfBLEU(lowercase=True)
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """Says who writes, and how much."""

    mle: Path | None = None  # None: the rewriter that `simplify` uses
    mrt: Path | None = None  # None: its row is left out
    sentences: int = 100
    candidates: int = 20
    sheets: Path | None = None  # where sheets for a blind reading go
    readings: Path | None = None  # where they come back from

    def __post_init__(self) -> None:
        if self.candidates < 1:
            msg = f"--candidates: expected a number from 1, found {self.candidates}"
            raise DataError(msg)


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences that are rewritten, with their references."""

    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    @classmethod
    def drawn(cls, data: Path | None, count: int, seed: int) -> Sentences:
        """Draw sentences of ASSET valid."""
        corpus = corpora.load(NEEDS[0], data=data)
        if not 1 <= count <= len(corpus.sources):
            msg = f"--sentences: expected a number from 1 to {len(corpus.sources):,}, found {count}"
            raise DataError(msg)
        chosen = sorted(random.Random(seed).sample(range(len(corpus.sources)), count))
        return cls(tuple(corpus.sources[at] for at in chosen), tuple(tuple(corpus.references[at]) for at in chosen))


class Pool:
    """Candidates of a rewriter for each sentence; the first are the same however many are asked for."""

    def __init__(self, rewriter: Rewriter, sources: Sequence[str], threads: int) -> None:
        self._rewriter, self.sources, self._threads = rewriter, sources, threads
        self._asked: dict[tuple[int, int], list[list[Rewrite]]] = {}

    def first(self, count: int) -> list[str]:
        """Return the likeliest wording as the decoder finds it, or the source where it finds none."""
        return [own[0].text if own else source for own, source in zip(self._of(count), self.sources, strict=True)]

    def likeliest(self, count: int) -> list[str]:
        """Return of so many candidates the one with the highest mean log-probability."""
        pairs = zip(self._of(count), self.sources, strict=True)
        return [max(own, key=lambda one: one.score).text if own else source for own, source in pairs]

    def agreed(self, count: int, utility: Metric) -> list[str]:
        """Return of so many candidates the one with the highest utility beside all (equation 5)."""
        texts = []
        for own, source in zip(self._of(count), self.sources, strict=True):
            if not own:
                texts.append(source)
                continue
            candidates, scores = [one.text for one in own], [one.score for one in own]
            chosen = minimum_bayes_risk(
                source, candidates, scores, utility=utility, sharpness=0.0, threads=self._threads
            )
            texts.append(candidates[chosen])
        return texts

    def _of(self, count: int) -> list[list[Rewrite]]:
        found: list[dict[str, Rewrite]] = [{} for _ in self.sources]
        bounds = sorted({0, *(bound for bound in (1, _FEW) if bound < count), count})
        for first, last in itertools.pairwise(bounds):
            if (first, last) not in self._asked:
                self._asked[first, last] = self._rewriter.rewrite(
                    self.sources, first=first, candidates=last, threads=self._threads
                )
            for own, more in zip(found, self._asked[first, last], strict=True):
                for one in more:
                    own.setdefault(one.text, one)
        return [list(own.values()) for own in found]


def table3(
    data: Path | None = None,
    sampling: Sampling | None = None,
    *,
    metrics: Sequence[str] | None = None,
    threads: int = 1,
    lens_model: Path | None = None,
    generation: Generation | None = None,
) -> Reproduction:
    """Compare MLE, MRT-LENS and MBR-LENS; or read a blind reading of them."""
    sampling, generation = sampling or Sampling(), generation or Generation()
    if generation.readings is not None:
        return blind.read_sheets(generation.readings, name="lens2023-table3", title=TABLE_3, sampling=sampling)
    if generation.sheets is not None:
        blind.check_new(generation.sheets)
    test = Sentences.drawn(data, generation.sentences, sampling.seed)
    rows = choose_rows(METRICS, metrics, lens_model=lens_model)
    pool = Pool(Rewriter(find_rewriter(generation.mle)), test.sources, threads)
    systems = {"MLE": pool.first(1)}
    if generation.mrt is not None:
        systems["MRT-LENS"] = Pool(Rewriter(generation.mrt), test.sources, threads).first(1)
    systems["MBR-LENS"] = pool.agreed(generation.candidates, _lens(lens_model))
    if generation.sheets is not None:
        blind.write_sheets(generation.sheets, test.sources, systems, seed=sampling.seed)
    pairs = [(second, first) for first, second in itertools.combinations(systems, 2)]
    result = _compared("lens2023-table3", TABLE_3, test, systems, pairs, rows, sampling, threads)
    differences = result.blocks[1]
    others = [row for row in differences.rows if row.startswith("MBR-LENS - ")]
    findings = [
        _finding(differences, "LENS", "MBR-LENS raises LENS, which it was chosen by", "MBR-LENS - MLE", sign=1),
        _finding(differences, _SELF, "MBR-LENS makes the most edits (lowest self-BLEU)", *others, sign=-1),
        _finding(differences, "LENS", "MRT-LENS raises LENS", "MRT-LENS - MLE", sign=1),
    ]
    notes = () if generation.mrt is not None else ("MRT-LENS is left out: name its directory with --mrt.",)
    return _with(result, findings, notes, generation)


def table4(
    data: Path | None = None,
    sampling: Sampling | None = None,
    *,
    metrics: Sequence[str] | None = None,
    threads: int = 1,
    lens_model: Path | None = None,
    generation: Generation | None = None,
) -> Reproduction:
    """Compare choices by the model and by LENS among few and many candidates, for each generator."""
    sampling, generation = sampling or Sampling(), generation or Generation()
    if generation.readings is not None or generation.sheets is not None:
        msg = "lens2023-table4 has no blind reading; give --sheets and --readings with lens2023-table3"
        raise DataError(msg)
    test = Sentences.drawn(data, generation.sentences, sampling.seed)
    rows = choose_rows(METRICS, metrics, lens_model=lens_model)
    utility, many = _lens(lens_model), generation.candidates
    generators = {"MLE": find_rewriter(generation.mle)}
    generators |= {"MRT-LENS": generation.mrt} if generation.mrt is not None else {}
    systems: dict[str, list[str]] = {}
    for name, directory in generators.items():
        pool = Pool(Rewriter(directory), test.sources, threads)
        systems |= {f"{name}, likeliest of {size}": pool.likeliest(size) for size in sorted({1, min(_FEW, many), many})}
        systems[f"{name}, MBR-LENS of {many}"] = pool.agreed(many, utility)
    one, *others = systems
    pairs = [(other, one) for other in others]
    result = _compared("lens2023-table4", TABLE_4, test, systems, pairs, rows, sampling, threads)
    differences = result.blocks[1]
    findings = [
        _finding(differences, "LENS", "quality falls as the beam grows", f"MLE, likeliest of {many} - {one}", sign=-1),
        _finding(
            differences,
            "LENS",
            f"MBR-LENS with {many} candidates (the paper: 100) is over 11 points of LENS above standard beam search",
            f"MLE, MBR-LENS of {many} - {one}",
            sign=1,
            over=11,
        ),
    ]
    return _with(result, findings, (), generation)


def _lens(model: Path | None) -> Metric:
    utility = metrics.create("lens", model=model)
    utility.signature()  # what is missing is said before anything is written
    return utility


def _with(
    result: Reproduction, findings: Sequence[Finding | None], notes: Sequence[str], generation: Generation
) -> Reproduction:
    written = f"{generation.sentences} sentences; {generation.candidates} candidates of each for MBR."
    found = tuple(finding for finding in findings if finding is not None)
    return replace(result, findings=found, notes=(_NO_NUMBERS, written, *notes, *result.notes))


def _compared(
    name: str,
    title: str,
    test: Sentences,
    systems: Mapping[str, Sequence[str]],
    pairs: Sequence[tuple[str, str]],
    rows: ChosenRows,
    sampling: Sampling,
    threads: int,
) -> Reproduction:
    scores = {label: _scored(metric, test, systems, threads) for label, metric in rows.metrics.items()}
    values = Block(title="Scores", cells=tuple(_cells(scores, systems, sampling)), methods=rows.methods)
    differences = Block(
        title="Differences: the first less the second",
        cells=tuple(_cells(scores, systems, sampling, pairs)),
    )
    return Reproduction(
        name=name,
        title=title,
        citation=_CITATION,
        protocol=LENS2023_GENERATION,
        blocks=(values, differences),
        notes=rows.notes,
        sampling=sampling,
    )


def _scored(metric: Metric, test: Sentences, systems: Mapping[str, Sequence[str]], threads: int) -> MetricScores:
    items = tuple(map(str, range(len(test.sources))))
    outputs = tuple(zip(*systems.values(), strict=True))
    texts = RatedOutputs(items=items, systems=tuple(systems), sources=test.sources, outputs=outputs)
    return score_outputs(texts, metric, dict(zip(items, test.references, strict=True)), threads=threads)


def _cells(
    scores: Mapping[str, MetricScores],
    systems: Mapping[str, Sequence[str]],
    sampling: Sampling,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> Iterator[Cell]:
    """The value of every system, or the differences of pairs, with intervals over the same sentences for all."""
    places = {system: at for at, system in enumerate(systems)}
    for label, own in scores.items():
        whole, drawn = own.corpus(), _resampled(own, sampling)
        for row in systems if pairs is None else [f"{first} - {second}" for first, second in pairs]:
            first, _, second = row.partition(" - ")
            value, sample = whole[places[first]], drawn[:, places[first]]
            if second:
                value, sample = value - whole[places[second]], sample - drawn[:, places[second]]
            interval = Interval.of(sample)
            intervals = {} if interval is None else {"sources": interval}
            yield Cell(row=row, column=label, paper=None, ours=float(value), intervals=intervals, n=len(own.items))


def _resampled(scores: MetricScores, sampling: Sampling) -> Array:
    size, systems = len(scores.items), len(scores.systems)
    blocks = draws(size, systems, resampled="inputs", resamples=sampling.resamples, seed=sampling.seed, cells=size)
    return np.concatenate([scores.corpus(block.inputs) for block in blocks])


def _finding(block: Block, column: str, claim: str, *rows: str, sign: int, over: float = 0) -> Finding | None:
    """What differences say of a claim that all of them are `over` so much; None where one was not computed."""
    if column not in block.columns or not set(rows) <= set(block.rows):
        return None
    cells = [block.cell(row, column) for row in rows]
    intervals = [cell.intervals["sources"] for cell in cells if "sources" in cell.intervals]
    if not intervals or len(intervals) < len(cells):
        return None
    bounds = [sorted((sign * interval.low, sign * interval.high)) for interval in intervals]
    holds, fails = all(low > over for low, _ in bounds), any(high < over for _, high in bounds)
    figures = [
        f"{cell.row}, {cell.ours:+.2f} [{interval.low:+.2f} {interval.high:+.2f}]"
        for cell, interval in zip(cells, intervals, strict=True)
    ]
    return Finding(claim, f"{'holds' if holds else 'fails' if fails else 'open'}: {column}, {'; '.join(figures)}.")
