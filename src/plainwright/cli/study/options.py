"""Options that the `study` commands share, and how they become ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plainwright.cli import options

if TYPE_CHECKING:
    from plainwright.study.ratings import Ratings

__all__ = [
    "Aspect",
    "Aspects",
    "Columns",
    "Ddof",
    "Html",
    "Layout",
    "RatingsOptions",
    "Resamples",
    "ScoresIn",
    "Seed",
    "Values",
    "check_resampling",
    "chosen_aspects",
    "split_names",
    "takes_ratings",
]

_MAX_RESAMPLES = 1_000_000

Aspect = Annotated[
    str | None, typer.Option(metavar="NAME", help="Aspect that was rated, such as simplicity. Default: the only one.")
]
Aspects = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME,…", help="Aspects that were rated, such as simplicity,meaning. Default: all."),
]
Values = Annotated[
    Literal["raw", "z"], typer.Option(help="raw: scores as given. z: relative to each rater's own mean and deviation.")
]
Layout = Annotated[
    str | None, typer.Option(metavar="NAME", help="Layout of the table. Default: detected from its header.")
]
Columns = Annotated[
    str | None,
    typer.Option(
        metavar="NAME=COLUMN,…",
        help="Names that the file uses for columns of the long table, such as item=sent_id,rater=worker.",
    ),
]
ScoresIn = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN,…",
        help="Columns with the scores of one aspect each, if a row has several, such as simplicity,meaning.",
    ),
]
Ddof = Annotated[int, typer.Option(help="Standard deviations for z-scores divide by n (0) or by n - 1 (1).")]
Seed = Annotated[int, typer.Option(help="Seed of the resampling.")]
Resamples = Annotated[int, typer.Option(help="Number of resamples for intervals and tests.")]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write an HTML page with plots.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingsOptions:
    """Which ratings to read and how; the parameters that `takes_ratings` gives to a command."""

    ratings: Annotated[
        str,
        typer.Argument(
            metavar="RATINGS",
            help="A .csv, .tsv, .jsonl or .parquet file (- for CSV on standard input), or registered ratings (see "
            "`plainwright corpora list --kind ratings`).",
        ),
    ]
    layout: Layout = None
    columns: Columns = None
    scores_in: ScoresIn = None
    scale: Annotated[
        str | None,
        typer.Option(metavar="SCALE", help='Scale of rows that do not state one, such as "1..5 by 1" or 0..100.'),
    ] = None
    ddof: Ddof = 0
    data: options.Data = None

    @property
    def files(self) -> list[str]:
        """What may name a file to read."""
        return [self.ratings]

    @property
    def display_name(self) -> str:
        """What pages call the ratings: their registered name, or that of their file without folder and ending."""
        if self.ratings == "-":
            return "standard input"
        path = Path(self.ratings)
        return path.name.removesuffix(".gz").removesuffix(path.suffix) if path.is_file() else self.ratings

    def load(self) -> Ratings:
        """The ratings, checked, with raw scores and z-scores side by side."""
        from plainwright.study.checks import check_size
        from plainwright.study.ratings import Scale, read_ratings, standardised

        ratings = read_ratings(
            self.ratings,
            layout=self.layout,
            columns=_columns(self.columns),
            scores_in=_names(self.scores_in),
            scale=None if self.scale is None else Scale.parse(self.scale),
            data=self.data,
        )
        check_size(max((row.score for row in ratings), key=abs), self.ratings)
        return standardised(ratings, ddof=self.ddof)


takes_ratings = options.takes_options(RatingsOptions)


def chosen_aspects(ratings: Ratings, wanted: Sequence[str] | None) -> tuple[str, ...]:
    """The aspects asked for (`--aspect a b`, `--aspect a,b`), or all; an unknown one is an error."""
    from plainwright.arguments import check_choice

    names = split_names(wanted, ratings.aspects)
    for name in names:
        check_choice(name, ratings.aspects, "aspect", listing="these ratings have")
    return names or ratings.aspects


def split_names(wanted: Sequence[str] | None, known: Sequence[str]) -> tuple[str, ...]:
    """The names of an option given as `a b` or `a,b`; one with a comma in it is taken whole if it is known."""
    names = [name for item in wanted or () for name in ([item] if item in known else item.split(","))]
    return tuple(dict.fromkeys(name.strip() for name in names))


def check_resampling(*, resamples: int, seed: int, least: int = 1) -> None:
    """Refuse numbers that cannot be a count of resamples or a seed."""
    options.check_range("--resamples", resamples, least, _MAX_RESAMPLES)
    options.check_range("--seed", seed, 0, None)


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in (text or "").split(",") if name.strip()))


def _columns(text: str | None) -> dict[str, str] | None:
    from plainwright.errors import DataError

    if text is None:
        return None
    pairs = [item.partition("=") for item in text.split(",")]
    names: dict[str, str] = {}
    for name, equals, column in ((name.strip(), equals, column.strip()) for name, equals, column in pairs):
        if not (name and equals and column) or name in names:
            msg = f"--columns: expected NAME=COLUMN for each column once, as in item=sent_id,rater=who, found {text!r}"
            raise DataError(msg)
        names[name] = column
    return names
