"""How good a replacement is, learnt from those that people judged."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainwright.extras import extra_for
from plainwright.learn.lexicon.evidence import LemmaPair

__all__ = ["Quality", "Rows", "folds_of", "learn_quality", "scikit_learn"]

_FOLDS = 5
_FEWEST = 50  # judged pairs of each sort, below which nothing is learnt

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """For each pair how likely it is right at least sometimes, and nearly always."""

    sometimes: Rows
    always: Rows
    auc: float  # of `sometimes`, for words that were not learnt from


def learn_quality(
    pairs: Sequence[LemmaPair], rows: Rows, grades: Mapping[LemmaPair, int], *, seed: int, threads: int = 1
) -> Quality | None:
    """Learn from the judged pairs, and predict all; no pair is predicted by what was learnt from its own source word.

    None if there is too little to learn from. The number of threads does not change the result.
    """
    known = np.array([grades.get(pair, -1) for pair in pairs])
    if min(np.sum(known == 0), np.sum(known > 0)) < _FEWEST or np.sum(known == 2) < _FEWEST:
        return None
    new_classifier, limited_threads, auc = scikit_learn(seed)
    folds = folds_of(pairs)
    predicted = {1: np.zeros(len(pairs)), 2: np.zeros(len(pairs))}  # by the least grade that counts as right

    def predict(fold: int, least: int) -> None:
        learn, rest = (folds != fold) & (known >= 0), folds == fold
        right = known[learn] >= least
        said = ~np.isnan(rows[learn]).all(axis=0)  # of what nobody knows nothing can be learnt
        if right.all() or not right.any():
            predicted[least][rest] = right.any()
        elif rest.any():
            with limited_threads(1):  # the tables are small: threads within would mostly wait for one another
                fitted = new_classifier().fit(rows[np.ix_(learn, said)], right)
                predicted[least][rest] = fitted.predict_proba(rows[np.ix_(rest, said)])[:, 1]

    with ThreadPoolExecutor(threads) as pool:
        for task in [pool.submit(predict, fold, least) for fold in range(_FOLDS) for least in predicted]:
            task.result()
    judged = known >= 0
    found = float(auc(known[judged] > 0, predicted[1][judged]))
    return Quality(sometimes=predicted[1], always=predicted[2], auc=found)


def folds_of(pairs: Sequence[LemmaPair]) -> NDArray[np.int64]:
    """Return a number from 0 to 4 for each pair, the same for all with the same source word."""
    return np.array([hashlib.sha256(pair.source.encode()).digest()[0] % _FOLDS for pair in pairs], dtype=np.int64)


def scikit_learn(seed: int) -> tuple[Callable[..., Any], Callable[[int], Any], Callable[..., Any]]:
    """A maker of classifiers, a limit to threads, and the area under a curve; none of them has types."""
    with extra_for("learning from judgements", "learn"):
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.metrics import roc_auc_score
        from threadpoolctl import threadpool_limits
    classifier = partial(
        HistGradientBoostingClassifier,
        max_iter=150,
        learning_rate=0.05,
        max_leaf_nodes=15,
        min_samples_leaf=20,
        l2_regularization=1.0,
        random_state=seed,
    )
    return classifier, threadpool_limits, roc_auc_score
