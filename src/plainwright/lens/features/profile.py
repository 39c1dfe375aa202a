"""Numbers that describe one text by itself: how long, how rare, how fluent."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from plainwright.lens.features.classes import AUXILIARIES
from plainwright.lens.features.fluency import LmFluency
from plainwright.lens.features.words import RARE, WordFacts, word_facts
from plainwright.metrics.base import Array

__all__ = ["PROFILE", "Tagged", "profile_of"]

# What a profile holds: name and meaning. Features are how far the output's is from the source's and the references':
# its own values, learnt from, told more of the sentences that people rated than of what was done to them.
PROFILE: Mapping[str, str] = {
    "words": "words and punctuation marks",
    "characters": "characters of the words",
    "sentences": "sentences",
    "words_per_sentence": "words of a sentence",
    "longest_sentence": "words of the longest sentence",
    "short_sentences": "share of sentences of four words or fewer, marks counted",
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
    "lm_fit": "mean of what a word's neighbours add to its log10 probability",
    "lm_fit_worst_window": "the same for the three words in a row that they help least",
    "lm_unknown": "share of words that the language model does not know",
    "lm_unseen_bigrams": "share of words that the language model never saw after the word before",
    "lm_seen_trigrams": "share of words that it saw after the two words before",
    "grammar_mean": "mean log10 probability of a word's class in the model of grammatical patterns",
    "grammar_worst": "that of the least likely class",
    "grammar_worst_window": "mean over the least likely three classes in a row",
    "repeated_words": "share of content words that were there before",
    "doubled_words": "words that stand twice in a row",
    "repeated_bigrams": "share of pairs of words that were there before",
    "unbalanced": "brackets and quotation marks without their partner",
    "unended": "1 if no full stop, question mark or exclamation mark ends the text",
    "verbless": "share of sentences without a finite verb",
    "finite_verbs": "finite verbs of a sentence",
    "content_share": "share of nouns, verbs, adjectives, adverbs and numbers among the words",
    "pronoun_share": "share of pronouns",
    "noun_share": "share of nouns",
    "preposition_share": "share of prepositions and subordinating conjunctions",
    "marks": "commas, semicolons, colons, dashes and brackets of a sentence",
    "relative_words": "who, which, where and the like, of a sentence",
    "participles": "participles after a form of be or have, of a sentence",
}

_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_OPEN_CLASS = ("NN", "VB", "JJ", "RB", "CD", "FW")
_RELATIVE = ("WDT", "WP", "WP$", "WRB")
_MARKS = frozenset({",", ";", ":", "--", "("})
_ENDS = frozenset({".", "!", "?"})
_SHORT_SENTENCE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """Holds words with their sentences and parts of speech."""

    words: Sequence[str]
    sentences: Sequence[Sequence[str]]
    tags: tuple[str, ...]
    finite: list[int]  # verbs of each sentence
    content_words: list[str]
    content: frozenset[str]

    @classmethod
    def of(cls, words: Sequence[str], sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> Tagged:
        """Join the tags of the sentences."""
        joined = tuple(tag for sentence in tags for tag in sentence)
        content = [word for word, tag in zip(words, joined, strict=True) if _is_content(word, tag)]
        return cls(
            words=words,
            sentences=sentences,
            tags=joined,
            finite=[sum(tag in _FINITE for tag in sentence) for sentence in tags],
            content_words=content,
            content=frozenset(content),
        )


def profile_of(tagged: Tagged, fluency: LmFluency) -> Array:
    """Return the values of `PROFILE`."""
    facts = [word_facts(word) for word in tagged.words]
    values = [
        *_size(tagged, facts),
        *_frequency(tagged, facts),
        *_fluency(fluency),
        *_form(tagged),
        *_syntax(tagged),
    ]
    return np.array(values, dtype=np.float64)


def _size(tagged: Tagged, facts: Sequence[WordFacts]) -> list[float]:
    words, sentences = tagged.words, max(1, len(tagged.sentences))
    lengths = [len(sentence) for sentence in tagged.sentences]
    spoken = [fact for fact in facts if fact.spoken]
    syllables = sum(fact.syllables for fact in spoken)
    fk_grade = 0.39 * len(spoken) / sentences + 11.8 * syllables / len(spoken) - 15.59 if spoken else 0.0
    return [
        len(words),
        sum(map(len, words)),
        len(lengths),
        len(words) / sentences,
        max(lengths, default=0),
        _part(sum(length <= _SHORT_SENTENCE for length in lengths), sentences),
        _part(sum(fact.length for fact in spoken), len(spoken)),
        _part(syllables, len(spoken)),
        _part(sum(fact.syllables > 2 for fact in spoken), len(spoken)),
        fk_grade,
    ]


def _frequency(tagged: Tagged, facts: Sequence[WordFacts]) -> list[float]:
    zipfs = sorted(fact.zipf for fact in facts if fact.lexical)
    content = [fact.zipf for fact in map(word_facts, tagged.content_words) if fact.lexical]
    rare = sum(value < RARE for value in zipfs)
    return [
        _mean(zipfs),
        zipfs[0] if zipfs else 0.0,
        _mean(zipfs[:3]),
        _mean(content),
        rare,
        _part(rare, len(zipfs)),
    ]


def _fluency(fluency: LmFluency) -> list[float]:
    words = len(fluency.lengths)
    mean = _mean(fluency.log10)
    return [
        mean,
        min(fluency.log10, default=0.0),
        fluency.worst_window,
        math.sqrt(_mean([(value - mean) ** 2 for value in fluency.log10])),
        _mean(fluency.fit),
        fluency.worst_fit_window,
        _part(fluency.unknown, words),
        _part(sum(length < 2 for length in fluency.lengths), words),
        _part(sum(length > 2 for length in fluency.lengths), words),
        _mean(fluency.grammar),
        min(fluency.grammar, default=0.0),
        fluency.worst_grammar_window,
    ]


def _form(tagged: Tagged) -> list[float]:
    words = tagged.words
    pairs = list(pairwise(words))
    counts = Counter(words)
    brackets = sum(abs(counts[opening] - counts[closing]) for opening, closing in ("()", "[]", "{}"))
    return [
        _part(len(tagged.content_words) - len(tagged.content), len(tagged.content_words)),
        sum(first == second for first, second in pairs),
        _part(len(pairs) - len(set(pairs)), len(pairs)),
        brackets + counts['"'] % 2,
        float(_ENDS.isdisjoint(words[-2:])),  # a quotation mark or a bracket may close after it
    ]


def _syntax(tagged: Tagged) -> list[float]:
    words, sentences = len(tagged.words), len(tagged.sentences)
    tags = Counter(tagged.tags)
    nouns = sum(count for tag, count in tags.items() if tag.startswith("NN"))
    return [
        _part(tagged.finite.count(0), sentences),
        _part(sum(tagged.finite), sentences),
        _part(len(tagged.content_words), words),
        _part(tags["PRP"] + tags["PRP$"], words),
        _part(nouns, words),
        _part(tags["IN"], words),
        _part(sum(word in _MARKS for word in tagged.words), sentences),
        _part(sum(tags[tag] for tag in _RELATIVE), sentences),
        _part(_participles(tagged), sentences),
    ]


def _participles(tagged: Tagged) -> int:
    """Those with a form of be or have among the three words before."""
    return sum(
        tag == "VBN" and not AUXILIARIES.isdisjoint(tagged.words[max(0, place - 3) : place])
        for place, tag in enumerate(tagged.tags)
    )


def _is_content(word: str, tag: str) -> bool:
    return tag.startswith(_OPEN_CLASS) and word not in AUXILIARIES and word_facts(word).spoken


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _part(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
