"""Which rewriter is meant, and whether it can be used; looking costs nothing."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Literal, get_args

from plainwright.errors import ModelMissingError
from plainwright.extras import check_extra

__all__ = ["DISTRIBUTION", "LEVELS", "REWRITER_VARIABLE", "Level", "check_rewriter", "find_rewriter"]

Level = Literal["light", "plain", "easy"]
LEVELS: tuple[Level, ...] = get_args(Level)
REWRITER_VARIABLE = "PLAINWRIGHT_REWRITER"
DISTRIBUTION = "plainwright_en"


def find_rewriter(directory: str | Path | None = None) -> Path:
    """Return the directory of the rewriter to use: the one given, `$PLAINWRIGHT_REWRITER`, or the installed one."""
    if directory is not None:
        return Path(directory)
    if named := os.environ.get(REWRITER_VARIABLE):
        return Path(named)
    spec = importlib.util.find_spec(DISTRIBUTION)
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent / "rewriter"
    msg = (
        f"no rewriter is installed: name the directory of one in ${REWRITER_VARIABLE} (plainwright learn rewriter "
        "makes one), or use the rules alone (--engine rules)"
    )
    raise ModelMissingError(msg)


def check_rewriter() -> None:
    """Refuse to begin if there is no rewriter, or nothing to run it with."""
    find_rewriter()
    check_extra("rewriting sentences", "rewriter", "onnxruntime", "tokenizers", otherwise="--engine rules does without")
