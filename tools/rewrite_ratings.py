"""Ratings of rewrites by reading, in packages/plainwright-en/ratings: count them, or check that they are well-formed.

python tools/rewrite_ratings.py count    # the tables of its README
python tools/rewrite_ratings.py check
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import correlation, fmean

from plainwright.judge import ASPECTS
from plainwright.judge.training.ratings import DAMAGED_BELOW, EASIER_FROM

FOLDER = Path(__file__).resolve().parents[1] / "packages" / "plainwright-en" / "ratings"


def read() -> list[dict[str, str]]:
    """Return the ratings, a table row each."""
    with gzip.open(FOLDER / "ratings.tsv.gz", "rt", encoding="utf-8", newline="\n") as stream:
        header, *lines = (line.split("\t") for line in stream.read().split("\n")[:-1])
    return [dict(zip(header, line, strict=True)) for line in lines]


def problems() -> Iterator[str]:
    """Yield what is wrong, a line each."""
    seen: set[str] = set()
    for row in read():
        if row["id"] in seen:
            yield f"{row['id']}: stands twice"
        seen.add(row["id"])
        if not all(row[aspect].isdigit() and 0 <= int(row[aspect]) <= 100 for aspect in ASPECTS):
            yield f"{row['id']}: expected four numbers from 0 to 100"
        elif int(row["meaning"]) < DAMAGED_BELOW["meaning"] and int(row["overall"]) > 40:
            yield f"{row['id']}: says something else, yet has {row['overall']} overall"
        if not row["source"] or not row["output"] or not row["system"]:
            yield f"{row['id']}: a text is missing"


def damaged(row: dict[str, str]) -> bool:
    """Return whether a rewrite says something else, or is no English."""
    return any(int(row[name]) < least for name, least in DAMAGED_BELOW.items())


def counted() -> Iterator[str]:
    """Yield the lines of the tables."""
    systems = defaultdict(list)
    for row in read():
        systems[row["system"]].append(row)
    yield "| system | rated | meaning | grammar | simplicity | overall | damaged | clearly easier |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for name, rows in sorted(systems.items(), key=lambda item: -fmean(int(row["overall"]) for row in item[1])):
        means = " | ".join(f"{fmean(int(row[aspect]) for row in rows):.0f}" for aspect in ASPECTS)
        shares = (fmean(map(damaged, rows)), fmean(int(row["simplicity"]) >= EASIER_FROM for row in rows))
        yield f"| {name} | {len(rows):,} | {means} | {shares[0]:.0%} | {shares[1]:.0%} |"
    twice = [row for row in read() if row["meaning_again"]]
    pairs = (correlation(*zip(*((int(row[a]), int(row[f"{a}_again"])) for row in twice), strict=True)) for a in ASPECTS)
    agreement = ", ".join(f"{aspect} {value:.2f}" for aspect, value in zip(ASPECTS, pairs, strict=True))
    yield ""
    yield f"Rated twice: {len(twice)}. Correlation (Pearson): {agreement}."


def main() -> None:
    """Run a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["count", "check"])
    lines = list(counted() if parser.parse_args().command == "count" else problems())
    print("\n".join(lines))  # noqa: T201
    if parser.parse_args().command == "check" and lines:
        sys.exit(1)


if __name__ == "__main__":
    main()
