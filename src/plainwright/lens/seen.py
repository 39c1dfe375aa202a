"""Which sources a model has learnt from: scores on them are those of a pupil who knows the answers.

A model keeps a mark of every source in its `[provenance]`, not the source itself, so that ratings may be private. Marks
do not depend on case, spacing or tokens: a sentence is known again in another edition of the same corpus.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

__all__ = ["SOURCE_MARKS", "count_seen", "marks_of"]

SOURCE_MARKS = "source_marks"  # the entry of `[provenance]` that holds them

_BRACKET = re.compile("-[lr][rsc]b-")  # as treebanks write brackets
_LENGTH = 10  # hexadecimal digits; among a million sentences one in a million has the mark of another


def marks_of(sources: Iterable[str]) -> str:
    """The marks of some sources, sorted, with spaces between them; what a model keeps."""
    return " ".join(sorted({_mark(source) for source in sources}))


def count_seen(marks: str, sources: Iterable[str]) -> int:
    """Return how many of these sources, each counted once, have one of the marks."""
    return len(set(marks.split()) & {_mark(source) for source in sources})


def _mark(source: str) -> str:
    letters = "".join(filter(str.isalnum, _BRACKET.sub("", source.casefold())))
    return hashlib.sha256(letters.encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]
