"""Batches over tables: the same format out, the same bytes however they are made, bad rows told apart."""

from __future__ import annotations

import csv
import json
import math
import os
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from tests.in_process import run

from plainwright.batch import EvaluateTask, SimplifyTask, Spark, TableJob, run_batch
from plainwright.metrics import SARI

SENTENCES = [
    "We will commence the work.",
    "He utilised a spoon.",
    "Water is wet.",
    'The sign read, "Do not commence."\n\nWe will terminate the lease.',
]
PLAIN = [
    "We will start the work.",
    "He used a spoon.",
    "Water is wet.",
    'The sign read, "Do not commence."\n\nWe will end the lease.',
]
WORDS_ALONE = ("--level", "light")  # no sentence is split, so nothing has to be parsed


def rows_of(count: int) -> list[dict[str, Any]]:
    return [{"key": f"r{number}", "text": SENTENCES[number % 4], "pages": number} for number in range(count)]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=7)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        separator = "," if path.suffix == ".csv" else "\t"
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]), delimiter=separator)
            writer.writeheader()
            writer.writerows(rows)
    return path


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        found: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
        return found
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="," if path.suffix == ".csv" else "\t"))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "csv", "tsv"])
def test_a_table_comes_back_in_its_format_with_a_column_more(tmp_path: Path, suffix: str) -> None:
    table = write(tmp_path / f"in.{suffix}", rows_of(25))
    done = run("batch", "simplify", table, "-o", tmp_path / "out", "--rows", 10, *WORDS_ALONE)
    assert (done.returncode, done.stderr) == (0, f"{tmp_path / 'out'}: 25 rows\n")
    parts = sorted((tmp_path / "out").glob("part-*"))
    assert [part.name for part in parts] == [f"part-{number:06}.{suffix}" for number in range(3)]
    found = [row for part in parts for row in read(part)]
    assert [row["plain"] for row in found] == [PLAIN[number % 4] for number in range(25)]
    assert [{name: row[name] for name in ("key", "text", "pages")} for row in found] == read(table)


@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "csv"])
def test_a_name_of_a_table_asks_for_one_file(tmp_path: Path, suffix: str) -> None:
    table = write(tmp_path / f"in.{suffix}", rows_of(25))
    target = tmp_path / f"plain.{suffix}"
    assert run("batch", "simplify", table, "-o", target, "--rows", 10, *WORDS_ALONE).returncode == 0
    assert [row["plain"] for row in read(target)] == [PLAIN[number % 4] for number in range(25)]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [table.name, target.name, f"{target.name}.manifest.json"]
    )


def test_tables_in_folders_of_a_folder_count_as_one(tmp_path: Path) -> None:
    rows = rows_of(12)
    for name, part in {"b": rows[:4], "a/deep": rows[4:8], "a/_temporary": rows, "a/.hidden": rows}.items():
        (tmp_path / "in" / name).mkdir(parents=True)
        write(tmp_path / "in" / name / "part.jsonl", part)
    write(tmp_path / "in" / "z.jsonl", rows[8:])
    assert run("batch", "simplify", tmp_path / "in", "-o", tmp_path / "out", *WORDS_ALONE).returncode == 0
    found = [row["key"] for part in sorted((tmp_path / "out").glob("part-*")) for row in read(part)]
    assert found == [f"r{number}" for number in (4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11)]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [own["file"] for own in manifest["inputs"]] == ["a/deep/part.jsonl", "b/part.jsonl", "z.jsonl"]


def test_a_path_may_begin_with_two_slashes(tmp_path: Path) -> None:
    table = write(tmp_path / "in.jsonl", rows_of(3))
    assert run("batch", "simplify", f"/{table}", "-o", tmp_path / "out", *WORDS_ALONE).returncode == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [own["file"] for own in manifest["inputs"]] == ["in.jsonl"]


@pytest.mark.parametrize("target", ["plain", "plain.jsonl"])
def test_a_result_below_the_folder_is_not_read_when_the_batch_goes_on(tmp_path: Path, target: str) -> None:
    table = write(tmp_path / "in.jsonl", rows_of(30))
    job = TableJob(SimplifyTask(level="light"), [table], tmp_path / target, rows=10)
    with job.opened():
        job.do_and_note(1)
    done = run("batch", "simplify", tmp_path, "-o", tmp_path / target, "--rows", 10, *WORDS_ALONE)
    assert (done.returncode, done.stderr) == (0, f"{tmp_path / target}: 30 rows\n")


def test_edits_applied_to_the_source_give_the_plain_text(tmp_path: Path) -> None:
    table = write(tmp_path / "in.jsonl", rows_of(8))
    run("batch", "simplify", table, "-o", tmp_path / "out.jsonl", "--edits", *WORDS_ALONE)
    for row in read(tmp_path / "out.jsonl"):
        text = row["text"]
        for edit in reversed(json.loads(row["edits"])):
            start, end = edit["source_span"]
            text = text[:start] + edit["target"] + text[end:]
        assert text == row["plain"]


def test_two_processes_write_the_same_bytes_as_one(tmp_path: Path) -> None:
    table = write(tmp_path / "in.parquet", rows_of(60))
    for number in (1, 2):
        job = TableJob(SimplifyTask(level="light"), [table], tmp_path / f"out{number}", rows=10)
        run_batch(job, processes=number)
    assert tree(tmp_path / "out1") == tree(tmp_path / "out2")


@pytest.mark.slow
def test_spark_writes_the_same_bytes(tmp_path: Path) -> None:
    table = write(tmp_path / "in.jsonl", rows_of(60))
    for name, spark in (("here", None), ("spark", Spark("local[2]"))):
        job = TableJob(SimplifyTask(level="light", edits=True), [table], tmp_path / name, rows=20, ids="key")
        run_batch(job, spark=spark)
    assert tree(tmp_path / "here") == tree(tmp_path / "spark")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of Spark and pandas about each other
def test_the_task_itself_goes_through_map_in_arrow(tmp_path: Path) -> None:
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        frame = session.createDataFrame([(text,) for text in SENTENCES], "text string")
        made = frame.mapInArrow(SimplifyTask(level="light"), "text string, plain string, problem string")
        assert sorted(row.plain for row in made.collect()) == sorted(PLAIN)
    finally:
        session.stop()


def test_a_killed_batch_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    table = write(tmp_path / "in.jsonl", rows_of(400))
    arguments = ["batch", "simplify", table, "--rows", 20, "--id", "key", *WORDS_ALONE]
    assert run(*arguments, "-o", tmp_path / "whole").returncode == 0
    command = [sys.executable, "-m", "plainwright", *map(str, arguments), "-o", str(tmp_path / "killed")]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    receipts = tmp_path / "killed" / ".shards"
    while process.poll() is None and len(list(receipts.glob("*.json"))) < 3:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "killed" / "manifest.json").exists()
    before = {path: path.stat().st_mtime_ns for path in receipts.glob("*.json")}
    assert run(*arguments, "-o", tmp_path / "killed").returncode == 0
    assert tree(tmp_path / "killed") == tree(tmp_path / "whole")
    assert all(path.stat().st_mtime_ns == moment for path, moment in before.items())  # they were not done again


def test_bad_rows_go_to_a_file_with_the_reason(tmp_path: Path) -> None:
    lines = ['{"text": "He utilised it."}', "no JSON", "", "[]", '{"text": 3}', "{}", '{"text": "x\\ud800"}']
    lines += ['{"text": "It rains.", "plain": ""}', '{"text": ["It rains."]}', '{"text": "?"}']
    table = tmp_path / "in.jsonl"
    table.write_bytes("\n".join(lines).encode().replace(b'"?"', b'"\xff"') + b"\n")
    done = run("batch", "simplify", table, "-o", tmp_path / "out", *WORDS_ALONE)
    assert done.stderr == f"{tmp_path / 'out'}: 1 row, 9 rejected\n"
    assert [row["plain"] for row in read(tmp_path / "out" / "part-000000.jsonl")] == ["He used it."]
    rejects = read(tmp_path / "out" / "rejects.jsonl")
    assert [(own["row"], own["reason"]) for own in rejects] == [
        (2, "expected a JSON object, found something else"),
        (3, "expected a JSON object, found an empty line"),
        (4, "expected a JSON object, found another value"),
        (5, "text: expected a text, found an int"),
        (6, "text: expected a text, found none"),
        (7, "text: expected whole characters, found half of one"),
        (8, "plain: expected no such key, which is for the result, found one"),
        (9, "text: expected a text, found a list"),
        (10, "expected UTF-8 text, found another byte"),
    ]
    assert [own["record"] for own in rejects] == lines[1:]


def test_lines_keep_what_the_batch_does_not_need_to_the_letter(tmp_path: Path) -> None:
    table = tmp_path / "in.jsonl"
    table.write_text('{"n": 1e400, "n": 0.10000000000000001, "text": "He utilised it." }\r\n', encoding="utf-8")
    run("batch", "simplify", table, "-o", tmp_path / "out.jsonl", *WORDS_ALONE)
    expected = '{"n": 1e400, "n": 0.10000000000000001, "text": "He utilised it.", "plain": "He used it."}\n'
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == expected


def test_texts_and_lists_of_them_may_be_mixed_among_references(tmp_path: Path) -> None:
    rows = [{"source": "He utilised it.", "output": "He used it.", "reference": "He used it."}] * 600
    rows[550] = {**rows[0], "reference": ["He used it.", "He did it."]}  # type: ignore[dict-item]
    table = write(tmp_path / "in.jsonl", rows)
    done = run("batch", "evaluate", table, "-o", tmp_path / "out", "--reference-column", "reference", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["sari", "bleu", "fk"]


def test_a_rejected_row_may_have_values_that_json_does_not_know(tmp_path: Path) -> None:
    table = tmp_path / "in.parquet"
    columns = {"text": ["It rains.", None], "when": [datetime(2024, 5, 1), datetime(2024, 5, 2)], "x": [1.0, math.nan]}
    parquet.write_table(pa.table(columns), table)
    done = run("batch", "simplify", table, "-o", tmp_path / "out", *WORDS_ALONE)
    assert done.returncode == 0
    [reject] = read(tmp_path / "out" / "rejects.jsonl")
    assert reject["record"] == {"text": None, "when": "2024-05-02 00:00:00", "x": "NaN"}


def test_a_shard_that_is_not_whole_any_more_is_done_again(tmp_path: Path) -> None:
    table = write(tmp_path / "in.jsonl", rows_of(30))
    arguments = ["batch", "simplify", table, "-o", tmp_path / "out", "--rows", 10, *WORDS_ALONE]
    assert run(*arguments).returncode == 0
    whole = tree(tmp_path / "out")
    (tmp_path / "out" / "part-000001.jsonl").write_text("junk")
    (tmp_path / "out" / ".shards" / "000002.json").write_text("")
    assert run(*arguments).returncode == 0
    assert tree(tmp_path / "out") == whole


def test_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    table = write(tmp_path / "in.jsonl", rows_of(20_000))
    command = [sys.executable, "-m", "plainwright", "batch", "simplify", str(table), "-o", str(tmp_path / "out")]
    process = subprocess.Popen([*command, "-p", "2", "--rows", "50"], stderr=subprocess.DEVNULL, start_new_session=True)
    while process.poll() is None and not list((tmp_path / "out" / ".shards").glob("*.json")):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: all of them hear it
    assert process.wait(30) == 130
    assert ends(process.pid)


def ends(group: int) -> bool:
    """Whether all processes of a group are gone within seconds."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_rows_of_another_length_are_bad_in_csv(tmp_path: Path) -> None:
    table = tmp_path / "in.csv"
    table.write_text('key,text\na,"He utilised\nit."\nb\nc,fine,more\n', encoding="utf-8")
    run("batch", "simplify", table, "-o", tmp_path / "out", "--rows", 1, *WORDS_ALONE)
    assert read(tmp_path / "out" / "part-000000.csv") == [
        {"key": "a", "text": "He utilised\nit.", "plain": "He used\nit."}
    ]
    reasons = [own["reason"] for own in read(tmp_path / "out" / "rejects.jsonl")]
    assert reasons == ["expected 2 values, found 1", "expected 2 values, found 3"]


def test_scores_of_all_rows_are_those_of_one_set(tmp_path: Path) -> None:
    rows = [
        {"source": text, "output": plain, "first": plain, "more": [text, "It rains."]}
        for text, plain in zip(SENTENCES * 5, PLAIN * 5, strict=True)
    ]
    table = write(tmp_path / "in.parquet", rows)
    task = EvaluateTask(references=("first", "more"), metrics=("sari", "fk"))
    summary = run_batch(TableJob(task, [table], tmp_path / "out", rows=6))
    references = [[row["first"], *row["more"]] for row in rows]
    sari = SARI(**SARI.options_for(raw=True))  # type: ignore[arg-type]
    expected = sari.corpus_score(SENTENCES * 5, PLAIN * 5, references)
    assert summary.totals["sari"]["value"] == pytest.approx(expected.value, abs=1e-9)
    values = [row["sari"] for part in sorted((tmp_path / "out").glob("part-*")) for row in read(part)]
    assert values == pytest.approx(list(sari.sentence_scores(SENTENCES * 5, PLAIN * 5, references)))
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["totals"]["sari"]["signature"].startswith("sari|")


def test_check_adds_grades_and_what_rules_found(tmp_path: Path) -> None:
    table = write(tmp_path / "in.jsonl", rows_of(4))
    ignored = "passive,nested-sentence"  # which load the parser
    run("batch", "check", table, "-o", tmp_path / "out.jsonl", "--ignore", ignored, "--findings")
    first, *_, last = read(tmp_path / "out.jsonl")
    assert (first["words"], first["sentences"], json.loads(first["counts"])) == (5, 1, {"hard-word": 1})
    assert json.loads(first["findings"])[0]["text"] == "commence"
    assert last["sentences"] == 2


class TestRefusedBeforeWorkBegins:
    """One sentence, status 2, and nothing half-written."""

    def refused(self, *arguments: object) -> str:
        done = run("batch", *arguments)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        return done.stderr.removeprefix("plainwright: ").rstrip()

    def test_a_missing_column(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.csv", rows_of(3))
        told = self.refused("simplify", table, "-o", tmp_path / "out", "--column", "body")
        assert told == f"{table}: expected a column 'body', found 'key', 'text', 'pages'"
        assert not (tmp_path / "out").exists()

    def test_a_column_without_texts(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.parquet", rows_of(3))
        told = self.refused("simplify", table, "-o", tmp_path / "out", "--column", "pages")
        assert told == f"{table}: expected texts in the column 'pages', found int64"

    def test_mixed_schemas(self, tmp_path: Path) -> None:
        write(tmp_path / "a.parquet", rows_of(3))
        other = write(tmp_path / "b.parquet", [{"key": "a", "text": "It rains."}])
        told = self.refused("simplify", tmp_path, "-o", tmp_path / "out")
        assert told.startswith(f"{other}: expected the columns of a.parquet, found others ('pages' differs)")

    def test_columns_in_another_order(self, tmp_path: Path) -> None:
        write(tmp_path / "a.csv", [{"text": "It rains.", "n": 1}])
        other = write(tmp_path / "b.csv", [{"n": 1, "text": "It rains."}])
        told = self.refused("simplify", tmp_path, "-o", tmp_path / "out")
        assert told.startswith(f"{other}: expected the columns of a.csv, found others (their order differs)")

    def test_a_mistyped_key(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.jsonl", rows_of(3))
        told = self.refused("simplify", table, "-o", tmp_path / "out", "--column", "txt")
        assert told == f"{table}: expected a key 'txt', found 'key', 'text', 'pages'"

    def test_a_file_that_is_there_already(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.jsonl", rows_of(3))
        told = self.refused("simplify", table, "-o", table)
        assert told.startswith(f"{table}: expected a new name, found a file there already")

    def test_a_table_of_another_format_as_result(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.jsonl", rows_of(3))
        told = self.refused("simplify", table, "-o", tmp_path / "out.csv")
        assert told.startswith(f"{tmp_path / 'out.csv'}: expected a folder or .jsonl, the format of the input")

    def test_no_such_file(self, tmp_path: Path) -> None:
        told = self.refused("simplify", tmp_path / "none.csv", "-o", tmp_path / "out")
        assert told == f"{tmp_path / 'none.csv'}: expected a table or a folder, found no such file"

    def test_mixed_formats(self, tmp_path: Path) -> None:
        write(tmp_path / "a.parquet", rows_of(3))
        write(tmp_path / "b.jsonl", rows_of(3))
        told = self.refused("simplify", tmp_path, "-o", tmp_path / "out")
        assert told == f"{tmp_path}: expected tables of one format, found parquet and jsonl"

    @pytest.mark.parametrize("suffix", ["parquet", "jsonl", "csv"])
    def test_an_id_that_occurs_twice(self, tmp_path: Path, suffix: str) -> None:
        table = write(tmp_path / f"in.{suffix}", [*rows_of(5), *rows_of(1)])
        told = self.refused("simplify", table, "-o", tmp_path / "out", "--id", "key")
        assert told == f"{table}: expected an id of its own for each row, found 'r0' in 'key' twice"

    def test_a_column_that_is_there_already(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.csv", [{"text": "It rains.", "plain": "It rains."}])
        told = self.refused("simplify", table, "-o", tmp_path / "out")
        assert told.startswith(f"{table}: expected no column 'plain', a name that the batch needs, found one")

    def test_a_folder_with_something_else_in_it(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.csv", rows_of(3))
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "mine.txt").write_text("keep me")
        told = self.refused("simplify", table, "-o", tmp_path / "out", *WORDS_ALONE)
        assert told.startswith(f"{tmp_path / 'out'}: expected an empty folder, found 'mine.txt'")
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]

    def test_a_folder_with_another_batch(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.csv", rows_of(3))
        assert run("batch", "simplify", table, "-o", tmp_path / "out", *WORDS_ALONE).returncode == 0
        told = self.refused("simplify", table, "-o", tmp_path / "out", "--level", "light", "--keep", "spoon")
        assert told.startswith(f"{tmp_path / 'out'}: expected the batch that was begun here, found other input")

    def test_a_file_that_is_no_parquet(self, tmp_path: Path) -> None:
        table = tmp_path / "in.parquet"
        table.write_text("hello")
        assert self.refused("simplify", table, "-o", tmp_path / "out").startswith(f"{table}: expected Parquet, found")

    def test_a_folder_that_cannot_be_written(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.csv", rows_of(3))
        (tmp_path / "file").write_text("")
        told = self.refused("simplify", table, "-o", tmp_path / "file" / "out", *WORDS_ALONE)
        assert "cannot be written" in told

    def test_a_master_that_cannot_be_reached(self, tmp_path: Path) -> None:
        pytest.importorskip("pyspark")
        table = write(tmp_path / "in.csv", rows_of(3))
        options = ("--engine", "spark", "--master", "spark://127.0.0.1:9")
        told = self.refused("simplify", table, "-o", tmp_path / "out", *options, *WORDS_ALONE)
        assert told.startswith("--master spark://127.0.0.1:9: expected a master of Spark, found no answer")

    def test_a_model_that_is_missing(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.csv", rows_of(3))
        told = self.refused("simplify", table, "-o", tmp_path / "out", "--model", tmp_path / "none")
        assert "none" in told
        assert not (tmp_path / "out").exists()

    def test_a_metric_without_its_column(self, tmp_path: Path) -> None:
        table = write(tmp_path / "in.jsonl", [{"source": "It rains.", "output": "It rains."}])
        told = self.refused("evaluate", table, "-o", tmp_path / "out", "--metrics", "sari")
        assert told.startswith("sari: expected --reference-column, which it needs, found none")
