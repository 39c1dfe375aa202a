"""Maddela et al. (2023), Figure 2: do metrics put people above a copy, and a copy above texts spoilt on purpose?

The bars of the figure have no numbers in the text, so what is tested is the order that the text draws from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from plainwright import corpora
from plainwright.errors import DataError
from plainwright.lens.metric import LENS
from plainwright.metrics import BLEU, SARI, Metric
from plainwright.metrics.base import Array
from plainwright.reproduce.choices import LENS2023_FIGURE2
from plainwright.reproduce.metric_rows import ChosenRows, MetricRow, choose_rows
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction, Sampling
from plainwright.study.draws import draws
from plainwright.study.estimate import Interval
from plainwright.study.scores import MetricScores, RatedOutputs, score_outputs
from plainwright.text.corruptions import drop_words, generator_of, scramble_words, split_in_middle

__all__ = ["METRICS", "NEEDS", "SYSTEMS", "TITLE", "Systems", "compare", "figure2"]

NEEDS = ("asset/valid",)
TITLE = "Maddela et al. (2023), Figure 2: people, a copy of the input, and three ways to spoil it"

SYSTEMS = ("Copy", "Human", "Drop", "Scramble", "Split")
_SPOILT = SYSTEMS[2:]
_REQUIRED = (("Human", "Copy"), *(("Copy", spoilt) for spoilt in _SPOILT))
_PAIRS = (*_REQUIRED, *(("Human", spoilt) for spoilt in _SPOILT))
_DROPPED, _SCRAMBLED = 0.10, 0.05  # of the words
_AT_ONCE = 100  # sentences; their vectors are kept until all their systems are scored

METRICS: Mapping[str, MetricRow] = {  # by their names on the command line
    "sari": MetricRow("SARI", "mean of sentences, variant xu2016, lower-cased, 13a tokens", SARI(tokenizer="13a")),
    "sari-easse": MetricRow("SARI (EASSE)", "counts pooled over the sentences, variant easse", SARI(variant="easse")),
    "bleu": MetricRow(
        "BLEU",
        "mean of sentences, lower-cased, 13a tokens, exponential smoothing",
        BLEU(average="sentence", lowercase=True),
    ),
    "bertscore": MetricRow("BERTScore", "mean of sentences, F1 with the nearest of the references"),
    "lens": MetricRow("LENS", "mean of sentences, the model that comes with plainwright"),
}


@dataclass(frozen=True, kw_only=True)
class Systems:
    """Holds the five systems on the same sentences, and references that none of them wrote."""

    outputs: RatedOutputs
    references: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, sources: Sequence[str], references: Sequence[Sequence[str]], *, seed: int) -> Systems:
        """Of each sentence one reference becomes Human, and the source is copied and spoilt."""
        items = tuple(map(str, range(len(sources))))
        outputs, left = [], {}
        for item, source, group in zip(items, sources, references, strict=True):
            if len(group) < 2:
                msg = f"sentence {item}: expected two references or more, one of them to be scored, found {len(group)}"
                raise DataError(msg)
            rng = generator_of(source, seed)
            human = int(rng.integers(len(group)))
            left[item] = (*group[:human], *group[human + 1 :])
            spoilt = (
                drop_words(source, _DROPPED, rng),
                scramble_words(source, _SCRAMBLED, rng),
                split_in_middle(source),
            )
            outputs.append((source, group[human], *spoilt))
        texts = RatedOutputs(items=items, systems=SYSTEMS, sources=tuple(sources), outputs=tuple(outputs))
        return cls(outputs=texts, references=left)

    def scored(self, metric: Metric, *, threads: int = 1) -> MetricScores:
        """Score all systems with a metric, a few sentences at a time."""
        texts = self.outputs
        parts = [
            score_outputs(
                replace(
                    texts,
                    items=texts.items[first : first + _AT_ONCE],
                    sources=texts.sources[first : first + _AT_ONCE],
                    outputs=texts.outputs[first : first + _AT_ONCE],
                ),
                metric,
                self.references,
                threads=threads,
            )
            for first in range(0, len(texts.items), _AT_ONCE)
        ]
        return replace(parts[0], items=texts.items, stats=np.concatenate([part.stats for part in parts]))


def figure2(
    data: Path | None = None,
    sampling: Sampling | None = None,
    *,
    metrics: Sequence[str] | None = None,
    threads: int = 1,
    lens_model: Path | None = None,
) -> Reproduction:
    """Compare the five systems on ASSET valid; without names of metrics, with all that are installed."""
    rows = choose_rows(METRICS, metrics, lens_model=lens_model)
    corpus = corpora.load(NEEDS[0], data=data)
    return compare(corpus.sources, corpus.references, rows, sampling or Sampling(), threads=threads)


def compare(
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    rows: ChosenRows,
    sampling: Sampling,
    *,
    threads: int = 1,
) -> Reproduction:
    """Compare the five systems on any sentences with two references or more."""
    systems = Systems.of(sources, references, seed=sampling.seed)
    scores = {row: systems.scored(metric, threads=threads) for row, metric in rows.metrics.items()}
    resampled = {row: _resampled(found, sampling) for row, found in scores.items()}
    means = Block(
        title="Scores of the five systems",
        cells=tuple(cell for row in scores for cell in _mean_cells(row, scores[row], resampled[row])),
        methods=rows.methods,
    )
    differences = Block(
        title="Differences: the first less the second",
        cells=tuple(cell for row in scores for cell in _difference_cells(row, scores[row], resampled[row])),
    )
    wins = Block(
        title="Sentences, in per cent, on which the first scores higher (equal scores count half)",
        cells=tuple(cell for row in scores for cell in _win_cells(row, scores[row].sentences)),
    )
    return Reproduction(
        name="lens2023-figure2",
        title=TITLE,
        citation="Maddela, Dou, Heineman and Xu (2023), ACL",
        protocol=LENS2023_FIGURE2,
        blocks=(means, differences, wins),
        findings=tuple(_findings(differences)),
        notes=(
            "The bars of the figure have no numbers, so there is none of the paper's beside ours.",
            *rows.notes,
            *_lessons(rows.metrics),
        ),
        sampling=sampling,
    )


def _lessons(metrics: Mapping[str, Metric]) -> Iterator[str]:
    """Whether a metric was taught what the figure asks for."""
    for row, metric in metrics.items():
        if isinstance(metric, LENS) and metric.scorer.model.settings.get("corruptions", "none") != "none":
            yield (
                f"{row}: its model was trained with texts spoilt in these three ways, of other sentences; that it "
                "ranks them low shows that it learnt the lesson, not that ratings alone would have taught it."
            )


def _resampled(scores: MetricScores, sampling: Sampling) -> Array:
    """The value of every system in every resample of the sentences, the same for every metric."""
    blocks = draws(
        len(scores.items),
        len(SYSTEMS),
        resampled="inputs",
        resamples=sampling.resamples,
        seed=sampling.seed,
        cells=len(scores.items),
    )
    return np.concatenate([scores.corpus(block.inputs) for block in blocks])


def _mean_cells(row: str, scores: MetricScores, resampled: Array) -> Iterator[Cell]:
    for at, system in enumerate(SYSTEMS):
        yield _cell(row, system, scores.corpus()[at], resampled[:, at], n=len(scores.items))


def _difference_cells(row: str, scores: MetricScores, resampled: Array) -> Iterator[Cell]:
    values = scores.corpus()
    for first, second in _PAIRS:
        one, other = SYSTEMS.index(first), SYSTEMS.index(second)
        differences = resampled[:, one] - resampled[:, other]
        yield _cell(row, f"{first} - {second}", values[one] - values[other], differences, n=len(scores.items))


def _cell(row: str, column: str, value: float, resampled: Array, *, n: int) -> Cell:
    interval = Interval.of(resampled)
    return Cell(
        row=row,
        column=column,
        paper=None,
        ours=float(value),
        intervals={} if interval is None else {"sources": interval},
        n=n,
    )


def _win_cells(row: str, sentences: Array) -> Iterator[Cell]:
    for first, second in _PAIRS:
        one, other = sentences[:, SYSTEMS.index(first)], sentences[:, SYSTEMS.index(second)]
        share = np.mean((one > other) + 0.5 * (one == other))
        yield Cell(row=row, column=f"{first} - {second}", paper=None, ours=100 * float(share), digits=1)


def _findings(block: Block) -> Iterator[Finding]:
    if "BERTScore" in block.rows:
        yield Finding(
            "BERTScore ranks some conservative or corrupted systems above human simplifications",
            _told(block, "BERTScore", [pair for pair in _PAIRS if pair[0] == "Human"]),
        )
    if "SARI" in block.rows:
        yield Finding(
            "SARI penalizes the conservative system, but ranks the disfluent systems above it",
            _told(block, "SARI", _REQUIRED),
        )
    yield Finding(
        "an ideal metric captures both similarity and edits: Human above Copy, and Copy above each of the three",
        "; ".join(f"{row} {_requirement(block, row)}" for row in block.rows) + ".",
    )


def _told(block: Block, row: str, pairs: Sequence[tuple[str, str]]) -> str:
    """Which of two is above the other, and by how much."""
    sentences = []
    for first, second in pairs:
        cell = block.cell(row, f"{first} - {second}")
        interval = cell.intervals["sources"]
        order = {"holds": "above", "fails": "below", "open": "not told from"}[_verdict(interval)]
        sentences.append(f"{first} is {order} {second}, {cell.ours:+.2f} [{interval.low:+.2f} {interval.high:+.2f}]")
    return "; ".join(sentences) + "."


def _requirement(block: Block, row: str) -> str:
    verdicts = {
        f"{first} over {second}": _verdict(block.cell(row, f"{first} - {second}").intervals["sources"])
        for first, second in _REQUIRED
    }
    missed = [f"{pair} {verdict}" for pair, verdict in verdicts.items() if verdict != "holds"]
    return f"does not: {', '.join(missed)}" if missed else "holds in all four"


def _verdict(interval: Interval) -> str:
    return "holds" if interval.low > 0 else "fails" if interval.high < 0 else "open"
