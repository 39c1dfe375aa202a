"""Sheets for a blind reading: which system wrote what is hidden, its order shuffled, and read back with a key.

Each of two readers gets the same sentences in another order, and the different outputs of each in another order, too.
An output that several systems wrote stands there once and counts for all of them. Ratings are whole numbers, 0 to 100.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from plainwright.errors import DataError
from plainwright.escaping import spreadsheet_cell
from plainwright.files import atomic_write, read_lines
from plainwright.metrics.base import Array
from plainwright.reproduce.table import Block, Cell, Reproduction, Sampling
from plainwright.study.draws import draws
from plainwright.study.estimate import Interval
from plainwright.tables import read_json

__all__ = ["check_new", "read_sheets", "write_sheets"]

_SENTENCES = 50
_READERS = ("reader1", "reader2")
_KEY = "key.json"
_COLUMNS = ("id", "source", "output", "rating")
_EQUAL = 5  # points; a smaller difference is none, as in SimpEval

Ratings = Mapping[str, Mapping[str, Mapping[str, float]]]  # by reader, sentence, system


def check_new(folder: Path) -> None:
    """Refuse a folder that has sheets already, before the work that would be lost."""
    if (folder / _KEY).exists():
        msg = f"{folder / _KEY}: expected no sheets yet, found some; give --sheets another folder"
        raise DataError(msg)


def write_sheets(folder: Path, sources: Sequence[str], systems: Mapping[str, Sequence[str]], *, seed: int) -> None:
    """Write a sheet for each reader and the key, which no reader must see; sheets that are there are not replaced."""
    check_new(folder)
    folder.mkdir(parents=True, exist_ok=True)
    count = min(_SENTENCES, len(sources))
    chosen = sorted(random.Random(f"{seed} sentences").sample(range(len(sources)), count))
    key: dict[str, dict[str, list[str]]] = {}
    for reader in _READERS:
        chance = random.Random(f"{seed} {reader}")
        order = list(chosen)
        chance.shuffle(order)
        own = key[reader] = {}
        with atomic_write(folder / f"{reader}.tsv") as stream:
            sheet = csv.writer(stream, delimiter="\t", lineterminator="\n")
            sheet.writerow(_COLUMNS)
            for number in order:
                outputs = list(dict.fromkeys(texts[number] for texts in systems.values()))
                chance.shuffle(outputs)
                for letter, output in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", outputs, strict=False):
                    name = f"{number}{letter}"
                    own[name] = [system for system, texts in systems.items() if texts[number] == output]
                    sheet.writerow([name, *map(spreadsheet_cell, (sources[number], output)), ""])
    with atomic_write(folder / _KEY) as stream:
        json.dump({"systems": list(systems), "key": key}, stream, indent=1)


def read_sheets(folder: Path, *, name: str, title: str, sampling: Sampling) -> Reproduction:
    """Return what the readers say: means, who is better how often, and how often two readers give one order."""
    systems, key = _read_key(folder / _KEY)
    ratings = {reader: _ratings(folder / f"{reader}.tsv", key[reader]) for reader in key}
    shared = sorted(set.intersection(*(set(own) for own in ratings.values())), key=int)
    table = np.array([[[ratings[r][s][one] for one in systems] for s in shared] for r in ratings])
    means = Block(title="Ratings, 0 to 100", cells=tuple(_means(table.mean(axis=0), systems, sampling)))
    pairs = Block(
        title=f"Sentences, in per cent, by the mean of the readers (equal: up to {_EQUAL} points apart)",
        cells=tuple(_preferences(table.mean(axis=0), systems)),
    )
    agreement = Block(title="Readers", cells=tuple(_agreement(table, systems)))
    note = f"{len(shared)} sentences, {len(ratings)} readers; who wrote what was hidden, and in another order for each."
    return Reproduction(
        name=name,
        title=f"{title}, a blind reading",
        citation="Maddela, Dou, Heineman and Xu (2023), ACL",
        blocks=(means, pairs, agreement),
        notes=(note, "The paper had three annotators and other systems, so none of its numbers stands beside ours."),
        sampling=sampling,
    )


def _read_key(path: Path) -> tuple[list[str], dict[str, dict[str, list[str]]]]:
    document = read_json(path, of="the key of a blind reading")
    table = document if isinstance(document, dict) else {}
    systems, key = table.get("systems"), table.get("key")
    if not (
        isinstance(systems, list)
        and isinstance(key, dict)
        and all(isinstance(key.get(reader), dict) for reader in _READERS)
    ):
        msg = f"{path}: expected the systems and the key of a blind reading, found something else; restore the file"
        raise DataError(msg)
    return systems, {reader: key[reader] for reader in _READERS}


def _ratings(path: Path, key: Mapping[str, Sequence[str]]) -> dict[str, dict[str, float]]:
    """The ratings of a reader by sentence and system."""
    rows = csv.reader(read_lines(path), delimiter="\t")
    if tuple(next(rows, ())) != _COLUMNS:
        msg = f"{path}:1: expected the columns {', '.join(_COLUMNS)}, found others"
        raise DataError(msg)
    found: dict[str, dict[str, float]] = {}
    seen = set()
    for number, row in enumerate(rows, start=2):
        if len(row) != len(_COLUMNS) or row[0] not in key or row[0] in seen:
            msg = f"{path}:{number}: expected a row of the sheet, each once, found {row[:1]}; restore the sheet"
            raise DataError(msg)
        if not row[3].strip().isdecimal() or not 0 <= int(row[3]) <= 100:
            msg = f"{path}:{number}: expected a rating, a whole number from 0 to 100, found {row[3]!r:.20}"
            raise DataError(msg)
        seen.add(row[0])
        found.setdefault(row[0][:-1], {}).update(dict.fromkeys(key[row[0]], float(row[3])))
    if missing := sorted(set(key) - seen):
        msg = f"{path}: expected {len(key)} rows, found {len(seen)}; {missing[0]} is the first that is missing"
        raise DataError(msg)
    return found


def _means(table: Array, systems: Sequence[str], sampling: Sampling) -> Iterator[Cell]:
    size = len(table)
    blocks = draws(size, len(systems), resampled="inputs", resamples=sampling.resamples, seed=sampling.seed, cells=size)
    drawn = np.concatenate([block.inputs @ table / size for block in blocks])
    for at, system in enumerate(systems):
        interval = Interval.of(drawn[:, at])
        intervals = {} if interval is None else {"sources": interval}
        yield Cell(row=system, column="mean", paper=None, ours=float(table[:, at].mean()), intervals=intervals, n=size)


def _preferences(table: Array, systems: Sequence[str]) -> Iterator[Cell]:
    for one, other in combinations(range(len(systems)), 2):
        order = _order(table[:, one] - table[:, other])
        for column, value in (("better", 1), ("equal", 0), ("worse", -1)):
            share = 100 * float((order == value).mean())
            yield Cell(row=f"{systems[one]} - {systems[other]}", column=column, paper=None, ours=share, digits=1)


def _agreement(table: Array, systems: Sequence[str]) -> Iterator[Cell]:
    first, second = table
    for one, other in combinations(range(len(systems)), 2):
        orders = [_order(own[:, one] - own[:, other]) for own in (first, second)]
        share = 100 * float((orders[0] == orders[1]).mean())
        row = f"{systems[one]} - {systems[other]}"
        yield Cell(row=row, column="same order, %", paper=None, ours=share, digits=1, n=len(orders[0]))


def _order(differences: Array) -> Array:
    return np.where(np.abs(differences) <= _EQUAL, 0.0, np.sign(differences))
