"""What was found as a table for people, and as JSON for programs."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

from plainwright import __version__
from plainwright.check.files import CheckedFile
from plainwright.check.result import Report
from plainwright.check.sarif import to_sarif
from plainwright.check.types import Finding
from plainwright.escaping import printable

__all__ = ["summary", "to_json", "to_sarif_text", "to_table"]

_GROWN_UP = 18


def to_json(files: Sequence[CheckedFile]) -> str:
    """Return one JSON object with all files."""
    return _json({"version": __version__, "files": [file.to_dict() for file in files]})


def to_sarif_text(files: Sequence[CheckedFile], *, failing: Sequence[str] = ()) -> str:
    """Return the file that SARIF asks for."""
    return _json(to_sarif(files, failing=failing))


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def summary(report: Report) -> list[str]:
    """Return what the grades say, in two lines: the first for everybody, the second for those who compare."""
    if report.grades is None:
        return ["no words to grade"]
    known = report.grades
    sentences = len(report.sentences)
    return [
        f"grade {known.flesch_kincaid:.1f} (reading age {_age(report)}), level about {report.level_name}; "
        f"{report.words:,} words, {sentences:,} sentence{'' if sentences == 1 else 's'}",
        f"Flesch {known.flesch:.0f}, fog {known.gunning_fog:.1f}, SMOG {known.smog:.1f}, Coleman-Liau "
        f"{known.coleman_liau:.1f}, ARI {known.ari:.1f}",
    ]


def _age(report: Report) -> str:
    """The reading age; pupils leave school at 18, and formulas know no more than years of school."""
    age = report.reading_age or 0
    return str(age) if age < _GROWN_UP else f"{_GROWN_UP} or more"


def to_table(files: Sequence[CheckedFile], *, width: int, colour: bool) -> str:
    """Return what was found in each file, for a terminal of `width` columns."""
    from rich.console import Console

    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        force_jupyter=False,  # a notebook would show the text at once, and leave the stream empty
        color_system="standard" if colour else None,
        markup=False,  # texts and names are not ours
        emoji=False,
        highlight=False,
    )
    for number, file in enumerate(files):
        if number:
            console.print()
        first, *others = summary(file.report)
        console.print(f"{printable(file.name)}: {first}", style="bold", soft_wrap=True)
        for line in others:
            console.print(line, style="dim", soft_wrap=True)
        _print_findings(console, file)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _print_findings(console: Any, file: CheckedFile) -> None:
    from rich.table import Table

    if not file.report.findings:
        console.print("nothing found")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(justify="right", no_wrap=True, style="dim")
    table.add_column(no_wrap=True, style="cyan")
    table.add_column(overflow="fold")
    for number, finding in enumerate(file.report.findings):
        table.add_row(file.place(number), finding.rule, _cell(finding))
    console.print(table)
    counts = ", ".join(f"{count} {rule}" for rule, count in file.report.counts.items())
    total = len(file.report.findings)
    console.print(f"{total:,} finding{'' if total == 1 else 's'}: {counts}", style="dim", soft_wrap=True)


def _cell(finding: Finding) -> Any:
    from rich.text import Text

    advice = printable(finding.advice)
    cell = Text(advice)
    cell.stylize("bold", 0, len(advice) - len(finding.message) - bool(finding.message))
    return cell
