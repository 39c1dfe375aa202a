"""What tagged text says about single words: their tags, their lemmas, and how often it has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path

from plainwright.errors import DataError
from plainwright.extras import extra_for
from plainwright.learn.sources.wordnet import TAGS, forms, inflector
from plainwright.learn.tagger import read_tagged

__all__ = ["KINDS", "WordTable", "inflected", "is_word", "lemma_of"]

# Parts of speech as a reader calls them and as WordNet calls them; then as lemminflect does.
KINDS: dict[str, str] = {"noun": "noun", "verb": "verb", "adjective": "adj", "adverb": "adv"}
_KIND_OF_TAG = {tag: kind for kind, pos in KINDS.items() for tag in TAGS[pos]}
_UNIVERSAL = {"noun": "NOUN", "verb": "VERB", "adjective": "ADJ", "adverb": "ADV"}
_LEAST_SHARE = 0.04  # of a word's occurrences that a tag needs; rarer ones are mostly errors of the tagger
_WORD = re.compile(r"[a-z][a-z'-]*")


class WordTable:
    """Counts tagged words, whatever their case."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()  # of words with their tags

    @classmethod
    def read(cls, paths: Sequence[str | Path]) -> WordTable:
        """Count the words of files that `learn tagger` could learn from."""
        table = cls()
        for path in paths:
            for tokens, tags in read_tagged(path):
                table.add(tokens, tags)
        if not table._counts:
            msg = f"{' '.join(map(str, paths))}: tagged sentences expected, found none"
            raise DataError(msg)
        return table

    def add(self, tokens: Iterable[str], tags: Iterable[str]) -> None:
        """Count the words of one sentence."""
        self._counts.update(zip(map(str.lower, tokens), tags, strict=True))

    def tag_shares(self, word: str) -> Mapping[str, float]:
        """Return the tags of a word that are more than errors, with their shares."""
        return self._shares.get(word, {})

    @cached_property
    def _shares(self) -> dict[str, dict[str, float]]:
        tags: dict[str, dict[str, int]] = {}
        for (word, tag), count in self._counts.items():
            tags.setdefault(word, {})[tag] = count
        shares = {}
        for word, counts in tags.items():
            total = sum(counts.values())
            shares[word] = {tag: count / total for tag, count in counts.items() if count >= _LEAST_SHARE * total}
        return shares

    def kinds(self, word: str) -> Mapping[str, str]:
        """Return tags of nouns, verbs, adjectives and adverbs that a word has, with the part of speech of each."""
        return self._kinds.get(word, {})

    @cached_property
    def _kinds(self) -> dict[str, dict[str, str]]:
        return {
            word: {tag: _KIND_OF_TAG[tag] for tag in shares if tag in _KIND_OF_TAG}
            for word, shares in self._shares.items()
        }

    @cached_property
    def lemma_counts(self) -> Counter[tuple[str, str]]:
        """Occurrences of (part of speech, lemma)."""
        counts: Counter[tuple[str, str]] = Counter()
        for (word, tag), count in self._counts.items():
            kind = _KIND_OF_TAG.get(tag)
            if kind is not None and is_word(word):
                counts[kind, lemma_of(word, kind)] += count
        return counts


def is_word(text: str) -> bool:
    """Return whether a token is an ordinary English word in lower case."""
    return _WORD.fullmatch(text) is not None


@cache
def lemma_of(word: str, kind: str) -> str:
    """Return the usual lemma of a word as that part of speech."""
    with extra_for("a lexicon", "learn"):
        from lemminflect import getLemma
    found = getLemma(word, upos=_UNIVERSAL[kind])
    return str(found[0]) if found else word


@cache
def inflected(lemma: str, kind: str) -> dict[str, tuple[str, ...]]:
    """The forms of a word or phrase by tag, the usual spelling first; in phrases the head changes."""
    return forms(lemma, KINDS[kind], inflector())
