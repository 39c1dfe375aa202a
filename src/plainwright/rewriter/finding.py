"""Which rewriter is meant, and whether it can be used; looking costs nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, get_args

from plainwright import models
from plainwright.errors import ModelMissingError
from plainwright.extras import check_extra
from plainwright.tables import TableReader

__all__ = [
    "LEVELS",
    "REWRITER_VARIABLE",
    "SETTINGS",
    "Level",
    "Runtime",
    "check_rewriter",
    "find_rewriter",
    "is_declined",
    "is_named_or_installed",
    "runtime_of",
]

Level = Literal["light", "plain", "easy"]
LEVELS: tuple[Level, ...] = get_args(Level)
Runtime = Literal["onnx", "ctranslate2"]
_RUNTIMES: tuple[Runtime, ...] = get_args(Runtime)
REWRITER_VARIABLE = "PLAINWRIGHT_REWRITER"
SETTINGS = "rewriter.toml"
_NONE = "none"  # as the value of the variable: whoever sets it wants the rules alone
_WAYS_OUT = (
    f"name the directory of one in ${REWRITER_VARIABLE} (`plainwright learn rewriter` makes one, `plainwright rewriter "
    "convert` takes a model of yours), or use the rules alone (--engine rules)"
)


def find_rewriter(directory: str | Path | None = None) -> Path:
    """Return the directory of the rewriter to use: the one given, `$PLAINWRIGHT_REWRITER`, or the installed one."""
    if directory is not None:
        return Path(directory)
    if is_declined():
        expected = f"{REWRITER_VARIABLE}: expected the directory of a rewriter"
        msg = f"{expected}, found {_NONE!r}; unset it to use the installed one"
        raise ModelMissingError(msg)
    if named := os.environ.get(REWRITER_VARIABLE):
        return Path(named)
    if not models.is_installed("rewriter"):
        msg = f"no rewriter is installed; {_WAYS_OUT}"
        raise ModelMissingError(msg)
    return models.find("rewriter")


def is_named_or_installed() -> bool:
    """Return whether anybody has named or installed a rewriter, be it a good one or not."""
    return bool(os.environ.get(REWRITER_VARIABLE)) or models.is_installed("rewriter")


def is_declined() -> bool:
    """Return whether `$PLAINWRIGHT_REWRITER` says that the rules are to do without a rewriter."""
    return os.environ.get(REWRITER_VARIABLE) == _NONE


def check_rewriter() -> None:
    """Refuse to begin if there is no rewriter, or nothing to run it with."""
    settings = find_rewriter() / SETTINGS
    # Without settings it is another problem, which whoever opens the directory names.
    runtime = runtime_of(TableReader.read(settings)) if settings.is_file() else "onnx"
    purpose, otherwise = "rewriting sentences", "--engine rules does without"
    if runtime == "onnx":
        check_extra(purpose, "rewriter", "onnxruntime", "tokenizers", otherwise=otherwise)
    else:
        check_extra(purpose, "ctranslate2", "ctranslate2", "tokenizers", otherwise=otherwise)


def runtime_of(table: TableReader) -> Runtime:
    """Return what the rewriter with these settings runs on."""
    return table.section("runtime").choice("kind", _RUNTIMES, "onnx")
