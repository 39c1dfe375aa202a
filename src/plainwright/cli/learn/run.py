"""`plainwright learn run`: a recipe, from data to a model."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plainwright.cli import options

if TYPE_CHECKING:
    from plainwright.learn.recipe import Plan, Receipt, Result

__all__ = ["changes_of", "run"]


def run(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="The recipe, a TOML file.")],
    work: Annotated[
        Path | None, typer.Option("--work", "-w", metavar="DIR", help="Where results go. Default: build/NAME.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Show what would be done and why; write nothing.")
    ] = False,
    stage: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Run only this stage and what it needs; may be repeated.")
    ] = None,
    force: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Run this stage even if it is up to date; may be repeated.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Override inputs.NAME or stages.NAME.options.OPTION; may be repeated."
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", "-j", min=1, max=64, help="Number of stages to run at a time; it does not change the results."
        ),
    ] = 1,
    as_json: options.JsonForText = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Hide progress and what the stages print.")] = False,
) -> None:
    """Run the stages of a recipe, each only if something it depends on has changed.

    To resume a run that was stopped, give the same command again.

    \b
    Examples:
      plainwright learn run recipes/default.toml --dry-run
      plainwright learn run recipes/default.toml --set inputs.data=~/data --jobs 2
    """
    from plainwright.cli.commands import CommandLine
    from plainwright.cli.main import app
    from plainwright.cli.screen import QuietScreen, Screen
    from plainwright.learn import recipe as library

    commands = CommandLine(app)
    loaded = library.load(recipe, commands, changes=changes_of(changes or []))
    folder = work or Path("build", loaded.name)
    if dry_run:
        plan = library.plan(loaded, folder, stages=stage or [], force=force or [])
        typer.echo(json.dumps(_plan_document(plan)) if as_json else _plan_text(plan))
        return
    with ExitStack() as stack:
        watcher = QuietScreen() if quiet else stack.enter_context(Screen())
        result = library.run(
            loaded, folder, commands, stages=stage or [], force=force or [], jobs=jobs, watcher=watcher
        )
    typer.echo(json.dumps(_result_document(result, folder)) if as_json else _result_text(result, folder))


def changes_of(given: list[str]) -> dict[str, str]:
    """Return what `--set` overrides."""
    from plainwright.errors import DataError

    for item in given:
        if "=" not in item:
            msg = f"--set: expected KEY=VALUE, found {item!r}"
            raise DataError(msg)
    return {key: value for key, _, value in (item.partition("=") for item in given)}


def _plan_text(plan: Plan) -> str:
    from plainwright.learn.recipe import shown

    lines = []
    for step in plan.steps:
        lines.append(f"{step.stage.name}\t{step.state}" + (f": {step.reason}" if step.reason else ""))
        for read in step.reads:
            size = "to be made" if read.content is None else _size(read.content.bytes)
            lines.append(f"  reads {shown(read.text)}\t{size}")
        for file in step.stage.saves.values():
            known = {saved.file: saved for saved in step.before.saved.values()} if step.before else {}
            last = f"\t{_size(known[file].bytes)} last time" if file in known else ""
            lines.append(f"  saves {file}{last}")
        if step.before is not None:
            lines.append(f"  took {_seconds(step.before.seconds)} last time")
    kept = len(plan.steps) - plan.to_run
    lines.append(f"{plan.work.folder}\t{plan.to_run} to run\t{kept} kept\t{_size(plan.input_bytes)} of inputs")
    return "\n".join(lines)


def _plan_document(plan: Plan) -> dict[str, Any]:
    return {
        "recipe": plan.recipe.name,
        "work": str(plan.work.folder),
        "input_bytes": plan.input_bytes,
        "stages": [
            {
                "stage": step.stage.name,
                "state": step.state,
                "reason": step.reason or None,
                "command": " ".join(step.stage.command),
                "reads": [
                    {
                        "name": read.label,
                        "path": read.text,
                        "bytes": None if read.content is None else read.content.bytes,
                    }
                    for read in step.reads
                ],
                "saves": list(step.stage.saves.values()),
                "last": None if step.before is None else _cost(step.before),
            }
            for step in plan.steps
        ],
    }


def _result_text(result: Result, folder: Path) -> str:
    rows = [("stage", "", "seconds", "size", "saved")]
    for outcome in result.outcomes:
        receipt = outcome.receipt
        files = " ".join(saved.file for saved in receipt.saved.values())
        seconds = _seconds(receipt.seconds) if outcome.state == "made" else "-"
        rows.append((outcome.stage.name, outcome.state, seconds, _size(receipt.bytes), files))
    rows.append(
        ("all", "", _seconds(result.seconds), _size(sum(o.receipt.bytes for o in result.outcomes)), str(folder))
    )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_row(row, widths) for row in rows)


def _row(cells: tuple[str, ...], widths: list[int]) -> str:
    name, state, seconds, size, files = cells
    return f"{name:<{widths[0]}}  {state:<{widths[1]}}  {seconds:>{widths[2]}}  {size:>{widths[3]}}  {files}"


def _result_document(result: Result, folder: Path) -> dict[str, Any]:
    return {
        "work": str(folder),
        "seconds": round(result.seconds, 3),
        "stages": [
            {
                "stage": outcome.stage.name,
                "state": outcome.state,
                "reason": outcome.reason or None,
                **_cost(outcome.receipt),
                "saved": [
                    {"file": saved.file, "bytes": saved.bytes, "sha256": saved.sha256}
                    for saved in outcome.receipt.saved.values()
                ],
            }
            for outcome in result.outcomes
        ],
    }


def _cost(receipt: Receipt) -> dict[str, Any]:
    return {
        "seconds": receipt.seconds,
        "cpu_seconds": receipt.cpu_seconds,
        "peak_bytes": receipt.peak_bytes,
        "bytes": receipt.bytes,
    }


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s"


def _size(size: int) -> str:
    if size < 10_000:
        return f"{size:,} bytes"
    unit, factor = ("kB", 1e3) if size < 1e6 else ("MB", 1e6) if size < 1e9 else ("GB", 1e9)
    return f"{size / factor:,.1f} {unit}"
