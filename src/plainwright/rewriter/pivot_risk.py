"""What tells of a rewrite by way of French how a reader would take it.

Beside what is looked at for every rewriter (`risk.py`) there are the translations: how much less of the source's French
follows from the rewrite than from the source, on the whole and at the worst places. A word whose sense is wrong, a
clause that is gone or a negation that was turned round leave some French pieces without a reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from plainwright.rewriter.finding import Level
from plainwright.rewriter.risk import FEATURES, features

__all__ = ["PIVOT_FEATURES", "pivot_features"]

_LOSSES = ("loss", "worst_loss", "second_worst_loss", "third_worst_loss", "losses", "after", "worst_after", "before")
PIVOT_FEATURES = (*FEATURES, *_LOSSES)
_FLOOR = -12.0
_LOSS = 2.0  # from which a piece counts as lost


def pivot_features(
    source: str,
    text: str,
    log_probabilities: Sequence[float],
    before: Sequence[float],
    after: Sequence[float],
    level: Level,
) -> dict[str, float]:
    """Return the values of `PIVOT_FEATURES`; `before` and `after` are of French pieces, given source and rewrite."""
    own = features(source, text, log_probabilities, level)
    return own | dict(zip(_LOSSES, _losses(before, after), strict=True))


def _losses(before: Sequence[float], after: Sequence[float]) -> tuple[float, ...]:
    first, then = ([max(one, _FLOOR) for one in some] for some in (before, after))
    each = sorted((x - y for x, y in zip(first, then, strict=True)), reverse=True) or [0.0]
    worst = (*each[:3], 0.0, 0.0)[:3]
    lost = sum(one > _LOSS for one in each)
    count = len(each)
    return (sum(each) / count, *worst, lost, sum(then) / count, min(then, default=0.0), sum(first) / count)
