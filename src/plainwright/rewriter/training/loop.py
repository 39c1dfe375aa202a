"""The training: processes of one thread each that share all weights, and take every step together.

Each process finds the gradient of a batch of its own; then each updates its part of the weights by the mean of all
gradients. The rate rises, stays, and falls to 0 over the last steps, during which the network runs with weights rounded
as they will be kept: gradients are those of rounded weights, and change the exact ones (straight through).
Nothing depends on time or on how often the training was stopped, so it ends at the same weights.
"""

from __future__ import annotations

import ctypes
import math
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plainwright.errors import StageError
from plainwright.rewriter.controls import PromptTokens
from plainwright.rewriter.training import checkpoints
from plainwright.rewriter.training.base import Sizes
from plainwright.rewriter.training.batches import as_arrays, held_out_batches, longest, pass_batches
from plainwright.rewriter.training.checkpoints import Checkpoint
from plainwright.rewriter.training.layout import Layout, Matrices
from plainwright.rewriter.training.network import Network
from plainwright.rewriter.training.pairs import Pairs
from plainwright.rewriter.training.recipe import Training
from plainwright.rewriter.training.rounding import rounded
from plainwright.stages import append_log

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["TrainingJob", "TrainingProcess", "running_weights", "train"]

_LOG_EVERY = 10  # steps
_BETAS = (0.9, 0.98)
_EPSILON = 1e-8
_LONGEST_GRADIENT = 1.0
_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>
_PATIENCE = 0.5  # seconds between looks at the processes


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingJob:
    """All that a process must know; `stable` and `schedule` name what decides the weights, `until` where to pause."""

    folder: Path
    pairs: Path
    tokens: PromptTokens
    sizes: Sizes
    layout: Layout
    training: Training
    steps: int
    stable: str
    schedule: str
    until: int | None = None

    @property
    def process(self) -> type[TrainingProcess]:
        """What each process runs."""
        return TrainingProcess

    @property
    def pause(self) -> int:
        """The last step of this call of `train`."""
        return self.steps if self.until is None else min(self.steps, self.until)

    @property
    def stable_steps(self) -> int:
        """Steps before the rate falls."""
        return max(0, self.steps - self.training.decay_steps)

    @property
    def averaged_steps(self) -> list[int]:
        """The steps after which weights are kept for the average."""
        steps = (self.steps - number * self.training.average_every for number in range(self.training.average))
        return [step for step in steps if step > 0]

    def rate(self, step: int) -> float:
        """Return the rate of a step, from 1."""
        rate = self.training.rate * min(1.0, step / self.training.warm_up)
        if step > self.stable_steps:
            rate *= (self.steps + 1 - step) / (self.steps + 1 - self.stable_steps)
        return rate

    def checkpoint(self) -> Checkpoint | None:
        """Return the latest state that the training can go on from."""
        return checkpoints.find_checkpoint(
            self.folder,
            stable=self.stable,
            schedule=self.schedule,
            stable_steps=self.stable_steps,
            averaged_steps=self.averaged_steps,
            size=self.layout.size,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shared:
    """What all processes read and write."""

    weights: Tensor
    mean: Tensor
    square: Tensor
    running: Tensor  # the weights as the network has them
    gradients: list[Tensor]
    frozen: dict[str, Tensor]
    frozen_rounded: dict[str, Tensor]
    figures: Tensor  # of each process: loss, targets, tokens, squared gradient
    position: Tensor  # step, pass, steps of the pass that are done


def train(job: TrainingJob, weights: Matrices, *, progress: Callable[[int, int], None] | None = None) -> None:
    """Train until the last step, from the latest checkpoint if there is one; the results are the kept weights."""
    from torch import multiprocessing

    shared = _shared(job, weights)
    for step, path in checkpoints.snapshots(job.folder).items():
        if step > shared.position[0]:  # of a schedule that was given up
            path.unlink()
    barrier = multiprocessing.get_context("spawn").Barrier(job.training.processes)
    context = multiprocessing.start_processes(
        _work, (job, shared, barrier), nprocs=job.training.processes, join=False, start_method="spawn"
    )
    try:
        while not context.join(timeout=_PATIENCE):
            if progress is not None:
                progress(int(shared.position[0]), job.steps)
    except multiprocessing.ProcessExitedException as error:
        msg = (
            f"a process of the training ended ({error}); is memory short? the same command goes on from the last state"
        )
        raise StageError(msg) from None
    finally:
        for process in context.processes:
            process.kill()


def _shared(job: TrainingJob, weights: Matrices) -> _Shared:
    import torch

    layout, training = job.layout, job.training
    kind = getattr(torch, training.precision)
    found = job.checkpoint()
    begun = torch.from_numpy(layout.flat(weights)) if found is None else found.weights
    frozen = {place.name: torch.from_numpy(weights[place.name]) for place in layout.frozen}
    bits = {place.name: place.bits for place in layout.frozen}
    shared = _Shared(
        weights=begun,
        mean=torch.zeros_like(begun) if found is None else found.mean,
        square=torch.zeros_like(begun) if found is None else found.square,
        running=torch.zeros(layout.size, dtype=kind),
        gradients=[torch.zeros(layout.size, dtype=kind) for _ in range(training.processes)],
        frozen={name: value.to(kind) for name, value in frozen.items()},
        frozen_rounded={name: _as_kept(value, bits[name]).to(kind) for name, value in frozen.items()},
        figures=torch.zeros((training.processes, 4), dtype=torch.float64),
        position=torch.tensor([0, 0, 0] if found is None else [found.step, found.number, found.place]),
    )
    step = int(shared.position[0])
    running_weights(shared.weights, shared.running, layout, (0, layout.size), is_rounded=step >= job.stable_steps)
    for tensor in (shared.weights, shared.mean, shared.square, shared.running, shared.figures, shared.position):
        tensor.share_memory_()
    for tensor in (*shared.gradients, *shared.frozen.values(), *shared.frozen_rounded.values()):
        tensor.share_memory_()
    return shared


def _as_kept(values: Tensor, bits: int | None) -> Tensor:
    return values if bits is None else rounded(values, bits)


def running_weights(
    weights: Tensor, running: Tensor, layout: Layout, part: tuple[int, int], *, is_rounded: bool
) -> None:
    """Write a part of the weights as the network will have them."""
    for start, end, bits in layout.within(*part):
        running[start:end].copy_(_as_kept(weights[start:end], bits if is_rounded else None))


def _work(rank: int, job: TrainingJob, shared: _Shared, barrier: Any) -> None:
    import torch

    _end_with_parent()
    torch.set_num_threads(1)
    job.process(rank, job, shared, barrier).run()


def _end_with_parent() -> None:
    """Have the system end this process with its parent; torch asks for an interrupt, which `nohup` has it ignore."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


class TrainingProcess:
    """One of the processes."""

    def __init__(self, rank: int, job: TrainingJob, shared: _Shared, barrier: Any) -> None:
        self.rank, self.job, self.shared, self.barrier = rank, job, shared, barrier
        training = job.training
        self.part = job.layout.share(rank, training.processes)
        self.network = Network.build(
            job.sizes,
            frozen_layers=training.frozen_layers,
            written=job.tokens.first_control,
            positions=longest(training),
            compiled=training.compile,
        )
        self.trained: dict[str, Tensor] = {}
        for place in job.layout.trained:
            weights = shared.running[place.start : place.end].view(place.shape).detach().requires_grad_(True)
            weights.grad = shared.gradients[rank][place.start : place.end].view(place.shape)
            self.trained[place.name] = weights
        self.pairs = list(Pairs.read(job.pairs))
        held_out = held_out_batches(self.pairs, job.tokens, training)
        self.held_out = [as_arrays(batch) for batch in held_out[rank :: training.processes]]
        self.has_held_out = bool(held_out)

    def run(self) -> None:
        """Take all steps that are left."""
        job, position = self.job, self.shared.position
        number, steps, begun, tokens = -1, list[list[Any]](), time.monotonic(), 0.0
        self._evaluate(int(position[0]))
        while (step := int(position[0])) < job.pause:
            if number != int(position[1]):
                number = int(position[1])
                steps = self._steps_of(number)
            place = int(position[2])
            figures = self._step(steps[place][self.rank], step + 1)
            tokens += figures["tokens"]
            self.barrier.wait()  # all have read the position
            if self.rank == 0:
                ended = place + 1 == len(steps)
                position.copy_(position.new_tensor([step + 1, number + ended, 0 if ended else place + 1]))
                if (step + 1) % _LOG_EVERY == 0 or step + 1 == job.steps:
                    speed = tokens / (time.monotonic() - begun)
                    self._log(step=step + 1, of=job.steps, **figures, tokens_a_second=round(speed))
                self._keep(step + 1)
            self.barrier.wait()
            if (step + 1) % job.training.evaluate_every == 0 or step + 1 == job.steps:
                self._evaluate(step + 1)

    def _steps_of(self, number: int) -> list[list[Any]]:
        """Return the steps of a pass, each with what every process reads in it."""
        return list(pass_batches(self.pairs, self.job.tokens, self.job.training, number))

    def _gradient(self, weights: dict[str, Tensor], batch: Any) -> tuple[float, int, int]:
        """Add the gradient of what one process reads; return its loss, what to divide both by, and the tokens."""
        loss, targets = self.network.loss(weights, as_arrays(batch))
        loss.backward()
        return loss.item(), targets, batch.tokens

    def _step(self, batch: Any, step: int) -> dict[str, float]:
        """Learn from a batch of each process; return the figures of all."""
        shared, (start, end) = self.shared, self.part
        shared.gradients[self.rank].zero_()
        own = self._gradient(self._weights(step - 1), batch)
        shared.figures[self.rank, :3] = shared.figures.new_tensor(own)
        self.barrier.wait()
        total_loss, total_targets, tokens, _ = shared.figures.sum(0).tolist()
        gradient = sum(one[start:end].float() for one in shared.gradients) / max(1.0, total_targets)
        shared.figures[self.rank, 3] = gradient.square().sum()
        self.barrier.wait()
        norm = math.sqrt(shared.figures[:, 3].sum().item())
        if norm > _LONGEST_GRADIENT:
            gradient.mul_(_LONGEST_GRADIENT / norm)
        rate = self.job.rate(step)
        self._update(gradient, step, rate)
        is_rounded = step >= self.job.stable_steps
        running_weights(shared.weights, shared.running, self.job.layout, self.part, is_rounded=is_rounded)
        return {"loss": total_loss / max(1.0, total_targets), "norm": norm, "rate": rate, "tokens": tokens}

    def _update(self, gradient: Tensor, step: int, rate: float) -> None:
        """Take a step of AdamW (Loshchilov and Hutter, 2019) with this process's part of the weights."""
        shared, (start, end) = self.shared, self.part
        weights, mean, square = (one[start:end] for one in (shared.weights, shared.mean, shared.square))
        first, second = _BETAS
        mean.lerp_(gradient, 1 - first)
        square.mul_(second).addcmul_(gradient, gradient, value=1 - second)
        deviation = square.sqrt().div_(math.sqrt(1 - second**step)).add_(_EPSILON)
        weights.mul_(1 - rate * self.job.training.weight_decay)
        weights.addcdiv_(mean, deviation, value=-rate / (1 - first**step))

    def _weights(self, step: int) -> dict[str, Tensor]:
        shared = self.shared
        return {**(shared.frozen_rounded if step >= self.job.stable_steps else shared.frozen), **self.trained}

    def _evaluate(self, step: int) -> None:
        import torch

        if not self.has_held_out:
            return
        loss, targets = 0.0, 0
        with torch.no_grad():
            for batch in self.held_out:
                some, count = self.network.loss(self._weights(step), batch)
                loss, targets = loss + some.item(), targets + count
        figures = self.shared.figures
        figures[self.rank, :2] = figures.new_tensor([loss, targets])
        self.barrier.wait()
        if self.rank == 0:
            total, count = figures[:, :2].sum(0).tolist()
            self._log(step=step, of=self.job.steps, held_out_loss=total / max(1.0, count))
        self.barrier.wait()

    def _keep(self, step: int) -> None:
        """Write what a later start needs."""
        job = self.job
        if step in job.averaged_steps:
            path = checkpoints.snapshot_path(job.folder, step)
            checkpoints.write_snapshot(path, self.shared.weights.numpy())
        names = [checkpoints.STABLE] if step == job.stable_steps and job.training.decay_steps else []
        names += [checkpoints.LAST] if step % job.training.save_every == 0 or step == job.steps else []
        for name in names:
            self._checkpoint().write(job.folder / name)

    def _checkpoint(self) -> Checkpoint:
        shared = self.shared
        step, number, place = map(int, shared.position)
        return Checkpoint(
            stable=self.job.stable,
            schedule=self.job.schedule,
            step=step,
            number=number,
            place=place,
            weights=shared.weights,
            mean=shared.mean,
            square=shared.square,
        )

    def _log(self, **figures: float) -> None:
        append_log(self.job.folder, **figures)
