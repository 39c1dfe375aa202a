"""Which model of substitution is meant, and whether it can be used; looking costs nothing."""

from __future__ import annotations

import os
from pathlib import Path

from plainwright import models
from plainwright.extras import check_extra

__all__ = ["SETTINGS", "SUBSTITUTION_VARIABLE", "check_substitution", "find_substitution"]

SUBSTITUTION_VARIABLE = "PLAINWRIGHT_SUBSTITUTION"
SETTINGS = "substitution.toml"


def find_substitution(directory: str | Path | None = None) -> Path:
    """Return the directory of the model: the one given, `$PLAINWRIGHT_SUBSTITUTION`, or the installed one."""
    if directory is not None:
        return Path(directory)
    if named := os.environ.get(SUBSTITUTION_VARIABLE):
        return Path(named)
    otherwise = f"name the directory of one in ${SUBSTITUTION_VARIABLE}, or do without (--proposers)"
    return models.find("substitution", otherwise=otherwise)


def check_substitution() -> None:
    """Refuse to begin if there is no model, or nothing to run it with."""
    find_substitution()
    check_extra(
        "choosing words by their sentence", "substitution", "onnxruntime", "tokenizers", otherwise="or do without"
    )
