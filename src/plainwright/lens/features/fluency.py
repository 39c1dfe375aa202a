"""How fluent a text is to two language models: one of words, one of grammatical patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from plainwright.lens.features.classes import class_words
from plainwright.lens.features.resources import grammar_model, language_model

__all__ = ["LmFluency", "worst_window"]

_WINDOW = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LmFluency:
    """Scores of both models; each sentence is scored by itself, from its start to its end."""

    log10: list[float]  # of every word, and of every sentence's end
    worst_window: float
    fit: list[float]  # log10 of every word here less log10 of the word anywhere: rare words are not to blame
    worst_fit_window: float
    grammar: list[float]  # log10 of every word's class, and of every sentence's end
    worst_grammar_window: float
    grammar_of_words: list[float]  # without the ends
    lengths: list[int]  # of every word: words of the n-gram that the model found
    unknown: int  # words

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> LmFluency:
        """Score sentences in lower case with directed quotation marks."""
        words, patterns = language_model().native, grammar_model().native
        scores = [words.word_scores(" ".join(sentence), True, True) for sentence in sentences]
        log10 = [[row[1] for row in rows] for rows in scores]
        fit = [[row[1] - _anywhere(row[0]) for row in rows] for rows in scores]
        grammar = [
            [row[1] for row in patterns.word_scores(" ".join(class_words(*sentence)), True, True)]
            for sentence in zip(sentences, tags, strict=True)
        ]
        found = [row for rows in scores for row in rows[:-1]]
        return cls(
            log10=_joined(log10),
            worst_window=worst_window(log10),
            fit=_joined(fit),
            worst_fit_window=worst_window(fit),
            grammar=_joined(grammar),
            worst_grammar_window=worst_window(grammar),
            grammar_of_words=[value for values in grammar for value in values[:-1]],
            lengths=[row[2] for row in found],
            unknown=sum(not row[3] for row in found),
        )


def worst_window(sentences: Sequence[Sequence[float]]) -> float:
    """Return the least mean of three values in a row, or of a whole sentence that is shorter."""
    return min(map(_worst_of, sentences), default=0.0)


def _worst_of(values: Sequence[float]) -> float:
    if len(values) <= _WINDOW:
        return sum(values) / len(values)
    return min(map(sum, zip(values, values[1:], values[2:], strict=False))) / _WINDOW


def _joined(sentences: Sequence[Sequence[float]]) -> list[float]:
    return [value for sentence in sentences for value in sentence]


@lru_cache(maxsize=1 << 16)
def _anywhere(word: str) -> float:
    """Return log10 of a word after nothing."""
    model = language_model()
    return model.score_word(model.empty_state(), word)[0]
