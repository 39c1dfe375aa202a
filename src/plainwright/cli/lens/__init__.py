"""`plainwright lens`: the learned metric: score with it, ask what it is, train it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.lens import train as lens_train

if TYPE_CHECKING:
    from plainwright.evaluation import EvaluationSet
    from plainwright.lens.model import LensModel
    from plainwright.lens.systems import ScoredSystem

__all__ = ["app"]

app = typer.Typer(
    help="Score with a metric that was learnt from people's ratings.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("train", short_help="Learn to judge from people's ratings.")(lens_train.train)


@app.command()
def score(
    set_name: Annotated[
        str | None,
        typer.Argument(
            metavar="SET", help="A registered set, or a .tsv or .jsonl file, as in `evaluate`.", show_default=False
        ),
    ] = None,
    *,
    outputs: Annotated[
        list[str], typer.Option(metavar="FILE…", help="Outputs to score, as in `evaluate`.", show_default=False)
    ],
    source: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Source segments, one per line.", show_default=False)
    ] = None,
    references: Annotated[
        list[Path] | None, typer.Option(metavar="FILE…", help="References, one file each.", show_default=False)
    ] = None,
    pseudo: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE…",
            help="Where there are no references: outputs of other systems, which stand in for them.",
            show_default=False,
        ),
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="z as the model makes it, not 0 to 100.")] = False,
    per_sentence: Annotated[bool, typer.Option("--per-sentence", help="The value of every segment.")] = False,
    as_json: options.AsJson = False,
    lens_model: options.LensModel = None,
    threads: options.Threads = 1,
    data: options.Data = None,
) -> None:
    """LENS of every output, with references or with other systems' outputs in their place.

    \b
    Examples:
      plainwright lens score asset/valid --outputs mine.txt theirs.txt
      plainwright lens score --source in.txt --outputs mine.txt \\
        --pseudo theirs.txt others.txt
    """
    from plainwright import evaluation as library
    from plainwright.lens.metric import LENS
    from plainwright.lens.systems import score_systems

    options.check_threads(threads)
    target = _target(set_name, source, references or [], pseudo or [], data)
    found = library.read_outputs(outputs, target, data=data)
    warnings = library.check_outputs(found, target, allow_empty=True)
    others = library.read_outputs(pseudo, target, data=data) if pseudo else None
    if others is not None:
        library.check_outputs(others, target, allow_empty=True, allow_reference=True)
    systems, remarks = score_systems(
        target.sources or (),
        found,
        None if others else target.references,
        pseudo=others,
        metric=LENS(model=lens_model, rescale=not raw, pseudo_references=others is not None),
        threads=threads,
    )
    for warning in (*warnings, *remarks):
        typer.echo(f"plainwright: warning: {warning}", err=True)
    if as_json:
        typer.echo(json.dumps(_scores_document(systems, [*warnings, *remarks], per_sentence), ensure_ascii=False))
        return
    _print_scores(systems, per_sentence)


@app.command()
def info(
    lens_model: options.LensModel = None,
    card: Annotated[bool, typer.Option("--card", help="The model's card: data, results, limits.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """What a model is made of: encoder, members, features, size, digest."""
    from plainwright.lens.model import LensModel, find_model

    model = LensModel.open(find_model(lens_model))
    if card:
        typer.echo(model.card, nl=False)
        return
    described = _description(model)
    if as_json:
        typer.echo(json.dumps(described, ensure_ascii=False))
        return
    for name, value in described.items():
        if isinstance(value, dict):
            typer.echo(f"{name}:")
            for key, entry in value.items():
                typer.echo(f"  {key}\t{entry}")
        elif value is not None:
            typer.echo(f"{name}\t{value}")


def _target(
    set_name: str | None, source: Path | None, references: Sequence[Path], pseudo: Sequence[str], data: Path | None
) -> EvaluationSet:
    """Sources, and references unless others stand in for them."""
    from plainwright import evaluation as library
    from plainwright.errors import DataError, ReferenceShapeError
    from plainwright.lens.metric import LENS

    if references and pseudo:
        msg = "choose one of --references and --pseudo"
        raise DataError(msg)
    if set_name is not None and (source is not None or references):
        msg = f"give either the set {set_name!r} or --source and --references, not both"
        raise DataError(msg)
    if set_name is None and source is None:
        msg = "LENS compares with the source; name a set before the options, or give --source FILE"
        raise DataError(msg)
    target = library.load_set(set_name, data=data) if set_name else library.read_set_files(source, references)
    if target.references is None and not pseudo:
        msg = f"LENS compares with references, and {target.label} has none; {LENS.without_references}"
        raise ReferenceShapeError(msg)
    return target


def _print_scores(systems: Sequence[ScoredSystem], per_sentence: bool) -> None:
    for system in systems:
        if per_sentence:
            for number, value in enumerate(system.segments, start=1):
                typer.echo(f"{system.name}\t{number}\t{value:.2f}")
            continue
        typer.echo(f"{system.name}\t{system.value:.2f}\t{system.signature}")


def _scores_document(systems: Sequence[ScoredSystem], warnings: Sequence[str], per_sentence: bool) -> dict[str, object]:
    return {
        "metric": "lens",
        "systems": [
            {
                "name": system.name,
                "value": system.value,
                "signature": system.signature,
                **({"segments": system.segments.tolist()} if per_sentence else {}),
            }
            for system in systems
        ],
        "warnings": list(warnings),
    }


def _description(model: LensModel) -> dict[str, object]:
    from plainwright.lens.seen import SOURCE_MARKS

    encoder, head, companion = model.encoder_card, model.head, model.companion
    return {
        "name": model.name,
        "version": model.version,
        "licence": model.licence,
        "description": model.description or None,
        "directory": str(model.directory),
        "bytes": model.bytes,
        "digest": model.digest,
        "encoder": {
            "name": encoder.name,
            "width": encoder.width,
            "pieces": encoder.max_pieces,
            "precision": encoder.precision,
        },
        "head": None
        if head is None
        else {
            "networks": len(head.networks),
            "layers": " ".join(str(layer.weight.shape[0]) for layer in head.networks[0].layers),
            "features": head.features,
        },
        "companion": None if companion is None else {"trees": companion.trees, "features": len(model.features.set)},
        "mix": {"intercept": model.mix.intercept, "neural": model.mix.neural, "companion": model.mix.companion},
        "settings": dict(model.settings) or None,
        "provenance": {name: value for name, value in model.provenance.items() if name != SOURCE_MARKS} or None,
    }
