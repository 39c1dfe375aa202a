"""`plainwright rewriter`: rewriters of whole sentences that were not trained here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.lazy import lazy_group
from plainwright.escaping import printable

__all__ = ["app"]

_COMMANDS = {
    "convert": ("plainwright.cli.rewriter:convert", "Make a rewriter of a language model of your own."),
}

app = lazy_group(_COMMANDS, help="Use language models of your own to rewrite whole sentences.")


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE",
            help="A Hugging Face folder (decoder or encoder-decoder) or a GGUF file.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The directory to write.", show_default=False)],
    prompt: Annotated[
        str | None,
        typer.Option(
            metavar="TEMPLATE",
            help="What the model reads: text with {source} and, if it knows levels, {level}; \\n is a line break. "
            "Default: 'Hard: {source}\\nPlain:', for encoder-decoders '{source}'.",
            show_default=False,
        ),
    ] = None,
    chat: Annotated[
        bool, typer.Option("--chat", help="Put the prompt into the chat template of the model's tokenizer.")
    ] = False,
    precision: Annotated[
        Literal["int8", "float32"],
        typer.Option(metavar="NAME", help="int8 or float32. Default: int8.", show_default=False),
    ] = "int8",
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Its name. Default: that of SOURCE.", show_default=False)
    ] = None,
    as_json: options.JsonForText = False,
) -> None:
    """Make a rewriter from your own language model, to be run by CTranslate2.

    The result is tested before it is kept: it must find a sentence as likely as the original does.

    \b
    Examples:
      plainwright rewriter convert my-t5 my-rewriter
      plainwright rewriter convert SmolLM2-135M-Instruct.Q4_1.gguf my-rewriter --chat
      PLAINWRIGHT_REWRITER=my-rewriter plainwright simplify letter.txt --engine rewriter
    """
    from plainwright.rewriter.convert import convert_rewriter

    template = None if prompt is None else prompt.replace("\\n", "\n")
    made = convert_rewriter(source, out, prompt=template, chat=chat, precision=precision, name=name)
    if as_json:
        facts = {"architecture": made.architecture, "shape": made.shape, "prompt": made.prompt, "bytes": made.size}
        typer.echo(json.dumps({"rewriter": str(made.directory), **facts}, ensure_ascii=False))
        return
    size = f"{made.size / 1e6:.1f} MB"
    typer.echo(f"{printable(str(made.directory))}\t{size}\t{made.architecture}, {made.shape}\t{made.prompt!r}")
