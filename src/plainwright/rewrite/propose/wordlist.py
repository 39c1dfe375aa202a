"""Lists of words as a proposer: all entries that fit a sentence, each an edit of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from plainwright.rewrite.protect import protected_tokens
from plainwright.rewrite.surface import Block, realise
from plainwright.rewrite.types import Edit, Proposal, Proposals, Sentence
from plainwright.rewrite.wordlist.matching import Match, matches
from plainwright.rewrite.wordlist.reading import Part, Reading
from plainwright.rewrite.wordlist.wordlist import ListedEntry, WordList

__all__ = ["Worded", "WordlistProposer"]

_SAID_AGAIN = frozenset(("against", "as", "by", "for", "from", "in", "of", "on", "that", "to", "upon", "with"))
_AGAIN = re.compile(r"\b(?:and|or|but|nor)\b(?:,[^,.;]{1,30},)?(?: not)? (?P<word>\w+)")


@dataclass(frozen=True, slots=True)
class Worded:
    """Evidence: the entry behind an edit."""

    entry: ListedEntry

    def __str__(self) -> str:
        own = self.entry
        return f"{own.hard} → {own.plain or '(nothing)'}, from {own.source}:{own.line}"

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        own = self.entry
        return {"kind": "wordlist", "hard": own.hard, "plain": own.plain, "list": own.source, "line": own.line}


class WordlistProposer:
    """Proposes each sentence with all entries of its lists that fit; the first list wins."""

    name = "wordlist"

    def __init__(self, lists: Sequence[WordList]) -> None:
        self.lists = tuple(lists)
        self.protects = any(words.traits.protects for words in lists)
        self.names = any(words.traits.names for words in lists)

    def __repr__(self) -> str:
        return f"WordlistProposer({', '.join(words.name for words in self.lists)})"

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[Proposals]:
        """Return one proposal for each sentence in which something fits."""
        return [Proposals(self._proposals(sentence)) for sentence in sentences]

    def fixed(self, sentence: Sentence) -> frozenset[int]:
        """Return the tokens that are protected from everybody: also those that an entry leaves alone."""
        alone = (match for match in matches(sentence, self.lists) if match.entry.protects) if self.protects else ()
        return sentence.fixed.union(_tokens(alone))

    def fixed_for_lists(self, sentence: Sentence) -> frozenset[int]:
        """Return the same without the names and abbreviations that an entry replaces."""
        fixed = self.fixed(sentence)
        if not self.names or not fixed:
            return fixed
        reasons = protected_tokens(sentence.text, sentence.tokens, sentence.protection)
        names = {token for token in sentence.fixed if reasons[token] == "name"} - sentence.tokens_alone
        loosened = replace(sentence, fixed=fixed - names)
        return fixed - names.intersection(_tokens(match for match in matches(loosened, self.lists) if match.parts))

    def _proposals(self, sentence: Sentence) -> Iterator[Proposal]:
        found = [match for match in matches(sentence, self.lists) if match.parts and not _goes_on(sentence, match)]
        if not found:
            return
        parts = sorted(
            ((part, group) for group, match in enumerate(found) for part in match.parts), key=lambda own: own[0].source
        )
        target, blocks = _laid_out(sentence, parts)
        # The capitals of a name say nothing about the words in its place.
        is_common = Reading(sentence).is_common
        fixed = sentence.fixed.union(token for token in _tokens(found) if not is_common(token))
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
                    origin=self.name,
                    evidence=(Worded(found[group].entry),),
                    final=True,
                )
            )
        yield Proposal(sentence, surface.text, origin=self.name, edits=edits, curated=True)


def _goes_on(sentence: Sentence, match: Match) -> bool:
    """Return whether a second phrase needs a word that an entry replaces: "linked with A and with B"."""
    hard, plain = match.entry.hard.split(), match.entry.plain.rstrip("!").split()
    last = hard[-1] if hard[-1] in _SAID_AGAIN and plain[-1:] != hard[-1:] else None
    # "Deemed to have paid and to agree" needs its "to", too.
    inner = "to" if hard[-2:] == ["to", "have"] and "to" not in plain else None
    needed = {word for word in (last, inner) if word}
    if not plain or not needed:
        return False
    rest = sentence.text[sentence.tokens[match.source[-1][1] - 1].end :]
    return any(again["word"] in needed for again in _AGAIN.finditer(rest))


def _tokens(found: Iterable[Match]) -> Iterator[int]:
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
