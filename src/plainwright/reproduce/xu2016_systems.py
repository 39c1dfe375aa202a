"""Xu et al. (2016), Tables 2, 4 and 6: an example, basic statistics of the systems, and how long metrics take.

Of Table 4 only the statistics: its ratings are not public. Table 6 is measured on the machine that runs it, so its
numbers are never the same twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median

from rapidfuzz.distance import Levenshtein

from plainwright import corpora
from plainwright.metrics import BLEU, FKBLEU, SARI, Metric
from plainwright.reproduce.choices import XU2016_TABLE6
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction
from plainwright.reproduce.xu2016 import CITATION, system_outputs

__all__ = ["TABLE_2", "TABLE_4", "TABLE_6", "table2", "table4", "table6"]

TABLE_2 = "Xu et al. (2016), Table 2: an example of every system"
TABLE_4 = "Xu et al. (2016), Table 4: length and edit distance of the systems' outputs"
TABLE_6 = "Xu et al. (2016), Table 6: time of BLEU, FKBLEU and SARI per candidate"

# Row: (system of the registered sets) and words that differ from the first row as printed, counted in the paper.
_EXAMPLE = {
    "Normal Wikipedia": ("source", 0),
    "Simple Wikipedia": ("Simple Wikipedia", 10),
    "Mechanical Turk #1": ("turk.5", 11),
    "Mechanical Turk #2": ("turk.1", 3),
    "PBMT-R": ("PBMT-R", 4),
    "SBMT (PPDB + BLEU)": ("SBMT-BLEU", 9),
    "SBMT (PPDB + FKBLEU)": ("SBMT-FKBLEU", 7),
    "SBMT (PPDB + SARI)": ("SBMT-SARI", 5),
}
_EXAMPLE_AT = 1  # the second sentence of the test set
_ANOTHER_RUN = "the released output is of another run: a word or two are not those that the paper prints"

# Row: system and #tokens, #chars, edit distance as printed.
_STATISTICS = {
    "Normal Wikipedia": ("source", (23, 125, 0.00)),
    "Simple Wikipedia": ("Simple Wikipedia", (22, 116, 6.69)),
    "Mechanical Turk": ("turk.0", (19, 104, 8.25)),
    "PBMT-R": ("PBMT-R", (20, 108, 5.96)),
    "SBMT (PPDB + BLEU)": ("source", (23, 125, 0.00)),
    "SBMT (PPDB + FKBLEU)": ("SBMT-FKBLEU", (21, 107, 4.03)),
    "SBMT (PPDB + SARI)": ("SBMT-SARI", (23, 118, 3.98)),
}
_Statistic = Callable[[str, str], float]  # of source and output
_COLUMNS: Mapping[str, tuple[_Statistic, int, str]] = {
    "#tokens": (lambda _, output: len(output.split()), 0, "mean of the words between spaces, punctuation included"),
    "#chars": (lambda _, output: len(output), 0, "mean of the characters of a line, spaces included"),
    "Edit Dist.": (
        lambda source, output: Levenshtein.distance(source.split(), output.split()),
        2,
        "mean Levenshtein distance to the source, word by word",
    ),
}

# Row: metric, and milliseconds as printed.
_TIMES: Mapping[str, tuple[Metric, float]] = {
    "BLEU": (BLEU(average="sentence"), 0.12540908),
    "FKBLEU": (FKBLEU(), 1.2527733),
    "SARI": (SARI(), 0.15506646),
}
_ROUNDS = 5
_OTHER_CODE = "another machine and other code: ours is a small core in C++, the paper's a part of Joshua, in Java"


def table2(data: Path | None = None) -> Reproduction:
    """Set the released outputs of the paper's example beside what it prints."""
    outputs = system_outputs(data)
    source = outputs["source"][_EXAMPLE_AT]
    cells, texts = [], []
    for row, (system, printed) in _EXAMPLE.items():
        text = outputs[system][_EXAMPLE_AT]
        ours = Levenshtein.distance(source.split(), text.split())
        cell = Cell(row=row, column="words changed", paper=printed, ours=ours, digits=0)
        cells.append(replace(cell, note=_ANOTHER_RUN) if cell.difference else cell)
        texts.append(f"{row}: {text}")
    return Reproduction(
        name="xu2016-table2",
        title=TABLE_2,
        citation=CITATION,
        blocks=(
            Block(
                cells=tuple(cells),
                methods={"words changed": "Levenshtein distance to the first row, word by word, in lower case"},
            ),
        ),
        notes=(
            "The paper's numbers are counted in the sentences that it prints.",
            "Mechanical Turk #1 and #2 are the references 5 and 1 of the test set, counted from 0.",
            "What was released, in lower case and with spaces between tokens:",
            *texts,
        ),
    )


def table4(data: Path | None = None) -> Reproduction:
    """Compute the columns of Table 4 that need no raters."""
    outputs = system_outputs(data)
    cells = [
        _explained(row, column, printed, _mean(statistic, outputs["source"], outputs[system]), digits)
        for row, (system, values) in _STATISTICS.items()
        for (column, (statistic, digits, _)), printed in zip(_COLUMNS.items(), values, strict=True)
    ]
    return Reproduction(
        name="xu2016-table4",
        title=TABLE_4,
        citation=CITATION,
        blocks=(Block(cells=tuple(cells), methods={column: method for column, (*_, method) in _COLUMNS.items()}),),
        notes=(
            "Grammar, Meaning and Simplicity+ are left out: the authors have not published their ratings.",
            "SBMT (PPDB + BLEU) returned its input unchanged, so its row is that of Normal Wikipedia.",
            "Mechanical Turk is worker 0, as in Table 5: of the eight, no other has 19 tokens and 104 characters.",
        ),
    )


def _mean(statistic: _Statistic, sources: Sequence[str], outputs: Sequence[str]) -> float:
    return fmean(statistic(source, output) for source, output in zip(sources, outputs, strict=True))


def _explained(row: str, column: str, paper: float, ours: float, digits: int) -> Cell:
    cell = Cell(row=row, column=column, paper=paper, ours=ours, digits=digits)
    if not cell.difference:
        return cell
    return replace(cell, note="unknown: a few of some thousand edits; perhaps a token was divided in another way")


def table6(data: Path | None = None) -> Reproduction:
    """Measure how long each metric takes for a candidate, as tuning asks it: many candidates of one source."""
    corpus = corpora.load("turkcorpus/test", data=data)
    outputs = system_outputs(data)
    systems = [lines for name, lines in outputs.items() if not name.startswith("turk.")]
    candidates = list(zip(*systems, strict=True))
    many, alone = (
        {row: how(metric, corpus, candidates) for row, (metric, _) in _TIMES.items()}
        for how in (_time_prepared, _time_alone)
    )
    bleu = _TIMES["BLEU"][1]
    cells = [
        cell
        for row, (_, paper) in _TIMES.items()
        for cell in (
            _timed(row, "ms, many candidates", paper, many[row]),
            _timed(row, "ms, one by one", paper, alone[row]),
            _timed(row, "times BLEU, many", paper / bleu, many[row] / many["BLEU"]),
            _timed(row, "times BLEU, one", paper / bleu, alone[row] / alone["BLEU"]),
        )
    ]
    return Reproduction(
        name="xu2016-table6",
        title=TABLE_6,
        citation=CITATION,
        protocol=XU2016_TABLE6,
        blocks=(
            Block(
                cells=tuple(cells),
                methods={
                    "many candidates": "source and references are read once for all candidates of a sentence",
                    "one by one": "everything is read anew for each candidate",
                    "times BLEU": "the time divided by that of BLEU",
                },
            ),
        ),
        findings=(
            Finding(
                "SARI is only slightly slower than BLEU",
                f"SARI takes {many['SARI'] / many['BLEU']:.1f} times as long as BLEU for many candidates, "
                f"{alone['SARI'] / alone['BLEU']:.1f} times as long one by one (the paper: "
                f"{_TIMES['SARI'][1] / bleu:.1f}).",
            ),
        ),
        notes=("The times are of this machine and this run, and change with both; the proportions change less.",),
    )


def _timed(row: str, column: str, paper: float, ours: float) -> Cell:
    cell = Cell(row=row, column=column, paper=paper, ours=ours, digits=4 if column.startswith("ms") else 2)
    return replace(cell, note=_OTHER_CODE) if cell.difference else cell


def _time_prepared(metric: Metric, corpus: corpora.Corpus, candidates: Sequence[Sequence[str]]) -> float:
    def work() -> None:
        for source, references, texts in zip(corpus.sources, corpus.references, candidates, strict=True):
            metric.prepare(source, references).score_many(texts)

    return _milliseconds(work, sum(map(len, candidates)))


def _time_alone(metric: Metric, corpus: corpora.Corpus, candidates: Sequence[Sequence[str]]) -> float:
    def work() -> None:
        for source, references, texts in zip(corpus.sources, corpus.references, candidates, strict=True):
            for text in texts:
                metric.sentence_score(source, text, references)

    return _milliseconds(work, sum(map(len, candidates)))


def _milliseconds(work: Callable[[], None], count: int) -> float:
    """Return the median processor time of some rounds, per candidate; a first round only warms up."""
    times = []
    for _ in range(_ROUNDS + 1):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * median(times[1:]) / count
