"""Where the example ratings are, and what is wrong with ratings in tests of the `study` commands."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "ratings.csv"

Row = dict[str, str]


def changed_example(path: Path, change: Callable[[Row], Row | None]) -> Path:
    """The example ratings, each row changed, or left out where `change` says None."""
    with EXAMPLE.open(encoding="utf-8", newline="") as stream:
        rows = [changed for row in csv.DictReader(stream) if (changed := change(row)) is not None]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def on_sentences_of_its_own(row: Row) -> Row | None:
    """Keeps a row if its system is the one whose turn it is, so that no two systems share a sentence."""
    systems = ("copy", "words", "splits", "short")
    return row if systems.index(row["system"]) == int(row["item"]) % len(systems) else None
