"""`plainwright check`: what makes a text hard, without changing it."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.documents import AsFormat
from plainwright.cli.progress import progress_bar
from plainwright.cli.targets import STANDARD_INPUT, check_inputs, writer

if TYPE_CHECKING:
    from plainwright.check.files import CheckedFile

__all__ = ["check"]

_WIDE = 160  # for files and pipes
_ALL = "all"


def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Text or documents, also .gz. Default: standard input (-)."),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="RULES", help="Check only these rules, such as passive,hard-word."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULES", help="Leave these rules out.")
    ] = None,
    max_grade: Annotated[
        float | None,
        typer.Option(metavar="GRADE", help="Exit with status 1 if a file's Flesch-Kincaid grade is above this."),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULES", help="Exit with status 1 if one of these rules finds something; all means any rule."
        ),
    ] = None,
    sentence_words: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=1000, help="Longest sentence allowed, in words. Default: 25.", show_default=False
        ),
    ] = 25,
    words: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A list of hard and plain words, in addition to ours; may be repeated."),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", "-k", metavar="WORDS", help="Do not flag this word or phrase; may be repeated."),
    ] = None,
    keep_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Do not flag the words and phrases in this file, one per line.")
    ] = None,
    as_format: AsFormat = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print grades and findings as JSON.")] = False,
    as_sarif: Annotated[
        bool, typer.Option("--sarif", help="Print findings as SARIF 2.1.0, for code hosts and editors.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="PAGE", help="Write a page that shows the text with the findings marked."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", "-o", metavar="FILE", help="Write to this file instead of the screen.")
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Show what makes a text hard to read, and change nothing.

    Prints grades by the usual formulas, an estimated CEFR level, and findings: long and nested sentences, passives,
    hidden verbs, noun strings, double negatives, hard words, abbreviations, fillers, two terms for one thing.

    \b
    Examples:
      plainwright check letter.txt
      plainwright check README.md docs/*.md --max-grade 8 --fail-on filler
      plainwright check letter.docx --html letter.html
    """
    from plainwright.check.files import check_document
    from plainwright.check.registry import check_can_be_made
    from plainwright.documents import read_document
    from plainwright.errors import DataError

    inputs = files or [STANDARD_INPUT]
    if max_grade is not None and math.isnan(max_grade):
        msg = "--max-grade: expected a number, a grade of school, found nan"
        raise DataError(msg)
    failing = _names(fail_on)
    for rule in failing:
        if rule != _ALL:
            check_can_be_made(rule)
    if as_json and as_sarif:
        msg = "choose one of --json and --sarif"
        raise DataError(msg)
    _check_outputs(inputs, [output for output in (save, html) if output is not None])
    kept = options.phrases(keep_file)
    checked = []
    with progress_bar("checking", quiet=quiet or len(inputs) < 2) as report:
        for number, file in enumerate(inputs):
            if report is not None:
                report(number, len(inputs))
            document = read_document(file, as_format=as_format)
            name = "standard input" if file == STANDARD_INPUT else str(file)
            checked.append(
                check_document(
                    document,
                    name,
                    select=_names(select) or None,
                    ignore=_names(ignore),
                    sentence_words=sentence_words,
                    words=words or (),
                    keep=(*(keep or ()), *kept),
                )
            )
    _write(checked, save, failing, as_json=as_json, as_sarif=as_sarif)
    if html is not None:
        _write_page(checked, html)
    if not quiet and checked[0].report.left_out:
        left_out = ", ".join(checked[0].report.left_out)
        typer.echo(f"plainwright: left out: {left_out}; {checked[0].report.note}", err=True)
    foreign = [file.name for file in checked if not file.report.may_be_english]
    if foreign and not quiet:
        typer.echo(
            f"plainwright: {', '.join(foreign)}: no English, it seems; grades and findings mean little", err=True
        )
    problems = _problems(checked, max_grade, failing)
    for problem in problems:
        typer.echo(f"plainwright: {problem}", err=True)
    if problems:
        raise typer.Exit(1)


def _names(given: Sequence[str] | None) -> tuple[str, ...]:
    """Both `--select a --select b` and `--select a,b`."""
    return tuple(name.strip() for item in given or () for name in item.split(",") if name.strip())


def _check_outputs(inputs: Sequence[Path], outputs: Sequence[Path]) -> None:
    from plainwright.errors import DataError
    from plainwright.files import check_writable

    check_inputs(inputs)
    for output in outputs:
        if output.exists() and any(file.exists() and output.samefile(file) for file in inputs):
            msg = f"{output}: the result would replace one of the inputs; give it another name"
            raise DataError(msg)
        if outputs.count(output) > 1:
            msg = f"{output}: expected two names for --save and --html, found one"
            raise DataError(msg)
        check_writable(output)


def _write(
    checked: Sequence[CheckedFile], save: Path | None, failing: Sequence[str], *, as_json: bool, as_sarif: bool
) -> None:
    from plainwright.check import render

    coloured = False
    if as_json:
        text = render.to_json(checked)
    elif as_sarif:
        errors = [card.rule for file in checked for card in file.report.rules if _ALL in failing]
        text = render.to_sarif_text(checked, failing=errors or failing)
    else:
        coloured = save is None and sys.stdout.isatty()
        width = max(shutil.get_terminal_size().columns, 80) if coloured else _WIDE
        text = render.to_table(checked, width=width, colour=coloured)
    with writer(save, coloured=coloured) as write:
        write(text)


def _write_page(checked: Sequence[CheckedFile], path: Path) -> None:
    from plainwright.files import atomic_write
    from plainwright.report.checked import render

    with atomic_write(path) as stream:
        stream.write(render(checked))


def _problems(checked: Sequence[CheckedFile], max_grade: float | None, failing: Sequence[str]) -> list[str]:
    problems = []
    for file in checked:
        grade = file.report.grade
        if max_grade is not None and grade is not None and grade > max_grade:
            problems.append(f"{file.name}: grade {grade:.1f} is above --max-grade {max_grade:g}")
        counts = {rule: count for rule, count in file.report.counts.items() if rule in failing or _ALL in failing}
        if unknown := [rule for rule in failing if rule in file.report.left_out]:
            problems.append(f"{file.name}: --fail-on could not check {', '.join(unknown)}; {file.report.note}")
        if counts:
            shown = ", ".join(f"{count} {rule}" for rule, count in counts.items())
            problems.append(f"{file.name}: --fail-on found {shown}")
    return problems
