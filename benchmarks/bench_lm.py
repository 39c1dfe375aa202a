"""The language model: queries a second against KenLM's Python API, estimation, perplexity of held-out text.

Run: PLAINWRIGHT_DATA=/path/to/data python benchmarks/bench_lm.py [--threads N]
Text: MASC (`monolingual/masc.tok.txt.gz`), lower-cased; every tenth sentence is held out. Scores are compared first,
then timed: the fastest of forty runs that take turns, on one thread unless told otherwise. With KenLM's `lmplz` on the
path, its perplexity stands beside ours.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import kenlm

from plainwright.learn.lm import estimate
from plainwright.lm import LanguageModel, pack
from timing import fastest_each, machine, processor_time

RUNS = 40  # short ones, so that some are undisturbed on a busy machine
PRUNINGS = ((0,), (0, 0, 1), (0, 0, 1, 1, 2))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    threads = parser.parse_args().threads
    data = Path(os.environ.get("PLAINWRIGHT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    path = data / "monolingual" / "masc.tok.txt.gz"
    if not path.is_file():
        sys.exit(f"bench_lm: no {path}; set PLAINWRIGHT_DATA")
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        lines = [line.strip().lower() for line in stream if line.strip()]
    train = [line for i, line in enumerate(lines) if i % 10]
    held_out = lines[::10]
    print(machine("plainwright", "ufal.kenlm"))
    with tempfile.TemporaryDirectory() as directory:
        bench_queries(train, held_out, Path(directory), threads)
        measure_perplexity(train, held_out, Path(directory))


def bench_queries(train: list[str], held_out: list[str], directory: Path, threads: int) -> None:
    start = processor_time()
    model = estimate(train, order=5)
    seconds = processor_time() - start
    print(f"estimated: {model.tokens:,} tokens, order 5, {sum(model.ngrams.counts):,} n-grams, {seconds:.2f} s")
    model.save(directory / "model.arpa")
    start = processor_time()
    pack(directory / "model.arpa", directory / "model.lm")
    print(f"packed from ARPA: {processor_time() - start:.2f} s")
    start = processor_time()
    ours = LanguageModel.open(directory / "model.lm")
    opened = processor_time() - start
    print(f"opened: {opened * 1000:.2f} ms; {ours.bytes / sum(ours.counts):.1f} bytes an n-gram")
    theirs = kenlm.Model(str(directory / "model.arpa"))

    worst = 0.0
    for line in held_out:
        scores = zip(ours.word_scores(line), theirs.full_scores(line), strict=True)
        worst = max([worst, *(abs(a.log10 - b) for a, (b, _, _) in scores)])
    assert worst < 1e-5, worst
    tokens = ours.perplexity(held_out).tokens
    print(f"{tokens:,} scores equal, largest difference {worst:.1e}")

    seconds_each = fastest_each(
        lambda: ours.score_lines(held_out, threads=threads),
        lambda: with_states(theirs, held_out),
        lambda: [theirs.score(line) for line in held_out],
        runs=RUNS,
    )
    batch, state, whole = (tokens / seconds for seconds in seconds_each)
    print(f"plainwright score_lines, {threads} thread(s): {batch / 1e6:.2f} M queries/s")
    print(f"kenlm state API: {state / 1e6:.2f} M queries/s; ours is {batch / state:.1f} times as fast")
    print(f"kenlm score(line): {whole / 1e6:.2f} M queries/s; ours is {batch / whole:.1f} times as fast")


def with_states(model: kenlm.Model, lines: list[str]) -> None:
    for line in lines:
        state, following = kenlm.State(), kenlm.State()
        model.BeginSentenceWrite(state)
        for word in [*line.split(), "</s>"]:
            model.BaseScore(state, word, following)
            state, following = following, state


def measure_perplexity(train: list[str], held_out: list[str], directory: Path) -> None:
    (directory / "train.txt").write_text("\n".join(train) + "\n", encoding="utf-8")
    for prune in PRUNINGS:
        estimate(train, order=5, prune=prune).save(directory / "p.lm")
        model = LanguageModel.open(directory / "p.lm")
        result = model.perplexity(held_out)
        shown = " ".join(map(str, prune))
        line = f"order 5, prune {shown}: {model.bytes / 1e6:.1f} MB, perplexity {result.value:.2f}"
        line += f" ({result.without_unknown:.2f} without {result.unknown:,} unknown of {result.tokens:,})"
        if shutil.which("lmplz"):
            line += f"; lmplz {lmplz_perplexity(prune, held_out, directory):.2f}"
        print(line)


def lmplz_perplexity(prune: tuple[int, ...], held_out: list[str], directory: Path) -> float:
    command = ["lmplz", "-o", "5", "-S", "200M", "-T", directory / "scratch", "--text", directory / "train.txt"]
    command += ["--arpa", directory / "theirs.arpa", "--discount_fallback", "--prune", *map(str, prune)]
    subprocess.run(command, check=True, capture_output=True)
    pack(directory / "theirs.arpa", directory / "theirs.lm")
    return LanguageModel.open(directory / "theirs.lm").perplexity(held_out).value


if __name__ == "__main__":
    main()
