"""What a written reference may be: its length, its words, its sentences; what is wrong with one, in plain sentences.

Lengths are counted in words between white space that have a letter or a digit. Words are compared without case and
punctuation. For split-only references, words like *the*, *is* and *who* may come and go, words may take another form
(*becoming*, *became*), and those that sentences are joined with (*however*, *this happened*) are free.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from plainwright.rate.settings import TrainingItem, Writing
from plainwright.text import split_sentences
from plainwright.text.edits.words import alike, words_of
from plainwright.text.inflection import VERB_TAGS, base_of

__all__ = [
    "LengthRange",
    "cleaned",
    "compared_words",
    "count_words",
    "faults_of",
    "length_range",
    "problems_of",
    "rules_of",
]

_NAMED = 8  # words that a sentence names before it says how many more there are
_RUN = re.compile(r"[^\W_]+")
_JOINERS = "\u200c\u200d"  # of which some scripts make words
# Words that sentences are joined with, or their split-off parts begin with; the most frequent ones that people who
# split the sentences of HSplit added.
_CONNECTING = frozenset(
    "however therefore consequently specifically moreover furthermore additionally instead otherwise thus hence "  # noqa: SIM905
    "meanwhile whilst unlike later afterwards first firstly second secondly third last lastly finally "
    "previously happened happens happen took takes "
    "take place places occurred called named known located situated done did case time period means meant became "
    "become latter former same two three cannot like result reason".split()
)


@dataclass(frozen=True, slots=True)
class LengthRange:
    """The fewest and the most words that a text for one source may have."""

    low: int
    high: int


def cleaned(text: str) -> str:
    """Return a text as it is exported: on one line, without characters that nobody sees."""
    seen = (
        character
        for character in unicodedata.normalize("NFC", text)
        if unicodedata.category(character) not in ("Cf", "Cs", "Co", "Cn") or character in _JOINERS
    )
    return " ".join(
        "".join(" " if unicodedata.category(character) == "Cc" else character for character in seen).split()
    )


def count_words(text: str) -> int:
    """Return how many words a text has: what stands between white space and has a letter or a digit."""
    return sum(any(map(str.isalnum, word)) for word in text.split())


def compared_words(text: str) -> list[str]:
    """Return the words by which copies are known: runs of letters and digits, in lower case."""
    return _RUN.findall(text.lower())


def length_range(source: str, limits: Writing) -> LengthRange:
    """Return the limits of length for one source; a text as long as the source always fits."""
    words = max(1, count_words(source))
    low = math.ceil(round(limits.shortest * words, 9))
    return LengthRange(max(1, min(low, words)), max(words, math.floor(round(limits.longest * words, 9))))


def rules_of(source: str, limits: Writing) -> tuple[str, ...]:
    """Return the limits as sentences for whoever writes."""
    length, words = length_range(source, limits), count_words(source)
    rules = [f"Write {length.low} to {length.high} words; the original has {words}."]
    if limits.keeps_words:
        rules.append(
            "Keep the words of the original. You may repeat them, change their form and leave out joining words."
        )
        if limits.most_added:
            rules.append(f"Use at most {_counted(limits.most_added, 'word')} that the original does not have.")
    elif limits.fewest_changes:
        rules.append(f"Change at least {_counted(limits.fewest_changes, 'word')}.")
    if limits.splitting == "refuse":
        rules.append("Do not split it into more sentences.")
    if limits.splitting == "require":
        rules.append(f"Make at least {_sentences(source) + 1} sentences of it.")
    return tuple(rules)


@lru_cache(maxsize=4096)  # a page is asked for it with every event
def problems_of(source: str, text: str, limits: Writing) -> tuple[str, ...]:
    """Return all that keeps a text from being a reference for the source, in sentences for whoever wrote it."""
    source, text = cleaned(source), cleaned(text)
    length, words = length_range(source, limits), count_words(text)
    if not words:
        return ("nothing is written yet",)
    if words < length.low:
        return (f"it has {_counted(words, 'word')}, and needs at least {length.low}",)
    if words > length.high:
        return (f"it has {_counted(words, 'word')}, and may have at most {length.high}",)
    if compared_words(text) == compared_words(source) and not _is_split(source, text):
        return ("it is the original again",)
    found = [*_sentence_problems(source, text, limits)]
    found += _word_problems(source, text, limits) if limits.keeps_words else _change_problems(source, text, limits)
    return tuple(found)


def faults_of(text: str, item: TrainingItem) -> tuple[str, ...]:
    """Return what a text for a qualifying item lacks of what a careful writer would do."""
    found = []
    if still := [phrase for phrase in item.replaced if _has(text, phrase)]:
        found.append(f"it still has: {_listed(still)}")
    if gone := [phrase for phrase in item.kept if not _has(text, phrase)]:
        found.append(f"it no longer has: {_listed(gone)}")
    if (sentences := _sentences(text)) < item.sentences:
        found.append(f"it has {_counted(sentences, 'sentence')}, and could have {item.sentences}")
    return tuple(found)


def _has(text: str, phrase: str) -> bool:
    words, wanted = compared_words(text), compared_words(phrase)
    return any(words[place : place + len(wanted)] == wanted for place in range(len(words) - len(wanted) + 1))


def _sentence_problems(source: str, text: str, limits: Writing) -> Iterable[str]:
    before, after = _sentences(source), _sentences(text)
    if limits.splitting == "refuse" and after > before:
        yield f"it has {_counted(after, 'sentence')}, and may have {before}, like the original"
    if limits.splitting == "require" and after <= before:
        needed = f"at least {before + 1}, each with a capital at its beginning"
        yield f"it has {_counted(after, 'sentence')}, and needs {needed}"


def _is_split(source: str, text: str) -> bool:
    return _sentences(text) > _sentences(source)


def _sentences(text: str) -> int:
    return max(1, sum(any(map(str.isalnum, sentence)) for sentence in split_sentences(text)))


def _change_problems(source: str, text: str, limits: Writing) -> Iterable[str]:
    old, new = Counter(compared_words(source)), Counter(compared_words(text))
    changed = max((old - new).total(), (new - old).total(), 1)  # in another order, if nothing else
    if changed < limits.fewest_changes:
        yield f"{_counted(changed, 'word')} changed, and at least {limits.fewest_changes} must"


def _word_problems(source: str, text: str, limits: Writing) -> Iterable[str]:
    lost = _without_counterpart(source, text)
    if len(lost) > (limits.most_lost or 0):
        yield f"words of the original are missing: {_listed(lost)}"
    added, most = _without_counterpart(text, source), limits.most_added or 0
    if len(added) > most:
        more = f", and at most {most} may be" if most else ""
        yield f"words are not in the original{more}: {_listed(added)}"


def _without_counterpart(text: str, other: str) -> list[str]:
    """The content words of `text` that `other` has in no form, each once."""
    known = set(compared_words(other))
    others = [word for word in words_of(other) if word.is_word]
    bases = {base for word in others for base in _bases(word.form)}
    lone = (
        word.form
        for word in words_of(text)
        if word.kind == "content"
        and word.form not in _CONNECTING
        and not known.issuperset(_RUN.findall(word.form))
        and bases.isdisjoint(_bases(word.form))
        and not any(alike(word, one) for one in others)
    )
    return list(dict.fromkeys(lone))


@lru_cache(maxsize=4096)
def _bases(form: str) -> frozenset[str]:
    """The verbs that a word may be a form of, also an irregular one."""
    return frozenset(base for tag in VERB_TAGS if (base := base_of(form, tag)) is not None)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + 's'}"


def _listed(words: list[str]) -> str:
    more = len(words) - _NAMED
    names = ", ".join(word[:40] for word in words[:_NAMED])
    return f"{names} and {more} more" if more > 0 else names
