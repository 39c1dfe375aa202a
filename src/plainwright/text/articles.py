"""Whether "a" or "an" stands before a word: what counts is its first sound.

The CMU dictionary has the sounds of most words. For the others, capitals are spelt out and the rest is judged by
its letters.
"""

from __future__ import annotations

import functools
import re

from plainwright.arguments import check_text
from plainwright.text.syllables import dictionary_file

__all__ = ["takes_an"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SPELT_WITH_VOWEL = frozenset("AEFHILMNORSX")  # "an F", "an MP", but "a UN", "a BBC"
_SILENT_H = re.compile(r"^(hour|honest|honou?r|heir)")
_CONSONANT_SOUND = re.compile(r"^(uni(?!n|m)|us[aeiu]|ut[ei]|eu|ewe|one\b|once)")


def takes_an(text: str) -> bool:
    """Return whether the first word of `text` starts with the sound of a vowel."""
    check_text(text, "takes_an", "text")
    found = _WORD.search(text)
    if found is None:
        return False
    word = found[0]
    if len(word) == 1 and word.isupper():
        return word in _SPELT_WITH_VOWEL
    sound = _first_sound(word.lower())
    if sound is not None:
        return sound in b"AEIOU"  # the vowels of ARPAbet, and no other sound, begin with these letters
    if word.isupper() and not re.search(r"[AEIOUY]", word[1:-1]):
        return word[0] in _SPELT_WITH_VOWEL
    lower = word.lower()
    return bool(_SILENT_H.match(lower)) or (lower[0] in "aeiou" and not _CONSONANT_SOUND.match(lower))


@functools.lru_cache(maxsize=4096)
def _first_sound(word: str) -> bytes | None:
    """The first letter of the first sound of a word in the dictionary."""
    data = _dictionary()
    place = data.find(f"\n{word} ".encode())
    if place < 0:
        return None
    start = place + len(word.encode()) + 2
    return data[start : start + 1]


@functools.cache
def _dictionary() -> bytes:
    # Searching the bytes takes a millisecond; a table of all words would take a hundred to make.
    return b"\n" + dictionary_file().read_bytes()
