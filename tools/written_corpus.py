"""Count and check the plain rewrites that were written for this project.

    python tools/written_corpus.py count     # a table by set, level and origin, for the card
    python tools/written_corpus.py check     # what is wrong, a line each; status 1 if there is anything

Checked are the form of every row, ids, levels, and that nothing was written for a source of a set that is kept for
measuring (TurkCorpus, ASSET, HSplit, SimpEval), where these are on the machine.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[1] / "packages" / "plainwright-en" / "data"
LEVELS = ("light", "plain", "easy")
UNITS = ("sentence", "paragraph")
# Texts whose licence lets them stand here; sources from elsewhere are named by their SHA-256.
OPEN = (
    "composed",
    "wikipedia",
    "wikipedia-medical",
    "wikipedia-wikitext",
    "us-presidential-speeches",
    "onestop-english",
    "europarl",
    "craft",
    "desse",
)
BY_DIGEST = ("masc", "news-commentary", "cwi-2018", "unknown")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_KEPT_APART = (
    "turkcorpus/detok_truecased/test.orig",
    "turkcorpus/detok_truecased/tune.orig",
    "turkcorpus/tok_lower/test.norm",
    "asset/valid.orig",
    "hsplit/test.src",
    "simpeval/meta_evaluation/simpeval_2022.refs.src",
    "simpeval/meta_evaluation/simpeval_past_complex_sents.txt",
)


class Row(NamedTuple):
    """A source and one plainer version of it."""

    id: str
    level: str
    unit: str
    origin: str
    source: str
    target: str


def read(path: Path) -> list[Row]:
    """The rows of one file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        header, *lines = stream.read().split("\n")[:-1]
    if header != "\t".join(Row._fields):
        sys.exit(f"{path.name}: expected the columns {', '.join(Row._fields)}, found {header!r}")
    return [Row(*line.split("\t")) for line in lines]


def files() -> dict[str, list[Row]]:
    """All sets by name."""
    return {path.name.removesuffix(".tsv.gz"): read(path) for path in sorted(FOLDER.glob("*.tsv.gz"))}


def problems(data: Path | None) -> Iterator[str]:
    """What is wrong, a line each."""
    kept_apart = set(_kept_apart(data)) if data is not None else set()
    seen: set[str] = set()
    for name, rows in files().items():
        for number, row in enumerate(rows, start=2):
            place = f"{name}:{number}: {row.id}"
            if row.id in seen:
                yield f"{place}: the id stands twice"
            seen.add(row.id)
            if row.level not in LEVELS or row.unit not in UNITS or row.origin not in (*OPEN, *BY_DIGEST):
                yield f"{place}: unknown level, unit or origin {row[1:4]}"
            if (row.origin in OPEN) == bool(_DIGEST.fullmatch(row.source)):
                yield f"{place}: expected {'a text' if row.origin in OPEN else 'a digest'} as the source"
            if not row.target.strip() or row.target.strip() == "DROP":
                yield f"{place}: nothing was written"
            if _key(row.source) in kept_apart:
                yield f"{place}: its source belongs to a set that is kept for measuring"


def _kept_apart(data: Path) -> Iterator[str]:
    for name in _KEPT_APART:
        if (data / name).is_file():
            for line in (data / name).read_text(encoding="utf-8").split("\n"):
                yield _key(line)
    for table in ("simpeval_2022.csv", "simpeval_past.csv"):
        if (data / "simpeval" / table).is_file():
            with (data / "simpeval" / table).open(encoding="utf-8", newline="") as stream:
                for row in csv.reader(stream):
                    yield from map(_key, (cell for cell in row if len(cell) > 30))


def _key(text: str) -> str:
    """Letters and digits alone, so that tokenised and lower-cased copies are found."""
    return re.sub(r"[^a-z0-9]+", "", text.lower()) if len(text) > 30 else text


def counted() -> Iterator[str]:
    """Lines of a table."""
    sets = files()
    yield "| set | light | plain | easy | in all |"
    yield "|---|---:|---:|---:|---:|"
    for name, rows in sets.items():
        levels = Counter(row.level for row in rows)
        yield f"| {name} | " + " | ".join(f"{levels[level]:,}" for level in LEVELS) + f" | {len(rows):,} |"
    everything = [row for rows in sets.values() for row in rows]
    levels = Counter(row.level for row in everything)
    yield "| all | " + " | ".join(f"{levels[level]:,}" for level in LEVELS) + f" | {len(everything):,} |"
    origins = Counter(row.origin for row in everything)
    yield ""
    yield "Origins: " + ", ".join(f"{name} {count:,}" for name, count in origins.most_common()) + "."
    three = Counter(row.source for row in {(row.source, row.level): row for row in everything}.values())
    yield f"Sources with all three levels: {sum(count == len(LEVELS) for count in three.values()):,}."
    yield f"Paragraphs: {sum(row.unit == 'paragraph' for row in everything):,}."
    yield f"Unchanged: {sum(row.source == row.target for row in everything):,}."


def main() -> None:
    """Run a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["count", "check"])
    parser.add_argument("--data", type=Path, help="data directory with the sets that are kept for measuring")
    arguments = parser.parse_args()
    lines = list(counted() if arguments.command == "count" else problems(arguments.data))
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.exit(1 if arguments.command == "check" and lines else 0)


if __name__ == "__main__":
    main()
