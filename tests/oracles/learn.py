"""Slow, obvious twins of alignment's expectation-maximisation and of rule extraction, straight from the definitions."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator

Points = set[tuple[int, int]]
Span = tuple[int, int]


class Model2:
    """Dyer, Chahuneau and Smith (2013), maximum likelihood, with a fixed tension."""

    def __init__(self, pairs: list[tuple[list[str], list[str]]], *, tension: float, null: float) -> None:
        self.pairs, self.tension, self.null = pairs, tension, null
        seen = defaultdict(set)
        for source, target in pairs:
            for word in source:
                seen[word].update(target)
        words = {word for _, target in pairs for word in target}
        self.table = {(s, t): 1 / len(row) for s, row in seen.items() for t in row}
        self.nothing = dict.fromkeys(words, 1 / len(words))

    def posteriors(self, source: list[str], target: list[str], j: int) -> tuple[list[float], float, float]:
        """Of each source position and of nothing, and the probability of the word."""
        m, n = len(source), len(target)
        pull = [math.exp(-self.tension * abs((j + 1) / n - (i + 1) / m)) for i in range(m)]
        word = target[j]
        joint = [(1 - self.null) * pull[i] / sum(pull) * self.table[source[i], word] for i in range(m)]
        nothing = self.null * self.nothing[word]
        total = sum(joint) + nothing
        return [p / total for p in joint], nothing / total, total

    def iterate(self) -> float:
        counts: Counter[tuple[str, str]] = Counter()
        nothing: Counter[str] = Counter()
        log_likelihood = 0.0
        for source, target in self.pairs:
            for j, word in enumerate(target):
                each, none, total = self.posteriors(source, target, j)
                for i, p in enumerate(each):
                    counts[source[i], word] += p
                nothing[word] += none
                log_likelihood += math.log(total)
        totals: Counter[str] = Counter()
        for (s, _), count in counts.items():
            totals[s] += count
        self.table = {key: counts[key] / totals[key[0]] for key in self.table}
        self.nothing = {word: nothing[word] / sum(nothing.values()) for word in self.nothing}
        return log_likelihood


def consistent(points: Points, source: Span, target: Span) -> bool:
    """Whether there is a point, and none leads from inside one span to outside the other."""
    inside = [(source[0] <= i < source[1], target[0] <= j < target[1]) for i, j in points]
    return any(a and b for a, b in inside) and all(a == b for a, b in inside)


def spans(length: int, longest: int) -> Iterator[Span]:
    return ((a, b) for a in range(length) for b in range(a + 1, min(length, a + longest) + 1))


def phrase_pairs(m: int, n: int, points: Points, *, longest: int, loose: bool) -> list[tuple[Span, Span]]:
    found = []
    for source, target in itertools.product(spans(m, longest), spans(n, longest)):
        if not consistent(points, source, target):
            continue
        edges = [any(i == edge for i, _ in points) for edge in (source[0], source[1] - 1)]
        edges += [any(j == edge for _, j in points) for edge in (target[0], target[1] - 1)]
        if loose or all(edges):
            found.append((source, target))
    return found


def rules(
    source: list[str],
    target: list[str],
    points: Points,
    *,
    longest: int,
    symbols: int,
    nonterminals: int,
    loose: bool,
    adjacent: bool,
    deletions: bool = False,
) -> Counter[tuple[str, str, str]]:
    """Every rule of one pair with how often it occurs: source, target, alignment; all labels are X."""
    found: Counter[tuple[str, str, str]] = Counter()
    points = without_repeats(source, target, points) if deletions else points
    pairs = phrase_pairs(len(source), len(target), points, longest=longest, loose=loose)
    for outer in pairs:
        for count in range(nonterminals + 1):
            for gaps in itertools.combinations(pairs, count):
                rule = _rule(source, target, points, outer, sorted(gaps), symbols=symbols, adjacent=adjacent)
                if rule is not None:
                    found[rule] += 1
    for begin, end in spans(len(source), min(longest, symbols)) if deletions else ():
        if not any(begin <= i < end for i, _ in points):
            found[" ".join(source[begin:end]), "", ""] += 1
    return found


def without_repeats(source: list[str], target: list[str], points: Points) -> Points:
    """Leave out what aligns a word to one that another word of the source is already."""
    kept = {j for i, j in points if source[i] == target[j]}
    return {(i, j) for i, j in points if j not in kept or source[i] == target[j]}


def _rule(source, target, points, outer, gaps, *, symbols, adjacent):
    for side in (0, 1):
        places = sorted(gap[side] for gap in gaps)
        if any(not (outer[side][0] <= a and b <= outer[side][1]) for a, b in places):
            return None
        if any(one[1] > two[0] for one, two in itertools.pairwise(places)):
            return None
        if side == 0 and not adjacent and any(one[1] == two[0] for one, two in itertools.pairwise(places)):
            return None
    in_gaps = {i for gap in gaps for i in range(*gap[0])}
    if not any(outer[0][0] <= i < outer[0][1] and i not in in_gaps for i, _ in points):
        return None
    shown, places = [], []
    for side, words in ((0, source), (1, target)):
        text, place = [], {}
        position = outer[side][0]
        while position < outer[side][1]:
            gap = next((k for k, gap in enumerate(gaps) if gap[side][0] == position), None)
            end = position + 1 if gap is None else gaps[gap][side][1]
            place.update(dict.fromkeys(range(position, end), len(text)))
            text.append(words[position] if gap is None else f"[X,{gap + 1}]")
            position = end
        shown.append(text)
        places.append(place)
    if len(shown[0]) > symbols:
        return None
    links = sorted({(places[0][i], places[1][j]) for i, j in points if i in places[0]})
    return " ".join(shown[0]), " ".join(shown[1]), " ".join(f"{i}-{j}" for i, j in links)
