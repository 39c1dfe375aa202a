"""The work of `simplify` on one input after another: plain text as it streams by, documents whole."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from plainwright.cli.documents import is_markdown
from plainwright.cli.page import RewritingPage
from plainwright.cli.progress import Report, progress_bar
from plainwright.cli.showing import Showing
from plainwright.cli.targets import STANDARD_INPUT, write_bytes, writer
from plainwright.escaping import printable

if TYPE_CHECKING:
    from plainwright.documents import Change, Document, Format, Tracking
    from plainwright.rewrite import Chooser, Protection, SimplifiedText, Simplifier

__all__ = ["Work"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Holds everything that is the same for all inputs."""

    simplifier: Simplifier
    protection: Protection
    shown: Showing
    page: RewritingPage
    n_best: int
    rerank: Chooser | None
    threads: int
    lines: bool
    references: Sequence[tuple[str, ...]] | None
    several: bool  # inputs
    in_place: bool
    tracking: Tracking | None
    quiet: bool

    def do(self, file: Path, target: Path | None, known: Format | None) -> None:
        """Simplify one input; `known` is the format of a document, None for plain text."""
        if not self.quiet and file == STANDARD_INPUT and sys.stdin is not None and sys.stdin.isatty():
            typer.echo("plainwright: reading what you type; end with Ctrl-D on a line of its own", err=True)
        notes = _Notes(file)
        # On a terminal the text itself shows that things go on.
        no_bar = self.quiet or (target is None and self.shown.html is None and sys.stdout.isatty())
        with progress_bar(str(file), quiet=no_bar, unit="bytes") as report:
            if known is None:
                self._text(file, target, notes, report)
            else:
                self._document(file, target, known, notes, report)
        if not self.quiet:
            notes.tell()

    def _text(self, file: Path, target: Path | None, notes: _Notes, report: Report | None) -> None:
        from plainwright.files import read_pieces

        with writer(target, coloured=self.shown.coloured, in_place=self.in_place) as write:
            if self.shown.headings and self.several:
                write(_heading(file))
            parts = self.simplifier.stream(
                read_pieces(file, progress=report),
                lines=self.lines,
                protection=self.protection,
                n_best=self.n_best,
                edits=self.shown.edits,
                rerank=self.rerank,
                references=self.references,
                threads=self.threads,
            )
            for part in self.page.collect(notes.collect(parts)):
                write(self.shown.text(part, file))

    def _document(self, file: Path, target: Path | None, known: Format, notes: _Notes, report: Report | None) -> None:
        from plainwright.documents import changed_document, read_document
        from plainwright.errors import DataError

        writes = self.shown.result_only and (target is not None or self.shown.html is None)
        if writes and target is None and known.writable and not known.text and sys.stdout.isatty():
            msg = f"{file}: expected a name for the result, which is {known.title}; give --save one"
            raise DataError(msg)
        document = read_document(file, as_format=known.name)
        changes: list[Sequence[Change]] = []
        parts = self.page.collect(notes.collect(self._parts(document, changes, report)), document.blocks)
        if not self.shown.result_only:
            with writer(target, coloured=self.shown.coloured) as write:
                if self.shown.headings and self.several:
                    write(_heading(file))
                for part in parts:
                    write(self.shown.text(part, file))
            return
        for _ in parts:
            pass
        if writes:
            markdown = target is not None and is_markdown(target)
            data = changed_document(document, changes, known, tracked=self.tracking, markdown=markdown)
            write_bytes(target, data, in_place=self.in_place)
            if target is not None and not self.quiet:
                typer.echo(f"{printable(str(target))}: {_summary(changes)}", err=True)

    def _parts(
        self, document: Document, changes: list[Sequence[Change]], report: Report | None
    ) -> Iterator[SimplifiedText]:
        """Yield the blocks of a document as parts of a text, and keep their changes."""
        from plainwright.rewrite.documents import simplify_blocks

        total, done = sum(len(block.text) for block in document.blocks), 0
        for one in simplify_blocks(
            self.simplifier,
            document.blocks,
            protection=self.protection,
            n_best=self.n_best,
            alternatives=5 if self.shown.edits else 0,
            rerank=self.rerank,
            threads=self.threads,
        ):
            changes.append(one.changes)
            done += len(one.block.text)
            if report is not None:
                report(done, total)
            gap = "" if self.shown.as_json else "\n\n"
            yield replace(one.result, source=one.result.source + gap, text=one.result.text + gap)


def _summary(changes: Sequence[Sequence[Change]]) -> str:
    """Say how much of a document changed."""
    count, touched, paragraphs = sum(map(len, changes)), sum(map(bool, changes)), len(changes)
    if not count:
        return f"nothing to change in {paragraphs:,} paragraph{'s' * (paragraphs != 1)}"
    return f"{count:,} change{'s' * (count != 1)} in {touched:,} of {paragraphs:,} paragraph{'s' * (paragraphs != 1)}"


def _heading(file: Path) -> str:
    return f"==> {printable(str(file))} <==\n"


class _Notes:
    """Sentences that were left alone, counted for one line at the end."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._count = 0
        self._first = ""

    def collect(self, parts: Iterator[SimplifiedText]) -> Iterator[SimplifiedText]:
        """Hand the parts on."""
        for part in parts:
            for sentence in part.sentences:
                if sentence.note:
                    self._first = self._first or f"{sentence.note} ({sentence.source[:40]!r}…)"
                    self._count += 1
            yield part

    def tell(self) -> None:
        """Print the line, if there is anything to say."""
        if self._count:
            name = "standard input" if self._file == STANDARD_INPUT else self._file
            more = f", and {self._count - 1:,} more" if self._count > 1 else ""
            typer.echo(f"plainwright: {name}: a sentence was {self._first}{more}", err=True)
