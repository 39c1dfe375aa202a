"""Back-off models and modified Kneser-Ney estimation straight from their definitions: slow, obvious, only judges."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Ngram = tuple[str, ...]


@dataclass(frozen=True)
class BackoffModel:
    """log10 probability and back-off of every n-gram that is listed."""

    ngrams: Mapping[Ngram, tuple[float, float]]

    @property
    def order(self) -> int:
        return max(map(len, self.ngrams))

    def score(self, context: Sequence[str], word: str) -> float:
        """log10 p(word | context), oldest word of the context first."""
        word = word if (word,) in self.ngrams else "<unk>"
        known = [w if (w,) in self.ngrams else "<unk>" for w in context]
        return self._score(tuple(known[max(0, len(known) - self.order + 1) :]), word)

    def _score(self, context: Ngram, word: str) -> float:
        if (*context, word) in self.ngrams:
            return self.ngrams[(*context, word)][0]
        if not context:
            return -100.0  # a model without <unk>, as in KenLM
        backoff = self.ngrams[context][1] if context in self.ngrams else 0.0
        return backoff + self._score(context[1:], word)

    def sentence(self, tokens: Sequence[str]) -> list[float]:
        text = ["<s>", *tokens, "</s>"]
        return [self.score(text[:i], text[i]) for i in range(1, len(text))]

    def to_arpa(self) -> str:
        lines = ["\\data\\"]
        orders = range(1, self.order + 1)
        by_order = {n: [gram for gram in self.ngrams if len(gram) == n] for n in orders}
        lines += [f"ngram {n}={len(by_order[n])}" for n in orders]
        for n in orders:
            lines += ["", f"\\{n}-grams:"]
            for gram in by_order[n]:
                log10, backoff = self.ngrams[gram]
                lines.append(f"{log10!r}\t{' '.join(gram)}" + (f"\t{backoff!r}" if n < self.order else ""))
        return "\n".join([*lines, "", "\\end\\", ""])


def discounts_of(counts: Sequence[int]) -> tuple[float, float, float] | None:
    """D1, D2 and D3+ from counts of counts (Chen and Goodman 1998, equation 26), None if they make no sense."""
    n = Counter(counts)
    if not all(n[k] for k in (1, 2, 3)):
        return None
    y = n[1] / (n[1] + 2 * n[2])
    values = tuple(k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3))
    return values if all(0 <= d <= k for k, d in zip((1, 2, 3), values, strict=True)) else None  # type: ignore[return-value]


def kneser_ney(
    sentences: Sequence[Sequence[str]],
    order: int,
    *,
    prune: Sequence[int] = (),
    fallback: tuple[float, float, float] = (0.5, 1.0, 1.5),
) -> dict[Ngram, tuple[float, float]]:
    """Interpolated modified Kneser-Ney: probability and back-off (not logarithms) of each n-gram that is kept."""
    raw: Counter[Ngram] = Counter()
    for sentence in sentences:
        text = ("<s>", *sentence, "</s>")
        for n in range(1, order + 1):
            raw.update(text[i : i + n] for i in range(len(text) - n + 1))
    before: dict[Ngram, set[str]] = defaultdict(set)
    for gram in raw:
        before[gram[1:]].add(gram[0])
    adjusted = {g: c if len(g) == order or g[0] == "<s>" else len(before[g]) for g, c in raw.items() if g != ("<s>",)}
    adjusted["<unk>",] = 0
    vocabulary = sum(len(g) == 1 for g in adjusted)  # with </s> and <unk>, without <s>
    thresholds = [*prune, *[prune[-1] if prune else 0] * order][:order]

    model: dict[Ngram, tuple[float, float]] = {}
    lower = {(): 1 / vocabulary}
    kept_before: dict[Ngram, float] = {}
    backoffs: dict[Ngram, float] = {}
    for n in range(1, order + 1):
        level = {g: c for g, c in adjusted.items() if len(g) == n}
        d = discounts_of([c for c in level.values() if c]) or fallback
        by_context: dict[Ngram, list[Ngram]] = defaultdict(list)
        for gram in level:
            by_context[gram[:-1]].append(gram)
        probability: dict[Ngram, float] = {}
        for context, grams in by_context.items():
            total = sum(level[g] for g in grams)
            kept = {g: n == 1 or raw[g] > thresholds[n - 1] for g in grams}
            taken = sum((d[min(level[g], 3) - 1] if level[g] else 0) if kept[g] else level[g] for g in grams)
            gamma = taken / total
            backoffs[context] = gamma
            for g in grams:
                if kept[g]:
                    own = level[g] - (d[min(level[g], 3) - 1] if level[g] else 0)
                    probability[g] = own / total + gamma * lower.get(g[1:], lower.get((), 0) if n == 1 else 0)
        kept_before |= probability
        lower = probability
    for gram, p in kept_before.items():
        model[gram] = (p, backoffs.get(gram, 1.0) if len(gram) < order else 1.0)
    model["<s>",] = (10.0**-99, backoffs.get(("<s>",), 1.0))
    return model


def as_logarithms(model: Mapping[Ngram, tuple[float, float]]) -> BackoffModel:
    return BackoffModel({g: (math.log10(p), math.log10(b)) for g, (p, b) in model.items()})
