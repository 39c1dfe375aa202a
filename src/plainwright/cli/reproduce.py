"""`plainwright reproduce`: a published table beside our own numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from plainwright.cli import options
from plainwright.cli.study import options as study_options

__all__ = ["reproduce"]


def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="TABLE", help="Name of a table or figure, such as xu2016-table5. Without a name, all are listed."
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,…",
            help="Compute only these metrics, where there is a choice. Default: all that are installed.",
        ),
    ] = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List every table and figure of the papers, and whether it is reproduced.")
    ] = False,
    as_json: options.AsJson = False,
    resamples: study_options.Resamples = 1000,
    seed: study_options.Seed = 12345,
    threads: options.Threads = 1,
    lens_model: options.LensModel = None,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Model whose rules are ranked, for xu2016-table3. Default: the one simplify uses."
        ),
    ] = None,
    data: options.Data = None,
    models: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of LENS models, for tables that compare trained ones."),
    ] = None,
    mle: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Rewriter to compare, where one is needed. Default: the one simplify uses."),
    ] = None,
    mrt: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Rewriter after minimum-risk training, to compare with it.")
    ] = None,
    sentences: Annotated[int, typer.Option(help="Sentences to rewrite.")] = 100,
    candidates: Annotated[int, typer.Option(help="Candidates per sentence, for LENS to choose from.")] = 20,
    sheets: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write sheets for a blind reading by two readers.")
    ] = None,
    readings: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Show what the readers of these sheets found; rewrite nothing.")
    ] = None,
) -> None:
    """Recompute a published table and show where and why our numbers differ."""
    from plainwright import reproduce as library
    from plainwright.errors import DataError
    from plainwright.reproduce.render import to_text

    if listing:
        if name is not None:
            msg = f"--list: expected no table with it, found {name}; leave one of them out"
            raise DataError(msg)
        typer.echo(_inventory(as_json=as_json))
        return
    if name is None:
        typer.echo(_listing(as_json=as_json))
        return
    study_options.check_resampling(resamples=resamples, seed=seed)
    options.check_threads(threads)
    sampling = library.Sampling(seed=seed, resamples=resamples)
    generation = library.Generation(
        mle=mle, mrt=mrt, sentences=sentences, candidates=candidates, sheets=sheets, readings=readings
    )
    result = library.reproduce(
        name,
        data=data,
        sampling=sampling,
        metrics=options.metric_names(metrics),
        threads=threads,
        lens_model=lens_model,
        model=model,
        generation=None if generation == library.Generation() else generation,
        models=models,
    )
    if as_json:
        typer.echo(json.dumps(result.to_dict(), ensure_ascii=False, indent=2, allow_nan=False))
    else:
        typer.echo(to_text(result))


def _listing(*, as_json: bool) -> str:
    from plainwright.reproduce import REPRODUCTIONS

    titles = {name: recipe.title for name, recipe in REPRODUCTIONS.items()}
    if as_json:
        return json.dumps(titles, ensure_ascii=False, indent=2)
    width = max(map(len, titles))
    return "\n".join(f"{name:<{width}}  {title}" for name, title in titles.items())


def _inventory(*, as_json: bool) -> str:
    from plainwright.reproduce.inventory import INVENTORY
    from plainwright.reproduce.render import inventory_to_text

    if as_json:
        return json.dumps([listed.to_dict() for listed in INVENTORY], ensure_ascii=False, indent=2)
    return inventory_to_text(INVENTORY)
