"""`plainwright study agree`: do the raters agree, and does one of them stand out?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.study import options as study_options
from plainwright.cli.study.options import RatingsOptions, check_resampling, chosen_aspects, takes_ratings
from plainwright.cli.study.page import check_page, write_page
from plainwright.cli.study.text import aligned, echo_json, shown_estimate, wrapped

if TYPE_CHECKING:
    from plainwright.study.agreement import AspectAgreement
    from plainwright.study.estimate import Interval
    from plainwright.study.raters import RaterReport

__all__ = ["agree"]

_MAX_DRAWS = 100_000

_Level = Annotated[
    Literal["nominal", "ordinal", "interval", "ratio"], typer.Option(help="Level of measurement for alpha.")
]
_Rounding = Annotated[
    Literal["away", "even", "up", "down"],
    typer.Option(help="How kappa rounds a mean halfway between two scores: away from zero, to the even one …"),
]
_Draws = Annotated[int, typer.Option(help="Number of times kappa draws a rater for each output.")]


@takes_ratings
def agree(
    given: RatingsOptions,
    aspect: study_options.Aspects = None,
    values: study_options.Values = "raw",
    level: _Level = "interval",
    rounding: _Rounding = "away",
    draws: _Draws = 1000,
    resamples: study_options.Resamples = 1000,
    seed: study_options.Seed = 12345,
    as_json: options.AsJson = False,
    html: study_options.Html = None,
) -> None:
    """Measure whether the raters agree, and whether one of them stands out.

    Prints, for each aspect, Krippendorff's alpha, quadratic kappa between a rater and the rounded mean of the others,
    the mean correlation of two raters, and a line on every rater; all with intervals over items.
    """
    from plainwright.study.agreement import aspect_agreement

    check_resampling(resamples=resamples, seed=seed)
    options.check_range("--draws", draws, 1, _MAX_DRAWS)
    check_page(html, given)
    ratings = given.load()
    results = [
        aspect_agreement(
            ratings, name, values=values, level=level, rounding=rounding, draws=draws, resamples=resamples, seed=seed
        )
        for name in chosen_aspects(ratings, aspect)
    ]
    write_page(html, title=f"Agreement: {given.display_name}", agreement=tuple(results))
    if as_json:
        echo_json({"ratings_file": given.ratings, "aspects": [result.to_dict() for result in results]})
    else:
        typer.echo("\n".join(_report(given.ratings, results)))


def _report(name: str, results: Sequence[AspectAgreement]) -> Iterator[str]:
    yield f"{name}: how far the raters agree"
    yield ""
    header = ("aspect", "outputs", "raters", f"alpha ({results[0].level})", "kappa (quadratic)", "two raters' r")
    yield from aligned(header, [_row(result) for result in results])
    for result in results:
        yield ""
        yield from _aspect(result)
    yield ""
    yield from _footer(results)


def _row(result: AspectAgreement) -> list[str]:
    estimates = (result.alpha, result.kappa_estimate, result.correlations.mean)
    return [result.aspect, f"{result.outputs:,}", f"{len(result.raters)}", *map(shown_estimate, estimates)]


def _aspect(result: AspectAgreement) -> Iterator[str]:
    yield f"{result.aspect}: {_scale(result)}"
    yield wrapped(result.statement, indent=2)
    kappa = result.kappa_estimate
    if kappa.problem and kappa.problem != result.alpha.problem:
        yield wrapped(f"There is no kappa: {kappa.problem}.", indent=2)
    yield ""
    header = ("rater", "ratings", "mean", "sd", "most used", "used", "r with the others", "drift")
    columns = len(header) if _timed(result) else len(header) - 1
    yield from aligned(header[:columns], [_rater(report)[:columns] for report in result.raters])
    for report in result.raters:
        yield from (wrapped(f"! {finding.sentence}", indent=2) for finding in report.findings)


def _rater(report: RaterReport) -> list[str]:
    return [
        report.rater,
        f"{report.ratings:,}",
        f"{report.mean:.2f}",
        f"{report.deviation:.2f}",
        f"{report.most_used:g} ({100 * report.most_used_share:.0f} %)",
        f"{report.lowest:g} to {report.highest:g}",
        shown_estimate(report.with_others),
        shown_estimate(report.drift, sign="+"),
    ]


def _footer(results: Sequence[AspectAgreement]) -> Iterator[str]:
    first = results[0]
    values = "z-scores; mean, sd, scores used and kappa: scores as given" if first.values == "z" else "scores as given"
    yield wrapped(
        f"Intervals: 95 % of {first.resamples:,} resamples of items, all outputs of an item together "
        f"(seed {first.seed}). Compared by {values}.",
    )
    yield from _kappa_note(results)
    drift = "how the difference from that mean changes from the rater's first output to the last"
    if not any(map(_timed, results)):
        drift = f"not known, since {first.raters[0].drift.problem}"
    yield wrapped(f"r: Pearson's, with the mean of the other raters of the same output. Drift: {drift}.")


def _kappa_note(results: Sequence[AspectAgreement]) -> Iterator[str]:
    from plainwright.study.agreement import RepeatedKappa

    spreads = [(r.aspect, r.kappa) for r in results if isinstance(r.kappa, RepeatedKappa) and r.kappa.repetitions]
    if not spreads:
        return
    drawn = spreads[0][1]
    shown = "; ".join(
        f"{aspect} {_range(kappa.repetitions)}" + ("" if kappa.margin is None else f", median ± {kappa.margin:.3f}")
        for aspect, kappa in spreads
        if kappa.repetitions is not None
    )
    yield wrapped(
        f"Kappa: median of {drawn.draws:,} draws of one rater for each output against the mean of the others, halves "
        f"{_HALVES[drawn.rounding]}. 95 % of the draws lie in: {shown}. More draws make that ± smaller, and say "
        "nothing about other sentences; the interval above does.",
    )


_HALVES = {"away": "away from zero", "even": "to the even score", "up": "up", "down": "down"}


def _timed(result: AspectAgreement) -> bool:
    return any(report.drift.value is not None for report in result.raters)


def _scale(result: AspectAgreement) -> str:
    scale = "scale not stated" if result.scale is None else f"scale {result.scale}"
    counts = ((result.items, "item"), (result.systems, "system"), (result.ratings, "rating"))
    return ", ".join([*(f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in counts), scale])


def _range(interval: Interval) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"
