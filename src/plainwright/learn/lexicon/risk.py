"""How likely a replacement damages the next sentence, learnt from verdicts on sentences that were read.

A few verdicts on one replacement say little. But thousands on all of them tell which signs (sources, frequencies, the
grade, and the verdicts on other sentences with the same replacement) go with damage.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from plainwright.learn.lexicon.evidence import LemmaPair
from plainwright.learn.lexicon.judged import Judgement
from plainwright.learn.lexicon.quality import Rows, folds_of, scikit_learn

__all__ = ["learn_risk"]

_FEWEST = 200  # verdicts of each sort, below which nothing is learnt


def learn_risk(
    pairs: Sequence[LemmaPair], rows: Rows, judgements: Mapping[LemmaPair, Judgement], *, seed: int
) -> Rows | None:
    """Return the risk of every pair; None if too few sentences were read.

    Each verdict is learnt from with the other verdicts on the same pair as features, and no pair is predicted by what
    was learnt from its own source word.
    """
    known = [judgements.get(pair) for pair in pairs]
    samples = [sample for number, judgement in enumerate(known) if judgement for sample in _samples(number, judgement)]
    verdicts = np.array([(sample.number, sample.damaging, sample.verdicts) for sample in samples]).reshape(-1, 3)
    numbers, damaging, counts = verdicts.T
    if min(counts[damaging == 1].sum(), counts[damaging == 0].sum()) < _FEWEST:
        return None
    learnt = np.hstack([rows[numbers], np.array([sample.evidence for sample in samples])])
    asked = np.hstack([rows, np.array([_evidence(j.grade, j.seen, j.damaging) if j else _NO_EVIDENCE for j in known])])
    new_classifier, limited_threads, _ = scikit_learn(seed)
    folds = folds_of(pairs)
    risks = np.zeros(len(pairs))
    with limited_threads(1):
        for fold in np.unique(folds):
            use, ask = folds[numbers] != fold, folds == fold
            if len(np.unique(damaging[use])) < 2:  # all verdicts of the other sort are on words of this fold
                risks[ask] = damaging[use].mean() if use.any() else 0.5
                continue
            said = ~np.isnan(learnt[use]).all(axis=0)  # of what nobody knows nothing can be learnt
            fitted = new_classifier().fit(learnt[np.ix_(use, said)], damaging[use], sample_weight=counts[use])
            risks[ask] = fitted.predict_proba(asked[np.ix_(ask, said)])[:, 1]
    return risks


class _Sample(NamedTuple):
    """Verdicts of one sort on one pair, and what is known besides."""

    number: int  # of the pair
    damaging: bool
    verdicts: int
    evidence: list[float]


def _samples(number: int, judgement: Judgement) -> Iterator[_Sample]:
    """Each verdict is to be guessed from all but itself."""
    fine = judgement.good + judgement.acceptable
    others = judgement.seen - 1
    if judgement.damaging:
        evidence = _evidence(judgement.grade, others, judgement.damaging - 1)
        yield _Sample(number, damaging=True, verdicts=judgement.damaging, evidence=evidence)
    if fine:
        yield _Sample(
            number, damaging=False, verdicts=fine, evidence=_evidence(judgement.grade, others, judgement.damaging)
        )


def _evidence(grade: int, seen: int, damaging: int) -> list[float]:
    return [float(grade), float(seen), (damaging + 0.5) / (seen + 2)]


_NO_EVIDENCE = [math.nan, 0.0, math.nan]
