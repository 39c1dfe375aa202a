"""The one door to scipy, which comes with the extra `study`."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from plainwright.extras import extra_for

__all__ = ["scipy_special", "scipy_stats"]


def scipy_stats() -> ModuleType:
    """`scipy.stats`, imported when it is first needed."""
    return _imported("scipy.stats")


def scipy_special() -> ModuleType:
    """Import `scipy.special`, which takes a quarter of the time of `scipy.stats`."""
    return _imported("scipy.special")


def _imported(name: str) -> ModuleType:
    with extra_for("this analysis", "study"):
        return import_module(name)
