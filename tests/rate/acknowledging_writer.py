"""A program that is killed by a test: appends events from many threads, and says of each when it is safe.

python -m tests.rate.acknowledging_writer URL ASSIGNMENT …
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from tests.rate.playing import NOW, batch

from plainwright.rate.events import Comment
from plainwright.rate.store import log
from plainwright.rate.store.database import Database


def rate(database: Database, assignment: int) -> None:
    for version in range(100_000):
        sent = batch(version, Comment(f"{version}"))
        database.submit(lambda connection, sent=sent: log.append(connection, assignment, sent, NOW)).result()
        sys.stdout.write(f"{assignment} {sent.events[0].key}\n")
        sys.stdout.flush()


def main() -> None:
    database = Database.open(sys.argv[1])
    assignments = [int(argument) for argument in sys.argv[2:]]
    with ThreadPoolExecutor(len(assignments)) as pool:
        list(pool.map(lambda assignment: rate(database, assignment), assignments))


if __name__ == "__main__":
    main()
