"""How ratings spread in public data, for those who plan a study and have no pilot."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from plainwright.study.components import Components, estimate_components
from plainwright.study.ratings import Scale, read_ratings

__all__ = ["PUBLIC", "public_components", "usual_components"]


def _deviations(**deviations: float) -> Components:
    return Components().with_deviations(**deviations)


# Standard deviations as shares of the width of the scale, printed by tools/public_components.py. All public ratings in
# which several raters judge several systems, each with its sources; HSplit's and SAMSA's later ones are parts of these.
PUBLIC: Mapping[str, Components] = {
    "simpeval/past": _deviations(
        item=0.018, system_item=0.102, rater=0.076, item_rater=0.026, system_rater=0.069, residual=0.103
    ),
    "simpeval/2022": _deviations(
        item=0.000, system_item=0.064, rater=0.073, item_rater=0.044, system_rater=0.035, residual=0.119
    ),
    "simpeval/simpDA_2022": _deviations(
        item=0.010, system_item=0.080, rater=0.105, item_rater=0.000, system_rater=0.033, residual=0.129
    ),
    "simpeval/simplikert_2022": _deviations(
        item=0.020, system_item=0.095, rater=0.075, item_rater=0.027, system_rater=0.024, residual=0.163
    ),
    "samsa2018/ratings": _deviations(
        item=0.069, system_item=0.195, rater=0.072, item_rater=0.045, system_rater=0.102, residual=0.263
    ),
    "sulem2018/ratings": _deviations(
        item=0.079, system_item=0.148, rater=0.062, item_rater=0.045, system_rater=0.049, residual=0.135
    ),
}


def usual_components(scale: Scale) -> Components:
    """Return what ratings on this scale usually spread like: for each effect the median over the sets of `PUBLIC`."""
    medians = {
        name: float(np.median([getattr(components, name) for components in PUBLIC.values()]))
        for name in Components.__slots__
    }
    return Components(**medians).scaled(scale.high - scale.low)


def public_components(name: str, *, data: str | Path | None = None) -> Components:
    """A set of `PUBLIC` estimated again: variances over squared widths of scales, averaged over its aspects."""
    ratings = read_ratings(name, data=data)
    scales = {row.aspect: row.scale for row in ratings}
    found = [
        estimate_components(ratings.cube(aspect), resamples=0).components.scaled(1 / (scale.high - scale.low))
        for aspect, scale in scales.items()
        if scale is not None
    ]
    return Components(
        **{effect: float(np.mean([getattr(part, effect) for part in found])) for effect in Components.__slots__}
    )
