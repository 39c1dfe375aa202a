"""Documents, checked: where each finding stands in the file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from plainwright.arguments import refuse
from plainwright.check.checking import check_blocks
from plainwright.check.passage import Span
from plainwright.check.places import Lines, Region
from plainwright.check.result import CheckedSentence, Report
from plainwright.check.types import Finding
from plainwright.documents import Document
from plainwright.documents.splicing import SourceDocument

__all__ = ["CheckedFile", "check_document"]


@dataclass(frozen=True, kw_only=True)
class CheckedFile:
    """A document and what was found in it."""

    name: str
    report: Report
    source: str | None  # None for formats that are no text, such as Word's
    spans: Sequence[Span] = ()  # where findings stand in the source
    sentence_spans: Sequence[Span] = ()  # where sentences do

    @cached_property
    def lines(self) -> Lines:
        """The lines of the source."""
        return Lines(self.source or "")

    @cached_property
    def regions(self) -> list[Region | None]:
        """Where each finding stands; None where there are no lines."""
        if self.source is None:
            return [None] * len(self.report.findings)
        return [self.lines.region(*span) for span in self.spans]

    def paragraph(self, finding: Finding) -> int:
        """Return the number of the block in which a finding stands, from 1."""
        return bisect_right(self.report.blocks, finding.start, key=lambda block: block[0])

    def place(self, number: int) -> str:
        """Return where a finding stands, for people: line and column, or the paragraph."""
        region = self.regions[number]
        if region is None:
            return f"¶ {self.paragraph(self.report.findings[number])}"
        return f"{region.line}:{region.column}"

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form; spans are those of the source, and there are none if it is no text."""
        findings = []
        for number, (finding, region) in enumerate(zip(self.report.findings, self.regions, strict=True)):
            place = {"paragraph": self.paragraph(finding)} if region is None else region.to_dict()
            own = finding.to_dict()
            if region is None:
                del own["span"]
            else:
                own["span"] = list(self.spans[number])
            findings.append({**own, **place})
        return {"file": self.name, **self.report.to_dict(), "findings": findings, "sentences": self._sentences()}

    def _sentences(self) -> list[dict[str, object]]:
        found = []
        for number, own in enumerate(self.report.sentences):
            sentence = own.to_dict()
            if self.source is None:
                del sentence["span"]
            else:
                start, end = self.sentence_spans[number]
                sentence |= {"span": [start, end], "line": self.lines.region(start, end).line}
            found.append({**sentence, "text": self.report.text[own.start : own.end]})
        return found


def check_document(document: Document, name: str, **options: Any) -> CheckedFile:
    """Check a document as `check_blocks` does, with the same options; `name` is what results call it."""
    if not hasattr(document, "blocks"):
        refuse(document, "check_document", "document", "a document, as read_document returns it")
    report = check_blocks(document.blocks, **options)
    if not isinstance(document, SourceDocument):
        return CheckedFile(name=name, report=report, source=None)
    starts = [start for start, _ in report.blocks]

    def in_source(own: Finding | CheckedSentence) -> Span:
        number = bisect_right(starts, own.start) - 1
        return document.own[number].source_span(own.start - starts[number], own.end - starts[number])

    return CheckedFile(
        name=name,
        report=report,
        source=document.source,
        spans=list(map(in_source, report.findings)),
        sentence_spans=list(map(in_source, report.sentences)),
    )
