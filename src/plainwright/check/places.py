"""Lines and columns: in characters, as people count them, and in UTF-16, as SARIF and editors do."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

__all__ = ["Lines", "Region"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """From where to where something stands; lines and columns begin with 1, and the end is the column after it."""

    line: int
    column: int
    end_line: int
    end_column: int

    def to_dict(self) -> dict[str, int]:
        """Return the JSON form."""
        return {
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
        }


class Lines:
    """Finds the lines of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]

    def region(self, start: int, end: int, *, utf16: bool = False) -> Region:
        """Return where the characters from `start` to `end` stand; with `utf16` columns count its units."""
        line, column = self._place(start, utf16=utf16)
        end_line, end_column = self._place(end, utf16=utf16)
        return Region(line=line, column=column, end_line=end_line, end_column=end_column)

    def _place(self, at: int, *, utf16: bool) -> tuple[int, int]:
        line = bisect_right(self._starts, at)
        before = self._text[self._starts[line - 1] : at]
        return line, 1 + (len(before.encode("utf-16-le", "surrogatepass")) // 2 if utf16 else len(before))
