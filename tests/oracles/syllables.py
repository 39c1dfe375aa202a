"""Slow, obvious twins of the native counters."""

from __future__ import annotations

import re


def vowel_group_syllables(token: str) -> int:
    """The counter of the scorer released with Xu et al. (2016), from its description."""
    word = token.lower()
    if word == "-":
        return 1
    if "-" in word:
        parts = word.split("-")
        while parts and parts[-1] == "":  # Java's String.split drops trailing empty strings
            parts.pop()
        return sum(_part(part) for part in parts)
    return _part(word)


def _part(word: str) -> int:
    count = len(re.findall(r"[^aeiouy]*[aeiouy]+", word))
    if re.search(r"[^aeiou]e\Z", word):
        count -= 1
    return max(1, count)


def tokenised_counts(line: str) -> list[float]:
    """Sentences, words, syllables, characters, letters, polysyllables of a tokenised line."""
    tokens = line.split()
    syllables = [vowel_group_syllables(token) for token in tokens]
    characters = "".join(tokens)
    return [
        1 if tokens else 0,
        len(tokens),
        sum(syllables),
        len(characters),
        sum(character.isalpha() for character in characters),
        sum(count >= 3 for count in syllables),
    ]
