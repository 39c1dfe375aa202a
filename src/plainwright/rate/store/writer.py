"""Group commit: one thread writes for all who want to, and what waits at the same time shares one commit.

Making a commit durable costs a disk's round trip, whatever is in it. Twenty raters who click at once pay it once.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from sqlalchemy import Connection

from plainwright.errors import StorageError

__all__ = ["Writer"]

Result = TypeVar("Result")

_MOST_AT_ONCE = 256


class Writer:
    """A queue of work on the database, and the thread that does it; `explained` makes errors fit to be told."""

    def __init__(
        self,
        transaction: Callable[[], AbstractContextManager[Connection]],
        explained: Callable[[Exception], Exception],
    ) -> None:
        self._transaction = transaction
        self._explained = explained
        self._waiting: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._lock = threading.Lock()

    def submit(self, work: Callable[[Connection], Result]) -> Future[Result]:
        """Have it done; the future knows its result when it is durable."""
        future: Future[Result] = Future()
        with self._lock:
            if self._closed:
                msg = "the database is closed; nothing more can be written"
                raise StorageError(msg)
            if self._thread is None:
                self._thread = threading.Thread(target=self._write, name="plainwright-rate-writer", daemon=True)
                self._thread.start()
            self._waiting.put(_Job(work, future))
        return future

    def close(self) -> None:
        """Do what waits, then stop."""
        with self._lock:
            already, self._closed = self._closed, True
        if self._thread is not None and not already:
            self._waiting.put(None)
            self._thread.join()

    def _write(self) -> None:
        while jobs := self._take():
            self._do([job for job in jobs if job.future.set_running_or_notify_cancel()])

    def _take(self) -> list[_Job]:
        """What waits, at least one; none at the end."""
        jobs = []
        job = self._waiting.get()
        while job is not None:
            jobs.append(job)
            if len(jobs) == _MOST_AT_ONCE:
                return jobs
            try:
                job = self._waiting.get_nowait()
            except queue.Empty:
                return jobs
        if jobs:
            self._waiting.put(None)  # found the end behind some work: once more, for the next round
        return jobs

    def _do(self, jobs: list[_Job]) -> None:
        try:
            with self._transaction() as connection:
                outcomes = [job.attempt(connection, self._explained) for job in jobs]
        except BaseException as error:
            # Nothing of this group was kept: not even what went well until then.
            for job in jobs:
                job.future.set_exception(error)
            return
        for job, outcome in zip(jobs, outcomes, strict=True):
            outcome.tell(job.future)


class _Job:
    """Work, and who waits for it."""

    def __init__(self, work: Callable[[Connection], Any], future: Future[Any]) -> None:
        self.work = work
        self.future = future

    def attempt(self, connection: Connection, explained: Callable[[Exception], Exception]) -> _Outcome:
        """Do the work so that it can fail alone."""
        # Said to the driver as it is: SQLAlchemy's own savepoints take as long as all the rest.
        connection.exec_driver_sql("SAVEPOINT job")
        try:
            value = self.work(connection)
        except Exception as error:
            # With the connection, or if going back fails, the transaction is gone, and the whole group with it.
            if connection.invalidated:
                raise
            connection.exec_driver_sql("ROLLBACK TO SAVEPOINT job")
            return _Outcome(error=explained(error))
        connection.exec_driver_sql("RELEASE SAVEPOINT job")
        return _Outcome(value=value)


class _Outcome:
    """What came of a job, told only after the commit."""

    def __init__(self, *, value: object = None, error: Exception | None = None) -> None:
        self.value = value
        self.error = error

    def tell(self, future: Future[Any]) -> None:
        if self.error is not None:
            future.set_exception(self.error)
        else:
            future.set_result(self.value)
