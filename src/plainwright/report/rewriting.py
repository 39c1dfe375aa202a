"""A simplified text as one HTML page in which a writer accepts and refuses edits.

The page rebuilds the text by putting pieces together: what stays, and for each edit what stood there or what came, so
no place in the text has to be counted. Its grade comes from counts of each sentence with and without each group.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from plainwright import __version__
from plainwright.arguments import check_instances, check_text
from plainwright.report import page
from plainwright.report.data import script_safe
from plainwright.rewrite import AppliedRule, Edit, SimplifiedText
from plainwright.rewrite.types import without_surrogates
from plainwright.text import readability_counts_lines

__all__ = ["RewritingData", "render_rewriting", "rewriting_data"]

_MOST_COMBINED = 6  # groups of a sentence of which all combinations are counted
_STRUCTURAL = ("split", "join", "reorder")  # what a group is called in which kinds meet; else "replace"

Counts = tuple[int, int, int]  # sentences, words, syllables
Pieces = list[str | int]  # text that stays, and numbers of edits


def render_rewriting(parts: Iterable[SimplifiedText], *, name: str = "") -> str:
    """One self-contained HTML document about a text, given in parts one after the other; `name` is its file's."""
    from markupsafe import Markup

    check_text(name, "render_rewriting", "name")
    return page.compose(
        "rewriting.html.jinja",
        styles=("page.css", "controls.css", "rewriting.css"),
        scripts=("tools.js", "rewriting.js", "rewriting_page.js"),
        title=f"Changes in {name}" if name else "Changes in a text",
        version=__version__,
        results="review",
        navigation=False,
        facts=(),
        payload=Markup(script_safe({**rewriting_data(parts), "name": _saved_name(name)})),
    )


def rewriting_data(parts: Iterable[SimplifiedText]) -> dict[str, Any]:
    """Everything that the page shows: paragraphs in pieces, edits with their reasons, and counts of sentences."""
    return RewritingData().add(parts)


def _saved_name(name: str) -> str:
    """What the result is called on the reader's disk; it is text, whatever the document was."""
    stem = PurePath(name.removesuffix(".gz")).stem
    return f"{stem}.plain.txt" if stem else "plain.txt"


@dataclass(slots=True)
class RewritingData:
    """Numbers the edits, groups and sentences of a text whose parts come one after the other."""

    edits: list[dict[str, Any]] = field(default_factory=list)
    groups: list[dict[str, Any]] = field(default_factory=list)
    _sentences: list[Pieces] = field(default_factory=list)

    def add(self, parts: Iterable[SimplifiedText]) -> dict[str, Any]:
        """Return what the page has to know of further parts; numbers go on from those before."""
        parts = list(parts) if isinstance(parts, Iterable) else parts
        check_instances(parts, SimplifiedText, "RewritingData", "parts", "texts as Simplifier.stream yields them")
        edits, groups, self._sentences = len(self.edits), len(self.groups), []
        paragraphs = [self._paragraph(part) for part in parts]
        new = {"groups": self.groups[groups:], "edits": self.edits[edits:]}
        return {"paragraphs": paragraphs, **new, "sentences": self._counted()}

    def _paragraph(self, part: SimplifiedText) -> Pieces:
        first, numbers = len(self.edits), self._group_numbers(part.edits)
        for edit in part.edits:
            group = numbers[edit.group]
            self.groups[group]["edits"].append(len(self.edits))
            self.edits.append({"source": edit.source_text, "target": edit.target_text, "group": group})
        pieces = list(_pieces(part.source, 0, len(part.source), part.edits, first))
        at, number = 0, first
        for sentence in part.sentences:
            start = part.source.index(sentence.source, at)
            at = max([start + len(sentence.source), *(edit.source_span[1] for edit in sentence.edits)])
            self._sentences.append(list(_pieces(part.source, start, at, sentence.edits, number)))
            number += len(sentence.edits)
        return pieces

    def _group_numbers(self, edits: Sequence[Edit]) -> dict[int, int]:
        members: dict[int, list[Edit]] = {}
        for edit in edits:
            members.setdefault(edit.group, []).append(edit)
        numbers = {}
        for own, together in members.items():
            numbers[own] = len(self.groups)
            self.groups.append({"kind": _kind(together), "edits": [], **_explanation(together)})
        return numbers

    def _counted(self) -> list[dict[str, Any]]:
        """Return the counts of every sentence without edits, what each group adds, and what they add up to otherwise.

        Nearly always the effects of groups add up; `exceptions` has the combinations in which they do not.
        """
        variants = [list(self._variants(pieces)) for pieces in self._sentences]
        texts = [without_surrogates(text) for own in variants for _, text in own]
        rows = iter(readability_counts_lines(texts)[:, :3].astype(int).tolist())
        return [_sums({chosen: next(rows) for chosen, _ in own}) for own in variants]

    def _variants(self, pieces: Pieces) -> Iterator[tuple[tuple[int, ...], str]]:
        """Yield the sentence with some groups applied: none, each alone, all, and all combinations of few."""
        groups = sorted({self.edits[piece]["group"] for piece in pieces if isinstance(piece, int)})
        few = len(groups) <= _MOST_COMBINED
        sizes = range(len(groups) + 1) if few else (0, 1, len(groups))
        for chosen in itertools.chain.from_iterable(itertools.combinations(groups, size) for size in sizes):
            yield chosen, "".join(self._text(piece, chosen) for piece in pieces)

    def _text(self, piece: str | int, chosen: tuple[int, ...]) -> str:
        if isinstance(piece, str):
            return piece
        edit = self.edits[piece]
        return str(edit["target"] if edit["group"] in chosen else edit["source"])


def _pieces(source: str, start: int, end: int, edits: Sequence[Edit], first: int) -> Iterator[str | int]:
    at = start
    for number, edit in enumerate(edits, start=first):
        if at < edit.source_span[0]:
            yield source[at : edit.source_span[0]]
        yield number
        at = edit.source_span[1]
    if at < end:
        yield source[at:end]


def _sums(counts: dict[tuple[int, ...], Counts]) -> dict[str, Any]:
    base = counts[()]
    added = {
        chosen[0]: [own - none for own, none in zip(row, base, strict=True)]
        for chosen, row in counts.items()
        if len(chosen) == 1
    }
    exceptions = {}
    for chosen, row in counts.items():
        total = [sum(column) for column in zip(base, *(added[group] for group in chosen), strict=True)]
        if total != list(row):
            exceptions[",".join(map(str, chosen))] = list(row)
    shown = {"counts": list(base), "added": added}
    return {**shown, "exceptions": exceptions} if exceptions else shown


def _kind(edits: Sequence[Edit]) -> str:
    kinds = dict.fromkeys(edit.kind for edit in edits)
    if len(kinds) == 1:
        return next(iter(kinds))
    return next((kind for kind in _STRUCTURAL if kind in kinds), "replace")


def _explanation(edits: Sequence[Edit]) -> dict[str, list[str]]:
    evidence = [one for edit in edits for one in edit.evidence]
    others = [
        candidate.target
        for rule in evidence
        if isinstance(rule, AppliedRule)
        for candidate in rule.candidates
        if candidate.target and (candidate.label, candidate.target) != (rule.label, rule.target)
    ]
    return {"reasons": list(dict.fromkeys(map(str, evidence))), "others": list(dict.fromkeys(others))}
