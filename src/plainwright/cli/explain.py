"""Sentences before and after, with every edit, its rules and their rivals, for people to read.

Where there is colour, what went is red and what came is green; without colour nothing is lost.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from plainwright.escaping import printable

if TYPE_CHECKING:
    from plainwright.rewrite import AppliedRule, Edit, Evidence, SimplifiedSentence, SimplifiedText

__all__ = ["colour_wanted", "explained"]

_NOTHING = "(nothing)"
_NAME_WIDTH = 7


def colour_wanted() -> bool:
    """Whether standard output shows colours and nobody asked for none (https://no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def explained(result: SimplifiedText, *, edits: bool, colour: bool) -> str:
    """All sentences of a text; `edits` says whether with their edits."""
    pen = _Pen(colour=colour)
    before, after = 0, 0  # where to look for the next sentence
    parts = []
    for sentence in result.sentences:
        before, after = result.source.index(sentence.source, before), result.text.index(sentence.text, after)
        lines = [*pen.sentence(sentence, before, after), *(pen.edits(sentence) if edits else ())]
        parts.append("".join(f"{line}\n" for line in lines))
        before, after = before + len(sentence.source), after + len(sentence.text)
    return "".join(f"{part}\n" for part in parts)


class _Pen:
    """Writes lines, with or without colour."""

    def __init__(self, *, colour: bool) -> None:
        self._colour = colour

    def sentence(self, sentence: SimplifiedSentence, before: int, after: int) -> Iterator[str]:
        """The sentence before and after, and the other ways to put it."""
        if sentence.text == sentence.source:
            yield f"= {_one_line(self._shown(sentence.source))}"
        else:
            gone = [(e.source_span[0] - before, e.source_span[1] - before) for e in sentence.edits]
            come = [(e.target_span[0] - after, e.target_span[1] - after) for e in sentence.edits]
            yield f"- {_one_line(self._marked(self._shown(sentence.source), gone, 'red'))}"
            yield f"+ {_one_line(self._marked(self._shown(sentence.text), come, 'green'))}"
        for rank, other in enumerate(sentence.others, start=2):
            yield f"{rank} {_one_line(self._shown(other))}"

    def edits(self, sentence: SimplifiedSentence) -> Iterator[str]:
        """Three lines for each edit: what it did, by which rule, and what else the rule's words could become."""
        for edit in sentence.edits:
            yield self._entry(edit.kind, self._change(edit))
            for evidence in edit.evidence:
                yield from self._evidence(evidence)

    def _evidence(self, evidence: Evidence) -> Iterator[str]:
        from plainwright.rewrite import AppliedRule

        if not isinstance(evidence, AppliedRule):
            yield self._entry("why", self._shown(str(evidence)))
            return
        yield self._entry("rule", self._shown(f"{evidence}  {evidence.score:.3f}"))
        if evidence.candidates:
            yield self._entry("ranked", self._ranked(evidence))

    def _entry(self, name: str, text: str) -> str:
        heading = f"{name:>{_NAME_WIDTH}}"
        return f"  {typer.style(heading, dim=True) if self._colour else heading}  {text}"

    def _change(self, edit: Edit) -> str:
        before = self._painted(_one_line(self._shown(edit.source_text)) or _NOTHING, "red")
        after = self._painted(_one_line(self._shown(edit.target_text)) or _NOTHING, "green")
        return f"{before} → {after}"

    def _ranked(self, rule: AppliedRule) -> str:
        shown = []
        for candidate in rule.candidates:
            label = "" if candidate.label == rule.label else f" [{candidate.label}]"
            text = self._shown(f"{candidate.target or _NOTHING}{label} {candidate.score:.3f}")
            chosen = (candidate.label, candidate.target) == (rule.label, rule.target)
            shown.append(self._painted(text, "green") if chosen else text)
        return " · ".join(shown)

    def _marked(self, text: str, spans: list[tuple[int, int]], colour: str) -> str:
        at = 0
        out = []
        for start, end in spans:
            out += [text[at:start], self._painted(text[start:end], colour)]
            at = end
        return "".join([*out, text[at:]])

    def _shown(self, text: str) -> str:
        """Text that is not ours: among our colours it has none of its own. Its length stays."""
        return printable(text, layout=True) if self._colour else text

    def _painted(self, text: str, colour: str) -> str:
        return typer.style(text, fg=colour, bold=True) if self._colour and text else text


def _one_line(text: str) -> str:
    return " ".join(text.split())
