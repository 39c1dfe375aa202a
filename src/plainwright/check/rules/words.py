"""Hard words for which our list has plainer ones, and two words for one thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path

from plainwright import models
from plainwright.check.passage import Passage, Span
from plainwright.check.rules.base import Rule
from plainwright.check.types import Finding, Settings
from plainwright.rewrite.propose.wordlist import WordlistProposer
from plainwright.rewrite.types import Edit, Sentence
from plainwright.rewrite.wordlist import Match, WordList, matches
from plainwright.rewrite.wordlist.wordlist import ListedEntry
from plainwright.text.frequencies import zipf
from plainwright.text.inflection import inflections

__all__ = ["HardWord", "TwoTerms"]

# On the Zipf scale of word frequencies:
_EVERYDAY = 5.2  # nouns above it (thing, part, place) mean too many things to be a term
_COMMON = 5.0  # words above it (major, return) are not hard, though there may be plainer ones
_RARE = 4.7  # a word that makes a phrase hard
_VERY_RARE = 4.0  # a word for which it takes more words to be plainer
_ONLY_CHECKED = Path(__file__).resolve().parents[1] / "words.tsv"


@cache
def _our_lists() -> tuple[WordList, WordList]:
    """The list of the simplifier, and one of words that only a writer can replace."""
    return WordList.open(models.find("default") / "wordlist.pack"), WordList.read(_ONLY_CHECKED)


class _Listed(Rule):
    """Asks the user's lists of words, then ours."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._sources = {path.name for path in settings.words}
        self._own = [WordList.read(path) for path in settings.words]

    @cached_property
    def lists(self) -> Sequence[WordList]:
        """The lists, those of the user first."""
        return (*self._own, *_our_lists())

    def matched(self, sentence: Sentence) -> list[Match]:
        """Return what the lists have for a sentence; two rules ask, and one search is enough."""
        key = ("matches", *(words.name for words in self.lists))
        if key not in sentence.memo:
            sentence.memo[key] = matches(sentence, self.lists)
        found: list[Match] = sentence.memo[key]
        return found


class HardWord(_Listed):
    """Finds words and phrases that the list has plainer ones for."""

    rule = "hard-word"
    meaning = "A hard word or wordy phrase has a plainer one."
    source = "plainlanguage.gov; the words are those of our list"

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield what the list would replace, with the words in their place."""
        proposer = WordlistProposer(self.lists)
        proposed = proposer.propose(passage.sentences, limit=1, threads=1)
        for sentence, proposals in zip(passage.sentences, proposed, strict=True):
            used = [match for match in self.matched(sentence) if match.parts]
            for proposal in proposals:
                for group, edits in groupby(proposal.edits, key=lambda edit: edit.group):
                    if self._is_hard(used[group].entry):
                        yield self._found(passage, sentence, used[group], list(edits))

    def _is_hard(self, entry: ListedEntry) -> bool:
        """Whether words are hard, rather than those that the list would put more simply; the user's all are."""
        if entry.source in self._sources:
            return True
        hard, plain = _words(entry.hard), _words(entry.plain)
        rarest, instead = min(map(zipf, hard), default=0.0), min(map(zipf, plain), default=_EVERYDAY)
        if len(plain) < len(hard):
            return True
        limit = _VERY_RARE if len(plain) > len(hard) else _RARE if len(hard) > 1 else _COMMON
        return rarest < min(limit, instead)

    def _found(self, passage: Passage, sentence: Sentence, match: Match, edits: Sequence[Edit]) -> Finding:
        start, end = _span(sentence, match)
        start, end = min(start, edits[0].source_span[0]), max(end, edits[-1].source_span[1])  # with an article, say
        plain, at = "", start
        for edit in edits:
            plain += sentence.text[at : edit.source_span[0]] + edit.target_text
            at = edit.source_span[1]
        plain = " ".join((plain + sentence.text[at:end]).split())
        own = sentence.text[start:end]
        start, end = start + len(own) - len(own.lstrip()), end - len(own) + len(own.rstrip())
        if sentence.text[start].islower() and plain[1:2].islower():
            plain = plain[0].lower() + plain[1:]  # the capital is for a sentence that begins here, after another edit
        message = "" if plain else "the sentence can do without"
        return self.found(passage, sentence, start, end, message, *([plain] if plain else []))


def _span(sentence: Sentence, match: Match) -> Span:
    """The characters that a match takes, with those of a gap in it."""
    return sentence.tokens[match.source[0][0]].start, sentence.tokens[match.source[-1][1] - 1].end


def _words(side: str) -> list[str]:
    """The words of one side of an entry, without what stands for others."""
    return [word for word in side.replace("*", "").replace("!", "").lower().split() if word.isalpha()]


class TwoTerms(_Listed):
    """Finds a noun that stands for the same thing as another one of the text."""

    rule = "two-terms"
    meaning = "Two words for one thing make readers look for a difference."

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield the first use of each noun whose plainer twin stands elsewhere in the text."""
        nouns = {
            token.text.lower()
            for sentence in passage.sentences
            for token, tag in zip(sentence.tokens, sentence.tags, strict=True)
            if tag in ("NN", "NNS")
        }
        seen = set()
        for sentence in passage.sentences:
            for match in self.matched(sentence):
                entry = match.entry
                if entry.kind != "noun" or not match.parts or " " in entry.plain or entry.hard in seen:
                    continue
                plain = entry.plain.strip("!*")
                if zipf(plain) > _EVERYDAY or nouns.isdisjoint((plain, *inflections(plain, "noun")["NNS"])):
                    continue
                seen.add(entry.hard)
                start, end = _span(sentence, match)
                message = f"the text also has “{plain}”; use one word for one thing"
                yield self.found(passage, sentence, start, end, message, plain)
