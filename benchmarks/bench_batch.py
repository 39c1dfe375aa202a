"""`plainwright batch simplify`: one process, two, Spark; killed again and again; memory as tables grow.

    python benchmarks/bench_batch.py --sentences 200000 --level light --spark --kills 10
    python benchmarks/bench_batch.py --sentences 10000 --memory-of 10000 200000

Sentences are those of Wikipedia articles in the shared data (D-Wikipedia), repeated if they do not suffice. All runs
must end with the same bytes. Wall time is what processes gain, so nothing else may run beside it; processor time and
the largest memory of one process are those of all processes of a run.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.conftest import find_data

from plainwright.files import iter_lines
from plainwright.text import split_sentences

_PAUSES = (2.0, 12.0)  # seconds until a run is killed


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        place = Path(folder)
        if options.memory_of:
            for number in options.memory_of:
                table = _table(place / f"in{number}.jsonl", number)
                _row(f"{number:,} rows", _command(table, place / f"out{number}", options, "--processes", "1"))
            return
        table = _table(place / "in.jsonl", options.sentences)
        runs = {"one process": ("--processes", "1"), "two processes": ("--processes", "2")}
        if options.spark:
            runs["Spark, local[2]"] = ("--engine", "spark", "--master", "local[2]")
        digests = {}
        walls = {}
        for name, given in runs.items():
            target = place / name.replace(" ", "-")
            walls[name] = _row(name, _command(table, target, options, *given))
            digests[name] = _digest(target)
        print(f"two processes: {walls['one process'] / walls['two processes']:.2f} times as fast as one")
        if options.kills:
            target = place / "killed"
            kills = _killed(_command(table, target, options, "--processes", "2"), options.kills)
            digests[f"killed {kills} times"] = _digest(target)
        print("same bytes:", ", ".join(digests), len(set(digests.values())) == 1)
        sys.exit(len(set(digests.values())) != 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--level", default="plain")
    parser.add_argument("--rows", type=int, default=2_000, help="rows of a shard")
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--memory-of", type=int, nargs="+", help="only this: memory with so many rows")
    parser.add_argument("--folder", type=Path, help="where temporary files go")
    return parser.parse_args()


def _table(path: Path, sentences: int) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        for number, text in enumerate(itertools.islice(itertools.cycle(_sentences()), sentences)):
            stream.write(json.dumps({"id": number, "text": text}) + "\n")
    return path


def _sentences() -> Iterator[str]:
    data = find_data()
    if data is None:
        sys.exit("no corpora: set PLAINWRIGHT_DATA")
    for line in iter_lines(data / "d_wikipedia" / "valid.src.gz"):
        yield from split_sentences(line)


def _command(table: Path, target: Path, options: argparse.Namespace, *given: str) -> list[str]:
    own = ["--level", options.level, "--id", "id", "--edits", "--rows", str(options.rows), "--quiet", *given]
    return [sys.executable, "-m", "plainwright", "batch", "simplify", str(table), "-o", str(target), *own]


def _row(name: str, command: Sequence[str]) -> float:
    """Run once; print and return seconds."""
    before, begun = _spent(), time.monotonic()
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        most = 0.0
        while process.poll() is None:
            most = max(most, _memory(process.pid))
            time.sleep(0.05)
    if process.returncode:
        sys.exit(f"{name}: exit status {process.returncode}")
    wall, spent = time.monotonic() - begun, _spent() - before
    print(f"{name}: {wall:.1f} s, {spent:.1f} s of processor time, {most:.0f} MB in the largest process", flush=True)
    return wall


def _spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _memory(session: int) -> float:
    """The largest memory of a process in the session, in MB."""
    most = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            most = max(most, int(fields[21]) * resource.getpagesize() / 1e6)
    return most


def _killed(command: Sequence[str], kills: int) -> int:
    """Kill all processes of a run at random moments, begin again, and let the last run end."""
    moments = random.Random(12345)
    done = 0
    while done < kills:
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            process.wait(moments.uniform(*_PAUSES))
            break
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            done += 1
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return done


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and ".shards" not in path.parts and path.name != ".plan.json":
            digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    main()
