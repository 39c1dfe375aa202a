"""How good a replacement is, learnt from those that people judged."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plainwright.errors import MissingExtraError
from plainwright.learn.lexicon.evidence import LemmaPair

__all__ = ["Quality", "learn_quality"]

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
    pairs: Sequence[LemmaPair], rows: Rows, grades: Mapping[LemmaPair, int], *, seed: int
) -> Quality | None:
    """Learn from the judged pairs, and predict all; no pair is predicted by what was learnt from its own source word.

    None if there is too little to learn from.
    """
    known = np.array([grades.get(pair, -1) for pair in pairs])
    if min(np.sum(known == 0), np.sum(known > 0)) < _FEWEST or np.sum(known == 2) < _FEWEST:
        return None
    from threadpoolctl import threadpool_limits

    folds = np.array([_fold(pair.source) for pair in pairs])
    sometimes, always = np.zeros(len(pairs)), np.zeros(len(pairs))
    with threadpool_limits(1):  # the tables are small: threads would mostly wait for one another
        for fold in range(_FOLDS):
            learn, predict = (folds != fold) & (known >= 0), folds == fold
            for least, out in ((1, sometimes), (2, always)):
                if predict.any():
                    fitted = _classifier(seed).fit(rows[learn], known[learn] >= least)
                    out[predict] = fitted.predict_proba(rows[predict])[:, 1]
    judged = known >= 0
    return Quality(sometimes=sometimes, always=always, auc=_auc(known[judged] > 0, sometimes[judged]))


def _fold(word: str) -> int:
    return hashlib.sha256(word.encode()).digest()[0] % _FOLDS


def _classifier(seed: int):  # type: ignore[no-untyped-def]  # scikit-learn has no types
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
    except ImportError:
        msg = "learning from judgements needs scikit-learn; install plainwright[learn]"
        raise MissingExtraError(msg) from None
    return HistGradientBoostingClassifier(
        max_iter=150,
        learning_rate=0.05,
        max_leaf_nodes=15,
        min_samples_leaf=20,
        l2_regularization=1.0,
        random_state=seed,
    )


def _auc(truth: NDArray[np.bool_], scores: Rows) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(truth, scores))
