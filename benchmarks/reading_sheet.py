"""Draw changed sentences for reading, and count what two readers said of them.

    python benchmarks/reading_sheet.py draw asset --seed 41 --number 120 -o sheet.txt
    python benchmarks/reading_sheet.py draw documents -o sheet.txt
    python benchmarks/reading_sheet.py draw splits --engine split --seed 65 --number 60 -o sheet.txt
    python benchmarks/reading_sheet.py count benchmarks/reading/*.tsv

`asset` are the sources of ASSET valid, lines 1001 to 2000; `sentences` and `documents` are our own, in `reading/`, as
offices, schools and the press write. `splits` are sentences that are split: two thirds from WikiSplit test, one third
from the sources that were written for the rewriter. What is drawn from ASSET and WikiSplit is not committed:
`reading/*.tsv` have the place of a sentence, how damaged it is (ok, minor, damaged), how much easier (much, noticeably,
slightly, same, harder), and the cause; of splits, no ease. `reading/BRIEF.md` is what the readers were told.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from plainwright.evaluation import load_set
from plainwright.rewrite import Simplifier, load

HERE = Path(__file__).parent / "reading"
COMPOSED = Path(__file__).parents[1] / "packages/plainwright-en/data/composed.tsv.gz"
UNREAD = 1000  # lines of ASSET valid that nobody looked at while splitting and lists were made


def texts(name: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of all that can be drawn."""
    if name == "asset":
        for number, text in enumerate(load_set("asset/valid").sources or (), 1):
            if number > UNREAD:
                yield f"asset/valid:{number}", text
    elif name == "wikisplit":
        for number, text in enumerate(load_set("wikisplit/test").sources or (), 1):
            yield f"wikisplit/test:{number}", text
    elif name == "composed":
        with gzip.open(COMPOSED, "rt", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield row["id"], row["source"]
    elif name == "sentences":
        for number, text in enumerate((HERE / "sentences.txt").read_text(encoding="utf-8").splitlines(), 1):
            yield f"sentences:{number}", text
    else:
        for path in sorted((HERE / "documents").glob("*.txt")):
            yield path.stem, path.read_text(encoding="utf-8")


def splits(simplifier: Simplifier, name: str, number: int, seed: int) -> list[tuple[str, str, str]]:
    """Return so many sentences that are split, drawn by chance."""
    drawn = list(texts(name))
    random.Random(seed).shuffle(drawn)
    found: list[tuple[str, str, str]] = []
    for place, text in drawn:
        result = simplifier.simplify(text)
        if any(edit.kind == "split" for edit in result.edits):
            found.append((place, text, result.text))
        if len(found) == number:
            break
    return found


def draw(arguments: argparse.Namespace) -> None:
    simplifier = load(engine=arguments.engine, level=arguments.level, split="all" if arguments.split_all else None)
    if arguments.set == "splits":
        third = arguments.number // 3
        changed = splits(simplifier, "wikisplit", arguments.number - third, arguments.seed)
        changed += splits(simplifier, "composed", third, arguments.seed)
        write(arguments, changed)
        return
    changed = []
    for place, text in texts(arguments.set):
        for number, sentence in enumerate(simplifier.simplify(text).sentences, 1):
            if sentence.source != sentence.text:
                own = f"{place}:{number}" if arguments.set == "documents" else place
                changed.append((own, sentence.source, sentence.text))
    random.Random(arguments.seed).shuffle(changed)
    write(arguments, changed)


def write(arguments: argparse.Namespace, changed: Sequence[tuple[str, str, str]]) -> None:
    items = [
        f"{number}\t{place}\nS: {source}\nP: {text}"
        for number, (place, source, text) in enumerate(changed[: arguments.number], 1)
    ]
    arguments.output.write_text("\n".join(items) + "\n", encoding="utf-8")
    print(f"{len(items)} of {len(changed)} changed sentences in {arguments.output}")


def count(arguments: argparse.Namespace) -> None:
    print("| reading | sentences | damaged | minor | much or noticeably easier | slightly | same or harder |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for path in arguments.files:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        damage, ease = (Counter(row.get(column) for row in rows) for column in ("damage", "ease"))
        counts = (
            damage["damaged"],
            damage["minor"],
            ease["much"] + ease["noticeably"],
            ease["slightly"],
            ease["same"] + ease["harder"],
        )
        known = counts if "ease" in rows[0] else counts[:2]
        shares = " | ".join(f"{number} ({number / len(rows):.0%})" for number in known) + " |" * (5 - len(known))
        print(f"| {path.stem} | {len(rows)} | {shares} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("set", choices=("asset", "sentences", "documents", "splits"))
    drawing.add_argument("--engine", default="best")
    drawing.add_argument("--level", default="plain")
    drawing.add_argument("--split-all", action="store_true")
    drawing.add_argument("--seed", type=int, default=1)
    drawing.add_argument("--number", type=int, default=1000)
    drawing.add_argument("-o", "--output", type=Path, required=True)
    drawing.set_defaults(run=draw)
    counting = commands.add_parser("count")
    counting.add_argument("files", type=Path, nargs="+")
    counting.set_defaults(run=count)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
