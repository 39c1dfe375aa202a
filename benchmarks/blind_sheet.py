"""Two systems side by side for a reader who cannot tell which is which, and what the verdicts say.

    python benchmarks/blind_sheet.py draw asset/valid:1-300 best=one-best.txt mbr=mbr.txt --seed 1 \
        --sheet sheet.txt --key key.tsv
    python benchmarks/blind_sheet.py count verdicts.tsv --key key.tsv

Only sentences on which the two differ are drawn. Which of them is shown first is decided for each sentence by chance
and stands in the key alone, so give the reader the sheet and keep the key. The sheet holds sentences of a corpus and is
not committed; key and verdicts hold places only. Verdicts: a line for each number of the sheet, with `1`, `2` or `=`
(the better text) and, if there is one, a reason.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from pathlib import Path

from plainwright.evaluation import load_set

HEADING = "number\tplace\tfirst\tsecond"


def draw(arguments: argparse.Namespace) -> None:
    target = load_set(arguments.set)
    (one, first), (other, second) = (read_system(named) for named in arguments.systems)
    sources = target.sources or ()
    if not len(sources) == len(first) == len(second):
        raise SystemExit(f"{len(sources)} sources, {len(first)} and {len(second)} outputs: expected as many of each")
    differing = [n for n, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1]]
    generator = random.Random(arguments.seed)
    drawn = sorted(generator.sample(differing, min(arguments.number, len(differing))))
    print(f"{len(differing)} of {len(sources)} outputs differ; {len(drawn)} drawn with seed {arguments.seed}")
    sheet, key = [], [HEADING]
    for number, at in enumerate(drawn, 1):
        shown = [(one, first[at]), (other, second[at])]
        generator.shuffle(shown)
        sheet.append(f"{number}\nSOURCE: {sources[at]}\n1:      {shown[0][1]}\n2:      {shown[1][1]}\n")
        key.append(f"{number}\t{arguments.set}#{at + 1}\t{shown[0][0]}\t{shown[1][0]}")
    arguments.sheet.write_text("\n".join(sheet), encoding="utf-8")
    arguments.key.write_text("\n".join(key) + "\n", encoding="utf-8")


def read_system(named: str) -> tuple[str, list[str]]:
    name, _, path = named.rpartition("=")
    return name or Path(path).stem, Path(path).read_text(encoding="utf-8").splitlines()


def count(arguments: argparse.Namespace) -> None:
    key = {row[0]: row[2:] for row in rows_of(arguments.key)[1:]}
    rows = [row for row in rows_of(arguments.verdicts) if row[0] in key]
    verdicts = {row[0]: row[1] for row in rows}
    if verdicts.keys() != key.keys() or not set(verdicts.values()) <= {"1", "2", "="}:
        raise SystemExit(f"{arguments.verdicts}: expected 1, 2 or = for each of {len(key)} numbers, and nothing else")
    preferred = Counter(
        "=" if verdict == "=" else key[number][int(verdict) - 1] for number, verdict in verdicts.items()
    )
    one, other = sorted({system for systems in key.values() for system in systems})
    print(f"{one} {preferred[one]}, {other} {preferred[other]}, equal {preferred['=']} of {len(key)}")
    print(f"two-sided sign test without the equal ones: p {sign_test(preferred[one], preferred[other]):.3g}")
    places = Counter(verdict for verdict in verdicts.values())
    print(f"the first was preferred {places['1']} times, the second {places['2']}")  # a habit of the reader would show
    by_reason: dict[str, Counter[str]] = {}
    for number, verdict, *reason in rows:
        if reason and verdict != "=":
            by_reason.setdefault(reason[0], Counter())[key[number][int(verdict) - 1]] += 1
    for reason, found in sorted(by_reason.items(), key=lambda item: -item[1].total()):
        print(f"{reason}: {one} {found[one]}, {other} {found[other]}")


def rows_of(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def sign_test(one: int, other: int) -> float:
    total, fewer = one + other, min(one, other)
    return min(1.0, 2 * sum(math.comb(total, k) for k in range(fewer + 1)) / 2**total)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("set", help="as for `plainwright evaluate`, as in asset/valid:1-300")
    drawing.add_argument("systems", nargs=2, metavar="NAME=FILE")
    drawing.add_argument("--number", type=int, default=50)
    drawing.add_argument("--seed", type=int, default=1)
    drawing.add_argument("--sheet", type=Path, required=True)
    drawing.add_argument("--key", type=Path, required=True)
    drawing.set_defaults(run=draw)
    counting = commands.add_parser("count")
    counting.add_argument("verdicts", type=Path)
    counting.add_argument("--key", type=Path, required=True)
    counting.set_defaults(run=count)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
