"""The tuning loop: decode, score, gather, fit, again; each iteration is saved, so a stopped run goes on.

The loop knows the decoder only as a function from weights to k-best lists, and the metric only as statistics.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from plainwright.arguments import as_texts, check_instance, refuse
from plainwright.errors import DataError, LengthMismatchError
from plainwright.files import atomic_write
from plainwright.metrics.base import Array
from plainwright.tune.objective import Objective
from plainwright.tune.pool import KBest, Pool

__all__ = ["Decode", "Iteration", "Optimiser", "TuningResult", "TuningSet", "objective_of", "tune"]


class Decode(Protocol):
    """The decoder as tuning sees it."""

    def __call__(self, weights: Array, sources: Sequence[str], *, best_only: bool) -> Sequence[KBest]:
        """One k-best list for each source; with `best_only`, one candidate in each is enough."""
        ...


class Optimiser(Protocol):
    """Finds better weights for the candidates of a pool: `PRO`, `MERT`, `MinimumRisk`."""

    def fit(self, pool: Pool, objective: Objective, weights: Array, generator: np.random.Generator) -> Array:
        """Return new weights."""
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
    """Says what one set of weights gave, and how the candidates grew."""

    number: int
    weights: tuple[float, ...]
    tuning_value: float  # of the decoder's own choice
    held_out_value: float | None
    unchanged: float  # share of the outputs (held-out ones if there are any) that copy their source
    new_candidates: int
    candidates: int
    seconds: float = field(compare=False, default=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningResult:
    """Holds the weights of the best iteration: by held-out value where there is one, else by tuning value."""

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
    costs: Sequence[float] | None = None,
    iterations: int = 30,
    patience: int | None = 5,
    seed: int = 12345,
    checkpoint: Path | None = None,
    model: str = "",
    threads: int = 1,
    progress: Callable[[Iteration], None] | None = None,
) -> TuningResult:
    """Tune weights towards the objective.

    `costs` are taken off the value of an iteration, for each unit of a feature that the mean output has; an optimiser
    that minds them must be given them too. `checkpoint` is a directory: a run that finds one of its own there goes on
    after its last whole iteration.
    `patience` stops the run after that many iterations without a better value. `model` is whatever tells one decoder
    from another, so that no run goes on with candidates of a different one. `threads` score candidates; they change
    nothing.
    """
    if not callable(decode):
        refuse(decode, "tune", "decode", "a function of weights and sources")
    check_instance(tuning, TuningSet, "tune", "tuning", "a TuningSet")
    check_instance(objective, Objective, "tune", "objective", "an Objective")
    if len(features) != len(weights):
        msg = f"expected one weight for each of {len(features)} features, got {len(weights)}"
        raise LengthMismatchError(msg)
    prices = np.zeros(len(features)) if costs is None else _checked_costs(costs, len(features))
    identity = _identity(tuning, held_out, objective, optimiser, features, weights, prices, seed, model)
    state = _State(
        weights=np.array(weights, dtype=np.float64),
        pool=Pool(len(tuning.sources), len(features), objective.width),
        iterations=[],
    )
    if checkpoint is not None and (checkpoint / "state.json").exists():
        _resume(state, checkpoint, identity)
    held = None if held_out is None else _Scored(held_out, objective)
    run = _Run(decode, objective, _Scored(tuning, objective), held, prices, threads)
    while len(state.iterations) < iterations and not _is_done(state.iterations, patience):
        started = time.perf_counter()
        iteration = run.gather(state)
        # A generator of its own for each iteration: a resumed run draws the same numbers.
        generator = np.random.default_rng([seed, iteration.number])
        state.weights = optimiser.fit(state.pool, objective, state.weights, generator)
        iteration = replace(iteration, seconds=time.perf_counter() - started)
        state.iterations.append(iteration)
        _save(checkpoint, identity, state)
        if progress is not None:
            progress(iteration)
    return _result(features, objective, state.iterations)


class _Scored:
    """A set whose segments are ready for scoring."""

    def __init__(self, given: TuningSet, objective: Objective) -> None:
        self.sources = given.sources
        self.prepared = [objective.prepare(*pair) for pair in zip(given.sources, given.references, strict=True)]


@dataclass(frozen=True, slots=True)
class _Run:
    """What stays the same from iteration to iteration."""

    decode: Decode
    objective: Objective
    tuning: _Scored
    held_out: _Scored | None
    costs: Array  # of each feature
    threads: int

    def gather(self, state: _State) -> Iteration:
        """Decode with the weights of the state and add the candidates to its pool."""
        total, new, copies = np.zeros(self.objective.width), 0, 0
        lists = _decoded(self.decode, state.weights, self.tuning.sources, len(self.costs), best_only=False)
        for segment, kbest in enumerate(lists):
            stats = self.objective.stats(self.tuning.prepared[segment], kbest.texts, threads=self.threads)
            total += stats[0]
            copies += kbest.texts[0] == self.tuning.sources[segment]
            new += state.pool.add(segment, kbest.features, stats)
        held_value, unchanged = None, copies / len(self.tuning.sources)
        if self.held_out is not None:
            held_value, unchanged = self._measure(state.weights, self.held_out)
        return Iteration(
            number=len(state.iterations) + 1,
            weights=tuple(state.weights.tolist()),
            tuning_value=float(self.objective.values(total)) - self._cost(lists),
            held_out_value=held_value,
            unchanged=unchanged,
            new_candidates=new,
            candidates=state.pool.candidates,
        )

    def _measure(self, weights: Array, held_out: _Scored) -> tuple[float, float]:
        lists = _decoded(self.decode, weights, held_out.sources, len(self.costs), best_only=True)
        outputs = [kbest.texts[0] for kbest in lists]
        copies = sum(output == source for output, source in zip(outputs, held_out.sources, strict=True))
        return _value_of(outputs, held_out, self.objective) - self._cost(lists), copies / len(outputs)

    def _cost(self, lists: Sequence[KBest]) -> float:
        """Of the best candidates, on average."""
        return float(np.mean([kbest.features[0] @ self.costs for kbest in lists]))


def objective_of(outputs: Sequence[str], given: TuningSet, objective: Objective) -> float:
    """Return the objective of one output for each segment, for example of the sources themselves."""
    outputs = as_texts(outputs, "objective_of", "outputs")
    check_instance(given, TuningSet, "objective_of", "given", "a TuningSet")
    check_instance(objective, Objective, "objective_of", "objective", "an Objective")
    return _value_of(outputs, _Scored(given, objective), objective)


def _value_of(outputs: Sequence[str], given: _Scored, objective: Objective) -> float:
    rows = [objective.stats(item, [output])[0] for item, output in zip(given.prepared, outputs, strict=True)]
    return float(objective.values(np.sum(rows, axis=0)))


def _decoded(decode: Decode, weights: Array, sources: Sequence[str], width: int, *, best_only: bool) -> Sequence[KBest]:
    lists = decode(weights, sources, best_only=best_only)
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
    held_out: TuningSet | None,
    objective: Objective,
    optimiser: Optimiser,
    features: Sequence[str],
    weights: Sequence[float],
    costs: Array,
    seed: int,
    model: str,
) -> dict[str, object]:
    """What must be equal for a checkpoint to be continued."""
    return {
        "objective": objective.name,
        "signatures": [metric.signature() for _, metric in objective.terms],
        "optimiser": repr(optimiser),
        "features": list(features),
        "start": [float(weight) for weight in weights],
        "costs": costs.tolist() if costs.any() else None,
        "tuning set": _digest(tuning),
        "held-out set": None if held_out is None else _digest(held_out),
        "seed": seed,
        "model": model,
    }


def _digest(given: TuningSet) -> str:
    return hashlib.sha256(json.dumps([given.sources, given.references]).encode()).hexdigest()


def _save(folder: Path | None, identity: dict[str, object], state: _State) -> None:
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    number = state.iterations[-1].number
    # The candidates first: the small file that counts them makes the iteration whole, in one rename.
    state.pool.save_new(_candidates_file(folder, number))
    with atomic_write(folder / "state.json") as stream:
        json.dump(
            {
                "identity": identity,
                "weights": state.weights.tolist(),
                "iterations": [asdict(iteration) for iteration in state.iterations],
            },
            stream,
        )


def _candidates_file(folder: Path, number: int) -> Path:
    return folder / f"candidates.{number}.npz"


def _resume(state: _State, folder: Path, identity: dict[str, object]) -> None:
    """Bring the state of a new run to where the checkpoint of an earlier one left off."""
    path = folder / "state.json"
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        found = dict(saved["identity"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise _no_state(path, error) from None
    for key, value in identity.items():
        if found.get(key) != value:
            msg = f"{path}: belongs to another run ({key} differs); use another directory or remove it"
            raise DataError(msg)
    try:
        state.iterations = _saved_iterations(saved["iterations"], len(state.weights))
        state.weights = _finite(saved["weights"], len(state.weights))
    except (ValueError, KeyError, TypeError) as error:
        raise _no_state(path, error) from None
    state.pool.load([_candidates_file(folder, iteration.number) for iteration in state.iterations])


def _no_state(path: Path, error: Exception) -> DataError:
    return DataError(
        f"{path}: expected the state of a tuning run, found something else ({error}); remove it to start anew"
    )


def _saved_iterations(rows: Sequence[Mapping[str, Any]], width: int) -> list[Iteration]:
    iterations = [Iteration(**{**row, "weights": tuple(_finite(row["weights"], width).tolist())}) for row in rows]
    if [iteration.number for iteration in iterations] != list(range(1, len(iterations) + 1)) or not iterations:
        msg = "iterations are missing"
        raise ValueError(msg)
    for iteration in iterations:
        _finite([_value(iteration), iteration.tuning_value, iteration.unchanged, iteration.seconds], 4)
        _finite([iteration.candidates, iteration.new_candidates], 2)
    return iterations


def _checked_costs(costs: Sequence[float], size: int) -> Array:
    try:
        return _finite(costs, size)
    except (ValueError, TypeError):
        msg = f"expected one finite cost for each of {size} features, got {list(costs)!r:.80}"
        raise DataError(msg) from None


def _finite(values: Sequence[float], size: int) -> Array:
    numbers = np.array(values, dtype=np.float64)
    if numbers.shape != (size,) or not np.isfinite(numbers).all():
        msg = f"not {size} finite numbers"
        raise ValueError(msg)
    return numbers
