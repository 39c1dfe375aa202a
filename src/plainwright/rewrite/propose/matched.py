"""Matches of a list as a proposal: each match is a group of edits, with the evidence for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from plainwright.rewrite.surface import Block, realise
from plainwright.rewrite.types import Edit, Evidence, Proposal, Sentence
from plainwright.rewrite.wordlist.matching import Match
from plainwright.rewrite.wordlist.reading import Part, Reading

__all__ = ["goes_on", "proposal_of", "tokens_of"]

_SAID_AGAIN = frozenset(("against", "by", "for", "from", "in", "of", "on", "that", "to", "upon", "with"))
_AGAIN = re.compile(r"\b(?:and|or|but|nor)\b(?:,[^,.;]{1,30},)?(?: not)? (?P<word>\w+)")


def proposal_of(sentence: Sentence, found: Sequence[Match], evidence: Sequence[Evidence], *, origin: str) -> Proposal:
    """Return a sentence with all matches written into it; they stand in its order and share no token."""
    parts = sorted(
        ((part, group) for group, match in enumerate(found) for part in match.parts), key=lambda own: own[0].source
    )
    target, blocks = _laid_out(sentence, parts)
    # The capitals of a name say nothing about the words in its place.
    is_common = Reading(sentence).is_common
    fixed = sentence.fixed.union(token for token in tokens_of(found) if not is_common(token))
    surface = realise(sentence.text, sentence.tokens, target, blocks=blocks, fixed=fixed)
    group = 0
    edits = []
    for change in surface.changes():
        group = change.rules[0] if change.rules else group
        edits.append(
            Edit(
                kind=change.kind,
                source_span=change.source_span,
                target_span=change.target_span,
                source_text=sentence.text[slice(*change.source_span)],
                target_text=surface.text[slice(*change.target_span)],
                group=group,
                origin=origin,
                evidence=(evidence[group],),
                final=True,
            )
        )
    return Proposal(sentence, surface.text, origin=origin, edits=edits, curated=True)


def goes_on(sentence: Sentence, match: Match) -> bool:
    """Return whether a second phrase needs the last word that an entry replaces: "linked with A and with B"."""
    hard, plain = match.entry.hard.split(), match.entry.plain.rstrip("!").split()
    if not plain or hard[-1] not in _SAID_AGAIN or hard[-1] == plain[-1]:
        return False
    rest = sentence.text[sentence.tokens[match.source[-1][1] - 1].end :]
    return any(again["word"] == hard[-1] for again in _AGAIN.finditer(rest))


def tokens_of(found: Iterable[Match]) -> Iterator[int]:
    """Yield the tokens that matches replace."""
    return (token for match in found for span in match.source for token in range(*span))


def _laid_out(sentence: Sentence, parts: Sequence[tuple[Part, int]]) -> tuple[list[str | int], list[Block]]:
    """The words of the new sentence, and which of them stand for which tokens; groups take the place of rules."""
    target: list[str | int] = []
    blocks: list[Block] = []

    def copy(start: int, end: int) -> None:
        for token in range(start, end):
            blocks.append(Block("copy", (token, token + 1), (len(target), len(target) + 1)))
            target.append(token if token in sentence.fixed else sentence.tokens[token].text.lower())

    at = 0
    for part, group in parts:
        copy(at, part.source[0])
        blocks.append(Block("write", part.source, (len(target), len(target) + len(part.words)), (group,)))
        target += part.words
        at = part.source[1]
    copy(at, len(sentence.tokens))
    return target, blocks
