"""200 raters at once on SQLite and PostgreSQL: how fast pages and answers come, and that nothing is lost or doubled.

    python benchmarks/bench_rate.py                       # 200 raters, 60 seconds, both databases
    python benchmarks/bench_rate.py --kills 20            # the same, the server killed (SIGKILL) twenty times

Everything runs on this machine over loopback, raters and server on the same cores; it ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.rate import postgresql
from tests.rate.load import Record, percentile, rate_together
from tests.rate.running import Server, counted, invite, kill_repeatedly, make_study, serving


def main() -> None:
    options = _options()
    for kind in options.databases:
        with tempfile.TemporaryDirectory() as folder, _database(kind, Path(folder)) as url:
            make_study(
                Path(folder) / "study",
                items=options.items,
                outputs=options.outputs,
                raters_per_item=options.per_item,
                database=url,
            )
            links = invite(url, options.raters)
            with serving(Path(folder) / "study") as server:
                record, wall = asyncio.run(_load(server, links, options))
                busy = server.seconds
            _report(kind, record, wall, busy, url, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--databases", nargs="+", choices=["sqlite", "postgresql"], default=["sqlite", "postgresql"])
    parser.add_argument("--raters", type=int, default=200)
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--outputs", type=int, default=20)
    parser.add_argument("--per-item", type=int, default=3, help="raters that an item needs")
    parser.add_argument("--seconds", type=float, default=60, help="of rating, after all have come")
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds between two events of a rater")
    parser.add_argument("--arriving", type=float, default=30, help="seconds within which all come")
    parser.add_argument("--kills", type=int, default=0)
    return parser.parse_args()


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'study.sqlite'}"
        return
    with postgresql.server(folder, durable=True) as address, postgresql.fresh_database(address) as url:
        yield url


async def _load(server: Server, links: list[str], options: argparse.Namespace) -> tuple[Record, float]:
    """What raters saw, and for how many seconds."""
    record, enough = Record(), asyncio.Event()
    start = time.monotonic()
    raters = asyncio.create_task(
        rate_together(server.port, links, record, enough, think=options.think, arriving=options.arriving)
    )
    if options.kills:
        await kill_repeatedly(server, record, options.kills, events=options.raters)
    else:
        await asyncio.sleep(options.arriving + options.seconds)
    enough.set()
    await raters
    return record, time.monotonic() - start


def _report(kind: str, record: Record, wall: float, busy: float, url: str, options: argparse.Namespace) -> None:
    count = counted(url, record)
    requests = len(record.events) + len(record.pages)
    print(f"{kind}: {options.raters} raters, {options.outputs} outputs an item, {options.kills} kills")
    print(f"  {requests:,} requests, {requests / wall:.0f} a second; {record.finished:,} pages finished")
    if not options.kills:
        print(f"  {1000 * busy / requests:.2f} ms of the processor for each request in the server, its start included")
    for name, times in (("events", record.events), ("pages", record.pages), ("all", record.events + record.pages)):
        shown = "  ".join(f"{label} {1000 * percentile(times, share):.1f}" for label, share in _SHARES)
        print(f"  {name:<7} {shown} ms")
    print(
        f"  {len(record.acknowledged):,} events acknowledged, {count.kept:,} kept: {count.lost} lost, {count.doubled} "
        f"doubled, {count.foreign} of unknown origin; {len(record.refusals)} refused, {record.retries} tried again"
    )
    for sentence in (*count.problems[:5], *record.refusals[:5]):
        print(f"  ! {sentence}")
    if not count.sound:
        sys.exit(1)


_SHARES = (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0))


if __name__ == "__main__":
    start = time.monotonic()
    main()
    print(f"{time.monotonic() - start:.0f} s in all")
