"""Every way to translate a sentence phrase by phrase: slow, obvious, only there to judge phrase search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tests.oracles.decoder import ArpaModel, Found, Rule, with_context


def translations(
    sentence: Sequence[str],
    rules: Sequence[Rule],
    *,
    lm: ArpaModel | None = None,
    distortion_limit: int,
    span_limit: int = 20,
) -> list[Found]:
    """Return every sequence of phrases that covers the sentence within the distortion limit."""
    size = len(sentence)
    known = {rule.source[0] for rule in rules if len(rule.source) == 1}

    def options(begin: int, end: int) -> Iterator[Found]:
        words = tuple(sentence[begin:end])
        for rule in rules:
            if rule.source == words and end - begin <= span_limit:
                yield rule.target, dict(rule.features)
        if end == begin + 1 and words[0] not in known:
            yield words, {"IdentityRule": 1, "OOVPenalty": 1}

    def allowed(covered: frozenset[int], last: int, begin: int, end: int) -> bool:
        if not covered.isdisjoint(range(begin, end)) or abs(begin - last) > distortion_limit:
            return False
        gap = min(set(range(size)) - covered)
        return begin == gap or abs(gap - end) <= distortion_limit

    def complete(covered: frozenset[int], last: int) -> Iterator[Found]:
        if len(covered) == size:
            yield (), {}
            return
        for begin in range(size):
            for end in range(begin + 1, size + 1):
                if not allowed(covered, last, begin, end):
                    continue
                step = {"Distortion": abs(begin - last), "tm_glue_0": int(bool(covered))}
                for target, features in options(begin, end):
                    for rest, others in complete(covered | set(range(begin, end)), end):
                        yield target + rest, _sum(features, step, others)

    return [(tokens, with_context(tokens, features, lm)) for tokens, features in complete(frozenset(), 0)]


def _sum(*parts: Mapping[str, float]) -> Mapping[str, float]:
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)  # type: ignore[arg-type]
    return total  # type: ignore[return-value]
