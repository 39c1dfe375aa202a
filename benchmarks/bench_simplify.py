"""Processor time of simplifying with the default model: of commands, and beside an earlier revision of the package.

    python benchmarks/bench_simplify.py                      # this version
    python benchmarks/bench_simplify.py --against 676e44f    # and that one, in turns, in the same run
    python benchmarks/bench_simplify.py --commands           # only what commands take from the shell

The earlier revision is checked out into a temporary worktree and runs on the native core that is installed. Both must
write the same text, so that times compare; `--different` allows otherwise.
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from plainwright import _core, corpora
from timing import fastest_each, machine, run_quietly

ROOT = Path(__file__).resolve().parents[1]
RUNS = 5
COMMAND_RUNS = 15


class Measured(NamedTuple):
    """What one process found."""

    ms: float
    digest: str


def measure(lines: list[str]) -> None:
    """Print the least processor time of a sentence in milliseconds, and a digest of the text."""
    from plainwright.rewrite import load

    simplifier = load(engine="rules")
    plain = {"edits": False} if "edits" in inspect.signature(simplifier.stream).parameters else {"alternatives": 0}
    least = float("inf")
    for _ in range(RUNS):
        before = time.process_time()
        text = "".join(part.text for part in simplifier.stream(lines, lines=True, **plain))
        least = min(least, time.process_time() - before)
    print(json.dumps({"ms": 1000 * least / len(lines), "digest": hashlib.sha256(text.encode()).hexdigest()}))


def measured(text: str, source: Path | None = None) -> Measured:
    """The same in a fresh process, with the package in another folder if one is named."""
    elsewhere = (
        f"sys.meta_path[:] = [finder for finder in sys.meta_path if 'ditable' not in repr(finder)]; "
        f"sys.path.insert(0, {str(source)!r}); "
    )
    code = (
        f"import sys; {elsewhere if source else ''}sys.path.append({str(ROOT / 'benchmarks')!r}); "
        "import bench_simplify; bench_simplify.measure(sys.stdin.readlines())"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    return Measured(**json.loads(done.stdout))


def commands() -> None:
    """Print what commands take, in turns."""
    here = Path(sys.executable).parent
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write("The physician purchased a dwelling in close proximity to the facility.\n")
        file.flush()
        jobs = ([here / "plainwright", "simplify", file.name, "--engine", "rules"], [here / "plainwright", "--help"])
        peer = [here / "sacrebleu", "--version"]
        calls = [lambda job=job: run_quietly(list(map(str, job))) for job in (*jobs, peer)]
        fastest_each(*calls, runs=1)  # modules are compiled, the disk is warm
        sentence, shown, version = fastest_each(*calls, runs=COMMAND_RUNS)
    print(f"plainwright simplify, one sentence: {sentence:.3f} s of processor time")
    print(f"plainwright --help: {shown:.3f} s, sacrebleu --version: {version:.3f} s: {shown / version:.2f}x")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="REVISION")
    parser.add_argument("--different", action="store_true", help="the texts may differ")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--commands", action="store_true", help="only what commands take from the shell")
    arguments = parser.parse_args()
    print(machine("plainwright", "numpy", "typer", "sacrebleu"))
    commands()
    if arguments.commands:
        return
    text = "".join(f"{line}\n" for line in corpora.load("asset/valid").sources)
    if arguments.against is None:
        print(f"{measured(text).ms:.3f} ms of processor time a sentence")
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", tree, arguments.against], check=True, cwd=ROOT)
        shutil.copy(_core.__file__, tree / "src" / "plainwright")
        try:
            turns = [(measured(text), measured(text, tree / "src")) for _ in range(arguments.turns)]
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], check=True, cwd=ROOT)
    if len({run.digest for turn in turns for run in turn}) > 1 and not arguments.different:
        sys.exit("the two versions write different texts; --different allows that")
    now, then = (min(turn[which].ms for turn in turns) for which in (0, 1))
    print(f"{now:.3f} ms of processor time a sentence, {then:.3f} ms at {arguments.against}: {then / now:.2f}x")


if __name__ == "__main__":
    main()
