"""Parquet with large row groups: shards are read forwards, and are the same however they are come by."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from plainwright.batch import SimplifyTask, TableJob, row_groups, run_batch
from plainwright.batch.formats import FORMATS
from plainwright.batch.table_format import Cut, Wanted

PARQUET = next(own for own in FORMATS if own.name == "parquet")
ROWS = 12_000
WANTED = Wanted(["text"])


@pytest.fixture(autouse=True)
def no_reader() -> Iterator[None]:
    """Each test begins as a process does."""
    row_groups._kept.clear()
    yield
    row_groups._kept.clear()


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of all batches that are taken out of Parquet files."""
    sizes: list[int] = []
    original = parquet.ParquetFile.iter_batches

    def counting(*arguments: Any, **options: Any) -> Iterator[Any]:
        for batch in original(*arguments, **options):
            sizes.append(batch.num_rows)
            yield batch

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", counting)
    return sizes


def table(path: Path, group: int, rows: int = ROWS, word: str = "row") -> Path:
    columns = {"text": [f"{word} {number}" for number in range(rows)], "n": list(range(rows))}
    parquet.write_table(pa.table(columns), path, row_group_size=group)
    return path


def read(file: Path, cut: Cut) -> list[Any]:
    return list(PARQUET.read(file, cut, WANTED))


def texts(batches: list[Any]) -> list[str]:
    return [text for batch in batches for text in batch.column("text").to_pylist()]


def test_each_row_of_a_large_row_group_is_decoded_once(tmp_path: Path, decoded: list[int]) -> None:
    file = table(tmp_path / "in.parquet", group=ROWS)
    cuts = [cut for cut, _ in PARQUET.cuts(file, 70, None)]
    found = [text for cut in cuts for text in texts(read(file, cut))]
    assert found == [f"row {number}" for number in range(ROWS)]
    assert sum(decoded) == ROWS


@pytest.mark.parametrize("turn", [0, 1])
def test_a_process_that_gets_every_other_shard_decodes_each_row_once(
    tmp_path: Path, decoded: list[int], turn: int
) -> None:
    file = table(tmp_path / "in.parquet", group=ROWS)
    for cut, _ in list(PARQUET.cuts(file, 70, None))[turn::2]:
        assert texts(read(file, cut)) == [f"row {number}" for number in range(cut.first, cut.first + cut.rows)]
    assert sum(decoded) <= ROWS


def test_row_groups_before_a_shard_are_not_decoded(tmp_path: Path, decoded: list[int]) -> None:
    file = table(tmp_path / "in.parquet", group=1_000)
    assert texts(read(file, Cut(7_100, 50, 0))) == [f"row {number}" for number in range(7_100, 7_150)]
    assert texts(read(file, Cut(9_900, 200, 0))) == [f"row {number}" for number in range(9_900, 10_100)]
    assert sum(decoded) == 500 + 1_000 + 500


@pytest.mark.parametrize("group", [333, 5_000, ROWS])
def test_batches_of_a_shard_are_the_same_in_any_order(tmp_path: Path, group: int) -> None:
    file = table(tmp_path / "in.parquet", group=group)
    cuts = [cut for cut, _ in PARQUET.cuts(file, 777, None)]
    alone = {}
    for cut in cuts:
        row_groups._kept.clear()
        alone[cut] = read(file, cut)
    for seed in range(3):
        for cut in random.Random(seed).sample(cuts, len(cuts)):
            found = read(file, cut)
            assert [batch.num_rows for batch in found] == [batch.num_rows for batch in alone[cut]]
            assert all(one.equals(other) for one, other in zip(found, alone[cut], strict=True))


def test_two_that_read_at_the_same_time_do_not_disturb_each_other(tmp_path: Path) -> None:
    file = table(tmp_path / "in.parquet", group=ROWS)
    read(file, Cut(0, 10, 0))
    one = PARQUET.read(file, Cut(500, 2_000, 0), WANTED)
    other = PARQUET.read(file, Cut(3_000, 2_000, 0), WANTED)
    pairs = list(zip(one, other, strict=True))
    assert texts([batch for batch, _ in pairs]) == [f"row {number}" for number in range(500, 2_500)]
    assert texts([batch for _, batch in pairs]) == [f"row {number}" for number in range(3_000, 5_000)]


def test_a_file_that_was_written_anew_is_read_anew(tmp_path: Path) -> None:
    file = table(tmp_path / "in.parquet", group=ROWS)
    assert texts(read(file, Cut(0, 2, 0))) == ["row 0", "row 1"]
    other = table(tmp_path / "other.parquet", group=ROWS, word="line")
    other.replace(file)
    assert texts(read(file, Cut(2, 2, 0))) == ["line 2", "line 3"]


def test_a_file_is_closed_when_it_ends_or_another_is_read(tmp_path: Path) -> None:
    first, second = (table(tmp_path / f"{name}.parquet", group=100, rows=200) for name in "ab")
    read(first, Cut(0, 100, 0))
    [reader] = row_groups._kept.values()
    read(second, Cut(0, 100, 0))
    assert reader._opened.closed
    read(second, Cut(100, 100, 0))
    assert row_groups._kept == {}


def test_shards_that_are_done_out_of_turn_have_the_same_bytes(tmp_path: Path) -> None:
    file = table(tmp_path / "in.parquet", group=ROWS, rows=900)
    run_batch(TableJob(SimplifyTask(level="light"), [file], tmp_path / "in-turn", rows=100))
    job = TableJob(SimplifyTask(level="light"), [file], tmp_path / "out-of-turn", rows=100)
    with job.opened():
        for number in (7, 2, 5):
            row_groups._kept.clear()
            job.do_and_note(number)
    run_batch(job)
    for path in sorted((tmp_path / "in-turn").glob("part-*")):
        assert path.read_bytes() == (tmp_path / "out-of-turn" / path.name).read_bytes()
