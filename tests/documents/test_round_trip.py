"""Real documents come back byte for byte without changes; with some, another reader sees no other difference."""

from __future__ import annotations

import os
import random
import sysconfig
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from tests.documents.independent import MARK, difference, html_events, markdown_events, marked

from plainwright.documents import read_document
from plainwright.errors import DataError

OWN = sorted(Path(__file__).parents[2].glob("docs/**/*.md"))
PLACES = ("/usr/share/doc", "/usr/lib", "/usr/share", "/usr/local", sysconfig.get_paths()["purelib"], "/opt")
MOST, LARGEST = 3000, 200_000
WANTED = 200


def on_this_machine(*suffixes: str) -> list[Path]:
    """Some documents of different folders, the same ones every time."""
    found = sorted(islice(_found(suffixes), MOST))
    random.Random(1).shuffle(found)
    return found


def _found(suffixes: tuple[str, ...]) -> Iterator[Path]:
    for place in PLACES:
        for folder, _, names in os.walk(place):
            for path in (Path(folder, name) for name in names if name.lower().endswith(suffixes)):
                if path.is_file() and not path.is_symlink() and 0 < path.stat().st_size <= LARGEST:
                    yield path


def check(path: Path, events, seed: int = 0) -> int:
    """Return how many words were marked, after looking at both round trips."""
    document = read_document(path)
    data = path.read_bytes()
    assert document.changed([()] * len(document.blocks)) == data
    changes = marked(document, seed)
    changed = document.changed(changes)
    encoding = document.encoding
    before, after = (text.decode(encoding).replace("\r\n", "\n") for text in (data, changed))
    assert difference(events(before), events(after)) is None, path
    wanted, kept = sum(map(len, changes)), after.count(MARK) - before.count(MARK)
    assert wanted * 0.95 <= kept <= wanted, path
    return kept


def test_our_own_pages_come_back() -> None:
    assert sum(check(path, markdown_events) for path in OWN[::6]) > len(OWN)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suffixes", "events"),
    [((".md", ".markdown"), markdown_events), ((".html", ".htm"), html_events)],
    ids=("md", "html"),
)
def test_documents_of_this_machine_come_back(suffixes: tuple[str, ...], events) -> None:
    paths = on_this_machine(*suffixes)
    if len(paths) < WANTED:
        pytest.skip(f"needs {WANTED} documents in {suffixes[0]}, found {len(paths)} on this machine")
    done = marks = 0
    for path in paths:
        try:
            marks += check(path, events)
        except DataError:  # other encodings
            continue
        done += 1
        if done == WANTED:
            break
    assert done == WANTED
    assert marks > 1000
