"""How a judge agrees with ratings of sources that it did not learn from, and the curve from its scores to risk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.extras import extra_for
from plainwright.judge.model import ASPECTS, RiskCurve
from plainwright.judge.training.ratings import SPOILT, Block, is_damaged

__all__ = ["Agreement", "agreement", "calibrated", "pairs_of", "rounding_loss"]

Array = npt.NDArray[np.float64]
_OVERALL = ASPECTS.index("overall")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement of scores with ratings; a figure that these ratings cannot give is None."""

    pairs: int
    pearson: dict[str, float | None]
    kendall: dict[str, float | None]  # over pairs of rewrites of one source
    auc_damaged: float | None
    errors: dict[str, tuple[int, float]]  # by cause: made errors, and the share below the best rewrite of their block

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return asdict(self)


def pairs_of(blocks: Sequence[Block]) -> tuple[list[str], list[str]]:
    """Return sources and outputs of all ratings, in order."""
    pairs = [(block.source, one.output) for block in blocks for one in block.ratings]
    return [source for source, _ in pairs], [output for _, output in pairs]


def agreement(blocks: Sequence[Block], scores: Array, curve: RiskCurve) -> Agreement:
    """Compare the scores of `pairs_of(blocks)` with the ratings."""
    ratings = np.array([one.scores for block in blocks for one in block.ratings])
    starts = np.cumsum([0, *(len(block.ratings) for block in blocks)])
    own = [slice(start, end) for start, end in pairwise(starts)]
    return Agreement(
        pairs=len(ratings),
        pearson={name: _pearson(scores[:, at], ratings[:, at]) for at, name in enumerate(ASPECTS)},
        kendall={name: _kendall(own, scores[:, at], ratings[:, at]) for at, name in enumerate(ASPECTS)},
        auc_damaged=_auc(ratings, curve.risks(scores)),
        errors=_errors(blocks, own, scores),
    )


def calibrated(blocks: Sequence[Block], scores: Array) -> RiskCurve:
    """Fit how likely a rewrite is damaged, by its meaning and grammar."""
    with extra_for("training a judge", "train"):
        from sklearn.linear_model import LogisticRegression
    damaged = [is_damaged(one.scores) for block in blocks for one in block.ratings]
    if len(set(damaged)) < 2:
        found = "only damaged ones" if damaged[0] else "no damaged one"
        msg = (
            f"expected both damaged and whole rewrites to calibrate the risk, found {found}; raise ratings.calibration"
        )
        raise DataError(msg)
    # In hundredths, so that the penalty on weights is slight.
    fitted = LogisticRegression(C=10.0, max_iter=2000).fit(scores[:, :2] / 100, damaged)
    meaning, grammar = (float(weight) / 100 for weight in fitted.coef_[0])
    return RiskCurve(intercept=float(fitted.intercept_[0]), meaning=meaning, grammar=grammar)


def rounding_loss(exact: Array, rounded: Array) -> dict[str, float]:
    """Return by how many points scores differ in the mean."""
    return {name: float(np.abs(exact - rounded)[:, at].mean()) for at, name in enumerate(ASPECTS)}


def _pearson(values: Array, ratings: Array) -> float | None:
    if len(values) < 2 or not values.std() or not ratings.std():
        return None
    return float(np.corrcoef(values, ratings)[0, 1])


def _kendall(blocks: Sequence[slice], values: Array, ratings: Array) -> float | None:
    """Concordant less discordant pairs, of those that differ in rating; a tie of values counts for nothing."""
    agreed = total = 0
    for block in blocks:
        for first, second in combinations(range(block.start, block.stop), 2):
            if ratings[first] != ratings[second]:
                total += 1
                agreed += int(np.sign(ratings[first] - ratings[second]) * np.sign(values[first] - values[second]))
    return agreed / total if total else None


def _auc(ratings: Array, risks: Array) -> float | None:
    damaged = np.array([is_damaged(row) for row in ratings])
    if damaged.all() or not damaged.any():
        return None
    with extra_for("training a judge", "train"):
        from sklearn.metrics import roc_auc_score
    return float(roc_auc_score(damaged, risks))


def _errors(blocks: Sequence[Block], own: Sequence[slice], scores: Array) -> dict[str, tuple[int, float]]:
    below: defaultdict[str, list[bool]] = defaultdict(list)
    for block, places in zip(blocks, own, strict=True):
        values = scores[places, _OVERALL]
        others = [at for at, one in enumerate(block.ratings) if one.system != SPOILT]
        if not others:
            continue
        best = max(others, key=lambda at: block.ratings[at].scores[_OVERALL])
        for at, one in enumerate(block.ratings):
            if one.system == SPOILT:
                for cause in ("all", one.cause):
                    below[cause].append(bool(values[at] < values[best]))
    return {cause: (len(found), float(np.mean(found))) for cause, found in sorted(below.items())}
