"""Packing 2,000,000 rules with 42 features, opening the file, asking it.

Run: python benchmarks/bench_grammar.py [RULES]
The rules are synthetic, seeded and shaped like PPDB's: 1 to 5 source symbols, a third with one or two nonterminals, the
features of PPDB 1.0 and the released nine, the unpredictable ones with five random decimals, which is harder to
store than real ones. Packing is timed once; opening and asking are the minimum of five runs.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from plainwright.grammar import PackedGrammar, pack_files
from plainwright.grammar.features import PPDB_FEATURES, RELEASED_FEATURES, FeatureMaker
from plainwright.grammar.rules import format_value, parse_rule
from timing import fastest, machine, processor_time

LABELS = [f"{left}{right}" for left in ("NN", "NP", "VP", "JJ", "S", "PP") for right in ("", "/NP", "/PP", "\\NN")]
NAMES = (*PPDB_FEATURES, *RELEASED_FEATURES)
RANDOM = 17  # 14 that PPDB carries and 3 of the language model


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000
    print(machine("plainwright", "numpy"), "| rules:", f"{count:,}")
    with tempfile.TemporaryDirectory() as folder:
        text, packed = Path(folder) / "rules.txt", Path(folder) / "rules.pack"
        with text.open("w", encoding="utf-8") as stream:
            stream.writelines(synthetic_lines(count))
        started = processor_time()
        assert pack_files([text], packed) == count
        took = processor_time() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = packed.stat().st_size
        print(f"text: {text.stat().st_size / 1e6:,.0f} MB")
        print(f"pack: {took:.1f} s, {count / took:,.0f} rules/s, peak memory {peak:,.0f} MB")
        print(f"size: {size / 1e6:,.1f} MB, {size / count:.2f} bytes a rule")
        bench_asking(text, packed)


def bench_asking(text: Path, packed: Path) -> None:
    print(f"open, verified:   {fastest(lambda: PackedGrammar(packed)) * 1e3:.1f} ms")
    print(f"open, unverified: {fastest(lambda: PackedGrammar(packed, verify=False)) * 1e3:.2f} ms")
    grammar = PackedGrammar(packed)
    with text.open(encoding="utf-8") as stream:
        lines = [line.rstrip("\n") for _, line in zip(range(2000), stream, strict=False)]
    check_values(grammar, lines)
    rules = [parse_rule(line) for line in lines]
    took = fastest(lambda: [grammar.find(rule.source) for rule in rules])
    print(f"find from Python: {len(rules) / took:,.0f} sources/s")
    numbers = range(min(len(grammar), 200_000))
    took = fastest(lambda: grammar.features(numbers))
    print(f"features: {len(numbers) / took:,.0f} rules/s of {len(grammar.feature_names)} values")


def check_values(grammar: PackedGrammar, lines: list[str]) -> None:
    """All 42 features of these rules come back, exactly or within half a step."""
    steps = {feature.name: feature.step for feature in grammar.storage()}
    assert grammar.feature_names == list(NAMES)
    worst = dict.fromkeys(NAMES, 0.0)
    for line in lines:
        rule = parse_rule(line)
        numbers = grammar.find(rule.source)
        same = [n for n, other in zip(numbers, grammar.rules(numbers), strict=True) if other.target == rule.target]
        rows = np.concatenate([grammar.features(range(n, n + 1)) for n in same])
        wanted = np.array([rule.features[name] for name in NAMES])
        errors = np.abs(rows - wanted)[np.abs(rows - wanted).sum(axis=1).argmin()]
        for name, error in zip(NAMES, errors, strict=True):
            worst[name] = max(worst[name], float(error))
    for name, error in worst.items():
        assert error <= steps[name] / 2 + 1e-5, (name, error, steps[name])
    inexact = [name for name in NAMES if steps[name] > 0]
    print(f"features: {len(NAMES)} recovered, {len(NAMES) - len(inexact)} exactly, ", end="")
    print(f"{len(inexact)} with an error of at most {max(worst[name] for name in inexact or NAMES):.5f}")


def synthetic_lines(count: int) -> Iterator[str]:
    """Rules over phrases that serve as sources and as targets, six rules to a source, as in METEOR's table."""
    generator = random.Random(20161101)
    words = ["".join(generator.choices("abcdefghijklmnoprstuvwy", k=generator.randint(2, 11))) for _ in range(60_000)]
    phrases: dict[tuple[str, ...], list[str]] = {}
    for _ in range(count // 6 + 1):
        gaps = tuple(sorted(generator.choices(LABELS, k=generator.choice((0, 0, 0, 0, 1, 2)))))
        phrases.setdefault(gaps, []).append(random_phrase(generator, words, gaps))
    templates = feature_templates(generator, words)
    kinds, sizes = list(phrases), [len(group) for group in phrases.values()]
    for kind in generator.choices(kinds, weights=sizes, k=count):
        source, target = generator.choices(phrases[kind], k=2)
        values = tuple([generator.random() * 20 for _ in range(RANDOM)])
        points = " ".join(f"{i}-{i}" for i in range(min(source.count(" "), target.count(" ")) + 1))
        features = generator.choice(templates) % values
        yield f"[{generator.choice(LABELS)}] ||| {source} ||| {target} ||| {features} ||| {points}\n"


def random_phrase(generator: random.Random, words: list[str], gaps: tuple[str, ...]) -> str:
    phrase = generator.choices(words, k=generator.choice((1, 1, 2, 2, 3)))
    places = sorted(generator.choices(range(len(phrase) + 1), k=len(gaps)), reverse=True)
    for index, place in zip(range(len(gaps), 0, -1), places, strict=True):
        phrase.insert(place, f"[{gaps[index - 1]},{index}]")
    return " ".join(phrase)


def feature_templates(generator: random.Random, words: list[str]) -> list[str]:
    """The features of 5,000 rules, with places for the values that no rule determines."""
    maker, templates = FeatureMaker(), []
    for _ in range(5000):
        sides = [random_phrase(generator, words, ()) for _ in range(2)]
        rule = parse_rule(f"[NN] ||| {sides[0]} ||| {sides[1]} |||  ||| 0-0")
        computed = maker.complete(rule).features
        templates.append(
            " ".join(f"{name}={format_value(computed[name])}" if name in computed else f"{name}=%.5f" for name in NAMES)
        )
    return templates


if __name__ == "__main__":
    main()
