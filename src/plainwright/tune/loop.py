"""The tuning loop: decode, score, gather, fit, again; each iteration is saved, so a stopped run goes on.

The loop knows the decoder only as a function from weights to k-best lists, and the metric only as statistics.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from plainwright.errors import DataError, LengthMismatchError
from plainwright.files import atomic_write
from plainwright.metrics.base import Array
from plainwright.tune.objective import Objective
from plainwright.tune.pool import KBest, Pool

__all__ = ["Decode", "Iteration", "Optimiser", "TuningResult", "TuningSet", "tune"]

Decode = Callable[[Array, Sequence[str]], Sequence[KBest]]  # weights, sources -> one k-best list for each source


class Optimiser(Protocol):
    """Finds better weights for the candidates of a pool: `PRO`, `MERT`, `MinimumRisk`."""

    def fit(self, pool: Pool, objective: Objective, weights: Array, generator: np.random.Generator) -> Array:
        """New weights."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningSet:
    """Sources and their references; `references[i]` belongs to segment i."""

    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        sizes = {"sources": len(self.sources), "references": len(self.references)}
        if len(set(sizes.values())) != 1 or not self.sources:
            msg = f"tuning needs references for every source; got {sizes}"
            raise LengthMismatchError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Iteration:
    """What one round found: the objective of the best candidates before fitting, and the weights after."""

    number: int
    tuning_value: float  # of the decoder's own choice under the weights before
    held_out_value: float | None
    new_candidates: int
    candidates: int
    weights: tuple[float, ...]  # those that gave the values above


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningResult:
    """The weights of the best iteration: by held-out value where there is one, else by tuning value."""

    features: tuple[str, ...]
    objective: str
    weights: tuple[float, ...]
    best: int
    iterations: tuple[Iteration, ...] = field(default_factory=tuple)


@dataclass(slots=True)
class _State:
    """What a checkpoint holds."""

    weights: Array
    pool: Pool
    iterations: list[Iteration]


def tune(
    decode: Decode,
    tuning: TuningSet,
    *,
    objective: Objective,
    optimiser: Optimiser,
    features: Sequence[str],
    weights: Sequence[float],
    held_out: TuningSet | None = None,
    iterations: int = 30,
    patience: int | None = 5,
    seed: int = 12345,
    checkpoint: Path | None = None,
    progress: Callable[[Iteration], None] | None = None,
) -> TuningResult:
    """Tune weights towards the objective.

    `checkpoint` is a directory: a run that finds one of its own there goes on after its last whole iteration.
    `patience` stops the run after that many iterations without a better value, or without new candidates.
    """
    if len(features) != len(weights):
        msg = f"expected one weight for each of {len(features)} features, got {len(weights)}"
        raise LengthMismatchError(msg)
    identity = _identity(tuning, objective, optimiser, features, weights, seed)
    state = _resume(checkpoint, identity) or _State(
        weights=np.array(weights, dtype=np.float64),
        pool=Pool(len(tuning.sources), len(features), objective.width),
        iterations=[],
    )
    prepared = [objective.prepare(*pair) for pair in zip(tuning.sources, tuning.references, strict=True)]
    held = (
        None
        if held_out is None
        else [objective.prepare(*p) for p in zip(held_out.sources, held_out.references, strict=True)]
    )
    while len(state.iterations) < iterations and not _is_done(state.iterations, patience):
        number = len(state.iterations) + 1
        total, new = np.zeros(objective.width), 0
        for segment, kbest in enumerate(_decoded(decode, state.weights, tuning.sources, len(features))):
            stats = objective.stats(prepared[segment], kbest.texts)
            total += stats[0]
            new += state.pool.add(segment, kbest.features, stats)
        held_value = None
        if held_out is not None and held is not None:
            held_value = _held_out_value(decode, state.weights, held_out, held, objective, len(features))
        iteration = Iteration(
            number=number,
            tuning_value=float(objective.values(total)),
            held_out_value=held_value,
            new_candidates=new,
            candidates=state.pool.candidates,
            weights=tuple(state.weights.tolist()),
        )
        # A generator of its own for each iteration: a resumed run draws the same numbers.
        generator = np.random.default_rng([seed, number])
        state.weights = optimiser.fit(state.pool, objective, state.weights, generator)
        state.iterations.append(iteration)
        _save(checkpoint, identity, state)
        if progress is not None:
            progress(iteration)
    return _result(features, objective, state.iterations)


def _decoded(decode: Decode, weights: Array, sources: Sequence[str], width: int) -> Sequence[KBest]:
    lists = decode(weights, sources)
    if len(lists) != len(sources):
        msg = f"the decoder gave {len(lists)} k-best lists for {len(sources)} sources"
        raise LengthMismatchError(msg)
    for segment, kbest in enumerate(lists):
        if not kbest.texts or kbest.features.shape != (len(kbest.texts), width):
            msg = (
                f"segment {segment}: expected at least one candidate with {width} features, "
                f"got {len(kbest.texts)} candidates and features of shape {kbest.features.shape}"
            )
            raise DataError(msg)
    return lists


def _held_out_value(
    decode: Decode, weights: Array, held_out: TuningSet, prepared: Sequence[Any], objective: Objective, width: int
) -> float:
    total = np.zeros(objective.width)
    for item, kbest in zip(prepared, _decoded(decode, weights, held_out.sources, width), strict=True):
        total += objective.stats(item, kbest.texts[:1])[0]
    return float(objective.values(total))


def _value(iteration: Iteration) -> float:
    return iteration.tuning_value if iteration.held_out_value is None else iteration.held_out_value


def _is_done(iterations: Sequence[Iteration], patience: int | None) -> bool:
    if not iterations:
        return False
    if len(iterations) > 1 and iterations[-1].new_candidates == 0:
        return True
    if patience is None:
        return False
    best = max(range(len(iterations)), key=lambda i: _value(iterations[i]))
    return len(iterations) - 1 - best >= patience


def _result(features: Sequence[str], objective: Objective, iterations: Sequence[Iteration]) -> TuningResult:
    best = max(iterations, key=_value)
    return TuningResult(
        features=tuple(features),
        objective=objective.name,
        weights=best.weights,
        best=best.number,
        iterations=tuple(iterations),
    )


def _identity(
    tuning: TuningSet,
    objective: Objective,
    optimiser: Optimiser,
    features: Sequence[str],
    weights: Sequence[float],
    seed: int,
) -> dict[str, object]:
    """What must be equal for a checkpoint to be continued."""
    return {
        "objective": objective.name,
        "signatures": [metric.signature() for _, metric in objective.terms],
        "optimiser": repr(optimiser),
        "features": list(features),
        "start": [float(weight) for weight in weights],
        "segments": len(tuning.sources),
        "seed": seed,
    }


def _save(folder: Path | None, identity: dict[str, object], state: _State) -> None:
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    number = state.iterations[-1].number
    # The pool first: the small file that names it makes the iteration count, in one rename.
    state.pool.save(folder / f"candidates.{number}.npz")
    with atomic_write(folder / "state.json") as stream:
        json.dump(
            {
                "identity": identity,
                "iteration": number,
                "weights": state.weights.tolist(),
                "iterations": [asdict(iteration) for iteration in state.iterations],
            },
            stream,
        )
    for old in folder.glob("candidates.*.npz"):
        if old.name != f"candidates.{number}.npz":
            old.unlink()


def _resume(folder: Path | None, identity: dict[str, object]) -> _State | None:
    if folder is None or not (folder / "state.json").exists():
        return None
    path = folder / "state.json"
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        iterations = [Iteration(**{**item, "weights": tuple(item["weights"])}) for item in saved["iterations"]]
        weights = np.array(saved["weights"], dtype=np.float64)
        found, number = saved["identity"], int(saved["iteration"])
    except (ValueError, KeyError, TypeError) as error:
        msg = f"{path}: expected the state of a tuning run, found something else ({error}); remove it to start anew"
        raise DataError(msg) from None
    for key, value in identity.items():
        if found.get(key) != value:
            msg = f"{path}: belongs to another run ({key} differs); use another directory or remove it"
            raise DataError(msg)
    return _State(weights=weights, pool=Pool.load(folder / f"candidates.{number}.npz"), iterations=iterations)
