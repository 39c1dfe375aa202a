"""What a training keeps on disk, to go on from: weights and moments, and the step that they belong to.

`last.pt` is written every few steps, `stable.pt` where the rate begins to fall. A longer training goes on from the
latter, since until there it would have done the same.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["LAST", "STABLE", "Checkpoint", "find_checkpoint", "snapshot_path", "snapshots", "write_snapshot"]

LAST, STABLE = "last.pt", "stable.pt"
_SNAPSHOT = "weights-{:08d}.npy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """The state after a step; `stable` names all that decides weights before the decay, `schedule` the decay."""

    stable: str
    schedule: str
    step: int
    number: int  # of the pass
    place: int  # steps of the pass that are done
    weights: Tensor
    mean: Tensor
    square: Tensor

    def write(self, path: Path) -> None:
        """Write it, whole or not at all."""
        import torch

        with atomic_write_bytes(path) as stream:
            torch.save({name: getattr(self, name) for name in self.__dataclass_fields__}, stream)

    @classmethod
    def read(cls, path: Path) -> Checkpoint:
        """Read what `write` wrote."""
        import torch

        try:
            values: dict[str, Any] = torch.load(path, weights_only=True)
            return cls(**values)
        except (RuntimeError, TypeError, ValueError, EOFError, pickle.UnpicklingError, OSError) as error:
            what = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
            msg = f"{path}: expected a checkpoint of a training, found something else ({what}); remove it to begin anew"
            raise DataError(msg) from None


def find_checkpoint(
    folder: Path, *, stable: str, schedule: str, stable_steps: int, averaged_steps: Sequence[int], size: int
) -> Checkpoint | None:
    """Return the latest state that the training can go on from; one of another training is an error."""
    best = None
    for path in (folder / STABLE, folder / LAST):
        if not path.is_file():
            continue
        found = Checkpoint.read(path)
        if found.stable != stable or found.weights.numel() != size:
            msg = (
                f"{path}: expected a checkpoint of this recipe, found one of other data or settings; "
                "give another --work, or remove the folder to begin anew"
            )
            raise DataError(msg)
        fits = found.step <= stable_steps or found.schedule == schedule
        kept = all(snapshot_path(folder, step).is_file() for step in averaged_steps if step <= found.step)
        if fits and kept and (best is None or found.step > best.step):
            best = found
    return best


def snapshot_path(folder: Path, step: int) -> Path:
    """Return where the weights after a step are kept for the average."""
    return folder / _SNAPSHOT.format(step)


def snapshots(folder: Path) -> dict[int, Path]:
    """Return all of these by their step."""
    return {int(path.stem.partition("-")[2]): path for path in sorted(folder.glob("weights-*.npy"))}


def write_snapshot(path: Path, weights: npt.NDArray[np.float32]) -> None:
    """Write weights, whole or not at all."""
    with atomic_write_bytes(path) as stream:
        np.save(stream, weights)
