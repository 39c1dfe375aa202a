"""The training: first on what writers did, then on what readers found right; AdamW, rates that rise and fall to 0.

What a step reads depends on the seed and its number alone, so a training that was stopped ends at the same weights.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from plainwright.encoders.states import resume, save
from plainwright.learn.substitution.examples import Example
from plainwright.learn.substitution.network import SubstitutionNetwork, as_batch
from plainwright.learn.substitution.recipe import SubstitutionTraining
from plainwright.stages import append_log
from plainwright.substitution.pieces import CandidateTokenizer, Layout

__all__ = ["SubstitutionJob", "train"]

_LOG_EVERY = 10  # steps
_LONGEST_GRADIENT = 1.0
_HEAD = 4.0  # how much faster the head learns, which knows nothing at first
_SORTED = 512  # examples among which those of one length come together


@dataclass(frozen=True, slots=True)
class _Read:
    """An example as the network reads it."""

    layout: Layout
    right: Sequence[float]
    weights: Sequence[float]


@dataclass(frozen=True, slots=True)
class _Step:
    """What one step reads, and how fast it learns."""

    examples: Sequence[_Read]
    rate: float


@dataclass(frozen=True, kw_only=True)
class SubstitutionJob:
    """What is trained on what, in a folder of its own; `key` names all that decides the weights."""

    folder: Path
    key: str
    network: SubstitutionNetwork
    tokenizer: CandidateTokenizer
    examples: Callable[[], Sequence[Example]]  # asked only if a step is left to do
    passes: float
    rate: float
    training: SubstitutionTraining

    @cached_property
    def steps(self) -> list[_Step]:
        """Return all steps, in order."""
        read = list(self._read(self.examples()))
        chance = random.Random(self.training.seed)
        batches: list[list[_Read]] = []
        whole, rest = divmod(self.passes, 1)
        for share in [1.0] * int(whole) + ([rest] if rest else []):
            own = list(_batches(read, self.training.pieces, chance))
            batches += own[: round(len(own) * share)]
        warm_up, count = self.training.warm_up, len(batches)
        return [
            _Step(batch, self.rate * min(1.0, (number + 1) / warm_up, (count - number) / max(1, count - warm_up)))
            for number, batch in enumerate(batches)
        ]

    def _read(self, examples: Sequence[Example]) -> Iterator[_Read]:
        for example in examples:
            layout = self.tokenizer(example.sentence, example.candidates)
            if layout is not None:
                yield _Read(layout, example.right, example.weights)


def train(job: SubstitutionJob, *, progress: Callable[[int, int], None] | None = None, until: int | None = None) -> int:
    """Train until the last step, from the last state if there is one, and return it; `until` pauses after a step."""
    torch.set_num_threads(job.training.threads)
    network = job.network
    body, head = network.transformer.parameters(), [*network.hidden.parameters(), *network.logit.parameters()]
    groups = [{"params": list(body), "times": 1.0}, {"params": head, "times": _HEAD}]
    optimiser = torch.optim.AdamW(groups, weight_decay=job.training.weight_decay)
    step = resume(job.folder, key=job.key, network=network, optimiser=optimiser)
    last = min(len(job.steps), len(job.steps) if until is None else until)
    network.train()
    begun, pieces = time.monotonic(), 0
    while step < last:
        loss, read = _take(job, optimiser, step)
        step, pieces = step + 1, pieces + read
        if step % _LOG_EVERY == 0 or step == last:
            speed = round(pieces / (time.monotonic() - begun))
            append_log(job.folder, step=step, of=len(job.steps), loss=loss, tokens_a_second=speed)
        if step % job.training.save_every == 0 or step == last:
            save(job.folder, key=job.key, step=step, network=network, optimiser=optimiser)
        if progress is not None:
            progress(step, len(job.steps))
    network.eval()
    return step


def _take(job: SubstitutionJob, optimiser: Any, number: int) -> tuple[float, int]:
    """Learn from what a step reads; return its loss and the pieces in it."""
    torch.manual_seed(job.training.seed * 1_000_003 + number)  # of dropout
    step = job.steps[number]
    for group in optimiser.param_groups:
        group["lr"] = step.rate * group["times"]
    batch = as_batch([example.layout for example in step.examples])
    rows = torch.tensor([row for row, one in enumerate(step.examples) for _ in one.right])
    begins = torch.tensor([int(place) for one in step.examples for place in one.layout.begins])
    right = torch.tensor([value for one in step.examples for value in one.right])
    weights = torch.tensor([value for one in step.examples for value in one.weights])
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=job.training.precision == "bfloat16"):
        logits = job.network(**batch)[rows, begins]
    each = torch.nn.functional.binary_cross_entropy_with_logits(logits.float(), right, reduction="none")
    loss = (each * weights).sum() / weights.sum()
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(job.network.parameters(), _LONGEST_GRADIENT)
    optimiser.step()
    return float(loss.detach()), batch["ids"].numel()


def _batches(examples: Sequence[_Read], pieces: int, chance: random.Random) -> Iterator[list[_Read]]:
    """Yield all examples in the order of chance, those of about one length together, at most so many pieces at once."""
    order = list(examples)
    chance.shuffle(order)
    batches: list[list[_Read]] = []
    for start in range(0, len(order), _SORTED):
        batch: list[_Read] = []
        for example in sorted(order[start : start + _SORTED], key=lambda one: len(one.layout)):
            if batch and len(example.layout) * (len(batch) + 1) > pieces:
                batches.append(batch)
                batch = []
            batch.append(example)
        batches.append(batch)
    chance.shuffle(batches)
    yield from batches
