"""Which judge is meant; looking costs nothing."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from plainwright.errors import ModelMissingError

__all__ = ["JUDGE_VARIABLE", "SETTINGS", "find_judge"]

JUDGE_VARIABLE = "PLAINWRIGHT_JUDGE"
SETTINGS = "judge.toml"
_DISTRIBUTION = "plainwright_en"
_FOLDER = "judge"


def find_judge(directory: str | Path | None = None) -> Path:
    """Return the directory of the judge to use: the one given, `$PLAINWRIGHT_JUDGE`, or the installed one."""
    if directory is not None:
        return Path(directory)
    if named := os.environ.get(JUDGE_VARIABLE):
        return Path(named)
    spec = importlib.util.find_spec(_DISTRIBUTION)
    if spec is not None and spec.origin is not None:
        installed = Path(spec.origin).parent / _FOLDER
        if (installed / SETTINGS).is_file():
            return installed
    msg = (
        "no judge is installed; make one with `plainwright learn judge recipes/judge.toml`, and name its directory in "
        f"${JUDGE_VARIABLE}"
    )
    raise ModelMissingError(msg)
