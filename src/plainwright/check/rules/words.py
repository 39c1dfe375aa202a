"""Hard words for which our list has plainer ones, and two words for one thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import groupby

from plainwright.check.passage import Passage
from plainwright.check.rules.base import Rule
from plainwright.check.types import Finding, Settings
from plainwright.rewrite.models import DEFAULT_MODEL
from plainwright.rewrite.propose.wordlist import Worded, WordlistProposer
from plainwright.rewrite.types import Edit, Sentence
from plainwright.rewrite.wordlist import WordList, matches
from plainwright.rewrite.wordlist.wordlist import ListedEntry
from plainwright.text.frequencies import zipf
from plainwright.text.inflection import inflections

__all__ = ["HardWord", "TwoTerms"]

# On the Zipf scale of word frequencies:
_EVERYDAY = 5.2  # nouns above it (thing, part, place) mean too many things to be a term
_COMMON = 5.0  # words above it (major, return) are not hard, though there may be plainer ones
_RARE = 4.7  # a word that makes a phrase hard
_VERY_RARE = 4.0  # a word for which it takes more words to be plainer


@cache
def _our_list() -> WordList:
    return WordList.open(DEFAULT_MODEL / "wordlist.pack")


class _Listed(Rule):
    """Asks the user's lists of words, then ours."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._sources = {path.name for path in settings.words}
        self._own = [WordList.read(path) for path in settings.words]

    @cached_property
    def lists(self) -> Sequence[WordList]:
        """The lists, those of the user first."""
        return (*self._own, _our_list())


class HardWord(_Listed):
    """Finds words and phrases that the list has plainer ones for."""

    rule = "hard-word"
    meaning = "A hard word or wordy phrase has a plainer one."
    source = "plainlanguage.gov; the words are those of our list"

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield what the list would replace, with the words in their place."""
        proposer = WordlistProposer(self.lists)
        for sentence, proposals in zip(
            passage.sentences, proposer.propose(passage.sentences, limit=1, threads=1), strict=True
        ):
            for proposal in proposals:
                for _, group in groupby(proposal.edits, key=lambda edit: edit.group):
                    edits = list(group)
                    if self._is_hard(_entry(edits)):
                        yield self._found(passage, sentence, edits)

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

    def _found(self, passage: Passage, sentence: Sentence, edits: Sequence[Edit]) -> Finding:
        start, end = edits[0].source_span[0], edits[-1].source_span[1]
        plain, at = "", start
        for edit in edits:
            plain += sentence.text[at : edit.source_span[0]] + edit.target_text
            at = edit.source_span[1]
        own = sentence.text[start:end]
        start, end = start + len(own) - len(own.lstrip()), end - len(own) + len(own.rstrip())
        plain = " ".join(plain.split())
        if sentence.text[start].islower() and plain[1:2].islower():
            plain = plain[0].lower() + plain[1:]  # the capital is for a sentence that begins here, after another edit
        if not plain:
            start, end, plain = _with_neighbour(sentence, start, end, _words(_entry(edits).plain))
        message = "plainer" if plain else "the sentence can do without"
        return self.found(passage, sentence, start, end, message, *([plain] if plain else []))


def _with_neighbour(sentence: Sentence, start: int, end: int, stays: Sequence[str]) -> tuple[int, int, str]:
    """Of "in order to" and "all of" one word stays, before or after what goes: the whole, and that word."""
    for token in sentence.tokens:
        if token.text.lower() in stays and sentence.text[end : token.start].isspace():
            return start, token.end, token.text
        if token.text.lower() in stays and sentence.text[token.end : start].isspace():
            return token.start, end, token.text
    return start, end, ""


def _entry(edits: Sequence[Edit]) -> ListedEntry:
    """The entry behind the edits of one group."""
    [evidence, *_] = edits[0].evidence
    assert isinstance(evidence, Worded)
    return evidence.entry


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
            for match in matches(sentence, self.lists):
                entry = match.entry
                if entry.kind != "noun" or not match.parts or " " in entry.plain or entry.hard in seen:
                    continue
                plain = entry.plain.strip("!*")
                if zipf(plain) > _EVERYDAY or nouns.isdisjoint((plain, *inflections(plain, "noun")["NNS"])):
                    continue
                seen.add(entry.hard)
                start, end = sentence.tokens[match.source[0][0]].start, sentence.tokens[match.source[-1][1] - 1].end
                message = f"the text also has “{plain}”; use one word for one thing"
                yield self.found(passage, sentence, start, end, message, plain)
