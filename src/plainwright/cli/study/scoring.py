"""Options that say which metrics are compared with people, and how they become scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.study import options as study_options

if TYPE_CHECKING:
    from plainwright.study.ratings import Ratings
    from plainwright.study.scores import MetricScores

__all__ = ["ScoringOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringOptions(study_options.RatingsOptions):
    """Which ratings, and which metrics on the outputs that were rated."""

    references: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE…",
            help="References: a registered set or a .tsv or .jsonl file, matched by source; or files "
            "with one line per item.",
        ),
    ] = None
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,…",
            help="sari, bleu, fk, fkbleu, ibleu, ld, tbleu, self-bleu, splits, profile, lens, bertscore, judge. "
            "Default: sari bleu fk ld, as far as texts allow.",
        ),
    ] = None
    variant: Annotated[
        list[str] | None, typer.Option(metavar="VARIANT…", help="Variants of metrics, as in `evaluate`.")
    ] = None
    metric_option: options.MetricOption = None
    tokenizer: Annotated[options.Tokenizer, typer.Option(help="As in `evaluate`.")] = "auto"
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Ignore case in BLEU and related metrics.")] = False
    lens_model: options.LensModel = None
    threads: options.Threads = 1
    scores: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Values of other metrics: a table with the columns item, system, metric and value."
        ),
    ] = None
    lower_is_better: Annotated[
        str | None, typer.Option(metavar="NAME,…", help="Metrics in --scores for which lower is better.")
    ] = None
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="SYSTEM…", help="Systems to leave out, such as the writer of a reference."),
    ] = None

    @property
    def files(self) -> list[str]:
        """Whatever may name a file to read."""
        return [self.ratings, *(self.references or []), *([str(self.scores)] if self.scores else [])]

    def load(self) -> Ratings:
        """The ratings without the systems that are left out."""
        # Not super(): a dataclass with slots is another class than the one that its methods were written in.
        return _without(study_options.RatingsOptions.load(self), self.without or [])

    def score(self, ratings: Ratings) -> tuple[list[MetricScores], list[str]]:
        """Every metric on the rated outputs, and notes on what was done."""
        from plainwright.evaluation import EvaluationSettings
        from plainwright.study.scoring import score_ratings

        options.check_threads(self.threads)
        return score_ratings(
            ratings,
            metrics=options.metric_names(self.metrics),
            references=self.references or [],
            scores=[] if self.scores is None else [self.scores],
            lower_is_better=options.metric_names([self.lower_is_better or ""]) or (),
            settings=EvaluationSettings(
                variants=options.variants(self.variant or []),
                options=options.metric_options(self.metric_option or []),
                tokenizer=self.tokenizer,
                lowercase=self.lowercase,
                lens_model=self.lens_model,
                threads=self.threads,
            ),
            data=self.data,
        )


def _without(ratings: Ratings, systems: Sequence[str]) -> Ratings:
    from plainwright.arguments import check_choice
    from plainwright.errors import DataError

    for name in systems:
        check_choice(name, ratings.systems, "system in --without", listing="these ratings have")
    left = [name for name in ratings.systems if name not in systems]
    if not left:
        msg = "--without leaves no system to compare; leave out fewer"
        raise DataError(msg)
    return ratings.where(systems=left) if systems else ratings
