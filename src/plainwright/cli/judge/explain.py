"""`plainwright judge explain`: which words lowered the scores of an output."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.judge.score import Model
from plainwright.escaping import printable

if TYPE_CHECKING:
    from plainwright.judge.explain import Blame, Explanation, Method

__all__ = ["explain"]


def explain(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The text before.", show_default=False)],
    output: Annotated[str, typer.Argument(metavar="OUTPUT", help="The text after.", show_default=False)],
    by: Annotated[
        Literal["edits", "words"] | None,
        typer.Option(
            help="Undo edits, or leave out words of the output. Default: edits, if there are several.",
            show_default=False,
        ),
    ] = None,
    model: Model = None,
    threads: options.Threads = 1,
    as_json: options.JsonForText = False,
) -> None:
    """Show how much each edit of an output, or each word, lowers its scores.

    Each number is what a score would gain if the edit were undone or the word left out.

    \b
    Examples:
      plainwright judge explain "He may buy it." "He will buy it." --by edits
    """
    from plainwright.judge import explain as library
    from plainwright.judge import open_judge

    options.check_threads(threads)
    explained = library.explain(open_judge(model), source, output, by=by, threads=threads)
    typer.echo(json.dumps(explained.to_dict(), ensure_ascii=False) if as_json else _text(explained))


def _text(explained: Explanation) -> str:
    scores = "  ".join(f"{name} {value:.0f}" for name, value in explained.scores.items())
    lines = [f"{scores}  (risk of damage {explained.risk:.0%}; {explained.model})"]
    for blame in explained.blames:
        gains = "  ".join(f"{name} {value:+.0f}" for name, value in blame.gains.items())
        lines.append(f"  {gains}  {printable(_change(blame, explained.by))}")
    return "\n".join(lines)


def _change(blame: Blame, by: Method) -> str:
    """What would be otherwise."""
    if by == "words" or not blame.source:
        return f"without {blame.output!r}" if blame.output else "with the white space of the source"
    instead = f" instead of {blame.output!r}" if blame.output else ""
    return f"if {blame.source!r} were still there{instead}"
