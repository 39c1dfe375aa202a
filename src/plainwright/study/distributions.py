"""The one door to scipy, which comes with the extra `study`."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from plainwright.errors import MissingExtraError

__all__ = ["scipy_special", "scipy_stats"]


def scipy_stats() -> ModuleType:
    """`scipy.stats`, imported when it is first needed."""
    return _imported("scipy.stats")


def scipy_special() -> ModuleType:
    """`scipy.special`, which takes a quarter of the time of `scipy.stats` to import."""
    return _imported("scipy.special")


def _imported(name: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError:
        msg = "p-values need scipy, which is not installed; pip install plainwright[study]"
        raise MissingExtraError(msg) from None
