"""Draw changed sentences for reading, and count what two readers said of them.

    python benchmarks/reading_sheet.py draw asset --seed 41 --number 120 -o sheet.txt
    python benchmarks/reading_sheet.py draw documents -o sheet.txt
    python benchmarks/reading_sheet.py count benchmarks/reading/*.tsv

`asset` are the sources of ASSET valid, lines 1001 to 2000; `sentences` and `documents` are our own, in `reading/`, as
offices, schools and the press write. What is drawn from ASSET is not committed: `reading/*.tsv` have the place of a
sentence, how damaged it is (ok, minor, damaged), how much easier (much, noticeably, slightly, same, harder), and the
cause. `reading/BRIEF.md` is what the readers were told.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from plainwright.evaluation import load_set
from plainwright.rewrite import load

HERE = Path(__file__).parent / "reading"
UNREAD = 1000  # lines of ASSET valid that nobody looked at while splitting and lists were made


def texts(name: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of all that can be drawn."""
    if name == "asset":
        for number, text in enumerate(load_set("asset/valid").sources or (), 1):
            if number > UNREAD:
                yield f"asset/valid:{number}", text
    elif name == "sentences":
        for number, text in enumerate((HERE / "sentences.txt").read_text(encoding="utf-8").splitlines(), 1):
            yield f"sentences:{number}", text
    else:
        for path in sorted((HERE / "documents").glob("*.txt")):
            yield path.stem, path.read_text(encoding="utf-8")


def draw(arguments: argparse.Namespace) -> None:
    simplifier = load(engine=arguments.engine, level=arguments.level)
    changed = []
    for place, text in texts(arguments.set):
        for number, sentence in enumerate(simplifier.simplify(text).sentences, 1):
            if sentence.source != sentence.text:
                own = f"{place}:{number}" if arguments.set == "documents" else place
                changed.append((own, sentence.source, sentence.text))
    random.Random(arguments.seed).shuffle(changed)
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
        damage, ease = (Counter(row[column] for row in rows) for column in ("damage", "ease"))
        counts = (
            damage["damaged"],
            damage["minor"],
            ease["much"] + ease["noticeably"],
            ease["slightly"],
            ease["same"] + ease["harder"],
        )
        shares = " | ".join(f"{number} ({number / len(rows):.0%})" for number in counts)
        print(f"| {path.stem} | {len(rows)} | {shares} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("set", choices=("asset", "sentences", "documents"))
    drawing.add_argument("--engine", default="best")
    drawing.add_argument("--level", default="plain")
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
