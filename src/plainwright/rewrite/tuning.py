"""Raw text for tuning: candidates are made and judged as `simplify` would write them.

Protected words, capitals, spacing and articles are dealt with before the metric looks, so the weights are those that
suit the product. Every source is decoded as one sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from plainwright.decode import word_analyses
from plainwright.metrics.base import Array
from plainwright.rewrite.prepared import prepare
from plainwright.rewrite.protect import Protection
from plainwright.rewrite.simplifier import realised
from plainwright.tune import DecoderFactory, KBest

__all__ = ["TextDecoderFactory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDecoderFactory(DecoderFactory):
    """As its base, but sources and candidates are raw text."""

    protection: Protection = field(default_factory=Protection)

    def __call__(self, weights: Array, sources: Sequence[str], *, best_only: bool) -> list[KBest]:
        """See `plainwright.tune.Decode`."""
        decoder = self.decoder(weights, best_only=best_only, derivations=True)
        sentences = [prepare(source, source, (0, len(source)), self.protection) for source in sources]
        analyses = None
        if self.tagger is not None:
            tokens = [[token.text for token in sentence.tokens] for sentence in sentences]
            analyses = word_analyses(self.tagger, tokens, threads=self.threads)
        words = [sentence.words for sentence in sentences]
        lists = []
        for number, result in enumerate(decoder.decode(words, analyses=analyses, threads=self.threads)):
            if result.too_long:
                raise self.too_long(number, len(words[number]))
            texts = tuple(realised(sentences[number], candidate)[0] for candidate in result)
            lists.append(KBest(texts=texts, features=result.features))
        return lists
