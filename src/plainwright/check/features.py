"""What the estimate of a sentence's level looks at: its length, how rare its words are, how it is built."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from plainwright.rewrite.types import Sentence
from plainwright.text import count_syllables
from plainwright.text.frequencies import zipf

__all__ = ["FEATURES", "features"]

_COMMONEST, _RAREST = 6.0, 1.0  # on the Zipf scale of wordfreq
_TAGS: Mapping[str, tuple[str, ...]] = {
    "names": ("NNP",),
    "nouns": ("NN",),
    "verbs": ("VB", "MD"),
    "participles": ("VBN", "VBG"),
    "prepositions": ("IN",),
    "adjectives": ("JJ",),
    "adverbs": ("RB",),
    "relatives": ("W",),
    "pronouns": ("PRP",),
    "numbers": ("CD",),
}
_LENGTHS = ("words", "log_words", "letters", "most_letters", "syllables", "most_syllables", "long_words")
_FREQUENCIES = ("frequency", "rarest", "second_rarest", "third_rarest", "below_5", "below_4", "rare_words")
FEATURES = (*_LENGTHS, *_FREQUENCIES, "commas", *_TAGS, *(f"{name}_share" for name in _TAGS))


def features(sentence: Sentence) -> list[float]:
    """Return the value of each of `FEATURES` for a sentence with tags."""
    tagged = [(token.text, tag) for token, tag in zip(sentence.tokens, sentence.tags, strict=True)]
    words = [pair for pair in tagged if any(map(str.isalpha, pair[0]))]
    common = [word.lower() for word, tag in words if word.isalpha() and len(word) > 1 and not tag.startswith("NNP")]
    counts = [sum(tag.startswith(kinds) for _, tag in tagged) for kinds in _TAGS.values()]
    total = max(len(words), 1)
    commas = sum(word == "," for word, _ in tagged)
    shares = (count / total for count in counts)
    return [*_lengths(len(words), common), *_frequencies(common), float(commas), *map(float, counts), *shares]


def _lengths(words: int, common: Sequence[str]) -> list[float]:
    letters = [len(word) for word in common] or [0]
    syllables = [count_syllables(word) for word in common] or [0]
    return [
        float(words),
        math.log(words + 1),
        sum(letters) / len(letters),
        float(max(letters)),
        sum(syllables) / len(syllables),
        float(max(syllables)),
        float(sum(count > 2 for count in syllables)),
    ]


def _frequencies(common: Sequence[str]) -> list[float]:
    known = sorted(max(zipf(word), _RAREST) for word in common) or [_COMMONEST]
    rarest = [*known[:3], _COMMONEST, _COMMONEST][:3]
    below = [sum(value < limit for value in known) / len(known) for limit in (5, 4)]
    return [sum(known) / len(known), *rarest, *below, float(sum(value < 4 for value in known))]
