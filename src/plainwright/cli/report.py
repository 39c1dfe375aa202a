"""`plainwright report`: one self-contained HTML page about one or many systems."""

from __future__ import annotations

from pathlib import Path

import typer

from plainwright.cli import options

__all__ = ["report"]


def report(
    set_name: str | None = options.SET,
    outputs: list[str] | None = options.OUTPUTS,
    source: Path | None = options.SOURCE,
    references: list[Path] | None = options.REFERENCES,
    output: Path = typer.Option(Path("report.html"), "--save", "-o", metavar="FILE", help="The page to write."),
    title: str | None = typer.Option(None, "--title", help="Title of the page.", show_default=False),
    metrics: list[str] | None = options.METRICS,
    variant: list[str] | None = options.VARIANT,
    tokenizer: options.Tokenizer = options.TOKENIZER,
    lowercase: bool = options.LOWERCASE,
    resamples: int = options.RESAMPLES,
    test: options.Test = options.TEST,
    seed: int = options.SEED,
    threads: int = options.THREADS,
    allow_empty: bool = options.ALLOW_EMPTY,
    allow_reference: bool = options.ALLOW_REFERENCE,
    data: Path | None = options.DATA,
) -> None:
    """Write an HTML page: scores, charts, and every sentence with its changes marked.

    \b
    Example:
      plainwright report turkcorpus/test --outputs mine.txt theirs.txt \\
        -o report.html
    """
    from plainwright.files import atomic_write, check_writable
    from plainwright.report import render

    options.check_output(output, outputs, source, references)
    check_writable(output)
    evaluation = options.run_evaluation(
        set_name=set_name,
        outputs=outputs,
        source=source,
        references=references,
        metrics=metrics,
        variant=variant,
        tokenizer=tokenizer,
        lowercase=lowercase,
        allow_empty=allow_empty,
        allow_reference=allow_reference,
        resamples=resamples,
        test=test,
        seed=seed,
        threads=threads,
        data=data,
    )
    for warning in evaluation.warnings:
        typer.echo(f"plainwright: warning: {warning}", err=True)
    page = render(evaluation, title=title)
    with atomic_write(output) as stream:
        stream.write(page)
    typer.echo(str(output))
