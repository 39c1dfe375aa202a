"""The page of `plainwright check`: every text with what was found in it marked, and a table of all findings."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

from plainwright import __version__
from plainwright.check.files import CheckedFile
from plainwright.check.render import summary
from plainwright.check.result import Report, RuleCard
from plainwright.check.types import Finding
from plainwright.report import page

__all__ = ["render"]

_COLOURS = 10  # that the style sheet has


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of text between two places where a mark begins or ends."""

    text: str
    marks: Sequence[int]  # findings about these words
    sentences: Sequence[int]  # findings about the sentence that they belong to
    opened: Sequence[int]  # findings that begin here


@dataclass(frozen=True, slots=True)
class _Rule:
    """A rule as the page shows it."""

    card: RuleCard
    count: int
    colour: int


@dataclass(frozen=True, slots=True)
class _Section:
    """One file."""

    key: str
    name: str
    lines: Sequence[str]
    note: str
    blocks: Sequence[Sequence[_Piece]]
    findings: Sequence[tuple[str, Finding]]  # each with its place


def render(files: Sequence[CheckedFile]) -> str:
    """One self-contained HTML document; the same findings give the same bytes."""
    rules = _rules(files)
    title = f"Check of {files[0].name}" if len(files) == 1 else f"Check of {len(files)} texts"
    return page.compose(
        "checked.html.jinja",
        styles=("page.css", "checked.css"),
        scripts=("checked.js",),
        title=title,
        version=__version__,
        results="file-0",
        navigation=len(files) > 1,
        facts=[],
        rules=rules,
        colours={rule.card.rule: rule.colour for rule in rules},
        sections=[_section(number, file) for number, file in enumerate(files)],
    )


def _rules(files: Sequence[CheckedFile]) -> list[_Rule]:
    cards = {card.rule: card for file in files for card in file.report.rules}
    found = [finding.rule for file in files for finding in file.report.findings]
    return [_Rule(card, found.count(rule), number % _COLOURS) for number, (rule, card) in enumerate(cards.items())]


def _section(number: int, file: CheckedFile) -> _Section:
    report = file.report
    of_sentences = {(sentence.start, sentence.end) for sentence in report.sentences}
    left_out = f"Left out: {', '.join(report.left_out)}; {report.note}." if report.left_out else ""
    return _Section(
        key=f"file-{number}",
        name=file.name,
        lines=summary(report),
        note=left_out,
        blocks=[list(_pieces(report, start, end, of_sentences)) for start, end in report.blocks],
        findings=[(file.place(index), finding) for index, finding in enumerate(report.findings)],
    )


def _pieces(report: Report, start: int, end: int, of_sentences: Set[tuple[int, int]]) -> Iterator[_Piece]:
    """Cut a block where marks begin and end."""
    first, last = (bisect_left(report.findings, at, key=attrgetter("start")) for at in (start, end))
    own = [(n, finding) for n, finding in enumerate(report.findings[first:last], first) if finding.end <= end]
    cuts = sorted({start, end, *(at for _, finding in own for at in (finding.start, finding.end))})
    inside: list[tuple[int, Finding]] = []
    waiting = deque(own)
    for left, right in pairwise(cuts):
        inside = [(n, finding) for n, finding in inside if right <= finding.end]
        while waiting and waiting[0][1].start == left:
            inside.append(waiting.popleft())
        whole = [n for n, finding in inside if (finding.start, finding.end) in of_sentences]
        yield _Piece(
            text=report.text[left:right],
            marks=[n for n, _ in inside if n not in whole],
            sentences=whole,
            opened=[n for n, finding in inside if finding.start == left],
        )
