"""Features of rules: the 33 of PPDB 1.0, the 9 released with Xu et al. (2016), and the families of their section 3.3.

Features that follow from the rule itself are computed; probabilities and similarities come from whoever made the rule
and are carried along. A value that nobody knows is left out of the rule, and where features become a vector it counts
as 0 while `NAME?missing` counts as 1, so a model can tell a silent zero from a real one.

Differences are target less source, logarithms natural, and characters are code points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from plainwright.grammar.rules import Nonterminal, Rule, Symbol
from plainwright.text.frequencies import common_words
from plainwright.text.syllables import count_syllables

if TYPE_CHECKING:
    from plainwright.lm import LanguageModel

__all__ = [
    "COMMON_WORDS",
    "FAMILY_FEATURES",
    "FEATURES",
    "PPDB2_NAMES",
    "PPDB_FEATURES",
    "RELEASED_FEATURES",
    "FeatureMaker",
    "FeatureNote",
    "PhraseScorer",
    "Scorer",
    "dense_features",
    "missing_name",
    "rename_ppdb2",
    "shape_features",
]

COMMON_WORDS = 3000  # as many as the list of Noll that the paper used


class Scorer(Protocol):
    """Scores text as a language model does, higher for likelier."""

    def score(self, text: str) -> float:
        """Return the log probability of `text`, words separated by spaces."""


class PhraseScorer:
    """A language model asked about phrases: they neither begin nor end a sentence."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def score(self, text: str) -> float:
        """Return the total log10 of the words."""
        return self._model.score(text, begin=False, end=False)


@dataclass(frozen=True, slots=True)
class FeatureNote:
    """One row of the table: what a feature is, whose it is, and whether the rule alone determines it."""

    name: str
    definition: str
    origin: str
    computed: bool


def _notes(origin: str, computed: bool, rows: Mapping[str, str]) -> list[FeatureNote]:
    return [FeatureNote(name, definition, origin, computed) for name, definition in rows.items()]


_SHAPE = {
    "Abstract": "1 if neither side has a word",
    "Adjacent": "1 if two nonterminals stand side by side in the source",
    "CharCountDiff": "difference of lengths; a length is the characters of the words and one for each space between "
    "symbols (a nonterminal itself counts nothing)",
    "CharLogCR": "logarithm of the quotient of those lengths; 0 if a side has none",
    "ContainsX": "1 if the left-hand side is [X]",
    "GlueRule": "1 for glue rules, whose left-hand side is [GOAL]",
    "Identity": "1 if both sides are equal",
    "Lexical": "1 if there is no nonterminal",
    "Monotonic": "1 if the nonterminals stand in the same order on both sides",
    "PhrasePenalty": "always 1",
    "SourceTerminalsButNoTarget": "1 if the source has a word and the target has none",
    "SourceWords": "words of the source",
    "TargetTerminalsButNoSource": "1 if the target has a word and the source has none",
    "TargetWords": "words of the target",
    "UnalignedSource": "words of the source without an alignment point; missing if the rule has no alignment",
    "UnalignedTarget": "words of the target without an alignment point; missing if the rule has no alignment",
    "WordCountDiff": "difference of the numbers of words",
    "WordLenDiff": "difference of the mean lengths of words; 0 if a side has none",
    "WordLogCR": "logarithm of the quotient of the numbers of words; 0 if a side has none",
}
_CARRIED = {
    "Lex(e|f)": "-log of the lexical probability of the target given the source",
    "Lex(f|e)": "-log of the lexical probability of the source given the target",
    "LogCount": "logarithm of how often the rule was seen; of a paraphrase, of how many translations its sides share",
    "RarityPenalty": "exp(1 - n), n being how often the rule was seen; of a paraphrase, its sides with one translation",
    "p(LHS|e)": "-log probability of the label given the target",
    "p(LHS|f)": "-log probability of the label given the source",
    "p(e|LHS)": "-log probability of the target given the label",
    "p(e|f)": "-log probability of the target given the source",
    "p(e|f,LHS)": "-log probability of the target given the source and the label",
    "p(f|LHS)": "-log probability of the source given the label",
    "p(f|e)": "-log probability of the source given the target",
    "p(f|e,LHS)": "-log probability of the source given the target and the label",
    "AGigaSim": "distributional similarity in the annotated Gigaword corpus",
    "GoogleNgramSim": "distributional similarity in the Google n-grams",
}
_RELEASED = {
    "SourceMaxWordSyl": "syllables of the source's longest word by syllables",
    "TargetMaxWordSyl": "syllables of the target's longest word by syllables",
    "MaxWordSylDiff": "TargetMaxWordSyl - SourceMaxWordSyl",
    "MaxDiffWordSylDiff": "the same difference among words that only one side has",
    "MaxDiffWordLenDiff": "difference of the longest words by characters among words that only one side has",
    "HardWordDiff": f"difference of the numbers of words outside the {COMMON_WORDS} most common",
    "SourceGigaLM": "language model score of the source's words",
    "TargetGigaLM": "language model score of the target's words",
    "GigaLMDiff": "TargetGigaLM - SourceGigaLM",
}
_FAMILY = {
    "SourceChars": "characters of the source's words",
    "TargetChars": "characters of the target's words",
    "CharsDiff": "TargetChars - SourceChars",
    "SourceSyllables": "syllables of the source",
    "TargetSyllables": "syllables of the target",
    "SyllablesDiff": "TargetSyllables - SourceSyllables",
    "SourceCommonShare": f"share of the source's words that are among the {COMMON_WORDS} most common; 1 without words",
    "TargetCommonShare": f"share of the target's words that are among the {COMMON_WORDS} most common; 1 without words",
    "CommonShareDiff": "TargetCommonShare - SourceCommonShare",
    "SourceSimpleLM": "score of the source's words by a model of simple English",
    "TargetSimpleLM": "score of the target's words by a model of simple English",
    "SimpleLMDiff": "TargetSimpleLM - SourceSimpleLM",
}
_PPDB2 = {
    "PPDB2.0Score": "regression score of PPDB 2.0",
    "PPDB1.0Score": "heuristic score of PPDB 1.0",
    "Equivalence": "probability that the sides mean the same",
    "Exclusion": "probability that the sides exclude each other",
    "ForwardEntailment": "probability that the source entails the target",
    "Independent": "probability that the sides are unrelated",
    "OtherRelated": "probability of another relation",
    "MVLSASim": "similarity by multi-view latent semantic analysis; may be NA",
}

# In the order of PPDB's files.
_LAST = ("AGigaSim", "GoogleNgramSim")
PPDB_FEATURES: tuple[str, ...] = (*sorted({*_SHAPE, *_CARRIED}.difference(_LAST)), *_LAST)
RELEASED_FEATURES: tuple[str, ...] = tuple(_RELEASED)
FAMILY_FEATURES: tuple[str, ...] = tuple(_FAMILY)

FEATURES: dict[str, FeatureNote] = {
    note.name: note
    for note in (
        *_notes("PPDB 1.0", True, _SHAPE),
        *_notes("PPDB 1.0", False, _CARRIED),
        *_notes("Xu et al. (2016), released", True, _RELEASED),
        *_notes("Xu et al. (2016), section 3.3", True, _FAMILY),
        *_notes("PPDB 2.0", False, _PPDB2),
    )
}

# PPDB 2.0 writes e1 for the source and e2 for the target.
PPDB2_NAMES: dict[str, str] = {
    "-logp(LHS|e1)": "p(LHS|f)",
    "-logp(LHS|e2)": "p(LHS|e)",
    "-logp(e1|LHS)": "p(f|LHS)",
    "-logp(e1|e2)": "p(f|e)",
    "-logp(e1|e2,LHS)": "p(f|e,LHS)",
    "-logp(e2|LHS)": "p(e|LHS)",
    "-logp(e2|e1)": "p(e|f)",
    "-logp(e2|e1,LHS)": "p(e|f,LHS)",
    "Lex(e1|e2)": "Lex(f|e)",
    "Lex(e2|e1)": "Lex(e|f)",
}

_BRACKETS = frozenset(f"-{side}{kind}b-" for side in "lr" for kind in "rsc")
_CLITICS = frozenset(("n't", "'s", "'re", "'ll", "'ve", "'d", "'m", "ca", "wo"))


def missing_name(name: str) -> str:
    """Return the feature that says that `name` has no value."""
    return f"{name}?missing"


def rename_ppdb2(rule: Rule) -> Rule:
    """Return the rule with the names of PPDB 1.0 for the features that PPDB 2.0 renamed."""
    return replace(rule, features={PPDB2_NAMES.get(name, name): value for name, value in rule.features.items()})


def dense_features(rules: Sequence[Rule]) -> tuple[list[str], list[list[float]]]:
    """Names and one row of values for each rule, as a packed grammar has them.

    Features come in the order in which the rules name them, then `NAME?missing` for each that some rule lacks.
    """
    named = dict.fromkeys(name for rule in rules for name in rule.features)
    lacking = [name for name in named if any(rule.features.get(name) is None for rule in rules)]
    rows = []
    for rule in rules:
        values = [rule.features.get(name) or 0.0 for name in named]
        rows.append([*values, *(float(rule.features.get(name) is None) for name in lacking)])
    return [*named, *map(missing_name, lacking)], rows


def shape_features(rule: Rule) -> dict[str, float]:
    """The features of PPDB 1.0 that follow from the rule; without alignment, those of alignment are left out."""
    source, target = rule.source, rule.target
    source_words, target_words = rule.source_words, rule.target_words
    n_source, n_target = len(source_words), len(target_words)
    source_length, target_length = _length(source, source_words), _length(target, target_words)
    source_gaps = [symbol for symbol in source if isinstance(symbol, Nonterminal)]
    target_gaps = [symbol for symbol in target if isinstance(symbol, Nonterminal)]
    features = {
        "Abstract": float(n_source == n_target == 0),
        "Adjacent": float(any(map(_both_gaps, source, source[1:]))),
        "CharCountDiff": float(target_length - source_length),
        "CharLogCR": _log_ratio(target_length, source_length),
        "ContainsX": float(rule.lhs == "X"),
        "GlueRule": float(rule.lhs == "GOAL"),
        "Identity": float(source == target),
        "Lexical": float(not source_gaps),
        "Monotonic": float(source_gaps == target_gaps),
        "PhrasePenalty": 1.0,
        "SourceTerminalsButNoTarget": float(n_source > 0 and n_target == 0),
        "SourceWords": float(n_source),
        "TargetTerminalsButNoSource": float(n_target > 0 and n_source == 0),
        "TargetWords": float(n_target),
        "WordCountDiff": float(n_target - n_source),
        "WordLenDiff": _mean_length(target_words) - _mean_length(source_words) if n_source and n_target else 0.0,
        "WordLogCR": _log_ratio(n_target, n_source),
    }
    if rule.alignment:
        features["UnalignedSource"] = _unaligned(source, {i for i, _ in rule.alignment})
        features["UnalignedTarget"] = _unaligned(target, {j for _, j in rule.alignment})
    return features


class _Word(NamedTuple):
    characters: int
    syllables: int
    common: bool


class FeatureMaker:
    """Computes all features that need no more than the rule, a word list, and perhaps language models."""

    def __init__(
        self,
        *,
        language_model: Scorer | None = None,
        simple_language_model: Scorer | None = None,
        families: bool = False,
    ) -> None:
        self.language_model = language_model
        self.simple_language_model = simple_language_model
        self.families = families
        self._known: dict[str, _Word] = {}

    def compute(self, rule: Rule) -> dict[str, float]:
        """Shape features, the released nine and, with `families`, the paper's families.

        Scores of a language model that was not given are left out.
        """
        features = shape_features(rule)
        source = [self._word(word) for word in rule.source_words]
        target = [self._word(word) for word in rule.target_words]
        most = (_most(word.syllables for word in source), _most(word.syllables for word in target))
        features["SourceMaxWordSyl"], features["TargetMaxWordSyl"] = most
        features["MaxWordSylDiff"] = most[1] - most[0]
        features.update(self._changed_words(rule))
        features["HardWordDiff"] = float(_hard(target) - _hard(source))
        features.update(_scores(rule, "GigaLM", self.language_model))
        if self.families:
            features.update(_families(source, target))
        features.update(_scores(rule, "SimpleLM", self.simple_language_model))
        return features

    def complete(self, rule: Rule, *, digits: int = 5) -> Rule:
        """The rule with what it lacks of `compute`, rounded as PPDB rounds; values that it has stay."""
        added = {name: round(value, digits) for name, value in self.compute(rule).items() if name not in rule.features}
        merged = {**rule.features, **added}
        return replace(rule, features={name: merged[name] for name in sorted(merged, key=_place)})

    def _changed_words(self, rule: Rule) -> dict[str, float]:
        source, target = set(rule.source_words), set(rule.target_words)
        before = [self._word(word) for word in source - target]
        after = [self._word(word) for word in target - source]
        return {
            "MaxDiffWordSylDiff": _most(word.syllables for word in after) - _most(word.syllables for word in before),
            "MaxDiffWordLenDiff": _most(word.characters for word in after) - _most(word.characters for word in before),
        }

    def _word(self, text: str) -> _Word:
        known = self._known.get(text)
        if known is None:
            lower = text.lower()
            plain = lower in _BRACKETS or not any(map(str.isalpha, lower))
            syllables = 0 if lower in _BRACKETS else count_syllables(text)
            common = plain or lower in _CLITICS or lower in common_words(COMMON_WORDS)
            known = self._known[text] = _Word(len(text), syllables, common)
        return known


def _families(source: list[_Word], target: list[_Word]) -> dict[str, float]:
    measures: dict[str, Callable[[list[_Word]], float]] = {
        "Chars": lambda words: float(sum(word.characters for word in words)),
        "Syllables": lambda words: float(sum(word.syllables for word in words)),
        "CommonShare": lambda words: sum(word.common for word in words) / len(words) if words else 1.0,
    }
    features = {}
    for name, measure in measures.items():
        before, after = measure(source), measure(target)
        features.update({f"Source{name}": before, f"Target{name}": after, f"{name}Diff": after - before})
    return features


def _scores(rule: Rule, name: str, model: Scorer | None) -> dict[str, float]:
    if model is None:
        return {}
    sides = (rule.source_words, rule.target_words)
    before, after = (float(model.score(" ".join(words))) if words else 0.0 for words in sides)
    return {f"Source{name}": before, f"Target{name}": after, f"{name}Diff": after - before}


_PLACES = {name: place for place, name in enumerate((*PPDB_FEATURES, *RELEASED_FEATURES, *FAMILY_FEATURES))}


def _place(name: str) -> int:
    return _PLACES.get(name, len(_PLACES))


def _length(side: Sequence[Symbol], words: Iterable[str]) -> int:
    return sum(map(len, words)) + max(len(side) - 1, 0)


def _log_ratio(after: int, before: int) -> float:
    return math.log(after / before) if after > 0 and before > 0 else 0.0


def _mean_length(words: Sequence[str]) -> float:
    return sum(map(len, words)) / len(words)


def _both_gaps(left: Symbol, right: Symbol) -> bool:
    return isinstance(left, Nonterminal) and isinstance(right, Nonterminal)


def _unaligned(side: Sequence[Symbol], aligned: set[int]) -> float:
    return float(sum(isinstance(symbol, str) and i not in aligned for i, symbol in enumerate(side)))


def _most(values: Iterable[int]) -> float:
    return float(max(values, default=0))


def _hard(words: list[_Word]) -> int:
    return sum(not word.common for word in words)
