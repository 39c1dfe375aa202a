"""Ratings in the layouts in which others published them.

Aspects keep the names of their publication, written out where it has only letters. Published z-scores are not
taken over: `standardised` computes them again, and tests compare the two on the real files.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from plainwright.errors import DataError
from plainwright.study.ratings import cells
from plainwright.study.ratings.layout import Layout, Placed
from plainwright.study.ratings.raw import RawRow, RawTable
from plainwright.study.ratings.table import Rating, Scale

__all__ = ["ASSET_SYSTEM", "PUBLISHED"]

# The outputs rated with ASSET were drawn from six systems, and the file does not say which is whose.
ASSET_SYSTEM = "sampled"

_PERCENT = Scale(0, 100)
_LIKERT = Scale(1, 5, 1)
_CHANGE = Scale(-2, 2, 1)  # from much worse to much better than the source, 0 for no difference
_ANSWER = Scale(1, 3, 1)  # no, maybe, yes

Aspects = Mapping[str, tuple[str, Scale]]  # column -> aspect and its scale


def _by_column(aspects: Aspects, *, item: str, system: str, rater: str, source: str = "", output: str = "") -> _Ratings:
    """Reads tables with a row for each output and rater, and a column for each aspect."""

    def ratings(table: RawTable) -> Iterator[Placed]:
        for row in table.rows:
            for column, (aspect, scale) in aspects.items():
                score = cells.optional_number(table, row, column)
                if score is not None:  # an empty cell is a question that was not answered
                    yield (
                        row,
                        Rating(
                            item=cells.name_in(table, row, item),
                            system=cells.name_in(table, row, system),
                            rater=cells.name_in(table, row, rater),
                            aspect=aspect,
                            score=score,
                            scale=scale,
                            source=cells.optional_text(table, row, source),
                            output=cells.optional_text(table, row, output),
                        ),
                    )

    return ratings


_Ratings = Callable[[RawTable], Iterator[Placed]]

_SULEM: Aspects = {
    "G": ("grammaticality", _LIKERT),
    "M": ("meaning", _LIKERT),
    "S": ("simplicity", _CHANGE),
    "StS": ("structural simplicity", _CHANGE),
}
_SAMSA: Aspects = {
    "qa": ("grammaticality", _ANSWER),
    "qb": ("information added", _ANSWER),
    "qc": ("information removed", _ANSWER),
    "qd": ("structural simplicity", _ANSWER),
}
_DIRECT: Aspects = {
    "Answer.adequacy": ("adequacy", _PERCENT),
    "Answer.fluency": ("fluency", _PERCENT),
    "Answer.simplicity": ("simplicity", _PERCENT),
}
_GRADED: Aspects = {
    "Answer.adequacy": ("adequacy", _LIKERT),
    "Answer.fluency": ("fluency", _LIKERT),
    "Answer.simplicity": ("simplicity", _CHANGE),
}
_SIMPLICITY_DA: Aspects = {aspect: (aspect, _PERCENT) for aspect in ("fluency", "meaning", "simplicity")}
_STRUCTURAL: Aspects = {"structural_simplicity": ("structural simplicity", _CHANGE)}


def _simpeval_2022_worker(table: RawTable) -> Iterator[Placed]:
    """SimpDA and SimpLikert of 2022 have the same header; only scores tell the 0-100 from the five steps."""
    scores = [cells.optional_number(table, row, column) for row in table.rows for column in _DIRECT]
    graded = all(score is None or -2 <= score <= 5 for score in scores)
    read = _by_column(
        _GRADED if graded else _DIRECT,
        item="Input.id",
        system="Input.system",
        rater="WorkerId",
        source="Input.original",
        output="Input.simplified",
    )
    yield from read(table)


def _asset(table: RawTable) -> Iterator[Placed]:
    for row in table.rows:
        yield (
            row,
            Rating(
                item=cells.name_in(table, row, "original_sentence_id"),
                system=ASSET_SYSTEM,
                rater=cells.name_in(table, row, "worker_id"),
                aspect=cells.name_in(table, row, "aspect"),
                score=cells.number_in(table, row, "rating"),
                scale=_PERCENT,
                source=cells.optional_text(table, row, "original"),
                output=cells.optional_text(table, row, "simplification"),
            ),
        )


_RATING = re.compile(r"rating_(\d+)")
_CLOSE = 1e-6  # of published z-scores, which have some 15 digits


@dataclass(frozen=True, slots=True)
class _Cell:
    """One rating of SimpEval: the row, its item, the column of the rating, the score and the published z-score."""

    row: RawRow
    item: str
    column: str
    score: float
    z: float | None


def _simpeval(table: RawTable) -> Iterator[Placed]:
    """SimpEval, past and 2022: a column for each rating of an output, with its z-score in another."""
    found = [cell for row in table.rows for cell in _simpeval_cells(table, row)]
    raters = _simpeval_raters(found)
    # The raters saw what was made presentable, not the bare output.
    output = "processed_generation" if "processed_generation" in table.columns else "generation"
    for cell in found:
        yield (
            cell.row,
            Rating(
                item=cell.item,
                system=cells.name_in(table, cell.row, "system"),
                rater=raters[cell.item, cell.column],
                aspect="overall",
                score=cell.score,
                scale=_PERCENT,
                source=cells.optional_text(table, cell.row, "original"),
                output=cells.optional_text(table, cell.row, output) or "",  # one system gave nothing for one item
            ),
        )


def _simpeval_cells(table: RawTable, row: RawRow) -> Iterator[_Cell]:
    for column in table.columns:
        if _RATING.fullmatch(column):
            score = cells.optional_number(table, row, column)
            z_column = next((name for name in (f"{column}_z_score", f"{column}_zscore") if name in table.columns), "")
            if score is not None:
                item = cells.name_in(table, row, "original_id")
                yield _Cell(row, item, column, score, cells.optional_number(table, row, z_column))


def _simpeval_raters(found: Sequence[_Cell]) -> dict[tuple[str, str], str]:
    """Who rated an item in a column; the person with the most ratings is called 1.

    A column is not always one person: in SimpEval 2022 five people share three columns. The published z-scores
    give them away, because z = (score - mean) / deviation with the mean and the deviation of one person; all
    ratings of an item in a column are by the same. Without z-scores every column counts as a person, by its number.
    """
    blocks: dict[tuple[str, str], list[_Cell]] = {}
    for cell in found:
        blocks.setdefault((cell.item, cell.column), []).append(cell)
    people: list[tuple[float, float]] = []  # mean and deviation
    owners: dict[tuple[str, str], int | str] = {}
    # Blocks with the widest spread of scores first: where all scores are alike, no line can be drawn.
    for key, block in sorted(blocks.items(), key=lambda entry: -_spread(entry[1])):
        owners[key] = _person(block, people, key[1])
    if not people:
        return {key: key[1].removeprefix("rating_") for key in blocks}
    counts = Counter[int | str]()
    for key, block in blocks.items():
        counts[owners[key]] += len(block)
    numbers = {owner: str(number) for number, (owner, _) in enumerate(counts.most_common(), start=1)}
    return {key: numbers[owner] for key, owner in owners.items()}


def _person(block: Sequence[_Cell], people: list[tuple[float, float]], column: str) -> int | str:
    """The number of the person in `people`, to which a new one is added; the column if nothing can be told."""
    pairs = [(cell.score, cell.z) for cell in block if cell.z is not None]
    if len(pairs) < len(block):
        return column
    fitting = [
        number
        for number, (mean, deviation) in enumerate(people)
        if all(abs((score - mean) / deviation - z) < _CLOSE for score, z in pairs)
    ]
    if len(fitting) == 1:
        return fitting[0]
    (low, z_low), (high, z_high) = min(pairs), max(pairs)
    if fitting or low == high or z_low >= z_high:
        return column
    deviation = (high - low) / (z_high - z_low)
    if not 0 < deviation < math.inf:  # of numbers so far apart that no scale has them
        return column
    people.append((low - z_low * deviation, deviation))
    return len(people) - 1


def _spread(block: Sequence[_Cell]) -> float:
    return max(cell.score for cell in block) - min(cell.score for cell in block)


def _metaeval(aspects: Aspects) -> Callable[[RawTable], Iterator[Placed]]:
    return _by_column(
        aspects, item="sent_id", system="sys_name", rater="rater_id", source="orig_sent", output="simp_sent"
    )


def _refuse_means(table: RawTable) -> Iterator[Placed]:
    msg = (
        f"{table.name}: expected the rating of each rater, found means over raters (no column 'rater_id'); "
        "read the file with the ratings per annotator"
    )
    raise DataError(msg)


_ANNOTATED = ("system", "sent_id", "annotator")
_RATED = ("sent_id", "sys_name", "rater_id")

PUBLISHED = (
    Layout(
        name="simpeval",
        title="SimpEval past and 2022: a column for each rating",
        columns=("original_id", "original", "generation", "system", "rating_1"),
        ratings=_simpeval,
    ),
    Layout(
        name="simpeval-workers",
        title="SimpDA 2022 and SimpLikert 2022",
        columns=("WorkerId", "Input.id", "Input.system", *_DIRECT),
        ratings=_simpeval_2022_worker,
    ),
    Layout(
        name="sulem2018",
        title="Sulem et al. 2018 and HSplit: G, M, S, StS",
        columns=(*_ANNOTATED, *_SULEM),
        ratings=_by_column(_SULEM, item="sent_id", system="system", rater="annotator"),
    ),
    Layout(
        name="samsa2018",
        title="SAMSA: four questions, qa to qd",
        columns=(*_ANNOTATED, *_SAMSA),
        ratings=_by_column(_SAMSA, item="sent_id", system="system", rater="annotator"),
    ),
    Layout(
        name="asset",
        title="ASSET: fluency, meaning and simplicity of sampled outputs",
        columns=("original_sentence_id", "original", "simplification", "aspect", "worker_id", "rating"),
        ratings=_asset,
    ),
    Layout(
        name="simplicity-da",
        title="Simplicity-DA: ratings of each annotator",
        columns=(*_RATED, "simplicity"),
        ratings=_metaeval(_SIMPLICITY_DA),
    ),
    Layout(
        name="structural-simplicity",
        title="Structural simplicity, published with Simplicity-DA",
        columns=(*_RATED, *_STRUCTURAL),
        ratings=_metaeval(_STRUCTURAL),
    ),
    Layout(
        name="simplicity-da-means",
        title="Simplicity-DA: means over annotators",
        columns=("sent_id", "sys_name", "simplicity", "simplicity_zscore"),
        ratings=_refuse_means,
    ),
)
