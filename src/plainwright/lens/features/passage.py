"""A text with everything that features ask of it, computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from plainwright.lens.encoders import Encoded
from plainwright.lens.encoders.base import Vectors
from plainwright.lens.features.resources import language_model, tagger
from plainwright.lens.features.words import is_number, is_word, sentences_of, with_directed_quotes, words_of
from plainwright.metrics.base import Array
from plainwright.text.frequencies import zipf
from plainwright.text.syllables import count_syllables

__all__ = ["PROFILE", "Passage"]

_RARE = 4.0  # Zipf: a word in a hundred thousand, or rarer
_WINDOW = 3
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_OPEN_CLASS = ("NN", "VB", "JJ", "RB", "CD", "FW")
_SUBORDINATES = frozenset({"WDT", "WP", "WP$", "WRB"})
_LIGHT = frozenset({"be", "is", "are", "was", "were", "been", "being", "am", "'s", "'re", "has", "have", "had", "'ve"})

# What a profile holds: name and meaning. The output has its own, and differs from the source's and the references'.
PROFILE: Mapping[str, str] = {
    "words": "words and punctuation marks",
    "characters": "characters of the words",
    "sentences": "sentences",
    "words_per_sentence": "words of a sentence",
    "longest_sentence": "words of the longest sentence",
    "word_length": "characters of a word",
    "syllables_per_word": "syllables of a word",
    "long_words": "share of words with three syllables or more",
    "fk_grade": "Flesch-Kincaid grade",
    "zipf_mean": "mean Zipf frequency of the words",
    "zipf_rarest": "Zipf frequency of the rarest word",
    "zipf_rarest_three": "mean Zipf frequency of the three rarest words",
    "zipf_content": "mean Zipf frequency of nouns, verbs, adjectives and adverbs",
    "rare_words": "words with a Zipf frequency below 4",
    "rare_share": "their share of the words",
    "lm_mean": "mean log10 probability of a word in the language model",
    "lm_worst": "that of the least likely word",
    "lm_worst_window": "mean over the least likely three words in a row",
    "lm_spread": "standard deviation of the words' log10 probabilities",
    "lm_unknown": "share of words that the language model does not know",
    "lm_first_seen_bigrams": "share of words that the language model never saw after the word before",
    "lm_seen_trigrams": "share of words that it saw after the two words before",
    "repeated_words": "share of content words that were there before",
    "doubled_words": "words that stand twice in a row",
    "repeated_bigrams": "share of pairs of words that were there before",
    "unbalanced": "brackets and quotation marks without their partner",
    "unended": "1 if no full stop, question mark or exclamation mark ends the text",
    "verbless": "share of sentences without a finite verb",
    "finite_verbs": "finite verbs of a sentence",
    "content_share": "share of nouns, verbs, adjectives and adverbs among the words",
    "pronoun_share": "share of pronouns",
    "noun_share": "share of nouns",
    "preposition_share": "share of prepositions and subordinating conjunctions",
    "commas": "commas, semicolons, colons, dashes and brackets of a sentence",
    "relative_words": "who, which, that and the like, of a sentence",
    "passives": "participles after a form of be or have, of a sentence",
    "short_sentences": "share of sentences of three words or fewer",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Passage:
    """One text: its words, what is known of them, and its vectors."""

    text: str
    words: tuple[str, ...]  # in lower case, marks too
    line: str  # the words with a space between them
    counts: Counter[str]
    types: frozenset[str]
    bigrams: frozenset[tuple[str, ...]]
    trigrams: frozenset[tuple[str, ...]]
    content: frozenset[str]  # nouns, verbs, adjectives, adverbs, numbers
    facts: frozenset[str]  # numbers and rare words: what a reader would miss
    sentences: tuple[Sequence[str], ...]
    tags: tuple[str, ...]
    zipf: Mapping[str, float]  # of every type that is a word
    log10: Array  # of every word in the language model, then of the sentence's end; all sentences
    unlikely: frozenset[tuple[str, ...]]  # pairs of words that the language model never saw
    profile: Array  # in the order of `PROFILE`
    pieces: Vectors  # of length 1: shape (pieces, width), special ones left out
    direction: Vectors  # of length 1: the whole text
    encoded: Encoded

    @classmethod
    def of(cls, text: str, encoded: Encoded) -> Passage:
        """Look at a text; `encoded` is what an encoder made of it."""
        words = words_of(text)
        sentences = tuple(sentences_of(words))
        directed = [with_directed_quotes(sentence) for sentence in sentences]
        tags = tuple(tag for sentence in tagger().tag_many(directed) for tag in sentence)
        frequencies = {word: _frequency(word) for word in set(words) if is_word(word)}
        heard = _Heard.of(directed)
        content = frozenset(word for word, tag in zip(words, tags, strict=True) if _is_content(word, tag))
        bigrams = list(pairwise(words))
        return cls(
            text=text,
            words=words,
            line=" ".join(words),
            counts=Counter(words),
            types=frozenset(words),
            bigrams=frozenset(bigrams),
            trigrams=frozenset(zip(words, words[1:], words[2:], strict=False)),
            content=content,
            facts=frozenset(word for word in content if is_number(word) or frequencies[word] < _RARE),
            sentences=sentences,
            tags=tags,
            zipf=frequencies,
            log10=heard.log10,
            unlikely=frozenset(pair for pair, unseen in zip(bigrams, heard.unseen[1:], strict=True) if unseen),
            profile=_profile(words, sentences, tags, frequencies, content, heard),
            pieces=_unit(encoded.tokens[~encoded.special]),
            direction=_unit(encoded.vector),
            encoded=encoded,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """What the language model says of the sentences of a text."""

    log10: Array
    worst_window: float
    unknown: float
    unseen: list[bool]  # of each word, whether it never came after the one before
    trigrams: int

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> _Heard:
        ask = language_model().native.word_scores
        scores = [ask(" ".join(sentence), True, True) for sentence in sentences]
        log10 = [[row[1] for row in sentence] for sentence in scores]
        words = [row for sentence in scores for row in sentence[:-1]]
        return cls(
            log10=np.array([value for sentence in log10 for value in sentence]),
            worst_window=min(map(_worst_window, log10), default=0.0),
            unknown=_share([not row[3] for row in words]),
            unseen=[row[2] < 2 for row in words],
            trigrams=sum(row[2] > 2 for row in words),
        )


def _worst_window(log10: Sequence[float]) -> float:
    starts = range(max(1, len(log10) - _WINDOW + 1))
    return min(sum(log10[start : start + _WINDOW]) / len(log10[start : start + _WINDOW]) for start in starts)


def _profile(
    words: Sequence[str],
    sentences: Sequence[Sequence[str]],
    tags: Sequence[str],
    frequencies: Mapping[str, float],
    content: frozenset[str],
    heard: _Heard,
) -> Array:
    total = max(1, len(words))
    per_sentence = max(1, len(sentences))
    spoken = [word for word in words if is_word(word) or is_number(word)]
    syllables = [_syllables(word) for word in spoken]
    zipfs = sorted(frequencies[word] for word in words if word in frequencies)
    content_words = [word for word in words if word in content]
    lengths = [len(sentence) for sentence in sentences]
    characters = sum(map(len, words))
    pairs = list(pairwise(words))
    starts = np.cumsum([0, *lengths])
    verbs = [sum(tag in _FINITE for tag in tags[start:end]) for start, end in pairwise(starts)]
    fk_grade = 0.0
    if spoken:
        fk_grade = 0.39 * len(spoken) / per_sentence + 11.8 * sum(syllables) / len(spoken) - 15.59
    values = {
        "words": len(words),
        "characters": characters,
        "sentences": len(sentences),
        "words_per_sentence": len(words) / per_sentence,
        "longest_sentence": max(lengths, default=0),
        "word_length": sum(map(len, spoken)) / max(1, len(spoken)),
        "syllables_per_word": sum(syllables) / max(1, len(spoken)),
        "long_words": sum(count > 2 for count in syllables) / max(1, len(spoken)),
        "fk_grade": fk_grade,
        "zipf_mean": _mean(zipfs),
        "zipf_rarest": zipfs[0] if zipfs else 0.0,
        "zipf_rarest_three": _mean(zipfs[:3]),
        "zipf_content": _mean([frequencies[word] for word in content_words if word in frequencies]),
        "rare_words": sum(value < _RARE for value in zipfs),
        "rare_share": _share([value < _RARE for value in zipfs]),
        "lm_mean": _mean(heard.log10),
        "lm_worst": float(heard.log10.min()) if len(heard.log10) else 0.0,
        "lm_worst_window": heard.worst_window,
        "lm_spread": float(heard.log10.std()) if len(heard.log10) else 0.0,
        "lm_unknown": heard.unknown,
        "lm_first_seen_bigrams": _share(heard.unseen),
        "lm_seen_trigrams": heard.trigrams / total,
        "repeated_words": 1 - len(set(content_words)) / max(1, len(content_words)) if content_words else 0.0,
        "doubled_words": sum(first == second for first, second in pairs),
        "repeated_bigrams": 1 - len(set(pairs)) / len(pairs) if pairs else 0.0,
        "unbalanced": _unbalanced(words),
        "unended": float(not any(word in (".", "!", "?") for word in words[-2:])),
        "verbless": _share([count == 0 for count in verbs]),
        "finite_verbs": sum(verbs) / per_sentence,
        "content_share": len(content_words) / total,
        "pronoun_share": sum(tag in ("PRP", "PRP$") for tag in tags) / total,
        "noun_share": sum(tag.startswith("NN") for tag in tags) / total,
        "preposition_share": sum(tag == "IN" for tag in tags) / total,
        "commas": sum(word in (",", ";", ":", "--", "(") for word in words) / per_sentence,
        "relative_words": sum(tag in _SUBORDINATES for tag in tags) / per_sentence,
        "passives": _passives(words, tags) / per_sentence,
        "short_sentences": _share([length <= 4 for length in lengths]),
    }
    assert values.keys() == PROFILE.keys()
    return np.array(list(values.values()), dtype=np.float64)


def _passives(words: Sequence[str], tags: Sequence[str]) -> int:
    """Participles with a form of be or have among the three words before."""
    return sum(
        tag == "VBN" and not _LIGHT.isdisjoint(words[max(0, place - 3) : place]) for place, tag in enumerate(tags)
    )


def _unbalanced(words: Sequence[str]) -> float:
    counts = Counter(words)
    brackets = sum(abs(counts[opening] - counts[closing]) for opening, closing in ("()", "[]", "{}"))
    return float(brackets + counts['"'] % 2)


def _is_content(word: str, tag: str) -> bool:
    return tag.startswith(_OPEN_CLASS) and word not in _LIGHT and (is_word(word) or is_number(word))


@lru_cache(maxsize=1 << 16)
def _frequency(word: str) -> float:
    """Zipf frequency; words of several parts have that of their rarest part, clitics are frequent."""
    if word.startswith("'") or word == "n't":
        return 7.0
    return min(zipf(part) for part in word.split("-") if part) if word.strip("-") else zipf(word)


@lru_cache(maxsize=1 << 16)
def _syllables(word: str) -> int:
    return count_syllables(word)


def _unit(vectors: Vectors) -> Vectors:
    """Vectors of length 1, in the direction of each; what has no length stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _mean(values: Sequence[float] | Array) -> float:
    return float(np.mean(values)) if len(values) else 0.0


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 0.0
