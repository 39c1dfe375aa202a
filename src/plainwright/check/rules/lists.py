"""Hard words by the lists of others. They do not ship with plainwright: the rules are there where the lists are."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar

from plainwright import corpora
from plainwright.check.passage import Passage
from plainwright.check.rules.base import Rule, verb_of
from plainwright.check.types import Finding, Settings
from plainwright.corpora import Card
from plainwright.errors import CorpusMissingError
from plainwright.rewrite.types import Sentence
from plainwright.text.frequencies import zipf
from plainwright.text.inflection import VERB_TAGS, inflections, is_known_verb
from plainwright.text.lemmas import lemmas_by_ending

__all__ = ["AdvancedWord", "ListedWord", "read_levels", "read_pairs"]

Pairs = Mapping[str, Sequence[tuple[Sequence[str], Sequence[str]]]]  # by the first of the hard words, the longest first

# On the Zipf scale of word frequencies:
_COMMON = 4.7  # words above it (option, subject) are not hard, whatever the list says
_VERY_RARE = 4.0  # a word that is hard without a plainer one, or for which it takes more words to be plainer
_WORDS = re.compile(r"[a-z]+(?: [a-z]+)*")
_ADVANCED = ("C1", "C2")


class _OfList(Rule):
    """Asks a list that is found as a corpus is."""

    corpus: ClassVar[str | Card]

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._files = _load(self.corpus, corpora.locate(self.corpus))

    @classmethod
    def is_there(cls) -> bool:
        """Return whether the list is on this machine."""
        try:
            corpora.locate(cls.corpus)
        except CorpusMissingError:
            return False
        return True


@cache
def _load(corpus: str | Card, paths: tuple[Path, ...]) -> tuple[tuple[str, ...], ...]:
    """Read a list once; other paths may hold another one."""
    return corpora.load_words(corpus)


class ListedWord(_OfList):
    """Finds words that plainlanguage.gov has plainer ones for."""

    rule = "listed-word"
    meaning = "A word or phrase is on the list of words to avoid of plainlanguage.gov."
    source = "plainlanguage.gov, Use simple words and phrases"
    link = "https://www.plainlanguage.gov/guidelines/words/use-simple-words-phrases/"
    corpus = "words/plainlanguage-gov"

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield what is on the list, with all plainer words that fit."""
        pairs = read_pairs(self._files[0])
        for sentence in passage.sentences:
            at = 0
            while at < len(sentence.tokens):
                length, plain = _listed(sentence, at, pairs)
                if plain:
                    start, end = sentence.tokens[at].start, sentence.tokens[at + length - 1].end
                    capital = sentence.text[start].isupper()
                    shown = [word[0].upper() + word[1:] if capital else word for word in plain]
                    yield self.found(passage, sentence, start, end, "on the list of plainlanguage.gov", *shown)
                at += length


def _listed(sentence: Sentence, at: int, pairs: Pairs) -> tuple[int, list[str]]:
    """How many tokens are on the list, and what it has for them; one and nothing if they are not."""
    word, tag = sentence.tokens[at].text.lower(), sentence.tags[at]
    if tag.startswith("NNP"):
        return 1, []
    for hard, plain in pairs.get(word, ()):
        if len(hard) > 1 and [token.text.lower() for token in sentence.tokens[at : at + len(hard)]] == hard:
            return len(hard), list(plain)
    base = verb_of(word, tag) if tag in VERB_TAGS else word
    single = (plain for hard, plain in pairs.get(base or "", ()) if len(hard) == 1)
    return 1, _fitting(next(single, ()), tag)


def _fitting(plain: Iterable[str], tag: str) -> list[str]:
    """Those that can stand for one word with a tag: the list does not say which are verbs."""
    fitting = []
    for words in plain:
        first, *rest = words.split()
        if is_known_verb(first) != (tag in VERB_TAGS):
            continue
        if tag in VERB_TAGS:
            first = inflections(first, "verb").get(tag, (first,))[0]
        fitting.append(" ".join((first, *rest)))
    return fitting


@cache
def read_pairs(lines: tuple[str, ...]) -> Pairs:
    """Read lines of hard words, a tab, and plainer ones with commas between; what is no hard word is left out."""
    pairs: dict[str, list[tuple[list[str], list[str]]]] = {}
    for line in lines:
        hard, _, plain = line.partition("\t")
        words = hard.split()
        better = [own for own in map(str.strip, plain.split(",")) if _WORDS.fullmatch(own) and _is_plainer(own, words)]
        if _WORDS.fullmatch(hard) and better:
            pairs.setdefault(words[0], []).append((words, better))
    return {first: sorted(own, key=lambda pair: -len(pair[0])) for first, own in pairs.items()}


def _is_plainer(plain: str, hard: Sequence[str]) -> bool:
    """Whether words are shorter, or more common than a word that is not common."""
    instead = plain.split()
    if len(instead) < len(hard):
        return True
    limit = _VERY_RARE if len(instead) > len(hard) else _COMMON
    return min(map(zipf, hard)) < min(limit, *map(zipf, instead))


class AdvancedWord(_OfList):
    """Finds rare words that learners of English meet last."""

    rule = "advanced-word"
    meaning = "A word without a plainer one on our list is of level C1 or C2, which few learners reach."
    source = "Octanove Vocabulary Profile C1/C2, and CEFR-J for what is easier"
    link = "https://github.com/openlanguageprofiles/olp-en-cefrj"
    corpus = "words/cefr-j"

    def findings(self, passage: Passage) -> Iterator[Finding]:
        """Yield the first use of each such word."""
        levels = read_levels(self._files)
        seen: set[str] = set()
        for number in passage.prose:
            sentence = passage.sentences[number]
            for token, tag in zip(sentence.tokens, sentence.tags, strict=True):
                word = token.text.lower()
                if not word.isalpha() or tag.startswith("NNP") or zipf(word) >= _VERY_RARE:
                    continue
                forms = {*lemmas_by_ending(word), verb_of(word, tag) or word}
                level = min((levels[form] for form in forms if form in levels), default="")
                if level in _ADVANCED and seen.isdisjoint(forms):
                    seen |= forms
                    message = f"level {level} (Octanove); explain it, or put it more plainly"
                    yield self.found(passage, sentence, token.start, token.end, message)


@cache
def read_levels(files: tuple[tuple[str, ...], ...]) -> Mapping[str, str]:
    """Read tables with the columns `headword` and `CEFR`; of a word's several levels the easiest counts."""
    levels: dict[str, str] = {}
    for lines in files:
        for row in csv.DictReader(lines):
            for word in row["headword"].lower().split("/"):
                levels[word] = min(levels.get(word, row["CEFR"]), row["CEFR"])
    return levels
