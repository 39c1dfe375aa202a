"""Who does the shards: this process, several on this machine, or Spark; all of them call `Job.do_and_note`."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import re
import shutil
import signal
import socket
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plainwright.batch.job import Job, Receipt
from plainwright.errors import DataError, MissingExtraError, PlainwrightError
from plainwright.extras import check_extra

__all__ = ["Done", "Spark", "on_this_machine"]

Done = tuple[int, Receipt]  # a shard and its receipt

_PATIENCE = 5.0  # seconds until a master has to answer
_MASTER = re.compile(r"spark://([^:,/]+):(\d+)")

_job: Job | None = None  # of a worker


def on_this_machine(job: Job, numbers: Sequence[int], processes: int) -> Iterator[Done]:
    """Do shards here, as they get done; with one process, in this one."""
    if processes == 1 or len(numbers) < 2:
        for number in numbers:
            yield number, job.do_and_note(number)
        return
    # A fresh interpreter for each: threads of libraries do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(numbers)), context, _begin, (job,)) as pool:
        try:
            yield from _as_they_end(pool, numbers, 2 * processes)
        except BrokenProcessPool:
            msg = (
                "a worker process ended before its work was done: killed, out of memory, or started by a program "
                'without `if __name__ == "__main__":`; run the same again, and it goes on where it stopped'
            )
            raise DataError(msg) from None
        except BaseException:
            for worker in multiprocessing.active_children():
                worker.terminate()
            pool.shutdown(cancel_futures=True)
            raise


def _as_they_end(pool: ProcessPoolExecutor, numbers: Iterable[int], at_once: int) -> Iterator[Done]:
    """Keep a few shards under way, so that plans of any length need little memory."""
    waiting = iter(numbers)
    running: dict[Future[Receipt], int] = {}
    while True:
        for number in itertools.islice(waiting, at_once - len(running)):
            running[pool.submit(_do, number)] = number
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future.result()


def _begin(job: Job) -> None:
    """Keep the job; Ctrl-C is for the first process, which ends the others."""
    global _job
    _job = job
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _do(number: int) -> Receipt:
    assert _job is not None
    return _job.do_and_note(number)


@dataclass(frozen=True, slots=True)
class Spark:
    """Does shards on Spark; all its machines see the files under the same names."""

    master: str = "local[2]"
    settings: Mapping[str, str] = field(default_factory=dict)

    def check(self) -> None:
        """Refuse to begin without Spark, Java, or a master that answers."""
        check_extra("--engine spark", "spark", "pyspark")
        home = os.environ.get("JAVA_HOME")
        if shutil.which("java", path=None if home is None else str(Path(home) / "bin")) is None:
            msg = "--engine spark needs Java 17; install it (`apt install openjdk-17-jre-headless`) or set JAVA_HOME"
            raise MissingExtraError(msg)
        if found := _MASTER.match(self.master):
            try:
                socket.create_connection((found[1], int(found[2])), timeout=_PATIENCE).close()
            except OSError as error:
                msg = f"--master {self.master}: expected a master of Spark, found no answer ({error})"
                raise DataError(msg) from None

    def __call__(self, job: Job, numbers: Sequence[int]) -> Iterator[Done]:
        """Do shards, one in each task of Spark's."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the libraries about each other
            yield from self._done(job, numbers)

    def _done(self, job: Job, numbers: Sequence[int]) -> Iterator[Done]:
        session = self._session()
        try:
            frame = session.range(0, len(numbers), 1, len(numbers))
            done = frame.mapInArrow(_mapper(job, numbers), "number long, receipt string")
            for row in done.toLocalIterator(prefetchPartitions=True):
                receipt = json.loads(row.receipt)
                if "error" in receipt:
                    raise DataError(receipt["error"])
                yield row.number, receipt
        except DataError:
            raise
        except Exception as error:
            raise DataError(_explained(error)) from None
        finally:
            session.stop()

    def _session(self) -> Any:
        from pyspark.sql import SparkSession

        if self.master.startswith("local"):  # elsewhere this Python may lie in another place
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.appName("plainwright batch").master(self.master)
        usual = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "FATAL",  # what goes wrong is said in one sentence
            "spark.python.worker.reuse": "true",  # so that the model stays open
        }
        for name, value in {**usual, **self.settings}.items():
            builder = builder.config(name, value)
        try:
            return builder.getOrCreate()
        except Exception as error:
            text = " ".join(str(error).split())[:200]
            msg = f"--master {self.master}: Spark did not start ({text})"
            raise DataError(msg) from None


def _explained(error: Exception) -> str:
    """One sentence about what Spark could not do."""
    found = re.findall(r"^\s*(\w*(?:Error|Exception)): (.+)$", str(error), re.MULTILINE)
    kind, text = next(((kind, text) for kind, text in found if "awaitResult" not in text), ("", str(error)[:200]))
    if kind == "ModuleNotFoundError":
        return f"a worker of Spark: {text[:1].lower()}{text[1:]}; install plainwright and its extras on every machine"
    return f"Spark stopped ({kind} {' '.join(text.split())[:200]}); run the same command again, and it goes on"


def _mapper(job: Job, numbers: Sequence[int]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return the function that Spark calls in its workers: places in `numbers` in, receipts out."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            for place in batch.column(0).to_pylist():
                number = numbers[place]
                try:
                    job.check()
                    receipt = job.do_and_note(number)
                except PlainwrightError as error:
                    receipt = {"error": f"{socket.gethostname()}: {error}"}
                columns = {"number": pa.array([number], pa.int64()), "receipt": pa.array([json.dumps(receipt)])}
                yield pa.RecordBatch.from_pydict(columns)

    return run
