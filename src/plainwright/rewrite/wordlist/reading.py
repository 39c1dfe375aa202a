"""A sentence as the matcher reads it: comparable words, which of them are free, and how a replacement would read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from plainwright.rewrite.types import Sentence, Span
from plainwright.rewrite.wordlist.conditions import Neighbour
from plainwright.text.lemmas import lemmas_by_ending
from plainwright.text.spelling import common_spelling

__all__ = ["Part", "Reading"]

_OPENING_QUOTES = {"``": "''", "“": "”", "`": "'", "‘": "’", "«": "»"}
_CLOSING_QUOTES = frozenset(("''", "”", "»"))  # an apostrophe closes only what was opened
_JOINS = frozenset("-‐‑–—/'’")  # to a neighbour without a space between
_POSSESSIVES = frozenset(("'s", "’s", "'", "’"))
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_ADJECTIVES = frozenset(("JJ", "JJR", "JJS", "VBN", "VBG"))
_BEFORE_HEADS = _ADJECTIVES | {"DT", "PDT", "PRP$", "CD", "RB", "RBR", "RBS", "$", "#", "``"}
_WITHIN = frozenset(("POS", *_NOUNS, *_BEFORE_HEADS))  # a noun phrase
_FINITE = ("MD", "VBZ", "VBP", "VBD")
_JOINING = frozenset(("and", "or", "nor", "&"))
_LISTING = _JOINING | {","}
_LONGEST_PHRASE = 5  # words in a list of noun phrases
_BEFORE_VERBS = frozenset(("RB", "MD", "TO", "WDT"))
_HELPING = frozenset(
    # One string reads better than thirty.
    "be am is are was were been being have has had having do does did cannot get gets got getting "  # noqa: SIM905
    "'m 're 've 's 'd ’m ’re ’ve ’s ’d".split()
)
_NEAR = 4  # words within which none stands twice
_ARTICLES = frozenset(("a", "an", "the"))
_BEFORE_NOUNS = _ARTICLES | frozenset(
    ("this", "that", "these", "those", "my", "your", "his", "her", "its", "our", "their")
)
_FUNCTION_WORDS = _BEFORE_NOUNS | frozenset(
    # One string reads better than eighty.
    "about after all also and any are as at be been before being but by can could did do does doing done for from get "  # noqa: SIM905
    "had has have having he how i if in into is it may me might more most must no not of off on one only or other "
    "out over shall she should so some such than them then there they to under until up us was we were what when where "
    "which while who whom whose why will with would you".split()
)


@dataclass(frozen=True, slots=True)
class Part:
    """Tokens of the sentence and the words in their place."""

    source: Span
    words: tuple[str, ...]


class Reading:
    """One sentence, and what matches have made of it so far."""

    def __init__(self, sentence: Sentence) -> None:
        tokens = sentence.tokens
        self._tokens = tokens
        self.tags: Sequence[str] = sentence.tags or [""] * len(tokens)
        self.keys = [common_spelling(token.text.lower()) for token in tokens]
        worded = [n for n, token in enumerate(tokens) if any(map(str.isalnum, token.text))]
        self.opening, self._closing = (worded[0], worded[-1]) if worded else (len(tokens), -1)
        self.quoted = _quoted(self.keys) if sentence.protection.quotations else [False] * len(tokens)
        self.open = [n not in sentence.fixed and not self.quoted[n] for n in range(len(tokens))]  # to any match
        self._written: dict[int, tuple[str, ...]] = {}  # in place of tokens

    def __len__(self) -> int:
        return len(self._tokens)

    def text(self, token: int) -> str:
        """Return a token with its capitals."""
        return self._tokens[token].text

    def is_common(self, token: int) -> bool:
        """Return whether a word has no capitals that make it a name; the opening one has one of its own."""
        word = self._tokens[token].text
        return word == word.lower() or word == "I" or (token == self.opening and word[1:] == word[1:].lower())

    def before(self, start: int) -> Neighbour:
        """Return what stands before a token."""
        word, tag = (self.keys[start - 1], self.tags[start - 1]) if start else ("", "")
        return Neighbour(word, tag, start <= self.opening)

    def after(self, end: int) -> Neighbour:
        """Return what stands at a token."""
        word, tag = (self.keys[end], self.tags[end]) if end < len(self) else ("", "")
        return Neighbour(word, tag, end > self._closing)

    def nouns_after(self, end: int) -> list[Neighbour]:
        """Return the heads of the noun phrases at a token: "copy" and "letters" of "a copy and all letters"."""
        heads: list[Neighbour] = []
        while True:
            head, end = self._head(end)
            # In "he sold a copy and the bank paid", a clause begins.
            if head is None or (heads and end < len(self) and self.tags[end] in _FINITE):
                return heads
            heads.append(head)
            if not self._goes_on(end):
                return heads
            end += 2 if self.keys[end] == "," and self.keys[end + 1] in _JOINING else 1

    def _head(self, end: int) -> tuple[Neighbour | None, int]:
        """Return the head of a noun phrase, or a pronoun, and where it ends."""
        head = None
        while end < len(self):
            tag = self.tags[end]
            if tag == "PRP" and head is None:
                return self.after(end), end + 1
            if tag == "POS":
                head = None  # what belongs to it is meant
            elif tag in _NOUNS:
                head = self.after(end)
            elif head is not None or not (tag in _BEFORE_HEADS or self._joins_adjectives(end)):
                break
            end += 1
        return head, end

    def _joins_adjectives(self, token: int) -> bool:
        """Return whether a comma, "and" or the like stands in a noun phrase before its head."""
        if token + 1 >= len(self) or self.tags[token] not in (",", "CC"):
            return False
        return self.tags[token - 1] in _ADJECTIVES and self.tags[token + 1] in _ADJECTIVES

    def _goes_on(self, end: int) -> bool:
        """Return whether a list of noun phrases goes on at a token."""
        following = self.keys[end + 1 : end + 1 + _LONGEST_PHRASE]
        here = self.keys[end] if following else ""
        return here in _JOINING or (here == "," and not _JOINING.isdisjoint(following))

    def subjects_before(self, start: int) -> list[Neighbour]:
        """Return the heads of the noun phrases before a verb and its auxiliaries: "claim" of "a claim has not been"."""
        at = start - 1
        while at > 0 and self._helps(at):
            at -= 1
        heads: list[Neighbour] = []
        behind_comma = False
        while at >= 0 and self.tags[at] in (*_NOUNS, "PRP"):
            head = self.before(at + 1)
            at -= 1
            while at >= 0 and self.tags[at] in _WITHIN:
                at -= 1
            if behind_comma and at >= 0 and self.tags[at] == "IN":
                break  # "In London, fees and taxes were"
            heads.append(head)
            if at < 1 or self.keys[at] not in (_LISTING if len(heads) > 1 else _JOINING):
                break
            behind_comma = "," in self.keys[at - 1 : at + 1]
            at -= 2 if self.keys[at - 1] == "," else 1
        return heads

    def _helps(self, token: int) -> bool:
        """Return whether a word may stand between a subject and its verb."""
        tag = self.tags[token]
        return tag in _BEFORE_VERBS or (self.keys[token] in _HELPING and tag != "POS")

    def ends_with_abbreviation(self, token: int) -> bool:
        """Return whether the dot of a token ends the sentence as well."""
        return token == len(self) - 1 and token > self.opening and self.keys[token].endswith(".")

    def stands_alone(self, start: int, end: int, *, possessive: bool) -> bool:
        """Whether neither neighbour is written together with these tokens, as in compounds and contractions."""
        tokens = self._tokens
        if start and tokens[start - 1].end == tokens[start].start:
            last = tokens[start - 1].text[-1]
            if last.isalnum() or last in _JOINS:
                return False
        if end < len(tokens) and tokens[end].start == tokens[end - 1].end:
            word = tokens[end].text
            return (possessive and word in _POSSESSIVES) or not (word[0].isalnum() or word[0] in _JOINS)
        return True

    def take(self, span: Span) -> None:
        """Let no other match have these tokens."""
        self.open[span[0] : span[1]] = [False] * (span[1] - span[0])

    def write(self, span: Span, words: tuple[str, ...]) -> None:
        """Put words in the place of tokens."""
        self.take(span)
        for n in range(*span):
            self._written[n] = words if n == span[0] else ()

    def takes(self, parts: Sequence[Part]) -> bool:
        """Whether words read well in the place of tokens, and change them."""
        if all(part.words == tuple(self.keys[slice(*part.source)]) for part in parts):
            return False
        return not any(self._clashes(part.source, part.words) for part in parts)

    def _clashes(self, span: Span, words: tuple[str, ...]) -> bool:
        start, end = span
        before, after = self._words(range(start - 1, -1, -1)), self._words(range(end, len(self)))
        left, right = next(before, ""), next(after, "")
        if not words:
            return left == right != ""
        if words[0] == left or words[-1] == right or (words[0] in _ARTICLES and left in _BEFORE_NOUNS):
            return True
        if words[0] == "are" and left == "i":
            return True
        old = self.keys[start:end]
        near = [left, right, *islice(before, _NEAR - 1), *islice(after, _NEAR - 1)]
        if not any(_repeats(word, near) for word in words if word not in old):
            return False
        # What the sentence itself says twice may be twice in plain words, too.
        around = [*self.keys[max(0, start - _NEAR) : start], *self.keys[end : end + _NEAR]]
        return not any(_repeats(word, around) for word in old)

    def _words(self, tokens: range) -> Iterator[str]:
        """Yield the words that stand at tokens now."""
        for n in tokens:
            own = self._written.get(n)
            yield from (self.keys[n],) if own is None else own[:: tokens.step]


def _repeats(word: str, near: Sequence[str]) -> bool:
    """Whether a word of content stands near in any form."""
    if word in _FUNCTION_WORDS or len(word) < 3:
        return False
    own = lemmas_by_ending(word)
    return any(
        word[0] == other[:1] and other not in _FUNCTION_WORDS and own & lemmas_by_ending(other) for other in near
    )


def _quoted(words: Sequence[str]) -> list[bool]:
    """Which tokens stand in quotation marks; a quotation may begin or end in another sentence."""
    inside = [False] * len(words)
    closing, since = "", 0
    for n, word in enumerate(words):
        if not closing and word in _OPENING_QUOTES:
            closing, since = _OPENING_QUOTES[word], n
        elif (closing and word == closing) or (not closing and word in _CLOSING_QUOTES):
            inside[since : n + 1] = [True] * (n + 1 - since)
            closing, since = "", n + 1
    if closing and closing != "'":
        inside[since:] = [True] * (len(words) - since)
    return inside
