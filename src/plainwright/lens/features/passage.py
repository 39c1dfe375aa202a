"""A text with everything that features ask of it, computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from plainwright.encoders import Encoded
from plainwright.encoders.base import Vectors
from plainwright.lens.features.fluency import LmFluency
from plainwright.lens.features.profile import Tagged, profile_of
from plainwright.lens.features.resources import tagger
from plainwright.lens.features.words import sentences_of, with_directed_quotes, word_facts, words_of
from plainwright.metrics.base import Array

__all__ = ["Passage"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Passage:
    """Holds one text: its words, what is known of them, and its vectors."""

    text: str
    words: tuple[str, ...]  # in lower case, marks too
    line: str  # the words with a space between them
    sentences: tuple[Sequence[str], ...]
    tags: tuple[str, ...]  # of the words, of the Penn Treebank
    counts: Counter[str]
    types: frozenset[str]
    bigrams: frozenset[tuple[str, ...]]
    trigrams: frozenset[tuple[str, ...]]
    content: frozenset[str]  # nouns, verbs, adjectives, adverbs, numbers
    facts: frozenset[str]  # numbers and rare words: what a reader would miss
    zipf: Mapping[str, float]  # of every type that is a word
    log10: Sequence[float]  # of every word in the language model, and of every sentence's end
    unlikely: frozenset[tuple[str, ...]]  # pairs of words that the language model never saw
    grammar: Mapping[tuple[str, ...], float]  # log10 of the class of each bigram's second word, where it stands last
    profile: Array  # in the order of `PROFILE`
    pieces: Vectors  # of length 1: shape (pieces, width), special ones left out
    ids: npt.NDArray[np.int64]  # of these pieces
    direction: Vectors  # of length 1: the whole text
    encoded: Encoded

    @classmethod
    def of(cls, text: str, encoded: Encoded) -> Passage:
        """Look at a text; `encoded` is what an encoder made of it, best of its `readable` form."""
        words = words_of(text)
        sentences = tuple(sentences_of(words))
        directed = [with_directed_quotes(sentence) for sentence in sentences]
        tags = tagger().tag_many(directed)
        tagged = Tagged.of(words, sentences, tags)
        fluency = LmFluency.of(directed, tags)
        bigrams = list(pairwise(words))
        plain = ~encoded.special
        return cls(
            text=text,
            words=words,
            line=" ".join(words),
            sentences=sentences,
            tags=tagged.tags,
            counts=Counter(words),
            types=frozenset(words),
            bigrams=frozenset(bigrams),
            trigrams=frozenset(zip(words, words[1:], words[2:], strict=False)),
            content=tagged.content,
            facts=frozenset(word for word in tagged.content if word_facts(word).informative),
            zipf={word: facts.zipf for word in set(words) if (facts := word_facts(word)).lexical},
            log10=fluency.log10,
            unlikely=frozenset(pair for pair, length in zip(bigrams, fluency.lengths[1:], strict=True) if length < 2),
            grammar=dict(zip(bigrams, fluency.grammar_of_words[1:], strict=True)),
            profile=profile_of(tagged, fluency),
            pieces=_unit(encoded.tokens[plain]),
            ids=encoded.ids[plain],
            direction=_unit(encoded.vector),
            encoded=encoded,
        )


def _unit(vectors: Vectors) -> Vectors:
    """Vectors of length 1, in the direction of each; what has no length stays."""
    lengths = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)
