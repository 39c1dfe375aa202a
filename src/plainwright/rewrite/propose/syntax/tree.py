"""The dependency tree of one sentence, with the place of every word in the text as it stands.

Tags are those of the Penn Treebank, relations those of ClearNLP, as spaCy's English models give them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from plainwright.text.parser import check_english_model, load_english_model

__all__ = ["FINITE", "NOUNS", "PLURALS", "PLURAL_VERBS", "SINGULAR_VERBS", "Parser", "Tree", "Word"]

NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS"))
PLURALS = frozenset(("NNS", "NNPS"))
_SUBJECTS = ("nsubj", "nsubjpass", "expl")
FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
SINGULAR_VERBS = frozenset(("is", "was", "has", "does"))
PLURAL_VERBS = frozenset(("are", "were", "have", "do"))
_SPACE = re.compile(r"\s+")
_BATCH = 64  # texts that are parsed at once; what comes out does not depend on it
_QUOTES = '"“”«»'


@dataclass(frozen=True, slots=True)
class Word:
    """One word or mark: `text[start:end]` of the sentence, its tag, and what it depends on."""

    index: int
    text: str
    tag: str
    relation: str
    head: int
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.text.lower()

    @property
    def is_mark(self) -> bool:
        """Whether it is punctuation."""
        return not any(map(str.isalnum, self.text))


class Tree:
    """A sentence and its dependencies; there is exactly one root."""

    def __init__(self, text: str, words: Sequence[Word]) -> None:
        self.text = text
        self.words = tuple(words)
        self._children: list[list[int]] = [[] for _ in words]
        self.root = next(word.index for word in words if word.head == word.index)
        for word in words:
            if word.head != word.index:
                self._children[word.head].append(word.index)
        self._first, self._last = list(range(len(words))), list(range(len(words)))
        for node in reversed(list(self._from_the_top())):
            for child in self._children[node]:
                self._first[node] = min(self._first[node], self._first[child])
                self._last[node] = max(self._last[node], self._last[child])

    def _from_the_top(self) -> Iterator[int]:
        waiting = [self.root]
        for node in waiting:
            yield node
            waiting.extend(self._children[node])

    def __getitem__(self, index: int) -> Word:
        return self.words[index]

    def __len__(self) -> int:
        return len(self.words)

    def first(self, index: int) -> int:
        """Return the first word of the phrase that a word is the head of."""
        return self._first[index]

    def last(self, index: int) -> int:
        """Return the last word of the phrase that a word is the head of."""
        return self._last[index]

    def children(self, index: int, *relations: str) -> list[Word]:
        """Return what depends on a word, in order; with `relations`, only by one of these."""
        own = (self.words[child] for child in self._children[index])
        return [word for word in own if not relations or word.relation in relations]

    def child(self, index: int, *relations: str) -> Word | None:
        """Return the first word that depends on a word by one of these relations."""
        return next(iter(self.children(index, *relations)), None)

    def subtree(self, index: int) -> list[Word]:
        """Return the words of a phrase, in order."""
        found = [index]
        for node in found:
            found.extend(self._children[node])
        return [self.words[node] for node in sorted(found)]

    def opening(self, index: int) -> Word:
        """Return the first word of a phrase, or its head where the parser took a mark for all of it."""
        return next((word for word in self.subtree(index) if not word.is_mark), self.words[index])

    def end(self, index: int) -> int:
        """Return the last word of a phrase, without the marks behind it."""
        last = self.last(index)
        while self.words[last].is_mark:
            last -= 1
        return last

    def before(self, index: int) -> int:
        """Return the last word before a place, without the marks between."""
        index -= 1
        while self.words[index].is_mark:
            index -= 1
        return index

    def ancestors(self, index: int) -> Iterator[Word]:
        """Yield what a word depends on, directly or not; the root is the last."""
        while self.words[index].head != index:
            index = self.words[index].head
            yield self.words[index]

    def subject(self, verb: int) -> Word | None:
        """Return the head of the subject of a verb."""
        return self.child(verb, *_SUBJECTS)

    def first_of_subject(self, verb: int) -> int:
        """Return the first word of the subject of a verb, or the verb if it has none."""
        subject = self.subject(verb)
        return verb if subject is None else self.first(subject.index)

    def auxiliaries(self, verb: int) -> list[Word]:
        """Return the auxiliaries of a verb, in order."""
        return self.children(verb, "aux", "auxpass")

    def finite(self, verb: int) -> Word | None:
        """Return the word that carries the tense of a clause: its first auxiliary, or the verb itself."""
        leading = next(iter(self.auxiliaries(verb)), self.words[verb])
        return leading if leading.tag in FINITE else None

    def slice(self, first: int, last: int) -> str:
        """Return the text from one word to another, both included."""
        return self.text[self.words[first].start : self.words[last].end]

    def count(self, first: int, last: int) -> int:
        """Return how many words, without marks, stand from one place to another, both included."""
        return sum(not word.is_mark for word in self.words[first : last + 1])

    @property
    def is_balanced(self) -> bool:
        """Whether every quotation mark and every bracket has its other half."""
        marks = Counter(_one_mark(self.text))
        brackets = all(marks[left] == marks[right] for left, right in ("()", "[]", "{}"))
        return brackets and sum(marks[mark] for mark in _QUOTES) % 2 == 0

    def is_enclosed(self, position: int) -> bool:
        """Return whether a place in the text lies inside brackets or quotation marks."""
        before = _one_mark(self.text[:position])
        open_brackets = sum(before.count(mark) for mark in "([{") - sum(before.count(mark) for mark in ")]}")
        return open_brackets > 0 or sum(before.count(mark) for mark in _QUOTES) % 2 > 0


def _one_mark(text: str) -> str:
    """Return the text with one character for quotation marks that are written with two."""
    return text.replace("''", '"').replace("``", '"')


_PURPOSE = "the proposer 'syntax'"


class Parser:
    """Parses sentences with spaCy's small English model, loaded with the first one; safe in several threads."""

    def __init__(self) -> None:
        check_english_model(_PURPOSE)
        self._model: Any = None
        self._lock = Lock()

    def parse(self, texts: Iterable[str]) -> list[Tree | None]:
        """Return the tree of each text; None where the parser sees no sentence, or several."""
        texts = list(texts)
        if not texts:
            return []
        plain = [_SPACE.sub(" ", text.strip()) for text in texts]
        with self._lock:
            if self._model is None:
                self._model = load_english_model(_PURPOSE)
            with self._model.memory_zone():
                parsed = self._model.pipe(plain, batch_size=_BATCH)
                return [_tree(text, document) for text, document in zip(texts, parsed, strict=True)]


def _tree(text: str, document: Any) -> Tree | None:
    """Copy what the parser found; it read the text with single spaces."""
    places = [match.start() for match in re.finditer(r"\S", text)]
    words = []
    taken = 0
    for token in document:
        size = sum(not character.isspace() for character in token.text)
        start, end = places[taken], places[taken + size - 1] + 1
        taken += size
        words.append(Word(token.i, token.text, token.tag_, token.dep_, token.head.i, start, end))
    roots = sum(word.head == word.index for word in words)
    return Tree(text, words) if roots == 1 else None
