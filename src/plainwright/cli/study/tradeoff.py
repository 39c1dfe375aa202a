"""`plainwright study tradeoff`: does one aspect come at the price of another?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import typer

from plainwright.cli import options
from plainwright.cli.study import options as study_options
from plainwright.cli.study.page import check_page, write_page
from plainwright.cli.study.text import aligned, echo_json, shown_estimate, shown_p, wrapped

if TYPE_CHECKING:
    from plainwright.study.tradeoff import Relation, Tradeoff

__all__ = ["tradeoff"]


@study_options.takes_ratings
def tradeoff(
    given: study_options.RatingsOptions,
    *,
    aspect: study_options.Aspects = None,
    values: study_options.Values = "raw",
    resamples: study_options.Resamples = 1000,
    seed: study_options.Seed = 12345,
    as_json: options.AsJson = False,
    html: study_options.Html = None,
) -> None:
    """Find out whether one aspect comes at the cost of another: over all outputs, between systems and within them.

    \b
    Examples:
      plainwright study tradeoff mine.csv --aspect simplicity,meaning
      plainwright study tradeoff sulem2018/ratings --json
    """
    from itertools import combinations

    from plainwright.errors import DataError
    from plainwright.study import tradeoff as library
    from plainwright.study.attempts import attempt_each

    study_options.check_resampling(resamples=resamples, seed=seed)
    check_page(html, given)
    ratings = given.load()
    names = study_options.chosen_aspects(ratings, aspect)
    if len(names) < 2:
        others = ", ".join(name for name in ratings.aspects if name not in names)
        msg = f"a trade-off needs two aspects, found only {names[0]!r}; the ratings have {others or 'no other'}"
        raise DataError(msg)

    def between(first: str, second: str) -> Tradeoff:
        return library.tradeoff(ratings, first, second, values=values, resamples=resamples, seed=seed)

    results, problems = attempt_each(between, combinations(names, 2))
    write_page(
        html, title=f"Trade-offs: {given.display_name}", tradeoffs=tuple(results), missing={"tradeoffs": problems}
    )
    if as_json:
        failed = [{"first": pair[0], "second": pair[1], "problem": problem} for pair, problem in problems.items()]
        echo_json({"ratings_file": given.ratings, "tradeoffs": [*(result.to_dict() for result in results), *failed]})
    else:
        typer.echo("\n".join(_lines(given.ratings, results, problems)))


_HEADER = ("compared", "points", "r", "R²", "slope", "p")


def _lines(name: str, results: Sequence[Tradeoff], problems: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    yield f"{name}: trade-offs between {'z-scores' if results[0].values == 'z' else 'aspects'}"
    for result in results:
        yield ""
        yield f"{result.second} against {result.first}: {len(result.points):,} outputs"
        if result.left_out:
            yield f"  {result.left_out:,} more were rated on one of the two only and are left out"
        yield from (f"  {line}" for line in aligned(_HEADER, [_row(relation) for relation in result.relations]))
        yield wrapped(result.statement, indent=2)
    for (first, second), problem in problems.items():
        yield ""
        yield wrapped(f"{second} against {first}: {problem}")
    yield ""
    yield wrapped(
        f"Intervals: 95 % of {results[0].resamples:,} resamples of sources, each with all its outputs (seed "
        f"{results[0].seed}). p: t-test of the slope, as if points were independent; trust the intervals more. "
        "Slope: points of the second aspect for each point of the first."
    )


def _row(relation: Relation) -> tuple[str, ...]:
    r, squared, slope = (shown_estimate(part) for part in (relation.r, relation.r_squared, relation.slope))
    return (relation.level, f"{relation.r.n:,}", r, squared, slope, shown_p(relation.r.p_value))
