"""`plainwright learn run`: what is shown, and what stays after kills, full disks and wrong recipes."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
import typer
from tests import in_process

from plainwright.cli import main as cli

ROOT = Path(__file__).resolve().parents[2]
RECIPE = """\
[inputs]
text = "text.txt"

[stages.small]
command = "lm build"
arguments = ["{inputs.text}"]
options = { order = 1 }
saves = "small.arpa"

[stages.large]
command = "lm build"
arguments = ["{inputs.text}"]
options = { order = 3 }
saves = "large.arpa"

[stages.packed]
command = "lm pack"
arguments = ["{stages.large}"]
saves = "large.lm"
"""


def prepare(folder: Path) -> Path:
    (folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    # Few words and many of their sequences, so that one model is small and the other is not.
    numbers = [(17 * number * number + 3) % 29 for number in range(4000)]
    lines = [" ".join(f"w{number}" for number in numbers[start : start + 40]) for start in range(0, 4000, 40)]
    words = [f"w{first} w{second} w{third}" for first in range(12) for second in range(12) for third in range(12)]
    (folder / "text.txt").write_text("\n".join([*lines, *words]) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return prepare(tmp_path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run makes that nothing disturbs."""
    folder = prepare(tmp_path_factory.mktemp("undisturbed"))
    assert run(folder, "--work", "whole").returncode == 0
    return folder / "whole"


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "plainwright", "learn", "run", *map(str, arguments)]


def run(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The command in this process; the stages have their own."""
    return in_process.run("learn", "run", "recipe.toml", *arguments, cwd=folder)


def names(folder: Path) -> set[str]:
    return {path.name for path in (folder / "build" / "recipe").iterdir()} - {".recipe"}


def states(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    assert done.returncode == 0, done.stderr
    return {row["stage"]: row["state"] for row in json.loads(done.stdout)["stages"]}


def test_a_run_ends_with_a_table_and_shows_what_stages_print(folder: Path) -> None:
    done = run(folder)
    assert done.returncode == 0
    header, *rows, last = done.stdout.splitlines()
    assert header.split() == ["stage", "seconds", "size", "saved"]
    assert [row.split()[:2] for row in rows] == [["small", "made"], ["large", "made"], ["packed", "made"]]
    assert rows[2].split()[-1] == "large.lm"
    assert last.split()[0] == "all"
    assert last.endswith("build/recipe")
    assert "packed: large.lm\t" in done.stderr
    assert ".recipe" not in done.stderr  # where stages work meanwhile is nobody's business
    quiet = run(folder, "--quiet", "--force", "packed")
    assert (quiet.returncode, quiet.stderr) == (0, "")


def test_a_dry_run_says_what_it_would_do_and_writes_nothing(folder: Path) -> None:
    done = run(folder, "--dry-run")
    size = (folder / "text.txt").stat().st_size
    assert done.stdout.startswith(
        f"small\trun: never run\n  reads text.txt\t{size / 1000:.1f} kB\n  saves small.arpa\n"
    )
    assert done.stdout.endswith(f"build/recipe\t3 to run\t0 kept\t{size / 1000:.1f} kB of inputs\n")
    assert sorted(path.name for path in folder.iterdir()) == ["recipe.toml", "text.txt"]
    plan = json.loads(run(folder, "--dry-run", "--json").stdout)
    assert [(row["stage"], row["state"], row["reason"]) for row in plan["stages"]] == [
        ("small", "run", "never run"),
        ("large", "run", "never run"),
        ("packed", "run", "never run"),
    ]
    assert plan["stages"][2]["reads"] == [{"name": "stages.large", "path": "large.arpa", "bytes": None}]


def wait_for(condition: object, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while not condition():  # type: ignore[operator]
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.002)


def children(process: subprocess.Popen[bytes]) -> list[int]:
    """Processes that it started, as Linux lists them."""
    found: list[int] = []
    for path in Path(f"/proc/{process.pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has just ended
            found += map(int, path.read_text().split())
    return found


def is_running(number: int) -> bool:
    """Whether there is such a process, and not only its name waiting to be taken off the list."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_killed_in_a_stage_goes_on_from_the_finished_ones(
    folder: Path, whole: Path, end: signal.Signals
) -> None:
    if not Path("/proc/self/task").exists():
        pytest.skip("needs a list of processes as Linux has it")
    unfinished = folder / "build" / "recipe" / ".recipe" / "unfinished" / "large"
    # Shells let what they start in the background ignore SIGINT, and a whole test run may have been started so.
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command("recipe.toml", "--quiet"), cwd=folder, preexec_fn=heard) as process:
        wait_for(unfinished.exists, process)
        started: list[int] = []
        wait_for(lambda: started.extend(children(process)) or started, process)
        process.send_signal(end)
    assert process.returncode == (130 if end == signal.SIGINT else -end)
    # On a busy machine the second stage may just have ended; then it is finished, and not half-made.
    finished = names(folder)
    assert finished in ({"small.arpa"}, {"small.arpa", "large.arpa"})
    large = "kept" if "large.arpa" in finished else "made"
    assert states(run(folder, "--json")) == {"small": "kept", "large": large, "packed": "made"}
    assert not any(map(is_running, started))  # what the killed run had started is gone too
    assert not unfinished.exists()
    for name in names(folder):
        assert (folder / "build" / "recipe" / name).read_bytes() == (whole / name).read_bytes()


def test_a_stage_that_meets_a_limit_of_the_disk_leaves_earlier_ones_valid(folder: Path) -> None:
    limit = 20_000  # bytes; more than the small model has, less than the large one
    done = subprocess.run(
        command("recipe.toml", "-q"), cwd=folder, capture_output=True, encoding="utf-8", check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(
        r"plainwright: recipe\.toml: stage 'large' failed: large\.arpa: cannot be written \(file too large\); "
        "finished stages are kept, and the same command goes on from there\n",
        done.stderr,
    )
    assert names(folder) == {"small.arpa"}
    left = (folder / "build" / "recipe" / ".recipe" / "unfinished").rglob("*")
    assert [path for path in left if path.is_file()] == []
    assert states(run(folder, "--json")) == {"small": "kept", "large": "made", "packed": "made"}


def test_a_full_disk_leaves_earlier_stages_valid(folder: Path) -> None:
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=60k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("needs the right to mount a small disk")
    try:
        done = run(folder, "-q", "--work", "disk/work")
        assert (done.returncode, done.stdout) == (2, "")
        assert "stage 'large' failed" in done.stderr
        assert "no space left on device" in done.stderr
        assert done.stderr.count("\n") == 1
        kept = {path.name for path in (disk / "work").iterdir()}
        assert kept == {".recipe", "small.arpa"}
        shutil.copytree(disk / "work", folder / "larger")
    finally:
        subprocess.run(["umount", disk], check=True)
    assert states(run(folder, "--work", "larger", "--json"))["small"] == "kept"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "inputs.text=missing.txt"), "inputs.text: missing.txt does not exist"),
        (("--set", "inputs.text"), "--set: expected KEY=VALUE, found 'inputs.text'"),
        (("--set", "stages.large.options.order=9"), "stages.large: invalid value for '--order'"),
        (("--stage", "largest"), "unknown stage of recipe.toml: 'largest'; did you mean large"),
        (("--jobs", "0"), "invalid value for '--jobs'"),
        (("--work", "text.txt"), "text.txt: expected a work folder, found a file"),
        (("--work", "text.txt", "--dry-run"), "text.txt: expected a work folder, found a file"),
        (("--work", "/proc/none"), "/proc/none: cannot be the work folder (no such file or directory)"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_nothing_is_written(
    folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run(folder, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == ["recipe.toml", "text.txt"]


def test_a_terminal_sees_which_stage_runs(folder: Path) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command("recipe.toml"), cwd=folder, stdout=subprocess.PIPE, stderr=slave, env={**os.environ, "TERM": "xterm"}
    )
    os.close(slave)
    shown = b""
    try:
        while data := os.read(master, 4096):
            shown += data
    except OSError:  # the other side is closed
        pass
    os.close(master)
    table, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert table.startswith(b"stage ")
    assert re.search(rb"large: \w+", shown)
    assert b"packed: large.lm" in shown


def test_every_option_is_documented() -> None:
    text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    command = typer.main.get_command(cli.app).commands["learn"].commands["run"]  # type: ignore[attr-defined]
    options = [option for option in command.params if option.param_type_name == "option"]
    assert [option.opts[0] for option in options if f"`{option.opts[0]}" not in text] == []
