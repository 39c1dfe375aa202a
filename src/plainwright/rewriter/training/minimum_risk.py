"""Minimum-risk training as Maddela et al. (2023) have it: equations 3 and 4 of their section 4.2.

The loss of a source is gamma x (likelihood of the written rewrite, the mean of its tokens) + (1 - gamma) x (expected
cost of the candidates, each 1 - reward and as probable as the network has it among them). With a `sharpness` other
than 1, probabilities are raised to that power first (Shen et al., 2016).

Candidates are drawn in rounds of a few steps, from a graph of the weights at the beginning of the round. A round is to
the loop what a pass is, and ends with a checkpoint, so a training that was stopped begins its round again, with the
candidates that it had or would have.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plainwright.errors import DataError
from plainwright.files import atomic_write, iter_lines
from plainwright.rewriter.finding import Level
from plainwright.rewriter.training.averaging import with_trained
from plainwright.rewriter.training.batches import Batch, Example, as_arrays
from plainwright.rewriter.training.candidates import Drawn, Sampler
from plainwright.rewriter.training.layout import Matrices
from plainwright.rewriter.training.loop import TrainingJob, TrainingProcess, train
from plainwright.rewriter.training.network import Network
from plainwright.rewriter.training.recipe import Risk
from plainwright.rewriter.training.rewards import Reward
from plainwright.rewriter.training.vocabulary import SmallVocabulary
from plainwright.stages import append_log

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Group", "RiskJob", "RiskSource", "objective", "read_sources", "target_losses", "train_by_risk"]

_ROUND = "round.json"


class RiskSource(NamedTuple):
    """A source with its written rewrites; the likelihood is that of the first."""

    level: Level
    text: str
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The candidates of a source with their costs, beside what people wrote."""

    prompt: tuple[int, ...]
    reference: tuple[int, ...]
    candidates: tuple[tuple[int, ...], ...]
    costs: tuple[float, ...]

    @property
    def examples(self) -> list[Example]:
        """The reference, then the candidates."""
        return [Example(self.prompt, target) for target in (self.reference, *self.candidates)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskJob(TrainingJob):
    """A training whose passes are rounds of candidates."""

    risk: Risk

    @property
    def process(self) -> type[TrainingProcess]:
        """What each process runs."""
        return RiskProcess


def read_sources(paths: Sequence[Path]) -> Iterator[RiskSource]:
    """Read tables of a source and its references, separated by tabs."""
    for path in paths:
        for number, line in enumerate(iter_lines(path), start=1):
            source, *references = (" ".join(cell.split()) for cell in line.split("\t"))
            if not source or not any(references):
                msg = f"{path}:{number}: expected a source and references, separated by tabs, found {line[:60]!r}"
                raise DataError(msg)
            yield RiskSource("plain", source, tuple(filter(None, references)))


def train_by_risk(
    job: RiskJob,
    weights: Matrices,
    sources: Sequence[RiskSource],
    vocabulary: SmallVocabulary,
    reward: Reward,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Take all steps that are left, a round at a time; `weights` are those to begin with."""
    fitting = _fitting(sources, vocabulary, job.training.width)
    while (number := _prepared(job, weights, fitting, vocabulary, reward)) is not None:
        if progress is not None:
            progress(number * job.risk.refresh, job.steps)
        train(replace(job, until=(number + 1) * job.risk.refresh), weights, progress=progress)
    (job.folder / _ROUND).unlink(missing_ok=True)


def _prepared(
    job: RiskJob,
    weights: Matrices,
    fitting: Sequence[tuple[RiskSource, tuple[int, ...]]],
    vocabulary: SmallVocabulary,
    reward: Reward,
) -> int | None:
    """Write the candidates of the next round, if they are not there; return its number, None after the last."""
    found = job.checkpoint()
    if found is not None and found.step >= job.steps:
        return None
    number = 0 if found is None else found.number
    if _read_round(job.folder, number) is None:
        present = weights if found is None else with_trained(weights, found.weights.numpy(), job)
        groups, figures = _round(job, present, fitting, vocabulary, reward, number)
        with atomic_write(job.folder / _ROUND) as stream:
            json.dump({"round": number, "groups": [asdict(group) for group in groups]}, stream)
        append_log(job.folder, step=number * job.risk.refresh, of=job.steps, **figures)
    return number


def _fitting(
    sources: Sequence[RiskSource], vocabulary: SmallVocabulary, width: int
) -> list[tuple[RiskSource, tuple[int, ...]]]:
    """The sources that fit into a row with their first rewrite, and the tokens of this one."""
    read = vocabulary.encode([source.text for source in sources])
    written = vocabulary.encode([f" {source.references[0]}" for source in sources])
    rows = zip(sources, read, written, strict=True)
    # Beside the texts there are three tokens: begin, level, end.
    kept = [(one, (*ids, vocabulary.tokens.end)) for one, text, ids in rows if len(text) + len(ids) + 3 <= width]
    if not kept:
        msg = f"risk: expected sources that fit with their rewrite into {width} tokens, found none; raise train.width"
        raise DataError(msg)
    return kept


def _round(
    job: RiskJob,
    weights: Matrices,
    fitting: Sequence[tuple[RiskSource, tuple[int, ...]]],
    vocabulary: SmallVocabulary,
    reward: Reward,
    number: int,
) -> tuple[list[Group], dict[str, float]]:
    """Draw and score the candidates of a round; return them and the mean reward."""
    risk, seed = job.risk, f"{job.risk.seed} round {number}"
    order = list(fitting)
    random.Random(seed).shuffle(order)
    steps = min(risk.refresh, job.steps - number * risk.refresh)
    chosen = [order[place % len(order)] for place in range(steps * risk.sources)]
    drawn = Sampler(job, weights, vocabulary, job.folder).draw(
        [(source.level, source.text) for source, _ in chosen],
        count=risk.candidates,
        temperature=risk.temperature,
        seed=seed,
        longest=job.training.width,
    )
    groups, likeliest, every = [], list[float](), list[float]()
    for (source, written), own in zip(chosen, drawn, strict=True):
        rewards = _rewards(reward, source, own, job.training.processes)
        groups.append(
            Group(own.prompt, written, tuple(one.target for one in own.candidates), tuple(1 - one for one in rewards))
        )
        likeliest += rewards[:1]
        every += rewards
    means = {name: sum(values) / max(1, len(values)) for name, values in (("reward", every), ("best", likeliest))}
    return groups, {"reward": means["reward"], "reward_of_likeliest": means["best"]}


def _rewards(reward: Reward, source: RiskSource, drawn: Drawn, threads: int) -> list[float]:
    texts = [one.text for one in drawn.candidates]
    return reward.values(source.text, texts, source.references, threads=threads) if texts else []


def _read_round(folder: Path, number: int) -> list[Group] | None:
    """Return the groups of a round, or None if they are not there."""
    try:
        found = json.loads((folder / _ROUND).read_text(encoding="utf-8"))
    except OSError:
        return None
    if found["round"] != number:
        return None
    return [
        Group(
            tuple(group["prompt"]),
            tuple(group["reference"]),
            tuple(map(tuple, group["candidates"])),
            tuple(group["costs"]),
        )
        for group in found["groups"]
    ]


def objective(losses: Tensor, group: Group, risk: Risk) -> Tensor:
    """Return equation 4 for a source; `losses` are -log p of the reference and of each candidate."""
    likelihood = losses[0] / len(group.reference)
    if not group.candidates:
        return risk.gamma * likelihood
    chances = (-risk.sharpness * losses[1:]).softmax(0)
    expected = (chances * losses.new_tensor(group.costs)).sum()
    return risk.gamma * likelihood + (1 - risk.gamma) * expected


def target_losses(
    network: Network, weights: dict[str, Tensor], examples: Sequence[Example], rows: int, width: int
) -> Tensor:
    """Return -log p of the target of each example, read in batches of one shape."""
    import torch

    packed = _packed(examples, width)
    packed += [[] for _ in range(-len(packed) % rows)]
    found: dict[int, Tensor] = {}
    for first in range(0, len(packed), rows):
        some = packed[first : first + rows]
        batch = Batch(width, tuple(tuple(examples[number] for number in row) for row in some))
        order = [number for row in some for number in row]
        losses = network.token_losses(weights, as_arrays(batch))
        parts = losses.split([len(examples[number].target) for number in order])
        found |= {number: part.sum() for number, part in zip(order, parts, strict=True)}
    return torch.stack([found[number] for number in range(len(examples))])


def _packed(examples: Sequence[Example], width: int) -> list[list[int]]:
    """Fill rows with the numbers of examples, each into the first row that has room."""
    rows: list[list[int]] = []
    room: list[int] = []
    for number, example in enumerate(examples):
        place = next((at for at, left in enumerate(room) if example.length <= left), len(rows))
        if place == len(rows):
            rows.append([])
            room.append(width)
        rows[place].append(number)
        room[place] -= example.length
    return rows


class RiskProcess(TrainingProcess):
    """One of the processes: reads groups of candidates where others read batches."""

    job: RiskJob

    def _steps_of(self, number: int) -> list[list[Any]]:
        job = self.job
        groups = _read_round(job.folder, number) or []
        size, processes = job.risk.sources, job.training.processes
        steps = (groups[first : first + size] for first in range(0, len(groups), size))
        return [[step[rank::processes] for rank in range(processes)] for step in steps]

    def _gradient(self, weights: dict[str, Tensor], batch: Any) -> tuple[float, int, int]:
        training, total, tokens = self.job.training, 0.0, 0
        for groups in _chunks(batch, training.rows, training.width):
            examples = [example for group in groups for example in group.examples]
            losses = target_losses(self.network, weights, examples, training.rows, training.width)
            own = losses.split([1 + len(group.candidates) for group in groups])
            values = [objective(one, group, self.job.risk) for one, group in zip(own, groups, strict=True)]
            loss = sum(values[1:], values[0])
            loss.backward()
            total += loss.item()
            tokens += sum(example.length for example in examples)
        return total, len(batch), tokens


def _chunks(groups: Sequence[Group], rows: int, width: int) -> Iterator[list[Group]]:
    """Put groups together for as long as they fit into one batch: what a gradient needs is in memory until then."""
    chunk: list[Group] = []
    for group in groups:
        examples = [example for one in (*chunk, group) for example in one.examples]
        if chunk and len(_packed(examples, width)) > rows:
            yield chunk
            chunk = []
        chunk.append(group)
    if chunk:
        yield chunk
