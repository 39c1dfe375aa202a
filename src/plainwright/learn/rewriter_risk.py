"""From ratings of rewrites to a reader of a rewriter's sentences: `plainwright learn rewriter-risk`.

A file of ratings is a table, separated by tabs, with the columns `system`, `source`, `output`, `meaning`, `grammar` and
`simplicity` (0 to 100), as in packages/plainwright-en/ratings; a second reading is averaged with the first, and others
are passed over. The system says who wrote the
output and at which level, as in "rewriter light".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.extras import extra_for
from plainwright.files import atomic_write
from plainwright.judge import ASPECTS
from plainwright.judge.training.ratings import EASIER_FROM, is_damaged, read_rows
from plainwright.rewrite.judge.fidelity import broken_promise
from plainwright.rewriter.controls import Controls
from plainwright.rewriter.finding import LEVELS, Level
from plainwright.rewriter.model import READER, Rewriter
from plainwright.rewriter.risk import FEATURES, Regression, RewriteReader, features
from plainwright.tables import write_tables

__all__ = ["Rating", "RiskResult", "learn_rewriter_risk", "read_ratings"]

_ASPECTS = ASPECTS[:3]  # all but overall
_FOLDS = 8
_PENALTY = 0.3  # C of the regression
_FEWEST = 50  # ratings of each sort, below which nothing is learnt


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """What a reader said of a rewrite."""

    source: str
    output: str
    level: Level
    damaged: bool
    easier: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskResult:
    """Counts what was read, and says what was learnt, judged on sources that were not learnt from."""

    ratings: int
    damaged: float  # share
    easier: float
    auc_damaged: float
    auc_easier: float
    frontier: tuple[tuple[float, float, float, float], ...]  # risk up to, share kept, of these damaged, easier


def read_ratings(path: str | Path, *, system: str) -> Iterator[Rating]:
    """Yield the ratings of systems whose name begins with `system`."""
    for row, scores in read_rows(path, _ASPECTS):
        if row["system"].startswith(system):
            levels: list[Level] = [level for level in LEVELS if level in row["system"]]
            yield Rating(
                source=row["source"],
                output=row["output"],
                level=levels[0] if levels else "plain",
                damaged=is_damaged(scores),
                easier=scores[_ASPECTS.index("simplicity")] >= EASIER_FROM,
            )


def learn_rewriter_risk(
    paths: Sequence[str | Path],
    directory: str | Path,
    *,
    system: str = "rewriter",
    progress: Callable[[int, int], None] | None = None,
) -> RiskResult:
    """Teach a reader with ratings of a rewriter's outputs, and put it beside the rewriter."""
    rewriter = Rewriter(directory)
    found = (one for path in paths for one in read_ratings(path, system=system))
    ratings = [one for one in found if _gets_so_far(one)]
    rows = []
    for number, one in enumerate(ratings):
        judged = rewriter.judge(one.source, one.output, controls=Controls(level=one.level))
        row = features(one.source, one.output, judged.log_probabilities, one.level)
        rows.append([row[name] for name in FEATURES])
        if progress is not None:
            progress(number + 1, len(ratings))
    result, reader = _learnt(np.array(rows), ratings)
    with atomic_write(Path(directory) / READER) as stream:
        write_tables(stream, {"damaged": reader.damaged.table(), "easier": reader.easier.table()})
    return result


def _gets_so_far(rating: Rating) -> bool:
    """Return whether a rewrite is one that a risk is asked of: it changes something, and no promise is broken."""
    return rating.source != rating.output and broken_promise(rating.source, rating.output) is None


def _learnt(rows: npt.NDArray[np.float64], ratings: Sequence[Rating]) -> tuple[RiskResult, RewriteReader]:
    aims = {name: np.array([getattr(one, name) for one in ratings], dtype=bool) for name in ("damaged", "easier")}
    for name, aim in aims.items():
        if min(aim.sum(), (~aim).sum()) < _FEWEST:
            expected = f"expected at least {_FEWEST} rewrites that are {name} and {_FEWEST} that are not"
            msg = f"{expected}, found {aim.sum()} of {len(aim)}; rate more"
            raise DataError(msg)
    numbers = {source: number for number, source in enumerate(dict.fromkeys(one.source for one in ratings))}
    if len(numbers) < _FOLDS:
        msg = f"expected ratings of at least {_FOLDS} sources, found {len(numbers)}; rate rewrites of more"
        raise DataError(msg)
    groups = [numbers[one.source] for one in ratings]
    held_out = {name: _held_out(rows, aim, groups) for name, aim in aims.items()}
    with extra_for("learning from ratings", "learn"):
        from sklearn.metrics import roc_auc_score
    result = RiskResult(
        ratings=len(ratings),
        damaged=float(aims["damaged"].mean()),
        easier=float(aims["easier"].mean()),
        auc_damaged=float(roc_auc_score(aims["damaged"], held_out["damaged"])),
        auc_easier=float(roc_auc_score(aims["easier"], held_out["easier"])),
        frontier=tuple(_frontier(held_out["damaged"], aims)),
    )
    return result, RewriteReader(*(_regression(_fitted(rows, aim)) for aim in aims.values()))


def _frontier(
    risks: npt.NDArray[np.float64], aims: dict[str, npt.NDArray[np.bool_]]
) -> Iterator[tuple[float, float, float, float]]:
    for limit in (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 1.0):
        kept = risks <= limit
        if kept.any():
            damaged, easier = (float(aims[name][kept].mean()) for name in ("damaged", "easier"))
            yield limit, float(kept.mean()), damaged, easier


def _classifier() -> Any:
    with extra_for("learning from ratings", "learn"):
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
    return make_pipeline(StandardScaler(), LogisticRegression(C=_PENALTY, max_iter=2000))


def _held_out(
    rows: npt.NDArray[np.float64], aim: npt.NDArray[np.bool_], groups: Sequence[int]
) -> npt.NDArray[np.float64]:
    """Return what is predicted for each source by a regression that learnt from the others."""
    with extra_for("learning from ratings", "learn"):
        from sklearn.model_selection import GroupKFold, cross_val_predict
    folds = GroupKFold(_FOLDS)
    found = cross_val_predict(_classifier(), rows, aim, cv=folds, groups=groups, method="predict_proba")
    probabilities: npt.NDArray[np.float64] = found[:, 1]
    return probabilities


def _fitted(rows: npt.NDArray[np.float64], aim: npt.NDArray[np.bool_]) -> Any:
    return _classifier().fit(rows, aim)


def _regression(fitted: Any) -> Regression:
    """Return the same regression over features as they are, without scaling them first."""
    scaler, model = (step for _, step in fitted.steps)
    weights = model.coef_[0] / scaler.scale_
    intercept = float(model.intercept_[0] - weights @ scaler.mean_)
    return Regression(intercept, dict(zip(FEATURES, map(float, weights), strict=True)))
