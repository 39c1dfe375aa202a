"""`plainwright lens train`: from ratings to a model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.study import options as study_options
from plainwright.cli.study.text import echo_json

if TYPE_CHECKING:
    from plainwright.lens.training.data import TrainingSet
    from plainwright.lens.training.job import Description, Outcome
    from plainwright.lens.training.settings import TrainingSettings

__all__ = ["train"]

_MOST_SEEDS = 100
_MOST_EPOCHS = 10_000
_TUNED_HEAD_RATE = 1e-5  # Maddela et al. (2023), Appendix A


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainOptions(study_options.RatingsOptions):
    """What to learn from, and how."""

    references: Annotated[
        list[str],
        typer.Option(
            metavar="FILE…",
            help="References: a registered set or a .tsv or .jsonl file, matched by source; or files "
            "with one line per item.",
        ),
    ]
    save: Annotated[Path, typer.Option(metavar="DIR", help="Directory of the model; an existing model is replaced.")]
    aspect: study_options.Aspect = None
    encoder: Annotated[
        str, typer.Option(metavar="NAME|DIR", help="minilm, mpnet, a Hugging Face folder, or an exported encoder.")
    ] = "minilm"
    tune: Annotated[
        str, typer.Option(metavar="none|top:N|all", help="Layers of the encoder to train along with the head.")
    ] = "none"
    encoder_rate: Annotated[float, typer.Option(help="Learning rate of a tuned encoder.")] = 3e-5
    frozen_epochs: Annotated[
        int, typer.Option(help="Epochs at the start in which only the head of a tuned encoder learns.")
    ] = 1
    standardise: Annotated[
        bool,
        typer.Option("--standardise", help="Scale H, for the head of a tuned encoder, by its moments before tuning."),
    ] = False
    features: Annotated[bool, typer.Option("--features/--no-features", help="Also give features to the head.")] = True
    neural: Annotated[bool, typer.Option("--neural/--no-neural", help="Use a head over vectors.")] = True
    companion: Annotated[bool, typer.Option("--companion/--no-companion", help="Use boosted trees over features.")] = (
        True
    )
    linear: Annotated[bool, typer.Option("--linear/--no-linear", help="Use ridge regression over features.")] = True
    seeds: Annotated[int, typer.Option(help="Number of heads, and of sets of trees, to average.")] = 5
    k: Annotated[str, typer.Option(metavar="N|all", help="Train on the N references with the highest values.")] = "all"
    folds: Annotated[int, typer.Option(help="Number of folds; each part of the sources is judged once.")] = 5
    folds_by: Annotated[
        Literal["source", "source-system"], typer.Option(help="What training and validation must not share.")
    ] = "source"
    fold: Annotated[
        int | None,
        typer.Option(help="Leave out only this fold, counted from 0, judge on it, and keep that model."),
    ] = None
    epochs: Annotated[int, typer.Option(help="Maximum number of epochs for a head.")] = 20
    patience: Annotated[
        int, typer.Option(help="Stop a head after this many epochs without a lower validation loss; 0: never.")
    ] = 4
    batch: Annotated[int, typer.Option(help="Batch size for a head, in outputs.")] = 32
    batches: Annotated[
        Literal["mixed", "source"],
        typer.Option(help="Fill a batch from any sources, or from one, which is far faster for a tuned encoder."),
    ] = "mixed"
    precision: Annotated[Literal["float32", "bfloat16"], typer.Option(help="Number format for tuning an encoder.")] = (
        "float32"
    )
    hidden: Annotated[str, typer.Option(metavar="N,…", help="Widths of the head's hidden layers.")] = "64,32"
    dropout: Annotated[float, typer.Option(help="Dropout of the head.")] = 0.15
    rate: Annotated[
        float | None, typer.Option(help="Learning rate of the head. Default: 0.001, and 0.00001 with --tune.")
    ] = None
    own_references: Annotated[
        Literal["leave-out", "keep"],
        typer.Option(help="Compare an output that is itself a reference with the other references, or with all."),
    ] = "leave-out"
    fewer_references: Annotated[
        str,
        typer.Option(
            metavar="N,…|none", help="Also learn from each output with this many of its references, drawn at random."
        ),
    ] = "1,3"
    corruptions: Annotated[
        Literal["none", "sources", "references", "both"],
        typer.Option(help="Also learn from damaged copies of these texts (words dropped or scrambled, a split)."),
    ] = "none"
    margin: Annotated[
        float, typer.Option(help="How much lower, in z, a damaged text is rated than the text it was made from.")
    ] = 0.5
    spoilt_weight: Annotated[float, typer.Option(help="Weight of a damaged text relative to a rated output.")] = 1.0
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the model. Default: that of the directory.")
    ] = None
    version: Annotated[str, typer.Option(metavar="TEXT", help="Version of the model.")] = "1"
    licence: Annotated[str, typer.Option(metavar="TEXT", help="Licence of the model, for its card.")] = "not stated"
    ratings_licence: Annotated[str, typer.Option(metavar="TEXT", help="Licence of the ratings, for the card.")] = (
        "not stated"
    )
    work: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Keep intermediate results here. Default: DIR.training, until the model is done."
        ),
    ] = None
    resume: Annotated[bool, typer.Option("--resume", help="Resume training that was stopped.")] = False
    resamples: study_options.Resamples = 1000
    seed: Annotated[int, typer.Option(help="Seed for everything that is random.")] = 0
    threads: Annotated[int, typer.Option(help="Number of threads; it does not change the model.")] = 1

    @property
    def files(self) -> list[str]:
        """Whatever may name a file to read."""
        return [self.ratings, *self.references]


@options.takes_options(TrainOptions)
def train(chosen: TrainOptions, *, as_json: options.AsJson = False) -> None:
    """Learn to judge simplifications from people's ratings.

    Shows how well each member of the model, and their mix, agrees with people on sources that were left out.

    \b
    Examples:
      plainwright lens train ratings.csv --references refs.tsv --save my-lens
      plainwright lens train simpeval/past --references past_references.tsv --save my-lens --seeds 10 --threads 2
    """
    from plainwright.cli.progress import progress_bar, stages
    from plainwright.lens.training.job import train as run

    settings = _settings(chosen)
    training = _training_set(chosen)
    for note in training.notes:
        typer.echo(f"plainwright: note: {note}", err=True)
    with progress_bar("training") as report:
        outcome = run(
            training,
            settings,
            chosen.save,
            _description(chosen),
            work=chosen.work,
            resume=chosen.resume,
            threads=chosen.threads,
            resamples=chosen.resamples,
            progress=stages(report),
        )
    if as_json:
        echo_json({"ratings": chosen.ratings, "seed": chosen.seed, **outcome.to_dict()})
    else:
        typer.echo("\n".join(_lines(outcome)))


def _training_set(chosen: TrainOptions) -> TrainingSet:
    from plainwright.lens.training.data import check_texts, training_set
    from plainwright.study.scores import RatedOutputs
    from plainwright.study.scoring import read_references

    ratings = chosen.load()
    check_texts(ratings)
    references = read_references(chosen.references, RatedOutputs.of(ratings), data=chosen.data)
    return training_set(ratings, references, aspect=chosen.aspect, own_references=chosen.own_references)


def _check(chosen: TrainOptions) -> None:
    from plainwright.errors import DataError

    for option, value, low, high in (
        ("--seeds", chosen.seeds, 1, _MOST_SEEDS),
        ("--folds", chosen.folds, 2, None),
        ("--fold", chosen.fold or 0, 0, max(chosen.folds - 1, 0)),
        ("--epochs", chosen.epochs, 1, _MOST_EPOCHS),
        ("--patience", chosen.patience, 0, _MOST_EPOCHS),
        ("--frozen-epochs", chosen.frozen_epochs, 0, _MOST_EPOCHS),
        ("--batch", chosen.batch, 1, None),
        ("--threads", chosen.threads, 1, 1024),
    ):
        options.check_range(option, value, low, high)
    study_options.check_resampling(resamples=chosen.resamples, seed=chosen.seed, least=0)
    for option, number, below in (
        ("--dropout", chosen.dropout, 1.0),
        ("--rate", chosen.rate or 0.0, 1.0),
        ("--encoder-rate", chosen.encoder_rate, 1.0),
    ):
        if not 0 <= number < below:
            msg = f"{option}: expected a number from 0 to below {below:g}, found {number:g}"
            raise DataError(msg)
    for option, number in (("--margin", chosen.margin), ("--spoilt-weight", chosen.spoilt_weight)):
        if not 0 <= number < math.inf:
            msg = f"{option}: expected a number from 0, found {number:g}"
            raise DataError(msg)


def _settings(chosen: TrainOptions) -> TrainingSettings:
    from plainwright.errors import DataError
    from plainwright.lens.training.fits import Member
    from plainwright.lens.training.heads import HeadSettings
    from plainwright.lens.training.loop import Schedule
    from plainwright.lens.training.settings import TrainingSettings
    from plainwright.lens.training.tuning import Tuning

    _check(chosen)
    given: list[tuple[Member, bool]] = [
        ("neural", chosen.neural),
        ("trees", chosen.companion),
        ("linear", chosen.linear),
    ]
    members = tuple(name for name, wanted in given if wanted)
    if not members:
        msg = "a model needs a member; leave out one of --no-neural, --no-companion and --no-linear"
        raise DataError(msg)
    head = {} if chosen.rate is None else {"rate": chosen.rate}
    return TrainingSettings(
        encoder=chosen.encoder,
        members=members,
        features=chosen.features,
        seeds=chosen.seeds,
        folds=chosen.folds,
        folds_by=chosen.folds_by,
        fold=chosen.fold,
        head=HeadSettings(hidden=_numbers("--hidden", chosen.hidden), dropout=chosen.dropout, k=_k(chosen.k), **head),
        schedule=Schedule(
            epochs=chosen.epochs, patience=chosen.patience or None, batch=chosen.batch, batches=chosen.batches
        ),
        fewer=() if chosen.fewer_references == "none" else _numbers("--fewer-references", chosen.fewer_references),
        corruptions=chosen.corruptions,
        margin=chosen.margin,
        spoilt_weight=chosen.spoilt_weight,
        tuning=Tuning.parse(
            chosen.tune,
            rate=chosen.encoder_rate,
            head_rate=_TUNED_HEAD_RATE if chosen.rate is None else chosen.rate,
            frozen_epochs=chosen.frozen_epochs,
            standardised=chosen.standardise,
            precision=chosen.precision,
        ),
        seed=chosen.seed,
    )


def _k(text: str) -> int | None:
    from plainwright.errors import DataError

    if text == "all":
        return None
    if not text.isdecimal() or int(text) < 1:
        msg = f"--k: expected a number from 1, or all, found {text!r}"
        raise DataError(msg)
    return int(text)


def _numbers(option: str, text: str) -> tuple[int, ...]:
    from plainwright.errors import DataError

    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 1 <= int(part) <= 10_000 for part in parts):
        msg = f"{option}: expected numbers from 1 to 10000, as in 64,32, found {text!r}"
        raise DataError(msg)
    return tuple(map(int, parts))


def _description(chosen: TrainOptions) -> Description:
    from plainwright.lens.training.job import Description

    return Description(
        name=chosen.name or chosen.save.resolve().name,
        version=chosen.version,
        licence=chosen.licence,
        ratings=Path(chosen.ratings).name if Path(chosen.ratings).exists() else chosen.ratings,
        references=", ".join(Path(name).name if Path(name).exists() else name for name in chosen.references),
        ratings_licence=chosen.ratings_licence,
    )


def _lines(outcome: Outcome) -> Sequence[str]:
    from plainwright.lens.training.card import result_rows

    training = outcome.training
    rows = result_rows(outcome.agreements, outcome.weights)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [
        f"{len(training.examples)} outputs of {len(training.ratings.systems)} systems, {len(set(training.groups))} "
        f"sources, {len(training.ratings.raters)} raters, {training.aspect}",
        *lines,
        f"{outcome.model.directory}\t{outcome.model.bytes / 1e6:.1f} MB",
    ]
