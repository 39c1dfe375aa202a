"""Folders in which plainwright lies as pip would put it: outside the checkout, so its models are not beside it."""

from __future__ import annotations

import shutil
from pathlib import Path

import plainwright

__all__ = ["FROM_SITE", "copy_code"]

# Begins a program that takes the code from PYTHONPATH: an editable installation would find the checkout before it.
FROM_SITE = "import sys; sys.meta_path[:] = [own for own in sys.meta_path if 'ScikitBuild' not in type(own).__name__]\n"


def copy_code(site: Path) -> Path:
    """Copy the code of the package, with its native part, to a folder for PYTHONPATH."""
    from plainwright import _core

    own = Path(plainwright.__file__).parent
    shutil.copytree(own, site / "plainwright", ignore=shutil.ignore_patterns("__pycache__"))
    native = Path(_core.__file__)  # which an editable installation keeps elsewhere
    if not (site / "plainwright" / native.name).exists():
        shutil.copy(native, site / "plainwright")
    return site
