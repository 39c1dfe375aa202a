"""The state of a training in torch as a file: written as a whole, and taken up again by the same training alone."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import torch

from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes

__all__ = ["LAST", "resume", "save"]

LAST = "last.pt"


def save(folder: Path, *, key: str, step: int, network: Any, optimiser: Any) -> None:
    """Write how far a training is; `key` names all that decides its weights."""
    state = {"key": key, "step": step, "network": network.state_dict(), "optimiser": optimiser.state_dict()}
    with atomic_write_bytes(folder / LAST) as stream:
        torch.save(state, stream)


def resume(folder: Path, *, key: str, network: Any, optimiser: Any) -> int:
    """Take up the last state and return its step, 0 without any; a state of another training is an error."""
    path = folder / LAST
    if not path.is_file():
        return 0
    try:
        state = torch.load(path, weights_only=True)
        if state["key"] == key:
            network.load_state_dict(state["network"])
            optimiser.load_state_dict(state["optimiser"])
            return int(state["step"])
    except (RuntimeError, TypeError, ValueError, KeyError, EOFError, pickle.UnpicklingError, OSError) as error:
        what = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        msg = f"{path}: expected the state of a training, found something else ({what}); remove it to begin anew"
        raise DataError(msg) from None
    msg = (
        f"{path}: expected the state of this recipe, found one of other data or settings; give another --work, or "
        "remove it to begin anew"
    )
    raise DataError(msg)
