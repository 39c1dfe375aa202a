"""What a reproduction is: blocks of cells with the published value and ours, why they differ, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from plainwright.study.estimate import Interval

__all__ = ["Block", "Cell", "Finding", "Reproduction", "Sampling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Says how intervals are drawn."""

    seed: int = 12345
    resamples: int = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One published number beside ours; `note` says why they differ, or why there is none of ours."""

    row: str
    column: str
    paper: float | None  # None: the paper has no such number
    ours: float | None
    note: str = ""
    digits: int = 2  # after the point, as the paper prints them
    intervals: Mapping[str, Interval] = field(default_factory=dict)  # what was resampled -> interval of ours
    p_value: float | None = None  # of ours
    paper_p: str = ""  # as printed
    n: int | None = None  # how many observations ours rests on

    @property
    def difference(self) -> float | None:
        """Ours, rounded as printed, minus the paper's."""
        if self.paper is None or self.ours is None:
            return None
        return round(round(self.ours, self.digits) - self.paper, self.digits) + 0.0

    @property
    def same_sign(self) -> bool | None:
        """Whether both are above, below or at zero in the printed digits."""
        if self.paper is None or self.ours is None:
            return None
        ours = round(self.ours, self.digits)
        return (self.paper > 0) == (ours > 0) and (self.paper < 0) == (ours < 0)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; what does not apply is left out."""
        always = {
            "row": self.row,
            "column": self.column,
            "paper": self.paper,
            "ours": self.ours,
            "difference": self.difference,
            "note": self.note,
        }
        intervals = {
            kind: {"low": interval.low, "high": interval.high, "confidence": interval.confidence}
            | ({"undefined_resamples": interval.undefined} if interval.undefined else {})
            for kind, interval in self.intervals.items()
        }
        optional = {"intervals": intervals, "p_value": self.p_value, "paper_p": self.paper_p, "n": self.n}
        return always | {key: value for key, value in optional.items() if value not in (None, "", {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Cells that are shown together; `methods` says by row or column how ours are computed."""

    cells: tuple[Cell, ...]
    title: str = ""
    methods: Mapping[str, str] = field(default_factory=dict)
    signs: bool = False  # whether the sign of a cell is a result of its own, so that agreement is counted

    @property
    def rows(self) -> tuple[str, ...]:
        """Row labels, in order."""
        return tuple(dict.fromkeys(cell.row for cell in self.cells))

    @property
    def columns(self) -> tuple[str, ...]:
        """Column labels, in order."""
        return tuple(dict.fromkeys(cell.column for cell in self.cells))

    @property
    def sign_agreement(self) -> tuple[int, int]:
        """In how many cells the signs agree, of how many that have both numbers."""
        compared = [cell.same_sign for cell in self.cells if cell.same_sign is not None]
        return sum(compared), len(compared)

    def cell(self, row: str, column: str) -> Cell:
        """Return the cell at that place."""
        return next(cell for cell in self.cells if (cell.row, cell.column) == (row, column))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        agreement = dict(zip(("same", "of"), self.sign_agreement, strict=True))
        return {
            "title": self.title,
            "methods": dict(self.methods),
            "cells": [cell.to_dict() for cell in self.cells],
        } | ({"signs": agreement} if self.signs else {})


@dataclass(frozen=True, slots=True)
class Finding:
    """Sets a conclusion of the paper beside what our numbers say of it."""

    claim: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """Published numbers computed again."""

    name: str
    title: str
    citation: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...]
    protocol: tuple[str, ...] = ()  # choices that the paper leaves open, fixed before our numbers were looked at
    findings: tuple[Finding, ...] = ()
    sampling: Sampling | None = None  # None: nothing was resampled

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of all blocks."""
        return tuple(cell for block in self.blocks for cell in block.cells)

    def block(self, title: str) -> Block:
        """Return the block of that title."""
        return next(block for block in self.blocks if block.title == title)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        sampling = self.sampling
        return {
            "name": self.name,
            "title": self.title,
            "citation": self.citation,
            "protocol": list(self.protocol),
            "notes": list(self.notes),
            "findings": [{"claim": finding.claim, "answer": finding.answer} for finding in self.findings],
            "blocks": [block.to_dict() for block in self.blocks],
        } | ({} if sampling is None else {"seed": sampling.seed, "resamples": sampling.resamples})
