"""Weights tuned towards a metric: PRO, MERT and minimum risk over k-best lists.

Tuning sees candidates only as features and metric statistics, so it works for any decoder and any metric.
"""

from __future__ import annotations

from plainwright.tune.decoding import DecoderFactory
from plainwright.tune.loop import Decode, Iteration, Optimiser, TuningResult, TuningSet, objective_of, tune
from plainwright.tune.mert import MERT
from plainwright.tune.objective import Objective
from plainwright.tune.pool import KBest, Pool
from plainwright.tune.pro import PRO
from plainwright.tune.risk import MinimumRisk

__all__ = [
    "MERT",
    "PRO",
    "Decode",
    "DecoderFactory",
    "Iteration",
    "KBest",
    "MinimumRisk",
    "Objective",
    "Optimiser",
    "Pool",
    "TuningResult",
    "TuningSet",
    "objective_of",
    "tune",
]
