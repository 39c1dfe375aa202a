"""Running a recipe: each stage in a process of its own, its results moved into place when it is done.

A stage works in `.recipe/unfinished/STAGE/KEY` of the work folder. What it saved is moved out by renaming, then its
receipt, so a run that is stopped at any moment leaves finished stages valid and nothing half-written under a final
name. A command that knows --checkpoint finds its own one again if it is started with the same ingredients.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from plainwright.errors import DataError, PlainwrightError, StageError
from plainwright.files import try_lock
from plainwright.learn.recipe.commands import Commands
from plainwright.learn.recipe.model import Recipe, Stage
from plainwright.learn.recipe.planning import Step, WorkFolder, check_start, judge
from plainwright.learn.recipe.processes import ProcessWatcher, StageProcess
from plainwright.learn.recipe.receipts import Receipt, Saved
from plainwright.learn.recipe.references import Reference

__all__ = ["Outcome", "Result", "Watcher", "run"]

_PATIENCE = 10.0  # seconds; processes of a run that was killed need a moment to notice
_OUT, _CHECKPOINT = "out", "checkpoint"  # in the folder where a stage works


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Says what became of a stage."""

    stage: Stage
    state: Literal["made", "kept"]
    reason: str  # why it was made
    receipt: Receipt


class Watcher(ProcessWatcher):
    """Is told what happens, from several threads; this one does not listen."""

    def started(self, step: Step) -> None:
        """A stage begins."""

    def finished(self, outcome: Outcome) -> None:
        """A stage is done, or need not run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Says what became of a recipe."""

    outcomes: tuple[Outcome, ...]
    seconds: float


def run(
    recipe: Recipe,
    work: str | Path,
    commands: Commands,
    *,
    stages: Collection[str] = (),
    force: Collection[str] = (),
    jobs: int = 1,
    watcher: Watcher | None = None,
) -> Result:
    """Run the stages that must run, up to `jobs` at a time; the results do not depend on that."""
    folder = WorkFolder(work)
    chosen = recipe.chosen(stages)
    check_start(recipe, folder, chosen, force)
    begun = time.monotonic()
    with _locked(folder) as lock:
        work_to_do = _Run(recipe, folder, commands, frozenset(force), watcher or Watcher(), lock)
        try:
            outcomes = work_to_do.all(chosen, jobs)
        finally:
            folder.digests.save()
    return Result(outcomes=outcomes, seconds=time.monotonic() - begun)


class _Run:
    def __init__(
        self,
        recipe: Recipe,
        work: WorkFolder,
        commands: Commands,
        force: frozenset[str],
        watcher: Watcher,
        lock: IO[bytes],
    ) -> None:
        self._recipe = recipe
        self._work = work
        self._commands = commands
        self._force = force
        self._watcher = watcher
        self._lock = lock
        self._processes: set[StageProcess] = set()
        self._starting = threading.Lock()
        self._stopped = False

    def all(self, stages: Sequence[Stage], jobs: int) -> tuple[Outcome, ...]:
        """Start each stage as soon as those before it are done. After a failure none is started any more."""
        done: dict[str, Outcome] = {}
        running: dict[str, Future[Outcome]] = {}
        failure: PlainwrightError | None = None
        with ThreadPoolExecutor(jobs) as pool, self._ending():
            while len(done) < len(stages):
                receipts = {name: outcome.receipt for name, outcome in done.items()}
                for stage in stages if failure is None else ():
                    waits = not all(name in done for name in stage.after)
                    if stage.name not in done and stage.name not in running and len(running) < jobs and not waits:
                        running[stage.name] = pool.submit(self._one, stage, receipts)
                if not running:
                    break
                wait(running.values(), return_when=FIRST_COMPLETED)
                for name in [name for name, future in running.items() if future.done()]:
                    try:
                        done[name] = running.pop(name).result()
                    except PlainwrightError as error:
                        failure = failure or error
        if failure is not None:
            raise failure
        return tuple(done[stage.name] for stage in stages)

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """However the block is left, no process stays behind."""
        try:
            yield
        except BaseException:
            with self._starting:
                self._stopped = True
                for process in list(self._processes):
                    process.terminate()
            raise

    def _one(self, stage: Stage, receipts: Mapping[str, Receipt]) -> Outcome:
        try:
            outcome = self._outcome(stage, receipts)
        except OSError as error:
            msg = f"{error.filename or self._work.folder}: {(error.strerror or str(error)).lower()}"
            raise self._failed(stage, msg) from None
        except DataError as error:
            raise self._failed(stage, str(error)) from None
        self._watcher.finished(outcome)
        return outcome

    def _outcome(self, stage: Stage, receipts: Mapping[str, Receipt]) -> Outcome:
        step = judge(self._recipe, self._work, stage, receipts, forced=stage.name in self._force)
        if step.state == "kept" and step.before is not None:
            # A run may have been killed while it cleared up.
            shutil.rmtree(self._work.unfinished(stage.name), ignore_errors=True)
            return Outcome(stage=stage, state="kept", reason="", receipt=step.before)
        self._watcher.started(step)
        return Outcome(stage=stage, state="made", reason=step.reason, receipt=self._make(step))

    def _make(self, step: Step) -> Receipt:
        stage, key = step.stage, step.key
        place = self._prepared(step)
        line = self._command_line(step, place)
        process = StageProcess(stage.name, line, self._work.folder, place / _OUT, self._watcher)
        try:
            self._execute(process)
            missing = [file for file in stage.saves.values() if not (place / _OUT / file).exists()]
            if missing:
                raise self._failed(stage, f"it did not write {missing[0]}")
            self._check_inputs(step)
            receipt = self._receipt(step, key, line, process, place)
            receipt.write(place / "receipt.json")
        except BaseException:
            # On a full disk every byte counts.
            _clear(place)
            raise
        self._move(place, receipt)
        return receipt

    def _prepared(self, step: Step) -> Path:
        """An empty folder for the stage, but for the checkpoint that a run with the same ingredients left."""
        parent = self._work.unfinished(step.stage.name)
        place = parent / step.key[:16]
        if step.stage.name in self._force:
            shutil.rmtree(parent, ignore_errors=True)
        place.mkdir(parents=True, exist_ok=True)
        for other in parent.iterdir():
            if other != place:
                shutil.rmtree(other)
        _clear(place)
        (place / _OUT).mkdir()
        return place

    def _command_line(self, step: Step, place: Path) -> list[str]:
        texts = {read.label: read.text for read in step.reads}
        inside = place.relative_to(self._work.folder)

        def written(reference: Reference) -> str:
            if reference.kind == "out":
                return f"{inside / _OUT / step.stage.saves[reference.name]}{reference.tail}"
            return texts[reference.label]

        line = step.stage.command_line(written)
        if step.stage.checkpoint:
            line.insert(len(step.stage.command), f"--checkpoint={inside / _CHECKPOINT}")
        return line

    def _execute(self, process: StageProcess) -> None:
        stage = self._recipe.stages[process.stage]
        with self._starting:
            if self._stopped:
                raise self._failed(stage, "the run was stopped")
            process.start(self._commands.program, self._lock)
            self._processes.add(process)
        try:
            status = process.finish()
        finally:
            self._processes.discard(process)
        if status != 0:
            raise self._failed(stage, process.last_words(status))

    def _check_inputs(self, step: Step) -> None:
        for reference in step.stage.reads:
            if reference.kind == "inputs":
                now = self._recipe.inputs[reference.name].content(self._work.digests, reference.tail)
                if any(read.label == reference.label and read.content != now for read in step.reads):
                    raise self._failed(step.stage, f"{reference.label} was changed while the stage was running")

    def _receipt(self, step: Step, key: str, line: list[str], process: StageProcess, place: Path) -> Receipt:
        contents = {
            name: (file, self._work.digests.of(place / _OUT / file, settled=True))
            for name, file in step.stage.saves.items()
        }
        return Receipt(
            stage=step.stage.name,
            key=key,
            ingredients=step.ingredients or {},
            reads={read.label: read.content.sha256 for read in step.reads if read.content is not None},
            command=("plainwright", *line),
            saved={
                name: Saved(file=file, sha256=content.sha256, bytes=content.bytes)
                for name, (file, content) in contents.items()
            },
            seconds=round(process.seconds, 3),
            cpu_seconds=process.cpu_seconds,
            peak_bytes=process.peak_bytes,
            printed=tuple(process.printed),
        )

    def _move(self, place: Path, receipt: Receipt) -> None:
        for saved in receipt.saved.values():
            final = self._work.folder / saved.file
            if final.is_dir() and not final.is_symlink():
                # A directory cannot be replaced in one step.
                final.rename(place / f"{saved.file}.old")
            made = place / _OUT / saved.file
            made.replace(final)
            self._work.digests.moved(made, final)
        (place / "receipt.json").replace(self._work.receipt_path(receipt.stage))
        shutil.rmtree(self._work.unfinished(receipt.stage), ignore_errors=True)

    def _failed(self, stage: Stage, why: str) -> StageError:
        return StageError(
            f"{self._recipe.path}: stage {stage.name!r} failed: {why}; "
            "finished stages are kept, and the same command goes on from there"
        )


def _clear(place: Path) -> None:
    for item in place.iterdir():
        if item.is_dir() and not item.is_symlink():
            if item.name != _CHECKPOINT:
                shutil.rmtree(item)
        else:
            item.unlink()


@contextmanager
def _locked(work: WorkFolder) -> Iterator[IO[bytes]]:
    """Within the block no other run works in this folder."""
    try:
        (work.state / "receipts").mkdir(parents=True, exist_ok=True)
        stream = (work.state / "lock").open("ab")
    except OSError as error:
        msg = f"{work.folder}: cannot be the work folder ({(error.strerror or str(error)).lower()})"
        raise DataError(msg) from None
    with stream:
        end = time.monotonic() + _PATIENCE
        while not try_lock(stream):
            if time.monotonic() > end:
                msg = f"{work.folder}: another run is at work here; wait for it, or give another --work"
                raise DataError(msg)
            time.sleep(0.05)
        yield stream
