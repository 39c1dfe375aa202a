# ruff: noqa: T201
"""Make the language model of grammatical patterns that the features of the learned metric ask.

Takes tokenised text, one sentence a line, also .gz; the model's card (plainwright_en/patterns/CARD.md) has the command.

Run: .venv/bin/python tools/make_pattern_model.py TEXT… MODEL
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from plainwright.files import read_lines
from plainwright.learn.lm import estimate
from plainwright.lens.features.classes import class_words
from plainwright.lens.features.resources import tagger
from plainwright.lens.features.words import with_directed_quotes, words_of

ORDER, PRUNE = 4, (0, 2, 5, 6)
LINES_AT_ONCE = 20_000


def main() -> None:
    """Read the texts that the command line names, and write the model."""
    *texts, path = map(Path, sys.argv[1:])
    model = estimate(patterns(texts), order=ORDER, prune=PRUNE)
    model.save(path)
    print(f"{model.sentences:,} sentences, {model.tokens:,} tokens, {path.stat().st_size:,} bytes")


def patterns(texts: list[Path]) -> Iterator[str]:
    """The pattern of every sentence."""
    for text in texts:
        lines = iter(read_lines(text))
        while block := list(islice(lines, LINES_AT_ONCE)):
            sentences = [with_directed_quotes(words_of(line)) for line in block]
            for words, tags in zip(sentences, tagger().tag_many(sentences), strict=True):
                yield " ".join(class_words(words, tags))


if __name__ == "__main__":
    main()
