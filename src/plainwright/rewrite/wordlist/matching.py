"""Finds the entries of lists in a sentence: list by list, from left to right, the longest first.

Whatever is in doubt stays as it is: words that are protected, quoted, part of a name or compound, or in capitals; and
replacements that would read badly beside their neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plainwright.rewrite.types import Sentence, Span
from plainwright.rewrite.wordlist.conditions import Neighbour
from plainwright.rewrite.wordlist.expansion import ANY_TAG, COMPARATIVES
from plainwright.rewrite.wordlist.reading import Part, Reading
from plainwright.rewrite.wordlist.wordlist import ListedEntry, Pattern, WordList
from plainwright.rewrite.wordlist.written import GAP, slot_tag
from plainwright.text.inflection import base_of, inflections

__all__ = ["Match", "matches"]

_LONGEST_GAP = 6
_PUNCTUATION = frozenset((",", ":", ";", ".", "!", "?", "--", "-", "–", "—", "(", ")", "[", "]", "…", "..."))
_OPENS_PHRASE = frozenset(("IN", "WRB", "RB", "VBG", "VBN"))
_OPENS_CLAUSE = frozenset(("PRP", "PRP$", "DT", "EX", "NN", "NNS", "NNP", "NNPS"))
_BEFORE_NOUNS = frozenset(("DT", "PRP$", "JJ", "POS", "CD"))
_NAMING = ("PRP", "NNP", "NNPS")
_TOLERATED = {"VBN": "JJ", "VBG": "JJ"}  # participles are often taken for adjectives, and the other way
_OF_NAMES = {"NNP": "NN", "NNPS": "NNS"}
_DEGREES = frozenset(("less", "least", "as", "so", "too", "how", "very", "quite", "rather", "fairly", "extremely"))
_AUXILIARIES = frozenset(
    # One string reads better than thirty.
    "have has had having 've 's 'd be am is are was were been being 're 'm get gets got gotten getting".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Match:
    """An entry in its place; it has two parts if there is a gap, and none if it leaves the words alone."""

    entry: ListedEntry
    source: tuple[Span, ...]  # the tokens that it takes
    parts: tuple[Part, ...]


def matches(sentence: Sentence, lists: Sequence[WordList]) -> list[Match]:
    """Return what the lists have for a sentence, from left to right; no two matches share a token."""
    reading = Reading(sentence)
    found: list[Match] = []
    for words in lists:
        start = 0
        while start < len(reading):
            match = _at(reading, start, words) if reading.open[start] else None
            if match is None:
                start += 1
                continue
            for part in match.parts:
                reading.write(part.source, part.words)
            for span in match.source:
                reading.take(span)
            found.append(match)
            start = max(start + 1, match.source[0][1])
    return sorted(found, key=lambda match: match.source)


def _at(reading: Reading, start: int, words: WordList) -> Match | None:
    """The first entry that fits at a token; None also if it would read badly there."""
    patterns = words.patterns(reading.keys[start])
    if not patterns:
        return None
    following = reading.keys[start + 1] if start + 1 < len(reading) else ""
    for pattern in patterns.get(following) or patterns[""]:
        for place in _places(reading, start, pattern):
            fitting = _fitting(reading, place, pattern)
            if fitting is not None:
                return fitting if fitting.entry.protects or reading.takes(fitting.parts) else None
    return None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a pattern stands: the token of each of its words, and those of a gap between them."""

    tokens: tuple[int, ...]  # -1 for a gap
    gap: Span | None

    @property
    def spans(self) -> tuple[Span, ...]:
        start, end = self.tokens[0], self.tokens[-1] + 1
        return ((start, end),) if self.gap is None else ((start, self.gap[0]), (self.gap[1], end))


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around tokens, for conditions."""

    reading: Reading
    start: int
    end: int
    form: str

    @property
    def before(self) -> Neighbour:
        return self.reading.before(self.start)

    @property
    def after(self) -> Neighbour:
        return self.reading.after(self.end)

    @property
    def nouns(self) -> Sequence[Neighbour]:
        return self.reading.nouns_after(self.end)

    @property
    def subjects(self) -> Sequence[Neighbour]:
        return self.reading.subjects_before(self.start)


def _places(reading: Reading, start: int, pattern: Pattern) -> Iterator[_Place]:
    """Yield where a pattern that begins at a token stands, if it does."""
    words = pattern.words
    cut = words.index(GAP) if GAP in words else len(words)
    left, right = words[:cut], words[cut + 1 :]
    end = start + len(left)
    if not _fits(reading, start, left):
        return
    if cut == len(words):
        yield _Place(tuple(range(start, end)), None)
        return
    ends = list(_gap_ends(reading, end, right))
    # In "inform the head of the school of it", nobody knows which "of" it is; "inform us of …" leaves no doubt.
    if len(ends) == 1 or (ends and all(tag in _NAMING for tag in reading.tags[end : ends[0]])):
        after = range(ends[0], ends[0] + len(right))
        yield _Place((*range(start, end), -1, *after), (end, ends[0]))


def _gap_ends(reading: Reading, start: int, right: Sequence[str]) -> Iterator[int]:
    """Yield where a gap may end that starts at a token: where the words behind it stand."""
    for end in range(start + 1, min(start + _LONGEST_GAP, len(reading) - 1) + 1):
        if not _may_stand_in_gap(reading, end - 1):
            return
        if _fits(reading, end, right):
            yield end


def _fits(reading: Reading, start: int, words: Sequence[str]) -> bool:
    if start + len(words) > len(reading):
        return False
    return all(_is(reading, start + offset, word) for offset, word in enumerate(words))


def _is(reading: Reading, token: int, word: str) -> bool:
    if not reading.open[token]:
        return False
    tag = slot_tag(word)
    if tag is not None:
        return reading.tags[token] == tag and reading.is_common(token)
    if word != word.lower():
        return reading.text(token) == word
    return reading.keys[token] == word and reading.is_common(token)


def _may_stand_in_gap(reading: Reading, token: int) -> bool:
    word, tag = reading.keys[token], reading.tags[token]
    return not (tag.startswith("VB") or tag == "MD" or word in _PUNCTUATION or reading.quoted[token])


def _fitting(reading: Reading, place: _Place, pattern: Pattern) -> Match | None:
    """The match of an entry in a place, if form and conditions are right."""
    entry, first, last = pattern.entry, place.tokens[0], place.tokens[-1]
    form = _form(reading, place.tokens[pattern.head], pattern) if pattern.head >= 0 else ANY_TAG
    tag = form if form in pattern.plain else _TOLERATED.get(form, "")
    plain = pattern.plain.get(tag)
    spans = place.spans
    if plain is None or not reading.stands_alone(spans[0][0], spans[-1][1], possessive=entry.kind == "noun"):
        return None
    around = _Around(reading, first, last + 1, form)
    if not all(one.holds(around) for one in entry.conditions):
        return None
    if entry.protects:
        return Match(entry, spans, ())
    if tag in ("JJ", "RB"):
        spans, plain = _after_degree(reading, spans, plain, pattern)
    elif tag in ("VBD", "VBN", "VBG") and _is_doubtful(reading, place, tag, pattern):
        return None
    written = None if plain is None else _with_slot(reading, place, pattern, plain)
    if written is None:
        return None
    if reading.ends_with_abbreviation(last) and written:
        written = (*written, ".")  # of "etc.", which ended the sentence, too
    return Match(entry, spans, tuple(_parts(reading, spans, written)))


def _form(reading: Reading, token: int, pattern: Pattern) -> str:
    """The tag of the word that inflects; no word in small letters is a name, whatever the tagger says."""
    tag, word = reading.tags[token], pattern.words[pattern.head]
    is_known = word != word.lower() or reading.text(token) == reading.text(token).lower()
    return _OF_NAMES.get(tag, tag) if is_known else tag


def _after_degree(
    reading: Reading, spans: tuple[Span, ...], plain: tuple[str, ...], pattern: Pattern
) -> tuple[tuple[Span, ...], tuple[str, ...] | None]:
    """What an adjective or adverb becomes after "more" or "most", which go with it, and after other degrees."""
    [(start, end)] = spans
    degree = reading.keys[start - 1] if start else ""
    if degree in COMPARATIVES:
        # "More" may also count: "more severe storms" are not always worse ones.
        counts = reading.tags[start - 1] not in ("RBR", "RBS") or not reading.open[start - 1]
        return ((start - 1, end),), None if counts else pattern.plain.get(degree)
    return spans, None if degree in _DEGREES and len(plain) != 1 else plain


def _is_doubtful(reading: Reading, place: _Place, tag: str, pattern: Pattern) -> bool:
    """Whether a form may be another one than its tag says, or stands before a noun where no phrase can."""
    before = place.tokens[0] - 1
    while before >= 0 and (reading.tags[before] == "RB" or reading.keys[before] in ("not", "n't")):
        before -= 1
    helped = before >= 0 and reading.keys[before] in _AUXILIARIES
    if len(pattern.plain[tag]) > 1 and reading.after(place.tokens[-1] + 1).tag.startswith("NN"):
        attributive = not helped if tag == "VBN" else before >= 0 and reading.tags[before] in _BEFORE_NOUNS
        if attributive and tag != "VBD":
            return True
    past, participle = pattern.plain.get("VBD"), pattern.plain.get("VBN")
    if tag == "VBG" or past is None or participle is None or past == participle:
        return False
    return helped != (tag == "VBN")


def _with_slot(reading: Reading, place: _Place, pattern: Pattern, plain: tuple[str, ...]) -> tuple[str, ...] | None:
    """The plain words with the verb of the slot in the form that they ask for; None if nobody knows it."""
    wanted = [slot_tag(word) for word in plain]
    if not any(wanted):
        return plain
    position = next((n for n, word in enumerate(pattern.words) if slot_tag(word)), -1)
    token = place.tokens[position]
    if _is_joined(reading, token) and reading.tags[token] not in wanted:
        return None
    written = []
    for word, tag in zip(plain, wanted, strict=True):
        form = word if tag is None else _verb_form(reading.text(token).lower(), reading.tags[token], tag)
        if form is None:
            return None
        written.append(form)
    return tuple(written)


def _is_joined(reading: Reading, token: int) -> bool:
    """Whether another verb in the same form goes with a verb: "reducing waste and saving money"."""
    tag = reading.tags[token]
    for n in range(token + 1, len(reading) - 1):
        if reading.keys[n] in (";", ":", ".") or reading.tags[n] in ("MD", "VBZ", "VBD"):
            return False
        following = n + 2 if reading.tags[n + 1] == "RB" and n + 2 < len(reading) else n + 1
        if (reading.tags[n] == "CC" or reading.keys[n] == ",") and reading.tags[following] == tag:
            return True
    return False


def _verb_form(word: str, tag: str, wanted: str) -> str | None:
    if tag == wanted:
        return word
    base = base_of(word, tag)
    if base is None or (base == "be" and wanted in ("VBP", "VBD")):
        return None
    return inflections(base, "verb")[wanted][0]


def _parts(reading: Reading, spans: tuple[Span, ...], plain: tuple[str, ...]) -> Iterator[Part]:
    if len(spans) == 1:
        yield Part(_with_comma(reading, spans[0]) if not plain else spans[0], plain)
        return
    cut = plain.index(GAP)
    yield Part(spans[0], plain[:cut])
    yield Part(spans[1], plain[cut + 1 :])


def _with_comma(reading: Reading, span: Span) -> Span:
    """Words that go take a comma along that would have nothing to part."""
    start, end = span
    comma_before = start > 0 and reading.keys[start - 1] == ","
    comma_after = end < len(reading) and reading.keys[end] == ","
    if comma_after and (start <= reading.opening or (comma_before and _opens_with_phrase(reading, end + 1))):
        return start, end + 1
    if comma_after and comma_before:
        return start - 1, end + 1
    if comma_before and reading.after(end).is_edge:
        return start - 1, end
    return span


def _opens_with_phrase(reading: Reading, token: int) -> bool:
    """Whether a clause starts at a token after a phrase that a comma parts from it: "In May, we left"."""
    opening = reading.tags[reading.opening] if reading.opening < len(reading) else ""
    return opening in _OPENS_PHRASE and token < len(reading) and reading.tags[token] in _OPENS_CLAUSE
