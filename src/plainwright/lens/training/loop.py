"""One training: epochs, the state with the least validation loss, and a checkpoint after every epoch.

Order and dropout of an epoch depend on the seed and its number alone, so a training that was stopped goes on as if it
had not been.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes
from plainwright.lens.training.folds import Indices
from plainwright.lens.training.network import torch_module

__all__ = ["BATCHES", "Batches", "History", "Schedule", "Trainee", "fit"]

Batches = Literal["mixed", "source"]
BATCHES: tuple[Batches, ...] = get_args(Batches)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """Says how long to train, and in what portions."""

    epochs: int = 20
    patience: int | None = None  # epochs without a lower validation loss before it stops; None: never
    batch: int = 8
    batches: Batches = "mixed"  # of any outputs; or each of outputs of one source, which share its references


@dataclass(frozen=True, slots=True)
class History:
    """Validation losses of the epochs; `best` is the place of the least."""

    losses: tuple[float, ...]

    @property
    def best(self) -> int:
        """The epoch whose state was taken, from 0."""
        return int(np.argmin(self.losses))


class Trainee(Protocol):
    """Can be trained by `fit`."""

    def begin(self, epoch: int, seed: int) -> None:
        """Before an epoch: set every source of chance."""

    def step(self, rows: Indices) -> None:
        """Learn from these rows."""

    def loss(self, rows: Indices) -> float:
        """Return the mean loss on these rows, without learning."""

    def state(self) -> Mapping[str, Any]:
        """Return a copy of what is learnt."""

    def load(self, state: Mapping[str, Any]) -> None:
        """Undo `state`."""

    def optimiser_state(self) -> Any:
        """Return what the optimiser remembers."""

    def load_optimiser(self, state: Any) -> None:
        """Undo `optimiser_state`."""


def fit(
    trainee: Trainee,
    training: Indices,
    validation: Indices,
    schedule: Schedule,
    *,
    seed: int,
    sources: npt.NDArray[Any] | None = None,
    checkpoint: Path | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> History:
    """Train, and leave the trainee in the state of its best epoch.

    `sources` tells rows of the same source apart from others, for a schedule whose batches are of one source each.
    `checkpoint` is written after each epoch, and taken up if it is there; `tell` hears of epochs done, of how many.
    """
    losses: list[float] = []
    best: Mapping[str, Any] = trainee.state()
    if checkpoint is not None and checkpoint.is_file():
        losses, best = _taken_up(trainee, checkpoint, seed)
    while len(losses) < schedule.epochs and not _exhausted(losses, schedule.patience):
        epoch = len(losses)
        trainee.begin(epoch, seed)
        for rows in _portions(training, schedule, sources, np.random.default_rng([seed, epoch])):
            trainee.step(rows)
        loss = trainee.loss(validation)
        if not np.isfinite(loss):
            msg = f"training diverged in epoch {epoch + 1} (the validation loss is {loss}); give a lower learning rate"
            raise DataError(msg)
        if loss < min(losses, default=np.inf):
            best = trainee.state()
        losses.append(loss)
        if checkpoint is not None:
            _write(trainee, checkpoint, losses, best, seed)
        if tell is not None:
            tell(len(losses), schedule.epochs)
    trainee.load(best)
    return History(tuple(losses))


def _portions(
    training: Indices, schedule: Schedule, sources: npt.NDArray[Any] | None, chance: np.random.Generator
) -> Iterator[Indices]:
    """Batches in an order of chance."""
    order, size = chance.permutation(training), schedule.batch
    if schedule.batches == "mixed" or sources is None:
        yield from (order[start : start + size] for start in range(0, len(order), size))
        return
    of = sources[order]
    alike = [order[of == source] for source in np.unique(of)]
    batches = [rows[start : start + size] for rows in alike for start in range(0, len(rows), size)]
    yield from (batches[at] for at in chance.permutation(len(batches)))


def _exhausted(losses: list[float], patience: int | None) -> bool:
    return patience is not None and len(losses) > 0 and len(losses) - 1 - int(np.argmin(losses)) >= patience


def _write(trainee: Trainee, path: Path, losses: list[float], best: Mapping[str, Any], seed: int) -> None:
    torch = torch_module()
    content = {
        "seed": seed,
        "losses": losses,
        "best": dict(best),
        "state": dict(trainee.state()),
        "optimiser": trainee.optimiser_state(),
    }
    with atomic_write_bytes(path) as stream:
        torch.save(content, stream)


def _taken_up(trainee: Trainee, path: Path, seed: int) -> tuple[list[float], Mapping[str, Any]]:
    torch = torch_module()
    try:
        content = torch.load(path, weights_only=True)
        if content["seed"] != seed:
            msg = f"{path}: expected a checkpoint of seed {seed}, found seed {content['seed']}; train without --resume"
            raise DataError(msg)
        trainee.load(content["state"])
        trainee.load_optimiser(content["optimiser"])
        return [float(loss) for loss in content["losses"]], content["best"]
    except DataError:
        raise
    except Exception as error:  # torch raises whatever its unpickler does
        first_line = str(error).partition("\n")[0].strip()
        msg = f"{path}: expected a checkpoint, found something else ({first_line:.80}); train without --resume"
        raise DataError(msg) from None
