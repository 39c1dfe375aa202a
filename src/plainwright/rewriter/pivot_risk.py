"""What tells of a rewrite by way of French how a reader would take it.

Beside what is looked at for every rewriter (`risk.py`) there are the translations: how much less of the source's French
follows from the rewrite than from the source, and how much less of the rewrite's French follows from the source than
from the rewrite, on the whole and at the worst places. A word whose sense is wrong, a clause that is gone or invented,
or a negation that was turned round leave some French pieces without a reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from plainwright.rewriter.finding import Level
from plainwright.rewriter.risk import FEATURES, features

__all__ = ["PIVOT_FEATURES", "pivot_features"]

_ONE_WAY = ("mean", "worst", "second_worst", "third_worst", "count", "after", "worst_after", "before")
_LOSSES = tuple(f"{way}_{name}" for way in ("lost", "added") for name in _ONE_WAY)
PIVOT_FEATURES = (*FEATURES, *_LOSSES)
_FLOOR = -12.0
_LOSS = 2.0  # from which a piece counts as without a reason
Reading = tuple[Sequence[float], Sequence[float]]  # of French pieces, given what they translate, and given the other


def pivot_features(
    source: str, text: str, log_probabilities: Sequence[float], lost: Reading, added: Reading, level: Level
) -> dict[str, float]:
    """Return the values of `PIVOT_FEATURES`; `lost` reads the French of the source, `added` that of the rewrite."""
    own = features(source, text, log_probabilities, level)
    return own | dict(zip(_LOSSES, (*_losses(*lost), *_losses(*added)), strict=True))


def _losses(before: Sequence[float], after: Sequence[float]) -> tuple[float, ...]:
    first, then = ([max(one, _FLOOR) for one in some] for some in (before, after))
    each = sorted((x - y for x, y in zip(first, then, strict=True)), reverse=True) or [0.0]
    worst = (*each[:3], 0.0, 0.0)[:3]
    count = sum(one > _LOSS for one in each)
    pieces = len(each)
    return (sum(each) / pieces, *worst, count, sum(then) / pieces, min(then, default=0.0), sum(first) / pieces)
