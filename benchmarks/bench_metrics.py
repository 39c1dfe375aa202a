"""SARI and BLEU against a plain-Python oracle and sacreBLEU: equal numbers first, then time and memory.

    python benchmarks/bench_metrics.py            # about two minutes
    python benchmarks/bench_metrics.py --peer-memory   # also sacreBLEU's memory, some minutes more

One thread unless the row says otherwise. The oracle is `tests/oracles/sari.py`, a direct transcription of the
definition with Counters; it is timed on a part of the segments, because all of them would take minutes.
"""

from __future__ import annotations

import argparse
import logging
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import sacrebleu

sys.path.append(str(Path(__file__).resolve().parents[1]))  # for the oracle

from tests.oracles import sari as oracle

from plainwright.metrics import BLEU, SARI
from segments import Segments, segments
from timing import fastest, machine

SEGMENTS = 100_000
ORACLE_SEGMENTS = 718  # the test set twice
SENTENCE_BLEU_SEGMENTS = 718
CANDIDATES = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=SEGMENTS)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--peer-memory", action="store_true", help="also measure sacreBLEU's memory")
    parser.add_argument("--memory-of", choices=("plainwright", "sacrebleu", "input"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it warns that sentence BLEU wants effective order
    if options.memory_of:
        print(_peak_memory(options.memory_of, options.segments))
        return
    print(machine("plainwright", "numpy", "sacrebleu"))
    data = segments(options.segments)
    print(f"{options.segments:,} segments, 8 references each: {data.name}; fastest of {options.runs} runs\n")
    print("| job | peer | peer | plainwright | ratio | target |")
    print("|---|---|---:|---:|---:|---:|")
    _sari(data, options.runs)
    _bleu(data, options.runs)
    _threads(data, options.runs)
    _memory(options.segments, peer=options.peer_memory)


def _sari(data: Segments, runs: int) -> None:
    part = data.first(ORACLE_SEGMENTS)
    expected = _oracle_scores(part)
    assert np.allclose(SARI().sentence_scores(part.sources, part.outputs, part.references), expected, rtol=0, atol=1e-9)
    theirs = fastest(lambda: _oracle_scores(part), runs=runs) / len(part.sources)
    ours = fastest(lambda: SARI().corpus_score(data.sources, data.outputs, data.references), runs=runs)
    _row("SARI, corpus", "oracle", theirs, ours / len(data.sources), 60)

    # As a tuner does it: the references' own words and those of the output, shuffled a little, for one source.
    source, references = data.sources[0], data.references[0]
    candidates = _candidates([*references, data.outputs[0]], CANDIDATES)
    few = candidates[:ORACLE_SEGMENTS]
    expected = [oracle.xu2016(source, text, references) for text in few]
    assert np.allclose(SARI().prepare(source, references).score_many(few), expected, rtol=0, atol=1e-9)
    theirs = fastest(lambda: [oracle.xu2016(source, text, references) for text in few], runs=runs) / len(few)
    ours = fastest(lambda: SARI().prepare(source, references).score_many(candidates), runs=runs)
    _row("SARI, prepared", "oracle", theirs, ours / len(candidates), 150)


def _candidates(texts: list[str], n: int) -> list[str]:
    """Neighbours of `texts`, as in a k-best list: two words exchanged or one left out, seed 1."""
    generator = random.Random(1)
    found = []
    for i in range(n):
        words = texts[i % len(texts)].split()
        first, second = generator.sample(range(len(words)), 2)
        if i % 2:
            words[first], words[second] = words[second], words[first]
        else:
            del words[first]
        found.append(" ".join(words))
    return found


def _oracle_scores(data: Segments) -> list[float]:
    rows = zip(data.sources, data.outputs, data.references, strict=True)
    return [oracle.xu2016(source, output, references) for source, output, references in rows]


def _bleu(data: Segments, runs: int) -> None:
    part = data.first(SENTENCE_BLEU_SEGMENTS)
    pairs = list(zip(part.outputs, part.references, strict=True))
    peer, metric = sacrebleu.BLEU(), BLEU()
    expected = [peer.sentence_score(output, references).score for output, references in pairs]
    ours = [metric.sentence_score(None, output, references).value for output, references in pairs]
    assert np.allclose(ours, expected, rtol=0, atol=1e-9)

    def our_sentences() -> None:
        scorer = BLEU()
        for output, references in pairs:
            scorer.sentence_score(None, output, references)

    # A fresh BLEU() for each run: sacreBLEU remembers lines that it has tokenised, which no new text would gain from.
    def peer_sentences() -> None:
        scorer = sacrebleu.BLEU()
        for output, references in pairs:
            scorer.sentence_score(output, references)

    theirs_each = fastest(peer_sentences, runs=runs) / len(pairs)
    ours_each = fastest(our_sentences, runs=runs) / len(pairs)
    _row("BLEU, sentence by sentence", "sacreBLEU", theirs_each, ours_each, 20)
    ours_batch = fastest(lambda: BLEU().sentence_scores(None, part.outputs, part.references), runs=runs)
    _row("BLEU, all sentences in one call", "sacreBLEU", theirs_each, ours_batch / len(pairs), 20)


def _threads(data: Segments, runs: int) -> None:
    def seconds(threads: int) -> float:
        return fastest(
            lambda: SARI().corpus_score(data.sources, data.outputs, data.references, threads=threads),
            runs=runs,
            clock=time.perf_counter,
        )

    one, two = seconds(1), seconds(2)
    _row("SARI, corpus, two threads (wall time)", "one thread", one / len(data.sources), two / len(data.sources), 1.7)


def _row(job: str, peer: str, theirs: float, ours: float, target: float) -> None:
    print(
        f"| {job} | {peer} | {1e6 * theirs:.1f} µs | {1e6 * ours:.2f} µs | {theirs / ours:.1f}x | {target:g}x |",
        flush=True,
    )


def _memory(n: int, *, peer: bool) -> None:
    jobs = ["input", "plainwright", *(["sacrebleu"] if peer else [])]
    peaks = {
        job: float(
            subprocess.run(
                [sys.executable, __file__, "--segments", str(n), "--memory-of", job],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
        for job in jobs
    }
    print("\n| peak memory | MB | target |\n|---|---:|---:|")
    print(f"| the segments alone, as Python strings | {peaks['input']:.0f} | |")
    print(f"| plainwright, SARI and BLEU together | {peaks['plainwright']:.0f} | 500 |")
    if peer:
        print(f"| sacreBLEU, BLEU alone | {peaks['sacrebleu']:.0f} | |")


def _peak_memory(job: str, n: int) -> float:
    data = segments(n)
    if job == "plainwright":
        SARI().corpus_score(data.sources, data.outputs, data.references)
        BLEU().corpus_score(None, data.outputs, data.references)
    elif job == "sacrebleu":
        sacrebleu.BLEU().corpus_score(data.outputs, [list(stream) for stream in zip(*data.references, strict=True)])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
