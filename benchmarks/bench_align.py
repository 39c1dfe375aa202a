"""Word alignment against eflomal: time on the same text, error on text whose alignment is known.

Run: PLAINWRIGHT_DATA=/path/to/data python benchmarks/bench_align.py [--lines N] [--threads N]
Needs eflomal (GPL-3, `pip install eflomal`); it is a peer here, never a part of the package. Both get the same tokens
and give a joined alignment, ours on one thread unless told otherwise; times are of CPU, eflomal's with that of its
processes.

Text with a known alignment: Tatoeba's English, whose words are replaced by invented ones (each word has one to three
translations, of unequal frequency), with neighbours swapped, words dropped, and words added that mean nothing. For one
language, only rare words are replaced.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from plainwright.learn.align import AlignOptions, align, align_files
from plainwright.text import tokenize
from timing import machine

Points = list[set[tuple[int, int]]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=30_000)
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args()
    data = Path(os.environ.get("PLAINWRIGHT_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    path = data / "bilingual" / "tatoeba.en-de.tsv.gz"
    if not path.is_file():
        sys.exit(f"bench_align: no {path}; set PLAINWRIGHT_DATA")
    print(machine("plainwright", "eflomal"))
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        rows = [line.rstrip("\n").split("\t")[:2] for line in stream]
    english, german = ([tokenize(row[side], "13a").lower() for row in rows[-chosen.lines :]] for side in (0, 1))
    compare_time(english, german, chosen.threads)
    for share, monolingual in ((1.0, False), (0.2, True)):
        compare_error(english, share, monolingual=monolingual)


def cpu_seconds(job: Callable[[], object]) -> float:
    def used() -> float:
        kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, kinds))

    before = used()
    job()
    return used() - before


def compare_time(english: list[str], german: list[str], threads: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        files = [Path(directory) / name for name in ("english", "german", "out")]
        for file, lines in zip(files, (english, german), strict=False):
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        ours = cpu_seconds(lambda: align_files(*files, AlignOptions(threads=threads)))
        theirs = cpu_seconds(lambda: align_files(*files, AlignOptions(aligner="eflomal")))
    ratio = theirs / ours
    print(f"{len(english):,} pairs: plainwright {ours:.1f} s of CPU, eflomal {theirs:.1f} s ({ratio:.1f} times)")


def compare_error(english: list[str], share: float, *, monolingual: bool) -> None:
    sources, targets, gold = invented(english, share)
    kind = "one language" if monolingual else "two languages"
    for name, options in (
        ("plainwright", AlignOptions()),
        ("plainwright --monolingual", AlignOptions(monolingual=True)),
        ("eflomal", AlignOptions(aligner="eflomal")),
    ):
        if name.endswith("monolingual") and not monolingual:
            continue
        for heuristic in ("grow-diag-final-and", "intersection"):
            found = [points(line) for line in align(sources, targets, replace(options, heuristic=heuristic))]
            print(f"{kind}, {name}, {heuristic}: alignment error rate {error_rate(gold, found):.4f}")


def invented(lines: list[str], share: float) -> tuple[list[str], list[str], Points]:
    """Sources, their translations, and the points between them; a `share` of the words, the rarest, is translated."""
    random_ = random.Random(7)
    counts = Counter(word for line in lines for word in line.split())
    ranked = [word for word, _ in counts.most_common()]
    changed = set(ranked[int(len(ranked) * (1 - share)) :])
    # Rare types are a small share of the running words; for one language, a third of the frequent ones changes, too.
    if share < 1:
        changed |= {word for k, word in enumerate(ranked) if k % 3 == 0 and len(word) > 3}
    translations = {
        word: [f"{random_.getrandbits(40):x}" for _ in range(random_.randint(1, 3))] if word in changed else [word]
        for word in ranked
    }
    fillers = [f"{random_.getrandbits(40):x}" for _ in range(20)]
    targets, gold = [], []
    for line in lines:
        made, links = translated(line.split(), translations, fillers, random_)
        targets.append(" ".join(made))
        gold.append(links)
    return lines, targets, gold


def translated(
    words: list[str], translations: dict[str, list[str]], fillers: list[str], random_: random.Random
) -> tuple[list[str], set[tuple[int, int]]]:
    order = [i for i in range(len(words)) if random_.random() > 0.08] or [0]
    for k in range(len(order) - 1):
        if random_.random() < 0.15:
            order[k], order[k + 1] = order[k + 1], order[k]
    made: list[str] = []
    links = set()
    for i in order:
        if random_.random() < 0.05:
            made.append(random_.choice(fillers))
        options = translations[words[i]]
        links.add((i, len(made)))
        made.append(options[min(int(random_.expovariate(1.2)), len(options) - 1)])
    return made, links


def points(line: str) -> set[tuple[int, int]]:
    pairs = (point.split("-") for point in line.split())
    return {(int(i), int(j)) for i, j in pairs}


def error_rate(gold: Points, found: Points) -> float:
    """Och and Ney (2003), all points sure."""
    right = sum(len(a & b) for a, b in zip(gold, found, strict=True))
    return 1 - 2 * right / (sum(map(len, gold)) + sum(map(len, found)))


if __name__ == "__main__":
    main()
