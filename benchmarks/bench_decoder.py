"""The decoder: sentences a second, growth with pop limit and sentence length, threads, memory.

Settings are those of Xu et al.'s released system: 5-gram model, pop limit 100, span limit 20, 300 distinct candidates.
`decoder_data.py` says what is real about the 2.6 million rules, the model and the sentences, and what is made up.
Times are processor time of one thread but for the row with two threads; each run starts with a new decoder, so it
pays for looking up every rule that it meets. Packing takes about two minutes and is not timed.

    PLAINWRIGHT_DATA=/path/to/data python benchmarks/bench_decoder.py [--folder DIR] [--sentences 2000] [--quick]

`--folder` keeps the packed files for another run. Without the data, or with `--made-up`, everything is made up. To time
files of your own (grammar features get small random weights):

    python benchmarks/bench_decoder.py --grammar rules.pack --lm model.lm --text tune.txt
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from decoder_data import SEED, Sentence, Setup, Weights, made_up, paraphrases
from plainwright import _core
from plainwright.decode import Decoder, DecoderSettings
from timing import machine

CANDIDATES = 300
LENGTHS = (10, 20, 40, 60, 80, 100)
MEMORY_SENTENCES = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="keep the packed files here and use them again")
    parser.add_argument("--sentences", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="pop limit 100 and the first weights only, one run")
    parser.add_argument("--made-up", action="store_true")
    parser.add_argument("--rules", type=int, default=1_000_000, help="made-up ones")
    parser.add_argument("--grammar", type=Path)
    parser.add_argument("--lm", type=Path)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--report-memory", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.report_memory:
        report_memory()
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        measure(find_setup(options, folder), options)


def find_setup(options: argparse.Namespace, folder: Path) -> Setup:
    if options.grammar:
        names = _core.PackedGrammar.open(str(options.grammar), verify=False).feature_names
        draw = random.Random(SEED)
        weights = {name: draw.gauss(0, 0.2) for name in names}
        weights |= {"lm_0": 1.0, "WordPenalty": -0.5, "OOVPenalty": -1.0, "tm_glue_0": -0.1, "IdentityRule": 2.0}
        lines = options.text.read_text(encoding="utf-8").splitlines()
        return Setup(options.grammar, options.lm, [line.split() for line in lines], {"random": weights})
    data = Path(os.environ.get("PLAINWRIGHT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    if options.made_up or not data.is_dir():
        return made_up(folder, options.rules, options.sentences)
    return paraphrases(data, folder)


class Bench:
    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.rules = _core.PackedGrammar.open(str(setup.grammar), verify=False)
        self.lm = _core.LanguageModel.open(str(setup.model))

    def decoder(self, weights: Weights, pop_limit: int) -> Decoder:
        settings = DecoderSettings(pop_limit=pop_limit, span_limit=20, candidates=CANDIDATES)
        return Decoder([self.rules], lm=self.lm, weights=weights, settings=settings)

    def seconds(
        self,
        sentences: list[Sentence],
        *,
        weights: Weights | None = None,
        pop_limit: int = 100,
        threads: int = 1,
        runs: int = 2,
        clock: Callable[[], float] = time.process_time,
    ) -> float:
        """Of the fastest run."""
        times = []
        for _ in range(runs):
            decoder = self.decoder(weights or next(iter(self.setup.weights.values())), pop_limit)
            start = clock()
            # A few at a time, as tuning does: 2,000 lists of 300 candidates need not be held at once.
            for first in range(0, len(sentences), 100):
                decoder.decode(sentences[first : first + 100], threads=threads)
            times.append(clock() - start)
        return min(times)


def measure(setup: Setup, options: argparse.Namespace) -> None:
    bench = Bench(setup)
    sentences = setup.sentences[: options.sentences]
    tokens = sum(map(len, sentences)) / len(sentences)
    counts = [bench.lm.ngrams(n + 1) for n in range(bench.lm.order)]
    print(machine("plainwright"))
    print(f"{len(bench.rules):,} rules, {len(bench.rules.feature_names)} features; {bench.lm.order}-gram model")
    print(f"n-grams of the model: {', '.join(f'{count:,}' for count in counts)}")
    print(f"{len(sentences)} sentences of {tokens:.1f} tokens, {CANDIDATES} distinct candidates, one thread")
    for name, weights in setup.weights.items():
        taken = bench.seconds(sentences, weights=weights, runs=1 if options.quick else 2)
        print(f"pop limit 100, {name} weights: {len(sentences) / taken:.1f} sentences/s")
        if options.quick:
            return
    every_tenth = sentences[::10]
    few, many = (bench.seconds(every_tenth, pop_limit=limit, runs=1) for limit in (100, 1000))
    print(f"pop limit 1000 takes {many / few:.1f} times as long as 100 ({len(every_tenth)} sentences)")
    for length in LENGTHS:
        group = setup.of_length(length, 40)
        print(f"{length:>5} tokens: {1000 * bench.seconds(group, runs=3) / len(group):6.1f} ms a sentence")
    one, two = (bench.seconds(every_tenth, threads=n, runs=3, clock=time.perf_counter) for n in (1, 2))
    print(f"two threads: {one / two:.2f} times as fast as one (wall time)")
    measure_memory(bench)


def measure_memory(bench: Bench) -> None:
    """In a process of its own that opens the files and decodes."""
    setup = bench.setup
    order = {
        "grammar": str(setup.grammar),
        "model": str(setup.model),
        "sentences": setup.sentences[:MEMORY_SENTENCES],
        "weights": next(iter(setup.weights.values())),
    }
    command = [sys.executable, __file__, "--report-memory"]
    found = subprocess.run(command, input=json.dumps(order), capture_output=True, text=True, check=True).stdout
    peak, own, mapped = map(float, found.split())
    print(f"memory for {MEMORY_SENTENCES} sentences: peak {peak:.0f} MB; at the end {own:.0f} MB of its own", end="")
    print(f" and {mapped:.0f} MB of mapped pages (grammar, model, libraries), which processes share")


def report_memory() -> None:
    order = json.load(sys.stdin)
    bench = Bench(Setup(Path(order["grammar"]), Path(order["model"]), order["sentences"], {"given": order["weights"]}))
    results = bench.decoder(order["weights"], 100).decode(order["sentences"])
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines())
    # VmHWM is this program's own peak; getrusage also counts what its parent had before it.
    peak, own, mapped = (int(status[name].split()[0]) / 1024 for name in ("VmHWM", "RssAnon", "RssFile"))
    assert len(results) == len(order["sentences"])
    print(peak, own, mapped)


if __name__ == "__main__":
    main()
