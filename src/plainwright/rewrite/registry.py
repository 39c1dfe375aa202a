"""Proposers and judges by name, for `model.toml` and the command line.

What is registered is called with the options of its table in `model.toml` and returns the part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plainwright.errors import DataError
from plainwright.registry import Registry
from plainwright.rewrite.judge.repetition import Repetition
from plainwright.rewrite.types import Judge, Proposer

__all__ = ["JUDGES", "PROPOSERS", "make_judges", "make_proposer"]

PROPOSERS: Registry[Callable[..., Proposer]] = Registry("proposer", "plainwright.proposers")
JUDGES: Registry[Callable[..., Judge]] = Registry("judge", "plainwright.judges", {"repetition": Repetition})


def make_proposer(name: str, options: Mapping[str, Any]) -> Proposer:
    """The proposer of that name."""
    proposer: Proposer = _made("proposer", PROPOSERS[name], name, options, Proposer)
    return proposer


def make_judges(names: Sequence[str], options: Mapping[str, Mapping[str, Any]]) -> list[Judge]:
    """The judges of these names."""
    return [_made("judge", JUDGES[name], name, options.get(name, {}), Judge) for name in names]


def _made(kind: str, factory: Callable[..., Any], name: str, options: Mapping[str, Any], protocol: type) -> Any:
    try:
        part = factory(**options)
    except TypeError as error:
        msg = f"{kind} {name!r} does not take the options {', '.join(options) or 'none'} ({error})"
        raise DataError(msg) from None
    if not isinstance(part, protocol):
        msg = f"{kind} {name!r}: expected a {kind} (plainwright.rewrite.{kind.capitalize()}), found {part!r:.60}"
        raise DataError(msg)
    return part
