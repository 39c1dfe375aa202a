"""50 clients at once on `plainwright serve`: errors, how fast answers come, memory; and bad clients beside them.

    python benchmarks/bench_serve.py              # 50 clients, 30 seconds for each row
    python benchmarks/bench_serve.py --seconds 5  # a quick look

Server and clients share this machine and speak over loopback. Good clients send a short sentence to `/v1/simplify`, one
after the other: at once, or after a pause as people make. Bad clients send a byte twice a second, announce 64 MB, or
send them in chunks without an announcement.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.rate.load import percentile
from tests.serve.load import Record, ServeProcess, ask_together, misbehave, serving, write_list_model

_SHARES = (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0))


def main() -> None:
    options = _options()
    sound = True
    with tempfile.TemporaryDirectory() as folder:
        listed = ("--model", write_list_model(Path(folder) / "model"))
        for name, given in (("the list of words", listed), ("the list, and splitting", ())):
            with serving(*given) as server:
                for think, bad in ((options.think, 0), (0.0, 0), (options.think, options.bad)):
                    sound &= asyncio.run(_row(server, name, think, bad, options))
    sys.exit(0 if sound else 1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds between two requests of a client")
    parser.add_argument("--bad", type=int, default=10, help="slow clients, and as many that send too much")
    return parser.parse_args()


async def _row(server: ServeProcess, name: str, think: float, bad: int, options: argparse.Namespace) -> bool:
    """One measurement; whether all went well."""
    await _load(server, 1.0, think, 0, options)  # so that everything is loaded
    before, busy, start = server.megabytes, server.seconds, time.monotonic()
    record, outcomes, most = await _load(server, options.seconds, think, bad, options)
    wall, busy = time.monotonic() - start, server.seconds - busy
    count = len(record.times)
    pause = f"{think:g} s between" if think else "no pause"
    print(f"{name}: {options.clients} clients, {pause}, {2 * bad} bad ones beside them")
    print(f"  {count:,} requests, {count / wall:.0f} a second; {len(record.errors)} errors")
    print("  " + "  ".join(f"{label} {1000 * percentile(record.times, share):.0f}" for label, share in _SHARES), "ms")
    print(f"  {1000 * busy / count:.2f} ms of the processor for each request")
    print(f"  memory {before:.0f} MB before, {server.megabytes:.0f} after, {most:.0f} at most")
    for outcome, times in sorted(outcomes.items()):
        print(f"  {outcome}: {times}")
    for error in record.errors[:5]:
        print(f"  ! {error}")
    sys.stdout.flush()
    return not record.errors


async def _load(
    server: ServeProcess, seconds: float, think: float, bad: int, options: argparse.Namespace
) -> tuple[Record, Counter[str], float]:
    """What clients saw within so many seconds, and the most memory that the server held."""
    record, outcomes, enough = Record(), Counter[str](), asyncio.Event()
    clients = [
        asyncio.create_task(ask_together(server.port, record, enough, clients=options.clients, think=think)),
        asyncio.create_task(misbehave(server.port, outcomes, enough, slow=bad, giant=bad // 2)),
    ]
    most, end = 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        most = max(most, server.megabytes)
        await asyncio.sleep(min(0.5, seconds))
    enough.set()
    await asyncio.gather(*clients)
    return record, outcomes, most


if __name__ == "__main__":
    main()
