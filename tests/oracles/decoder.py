"""Every derivation of a sentence, by recursion over its spans: slow, obvious, only there to judge the decoder."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

Tokens = tuple[str, ...]
Found = tuple[Tokens, Mapping[str, float]]  # an output and its features


@dataclass(frozen=True)
class Rule:
    """Source and target hold words and gaps; a gap of the source is "[L,k]", of the target "[k]"."""

    label: str
    source: Tokens
    target: Tokens
    features: tuple[tuple[str, float], ...]

    def line(self) -> str:
        labels = {gap[-2]: gap for gap in self.source if is_gap(gap)}
        target = [labels[word[1]] if is_gap(word) else word for word in self.target]
        values = " ".join(f"{name}={value}" for name, value in self.features)
        return f"[{self.label}] ||| {' '.join(self.source)} ||| {' '.join(target)} ||| {values} ||| "


def is_gap(word: str) -> bool:
    return word.startswith("[")


def is_unary(rule: Rule) -> bool:
    return len(rule.source) == 1 and is_gap(rule.source[0])


class ArpaModel:
    """Back-off by the book: the longest known n-gram, and the back-off weight of every context given up."""

    def __init__(self, entries: Mapping[Tokens, tuple[float, float]], order: int) -> None:
        self.entries, self.order = entries, order

    def probability(self, context: Tokens, word: str) -> float:
        known = word if (word,) in self.entries else "<unk>"
        context = tuple(w if (w,) in self.entries else "<unk>" for w in context)
        gram = (*context, known)
        if gram in self.entries:
            return self.entries[gram][0]
        return self.entries.get(context, (0.0, 0.0))[1] + self.probability(context[1:], word)

    def score(self, tokens: Tokens) -> float:
        words = ("<s>", *tokens, "</s>")
        return sum(self.probability(words[max(0, i - self.order + 1) : i], words[i]) for i in range(1, len(words)))

    def unknown(self, tokens: Tokens) -> int:
        return sum((word,) not in self.entries for word in tokens)


MOST_STEPS = 50_000  # uses of a rule


class TooManyError(Exception):
    """There are more derivations than anybody wants to compare."""


def derivations(
    sentence: Sequence[str],
    rules: Sequence[Rule],
    *,
    lm: ArpaModel | None = None,
    span_limit: int = 20,
    unary_limit: int = 3,
    analysis: Sequence[tuple[int, int, str]] = (),
    strict_labels: bool = False,
    longest_match: bool = False,
    most_steps: int = MOST_STEPS,
) -> list[Found]:
    """Return everything that can be derived, or raise `TooManyError` where that is beyond counting."""
    steps = itertools.count()
    known = {rule.source[0] for rule in rules if len(rule.source) == 1}

    def label_fits(rule: Rule, begin: int, end: int) -> bool:
        return not (strict_labels and analysis) or rule.label == "X" or (begin, end, rule.label) in analysis

    phrases = {
        (begin, begin + len(rule.source))
        for begin in range(len(sentence) if longest_match else 0)
        for rule in rules
        if 1 < len(rule.source) <= span_limit
        and tuple(sentence[begin : begin + len(rule.source)]) == rule.source
        and label_fits(rule, begin, begin + len(rule.source))
    }

    def applies(rule: Rule, begin: int, end: int) -> bool:
        inside = any(b <= begin and end <= e and (b, e) != (begin, end) for b, e in phrases)
        return label_fits(rule, begin, end) and not inside

    def use(rule: Rule, parts: Mapping[str, Found], begin: int, end: int) -> Found:
        if next(steps) > most_steps:
            raise TooManyError
        features = Counter(dict(rule.features))
        features["LabelAgrees"] += (begin, end, rule.label) in set(analysis)
        output: list[str] = []
        for word in rule.target:
            if is_gap(word):
                tokens, inner = parts[word[1]]
                output += tokens
                features.update(inner)
            else:
                output.append(word)
        return tuple(output), features

    def match(source: Tokens, begin: int, end: int) -> Iterator[dict[str, Found]]:
        if not source:
            if begin == end:
                yield {}
            return
        first, rest = source[0], source[1:]
        if not is_gap(first):
            if begin < end and sentence[begin] == first:
                yield from match(rest, begin + 1, end)
            return
        label, index = first[1:-1].rsplit(",", 1)
        for middle in range(begin + 1, end - len(rest) + 1):
            for found in visible(label, begin, middle) + kept(label, begin, middle):
                for others in match(rest, middle, end):
                    yield {index: found, **others}

    def kept(label: str, begin: int, end: int) -> list[Found]:
        """The words as they are, where the analysis gives them the label of the gap; X is any word's already."""
        if (begin, end, label) not in analysis or end - begin > span_limit or (label == "X" and end == begin + 1):
            return []
        words = tuple(sentence[begin:end])
        return [(words, Counter({"IdentityRule": len(words), "OOVPenalty": sum(word not in known for word in words)}))]

    @cache
    def level(label: str, begin: int, end: int, number: int) -> list[Found]:
        if end - begin > span_limit:
            return []
        found: list[Found] = []
        if number == 0:
            for rule in rules:
                if rule.label == label and not is_unary(rule) and applies(rule, begin, end):
                    found += [use(rule, parts, begin, end) for parts in match(rule.source, begin, end)]
            if label == "X" and end == begin + 1:
                word = sentence[begin]
                found.append(((word,), Counter({"IdentityRule": 1, "OOVPenalty": word not in known})))
            return found
        for rule in filter(is_unary, rules):
            if rule.label == label and applies(rule, begin, end):
                inner, index = rule.source[0][1:-1].rsplit(",", 1)
                found += [use(rule, {index: part}, begin, end) for part in level(inner, begin, end, number - 1)]
        return found

    @cache
    def visible(label: str, begin: int, end: int) -> list[Found]:
        return [found for number in range(unary_limit + 1) for found in level(label, begin, end, number)]

    labels = sorted({rule.label for rule in rules} | {"X"})

    @cache
    def glued(end: int) -> list[Found]:
        if end == 0:
            return [((), Counter())]
        found: list[Found] = []
        for begin in range(end):
            parts = [part for label in labels for part in visible(label, begin, end)]
            if parts:
                for before, features in glued(begin):
                    joint = Counter(features)
                    joint["tm_glue_0"] += begin > 0
                    for tokens, inner in parts:
                        both = Counter(joint)
                        both.update(inner)
                        found.append((before + tokens, both))
        return found

    return [(tokens, with_context(tokens, features, lm)) for tokens, features in glued(len(sentence))]


def with_context(tokens: Tokens, features: Mapping[str, float], lm: ArpaModel | None) -> Mapping[str, float]:
    complete = Counter(features)
    complete["WordPenalty"] = len(tokens)
    if lm is not None:
        complete["lm_0"] = lm.score(tokens)  # type: ignore[assignment]
        complete["lm_0_oov"] = lm.unknown(tokens)
    return complete


def score(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(weight * features.get(name, 0.0) for name, weight in weights.items())
