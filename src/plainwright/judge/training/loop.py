"""The training: all rewrites of a few sources in each step, AdamW, a rate that rises and falls to 0.

The loss of a pair is the cross entropy of its four scores; of two rewrites of one source it is also how wrongly they
are ordered (RankNet, Burges et al. 2005), since scores compare within a block. What a step reads depends on the seed
and its number alone, so a training that was stopped ends at the same weights.
"""

from __future__ import annotations

import pickle
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes
from plainwright.judge.training.network import JudgeNetwork, as_batch
from plainwright.judge.training.ratings import Block, Example, examples_of
from plainwright.judge.training.recipe import JudgeTraining
from plainwright.judge.windows import PairTokenizer
from plainwright.stages import append_log

__all__ = ["LAST", "JudgeJob", "take_step", "train"]

LAST = "last.pt"
_LOG_EVERY = 10  # steps
_LONGEST_GRADIENT = 1.0
_LEAST_DIFFERENCE = 0.05  # of two scores, below which their order says nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeJob:
    """What is trained on what; `key` names all that decides the weights."""

    folder: Path
    key: str
    network: JudgeNetwork
    tokenizer: PairTokenizer
    blocks: Sequence[Block]  # to learn from
    training: JudgeTraining

    @property
    def steps_of_pass(self) -> int:
        """Steps in which every block is read once."""
        return -(-len(self.blocks) // self.training.blocks)

    @property
    def steps(self) -> int:
        """Steps in all."""
        return max(1, round(self.training.passes * self.steps_of_pass))

    def rate(self, step: int) -> float:
        """Return the rate of a step, from 0."""
        warm_up = max(1, round(self.steps * self.training.warm_up))
        rising, falling = (step + 1) / warm_up, (self.steps - step) / max(1, self.steps - warm_up)
        return self.training.rate * min(1.0, rising, falling)

    def examples(self, step: int) -> list[list[Example]]:
        """Return what a step reads, a list for each block."""
        number, place = divmod(step, self.steps_of_pass)
        order = list(range(len(self.blocks)))
        random.Random(f"{self.training.seed} pass {number}").shuffle(order)
        own = order[place * self.training.blocks : (place + 1) * self.training.blocks]
        chance = random.Random(f"{self.training.seed} step {step}")
        return [examples_of(self.blocks[at], self.blocks, self.training, chance) for at in own]


def train(job: JudgeJob, *, progress: Callable[[int, int], None] | None = None, until: int | None = None) -> None:
    """Train until the last step, from the last state if there is one; `until` pauses after a step."""
    torch.set_num_threads(job.training.threads)
    optimiser = torch.optim.AdamW(job.network.parameters(), weight_decay=job.training.weight_decay)
    step = _resume(job, optimiser)
    job.network.train()
    begun, tokens = time.monotonic(), 0
    while step < min(job.steps, job.steps if until is None else until):
        loss, read = take_step(job, optimiser, step)
        step, tokens = step + 1, tokens + read
        if step % _LOG_EVERY == 0 or step == job.steps:
            speed = round(tokens / (time.monotonic() - begun))
            append_log(job.folder, step=step, of=job.steps, loss=loss, tokens_a_second=speed)
        if step % job.training.save_every == 0 or step in (job.steps, until):
            _save(job, optimiser, step)
        if progress is not None:
            progress(step, job.steps)
    job.network.eval()


def take_step(job: JudgeJob, optimiser: Any, step: int) -> tuple[float, int]:
    """Learn from what a step reads; return its loss and the tokens in it."""
    torch.manual_seed(job.training.seed * 1_000_003 + step)  # of dropout
    for group in optimiser.param_groups:
        group["lr"] = job.rate(step)
    optimiser.zero_grad(set_to_none=True)
    blocks = job.examples(step)
    total, tokens = 0.0, 0
    for examples in blocks:
        pairs = [job.tokenizer(one.source, one.output) for one in examples]
        kept = [at for at, pair in enumerate(pairs) if len(pair) <= job.tokenizer.max_pieces]
        if not kept:
            continue
        batch = as_batch([pairs[at] for at in kept])
        tokens += int(batch["mask"].sum())
        is_short = job.training.precision == "bfloat16"
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=is_short):
            logits = job.network(**batch)
        loss = _loss(logits.float(), [examples[at] for at in kept], job.training.ranking) / len(blocks)
        loss.backward()
        total += float(loss.detach())
    torch.nn.utils.clip_grad_norm_(job.network.parameters(), _LONGEST_GRADIENT)
    optimiser.step()
    return total, tokens


def _loss(logits: Any, examples: Sequence[Example], ranking: float) -> Any:
    scores = torch.tensor([one.scores for one in examples]) / 100
    weights = torch.tensor([one.weight for one in examples])
    known = ~scores.isnan()
    scores = scores.nan_to_num(0.0)
    each = torch.nn.functional.binary_cross_entropy_with_logits(logits, scores, reduction="none")
    counted = weights[:, None] * known
    loss = (each * counted).sum() / counted.sum().clamp_min(1e-9)
    both = known[:, None] & known[None]
    difference = scores[:, None] - scores[None]
    is_better = (both & (difference > _LEAST_DIFFERENCE)) * (weights[:, None] * weights[None])[..., None] * difference
    order = torch.nn.functional.softplus(logits[None] - logits[:, None])
    return loss + ranking * (order * is_better).sum() / is_better.sum().clamp_min(1e-9)


def _save(job: JudgeJob, optimiser: Any, step: int) -> None:
    state = {"key": job.key, "step": step, "network": job.network.state_dict(), "optimiser": optimiser.state_dict()}
    with atomic_write_bytes(job.folder / LAST) as stream:
        torch.save(state, stream)


def _resume(job: JudgeJob, optimiser: Any) -> int:
    """Take up the last state; one of another training is an error."""
    path = job.folder / LAST
    if not path.is_file():
        return 0
    try:
        state = torch.load(path, weights_only=True)
        if state["key"] == job.key:
            job.network.load_state_dict(state["network"])
            optimiser.load_state_dict(state["optimiser"])
            return int(state["step"])
    except (RuntimeError, TypeError, ValueError, KeyError, EOFError, pickle.UnpicklingError, OSError) as error:
        what = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        msg = f"{path}: expected the state of a training, found something else ({what}); remove it to begin anew"
        raise DataError(msg) from None
    msg = (
        f"{path}: expected the state of this recipe, found one of other ratings or settings; give another --work, or "
        "remove it to begin anew"
    )
    raise DataError(msg)
