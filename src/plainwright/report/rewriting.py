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
from plainwright.check.passage import IN_PLACE, Span, has_words, sentence_count
from plainwright.check.types import TITLES, Prose
from plainwright.report import page
from plainwright.report.data import script_safe
from plainwright.rewrite import AppliedRule, Edit, SimplifiedText
from plainwright.rewrite.choices import other_words
from plainwright.rewrite.documents import reason_for_writers
from plainwright.rewrite.types import without_surrogates
from plainwright.text import readability_counts_lines

__all__ = ["RewritingData", "render_rewriting", "rewriting_data"]

_MOST_COMBINED = 6  # groups of a sentence of which all combinations are counted
_STRUCTURAL = ("split", "join", "reorder")  # what a group is called in which kinds meet; else "replace"

Counts = tuple[int, int, int]  # sentences, words, syllables
Pieces = list[str | int]  # text that stays, and numbers of edits


def render_rewriting(parts: Iterable[SimplifiedText], *, name: str = "", blocks: Iterable[Prose] | None = None) -> str:
    """One self-contained HTML document about a text, given in parts one after the other; `name` is its file's.

    If the parts are blocks of a document, `blocks` are these, so that its grade is the one that `check` gives.
    """
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
        payload=Markup(script_safe({**rewriting_data(parts, blocks), "name": _saved_name(name)})),
    )


def rewriting_data(parts: Iterable[SimplifiedText], blocks: Iterable[Prose] | None = None) -> dict[str, Any]:
    """Everything that the page shows: paragraphs in pieces, edits with their reasons, and counts of sentences."""
    return RewritingData().add(parts, blocks)


def _saved_name(name: str) -> str:
    """What the result is called on the reader's disk; it is text, whatever the document was."""
    stem = PurePath(name.removesuffix(".gz")).stem
    return f"{stem}.plain.txt" if stem else "plain.txt"


@dataclass(slots=True)
class RewritingData:
    """Numbers the edits, groups and sentences of a text whose parts come one after the other."""

    edits: list[dict[str, Any]] = field(default_factory=list)
    groups: list[dict[str, Any]] = field(default_factory=list)
    _sentences: list[tuple[Pieces, int]] = field(default_factory=list)  # and as how many it counts without edits

    def add(self, parts: Iterable[SimplifiedText], blocks: Iterable[Prose] | None = None) -> dict[str, Any]:
        """Return what the page has to know of further parts; numbers go on from those before."""
        parts = list(parts) if isinstance(parts, Iterable) else parts
        check_instances(parts, SimplifiedText, "RewritingData", "parts", "texts as Simplifier.stream yields them")
        edits, groups, self._sentences = len(self.edits), len(self.groups), []
        own = itertools.repeat(None) if blocks is None else blocks
        paragraphs = [self._paragraph(part, block) for part, block in zip(parts, own, strict=blocks is not None)]
        new = {"groups": self.groups[groups:], "edits": self.edits[edits:]}
        return {"paragraphs": paragraphs, **new, "sentences": self._counted()}

    def _paragraph(self, part: SimplifiedText, block: Prose | None) -> Pieces:
        first, numbers = len(self.edits), self._group_numbers(part.edits, part.text)
        for edit in part.edits:
            group = numbers[edit.group]
            self.groups[group]["edits"].append(len(self.edits))
            self.edits.append({"source": edit.source_text, "target": edit.target_text, "group": group})
        pieces = list(_pieces(part.source, 0, len(part.source), part.edits, first))
        if block is not None and block.kind in TITLES:
            return pieces
        fixed = () if block is None else block.fixed
        at, number = 0, first
        # What is no prose may hide where sentences end, so the first one stands for those that were found otherwise.
        more = sentence_count(part.source, fixed) - sum(has_words(own.source) for own in part.sentences)
        for sentence in part.sentences:
            start = part.source.index(sentence.source, at)
            at = max([start + len(sentence.source), *(edit.source_span[1] for edit in sentence.edits)])
            if has_words(sentence.source):
                own = list(_pieces(part.source, start, at, sentence.edits, number, fixed))
                self._sentences.append((own, 1 + more))
                more = 0
            number += len(sentence.edits)
        return pieces

    def _group_numbers(self, edits: Sequence[Edit], text: str) -> dict[int, int]:
        members: dict[int, list[Edit]] = {}
        for edit in edits:
            members.setdefault(edit.group, []).append(edit)
        numbers = {}
        for own, together in members.items():
            numbers[own] = len(self.groups)
            choices = other_words(together, text)
            self.groups.append({"kind": _kind(together), "edits": [], **_explanation(together, choices)})
            if choices:
                self.groups[-1]["choices"] = _counted_choices(together[0].target_text, choices)
        return numbers

    def _counted(self) -> list[dict[str, Any]]:
        """Return the counts of every sentence without edits, what each group adds, and what they add up to otherwise.

        Nearly always the effects of groups add up; `exceptions` has the combinations in which they do not.
        """
        variants = [list(self._variants(pieces)) for pieces, _ in self._sentences]
        texts = [without_surrogates(text) for own in variants for _, text in own]
        rows = iter(readability_counts_lines(texts)[:, :3].astype(int).tolist())
        return [
            _sums(_counted_as(count, {chosen: next(rows) for chosen, _ in own}))
            for own, (_, count) in zip(variants, self._sentences, strict=True)
        ]

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


def _pieces(
    source: str, start: int, end: int, edits: Sequence[Edit], first: int, fixed: Sequence[Span] = ()
) -> Iterator[str | int]:
    """Yield what stays and the numbers of edits; for what is no prose, yield the word that counts for it."""
    inserted: list[tuple[Span, str | int]] = [
        (edit.source_span, number) for number, edit in enumerate(edits, start=first)
    ]
    taken: list[tuple[Span, str | int]] = [(span, IN_PLACE) for span in fixed if start <= span[0] and span[1] <= end]
    at = start
    for (before, after), piece in sorted([*inserted, *taken], key=lambda pair: pair[0]):
        if at < before:
            yield source[at:before]
        yield piece
        at = after
    if at < end:
        yield source[at:end]


def _counted_as(count: int, counts: dict[tuple[int, ...], Counts]) -> dict[tuple[int, ...], Counts]:
    """Return the counts of a sentence, which counts as so many without edits, whatever counting finds in it."""
    found = counts[()][0]
    return {
        chosen: (sentences - found + count, words, syllables)
        for chosen, (sentences, words, syllables) in counts.items()
    }


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


def _counted_choices(target: str, choices: Sequence[str]) -> list[dict[str, Any]]:
    """Return other words with what they add to the counts of sentences, words and syllables."""
    base, *rows = readability_counts_lines([target, *choices])[:, :3].astype(int).tolist()
    added = ([0, row[1] - base[1], row[2] - base[2]] for row in rows)
    return [{"text": text, "counts": counts} for text, counts in zip(choices, added, strict=True)]


def _explanation(edits: Sequence[Edit], choices: Sequence[str]) -> dict[str, list[str]]:
    evidence = [one for edit in edits for one in edit.evidence]
    chosen = frozenset(["", *(own.lower() for own in choices)])
    others = [
        candidate.target
        for rule in evidence
        if isinstance(rule, AppliedRule)
        for candidate in rule.candidates
        if candidate.target not in chosen and (candidate.label, candidate.target) != (rule.label, rule.target)
    ]
    return {"reasons": list(dict.fromkeys(map(reason_for_writers, evidence))), "others": list(dict.fromkeys(others))}
