"""Tables cut into shards: read piece by piece, they have the rows that they have as a whole."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainwright.batch.formats import FORMATS
from plainwright.batch.table_format import Wanted
from plainwright.errors import DataError

SEPARATED = {kind.name: kind for kind in FORMATS}
cells = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)


@given(rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=12), size=st.integers(1, 5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@pytest.mark.parametrize("name", ["csv", "tsv"])
def test_values_with_line_breaks_and_quotes_stay_whole(
    tmp_path: Path, name: str, rows: list[tuple[str, str]], size: int
) -> None:
    file, kind = tmp_path / f"in.{name}", SEPARATED[name]
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter="," if name == "csv" else "\t", quoting=csv.QUOTE_ALL)
        writer.writerows([("text", "more"), *rows])
    cuts = [cut for cut, _ in kind.cuts(file, size, None)]
    found = [
        (row["text"], row["more"])
        for cut in cuts
        for batch in kind.read(file, cut, Wanted(["text"]))
        for row in batch.to_pylist()
    ]
    assert [cut.rows for cut in cuts[:-1]] == [size] * (len(cuts) - 1)
    assert found == rows


@given(texts=st.lists(cells, min_size=1, max_size=12), size=st.integers(1, 5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_lines_of_json_are_read_from_the_middle(tmp_path: Path, texts: list[str], size: int) -> None:
    file, kind = tmp_path / "in.jsonl", SEPARATED["jsonl"]
    file.write_text("".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts), encoding="utf-8")
    read = [batch for cut, _ in kind.cuts(file, size, None) for batch in kind.read(file, cut, Wanted(["text"]))]
    assert [row["text"] for batch in read for row in batch.to_pylist()] == texts


@given(data=st.binary(max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet"])
def test_foreign_bytes_are_rows_with_problems_or_an_error_that_names_the_file(
    tmp_path: Path, name: str, data: bytes
) -> None:
    file, kind = tmp_path / f"in.{name}", SEPARATED[name]
    file.write_bytes(data)
    with suppress_named(file):
        kind.columns(file)
        for cut, _ in kind.cuts(file, 2, "key"):
            assert sum(batch.num_rows for batch in kind.read(file, cut, Wanted(["text"]))) == cut.rows


@contextmanager
def suppress_named(file: Path) -> Iterator[None]:
    """What is wrong with a file may be said, if the sentence names it."""
    told = ""
    try:
        yield
    except DataError as error:
        told = str(error)
    assert not told or told.startswith(f"{file}: expected ")
