"""Batches of any size: tables and folders of documents in, the same out, on one machine or on Spark.

A *task* says what is done with rows: it is a function from record batches to record batches, which opens its model once
in each process. A *job* cuts the input into shards and does one of them at a time; `run_batch` does those that are not
done yet, so that a batch that was killed goes on where it stopped.
"""

from __future__ import annotations

from plainwright.batch.documents import DocumentsJob
from plainwright.batch.engines import Spark
from plainwright.batch.job import Job, Summary
from plainwright.batch.running import run_batch
from plainwright.batch.table_job import TableJob
from plainwright.batch.tasks import CheckTask, EvaluateTask, SimplifyTask, Task

__all__ = [
    "CheckTask",
    "DocumentsJob",
    "EvaluateTask",
    "Job",
    "SimplifyTask",
    "Spark",
    "Summary",
    "TableJob",
    "Task",
    "run_batch",
]
