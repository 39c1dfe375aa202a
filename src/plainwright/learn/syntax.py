"""Analyses as learning needs them: tags of many sentences, and files that keep what a parser found.

What an analysis is, and how spans get their labels, stands in `plainwright.text.syntax`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from plainwright.errors import DataError
from plainwright.text.parser import UNUSED_PARTS
from plainwright.text.syntax import (
    Analysis,
    Constituent,
    Parser,
    constituents,
    encode,
    load_parser,
    parse_analysis,
    span_labels,
)

__all__ = [
    "Analysis",
    "Constituent",
    "Parser",
    "constituents",
    "encode",
    "parse_analysis",
    "read_analysis_lines",
    "span_labels",
    "tag_sentences",
]


def tag_sentences(sentences: Iterable[str], *, longest: int) -> Iterator[tuple[list[str], list[str]]]:
    """Yield tokens and tags of tokenised sentences, without the cost of parsing; nothing for those too long."""
    model = load_parser(exclude=(*UNUSED_PARTS, "parser", "senter"))
    tokens_module = importlib.import_module("spacy.tokens")
    split = (sentence.split() for sentence in sentences)
    usable = (tokens if 0 < len(tokens) <= longest else [] for tokens in split)
    for document in model.pipe((tokens_module.Doc(model.vocab, words=tokens) for tokens in usable), batch_size=256):
        yield [token.text for token in document], [token.tag_ or "XX" for token in document]


def read_analysis_lines(lines: Iterable[str], *, name: str | Path, first: int) -> Iterator[Analysis | None]:
    """Yield the analyses of some lines of the file `name`, the first of which has the number `first`."""
    for number, line in enumerate(lines, start=first):
        try:
            yield parse_analysis(line)
        except DataError as error:
            msg = f"{name}:{number}: {error}"
            raise DataError(msg) from None
