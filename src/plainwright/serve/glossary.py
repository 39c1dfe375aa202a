"""What the hard words of a text mean, for the writer's page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from plainwright.decode.bundle import ModelBundle
from plainwright.errors import MissingExtraError
from plainwright.rewrite.models import find_model
from plainwright.rewrite.protect import Protection, protected_tokens
from plainwright.rewrite.types import without_surrogates
from plainwright.text import ptb_tokenize, split_sentences
from plainwright.text.frequencies import zipf
from plainwright.text.lemmas import lemmas_by_ending
from plainwright.text.tagging import Tagger
from plainwright.text.wordnet import PARTS_OF_SPEECH, Glosses, wordnet_directory

__all__ = ["Glossary", "open_glossary"]

_HARD = 3.5  # Zipf frequency below which a word is hard: about three in a million
_SHORTEST = 4  # letters; shorter ones are mostly abbreviations and parts of words
_OF_TAGS = {"N": "noun", "V": "verb", "J": "adj", "R": "adv"}
_NAMES = ("NNP", "NNPS")
_PROTECTION = Protection()

Entry = dict[str, str]


class Glossary:
    """Finds hard words and the first meaning that WordNet has for their part of speech."""

    def __init__(self, glosses: Glosses, tagger: Tagger | None = None) -> None:
        self._glosses = glosses
        self._tagger = tagger

    def entries(self, texts: Iterable[str], known: set[str]) -> list[Entry]:
        """Return the hard words of texts that are not yet `known`, which they are from then on."""
        found = []
        for text in texts:
            for word, parts in self._rare_words(without_surrogates(text), known):
                known.add(word)
                if entry := self._entry(word, parts):
                    found.append(entry)
        return found

    def _rare_words(self, text: str, known: set[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield rare words with the parts of speech that they may have."""
        for sentence in split_sentences(text):
            tokens = ptb_tokenize(sentence)
            words = [token.text for token in tokens]
            if not any(_is_rare(word) and word not in known for word in words):
                continue
            tags = self._tagger.tag(words) if self._tagger else [""] * len(words)
            for word, tag, fixed in zip(words, tags, protected_tokens(sentence, tokens, _PROTECTION), strict=True):
                lower = word.lower()
                if fixed or tag in _NAMES or lower in known or not _is_hard(lower):
                    continue
                yield lower, tuple(filter(None, [_OF_TAGS.get(tag[:1])])) if tag else PARTS_OF_SPEECH

    def _entry(self, word: str, parts: Iterable[str]) -> Entry | None:
        for part in parts:
            if found := self._glosses.find(word, part):
                return {"word": word, "lemma": found[0], "part": part, "gloss": found[1]}
        return None


def _is_rare(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha() and zipf(word.lower()) < _HARD


def _is_hard(word: str) -> bool:
    """Return whether a word is rare, and no form of one that is not: "servicing" is as easy as "service"."""
    return _is_rare(word) and all(zipf(lemma) < _HARD for lemma in lemmas_by_ending(word))


def open_glossary(wordnet: Path | None, model: Path | None) -> Glossary | None:
    """Open WordNet, where it was named or is installed, and the tagger of the model; None without WordNet."""
    try:
        directory = wordnet_directory() if wordnet is None else wordnet
    except MissingExtraError:
        return None
    tagger = ModelBundle.load(find_model(model)).tagger_path
    return Glossary(Glosses(directory), None if tagger is None else Tagger.open(tagger))
