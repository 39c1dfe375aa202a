r"""What spans of a sentence are: from tags and dependencies to labels.

Three steps, each a plain function of the one before: an `Analysis` (tags and dependencies, as spaCy's English models
give them), its `constituents` (spans with the names of the Penn Treebank), and the label of every span (`span_labels`):
its constituent, A/B for an A that lacks a B at its right end, A\B for one that lacks a B at its left, A+B for two side
by side, A+B+C for three, and X where nothing fits (Zollmann and Venugopal 2006). A single token has its tag.

Parsing is slow, so analyses are kept in files: a line for each sentence with tokens, tags, heads and relations,
separated by tabs; within them, by spaces. Heads are positions from 0; the root is its own head.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plainwright import _core
from plainwright.errors import DataError
from plainwright.text.parser import UNUSED_PARTS, load_english_model

__all__ = [
    "Analysis",
    "Constituent",
    "Parser",
    "constituents",
    "encode",
    "load_parser",
    "parse_analysis",
    "span_labels",
]

_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
_NOMINAL = frozenset(("NN", "NNS", "NNP", "NNPS", "PRP", "EX", "WP"))
_VERBAL = frozenset(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"))
_PHRASES = {"JJ": "ADJP", "JJR": "ADJP", "JJS": "ADJP", "RB": "ADVP", "RBR": "ADVP", "RBS": "ADVP", "CD": "QP"}
_WH = frozenset(("WDT", "WP", "WP$", "WRB"))

Constituent = tuple[int, int, str]  # the span [first, last) and its label


@dataclass(frozen=True, slots=True)
class Analysis:
    """Holds tags and dependencies of one tokenised sentence."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]

    def __str__(self) -> str:
        """The line of a file of analyses."""
        columns = (self.tokens, self.tags, map(str, self.heads), self.relations)
        return "\t".join(" ".join(column) for column in columns)


def parse_analysis(line: str) -> Analysis | None:
    """The analysis of one line, None of an empty one; a `DataError` says what is wrong with it."""
    if not line:
        return None
    columns = [column.split(" ") for column in line.split("\t")]
    if len(columns) != 4 or len({len(column) for column in columns}) != 1:
        msg = "tokens, tags, heads and relations of equal number expected, separated by tabs"
        raise DataError(msg)
    tokens, tags, heads, relations = columns
    if not all(head.isdecimal() and head.isascii() and int(head) < len(tokens) for head in heads):
        msg = f"heads from 0 to {len(tokens) - 1} expected, got {' '.join(heads)[:60]!r}"
        raise DataError(msg)
    return Analysis(tuple(tokens), tuple(tags), tuple(map(int, heads)), tuple(relations))


def constituents(analysis: Analysis) -> list[Constituent]:
    """Return the constituents of more than one token; of equal spans the highest one only, in the order of the text."""
    tree = _Tree(analysis)
    found: dict[tuple[int, int], str] = {}
    for head in tree.from_the_top:
        for first, last, label in tree.phrases(head):
            if last - first > 1:
                found.setdefault((first, last), label)
    return [(first, last, label) for (first, last), label in sorted(found.items(), key=lambda item: _by_place(item[0]))]


def encode(analysis: Analysis) -> str:
    """Return tags and constituents as the core reads them."""
    spans = " ".join(f"{first}-{last}:{label}" for first, last, label in constituents(analysis))
    return " ".join(analysis.tags) + "\t" + spans


def span_labels(analysis: Analysis) -> dict[tuple[int, int], str]:
    """Return the label of every span [first, last)."""
    rows = _core.span_labels(len(analysis.tokens), encode(analysis))
    return {
        (first, first + length): label for first, row in enumerate(rows) for length, label in enumerate(row, start=1)
    }


def _by_place(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], -span[1]


class _Tree:
    """Subtrees of an analysis; those with holes in them are no phrases."""

    def __init__(self, analysis: Analysis) -> None:
        self.tags = analysis.tags
        self.relations = analysis.relations
        size = len(analysis.tokens)
        self.children: list[list[int]] = [[] for _ in range(size)]
        roots = []
        for child, head in enumerate(analysis.heads):
            if head == child:
                roots.append(child)
            else:
                self.children[head].append(child)
        self.from_the_top = roots
        for node in self.from_the_top:  # grows while we walk; tokens in a cycle are never reached
            self.from_the_top.extend(self.children[node])
        self.first = list(range(size))
        self.last = [i + 1 for i in range(size)]
        self.size = [1] * size
        for node in reversed(self.from_the_top):
            for child in self.children[node]:
                self.first[node] = min(self.first[node], self.first[child])
                self.last[node] = max(self.last[node], self.last[child])
                self.size[node] += self.size[child]

    def phrases(self, head: int) -> Iterator[Constituent]:
        """The phrases that `head` is the head of, larger ones first."""
        first, last = self.first[head], self.last[head]
        if self.size[head] != last - first:
            return
        tag = self.tags[head]
        if tag in _VERBAL:
            yield from self._clauses(head)
        elif tag in _NOMINAL or self.relations[head] in ("pobj", "dobj", "nsubj", "nsubjpass", "attr"):
            yield from ((first, end, "NP") for end in self._ends(head))
        elif tag in ("IN", "TO") and self.relations[head] != "mark":
            yield first, last, "PP"
        elif tag in _PHRASES:
            yield first, last, _PHRASES[tag]

    def _ends(self, head: int) -> list[int]:
        """Where the phrase may end: behind its head, and behind each part that follows; the furthest first."""
        ends = {self.first[child] for child in self.children[head] if self.first[child] > head}
        return [self.last[head], *sorted((end for end in ends if self._is_finished(end)), reverse=True)]

    def _is_finished(self, end: int) -> bool:
        """Whether something may end there: "cats and", "cats ," await more."""
        return self.relations[end - 1] not in ("cc", "punct")

    def _clauses(self, head: int) -> Iterator[Constituent]:
        before = [child for child in self.children[head] if child < head]
        marks = [child for child in before if self.relations[child] == "mark" or self.tags[self.first[child]] in _WH]
        subjects = [child for child in before if self.relations[child] in _SUBJECTS]
        inside = self.last[marks[0]] if marks else self.first[head]
        start = max([inside, *(self.last[subject] for subject in subjects)])
        # Each auxiliary begins a verb phrase of its own: has (been (seen …)).
        starts = dict.fromkeys([start, *(child for child in before if child >= start), head])
        for last in self._clause_ends(head):
            if marks:
                yield self.first[head], last, "SBAR"
            if subjects and self.first[subjects[0]] >= inside:
                yield inside, last, "S"
            if self._is_finished(last):
                yield from ((begin, last, "VP") for begin in starts)

    def _clause_ends(self, head: int) -> list[int]:
        """The end of the clause, also without the punctuation and the coordination that follow it."""
        ends = [self.last[head]]
        for child in reversed([child for child in self.children[head] if child > head]):
            if self.relations[child] not in ("punct", "cc", "conj"):
                break
            ends.append(self.first[child])
        return [ends[0], *(end for end in ends[1:] if self._is_finished(end))]


class Parser:
    """Parses text that is already tokenised with spaCy's small English model."""

    def __init__(self) -> None:
        self._model = load_parser()
        self._tokens = importlib.import_module("spacy.tokens")

    def parse(self, sentences: Iterable[str], *, longest: int) -> Iterator[Analysis | None]:
        """Yield the analysis of each sentence; None for empty ones, and for those with more than `longest` tokens."""
        yield from self.parse_tokens([sentence.split() for sentence in sentences], longest=longest)

    def parse_tokens(self, split: Sequence[Sequence[str]], *, longest: int) -> Iterator[Analysis | None]:
        """Yield the same for sentences that are lists of tokens."""
        usable = [tokens for tokens in split if 0 < len(tokens) <= longest]
        parsed = self._model.pipe(self._tokens.Doc(self._model.vocab, words=list(tokens)) for tokens in usable)
        for tokens in split:
            yield _of_document(next(parsed)) if 0 < len(tokens) <= longest else None


def load_parser(exclude: Iterable[str] = UNUSED_PARTS) -> Any:
    """Load the model without some of its parts, or say how to get it."""
    without = "give --analysis with a file that exists, or leave labels out"
    return load_english_model("parsing", exclude=exclude, otherwise=without)


def _of_document(document: Any) -> Analysis:
    return Analysis(
        tuple(token.text for token in document),
        tuple(token.tag_ or "XX" for token in document),
        tuple(token.head.i for token in document),
        tuple(token.dep_ or "dep" for token in document),
    )
