"""`plainwright study correlate`: how far metrics agree with people, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plainwright.cli import options
from plainwright.cli.study import options as study_options
from plainwright.cli.study.correlate_text import lines_of
from plainwright.cli.study.page import check_page, write_page
from plainwright.cli.study.scoring import ScoringOptions
from plainwright.cli.study.text import echo_json

if TYPE_CHECKING:
    from plainwright.study.correlation import CorrelationStudy, Protocol
    from plainwright.study.ratings import Ratings
    from plainwright.study.taulike import Convention

__all__ = ["correlate"]

_SHARE_OF_SCALE = 0.05  # 5 of 100 points, as in Maddela et al. (2023)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelateOptions(ScoringOptions):
    """What is compared with what, and by which protocol."""

    aspect: study_options.Aspects = None
    values: study_options.Values = "raw"
    level: Annotated[
        Literal["system", "sentence", "item", "pairs"] | None,
        typer.Option(
            help="system: one value per system. sentence: one per output. item: one coefficient per "
            "item, averaged. pairs: which of two outputs is better. Default: system."
        ),
    ] = None
    coefficient: Annotated[
        Literal["pearson", "spearman", "kendall", "tau-like"] | None,
        typer.Option(help="Coefficient. Default: spearman, and tau-like for pairs."),
    ] = None
    resample: Annotated[Literal["inputs", "systems", "both"], typer.Option(help="What to resample for intervals.")] = (
        "both"
    )
    exchange: Annotated[
        Literal["inputs", "systems", "both"] | None,
        typer.Option(
            help="What two metrics exchange in tests. Default: systems, or inputs if only these are resampled."
        ),
    ] = None
    correction: Annotated[
        Literal["holm", "benjamini-hochberg", "bonferroni", "none"],
        typer.Option(help="Correction for the number of tests between metrics."),
    ] = "holm"
    alternative: Annotated[
        Literal["two-sided", "one-sided"],
        typer.Option(help="Sides of the test that a coefficient is 0; one-sided tests the observed direction."),
    ] = "two-sided"
    by_operation: Annotated[
        bool, typer.Option("--by-operation", help="Also report paraphrases, deletions and splits separately.")
    ] = False
    convention: Annotated[
        Literal["lens2023", "lens2023-code", "wmt12", "wmt13", "wmt14", "wmt17"] | None,
        typer.Option(help="Published convention for counting pairs; the next six options override parts of it."),
    ] = None
    min_difference: Annotated[
        float | None,
        typer.Option(
            metavar="NUMBER",
            help="Two outputs differ if their ratings differ by more than this. Default: 5 % of the scale.",
        ),
    ] = None
    at_least: Annotated[
        bool, typer.Option("--at-least", help="Also count a difference of exactly --min-difference.")
    ] = False
    difference: Annotated[
        Literal["each", "mean"] | None,
        typer.Option(help="Apply --min-difference to each rater, or to the mean. Default: each."),
    ] = None
    raters: Annotated[
        Literal["unanimous", "majority", "mean"] | None,
        typer.Option(help="Whose order counts: all raters', most raters', or their mean's. Default: unanimous."),
    ] = None
    metric_ties: Annotated[
        Literal["discordant", "ignored", "half"] | None,
        typer.Option(help="How to count a pair that the metric ties. Default: discordant."),
    ] = None
    pairs: Annotated[
        Literal["any", "same-operation"] | None,
        typer.Option(help="Which two outputs of a source make a pair. Default: any."),
    ] = None
    resamples: study_options.Resamples = 1000
    seed: study_options.Seed = 12345

    @property
    def pair_choices(self) -> dict[str, Any]:
        """Parts of the convention that were given."""
        names = ("min_difference", "difference", "raters", "metric_ties", "pairs")
        given = {name: value for name in names if (value := getattr(self, name)) is not None}
        return {**given, "at_least": True} if self.at_least else given


@options.takes_options(CorrelateOptions)
def correlate(chosen: CorrelateOptions, *, as_json: options.AsJson = False, html: study_options.Html = None) -> None:
    """Show how well metrics agree with people, and whether one agrees better than another.

    \b
    Examples:
      plainwright study correlate mine.csv --references refs.tsv
      plainwright study correlate simpeval/past --references turkcorpus/test.detok \\
        --metrics sari,bleu --level pairs --by-operation
    """
    study_options.check_resampling(resamples=chosen.resamples, seed=chosen.seed, least=0)
    check_page(html, chosen)
    study = _study(chosen, chosen.load())
    write_page(html, title=f"Metrics against people: {chosen.display_name}", correlation=(study,))
    if as_json:
        echo_json({"ratings": chosen.ratings, **study.to_dict()})
    else:
        typer.echo("\n".join(lines_of(chosen.ratings, study)))


def _study(chosen: CorrelateOptions, ratings: Ratings) -> CorrelationStudy:
    from plainwright.study.correlation import correlate_metrics
    from plainwright.study.operations import operations_of
    from plainwright.study.scores import RatedOutputs

    aspects = study_options.chosen_aspects(ratings, chosen.aspect)
    protocol = _protocol(chosen, ratings, aspects)
    found, notes = chosen.score(ratings)
    grouped = chosen.by_operation or (protocol.level == "pairs" and protocol.convention.pairs == "same-operation")
    study = correlate_metrics(
        ratings,
        found,
        protocol=protocol,
        aspects=aspects,
        operations=operations_of(RatedOutputs.of(ratings)) if grouped else None,
        by_operation=chosen.by_operation,
    )
    return replace(study, notes=(*notes, *study.notes))


def _protocol(chosen: CorrelateOptions, ratings: Ratings, aspects: Sequence[str]) -> Protocol:
    from plainwright.errors import DataError
    from plainwright.study.correlation import Protocol

    level = chosen.level or ("pairs" if chosen.coefficient == "tau-like" else "system")
    if (level == "pairs") != (chosen.coefficient == "tau-like") and None not in (chosen.level, chosen.coefficient):
        msg = f"--level {level} and --coefficient {chosen.coefficient} do not go together; pairs have the tau-like one"
        raise DataError(msg)
    if level != "pairs" and (chosen.convention is not None or chosen.pair_choices):
        given = next(iter(chosen.pair_choices), "convention").replace("_", "-")
        msg = f"--{given} says which pairs count, and --level {level} has no pairs; add --level pairs"
        raise DataError(msg)
    protocol = Protocol(
        level=level,
        coefficient="spearman"
        if chosen.coefficient is None or chosen.coefficient == "tau-like"
        else chosen.coefficient,
        values=chosen.values,
        resampled=chosen.resample,
        exchanged=chosen.exchange,
        resamples=chosen.resamples,
        alternative=chosen.alternative,
        correction=chosen.correction,
        seed=chosen.seed,
    )
    return replace(protocol, convention=_convention(chosen, ratings, aspects)) if level == "pairs" else protocol


def _convention(chosen: CorrelateOptions, ratings: Ratings, aspects: Sequence[str]) -> Convention:
    from plainwright.study.taulike import CONVENTIONS, Convention

    if chosen.convention is not None:
        return replace(CONVENTIONS[chosen.convention], **chosen.pair_choices)
    least = chosen.min_difference
    if least is None:
        least = 0.0 if chosen.values == "z" else _share_of_scale(ratings, aspects)
    return Convention(**{**chosen.pair_choices, "min_difference": least})


def _share_of_scale(ratings: Ratings, aspects: Sequence[str]) -> float:
    from plainwright.errors import DataError

    ranges = {row.scale.high - row.scale.low if row.scale else None for row in ratings if row.aspect in aspects}
    [width] = ranges if len(ranges) == 1 else [None]
    if width is None:
        found = "several scales" if len(ranges) > 1 else "no scale"
        msg = (
            f"a minimum difference of 5 % of the scale needs one scale, found {found}; give --min-difference or --scale"
        )
        raise DataError(msg)
    return _SHARE_OF_SCALE * width
