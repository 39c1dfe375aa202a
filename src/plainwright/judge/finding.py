"""Which judge is meant; looking costs nothing."""

from __future__ import annotations

import os
from pathlib import Path

from plainwright import models
from plainwright.errors import ModelMissingError

__all__ = ["JUDGE_VARIABLE", "SETTINGS", "find_judge"]

JUDGE_VARIABLE = "PLAINWRIGHT_JUDGE"
SETTINGS = "judge.toml"


def find_judge(directory: str | Path | None = None) -> Path:
    """Return the directory of the judge to use: the one given, `$PLAINWRIGHT_JUDGE`, or the installed one."""
    if directory is not None:
        return Path(directory)
    if named := os.environ.get(JUDGE_VARIABLE):
        return Path(named)
    if models.is_installed("judge"):
        return models.find("judge")
    msg = (
        "no judge is installed; make one with `plainwright learn judge recipes/judge.toml`, and name its directory in "
        f"${JUDGE_VARIABLE}"
    )
    raise ModelMissingError(msg)
