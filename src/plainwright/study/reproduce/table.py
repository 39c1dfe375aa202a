"""What a reproduction is: cells with the published value and ours, and notes on the differences."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Cell", "Reproduction"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One published number beside ours; `note` says why they differ."""

    row: str
    column: str
    paper: float
    ours: float
    note: str = ""

    @property
    def difference(self) -> float:
        """Ours, rounded as printed, minus the paper's."""
        return round(round(self.ours, 2) - self.paper, 2) + 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """A published table computed again."""

    name: str
    title: str
    citation: str
    cells: tuple[Cell, ...]
    methods: dict[str, str]  # column -> how ours is computed
    notes: tuple[str, ...]

    @property
    def rows(self) -> tuple[str, ...]:
        """Row labels, in order."""
        return tuple(dict.fromkeys(cell.row for cell in self.cells))

    @property
    def columns(self) -> tuple[str, ...]:
        """Column labels, in order."""
        return tuple(dict.fromkeys(cell.column for cell in self.cells))

    def cell(self, row: str, column: str) -> Cell:
        """The cell at that place."""
        return next(cell for cell in self.cells if (cell.row, cell.column) == (row, column))

    def to_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "name": self.name,
            "title": self.title,
            "citation": self.citation,
            "methods": dict(self.methods),
            "notes": list(self.notes),
            "cells": [
                {
                    "row": cell.row,
                    "column": cell.column,
                    "paper": cell.paper,
                    "ours": cell.ours,
                    "difference": cell.difference,
                    "note": cell.note,
                }
                for cell in self.cells
            ],
        }
