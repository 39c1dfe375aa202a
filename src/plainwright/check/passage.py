"""A text as checks see it: sentences with their tokens and tags, and with their analysis if a check asks for it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

from plainwright import models
from plainwright.rewrite.protect import Protection
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewrite.types import Sentence, without_surrogates
from plainwright.text import quotation_spans, readability_counts_lines, sentence_spans
from plainwright.text.parser import load_english_model
from plainwright.text.tagging import Tagger

__all__ = ["IN_PLACE", "Passage", "Span", "has_words", "read_passage", "sentence_count"]

Span = tuple[int, int]

# A line that opens so is an item of a list, whatever the line before it lacks at its end.
_ITEM = re.compile(r"\n(?=[ \t]*(?:[-*•‣–]|\(?\d{1,3}[.)])[ \t])")
_PARAGRAPH = re.compile(r"\S.*(?:\n[^\S\n]*\S.*)*")
_LATIN = re.compile(r"[A-Za-z\u00aa-\u024f\u1e00-\u1eff]")
_MASK = "x"  # after one capital: a name, for all that tags and checks can tell
IN_PLACE = "it"  # what code and the like count as, where words and syllables are counted


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A text, its sentences, and which spans of it are no prose: code, formulas, citations."""

    text: str
    sentences: Sequence[Sentence]
    fixed: Sequence[Span] = ()
    titles: frozenset[int] = frozenset()  # numbers of the sentences that are headings, cells and the like, or not Latin
    keep: tuple[str, ...] = field(default=())

    @cached_property
    def counted(self) -> list[str]:
        """The sentences as words are counted in them: one word for each span that is no prose."""
        return [_without(own, self.fixed) for own in self.sentences]

    @cached_property
    def quoted(self) -> list[Span]:
        """The spans that quote, in order: they are somebody else's words. A quotation ends with its paragraph."""
        found = []
        for paragraph in _PARAGRAPH.finditer(without_surrogates(self.text)):
            at = paragraph.start()
            found += [(at + start, at + end) for start, end in quotation_spans(paragraph[0])]
        return found

    @cached_property
    def words(self) -> list[int]:
        """How many words each sentence has."""
        return [int(count) for count in readability_counts_lines(self.counted)[:, 1]] if self.sentences else []

    @cached_property
    def parses(self) -> list[Any]:
        """The analysis of each sentence by spaCy, in characters of the sentence."""
        texts = [re.sub(r"\s", " ", sentence.text) for sentence in self.sentences]
        return list(_parser().pipe(texts))

    def is_fixed(self, place: int) -> bool:
        """Return whether a character is no prose."""
        return _is_inside(place, self.fixed)

    @property
    def prose(self) -> Iterator[int]:
        """Yield the numbers of the sentences that are no titles."""
        return (number for number in range(len(self.sentences)) if number not in self.titles)


def read_passage(
    text: str, *, fixed: Sequence[Span] = (), titles: Sequence[Span] = (), keep: tuple[str, ...] = ()
) -> Passage:
    """Cut a text into sentences and tag their words; `fixed` and `titles` are spans of it, in order."""
    protection = Protection(keep=keep)
    masked = _masked(without_surrogates(text), fixed)
    sentences = [one for start, end in _items(masked) for one in _shifted(masked[start:end], start, protection)]
    tags = _tagger().tag_many([[token.text for token in sentence.tokens] for sentence in sentences])
    tagged = [replace(sentence, tags=own) for sentence, own in zip(sentences, tags, strict=True)]
    in_titles = frozenset(
        number for number, own in enumerate(tagged) if _is_inside(own.start, titles) or not _is_latin(own.text)
    )
    return Passage(text=text, sentences=tagged, fixed=tuple(fixed), titles=in_titles, keep=keep)


def sentence_count(text: str, fixed: Sequence[Span] = ()) -> int:
    """Return how many sentences of a text have words; `fixed` are spans of it, in order."""
    masked = _masked(without_surrogates(text), fixed)
    items = (masked[start:end] for start, end in _items(masked))
    return sum(has_words(item[start:end]) for item in items for start, end in sentence_spans(item))


def has_words(text: str) -> bool:
    """Return whether a sentence has something that grades count: words, mostly in Latin letters."""
    return any(map(str.isalnum, text)) and _is_latin(text)


def _items(text: str) -> Iterator[Span]:
    """Yield the spans between which items of lists begin."""
    start = 0
    for match in _ITEM.finditer(text):
        yield start, match.start()
        start = match.end()
    yield start, len(text)


def _shifted(text: str, start: int, protection: Protection) -> Iterator[Sentence]:
    return (replace(own, start=own.start + start) for own in sentences_of(text, protection))


def _masked(text: str, fixed: Sequence[Span]) -> str:
    """The text with one long word in the place of each span that is no prose, so that places stay the same."""
    pieces, at = [], 0
    for start, end in fixed:
        pieces += [text[at:start], (_MASK * (end - start)).capitalize()]
        at = end
    return "".join([*pieces, text[at:]])


def _is_latin(text: str) -> bool:
    """Whether at least half of the letters are Latin, as those of English are."""
    letters = sum(map(str.isalpha, text))
    return 2 * len(_LATIN.findall(text)) >= letters


def _is_inside(place: int, spans: Sequence[Span]) -> bool:
    """Whether a character stands in one of the spans, which are in order."""
    number = bisect_right(spans, place, key=lambda span: span[0])
    return number > 0 and place < spans[number - 1][1]


def _without(sentence: Sentence, fixed: Sequence[Span]) -> str:
    end = sentence.start + len(sentence.text)
    pieces, at = [], 0
    for start, stop in fixed[bisect_left(fixed, (sentence.start, 0)) :]:
        if stop > end:
            break
        pieces += [sentence.text[at : start - sentence.start], IN_PLACE]
        at = stop - sentence.start
    return "".join([*pieces, sentence.text[at:]])


@cache
def _tagger() -> Tagger:
    return Tagger.open(models.find("default") / "tagger.pack")


@cache
def _parser() -> Any:
    return load_english_model("checking how sentences are built")
