"""Doing a batch: what was done before stays, the rest is done now, and a manifest tells that all is there."""

from __future__ import annotations

from collections.abc import Callable

from plainwright.batch.engines import Spark, on_this_machine
from plainwright.batch.job import Job, Summary

__all__ = ["run_batch"]


def run_batch(
    job: Job,
    *,
    processes: int = 1,
    spark: Spark | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Do all shards of a job that are not done yet, and say what became of it.

    The result is the same, to the byte, for any number of processes and on Spark. `progress` is told how many units
    are done, and of how many.
    """
    job.check()
    if spark is not None:
        spark.check()
    with job.opened():
        receipts = job.receipts()
        sizes = job.sizes
        total, done = sum(sizes), sum(sizes[number] for number in receipts)
        if progress is not None:
            progress(done, total)
        left = [number for number in range(len(sizes)) if number not in receipts]
        new = on_this_machine(job, left, processes) if spark is None else spark(job, left) if left else iter(())
        for number, receipt in new:
            receipts[number] = receipt
            done += sizes[number]
            if progress is not None:
                progress(done, total)
        summary = job.close([receipts[number] for number in range(len(sizes))])
    job.clear()
    return summary
