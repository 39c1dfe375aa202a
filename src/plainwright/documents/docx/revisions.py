"""Changes put into the runs of a Word document: clean or as tracked changes, with comments if they are wanted.

Runs are split where a change begins and ends. What stands to the left of a change stays in the element it was in, so
changes are made from right to left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plainwright.documents.docx.paragraphs import PRESERVE, shown_text
from plainwright.documents.flow import Flow, Part
from plainwright.documents.markup import local_name, namespace, written_text
from plainwright.documents.tracking import Tracking
from plainwright.documents.types import Change

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

__all__ = ["Reviser"]


@dataclass(slots=True)
class Reviser:
    """Makes changes in one part; `revisions` and `numbers` are the free numbers of tracked changes and comments."""

    tracking: Tracking | None
    revisions: Iterator[int]
    numbers: Iterator[int] | None  # None where comments are not wanted or have no place
    comments: list[tuple[int, str]] = field(default_factory=list)  # the number of each and what it says

    def revise(self, flow: Flow[Element], changes: Sequence[Change]) -> None:
        """Make the changes of a paragraph, which are in order; those that find no place are left out."""
        planned = []
        for change in changes:
            parts, text, old = flow.parts(change), written_text(change.text), flow.text[change.start : change.end]
            if parts and old != text:
                planned.append((parts, text, self._numbered(change, old)))
        for parts, text, comment in reversed(planned):
            if self.tracking is None:
                _replace(parts, text)
            else:
                self._replace_runs(parts, text, comment)

    def _numbered(self, change: Change, old: str) -> int | None:
        """Keep the comment on a change, if there is one, and return its number."""
        comment = "" if self.tracking is None else self.tracking.comment(change, old)
        if not comment or self.numbers is None:
            return None
        number = next(self.numbers)
        self.comments.append((number, comment))
        return number

    def _replace_runs(self, parts: Sequence[Part[Element]], text: str, comment: int | None) -> None:
        model = parts[0].place.getparent()
        assert model is not None
        assert self.tracking is not None
        if parts[0].start < parts[0].end:
            runs = [_isolated(part) for part in reversed(parts)][::-1]
            parent, index = _place_of(runs[0])
            end = parent.index(runs[-1]) + 1
        else:
            parent, index = _split_at(parts[0])
            end = index
        taken = list(parent[index:end])
        new: list[Element] = []
        if taken and self.tracking.tracked:
            new.append(self._deletion(model, taken))
        else:
            for element in taken:
                parent.remove(element)
        if text:
            new.append(self._insertion(model, text))
        parent[index:index] = new if comment is None else _commented(model, new, comment)

    def _insertion(self, model: Element, text: str) -> Element:
        run = _made(model, "r")
        w = f"{{{namespace(model)}}}"
        properties = model.find(f"{w}rPr")
        if properties is not None:
            own = deepcopy(properties)
            for change in own.findall(f"{w}rPrChange"):
                own.remove(change)
            run.append(own)
        written = _made(model, "t")
        _set_text(written, text)
        run.append(written)
        if self.tracking is None or not self.tracking.tracked:
            return run
        insertion = self._revision(model, "ins")
        insertion.append(run)
        return insertion

    def _deletion(self, model: Element, taken: Sequence[Element]) -> Element:
        deletion = self._revision(model, "del")
        deletion.extend(taken)
        w = f"{{{namespace(model)}}}"
        for text in deletion.iter(f"{w}t"):
            text.tag = f"{w}delText"
        return deletion

    def _revision(self, model: Element, name: str) -> Element:
        assert self.tracking is not None
        element = _made(model, name, id=str(next(self.revisions)), author=self.tracking.author)
        element.set(f"{{{namespace(model)}}}date", self.tracking.timestamp)
        return element


def _commented(model: Element, new: Sequence[Element], number: int) -> list[Element]:
    start, end = (_made(model, f"commentRange{own}", id=str(number)) for own in ("Start", "End"))
    run = _made(model, "r")
    run.append(_made(model, "commentReference", id=str(number)))
    return [start, *new, end, run]


def _replace(parts: Sequence[Part[Element]], text: str) -> None:
    """Put the text in the place of the first part and take the others out."""
    for part in reversed(parts):
        old = shown_text(part.place)
        new = text if part is parts[0] else ""
        _set_text(part.place, old[: part.start] + new + old[part.end :])
        if not part.place.text:
            _remove(part.place)


def _remove(element: Element) -> None:
    """Remove an element, and its run if nothing is left in that."""
    run = element.getparent()
    assert run is not None
    run.remove(element)
    if all(local_name(child) == "rPr" for child in run):
        parent = run.getparent()
        assert parent is not None
        parent.remove(run)


def _isolated(part: Part[Element]) -> Element:
    """Return a run that holds the part and nothing else."""
    text = part.place
    if part.end < len(shown_text(text)):
        _split_run(_split_text(text, part.end))
    elif (after := text.getnext()) is not None:
        _split_run(after)
    if part.start > 0:
        return _split_run(_split_text(text, part.start))
    return _split_run(text)


def _split_at(part: Part[Element]) -> tuple[Element, int]:
    """Return a place between two runs where the empty part stands: the parent and the index of a new child."""
    text, run = part.place, part.place.getparent()
    assert run is not None
    if part.start == 0:
        return _place_of(_split_run(text))
    if part.start < len(shown_text(text)):
        return _place_of(_split_run(_split_text(text, part.start)))
    if (after := text.getnext()) is not None:
        return _place_of(_split_run(after))
    parent, index = _place_of(run)
    return parent, index + 1


def _place_of(element: Element) -> tuple[Element, int]:
    parent = element.getparent()
    assert parent is not None
    return parent, parent.index(element)


def _split_text(text: Element, place: int) -> Element:
    """Split a `w:t`; return its second half, which follows it."""
    whole = shown_text(text)
    second = _made(text, "t")
    _set_text(second, whole[place:])
    _set_text(text, whole[:place])
    text.addnext(second)
    return second


def _split_run(child: Element) -> Element:
    """Split a run before one of its children; return the run that begins with it, which may be the one there was."""
    run = child.getparent()
    assert run is not None
    properties = [own for own in run if local_name(own) == "rPr"]
    index = run.index(child)
    if index == len(properties):
        return run
    second = _made(run, "r")
    second.extend([deepcopy(own) for own in properties])
    second.extend(list(run[index:]))
    second.tail, run.tail = run.tail, None
    run.addnext(second)
    return second


def _set_text(text: Element, content: str) -> None:
    text.text = content
    text.set(PRESERVE, "preserve")


def _made(model: Element, name: str, **attributes: str) -> Element:
    """Make an element of the model's namespace."""
    w = f"{{{namespace(model)}}}"
    return model.makeelement(f"{w}{name}", {f"{w}{key}": value for key, value in attributes.items()})
