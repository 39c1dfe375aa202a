"""Rules as text: whole columns at a time, five digits after the point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainwright.learn.pivot.query import PROBABILITY_UNIT

__all__ = ["rule_lines"]

_DIGITS = 5


def rule_lines(batch: Any, similarities: NDArray[np.float64] | None) -> list[str]:
    """One line for each row; values that are nan are left out."""
    numbers = {name: batch.column(name).to_numpy(zero_copy_only=False) for name in _NUMERIC}
    evidence = numbers["evidence"].astype(np.float64)
    columns = {
        "p(e|f)": _negative_log(numbers["forward"]),
        "p(f|e)": _negative_log(numbers["backward"]),
        "p(e|f,LHS)": _negative_log(numbers["forward_labelled"]),
        "p(f|e,LHS)": _negative_log(numbers["backward_labelled"]),
        "p(LHS|e)": _negative_log_share(numbers["target_labelled"], numbers["target_everywhere"]),
        "p(LHS|f)": _negative_log_share(numbers["source_labelled"], numbers["source_everywhere"]),
        "p(e|LHS)": _negative_log_share(numbers["target_labelled"], numbers["of_label"]),
        "p(f|LHS)": _negative_log_share(numbers["source_labelled"], numbers["of_label"]),
        "Lex(e|f)": numbers["lexical_forward"].astype(np.float64),
        "Lex(f|e)": numbers["lexical_backward"].astype(np.float64),
        # As in PPDB, these two count different things: shared translations, and how often they were seen.
        "LogCount": np.log(numbers["pivots"].astype(np.float64)),
        "RarityPenalty": np.exp(1 - evidence),
        "LogEvidence": np.log(evidence),
        "PivotLanguages": np.array([int(mask).bit_count() for mask in numbers["languages"]], dtype=np.float64),
    }
    if similarities is not None:
        columns["AGigaSim"] = similarities
    spelt = [_spelt(name, values) for name, values in columns.items()]
    labels, sources, targets = (batch.column(name).to_pylist() for name in ("lhs", "source", "target"))
    return [
        f"{label} ||| {source} ||| {target} |||{''.join(values)} ||| {_alignment(source, target)}\n"
        for label, source, target, *values in zip(labels, sources, targets, *spelt, strict=True)
    ]


_NUMERIC = (
    *("forward", "backward", "forward_labelled", "backward_labelled", "lexical_forward", "lexical_backward"),
    *("source_everywhere", "target_everywhere", "source_labelled", "target_labelled", "of_label"),
    *("evidence", "languages", "pivots"),
)


def _negative_log_share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.abs(np.log(part.astype(np.float64) / whole.astype(np.float64)))


def _negative_log(units: NDArray[np.int64]) -> NDArray[np.float64]:
    """Of probabilities; one that never reached the smallest unit counts as that unit, and nan stays nan."""
    probabilities = np.clip(units.astype(np.float64), 1, PROBABILITY_UNIT) / PROBABILITY_UNIT
    return np.abs(np.log(probabilities))  # abs: no -0


def _spelt(name: str, values: NDArray[np.float64]) -> Sequence[str]:
    """` name=value` for each; the few different values of most columns are spelt once."""
    distinct, where = np.unique(np.round(values, _DIGITS), return_inverse=True)
    texts = [f" {name}={value:.{_DIGITS}f}".rstrip("0").rstrip(".") if value == value else "" for value in distinct]
    return [texts[index] for index in where]


def _alignment(source: str, target: str) -> str:
    """Known without asking for one word on each side only."""
    return "" if " " in source or " " in target else "0-0"
