"""Examples to learn from: candidates in sentences, and what became of them.

Of the written corpus, a candidate counts as right where whoever rewrote the sentence wrote it there. Of readers'
choices, where a reader found it right. A table of choices is separated by tabs and has the columns `source` (a
sentence, or its SHA-256 where its text may not stand there), `start`, `end`, `plain` and `right` (0 or 1).
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from plainwright.errors import DataError
from plainwright.files import iter_lines
from plainwright.learn.substitution.recipe import SubstitutionData
from plainwright.rewrite import Protection
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewrite.types import Sentence
from plainwright.rewrite.wordlist import WordList
from plainwright.rewrite.wordlist.matching import every_match
from plainwright.rewriter.finding import LEVELS
from plainwright.rewriter.training.corpus import read_corpus
from plainwright.rewriter.training.recipe import Corpus
from plainwright.substitution.pieces import Candidate
from plainwright.text.edits import TextEdit, edits_between
from plainwright.text.tagging import Tagger

__all__ = ["Example", "choices", "corpus_examples", "is_held_out"]

_COLUMNS = ("source", "start", "end", "plain", "right")
_BY_DIGEST = "sha256:"
_MOST = 24  # candidates of a sentence that are learnt from
_WORD = re.compile(r"[^a-z0-9]+")
_WRITTEN, _KEPT, _REPLACED = (1.0, 1.0), (0.0, 0.7), (0.0, 0.5)  # how right a candidate is, and how much that counts
_AROUND = 25  # characters by which an edit may be longer than thrice what a candidate replaces


class Example(NamedTuple):
    """A sentence with candidates, how right each of them is, and how much each counts."""

    sentence: str
    candidates: tuple[Candidate, ...]
    right: tuple[float, ...]
    weights: tuple[float, ...]


def is_held_out(sentence: str, share: float) -> bool:
    """Return whether nothing is learnt from a sentence; its digest decides, so data that grows keeps it."""
    return int(hashlib.sha256(sentence.encode()).hexdigest(), 16) % 1000 < 1000 * share


def choices(data: SubstitutionData) -> list[Example]:
    """Read what readers found right: an example for each sentence whose text is known."""
    texts = {} if data.texts is None else _by_digest(data.texts)
    found: defaultdict[str, dict[Candidate, float]] = defaultdict(dict)
    for path in data.choices:
        for source, candidate, right in _rows(path):
            text = texts.get(source.removeprefix(_BY_DIGEST)) if source.startswith(_BY_DIGEST) else source
            if text is not None:
                found[text][candidate] = right
    return [Example(text, tuple(own), tuple(own.values()), (1.0,) * len(own)) for text, own in found.items()]


def corpus_examples(data: SubstitutionData, words: WordList, *, seed: int) -> list[Example]:
    """Return the sentences of the written corpus with the candidates that the list has for them."""
    corpus = Corpus(
        folder=data.corpus,
        texts=data.texts,
        held_out=data.held_out,
        share=1.0,
        levels=tuple(level for level in LEVELS if level != "easy"),  # which goes too far from its source
        units=("sentence",),
        changed_words=1.0,
    )
    rewrites: defaultdict[str, list[str]] = defaultdict(list)
    for row in read_corpus(corpus).rows:
        if not row.held_out:
            rewrites[row.source].append(row.target)
    return [
        example
        for sentence in _tagged(sorted(rewrites), data.tagger)
        if sentence.text in rewrites
        and (example := _example(sentence, rewrites[sentence.text], words, random.Random(f"{seed} {sentence.text}")))
    ]


def _tagged(texts: Sequence[str], tagger: Path) -> list[Sentence]:
    sentences = [sentence for text in texts for sentence in sentences_of(text, Protection())]
    tags = Tagger.open(tagger).tag_many([[token.text for token in sentence.tokens] for sentence in sentences])
    return [replace(sentence, tags=own, memo={}) for sentence, own in zip(sentences, tags, strict=True)]


def _example(sentence: Sentence, rewrites: Sequence[str], words: WordList, chance: random.Random) -> Example | None:
    """Return all candidates that were written and some that were not; None if there are none."""
    edits = [edits_between(sentence.text, rewrite) for rewrite in rewrites]
    rated: dict[Candidate, tuple[float, float]] = {}
    for match in every_match(sentence, words):
        if len(match.parts) == 1:
            [part] = match.parts
            first, last = sentence.tokens[part.source[0]], sentence.tokens[part.source[1] - 1]
            candidate = Candidate(first.start, last.end, " ".join(part.words))
            rated[candidate] = max(_became(candidate, own) for own in edits)
    written = [candidate for candidate, own in rated.items() if own == _WRITTEN]
    others = [candidate for candidate, own in rated.items() if own != _WRITTEN]
    chance.shuffle(others)
    taken = (written + others[: 2 * len(written) + 6])[:_MOST]
    if not taken:
        return None
    right, weights = zip(*(rated[candidate] for candidate in taken), strict=True)
    return Example(sentence.text, tuple(taken), right, weights)


def _became(candidate: Candidate, edits: Sequence[TextEdit]) -> tuple[float, float]:
    """Return whether a rewrite has a candidate in its place, kept the hard words, or has something else there."""
    near = [edit for edit in edits if edit.source_span[0] < candidate.end and edit.source_span[1] > candidate.start]
    room = 3 * (candidate.end - candidate.start) + _AROUND
    plain = _spaced(candidate.plain)
    if any(plain in _spaced(edit.target_text) and len(edit.source_text) <= room for edit in near):
        return _WRITTEN
    return _REPLACED if near else _KEPT


def _spaced(text: str) -> str:
    return f" {_WORD.sub(' ', text.lower()).strip()} "


def _by_digest(path: Path) -> Mapping[str, str]:
    texts = (" ".join(line.partition("\t")[0].split()) for line in iter_lines(path))
    return {hashlib.sha256(text.encode()).hexdigest(): text for text in texts}


def _rows(path: Path) -> Iterator[tuple[str, Candidate, float]]:
    for number, line in enumerate(iter_lines(path), start=1):
        cells = line.split("\t")
        if number == 1:
            if tuple(cells) != _COLUMNS:
                msg = f"{path}:1: expected the columns {', '.join(_COLUMNS)}, found {line[:60]!r}"
                raise DataError(msg)
            continue
        if len(cells) != len(_COLUMNS) or not (cells[1].isdigit() and cells[2].isdigit() and cells[4] in ("0", "1")):
            msg = f"{path}:{number}: expected a source, two places, plain words and 0 or 1, found {line[:60]!r}"
            raise DataError(msg)
        yield cells[0], Candidate(int(cells[1]), int(cells[2]), cells[3]), float(cells[4])
