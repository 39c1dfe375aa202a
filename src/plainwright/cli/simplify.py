"""`plainwright simplify`: make text plainer, and show why."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from plainwright.simplify import SimplifiedText

__all__ = ["simplify"]


def simplify(
    files: list[Path] = typer.Argument(
        None, metavar="[FILE…]", help="Text to simplify; standard input if none is given.", show_default=False
    ),
    model: Path = typer.Option(..., "--model", metavar="DIR", help="Model directory (with model.toml)."),
    explain: bool = typer.Option(False, "--explain", help="Show every edit with its rule and alternatives."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object for each file."),
    n_best: int = typer.Option(1, "--n-best", min=1, max=1000, help="Show so many ways to put each sentence."),
    strength: float = typer.Option(0.0, "--strength", min=-1, max=1, help="From -1 (careful) to 1 (bold)."),
    keep: list[str] = typer.Option(
        None, "--keep", metavar="WORDS", help="Words or a phrase to leave alone; may be repeated.", show_default=False
    ),
    threads: int = typer.Option(1, "--threads", min=1, max=1024, help="Threads; the text does not depend on it."),
) -> None:
    """Make English easier to read.

    Example:
      plainwright simplify letter.txt --model my-model --explain
    """
    from plainwright.files import read_text
    from plainwright.simplify import Protection, load

    simplifier = load(model, strength=strength)
    protection = Protection(keep=tuple(keep or ()))
    for file in files or [Path("-")]:
        result = simplifier.simplify(read_text(file), protection=protection, n_best=n_best, threads=threads)
        for sentence in result.sentences:
            if sentence.note:
                typer.echo(f"plainwright: {file}: {sentence.source[:40]!r}: {sentence.note}", err=True)
        if as_json:
            typer.echo(json.dumps({"file": str(file), **result.to_dict()}, ensure_ascii=False))
        elif explain or n_best > 1:
            typer.echo(_explained(result, explain=explain, colour=sys.stdout.isatty()))
        else:
            typer.echo(result.text, nl=False)


def _explained(result: SimplifiedText, *, explain: bool, colour: bool) -> str:
    lines = []
    for sentence in result.sentences:
        lines += [f"- {sentence.source}", f"+ {typer.style(sentence.text, bold=True) if colour else sentence.text}"]
        lines += [f"  {rank}. {other}" for rank, other in enumerate(sentence.others, start=2)]
        for edit in sentence.edits if explain else ():
            before, after = edit.source_text or "(nothing)", edit.target_text or "(nothing)"
            if colour:
                before, after = typer.style(before, fg="red"), typer.style(after, fg="green")
            lines.append(f"    {edit.kind}: {before} → {after}")
            lines += [f"      rule: {rule}" for rule in edit.rules]
            if edit.alternatives:
                others = ", ".join(f"{other.target or '(nothing)'} {other.score:.3f}" for other in edit.alternatives)
                lines.append(f"      candidates: {others}")
        lines.append("")
    return "\n".join(lines)
