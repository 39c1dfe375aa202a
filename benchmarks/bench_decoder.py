"""Sentences a second of the decoder, and the growth of its time with pop limit and sentence length.

The data is made up, from a fixed seed. Sentences come from a chain in which each of 20,000 words has 30 successors,
both drawn by Zipf's law. The grammar has, by default, a million rules with 42 features and 40 labels: 30 replacements
for each word on average (a frequent word has thousands), 8 for each of many phrases of two to five tokens, and rules
with one or two gaps around frequent words, a fifth of which reorder. A source side has up to three labels, mostly one.
The language model has all n-grams up to order 5 of 10,000 sentences.

How many labels a source side has decides the speed: drawn at random from all 40, spans fill with labels and the same
code is about half as fast. Up to three is our guess at PPDB, which could not be checked; read the figures with that.

    python benchmarks/bench_decoder.py [--rules N] [--candidates 300] [--sentences 60]

or, with a packed grammar, a packed model and tokenised text of your own (grammar features get small random weights):

    python benchmarks/bench_decoder.py --grammar rules.pack --lm model.lm --text tune.txt [--sentences 200]
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from math import log10
from pathlib import Path
from zlib import crc32

from plainwright import _core
from plainwright.decode import Decoder, Settings
from timing import fastest, machine

SEED = 20161
WORDS = 20_000
SUCCESSORS = 30
ORDER = 5
LABELS = [f"L{i}" for i in range(39)] + ["X"]
FEATURES = 42
FREQUENT = 60  # words that rules with gaps are built around


class Language:
    """A chain of words; `sentence(n)` walks it."""

    def __init__(self) -> None:
        self.random = random.Random(SEED)
        self.zipf = list(accumulate(1 / (rank + 1) for rank in range(WORDS)))
        self.next_zipf = list(accumulate(1 / (rank + 1) for rank in range(SUCCESSORS)))
        self.successors = [self.random.choices(range(WORDS), cum_weights=self.zipf, k=SUCCESSORS) for _ in range(WORDS)]

    def sentence(self, length: int) -> list[str]:
        word = self.random.choices(range(WORDS), cum_weights=self.zipf)[0]
        words = [word]
        while len(words) < length:
            word = self.random.choices(self.successors[word], cum_weights=self.next_zipf)[0]
            words.append(word)
        return [f"w{word}" for word in words]


def rule_lines(language: Language, corpus: list[list[str]], rules: int) -> Iterator[str]:
    draw = language.random
    values = [
        " ".join(f"f{i}={draw.gauss(2, 1):.2f}" if i < 8 else f"f{i}={draw.randrange(3)}" for i in range(FEATURES))
        for _ in range(4000)
    ]

    def line(source: str, target: str) -> str:
        rank = draw.choices((0, 1, 2), (80, 15, 5))[0]
        label = LABELS[crc32(f"{rank} {source}".encode()) % len(LABELS)]
        return f"[{label}] ||| {source} ||| {target} ||| {draw.choice(values)} ||| \n"

    def word() -> str:
        return f"w{draw.choices(range(WORDS), cum_weights=language.zipf)[0]}"

    for _ in range(rules * 6 // 10):
        source = word() if draw.random() < 0.7 else f"w{draw.randrange(WORDS)}"
        yield line(source, " ".join(word() for _ in range(draw.choice((1, 1, 1, 2)))))
    made = rules * 6 // 10
    while made < rules * 9 // 10:
        sentence = draw.choice(corpus)
        at, size = draw.randrange(len(sentence)), draw.choice((2, 2, 2, 3, 3, 4, 5))
        for _ in range(8):
            target = " ".join(word() for _ in range(draw.randint(max(1, size - 2), size)))
            yield line(" ".join(sentence[at : at + size]), target)
            made += 1
    while made < rules:
        gaps = [f"[{draw.choice(LABELS)},{i + 1}]" for i in range(draw.choice((1, 1, 2)))]
        source, target = list(gaps), gaps[::-1] if draw.random() < 0.2 else list(gaps)
        for side in (source, target):
            for _ in range(draw.choice((1, 1, 2))):
                side.insert(draw.randint(0, len(side)), f"w{draw.randrange(FREQUENT)}")
        yield line(" ".join(source), " ".join(target))
        made += 1


def pack_grammar(lines: Iterator[str], path: Path) -> None:
    packer = _core.GrammarPacker()
    block: list[str] = []
    for line in lines:
        block.append(line)
        if len(block) == 50_000:
            packer.feed("".join(block).encode())
            block.clear()
    packer.feed("".join(block).encode())
    path.write_bytes(packer.finish().tobytes())


def pack_model(corpus: list[list[str]], path: Path) -> None:
    """Relative frequencies with a fixed back-off: good enough to be asked."""
    counts: Counter[tuple[str, ...]] = Counter({("<unk>",): 1, **{(f"w{i}",): 1 for i in range(WORDS)}})
    for sentence in corpus:
        words = ["<s>", *sentence, "</s>"]
        counts.update(tuple(words[i : i + n]) for n in range(1, ORDER + 1) for i in range(len(words) - n + 1))
    total = sum(count for gram, count in counts.items() if len(gram) == 1)
    by_order = [sorted(g for g in counts if len(g) == n) for n in range(1, ORDER + 1)]
    reader = _core.ArpaReader()
    reader.feed(("\\data\\\n" + "".join(f"ngram {n + 1}={len(g)}\n" for n, g in enumerate(by_order))).encode())
    for n, grams in enumerate(by_order, start=1):
        backoff = "\t-0.4" if n < ORDER else ""
        shares = {g: 0.7 * counts[g] / (counts[g[:-1]] or total) for g in grams}
        rows = (f"{log10(share):.4f}\t{' '.join(g)}{backoff}\n" for g, share in shares.items())
        reader.feed((f"\n\\{n}-grams:\n" + "".join(rows)).encode())
    reader.feed(b"\n\\end\\\n")
    with path.open("wb") as file:
        reader.finish().write_packed(file.write)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", type=int, default=1_000_000)
    parser.add_argument("--candidates", type=int, default=300)
    parser.add_argument("--sentences", type=int, default=60)
    parser.add_argument("--folder", type=Path, help="keep the packed files here and use them again")
    parser.add_argument("--grammar", type=Path)
    parser.add_argument("--lm", type=Path)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--quick", action="store_true", help="pop limit 100 only, one run")
    options = parser.parse_args()
    if options.grammar:
        lines = options.text.read_text(encoding="utf-8").splitlines()
        chosen = random.Random(SEED).sample(lines, min(options.sentences, len(lines)))
        measure(options, options.grammar, options.lm, [line.split() for line in chosen], {})
        return
    with tempfile.TemporaryDirectory() as temporary:
        made_up(options, options.folder or Path(temporary))


def made_up(options: argparse.Namespace, folder: Path) -> None:
    language = Language()
    corpus = [language.sentence(language.random.randint(8, 36)) for _ in range(10_000)]
    test = {length: [language.sentence(length) for _ in range(10)] for length in (10, 20, 40, 60, 80, 100)}
    sentences = [language.sentence(language.random.randint(8, 36)) for _ in range(options.sentences)]
    grammar, model = folder / f"bench-{options.rules}.grammar", folder / "bench.lm"
    if not grammar.exists():
        pack_grammar(rule_lines(language, corpus, options.rules), grammar)
        pack_model(corpus, model)
    measure(options, grammar, model, sentences, test)


def measure(
    options: argparse.Namespace,
    grammar: Path,
    model: Path,
    sentences: list[list[str]],
    by_length: dict[int, list[list[str]]],
) -> None:
    start = time.perf_counter()
    rules, lm = _core.PackedGrammar.open(str(grammar), verify=False), _core.LanguageModel.open(str(model))
    opened = time.perf_counter() - start
    draw = random.Random(SEED)
    weights = {name: draw.gauss(0, 0.2) for name in rules.feature_names}
    weights |= {"lm_0": 1.0, "WordPenalty": -0.5, "OOVPenalty": -1.0, "tm_glue_0": -0.1, "IdentityRule": 2.0}

    def decoder(pop_limit: int) -> Decoder:
        return Decoder(
            [rules], lm=lm, weights=weights, settings=Settings(pop_limit=pop_limit, candidates=options.candidates)
        )

    print(machine("plainwright"))
    tokens = sum(map(len, sentences)) / len(sentences)
    print(f"{len(rules):,} rules, {lm.order}-gram model, opened in {1000 * opened:.0f} ms")
    print(f"{len(sentences)} sentences of {tokens:.1f} tokens, {options.candidates}-best, one thread")
    seconds = {}
    for pop_limit in (100,) if options.quick else (100, 1000):
        ready = decoder(pop_limit)
        seconds[pop_limit] = fastest(lambda ready=ready: ready.decode(sentences), runs=1 if options.quick else 5)
        print(f"pop limit {pop_limit:>5}: {len(sentences) / seconds[pop_limit]:8.1f} sentences/s")
    if options.quick:
        return
    print(f"pop limit 1000 takes {seconds[1000] / seconds[100]:.1f} times as long as 100")
    ready = decoder(100)
    for length, group in by_length.items():
        taken = fastest(lambda group=group: ready.decode(group), runs=5)
        print(f"{length:>5} tokens: {1000 * taken / len(group):8.1f} ms a sentence")


if __name__ == "__main__":
    main()
