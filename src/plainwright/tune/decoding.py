"""The package's own decoder, as tuning sees it: weights and tokenised sources in, k-best lists out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plainwright.decode import Analysis, Decoder, DecoderSettings, SyntaxLabels, word_analyses
from plainwright.errors import DataError
from plainwright.grammar import PackedGrammar
from plainwright.lm import LanguageModel
from plainwright.metrics.base import Array
from plainwright.text.tagging import Tagger
from plainwright.tune.pool import KBest

__all__ = ["DecoderFactory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderFactory:
    """Decodes with grammars, a language model and settings; tuning calls it once for each set of weights.

    Sources are tokens separated by spaces, in the case of the rules.
    """

    grammars: Sequence[PackedGrammar]
    lm: LanguageModel | None
    settings: DecoderSettings
    tagger: Tagger | None = None
    syntax: SyntaxLabels | None = None  # in place of the tagger
    threads: int = 1

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Of every candidate's features, in order."""
        return self._decoder({}, candidates=1).feature_names

    def start(self, weights: Mapping[str, float]) -> tuple[float, ...]:
        """Return weights in the order of `feature_names`; a feature that has none starts at 0."""
        self._decoder(weights, candidates=1)  # refuses names that no feature has
        return tuple(weights.get(name, 0.0) for name in self.feature_names)

    def __call__(self, weights: Array, sources: Sequence[str], *, best_only: bool) -> list[KBest]:
        """See `plainwright.tune.Decode`."""
        decoder = self._decoder(self.named(weights), candidates=1 if best_only else self.settings.candidates)
        lists = []
        words = [source.split() for source in sources]
        for number, result in enumerate(decoder.decode(words, analyses=self._analyses(words), threads=self.threads)):
            if result.too_long:
                raise self.too_long(number, len(words[number]))
            lists.append(KBest(texts=result.texts, features=result.features))
        return lists

    def _analyses(self, words: Sequence[Sequence[str]]) -> list[Analysis] | None:
        if self.syntax is not None:
            return self.syntax.analyses(words)
        return None if self.tagger is None else word_analyses(self.tagger, words, threads=self.threads)

    def named(self, weights: Array) -> dict[str, float]:
        """Return weights by the names of their features."""
        return dict(zip(self.feature_names, weights.tolist(), strict=True))

    def too_long(self, segment: int, tokens: int) -> DataError:
        """Return what to say of a segment that cannot be decoded."""
        most = self.settings.max_tokens
        return DataError(
            f"segment {segment + 1} has {tokens} tokens, more than {most}; leave it out or raise max_tokens"
        )

    def _decoder(self, weights: Mapping[str, float], *, candidates: int) -> Decoder:
        settings = replace(self.settings, candidates=candidates, derivations=0)
        return Decoder(self.grammars, lm=self.lm, weights=weights, settings=settings)
