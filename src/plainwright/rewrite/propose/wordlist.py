"""Lists of words as a proposer: all entries that fit a sentence, each an edit of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plainwright.rewrite.propose.matched import goes_on, proposal_of, tokens_of
from plainwright.rewrite.protect import protected_tokens
from plainwright.rewrite.types import Proposal, Proposals, Sentence
from plainwright.rewrite.wordlist.matching import matches
from plainwright.rewrite.wordlist.wordlist import ListedEntry, WordList

__all__ = ["Worded", "WordlistProposer"]


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
        return sentence.fixed.union(tokens_of(alone))

    def fixed_for_lists(self, sentence: Sentence) -> frozenset[int]:
        """Return the same without the names and abbreviations that an entry replaces."""
        fixed = self.fixed(sentence)
        if not self.names or not fixed:
            return fixed
        reasons = protected_tokens(sentence.text, sentence.tokens, sentence.protection)
        names = {token for token in sentence.fixed if reasons[token] == "name"} - sentence.tokens_alone
        loosened = replace(sentence, fixed=fixed - names)
        return fixed - names.intersection(tokens_of(match for match in matches(loosened, self.lists) if match.parts))

    def _proposals(self, sentence: Sentence) -> Iterator[Proposal]:
        found = [match for match in matches(sentence, self.lists) if match.parts and not goes_on(sentence, match)]
        if found:
            yield proposal_of(sentence, found, [Worded(match.entry) for match in found], origin=self.name)
