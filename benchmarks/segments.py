"""Text to time with: TurkCorpus test where it is on this machine, else made-up sentences of the same size."""

from __future__ import annotations

import random
from dataclasses import dataclass

from plainwright import corpora
from plainwright.errors import PlainwrightError


@dataclass(frozen=True)
class Segments:
    name: str
    sources: list[str]
    outputs: list[str]
    references: list[list[str]]

    def first(self, n: int) -> Segments:
        return Segments(self.name, self.sources[:n], self.outputs[:n], self.references[:n])


def segments(n: int) -> Segments:
    """`n` tokenised, lower-cased segments with eight references each, every string an object of its own."""
    try:
        corpus = corpora.load("turkcorpus/test")
        outputs = corpus.systems["SBMT-SARI"]
        name = "turkcorpus/test, repeated"
        rows = list(zip(corpus.sources, outputs, corpus.references, strict=True))
    except PlainwrightError:
        name = "made-up sentences, seed 1"
        rows = _made_up(359)
    picked = [rows[i % len(rows)] for i in range(n)]
    return Segments(
        name,
        [_fresh(source) for source, _, _ in picked],
        [_fresh(output) for _, output, _ in picked],
        [[_fresh(text) for text in group] for _, _, group in picked],
    )


def _fresh(text: str) -> str:
    # As if read from a file: shared strings would hide what memory and caches really have to bear.
    return text.encode().decode()


def _made_up(n: int) -> list[tuple[str, str, tuple[str, ...]]]:
    generator = random.Random(1)
    words = ["".join(generator.choices("aeioubcdfglmnprst", k=generator.randint(2, 9))) for _ in range(3000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]

    def edited(sentence: list[str]) -> str:
        kept = [word for word in sentence if generator.random() > 0.1]
        return " ".join(word if generator.random() > 0.15 else generator.choices(words, weights)[0] for word in kept)

    rows = []
    for _ in range(n):
        sentence = generator.choices(words, weights, k=generator.randint(12, 34))
        rows.append((" ".join(sentence), edited(sentence), tuple(edited(sentence) for _ in range(8))))
    return rows
