"""`plainwright rate analyse`: agreement, systems, position bias and raters of a study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.rate.options import StudyArgument, StudyFiles, opened
from plainwright.cli.study import options as study_options
from plainwright.cli.study.page import check_page, write_page
from plainwright.cli.study.text import aligned, echo_json, shown_estimate, shown_p, wrapped

if TYPE_CHECKING:
    from plainwright.rate.results.analysis import Analysis, AspectAnalysis
    from plainwright.rate.results.quality import RaterQuality
    from plainwright.rate.results.systems import SystemRanking

__all__ = ["analyse"]

_MAX_TRIALS = 10_000_000

_Values = Annotated[
    Literal["raw", "z"],
    typer.Option(
        help="Scores to compare systems by. raw: as given. z: relative to each rater's own mean and deviation."
    ),
]
_Level = Annotated[
    Literal["nominal", "ordinal", "interval", "ratio"],
    typer.Option(help="Level of measurement for Krippendorff's alpha."),
]
_Test = Annotated[
    Literal["permutation", "wilcoxon"],
    typer.Option(help="Test for comparing two systems over items: random signs, or Wilcoxon's signed ranks."),
]
_Correction = Annotated[
    Literal["holm", "benjamini-hochberg", "bonferroni", "none"],
    typer.Option(help="Correction of p-values for the number of pairs of systems."),
]


def analyse(
    study: StudyArgument,
    aspect: study_options.Aspects = None,
    values: _Values = "raw",
    level: _Level = "interval",
    test: _Test = "permutation",
    correction: _Correction = "holm",
    significance: Annotated[float, typer.Option(help="Level of the tests.")] = 0.05,
    trials: Annotated[int, typer.Option(help="Minimum number of permutations.")] = 10_000,
    ddof: study_options.Ddof = 0,
    resamples: study_options.Resamples = 1000,
    seed: study_options.Seed = 12345,
    as_json: options.AsJson = False,
    html: study_options.Html = None,
) -> None:
    """Show what a study found: agreement, which systems differ, position bias, and how each rater worked.

    Agreement is what `plainwright study agree` reports for the exported table.
    """
    study_options.check_resampling(resamples=resamples, seed=seed)
    options.check_range("--trials", trials, 1, _MAX_TRIALS)
    options.check_range("--ddof", ddof, 0, 1)
    with opened(study) as database:
        from plainwright.rate.results import analysis as results
        from plainwright.rate.results.loading import load_record

        check_page(html, StudyFiles(study, database))
        with database.reading() as connection:
            record = load_record(connection)
    found = results.analyse(
        record,
        aspects=study_options.split_names(aspect, [known.name for known in record.settings.aspects]),
        values=values,
        level=level,
        test=test,
        correction=correction,
        significance=significance,
        trials=trials,
        ddof=ddof,
        resamples=resamples,
        seed=seed,
    )
    agreement = tuple(part.z if values == "z" else part.raw for part in found.aspects)
    write_page(html, title=f"Study: {found.study}", ratings=found.ratings, agreement=agreement)
    if as_json:
        echo_json({"study_file": str(study), **found.to_dict()})
    else:
        typer.echo("\n".join(_report(found)))


def _report(found: Analysis) -> Iterator[str]:
    counts = ((found.pages, "page"), (len(found.quality), "rater"), (found.summary.ratings, "rating"))
    pages, raters, ratings = (f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in counts)
    yield f"{found.study}: {ratings} on {pages} by {raters} (form: {found.form})"
    for note in found.summary.notes:
        yield wrapped(note, indent=2)
    if found.identical is not None and found.identical.statement:
        yield wrapped(found.identical.statement, indent=2)
    for part in found.aspects:
        yield ""
        yield from _aspect(part)
    yield ""
    yield from _raters(found)
    yield ""
    yield from _footer(found.aspects[0])


def _aspect(part: AspectAnalysis) -> Iterator[str]:
    ranking = part.systems
    yield f"{part.aspect}: scale {part.position.scale}"
    yield from aligned(
        ("  agreement", f"alpha ({part.raw.level})", "two raters' r"),
        [(f"  {shown}", *map(shown_estimate, (of.alpha, of.correlations.mean))) for shown, of in
         (("raw scores", part.raw), ("z-scores", part.z))],
    )  # fmt: skip
    yield wrapped((part.z if ranking.values == "z" else part.raw).statement, indent=2)
    yield ""
    rows = [
        (
            f"  {system.cluster}",
            system.system,
            f"{system.items:,}",
            shown_estimate(system.raw),
            shown_estimate(system.z, sign="+"),
            str(system.best_rank)
            if system.best_rank == system.worst_rank
            else f"{system.best_rank}-{system.worst_rank}",
        )
        for system in ranking.systems
    ]
    yield from aligned(("  cluster", "system", "items", "mean", "mean z", "ranks"), rows, left=2)
    yield wrapped(ranking.statement, indent=2)
    yield wrapped(part.position.statement, indent=2)
    if part.position.overall.change.p_value is not None:
        yield wrapped(f"Position: p = {shown_p(part.position.overall.change.p_value)}.", indent=2)


def _raters(found: Analysis) -> Iterator[str]:
    header = ("rater", "pages", "s/output", "degraded below", "r with oneself", "r with the others", "contradictions")
    yield from aligned(header, [_rater(rater) for rater in found.quality])
    for rater in found.quality:
        yield from (wrapped(f"! {finding.sentence}", indent=2) for finding in rater.findings)


def _rater(rater: RaterQuality) -> list[str]:
    degraded = rater.degraded
    first = next(iter(rater.reports.values()), None)
    return [
        rater.rater,
        f"{rater.pages:,}",
        f"{rater.seconds_per_output:.1f}" if rater.seconds_per_output else "-",
        f"{degraded.below} of {degraded.share.n}" if degraded.share.n else "-",
        shown_estimate(rater.repeats.correlation),
        "-" if first is None else shown_estimate(first.with_others),
        f"{rater.contradictions:,}",
    ]


def _footer(part: AspectAnalysis) -> Iterator[str]:
    ranking = part.systems
    values = "z-scores" if ranking.values == "z" else "scores as given"
    yield wrapped(
        f"Systems are sorted and compared by {values}, item by item, with the mean over raters; test: {_how(ranking)}, "
        f"corrected for all pairs ({ranking.correction}), level {ranking.level:g}. A new cluster begins where all "
        "systems above are significantly better than all below."
    )
    yield wrapped(
        f"Intervals: 95 % of {ranking.resamples:,} resamples of items (seed {ranking.seed}); r with oneself: Fisher's; "
        "r with the others: of the first aspect, as given. Damaged copies and repeats: all aspects together."
    )


def _how(ranking: SystemRanking) -> str:
    if ranking.test == "wilcoxon":
        return "Wilcoxon's signed ranks"
    return f"all {ranking.trials:,} signs of items" if ranking.exact else f"{ranking.trials:,} random signs of items"
