"""Documents in plainer words: blocks go through the simplifier, and its edits become changes of the document.

What a block has fixed is protected from everybody. Edits that would touch it all the same, reach across the beginning
or end of inline markup, or empty a stretch of it, are undone with all that belong to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from plainwright.documents import Block, Change, Limits
from plainwright.rewrite.propose.wordlist import Worded
from plainwright.rewrite.protect import Protection
from plainwright.rewrite.result import SimplifiedText
from plainwright.rewrite.simplifier import Simplifier
from plainwright.rewrite.types import Chooser, Edit, Evidence, Span
from plainwright.text.language import may_be_english

__all__ = ["SimplifiedBlock", "reason_for_writers", "simplify_blocks"]

_PIECE = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class SimplifiedBlock:
    """Holds a block, what became of its text, and the same as changes of the document."""

    block: Block
    result: SimplifiedText
    changes: tuple[Change, ...]

    def without(self, groups: Set[int]) -> SimplifiedBlock:
        """Return the block with some groups of edits undone."""
        result = self.result.without(groups)
        changes = (change for edit in result.edits if (change := _change(edit)))
        # A deletion may take another space than its edit does.
        known = frozenset(self.changes)
        fitting = (change if change in known else _moved(change) for change in changes)
        return SimplifiedBlock(self.block, result, tuple(fitting))

    def choosing(self, words: Mapping[int, str]) -> SimplifiedBlock:
        """Return the block with other words, those of `other_words`, in the place of what some groups wrote."""
        instead = {
            _change(edit): _change(replace(edit, target_text=words[edit.group]))
            for edit in self.result.edits
            if edit.group in words
        }
        chosen = (instead.get(change, change) for change in self.changes)
        return replace(self, changes=tuple(change for change in chosen if change is not None))


def simplify_blocks(
    simplifier: Simplifier,
    blocks: Sequence[Block],
    *,
    protection: Protection | None = None,
    n_best: int = 1,
    alternatives: int = 5,
    rerank: Chooser | None = None,
    threads: int = 1,
) -> Iterator[SimplifiedBlock]:
    """Simplify the blocks of a document; they come back in their order."""
    protection = protection or Protection()
    alone = [_alone(block, protection) for block in blocks]
    results = simplifier.simplify_each(
        [block.text for block in blocks],
        alone=alone,
        protection=protection,
        n_best=n_best,
        alternatives=alternatives,
        rerank=rerank,
        threads=threads,
    )
    for block, own, result in zip(blocks, alone, results, strict=True):
        room = _Room(block, own)
        changes = [(edit.group, room.fitting(change)) for edit in result.edits if (change := _change(edit))]
        unfit = {group for group, change in changes if change is None}
        fitting = tuple(change for group, change in changes if change is not None and group not in unfit)
        yield SimplifiedBlock(block, result.without(unfit), fitting)


def _alone(block: Block, protection: Protection) -> Sequence[Span]:
    """Where a block may not change: one in another language, or a quotation if these are protected, nowhere."""
    if (block.kind == "quotation" and protection.quotations) or not may_be_english(block.text):
        return [(0, len(block.text))]
    return [*block.fixed, *protection.quoted_spans(block.text)]


def _change(edit: Edit) -> Change | None:
    """The words that an edit changes, without those that it has on both sides; None if it changes nothing."""
    before, after = _PIECE.findall(edit.source_text), _PIECE.findall(edit.target_text)
    shorter = min(len(before), len(after))
    first = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    last = next((n for n in range(shorter - first) if before[-1 - n] != after[-1 - n]), shorter - first)
    start = edit.source_span[0] + len("".join(before[:first]))
    end = edit.source_span[1] - len("".join(before[len(before) - last :]))
    if before == after:
        return None
    reason = "; ".join(dict.fromkeys(map(reason_for_writers, edit.evidence)))
    return Change(start, end, "".join(after[first : len(after) - last]), reason)


def reason_for_writers(evidence: Evidence) -> str:
    """Say why, for a writer who knows neither rules nor lists of ours."""
    if isinstance(evidence, Worded):
        own = evidence.entry
        return f"{own.hard} → {own.plain.rstrip('!') or '(nothing)'} (plainer words)"
    return str(evidence)


def _moved(change: Change) -> Change:
    """Return a deletion with the space after the words instead of the one before them."""
    return replace(change, start=change.start + 1, end=change.end + 1)


class _Room:
    """Says which changes a block can take; nothing changes in `alone`."""

    def __init__(self, block: Block, alone: Sequence[Span]) -> None:
        self._text = block.text
        self._limits = Limits(alone, block.joints)
        self._bounds = {0, len(block.text), *block.joints}

    def fitting(self, change: Change) -> Change | None:
        """Return the change, or for a deletion the same with the other space; None if there is no room for it."""
        if self._fits(change):
            return change
        text = self._text
        if change.text or not (text[change.start] == text[change.end : change.end + 1] == " "):
            return None
        moved = _moved(change)
        return moved if self._fits(moved) else None

    def _fits(self, change: Change) -> bool:
        if self._limits.meets(change) or self._limits.crosses(change):
            return False
        return bool(change.text) or not (change.start in self._bounds and change.end in self._bounds)
