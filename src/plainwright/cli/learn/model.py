"""`plainwright learn model`: a model directory from its parts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from plainwright.errors import DataError

__all__ = ["model"]


def model(
    grammars: Annotated[list[Path], typer.Argument(metavar="GRAMMAR…", help="Grammars, packed or as text.")],
    output: Annotated[Path, typer.Option("--save", "-o", metavar="DIR", help="The model directory to write.")],
    language_model: Annotated[Path | None, typer.Option("--lm", metavar="FILE", help="Packed language model.")] = None,
    tagger: Annotated[Path | None, typer.Option(metavar="FILE", help="Tagger.")] = None,
    second_look: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Second look that judges edits in context.")
    ] = None,
    wordlist: Annotated[Path | None, typer.Option(metavar="FILE", help="Packed list of words.")] = None,
    proposers: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="Proposers of a pass; repeat the option for a second one. Default: scfg."),
    ] = None,
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A model.toml, JSON, or lines of names and weights.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--setting", metavar="NAME=VALUE…", help="Setting of the decoder, such as pop_limit=30."),
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the model.")] = "mine",
    version: Annotated[str, typer.Option("--version-name", metavar="TEXT", help="Version of the model.")] = "1",
    licence: Annotated[str, typer.Option(help="Licence of the model.")] = "",
    description: Annotated[str, typer.Option(help="Description of the model, in one sentence.")] = "",
    card: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Model card; copied into the directory as CARD.md.")
    ] = None,
) -> None:
    """Put grammars, a language model, a tagger and weights into a directory that `simplify` can use.

    \b
    Examples:
      plainwright learn model words.pack --lm simple.lm --tagger english.tagger --weights tuned -o my-model
    """
    from plainwright.decode.bundle import RULES, ModelBundle, passes_of
    from plainwright.grammar.inspection import read_weights
    from plainwright.rewrite import open_bundle
    from plainwright.tune.job import check_destination

    check_destination(output, None)
    bundle = ModelBundle(
        name=name,
        version=version,
        licence=licence,
        description=description,
        grammars=tuple(map(str, grammars)),
        language_model=None if language_model is None else str(language_model),
        tagger=None if tagger is None else str(tagger),
        second_look=None if second_look is None else str(second_look),
        wordlist=None if wordlist is None else str(wordlist),
        weights={} if weights is None else read_weights(weights),
        settings=dict(map(_setting, settings or ())),
        proposers=passes_of(proposers) or ((RULES,),),
    )
    open_bundle(bundle)  # what `simplify` would refuse is refused here, before anything is written
    bundle.create(
        output,
        grammars=grammars,
        language_model=language_model,
        tagger=tagger,
        second_look=second_look,
        wordlist=wordlist,
        card=card,
    )
    size = sum(path.stat().st_size for path in output.iterdir())
    typer.echo(f"{output}\t{size:,} bytes\t{len(bundle.weights)} weights")


def _setting(text: str) -> tuple[str, str | int | float]:
    name, separator, value = text.partition("=")
    if not name or not separator:
        msg = f"--setting: NAME=VALUE expected, got {text[:60]!r}"
        raise DataError(msg)
    try:
        parsed = json.loads(value)
    except ValueError:
        return name, value
    return name, parsed if isinstance(parsed, int | float) else value
