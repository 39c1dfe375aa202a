"""What every analysis of ratings needs of them, said in one sentence if they do not have it."""

from __future__ import annotations

import numpy as np

from plainwright.errors import DataError
from plainwright.study.ratings import Cube

__all__ = ["FEWEST_ITEMS", "check_cube", "check_level", "check_size"]

FEWEST_ITEMS = 3
_LARGEST_SCORE = 1e12  # squares of larger ones leave no digits for the others
_LOWEST_LEVEL = 1e-9


def check_cube(cube: Cube, what: str) -> None:
    """Check that there are enough items, numbers that can be squared and summed, and some difference between them."""
    if len(cube.items) < FEWEST_ITEMS:
        msg = f"{what} needs at least {FEWEST_ITEMS} rated sources, found {len(cube.items)}"
        raise DataError(msg)
    low, high = float(np.nanmin(cube.scores)), float(np.nanmax(cube.scores))
    check_size(max(low, high, key=abs), what)
    if low == high:
        msg = f"{what} needs ratings that differ, and every one is {low:g}"
        raise DataError(msg)


def check_size(largest: float, what: str) -> None:
    """Scores can be squared and summed."""
    if abs(largest) > _LARGEST_SCORE:
        msg = f"{what}: a score of {largest:g} cannot be computed with; expected scores up to {_LARGEST_SCORE:g}"
        raise DataError(msg)


def check_level(alpha: float, name: str = "alpha") -> None:
    """The level of a test is a probability, and not one that no test could ever reach."""
    if not 0 < alpha < 1:
        msg = f"{name} must lie between 0 and 1, got {alpha:g}"
        raise DataError(msg)
    if alpha < _LOWEST_LEVEL:
        msg = f"{name} must be at least {_LOWEST_LEVEL:g}, got {alpha:g}"
        raise DataError(msg)
