"""Bilingual pivoting: time, memory and rules as the text grows, and whether DuckDB and Spark agree.

Run: PLAINWRIGHT_DATA=/path/to/data python benchmarks/bench_pivot.py [--shares 8 4 2 1] [--spark 8] [--keep DIR]
Text: every file of `bilingual/`, 808,438 lines in five languages; the share 1/k takes each k-th line of each file.
English is tokenised as for the decoder, the other side by `intl`, both are lower-cased, then aligned and extracted as
phrase pairs of at most five words. Each stage is a process of its own, whose processor time (with that of the system
and of its children, such as Spark's Java) and largest memory are shown; wall time is also there, and depends on what
else the machine does. `--spark 8` does the share 1/8 with Spark as well and compares the files. Tables in DIR are used
again, with the costs of making them; `--tables` makes these only. With several shares, the last table has the exponent
of the growth of each amount between the two largest, and what that gives for `--extrapolate` sentence pairs.
"""

from __future__ import annotations

import argparse
import ctypes
import gzip
import itertools
import json
import math
import os
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plainwright.text import ptb_tokenize, tokenize_lines
from timing import machine

LANGUAGES = ("de", "es", "fr", "it", "nl")
ROWS = ("entries", "links", "joined", "pairs", "rules")
PR_SET_CHILD_SUBREAPER = 36  # of Linux's prctl


@dataclass
class Cost:
    wall: float = 0.0
    processor: float = 0.0
    memory: int = 0  # bytes, of the largest process

    def add(self, other: Cost) -> None:
        self.wall += other.wall
        self.processor += other.processor
        self.memory = max(self.memory, other.memory)

    def __str__(self) -> str:
        return f"{self.processor:8.1f} s ({self.wall:6.1f} s wall) {self.memory / 2**20:7.0f} MB"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shares", type=int, nargs="+", default=[8, 4, 2, 1], help="one in so many lines")
    parser.add_argument("--spark", type=int, nargs="*", default=[], help="shares that Spark does as well")
    parser.add_argument("--keep", type=Path, default=Path("bench_pivot_files"))
    parser.add_argument("--tables", action="store_true", help="make the phrase tables, and stop")
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--extrapolate", type=int, default=100_000_000, help="sentence pairs of the last column")
    given = parser.parse_args()
    data = Path(os.environ.get("PLAINWRIGHT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    if not (data / "bilingual").is_dir():
        sys.exit(f"bench_pivot: no {data / 'bilingual'}; set PLAINWRIGHT_DATA")
    print(machine("plainwright", "duckdb", "ibis-framework"))
    adopt_orphans()
    amounts = {}
    for share in sorted(given.shares, reverse=True):
        place = given.keep / f"share{share}"
        place.mkdir(parents=True, exist_ok=True)
        amounts[share] = measure(data / "bilingual", place, share, given)
    if len(amounts) > 1:
        print_growth(amounts, given.extrapolate)


def measure(corpora: Path, place: Path, share: int, given: argparse.Namespace) -> dict[str, float]:
    """Print what one share costs; the amounts whose growth is of interest, by name."""
    pairs = {language: prepare(corpora, place, language, share) for language in LANGUAGES}
    print(f"\n1/{share} of the text: {sum(pairs.values()):,} sentence pairs")
    costs = make_tables(place, given)
    for stage, cost in costs.items():
        print(f"  {stage:8} {cost}")
    size = sum((place / f"{language}.gz").stat().st_size for language in LANGUAGES) / 2**20
    print(f"  tables   {size:8.1f} MB, gzip", flush=True)
    amounts: dict[str, float] = {"sentence pairs": sum(pairs.values())}
    amounts |= {f"{stage}, s": cost.processor for stage, cost in costs.items()}
    amounts["tables, gzip, MB"] = size
    if given.tables:
        return amounts
    duck, cost, counts = pivot(place, "duckdb", given)
    amounts |= counts | {"duckdb, s": cost.processor, "duckdb, memory, MB": cost.memory / 2**20}
    if share in given.spark:
        spark, cost, _ = pivot(place, "spark", given)
        if spark.read_bytes() != duck.read_bytes():
            sys.exit(f"bench_pivot: {spark} and {duck} differ")
        print("           the same bytes as from DuckDB", flush=True)
        amounts |= {"spark, s": cost.processor, "spark, memory, MB": cost.memory / 2**20}
    return amounts


def print_growth(amounts: dict[int, dict[str, float]], sentence_pairs: int) -> None:
    """A column for each share; the exponent from the two largest shares that have the amount, and where it leads."""
    print(f"\n| | {' | '.join(f'1/{share}' for share in amounts)} | exponent | {sentence_pairs:,} pairs |")
    print("|---|" + "---:|" * (len(amounts) + 2))
    for name in dict.fromkeys(itertools.chain.from_iterable(amounts.values())):
        digits = 1 if name.endswith(", s") else 0
        cells = [f"{row[name]:,.{digits}f}" if name in row else "" for row in amounts.values()]
        known = [row for row in amounts.values() if name in row]
        # Memory grows up to what --memory allows, and no further.
        grows = len(known) > 1 and "memory" not in name
        cells += growth(known[-2], known[-1], name, sentence_pairs) if grows else ["", ""]
        print(f"| {name} | {' | '.join(cells)} |")


def growth(smaller: dict[str, float], larger: dict[str, float], name: str, sentence_pairs: int) -> list[str]:
    size = larger["sentence pairs"]
    exponent = math.log(larger[name] / smaller[name]) / math.log(size / smaller["sentence pairs"])
    return [f"{exponent:.2f}", f"{larger[name] * (sentence_pairs / size) ** exponent:.3g}"]


def prepare(corpora: Path, place: Path, language: str, share: int) -> int:
    """Tokenised sides, and the number of pairs."""
    sides = place / f"en-{language}.txt", place / f"{language}.txt"
    if not all(side.exists() for side in sides):
        rows = list(pairs_of(corpora, language, share))
        english = [" ".join(token.text for token in ptb_tokenize(row[0])).lower() for row in rows]
        foreign = tokenize_lines([row[1] for row in rows], "intl", lowercase=True)
        for path, lines in zip(sides, (english, foreign), strict=True):
            path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    with sides[0].open("rb") as stream:
        return sum(1 for _ in stream)


def pairs_of(corpora: Path, language: str, share: int) -> Iterator[tuple[str, str]]:
    for path in sorted(corpora.glob("*.tsv.gz")):
        languages = path.name.split(".")[-3 if path.name.count(".tok.") == 0 else -4].split("-")
        if language not in languages:
            continue
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
            for line in itertools.islice(stream, 0, None, share):
                columns = line.rstrip("\n").replace("&apos;", "'").replace("&quot;", '"').split("\t")
                yield columns[0], columns[languages.index(language)]


def make_tables(place: Path, given: argparse.Namespace) -> dict[str, Cost]:
    """Align and extract; costs are kept beside the tables."""
    known = place / "costs.json"
    if known.exists():
        return {stage: Cost(**cost) for stage, cost in json.loads(known.read_text(encoding="utf-8")).items()}
    costs = {"align": Cost(), "extract": Cost()}
    common = ["-q", "--threads", str(given.threads)]
    for language in LANGUAGES:
        sides = [str(place / f"en-{language}.txt"), str(place / f"{language}.txt")]
        points = str(place / f"{language}.points")
        costs["align"].add(run("learn", "align", *sides, "-o", points, *common))
        extract = ["-o", str(place / f"{language}.gz"), "--nonterminals", "0", "--plain"]
        costs["extract"].add(run("learn", "extract", *sides, points, *extract, *common))
    known.write_text(json.dumps({stage: vars(cost) for stage, cost in costs.items()}), encoding="utf-8")
    return costs


def pivot(place: Path, engine: str, given: argparse.Namespace) -> tuple[Path, Cost, dict[str, int]]:
    """The file of rules, what it cost, and how many rows there were on the way."""
    output = place / f"paraphrases.{engine}.gz"
    tables = [f"{language}={place / language}.gz" for language in LANGUAGES]
    texts = [str(place / f"en-{language}.txt") for language in LANGUAGES]
    options = ["--engine", engine, "--memory", given.memory, "--threads", str(given.threads), "-q", "--json"]
    report = place / f"report.{engine}.json"
    cost = run("learn", "pivot", *tables, "--text", *texts, "-o", str(output), *options, stdout=report)
    found = json.loads(report.read_text(encoding="utf-8"))
    print(f"  {engine:8} {cost}")
    print("           " + ", ".join(f"{name} {found[name]:,}" for name in ROWS))
    print("           " + ", ".join(f"{name} {seconds} s" for name, seconds in found["seconds"].items()), flush=True)
    return output, cost, {name: found[name] for name in ROWS}


def adopt_orphans() -> None:
    """Let `run` wait for Spark's Java, which outlives the Python that started it; Linux only."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is None or prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        print("bench_pivot: no prctl here; figures of Spark are without its Java", file=sys.stderr)


def run(*arguments: str, stdout: Path | None = None) -> Cost:
    """One `plainwright` command: what it and its children cost."""
    start = time.perf_counter()
    opened = os.open(stdout or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    command = [sys.executable, "-m", "plainwright", *arguments]
    process = os.posix_spawn(sys.executable, command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, opened, 1)])
    os.close(opened)
    cost = Cost()
    for finished, status, usage in children():
        if finished == process and status != 0:
            sys.exit(f"bench_pivot: failed: plainwright {' '.join(arguments)}")
        cost.add(Cost(0.0, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024))
    cost.wall = time.perf_counter() - start
    return cost


def children() -> Iterator[tuple[int, int, resource.struct_rusage]]:
    """Wait for every child: its number, how it ended, what it used."""
    while True:
        try:
            yield os.wait4(-1, 0)
        except ChildProcessError:
            return


if __name__ == "__main__":
    main()
