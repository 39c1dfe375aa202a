"""`plainwright study report`: one page with all that a table of ratings can tell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.study import options as study_options
from plainwright.cli.study.page import save_page
from plainwright.cli.study.scoring import ScoringOptions

if TYPE_CHECKING:
    from plainwright.study.ratings import Ratings
    from plainwright.study.scores import MetricScores

__all__ = ["report"]


@options.takes_options(ScoringOptions)
def report(
    chosen: ScoringOptions,
    *,
    aspect: study_options.Aspects = None,
    values: study_options.Values = "raw",
    resamples: study_options.Resamples = 1000,
    seed: study_options.Seed = 12345,
    title: Annotated[str | None, typer.Option(help="Title of the page.")] = None,
    save: Annotated[Path, typer.Option("--save", "-o", metavar="FILE", help="The page to write.")] = Path("study.html"),
) -> None:
    """Write one HTML page with everything the ratings can show.

    \b
    Examples:
      plainwright study report mine.csv --references refs.tsv
      plainwright study report simpeval/past --references turkcorpus/test.detok \\
        --save simpeval.html
    """
    from plainwright.report.study import gather

    study_options.check_resampling(resamples=resamples, seed=seed, least=2)
    options.check_output(save, chosen)
    ratings = chosen.load()
    aspects = study_options.chosen_aspects(ratings, aspect)
    scores, notes, why_none = _scores(chosen, ratings)
    results = gather(
        ratings,
        title=title or f"Study: {chosen.display_name}",
        scores=scores,
        score_notes=notes,
        no_scores=why_none,
        aspects=aspects,
        values=values,
        resamples=resamples,
        seed=seed,
    )
    save_page(save, results)
    typer.echo(str(save))


def _scores(chosen: ScoringOptions, ratings: Ratings) -> tuple[list[MetricScores], list[str], str]:
    """What metrics say, with notes; or why there are none, where none was asked for."""
    from plainwright.errors import DataError

    try:
        scores, notes = chosen.score(ratings)
    except DataError as error:
        if chosen.metrics or chosen.references or chosen.scores:
            raise
        return [], [], f"No metric can be compared with people: {error}."
    return scores, notes, " ".join(["No metric can be compared with people.", *notes])
