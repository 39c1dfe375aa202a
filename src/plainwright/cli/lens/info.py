"""`plainwright lens info`: what a model of LENS is made of."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options

if TYPE_CHECKING:
    from plainwright.lens.model import LensModel

__all__ = ["info"]


def info(
    lens_model: options.LensModel = None,
    card: Annotated[bool, typer.Option("--card", help="Show the model's card: data, results, limits.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Show what a model is made of: encoder, members, features, size, digest."""
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
