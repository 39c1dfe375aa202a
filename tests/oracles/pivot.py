"""Pivoting with dictionaries and nothing left out, and context vectors word by word: slow, obvious twins."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from plainwright.grammar.rules import Rule

Pair = tuple[str, str]


def pivot_probabilities(tables: Mapping[str, Sequence[Rule]]) -> dict[Pair, tuple[float, int, int]]:
    """For each pair of English phrases: p(target|source), languages and shared translations."""
    evidence: Counter[str] = Counter()
    by_language: dict[str, Counter[str]] = {}
    for language, rules in tables.items():
        by_language[language] = Counter()
        for rule in rules:
            count = round(math.exp(rule.features["LogCount"] or 0.0))
            evidence[side(rule.source)] += count
            by_language[language][side(rule.source)] += count
    sums: defaultdict[Pair, float] = defaultdict(float)
    languages: defaultdict[Pair, set[str]] = defaultdict(set)
    pivots: Counter[Pair] = Counter()
    for language, rules in tables.items():
        for one in rules:
            share = by_language[language][side(one.source)] / evidence[side(one.source)]
            for other in rules:
                if one.target == other.target:
                    pair = side(one.source), side(other.source)
                    sums[pair] += share * math.exp(-one.features["p(e|f)"]) * math.exp(-other.features["p(f|e)"])
                    languages[pair].add(language)
                    pivots[pair] += 1
    return {pair: (sums[pair], len(languages[pair]), pivots[pair]) for pair in sums}


def context_cosine(one: str, other: str, phrases: Iterable[str], lines: Sequence[str]) -> float:
    """The cosine of positive pointwise mutual information, from the definition."""
    counts: dict[str, Counter[tuple[int, str]]] = {phrase: Counter() for phrase in phrases}
    for line in lines:
        words = ["<>", "<>", *line.lower().split(), "<>", "<>"]
        for phrase, contexts in counts.items():
            wanted = phrase.split()
            for first in range(2, len(words) - 2 - len(wanted) + 1):
                if words[first : first + len(wanted)] == wanted:
                    last = first + len(wanted) - 1
                    contexts.update([(-2, words[first - 2]), (-1, words[first - 1])])
                    contexts.update([(1, words[last + 1]), (2, words[last + 2])])
    total = sum(sum(contexts.values()) for contexts in counts.values())
    columns = sum(counts.values(), Counter())
    vectors = []
    for phrase in (one, other):
        row = sum(counts[phrase].values())
        vectors.append(
            {name: max(0.0, math.log(n * total / (row * columns[name]))) for name, n in counts[phrase].items()}
        )
    product = sum(value * vectors[1].get(name, 0.0) for name, value in vectors[0].items())
    return product / math.prod(math.sqrt(sum(value**2 for value in vector.values())) for vector in vectors)


def side(symbols: Iterable[object]) -> str:
    return " ".join(map(str, symbols))
