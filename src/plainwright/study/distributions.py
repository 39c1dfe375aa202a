"""The one door to scipy, which comes with the extra `study`."""

from __future__ import annotations

from types import ModuleType

from plainwright.errors import MissingExtraError

__all__ = ["scipy_stats"]


def scipy_stats() -> ModuleType:
    """`scipy.stats`, imported when it is first needed."""
    try:
        import scipy.stats
    except ImportError:
        msg = "p-values need scipy, which is not installed; pip install plainwright[study]"
        raise MissingExtraError(msg) from None
    module: ModuleType = scipy.stats
    return module
